import { decodeBase64, encodeBase64 } from '../lib/base64.js';
import { isObject } from '../lib/objects.js';
import { type CollectionName, type Collections, collections, type Val } from '../model/schema.js';
import {
  databasePages,
  fork,
  type Pages,
  type RateLimitWindows,
  rateLimitWindows,
  type State,
} from '../model/state.js';
import type { Attachment, Email, Page, StoredBlob } from '../model/user-data.js';
import type { Collection, IndexSpecs, Scalar } from '../store/collection.js';

/** The parts of a state that are sets of records. */
type RecordSets = Collections & { readonly pages: Pages; readonly rateLimits: RateLimitWindows };
type SetName = CollectionName | 'pages' | 'rateLimits';
type RecordOf<N extends SetName> = RecordSets[N] extends Collection<infer R, infer _> ? R : never;

/** The parts of a state that are not sets. */
type Scalars = Omit<State, SetName>;

/** The compiler reports a part that is missing here, and so would not be stored. */
const toScalars = ({ settings, clock, faults, faultCount, randomSequence, nextSerial, loadedAt }: State): Scalars => ({
  settings,
  clock,
  faults,
  faultCount,
  randomSequence,
  nextSerial,
  loadedAt,
});

export interface RecordChanges<R> {
  readonly put?: readonly R[];
  /** Identities, sort key by sort key. */
  readonly delete?: readonly (readonly Scalar[])[];
}

/** A val whose latest version is given by its number, since it is stored already. */
type StoredVal = Omit<Val, 'latest'> & { readonly latest: number };

/** An email whose bytes are in base64. */
type StoredEmail = Omit<Email, 'attachments'> & {
  readonly attachments: readonly (Omit<Attachment, 'content'> & { readonly content: string })[];
};

/** A record whose bytes are in base64. */
type TextBody<R> = Omit<R, 'body'> & { readonly body: string };

/** The records that are stored in another form. */
interface StoredForms {
  readonly vals: StoredVal;
  readonly emails: StoredEmail;
  readonly blobs: TextBody<StoredBlob>;
  readonly pages: TextBody<Page>;
}

/** The compiler reports a set of records that is missing below, and so would not be stored. */
type SetChanges = {
  readonly [N in SetName]?: RecordChanges<N extends keyof StoredForms ? StoredForms[N] : RecordOf<N>>;
};

const toStoredEmail = (email: Email): StoredEmail => ({
  ...email,
  attachments: email.attachments.map((each) => ({ ...each, content: encodeBase64(each.content) })),
});
const fromStoredEmail = (email: StoredEmail): Email => ({
  ...email,
  attachments: email.attachments.map((each) => ({ ...each, content: readBytes(each.content) })),
});

const encodeBody = <R extends { readonly body: Uint8Array }>(record: R): TextBody<R> => ({
  ...record,
  body: encodeBase64(record.body),
});
const decodeBody = <R extends { readonly body: string }>(record: R): Omit<R, 'body'> & { body: Uint8Array } => ({
  ...record,
  body: readBytes(record.body),
});

/** @throws RangeError for a text that is not base64 */
function readBytes(text: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (!bytes) throw new RangeError('bytes are not base64');
  return bytes;
}

/** What turns one state into another. Its values are absolute, so that it does no harm to apply it twice. */
export interface StateChanges extends SetChanges {
  readonly set?: Partial<Scalars>;
}

/** Returns what turns `before` into `after`. Costs in proportion to the change. */
export function diffState(before: State, after: State): StateChanges {
  const toStoredVal = (val: Val): StoredVal => ({ ...val, latest: val.latest.version });
  const old: Readonly<Record<string, unknown>> = { ...toScalars(before) };
  const all: Required<StateChanges> = {
    users: compare(after.users, before.users),
    versions: compare(after.versions, before.versions),
    vals: mapPut(compare(after.vals, before.vals), toStoredVal),
    runs: compare(after.runs, before.runs),
    likes: compare(after.likes, before.likes),
    comments: compare(after.comments, before.comments),
    emails: mapPut(compare(after.emails, before.emails), toStoredEmail),
    blobs: mapPut(compare(after.blobs, before.blobs), encodeBody),
    sqlite: compare(after.sqlite, before.sqlite),
    pages: mapPut(compare(after.pages, before.pages), encodeBody),
    rateLimits: compare(after.rateLimits, before.rateLimits),
    set: Object.fromEntries(Object.entries(toScalars(after)).filter(([name, value]) => value !== old[name])),
  };
  return Object.fromEntries(Object.entries(all).filter(([, changes]) => Object.keys(changes).length > 0));
}

/** Converts the records of a change. */
const mapPut = <A, B>({ put, ...gone }: RecordChanges<A>, map: (record: A) => B): RecordChanges<B> =>
  put ? { put: put.map(map), ...gone } : gone;

function compare<R, S extends IndexSpecs<R>>(after: Collection<R, S>, before: Collection<R, S>): RecordChanges<R> {
  const changes = after.diff(before);
  const put = changes.flatMap((change) => change.after ?? []);
  const gone = changes.filter((change) => !change.after).map(({ record }) => after.identify(record));
  return { ...(put.length > 0 && { put }), ...(gone.length > 0 && { delete: gone }) };
}

/** Changes of more than this fraction of a collection build it again, which is faster than one by one. */
const REBUILD_FRACTION = 0.25;

