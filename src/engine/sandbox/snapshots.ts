import { type Static, Type } from 'typebox';
import { LIMITS } from '../api/limits.js';
import { ApiError, NotFoundError } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import { Timestamp } from '../schema/common.js';
import { record } from '../schema/schema.js';
import type { State, StateStore } from '../state/state.js';
import type { Snapshot } from '../store/store.js';
import { getStateAt } from './history-entries.js';

const snapshotRecord = record('Snapshot', { name: Type.String(), time: Timestamp });
/** A snapshot with the time at which it was taken. */
export interface SnapshotRecord extends Static<typeof snapshotRecord> {}
export const SnapshotRecord = Type.Unsafe<SnapshotRecord>(snapshotRecord);

export const toSnapshotRecord = ({ name, at }: Snapshot<State>): SnapshotRecord => ({ name, time: toTimestamp(at) });

/** @throws ApiError 422 when there are 1,000 snapshots, and none has this name */
function assertRoom({ snapshots }: StateStore, name: string): void {
  if (snapshots.length < LIMITS.snapshots || snapshots.some((snapshot) => snapshot.name === name)) return;
  throw new ApiError(422, `Snapshot limit reached (${LIMITS.snapshots}). Drop a snapshot first.`);
}

function newSnapshotName({ snapshots }: StateStore): string {
  const taken = new Set(snapshots.map(({ name }) => name));
  for (let number = taken.size + 1; ; number++) {
    if (!taken.has(`snapshot-${number}`)) return `snapshot-${number}`;
  }
}

/**
 * Takes a snapshot and returns its name. @param name default: a new one. @param at a commit, or `start`. Default: the current state
 * @throws ApiError, NotFoundError
 */
export function takeSnapshot(store: StateStore, now: Instant, name = newSnapshotName(store), at?: string): string {
  assertRoom(store, name);
  store.takeSnapshot(name, now, getStateAt(store, at));
  return name;
}

/** @throws NotFoundError */
export function getSnapshot({ snapshots }: StateStore, name: string): Snapshot<State> {
  const found = snapshots.find((snapshot) => snapshot.name === name);
  if (found) return found;
  const names = snapshots.map((snapshot) => snapshot.name);
  throw new NotFoundError(`There is no snapshot ${formatValue(name)}.${didYouMean(name, names)}`);
}
