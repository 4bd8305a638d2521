import { exporters, sortBySerial } from '../fixtures/export.js';
import { insert, insertComment, insertLike, insertRun, insertUser, insertVal } from '../fixtures/insert.js';
import { getValReference } from '../fixtures/references.js';
import { type CollectionName, RECORD_SCHEMAS } from '../fixtures/schema.js';
import { FixtureError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import type { Val } from '../model/schema.js';
import type { Draft, State } from '../model/state.js';
import { deleteVal, getVal } from '../model/vals.js';
import { deleteVersion, listVersions } from '../model/versions.js';

/** A record for json-server: in fixture format, with its id and the ids of the records that it refers to. */
interface Row {
  id: string;
  [field: string]: unknown;
}

/** A record that is not validated yet. */
type Fixture = Readonly<Record<string, unknown>>;

/** How the records of a collection are found, shown, written and removed. */
interface ResourceSpec<R> {
  readonly collection: CollectionName;
  /**
   * The fields that refer to other records, each with the field for the id: `{ author: 'userId' }`. json-server joins
   * records by the ids: `_expand=user` reads `userId`.
   */
  readonly references: Readonly<Record<string, string>>;
  records(state: State): Iterable<R> & { get(...identity: string[]): R | undefined; delete(record: R): unknown };
  /** Default: in the order of creation. */
  list?(state: State): Iterable<R>;
  /** Default: the id consists of the fields of the identity. */
  find?(state: State, id: string): R | undefined;
  toRow(state: State, record: R): Row;
  /** Validates a fixture and writes its record, in place of `old`, which is deleted already. @throws FixtureError */
  insert(draft: Draft, fixture: Fixture, now: Instant, old: R | undefined): R;
  /** Deletes a record and all records that refer to it. Default: the record alone. */
  remove?(draft: Draft, record: R): void;
}

const getSerial = (record: object): number => ('serial' in record ? Number(record.serial) : 0);

function defineResource<R extends object>({ collection, references, records, toRow, ...spec }: ResourceSpec<R>) {
  const list = spec.list ?? ((state) => [...records(state)].sort((a, b) => getSerial(a) - getSerial(b)));
  const find = spec.find ?? ((state, id) => records(state).get(...id.split(':')));
  const remove = (draft: Draft, record: R) => Object.assign(draft, { [collection]: records(draft).delete(record) });
  return {
    references,
    list: (state: State): Row[] => Array.from(list(state), (record) => toRow(state, record)),
    find(state: State, id: string): Row | undefined {
      const record = find(state, id);
      return record && toRow(state, record);
    },
    /** Writes `next` in place of `row`, at the same position. Returns the result. @throws FixtureError */
    put(draft: Draft, now: Instant, row: Row | undefined, next: Fixture): Row {
      const { fixture, asserted } = resolveReferences(next, row, references);
      const { id, ...rest } = fixture;
      const hasId = 'id' in RECORD_SCHEMAS[collection].properties;
      const old = row && find(draft, row.id);
      const { nextSerial } = draft;
      // The serial orders the records.
      if (old && 'serial' in old) draft.nextSerial = getSerial(old);
      if (old) remove(draft, old);
      const result = toRow(draft, spec.insert(draft, hasId ? fixture : rest, now, old));
      draft.nextSerial = Math.max(nextSerial, draft.nextSerial);
      checkAsserted(hasId ? asserted : { ...asserted, id }, result, collection.slice(0, -1));
      return result;
    },
    remove(draft: Draft, id: string): void {
      const record = find(draft, id);
      if (record) (spec.remove ?? remove)(draft, record);
    },
  };
}

/**
 * Converts a row to a fixture, which refers to another record by one field. Of a name and an id, the changed one counts.
 * If both are changed, the id is asserted: it must be that of the name.
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

/** The records of each collection, as json-server shows and writes them. */
export const resources = {
  /** Without their tokens. A token can be written; a user that is written without one keeps its token. */
  users: defineResource({
    collection: 'users',
    references: {},
    records: (state) => state.users,
    toRow(state, user) {
      const { token: _, ...row } = exporters.user(state, user);
      return row;
    },
    insert: (draft, fixture, now, old) => insertUser(draft, old ? { token: old.token, ...fixture } : fixture, now),
    remove(draft, user) {
      for (const val of draft.vals.by.author.range([user.id])) deleteVal(draft, val);
      for (const like of draft.likes.by.user.range([user.id])) draft.likes = draft.likes.delete(like);
      for (const { comment } of draft.comments.by.participant.range([user.id, 'given'])) {
        draft.comments = draft.comments.delete(comment);
      }
      draft.faults = draft.faults.filter(({ userId }) => userId !== user.id);
      draft.users = draft.users.delete(user);
    },
  }),
  /** As in fixtures, code and version are those of the latest version. */
  vals: defineResource({
    collection: 'vals',
    references: { author: 'userId' },
    records: (state) => state.vals,
    toRow: (state, val) => ({ ...exporters.val(state, val), userId: val.authorId }),
    insert: (draft, fixture, now, old) => (old ? replaceVal(draft, fixture, now, old) : insertVal(draft, fixture, now)),
    remove: deleteVal,
  }),
  /** Including the latest of each val. Their id consists of the id of the val and the number. */
  versions: defineResource({
    collection: 'versions',
    references: { val: 'valId' },
    records: (state) => state.versions,
    list: (state) => sortBySerial(state.vals).flatMap((val) => [...listVersions(state, val)].reverse()),
    find(state, id) {
      const [valId = '', number] = id.split(':');
      return state.versions.get(valId, Number(number));
    },
    toRow: (state, version) => ({
      id: `${version.valId}:${version.version}`,
      ...exporters.version(state, version),
      valId: version.valId,
    }),
    insert: (draft, fixture, now, old) =>
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
    remove(draft, version) {
      const val = getVal(draft, version);
      if (listVersions(draft, val).length === 1) {
        const message = `the only one of ${getValReference(draft, val)}; expected another one to be left, or the val to be deleted.`;
        throw new FixtureError([{ path: 'version', message }], 'version');
      }
      deleteVersion(draft, val, version.version);
    },
  }),
  runs: defineResource({
    collection: 'runs',
    references: { val: 'valId' },
    records: (state) => state.runs,
    toRow: (state, run) => ({ ...exporters.run(state, run), valId: run.valId }),
    insert: (draft, fixture, now, old) =>
      insertRun(draft, old ? dropOldEnd(fixture, exporters.run(draft, old)) : fixture, now),
  }),
  /** Their id consists of the ids of val and user. */
  likes: defineResource({
    collection: 'likes',
    references: { user: 'userId', val: 'valId' },
    records: (state) => state.likes,
    toRow: (state, like) => ({
      id: `${like.valId}:${like.userId}`,
      ...exporters.like(state, like),
      userId: like.userId,
      valId: like.valId,
    }),
    insert: insertLike,
  }),
  comments: defineResource({
    collection: 'comments',
    references: { author: 'userId', val: 'valId' },
    records: (state) => state.comments,
    toRow: (state, comment) => ({
      ...exporters.comment(state, comment),
      userId: comment.authorId,
      valId: comment.valId,
    }),
    insert: insertComment,
  }),
};

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
  const { id, authorId } = written;
  // Unchanged versions stay the same objects, so that the history does not list them.
  for (const version of versions) {
    const copy = draft.versions.get(id, version.version);
    const isUnchanged = copy?.code === version.code && copy.createdAt === version.createdAt;
    if (isUnchanged) draft.versions = draft.versions.put(version);
  }
  const val = { ...written, latest: listVersions(draft, written).first ?? written.latest };
  draft.vals = draft.vals.put(val);
  if (authorId === old.authorId) return val;
  for (const run of draft.runs.by.val.range([id])) draft.runs = draft.runs.put({ ...run, authorId });
  for (const comment of draft.comments.by.val.range([id])) {
    draft.comments = draft.comments.put({ ...comment, valAuthorId: authorId });
  }
  return val;
}

/** Returns the next version number as given, or above the given version. Numbers are not reused. */
function getNextVersion(old: Val, { nextVersion, version }: Fixture): unknown {
  if (nextVersion !== undefined && nextVersion !== old.nextVersion) return nextVersion;
  return Number.isInteger(version) ? Math.max(old.nextVersion, Number(version) + 1) : old.nextVersion;
}
