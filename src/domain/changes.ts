import type { Scalar } from './collection.js';
import type { State } from './state.js';

/** Which records of a collection a write added, changed and removed, by identity. */
export interface CollectionChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The collections that a write touched. */
export type Changes = { readonly [collection: string]: CollectionChanges };

/** What became of the records between two states. Costs in proportion to what changed. */
export function changesBetween(before: State, after: State): Changes {
  const id = (record: { readonly id: string }) => record.id;
  return dropEmpty({
    users: compare(after.users.changesSince(before.users), id),
    vals: compare(after.vals.changesSince(before.vals), id),
    versions: compare(after.versions.changesSince(before.versions), ({ valId, version }) => key(valId, version)),
    runs: compare(after.runs.changesSince(before.runs), id),
    likes: compare(after.likes.changesSince(before.likes), ({ userId, valId }) => key(userId, valId)),
    comments: compare(after.comments.changesSince(before.comments), id),
  });
}

const key = (...parts: Scalar[]) => parts.join('/');

function compare<R>(
  { added, removed }: { readonly added: readonly R[]; readonly removed: readonly R[] },
  identity: (record: R) => string,
): CollectionChanges {
  const come = new Set(added.map(identity));
  const gone = new Set(removed.map(identity));
  return {
    added: [...come].filter((name) => !gone.has(name)),
    changed: [...come].filter((name) => gone.has(name)),
    removed: [...gone].filter((name) => !come.has(name)),
  };
}

const dropEmpty = (all: Record<string, CollectionChanges>): Changes =>
  Object.fromEntries(
    Object.entries(all).filter(([, changes]) => Object.values(changes).some((list) => list.length > 0)),
  );
