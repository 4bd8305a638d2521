import type { Row } from '../control/listing.js';
import { getSerial, type Resource, resources } from '../control/resources.js';
import { formatContent } from '../fixtures/content.js';
import { prepareDatabases } from '../fixtures/database.js';
import { exporters } from '../fixtures/export.js';
import {
  insert,
  insertBlob,
  insertComment,
  insertDatabase,
  insertEmail,
  insertLike,
  insertRun,
  insertUser,
  insertVal,
} from '../fixtures/insert.js';
import { RECORD_SCHEMAS } from '../fixtures/schema.js';
import { encodeBase64 } from '../lib/base64.js';
import { FixtureError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import type { Steps } from '../lib/steps.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import { deleteUser, moveToAuthor } from '../model/cascades.js';
import { deleteDatabase, readDatabase } from '../model/databases.js';
import { toNoun, type Val } from '../model/schema.js';
import type { Draft, State } from '../model/state.js';
import type { Email, StoredDatabase } from '../model/user-data.js';
import { deleteVal, getVal } from '../model/vals.js';
import { deleteVersion, listVersions } from '../model/versions.js';
import type { SqlScripts } from '../sqlite/scripts.js';

/** A record that is not validated yet. */
type Fixture = Readonly<Record<string, unknown>>;

/** Validates a fixture and writes its record, in place of `old`, which is deleted already. @throws FixtureError */
type Insert<R> = (draft: Draft, fixture: Fixture, now: Instant, old?: R, scripts?: SqlScripts) => R;

/**
 * Defines how the records of a collection are written as rows.
 * @param removeAll deletes a record and all records that refer to it. Default: the record alone
 */
function defineWriter<R extends object>(
  { collection, references, records, findRecord, toRow }: Resource<R>,
  insertRecord: Insert<NoInfer<R>>,
  removeAll?: (draft: Draft, record: NoInfer<R>) => void,
) {
  const remove = (draft: Draft, record: R) => Object.assign(draft, { [collection]: records(draft).delete(record) });
  return {
    /** Writes `next` in place of `row`, at the same position. Returns the result. @throws FixtureError */
    put(draft: Draft, now: Instant, row: Row | undefined, next: Fixture, scripts?: SqlScripts): Row {
      const { fixture, asserted } = resolveReferences(next, row, references);
      const { id, ...rest } = fixture;
      const hasId = 'id' in RECORD_SCHEMAS[collection].properties;
      const old = row && findRecord(draft, row.id);
      const { nextSerial } = draft;
      // The serial orders the records.
      if (old && 'serial' in old) draft.nextSerial = getSerial(old);
      if (old) remove(draft, old);
      const result = toRow(draft, insertRecord(draft, hasId ? fixture : rest, now, old, scripts));
      draft.nextSerial = Math.max(nextSerial, draft.nextSerial);
      checkAsserted(hasId ? asserted : { ...asserted, id }, result, toNoun(collection));
      return result;
    },
    remove(draft: Draft, id: string): void {
      const record = findRecord(draft, id);
      if (record) (removeAll ?? remove)(draft, record);
    },
  };
}

/** The writes of each collection. */
export const writers = {
  // A user that is written without a token keeps the old one.
  users: defineWriter(
    resources.users,
    (draft, fixture, now, old) => insertUser(draft, old ? { token: old.token, ...fixture } : fixture, now),
    deleteUser,
  ),
  vals: defineWriter(
    resources.vals,
    (draft, fixture, now, old) => (old ? replaceVal(draft, fixture, now, old) : insertVal(draft, fixture, now)),
    deleteVal,
  ),
  versions: defineWriter(
    resources.versions,
    (draft, fixture, now, old) =>
      insert(draft, 'versions', fixture, now, (factory, row) => {
        const val = factory.findVal(row.record.val, `${row.path}.val`);
        if (!val) return undefined;
        const number = row.record.version ?? old?.version ?? val.nextVersion;
        if (draft.versions.get(val.id, number)) return factory.reportTaken(`${row.path}.version`, number);
        const version = factory.version(row, val.id, number, old?.createdAt ?? now);
        draft.versions = draft.versions.put(version);
        const latest = listVersions(draft, val).first ?? version;
        draft.vals = draft.vals.put({ ...val, latest, nextVersion: Math.max(val.nextVersion, number + 1) });
        return version;
      }),
    (draft, version) => deleteVersion(draft, getVal(draft, version), version.version),
  ),
  runs: defineWriter(resources.runs, (draft, fixture, now, old) =>
    insertRun(draft, old ? dropOldEnd(fixture, exporters.run(draft, old)) : fixture, now),
  ),
  likes: defineWriter(resources.likes, insertLike),
  comments: defineWriter(resources.comments, insertComment),
  blobs: defineWriter(resources.blobs, (draft, fixture, now, old) =>
    insertBlob(draft, keepContent(fixture, ['text', 'json', 'base64'], old && (() => formatContent(old.body))), now),
  ),
  sqlite: defineWriter(
    resources.sqlite,
    (draft, fixture, now, old, scripts) => {
      const kept = keepDatabase(draft, fixture, old);
      if (old) deleteDatabase(draft, old);
      return insertDatabase(draft, kept, now, scripts);
    },
    deleteDatabase,
  ),
  // A row has no content of attachments: one that is written in place of another keeps the old ones.
  emails: defineWriter(resources.emails, (draft, fixture, now, old) =>
    insertEmail(draft, keepAttachments(fixture, old), now),
  ),
};

/**
 * Converts a row to a fixture, which refers to another record by one field. Of a name and an id, the changed one counts.
 * If both are changed, the id is asserted: it must belong to the name.
 * @param before the row before the change
 */
function resolveReferences(row: Fixture, before: Fixture | undefined, references: Readonly<Record<string, string>>) {
  const fixture: Record<string, unknown> = { ...row };
  const asserted: Record<string, unknown> = {};
  for (const [nameField, idField] of Object.entries(references)) {
    const name = row[nameField];
    const id = row[idField];
    delete fixture[idField];
    const isNameChanged = name !== undefined && name !== before?.[nameField];
    const isIdChanged = id !== undefined && id !== before?.[idField];
    if (isNameChanged && isIdChanged) asserted[idField] = id;
    else if (isIdChanged || name === undefined) fixture[nameField] = id;
  }
  return { fixture, asserted };
}

/** Checks fields that follow from others. They may be missing, but not differ. */
function checkAsserted(asserted: Fixture, result: Row, noun: string): void {
  const problems = Object.entries(asserted)
    .filter(([field, found]) => found !== undefined && found !== result[field])
    .map(([field, found]) => {
      const expected = `${JSON.stringify(result[field])}, which follows from the other fields`;
      return { path: `${noun}.${field}`, message: `found ${formatValue(found)}; expected ${expected}.` };
    });
  if (problems.length > 0) throw new FixtureError(problems, noun);
}

/**
 * Adds the old content to a row that was sent without one.
 * @param keys that give a content. @param read returns the old one; undefined for a new row
 */
const keepContent = (
  { size: _, ...fixture }: Fixture,
  keys: readonly string[],
  read: (() => Fixture) | undefined,
): Fixture => (read && !keys.some((key) => key in fixture) ? { ...fixture, ...read() } : fixture);

const keepDatabase = (state: State, fixture: Fixture, old: StoredDatabase | undefined): Fixture =>
  keepContent(fixture, ['sql', 'rows', 'base64'], old && (() => ({ base64: encodeBase64(readDatabase(state, old)) })));

/** Makes the database of a row before it is written. @param id of the row; undefined for a new one */
export function prepareRow(state: State, id: string | undefined, body: Fixture, now: Instant): Steps<SqlScripts> {
  const old = id === undefined ? undefined : state.sqlite.get(id);
  const { sql, rows, base64 } = keepDatabase(state, body, old);
  return prepareDatabases([{ user: '-', sql, rows, base64 }], now);
}

/** Gives the attachments of a row that were sent before their contents. */
function keepAttachments(fixture: Fixture, old: Email | undefined): Fixture {
  if (!Array.isArray(fixture.attachments)) return fixture;
  const attachments = fixture.attachments.map((given: unknown) => {
    if (!isObject(given) || !('size' in given)) return given;
    const { size: _, ...rest } = given;
    const known = old?.attachments.find(({ filename }) => filename === given.filename);
    return known ? { ...rest, ...formatContent(known.content) } : rest;
  });
  return { ...fixture, attachments };
}

/** Drops the end of a run that is given a duration: the end follows from it. */
function dropOldEnd(fixture: Fixture, old: Fixture): Fixture {
  const { runEndAt, ...rest } = fixture;
  return rest.duration !== undefined && runEndAt === old.runEndAt ? rest : fixture;
}

/** Writes a val in place of `old`, with the versions that it has. */
function replaceVal(draft: Draft, fixture: Fixture, now: Instant, old: Val): Val {
  const versions = [...listVersions(draft, old)];
  for (const version of versions) draft.versions = draft.versions.delete(version);
  const hasCode = fixture.code !== undefined;
  const older = versions.slice(hasCode ? 1 : 0).reverse();
  const rows = older.map(({ valId, version, code, createdAt }) => ({
    record: { val: valId, version, code, createdAt: toTimestamp(createdAt) },
    path: 'version',
  }));
  const latest = { version: old.latest.version, versionCreatedAt: toTimestamp(old.latest.createdAt) };
  const filled = { ...(hasCode ? latest : {}), ...fixture, nextVersion: getNextVersion(old, fixture) };
  const written = insertVal(draft, filled, now, rows, old.createdAt);
  // Unchanged versions stay the same objects, so that the history does not list them.
  for (const version of versions) {
    const copy = draft.versions.get(written.id, version.version);
    const isUnchanged = copy?.code === version.code && copy.createdAt === version.createdAt;
    if (isUnchanged) draft.versions = draft.versions.put(version);
  }
  const val = { ...written, latest: listVersions(draft, written).first ?? written.latest };
  draft.vals = draft.vals.put(val);
  if (written.authorId !== old.authorId) moveToAuthor(draft, val);
  return val;
}

/** Returns the next version number as given, or above the given version. Numbers are not reused. */
function getNextVersion(old: Val, { nextVersion, version }: Fixture): unknown {
  if (nextVersion !== undefined && nextVersion !== old.nextVersion) return nextVersion;
  return Number.isInteger(version) ? Math.max(old.nextVersion, Number(version) + 1) : old.nextVersion;
}
