import { type Static, Type } from 'typebox';
import { LIMITS } from '../api/limits.js';
import { Timestamp } from '../api/schemas/common.js';
import { ApiError, NotFoundError } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { record } from '../lib/schema.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import { listChangedIds } from '../model/diff.js';
import type { State, StateStore } from '../model/state.js';
import type { Commit, Snapshot } from '../store/store.js';

const Ids = Type.Array(Type.String());

/** A commit that can be rewound. */
export const HistoryEntry = record('HistoryEntry', {
  id: Type.String({ description: 'Id of the request' }),
  request: Type.String({ description: 'The operation, as in `POST /v1/vals`' }),
  time: Timestamp,
  changes: Type.Record(Type.String(), record('Changes', { added: Ids, changed: Ids, removed: Ids })),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

export const listHistory = ({ history }: StateStore): HistoryEntry[] =>
  history.map(({ id, operation, at, before, after }) => ({
    id,
    request: operation,
    time: toTimestamp(at),
    changes: listChangedIds(before, after),
  }));

/**
 * Returns a commit by its distance from the last one (1 for the last) or by its id.
 * @throws NotFoundError when the history has no such commit
 */
export function getCommit({ history }: StateStore, to: number | string): Commit<State> {
  const found = typeof to === 'number' ? history[history.length - to] : history.find(({ id }) => id === to);
  if (found) return found;
  const reason = history.length === 0 ? 'nothing was written yet' : `the history has the last ${history.length}`;
  throw new NotFoundError(`There is no commit ${formatValue(to)}: ${reason}.`);
}

/** Returns the last number of the ids with a prefix: they are taken. */
export const findLastNumber = (history: StateStore['history'], prefix: string): number =>
  Math.max(0, ...history.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => Number(id.slice(1))));

/** Selects a state of the history, in a query or a body. */
export const At = Type.Optional(
  Type.String({
    minLength: 1,
    expected: 'the id of a commit such as "r17", or "start"',
    description:
      'The state after the commit of this id; `start` for the state before the oldest one. Default: the current one',
  }),
);

/** A state of the history. */
export interface PastState {
  readonly state: State;
  /** Number of commits up to this state. */
  readonly commits: number;
  /** The time that the clock showed; undefined for the current state, whose clock may run. */
  readonly time?: Instant;
}

/**
 * Returns the state after a commit.
 * @param at id of the commit; `start` for the state before the oldest commit of the history. Default: the current state
 * @throws NotFoundError when the history has no such commit
 */
export function getStateAt(store: StateStore, at?: string): PastState {
  const { history, commits, state } = store;
  const [oldest] = history;
  if (at === undefined || (at === 'start' && !oldest)) return { state, commits };
  if (at === 'start' && oldest) return { state: oldest.before, commits: commits - history.length, time: oldest.at };
  const commit = getCommit(store, at);
  const later = history.length - 1 - history.indexOf(commit);
  return { state: commit.after, commits: commits - later, time: commit.at };
}

/** A snapshot with the time at which it was taken. */
export const SnapshotRecord = record('Snapshot', { name: Type.String(), time: Timestamp });
export type SnapshotRecord = Static<typeof SnapshotRecord>;

export const toSnapshotRecord = ({ name, at }: Snapshot<State>): SnapshotRecord => ({ name, time: toTimestamp(at) });

/** @throws ApiError 422 when there are 1,000 snapshots, and none has this name */
export function assertRoom({ snapshots }: StateStore, name: string): void {
  if (snapshots.length < LIMITS.snapshots || snapshots.some((snapshot) => snapshot.name === name)) return;
  throw new ApiError(422, `Snapshot limit reached (${LIMITS.snapshots}). Drop a snapshot first.`);
}

/** Returns a name that no snapshot has. */
export function newSnapshotName({ snapshots }: StateStore): string {
  const taken = new Set(snapshots.map(({ name }) => name));
  for (let number = taken.size + 1; ; number++) {
    if (!taken.has(`snapshot-${number}`)) return `snapshot-${number}`;
  }
}

/** @throws NotFoundError */
export function getSnapshot({ snapshots }: StateStore, name: string): Snapshot<State> {
  const found = snapshots.find((snapshot) => snapshot.name === name);
  if (found) return found;
  const names = snapshots.map((snapshot) => snapshot.name);
  throw new NotFoundError(`There is no snapshot ${formatValue(name)}.${didYouMean(name, names)}`);
}
