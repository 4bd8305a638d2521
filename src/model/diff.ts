import type { Scalar } from '../store/collection.js';
import type { State } from './state.js';

/** The records of a collection that a commit added, changed and removed, by identity. */
export interface CollectionChanges {
  readonly added: string[];
  readonly changed: string[];
  readonly removed: string[];
}

/** The changed collections. */
export type Changes = { readonly [collection: string]: CollectionChanges };

/** Compares the records of two states. Costs in proportion to the change. */
export function diffStates(before: State, after: State): Changes {
  const id = (record: { readonly id: string }) => record.id;
  return dropEmpty({
    users: compare(after.users.diff(before.users), id),
    vals: compare(after.vals.diff(before.vals), id),
    versions: compare(after.versions.diff(before.versions), ({ valId, version }) => key(valId, version)),
    runs: compare(after.runs.diff(before.runs), id),
    likes: compare(after.likes.diff(before.likes), ({ userId, valId }) => key(userId, valId)),
    comments: compare(after.comments.diff(before.comments), id),
  });
}

const key = (...parts: Scalar[]) => parts.join('/');

function compare<R>(
  { added, removed }: { readonly added: readonly R[]; readonly removed: readonly R[] },
  identity: (record: R) => string,
): CollectionChanges {
  const after = new Set(added.map(identity));
  const before = new Set(removed.map(identity));
  return {
    added: [...after].filter((name) => !before.has(name)),
    changed: [...after].filter((name) => before.has(name)),
    removed: [...before].filter((name) => !after.has(name)),
  };
}

const dropEmpty = (all: Record<string, CollectionChanges>): Changes =>
  Object.fromEntries(
    Object.entries(all).filter(([, changes]) => Object.values(changes).some((list) => list.length > 0)),
  );