/** Returns the state that the changes turn a state into. @throws RangeError for a val without its latest version */
export function applyChanges(state: State, changes: StateChanges): State {
  const draft = fork(state);
  Object.assign(draft, changes.set);
  draft.users = applyTo(draft.users, changes.users, collections.users);
  draft.versions = applyTo(draft.versions, changes.versions, collections.versions);
  const fromStoredVal = (val: StoredVal): Val => {
    const latest = draft.versions.get(val.id, val.latest);
    if (!latest) throw new RangeError(`val ${val.id} has no version ${val.latest}`);
    return { ...val, latest };
  };
  const vals = changes.vals && mapPut(changes.vals, fromStoredVal);
  draft.vals = applyTo(draft.vals, vals, collections.vals);
  draft.runs = applyTo(draft.runs, changes.runs, collections.runs);
  draft.likes = applyTo(draft.likes, changes.likes, collections.likes);
  draft.comments = applyTo(draft.comments, changes.comments, collections.comments);
  draft.emails = applyTo(draft.emails, changes.emails && mapPut(changes.emails, fromStoredEmail), collections.emails);
  draft.blobs = applyTo(draft.blobs, changes.blobs && mapPut(changes.blobs, decodeBody), collections.blobs);
  draft.sqlite = applyTo(draft.sqlite, changes.sqlite, collections.sqlite);
  draft.pages = applyTo(draft.pages, changes.pages && mapPut(changes.pages, decodeBody), databasePages);
  draft.rateLimits = applyTo(draft.rateLimits, changes.rateLimits, rateLimitWindows);
  const { isDraft: _, ...next } = draft;
  return next;
}

function applyTo<R, S extends IndexSpecs<R>>(
  collection: Collection<R, S>,
  { put = [], delete: deleted = [] }: RecordChanges<R> = {},
  build: (records: readonly R[]) => Collection<R, S>,
): Collection<R, S> {
  if (put.length + deleted.length > 0) {
    const gone = deleted.map((identity) => collection.get(...identity));
    if (gone.length + put.length <= collection.size * REBUILD_FRACTION) {
      const rest = gone.reduce((all, record) => (record === undefined ? all : all.delete(record)), collection);
      return put.reduce((all, record) => all.put(record), rest);
    }
    const dropped = new Set(gone);
    const kept = collection.size === 0 ? [] : [...collection].filter((record) => !dropped.has(record));
    // Of several records with one identity, the last one counts.
    return build(kept.length === 0 ? put : [...kept, ...put]);
  }
  return collection;
}

const SET_NAMES = [
  ...(['users', 'versions', 'vals', 'runs', 'likes', 'comments', 'emails', 'blobs'] as const),
  ...(['sqlite', 'pages', 'rateLimits'] as const),
] as const;

/** Records in one part of a large change. */
const PART_SIZE = 1_000;
/** Characters of base64 in one part, since a line is a string. */
const PART_BYTES = 16 * 1_048_576;

/** Returns the characters of base64 in a record. */
function weigh(record: unknown): number {
  if (!isObject(record)) return 0;
  const attachments: unknown = record.attachments;
  const contents = Array.isArray(attachments) ? attachments.map((each) => Object(each).content) : [record.body];
  return contents.reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

/** Splits a large change into parts. Together, they are the change. */
export function splitChanges(changes: StateChanges): StateChanges[] {
  const count = SET_NAMES.reduce((sum, name) => sum + countChanges(changes[name]), 0);
  const { emails, blobs, pages } = changes;
  const bytes = [emails, blobs, pages]
    .flatMap((each): readonly unknown[] => each?.put ?? [])
    .reduce((sum: number, each) => sum + weigh(each), 0);
  if (count <= PART_SIZE && bytes <= PART_BYTES) return [changes];
  const parts: StateChanges[] = changes.set ? [{ set: changes.set }] : [];
  for (const name of SET_NAMES) {
    const { put = [], delete: deleted = [] } = changes[name] ?? {};
    for (const slice of slices<unknown>(put)) parts.push({ [name]: { put: slice } });
    for (const slice of slices<unknown>(deleted)) parts.push({ [name]: { delete: slice } });
  }
  return parts;
}

const countChanges = ({ put = [], delete: deleted = [] }: RecordChanges<unknown> = {}) => put.length + deleted.length;

/** Slices a list, so that each slice has few records and few bytes. */
function slices<T>(items: readonly T[]): T[][] {
  const made: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const weight = weigh(item);
    const last = made.at(-1);
    if (last && last.length < PART_SIZE && bytes + weight <= PART_BYTES) {
      last.push(item);
      bytes += weight;
    } else {
      made.push([item]);
      bytes = weight;
    }
  }
  return made;
}

/** Joins the parts of a change. */
export const joinChanges = (parts: readonly StateChanges[]): StateChanges => ({
  users: join(parts.map(({ users }) => users)),
  versions: join(parts.map(({ versions }) => versions)),
  vals: join(parts.map(({ vals }) => vals)),
  runs: join(parts.map(({ runs }) => runs)),
  likes: join(parts.map(({ likes }) => likes)),
  comments: join(parts.map(({ comments }) => comments)),
  emails: join(parts.map(({ emails }) => emails)),
  blobs: join(parts.map(({ blobs }) => blobs)),
  sqlite: join(parts.map(({ sqlite }) => sqlite)),
  pages: join(parts.map(({ pages }) => pages)),
  rateLimits: join(parts.map(({ rateLimits }) => rateLimits)),
  set: Object.assign({}, ...parts.map(({ set }) => set)),
});

const join = <R>(parts: readonly (RecordChanges<R> | undefined)[]): RecordChanges<R> => ({
  put: parts.flatMap((part) => part?.put ?? []),
  delete: parts.flatMap((part) => part?.delete ?? []),
});
