import { toTimestamp } from '../domain/clock.js';
import type { Snapshot, World } from '../domain/world.js';
import { show, suggest } from '../fixtures/problems.js';
import { UnknownNameError } from './unknown-name.js';

export interface SnapshotRecord {
  readonly name: string;
  readonly time: string;
}

const recordOf = ({ name, at }: Omit<Snapshot, 'state'>): SnapshotRecord => ({ name, time: toTimestamp(at) });

export const listSnapshots = ({ snapshots }: World): SnapshotRecord[] => snapshots.map(recordOf);

/** @param name by default one that no snapshot has; a snapshot of the same name is replaced */
export function keepSnapshot(world: World, at: number, name = newName(world)): SnapshotRecord {
  world.snapshot(name, at);
  return recordOf({ name, at });
}

function newName({ snapshots }: World): string {
  const taken = new Set(snapshots.map(({ name }) => name));
  for (let number = taken.size + 1; ; number++) {
    if (!taken.has(`snapshot-${number}`)) return `snapshot-${number}`;
  }
}

/** @throws UnknownNameError */
export function findSnapshot({ snapshots }: World, name: string) {
  const found = snapshots.find((snapshot) => snapshot.name === name);
  if (found) return found;
  const names = snapshots.map((snapshot) => snapshot.name);
  throw new UnknownNameError(`There is no snapshot ${show(name)}.${suggest(name, names)}`);
}
