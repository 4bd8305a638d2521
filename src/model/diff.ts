import { identify } from './identity.js';
import type { State } from './state.js';

/** The records of a collection that a commit added, changed and removed, by identity. */
export interface CollectionChanges {
  readonly added: string[];
  readonly changed: string[];
  readonly removed: string[];
}

export type Changes = Readonly<Record<string, CollectionChanges>>;

/** Compares the records of two states. Costs in proportion to the change. */
export function diffStates(before: State, after: State): Changes {
  const all: Record<string, CollectionChanges> = {
    users: compare(after.users.diff(before.users), identify.users),
    vals: compare(after.vals.diff(before.vals), identify.vals),
    versions: compare(after.versions.diff(before.versions), identify.versions),
    runs: compare(after.runs.diff(before.runs), identify.runs),
    likes: compare(after.likes.diff(before.likes), identify.likes),
    comments: compare(after.comments.diff(before.comments), identify.comments),
  };
  const isEmpty = (changes: CollectionChanges) => Object.values(changes).every((names) => names.length === 0);
  return Object.fromEntries(Object.entries(all).filter(([, changes]) => !isEmpty(changes)));
}

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
