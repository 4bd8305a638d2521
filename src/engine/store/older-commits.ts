import { Collection, type RecordChange, type RecordSet } from './collection.js';
import type { Commit, CommitInfo } from './commit.js';

/** What takes back the change of a field of the state: the changed records of a collection, or the earlier value. */
interface Undo {
  readonly changes?: readonly RecordChange<object>[];
  readonly value?: unknown;
}

/** A commit that is too old to be rewound. It has what takes it back in place of its states. */
export interface OlderCommit extends CommitInfo {
  readonly undo: ReadonlyMap<string, Undo>;
}

/** Older commits in parts, oldest first. One more copies the last part only. */
export type OlderCommits = readonly (readonly OlderCommit[])[];

/** With those that can be rewound, a sandbox has at least 2,000 commits. */
const MAX_PARTS = 39;
const PART_LENGTH = 50;

/** Adds a commit, and drops the oldest ones if there are too many. */
export function addOlder<S extends object>(older: OlderCommits, commit: Commit<S>): OlderCommits {
  const { id, operation, at, before, after } = commit;
  const added: OlderCommit = { id, operation, at, undo: findUndo(before, after) };
  const last = older.at(-1);
  if (last === undefined || last.length === PART_LENGTH) return [...older.slice(1 - MAX_PARTS), [added]];
  return [...older.slice(0, -1), [...last, added]];
}

function findUndo<S extends object>(before: S, after: S): ReadonlyMap<string, Undo> {
  const undo = new Map<string, Undo>();
  for (const field in before) {
    const [old, next] = [before[field], after[field]];
    if (old === next) continue;
    const isCollection = old instanceof Collection && next instanceof Collection;
    undo.set(field, isCollection ? { changes: next.diff(old) } : { value: old });
  }
  return undo;
}

interface Commits<S> {
  readonly state: S;
  readonly history: readonly Commit<S>[];
  readonly older: OlderCommits;
}

/** Returns all commits, oldest first. It makes the states of older ones by taking back one after another. */
export function listCommits<S extends object>({ state, history, older }: Commits<S>): Commit<S>[] {
  const commits = history.toReversed();
  let after = history[0]?.before ?? state;
  for (const { undo, ...info } of older.flat().reverse()) {
    const before = { ...after };
    for (const [field, each] of undo) {
      const records: unknown = Reflect.get(after, field);
      const isChanged = each.changes !== undefined && records instanceof Collection;
      Reflect.set(before, field, isChanged ? takeBack(records, each.changes) : each.value);
    }
    commits.push({ ...info, before, after });
    after = before;
  }
  return commits.reverse();
}

const takeBack = (records: RecordSet, changes: readonly RecordChange<object>[]): RecordSet =>
  changes.reduce((set, { record, before }) => (before ? set.put(before) : set.delete(record)), records);
