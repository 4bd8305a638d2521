import { sortBySerial } from '../fixtures/export.js';
import { type CollectionName, RECORD_SCHEMAS } from '../fixtures/schema.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { finish, type Steps } from '../lib/steps.js';
import { getRecordId } from '../model/identity.js';
import type { State } from '../model/state.js';
import { listVersions } from '../model/versions.js';
import { type RecordKind, recordKinds } from '../sandbox/record-kinds.js';
import type { Range } from '../store/collection.js';
import { isPlain, type Listing, pageRange, RecordListing, type RecordQuery, type Row } from './listing.js';

/** How the records of a collection are listed, in addition to their kind. */
interface ResourceSpec<R> {
  /**
   * The fields that refer to other records, each with the field for the id: `{ author: 'userId' }`. json-server joins
   * records by the ids: `_expand=user` reads `userId`.
   */
  readonly references: Readonly<Record<string, string>>;
  /** Returns the ids of these records. Default: none */
  refer?(record: R): object;
  /** Orders records by their creation. Default: by serial. */
  compare?(a: R, b: R): number;
  /** Orders records by their time. Default: as `compare` does. */
  compareAge?(a: R, b: R): number;
  /** The same order by an index, the oldest first. */
  byAge?(state: State): Range<R>;
  /** Finds the records with a value of a field by an index. */
  readonly indexes?: Readonly<Record<string, (state: State, value: string) => Iterable<R>>>;
  /** Default: in the order of creation. */
  list?(state: State): Iterable<R>;
}

/** Keys of fixtures that no row has: the token is a secret, and the duration of a run follows from its end. */
const HIDDEN_KEYS: readonly string[] = ['token', 'duration'];

export const getSerial = (record: object): number => ('serial' in record ? Number(record.serial) : 0);

export const noRecord = (collection: CollectionName, id: string): NotFoundError =>
  new NotFoundError(`There is no record ${formatValue(id)} in ${collection}.`);

/** Defines how the records of a collection are read as rows. */
function defineResource<R extends object>(kind: RecordKind<R>, { references, ...spec }: ResourceSpec<R>) {
  const { collection, records, find: findRecord, show } = kind;
  const toRow = (state: State, record: R): Row => ({
    id: getRecordId(records(state), record),
    ...show(state, record),
    ...spec.refer?.(record),
  });
  const compare = spec.compare ?? ((a, b) => getSerial(a) - getSerial(b));
  const list = spec.list ?? ((state) => [...records(state)].sort(compare));
  const indexes = spec.indexes ?? {};
  const fields = [
    ...new Set(['id', ...Object.keys(RECORD_SCHEMAS[collection].properties), ...Object.values(references)]),
  ].filter((field) => !HIDDEN_KEYS.includes(field));
  const toSource = (state: State, found: Iterable<R> = records(state)) => ({
    records: found,
    toRow: (record: R) => toRow(state, record),
    compare: spec.compareAge ?? compare,
  });
  function* search(state: State, query: RecordQuery): Steps<Listing> {
    if (spec.byAge && isPlain(query)) {
      const range = spec.byAge(state);
      const readPage = pageRange(range, query.order === 'asc');
      const page = (offset: number, limit: number) => readPage(offset, limit).map((record) => toRow(state, record));
      return { total: range.length, page };
    }
    const { [indexedBy(query)]: value, ...where } = query.where ?? {};
    const findByIndex = indexes[indexedBy(query)];
    if (!findByIndex) return follow(state, yield* RecordListing.make(toSource(state), query));
    return yield* RecordListing.make(toSource(state, findByIndex(state, String(value))), { ...query, where });
  }
  const indexedBy = ({ where = {} }: RecordQuery): string =>
    Object.keys(indexes).find((field) => typeof where[field] === 'string') ?? '';
  /** Lets a listing of all records be made again from what changed. */
  const follow = (before: State, listing: RecordListing<R>): Listing => ({
    total: listing.total,
    page: (offset, limit) => listing.page(offset, limit),
    update(state) {
      // A row has names of vals and users.
      if (!listing.isPlain && (state.vals !== before.vals || state.users !== before.users)) return undefined;
      const changes = records(state).diff(records(before));
      const removed = changes.flatMap((change) => change.before ?? []);
      const added = changes.flatMap((change) => change.after ?? []);
      const changed = listing.change(toSource(state, added), removed);
      return (function* () {
        return follow(state, yield* changed);
      })();
    },
  });
  return {
    collection,
    references,
    records,
    toRow,
    findRecord,
    /** The fields of a row, and those that records can be found by. */
    fields,
    criteria: [...new Set([...fields, ...Object.keys(indexes)])],
    /** The parts of a state that the rows depend on. */
    listInputs: (state: State): unknown[] => [records(state), state.vals, state.users],
    /** Makes a listing, by default newest first. O(n), or by an index if it has a field of `where`. */
    search,
    /** Counts the records that differ between two states, and renders the first `limit` in the order of creation. */
    listChanges(before: State, after: State, limit: number) {
      const changes = records(after).diff(records(before));
      const first = changes.toSorted((a, b) => compare(a.record, b.record)).slice(0, limit);
      return {
        total: changes.length,
        changes: first.map((change) => ({
          collection,
          id: getRecordId(records(after), change.record),
          before: change.before ? toRow(before, change.before) : null,
          after: change.after ? toRow(after, change.after) : null,
        })),
      };
    },
    list: (state: State): Row[] => Array.from(list(state), (record) => toRow(state, record)),
    find(state: State, id: string): Row | undefined {
      const record = findRecord(state, id);
      return record && toRow(state, record);
    },
  };
}

