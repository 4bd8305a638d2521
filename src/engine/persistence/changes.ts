import type { StoredSet } from '../definition/define.js';
import { getRecords, setRecords } from '../definition/definitions.js';
import { UnknownCollectionError } from '../definition/service-errors.js';
import { type RateLimitWindow, rateLimitWindows } from '../rate-limit/rate-limit.state.js';
import { diffSets } from '../state/diff.js';
import { fork, type State } from '../state/state.js';
import type { RecordChange, RecordSet, Scalar } from '../store/collection.js';

/** The parts of a state that are not sets of records, and not the same for all states. */
type Scalars = Pick<
  State,
  'settings' | 'clock' | 'faults' | 'faultCount' | 'randomSequence' | 'nextSerial' | 'loadedAt'
>;

const toScalars = ({ settings, clock, faults, faultCount, randomSequence, nextSerial, loadedAt }: State): Scalars => ({
  settings,
  clock,
  faults,
  faultCount,
  randomSequence,
  nextSerial,
  loadedAt,
});

export interface RecordChanges<R extends object = object> {
  /** As they are stored. */
  readonly put?: readonly R[];
  /** Identities, sort key by sort key. */
  readonly delete?: readonly (readonly Scalar[])[];
}

const rateLimits = {
  name: 'rateLimits',
  collect: (records) => rateLimitWindows(records),
} satisfies StoredSet<RateLimitWindow>;

/** The sets of records of a state, in the order in which they are applied. */
const listSets = ({ definitions }: State): readonly StoredSet[] => [...definitions.sets, rateLimits];

/** What turns one state into another. Its values are absolute, so that it does no harm to apply it twice. */
export interface StateChanges {
  readonly [collection: string]: RecordChanges | undefined;
  readonly set?: Partial<Scalars> & RecordChanges;
  readonly rateLimits?: RecordChanges<RateLimitWindow>;
}

type SetChanges = Record<string, RecordChanges | undefined>;

/** Returns what turns `before` into `after`. Costs in proportion to the change. */
export function diffState(before: State, after: State): StateChanges {
  const changes: SetChanges = {};
  for (const { set, records, changes: changed } of diffSets(before, after, listSets(after))) {
    changes[set.name] = toRecordChanges(changed, records, set);
  }
  const scalars: Readonly<Record<string, unknown>> = { ...toScalars(before) };
  const set = Object.entries(toScalars(after)).filter(([name, value]) => value !== scalars[name]);
  return set.length > 0 ? { ...changes, set: Object.fromEntries(set) } : changes;
}

function toRecordChanges(
  changes: readonly RecordChange<object>[],
  records: RecordSet,
  { stored }: StoredSet,
): RecordChanges {
  const put: object[] = [];
  const gone: (readonly Scalar[])[] = [];
  for (const { record, after } of changes) {
    if (!after) gone.push(records.identify(record));
    else put.push(stored ? stored.encode(after) : after);
  }
  return { ...(put.length > 0 && { put }), ...(gone.length > 0 && { delete: gone }) };
}

/** Changes of more than this fraction of a collection build it again, which is faster than one by one. */
const REBUILD_FRACTION = 0.25;

/**
 * Returns the state that the changes turn a state into.
 * @throws RangeError for a val without its latest version
 * @throws UnknownCollectionError
 */
export function applyChanges(state: State, { set, ...changes }: StateChanges): State {
  const byName: SetChanges = changes;
  const draft = fork(state);
  Object.assign(draft, set);
  const sets = listSets(state);
  const unknown = Object.keys(changes).find((name) => !sets.some((each) => each.name === name));
  if (unknown !== undefined) throw new UnknownCollectionError(unknown);
  for (const each of sets) {
    const { put = [], delete: deleted = [] } = byName[each.name] ?? {};
    if (put.length + deleted.length === 0) continue;
    const { stored } = each;
    const records = stored ? put.map((record) => stored.decode(record, draft)) : put;
    setRecords(draft, each.name, applyTo(getRecords(draft, each.name), records, deleted, each));
  }
  const { isDraft: _, ...next } = draft;
  return next;
}

function applyTo(
  set: RecordSet,
  put: readonly object[],
  deleted: readonly (readonly Scalar[])[],
  { collect }: StoredSet,
): RecordSet {
  const gone = deleted.map((identity) => set.get(...identity));
  if (gone.length + put.length <= set.size * REBUILD_FRACTION) {
    const rest = gone.reduce((all: RecordSet, record) => (record === undefined ? all : all.delete(record)), set);
    return put.reduce((all: RecordSet, record) => all.put(record), rest);
  }
  const dropped = new Set(gone);
  const kept = set.size === 0 ? [] : [...set].filter((record) => !dropped.has(record));
  // Of several records with one identity, the last one counts.
  return collect(kept.length === 0 ? put : [...kept, ...put]);
}

/** Records in one part of a large change. */
const PART_SIZE = 1_000;
/** Characters of base64 in one part, since a line is a string. */
const PART_BYTES = 16 * 1_048_576;

/** Splits a large change into parts. Together, they are the change. @param state after the change */
export function splitChanges(state: State, { set, ...changes }: StateChanges): StateChanges[] {
  const byName: SetChanges = changes;
  const all = listSets(state).flatMap((each): Weighed[] => {
    const { put = [], delete: deleted = [] } = byName[each.name] ?? {};
    return put.length + deleted.length === 0 ? [] : [{ ...each, put, deleted }];
  });
  const count = all.reduce((sum, { put, deleted }) => sum + put.length + deleted.length, 0);
  const bytes = all.reduce((sum, { put, stored }) => sum + weighAll(put, stored), 0);
  if (count <= PART_SIZE && bytes <= PART_BYTES) return [{ ...changes, ...(set && { set }) }];
  const parts: StateChanges[] = set ? [{ set }] : [];
  for (const { name, put, deleted, stored } of all) {
    for (const slice of slices(put, (record) => stored?.weigh?.(record) ?? 0)) parts.push({ [name]: { put: slice } });
    for (const slice of slices(deleted, () => 0)) parts.push({ [name]: { delete: slice } });
  }
  return parts;
}

type Weighed = StoredSet & {
  readonly put: readonly object[];
  readonly deleted: readonly (readonly Scalar[])[];
};

/** Returns the characters of base64 in stored records. */
const weighAll = (records: readonly object[], stored: StoredSet['stored']): number =>
  stored?.weigh ? records.reduce((sum, record) => sum + (stored.weigh?.(record) ?? 0), 0) : 0;

/** Slices a list, so that each slice has few records and few bytes. */
function slices<T>(items: readonly T[], weigh: (item: T) => number): T[][] {
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

export function joinChanges(parts: readonly StateChanges[]): StateChanges {
  const sets = parts.map(({ set: _, ...changes }): SetChanges => changes);
  const joined: SetChanges = {};
  for (const name of new Set(sets.flatMap((changes) => Object.keys(changes)))) {
    joined[name] = {
      put: sets.flatMap((changes) => changes[name]?.put ?? []),
      delete: sets.flatMap((changes) => changes[name]?.delete ?? []),
    };
  }
  return { ...joined, set: Object.assign({}, ...parts.map(({ set }) => set)) };
}
