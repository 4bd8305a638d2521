import { exporters, sortBySerial } from '../fixtures/export.js';
import { type CollectionName, RECORD_SCHEMAS } from '../fixtures/schema.js';
import { finish, type Steps } from '../lib/steps.js';
import { findLike, findVersion, getRecordId } from '../model/identity.js';
import type { State } from '../model/state.js';
import { listVersions } from '../model/versions.js';
import type { RecordChange } from '../store/collection.js';
import { type Listing, RecordListing, type RecordQuery, type Row } from './listing.js';

interface Records<R> extends Iterable<R> {
  get(id: string): R | undefined;
  delete(record: R): unknown;
  identify(record: R): readonly unknown[];
  diff(earlier: Records<R>): readonly RecordChange<R>[];
}

/** How the records of a collection are found and shown. */
interface ResourceSpec<R> {
  readonly collection: CollectionName;
  /**
   * The fields that refer to other records, each with the field for the id: `{ author: 'userId' }`. json-server joins
   * records by the ids: `_expand=user` reads `userId`.
   */
  readonly references: Readonly<Record<string, string>>;
  records(state: State): Records<R>;
  /** Orders records by their creation. Default: by serial. */
  compare?(a: R, b: R): number;
  /** Finds the records with a value of a field by an index. */
  readonly indexes?: Readonly<Record<string, (state: State, value: string) => Iterable<R>>>;
  /** Default: in the order of creation. */
  list?(state: State): Iterable<R>;
  /** Default: by the id. */
  find?(state: State, id: string): R | undefined;
  toRow(state: State, record: R): Row;
}

/** Keys of fixtures that no row has: the token is a secret, and the duration of a run follows from its end. */
const HIDDEN_KEYS: readonly string[] = ['token', 'duration'];

export const getSerial = (record: object): number => ('serial' in record ? Number(record.serial) : 0);

/** Defines how the records of a collection are read as rows. */
function defineResource<R extends object>({ collection, references, records, toRow, ...spec }: ResourceSpec<R>) {
  const compare = spec.compare ?? ((a, b) => getSerial(a) - getSerial(b));
  const list = spec.list ?? ((state) => [...records(state)].sort(compare));
  const indexes = spec.indexes ?? {};
  const fields = [
    ...new Set(['id', ...Object.keys(RECORD_SCHEMAS[collection].properties), ...Object.values(references)]),
  ].filter((field) => !HIDDEN_KEYS.includes(field));
  const findRecord = spec.find ?? ((state, id) => records(state).get(id));
  const toSource = (state: State, found: Iterable<R> = records(state)) => ({
    records: found,
    toRow: (record: R) => toRow(state, record),
    compare,
  });
  function* search(state: State, query: RecordQuery): Steps<Listing> {
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
  /** Without their tokens. */
  users: defineResource({
    collection: 'users',
    references: {},
    records: (state) => state.users,
    toRow(state, user) {
      const { token: _, ...row } = exporters.user(state, user);
      return row;
    },
  }),
  /** As in fixtures, with code and number of the latest version. */
  vals: defineResource({
    collection: 'vals',
    references: { author: 'userId' },
    records: (state) => state.vals,
    indexes: { userId: (state, id) => state.vals.by.author.range([id]) },
    toRow: (state, val) => ({ ...exporters.val(state, val), userId: val.authorId }),
  }),
  /** Including the latest of each val. Their id consists of the id of the val and the number. */
  versions: defineResource({
    collection: 'versions',
    references: { val: 'valId' },
    records: (state) => state.versions,
    compare: (a, b) => a.createdAt - b.createdAt || a.version - b.version,
    indexes: { valId: (state, id) => state.versions.range(id) },
    list: (state) => finish(sortBySerial(state.vals)).flatMap((val) => [...listVersions(state, val)].reverse()),
    find: findVersion,
    toRow: (state, version) => ({
      id: getRecordId(state.versions, version),
      ...exporters.version(state, version),
      valId: version.valId,
    }),
  }),
  runs: defineResource({
    collection: 'runs',
    references: { val: 'valId' },
    records: (state) => state.runs,
    /** Also by the id of the author of the val, which is not a field of a run. */
    indexes: {
      valId: (state, id) => state.runs.by.val.range([id]),
      userId: (state, id) => state.runs.by.author.range([id]),
    },
    toRow: (state, run) => ({ ...exporters.run(state, run), valId: run.valId }),
  }),
  /** Their id consists of the ids of val and user. */
  likes: defineResource({
    collection: 'likes',
    references: { user: 'userId', val: 'valId' },
    records: (state) => state.likes,
    compare: (a, b) => a.createdAt - b.createdAt,
    find: findLike,
    indexes: {
      valId: (state, id) => state.likes.range(id),
      userId: (state, id) => state.likes.by.user.range([id]),
    },
    toRow: (state, like) => ({
      id: getRecordId(state.likes, like),
      ...exporters.like(state, like),
      userId: like.userId,
      valId: like.valId,
    }),
  }),
  comments: defineResource({
    collection: 'comments',
    references: { author: 'userId', val: 'valId' },
    records: (state) => state.comments,
    indexes: {
      valId: (state, id) => state.comments.by.val.range([id]),
      userId: (state, id) => Array.from(state.comments.by.participant.range([id, 'given']), ({ comment }) => comment),
    },
    toRow: (state, comment) => ({
      ...exporters.comment(state, comment),
      userId: comment.authorId,
      valId: comment.valId,
    }),
  }),
};