/** How the records of a collection are found and shown. */
export type Resource<R extends object> = ReturnType<typeof defineResource<R>>;

/** The rows of each collection, as `/_emulator/records` and json-server show them. */
export const resources = {
  users: defineResource(recordKinds.users, { references: {}, byAge: (state) => state.users.by.serial.range() }),
  /** With code and number of the latest version. */
  vals: defineResource(recordKinds.vals, {
    references: { author: 'userId' },
    refer: ({ authorId }) => ({ userId: authorId }),
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
    indexes: { userId: (state, id) => state.vals.by.author.range([id]) },
  }),
  /** Including the latest of each val. */
  versions: defineResource(recordKinds.versions, {
    references: { val: 'valId' },
    refer: ({ valId }) => ({ valId }),
    compare: (a, b) => a.createdAt - b.createdAt || a.version - b.version,
    indexes: { valId: (state, id) => state.versions.range(id) },
    list: (state) => finish(sortBySerial(state.vals)).flatMap((val) => [...listVersions(state, val)].reverse()),
  }),
  runs: defineResource(recordKinds.runs, {
    references: { val: 'valId' },
    refer: ({ valId }) => ({ valId }),
    compareAge: (a, b) => a.runStartAt - b.runStartAt || a.serial - b.serial,
    byAge: (state) => state.runs.by.start.range(),
    /** Also by the id of the author of the val, which is not a field of a run. */
    indexes: {
      valId: (state, id) => state.runs.by.val.range([id]),
      userId: (state, id) => state.runs.by.author.range([id]),
    },
  }),
  likes: defineResource(recordKinds.likes, {
    references: { user: 'userId', val: 'valId' },
    refer: ({ userId, valId }) => ({ userId, valId }),
    compare: (a, b) => a.createdAt - b.createdAt,
    indexes: {
      valId: (state, id) => state.likes.range(id),
      userId: (state, id) => state.likes.by.user.range([id]),
    },
  }),
  comments: defineResource(recordKinds.comments, {
    references: { author: 'userId', val: 'valId' },
    refer: ({ authorId, valId }) => ({ userId: authorId, valId }),
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
    indexes: {
      valId: (state, id) => state.comments.by.val.range([id]),
      userId: (state, id) => Array.from(state.comments.by.participant.range([id, 'given']), ({ comment }) => comment),
    },
  }),
  blobs: defineResource(recordKinds.blobs, {
    references: { user: 'userId' },
    refer: ({ userId }) => ({ userId }),
    compare: (a, b) => a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1),
    indexes: { userId: (state, id) => state.blobs.range(id) },
  }),
  sqlite: defineResource(recordKinds.sqlite, {
    references: { user: 'userId' },
    refer: ({ userId }) => ({ userId }),
    compare: (a, b) => a.updatedAt - b.updatedAt,
    indexes: { userId: (state, id) => state.sqlite.range(id) },
  }),
  emails: defineResource(recordKinds.emails, {
    references: { user: 'userId' },
    refer: ({ userId }) => ({ userId }),
    indexes: { userId: (state, id) => state.emails.by.user.range([id]) },
  }),
};
