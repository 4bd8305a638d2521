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
import type { CollectionName } from '../fixtures/schema.js';
import { encodeBase64 } from '../lib/base64.js';
import { isObject } from '../lib/objects.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import { deleteUser, moveToAuthor } from '../model/cascades.js';
import { deleteDatabase, readDatabase } from '../model/databases.js';
import type { Val, Version } from '../model/schema.js';
import type { Draft } from '../model/state.js';
import type { Email } from '../model/user-data.js';
import { deleteVal, getVal } from '../model/vals.js';
import { deleteVersion, listVersions } from '../model/versions.js';
import { defineWriter, type Fixture, type RecordWriter } from './record-writer.js';
import { resources } from './resources.js';

/** How the records of each collection are written. A row has no secret and no bytes: a record keeps its old ones. */
export const recordWriters: Readonly<Record<CollectionName, RecordWriter>> = {
  users: defineWriter(resources.users, {
    insert: insertUser,
    toFixture: (fixture, old) => (old ? { token: old.token, ...fixture } : fixture),
    remove: deleteUser,
  }),
  vals: defineWriter(resources.vals, {
    insert: (draft, fixture, now) => insertVal(draft, fixture, now),
    replace: replaceVal,
    remove: deleteVal,
  }),
  versions: defineWriter(resources.versions, {
    insert: insertVersion,
    toFixture: (fixture, old) =>
      old ? { version: old.version, createdAt: toTimestamp(old.createdAt), ...fixture } : fixture,
    remove: (draft, version) => deleteVersion(draft, getVal(draft, version), version.version),
  }),
  runs: defineWriter(resources.runs, {
    insert: insertRun,
    toFixture: (fixture, old, state) => (old ? dropOldEnd(fixture, exporters.run(state, old)) : fixture),
  }),
  likes: defineWriter(resources.likes, { insert: insertLike }),
  comments: defineWriter(resources.comments, { insert: insertComment }),
  emails: defineWriter(resources.emails, { insert: insertEmail, toFixture: keepAttachments }),
  blobs: defineWriter(resources.blobs, {
    insert: insertBlob,
    toFixture: (fixture, old) =>
      old && !hasAny(fixture, ['text', 'json', 'base64', 'file'])
        ? { ...fixture, ...formatContent(old.body) }
        : fixture,
    derived: ['size'],
  }),
  sqlite: defineWriter(resources.sqlite, {
    insert: insertDatabase,
    toFixture: (fixture, old, state) =>
      old && !hasAny(fixture, ['sql', 'rows', 'base64', 'file'])
        ? { ...fixture, base64: encodeBase64(readDatabase(state, old)) }
        : fixture,
    // Only their contents count: what else is wrong is reported when they are inserted.
    prepare: (fixtures, now) =>
      prepareDatabases(
        fixtures.map(({ sql, rows, base64 }) => ({ user: '-', sql, rows, base64 })),
        now,
      ),
    remove: deleteDatabase,
    derived: ['size'],
  }),
};

const hasAny = (fixture: Fixture, keys: readonly string[]): boolean => keys.some((key) => fixture[key] !== undefined);

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

/** Adds a version to a val. Its latest one is the one with the highest number. */
function insertVersion(draft: Draft, input: unknown, now: Instant): Version {
  return insert(draft, 'versions', input, now, (factory, row) => {
    const val = factory.findVal(row.record.val, `${row.path}.val`);
    if (!val) return undefined;
    const number = row.record.version ?? val.nextVersion;
    if (draft.versions.get(val.id, number)) return factory.reportTaken(`${row.path}.version`, number);
    const version = factory.version(row, val.id, number, now);
    draft.versions = draft.versions.put(version);
    const latest = listVersions(draft, val).first ?? version;
    draft.vals = draft.vals.put({ ...val, latest, nextVersion: Math.max(val.nextVersion, number + 1) });
    return version;
  });
}

/** Writes a val in place of `old`, with the versions that it has. */
function replaceVal(draft: Draft, fixture: Fixture, now: Instant, old: Val): Val {
  draft.vals = draft.vals.delete(old);
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
