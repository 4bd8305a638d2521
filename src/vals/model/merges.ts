import { ApiError } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import {
  applyChanges,
  type Branch,
  type Commit,
  type FileChange,
  type FileTree,
  type ProjectFile,
  readTree,
} from '../collections/projects/records.js';
import type { Draft } from '../collections/state.js';
import { getTree } from './branches.js';
import { commitChanges } from './files.js';
import { dirname } from './paths.js';

/** Paths that an error lists. */
const MOST_LISTED = 10;

const isSame = (a: ProjectFile | null, b: ProjectFile | null): boolean =>
  a === b || (a !== null && b !== null && a.path === b.path && a.type === b.type && a.hash === b.hash);

/** Lists what makes one tree of another, file by file. */
const compareTrees = (from: FileTree, to: FileTree): FileChange[] =>
  to.by.id
    .diff(from.by.id)
    .map(({ before = null, after = null }) => ({ before, after }))
    .filter(({ before, after }) => !isSame(before, after));

const stamp = (file: ProjectFile, { version }: Branch, now: Instant): ProjectFile => ({
  ...file,
  version: version + 1,
  updatedAt: now,
});

/**
 * Brings a branch back to the files of one of its versions, by one commit. Without a difference, nothing changes.
 * @throws ApiError 404 for a version that the branch does not have
 */
export function revertTo(draft: Draft, branch: Branch, version: number, now: Instant): Branch {
  const changes = compareTrees(branch.files.tree, getTree(draft, branch, version)).map(({ before, after }) => ({
    before,
    after: after && stamp(after, branch, now),
  }));
  return commitChanges(draft, branch, 'revert', changes, now);
}

/**
 * Merges what changed on a branch since its fork, or since it was merged last, into the branch from which it was forked, by one
 * commit.
 * @returns the parent. @throws ApiError 409 with the paths that both have changed, and 400 for a branch without a parent
 */
export function mergeBranch(draft: Draft, branch: Branch, now: Instant): Branch {
  const commits = [...draft.commits.range(branch.id)];
  const base = commits[0]?.base;
  const parent = base && draft.branches.get(base.branchId);
  if (!parent) throw badRequest(`The branch ${branch.name} has no branch to merge into`);
  const forked = readTree(draft, parent, base.version);
  const merges = [...draft.commits.range(parent.id)].filter(
    ({ kind, version }) => kind === 'merge' && version > base.version,
  );
  const theirs = parent.files.tree;
  const changes: FileChange[] = [];
  const conflicts = new Set<string>();
  for (const id of new Set(commits.flatMap((commit) => commit.changes.map(getId)))) {
    const before = findBase(id, forked, commits, merges);
    const after = branch.files.tree.by.id.get([id]) ?? null;
    const found = theirs.by.id.get([id]) ?? null;
    if (isSame(after, before) || isSame(after, found) || hasTwin(theirs, forked, after)) continue;
    if (isSame(found, before)) changes.push({ before: found, after: after && stamp(after, parent, now) });
    else conflicts.add((found ?? after ?? before)?.path ?? '');
  }
  for (const path of findBroken(theirs, changes)) conflicts.add(path);
  if (conflicts.size > 0) throw new ApiError(409, `Conflict: both branches have changed ${list([...conflicts])}`);
  return commitChanges(draft, parent, 'merge', changes, now);
}

const getId = ({ before, after }: FileChange): string => (after ?? before)?.id ?? '';

/** Finds the state of a file in which both branches agreed last: when it was merged, else at the fork. */
function findBase(
  id: string,
  forked: FileTree,
  commits: readonly Commit[],
  merges: readonly Commit[],
): ProjectFile | null {
  const initial = forked.by.id.get([id]) ?? null;
  const ours = listChanges(commits, id);
  for (const { after, serial } of listChanges(merges, id).reverse()) {
    const change = ours.findLast((other) => other.serial < serial);
    if (isSame(after, change ? change.after : initial)) return after;
  }
  return initial;
}

/** Lists the changes of a file, oldest first. */
const listChanges = (commits: readonly Commit[], id: string) =>
  commits.flatMap(({ changes, serial }) =>
    changes.filter((change) => getId(change) === id).map(({ after }) => ({ after, serial })),
  );

/** Whether the parent has got the same file, or a directory, at the path of one that was created on the branch. */
function hasTwin(tree: FileTree, forked: FileTree, file: ProjectFile | null): boolean {
  const twin = file && tree.get(file.path);
  return Boolean(twin && !forked.by.id.get([twin.id]) && isSame(twin, file));
}

/** Finds paths at which changes would replace another file, and files that would lose their directory. */
function findBroken(tree: FileTree, changes: readonly FileChange[]): string[] {
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  const merged = applyChanges(tree, changes, 'forward');
  const replaced = changes.flatMap(({ after }) => {
    const other = after && tree.get(after.path);
    return other && !gone.has(other.id) ? [other.path] : [];
  });
  const orphans = [...merged].flatMap(({ path }) => {
    const parent = dirname(path);
    return parent !== '' && merged.get(parent)?.type !== 'directory' ? [path] : [];
  });
  return [...replaced, ...orphans];
}

function list(paths: readonly string[]): string {
  const sorted = [...paths].sort();
  const rest = sorted.length - MOST_LISTED;
  return sorted.slice(0, MOST_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
