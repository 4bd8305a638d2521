import { type Static, Type } from 'typebox';
import { Timestamp } from '../api/schemas/common.js';
import { NotFoundError } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { record } from '../lib/schema.js';
import { toTimestamp } from '../lib/time.js';
import type { State, StateStore } from '../model/state.js';
import type { Snapshot } from '../store/store.js';

/** A snapshot with the time at which it was taken. */
export const SnapshotRecord = record('Snapshot', { name: Type.String(), time: Timestamp });
export type SnapshotRecord = Static<typeof SnapshotRecord>;

export const toSnapshotRecord = ({ name, at }: Snapshot<State>): SnapshotRecord => ({ name, time: toTimestamp(at) });

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
