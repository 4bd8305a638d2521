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
} from '../collections/projects/records.js';
import type { Draft, State } from '../collections/state.js';
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
  const theirs = parent.files.tree;
  const meetings = listMeetings(draft, branch, parent, base.version);
  const forked = meetings.at(-1)?.theirs ?? theirs;
  const changes: FileChange[] = [];
  const conflicts = new Set<string>();
  for (const id of new Set(commits.flatMap((commit) => commit.changes.map(getId)))) {
    const before = findBase(id, meetings);
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

/** The files of a branch and of its parent at one time. */
interface Meeting {
  readonly ours: FileTree;
  readonly theirs: FileTree;
}

/** Lists the files after each merge into the parent, the last one first, then those at the fork. */
function listMeetings(state: State, branch: Branch, parent: Branch, forkedAt: number): Meeting[] {
  const back = (tree: FileTree, { changes }: Commit) => applyChanges(tree, changes, 'back');
  const own = [...state.commits.range(branch.id)].filter(({ base }) => base === null);
  const meetings: Meeting[] = [];
  let ours = branch.files.tree;
  let theirs = parent.files.tree;
  for (const commit of [...state.commits.range(parent.id)].reverse()) {
    if (commit.version <= forkedAt) break;
    if (commit.kind === 'merge') {
      for (let last = own.at(-1); last && last.serial > commit.serial; last = own.at(-1)) {
        ours = back(ours, last);
        own.pop();
      }
      meetings.push({ ours, theirs });
    }
    theirs = back(theirs, commit);
  }
  return [...meetings, { ours: theirs, theirs }];
}

/** Finds the state of a file in which both branches agreed last: after a merge, else at the fork. */
function findBase(id: string, meetings: readonly Meeting[]): ProjectFile | null {
  for (const { ours, theirs } of meetings) {
    const file = ours.by.id.get([id]) ?? null;
    const other = theirs.by.id.get([id]) ?? (file && theirs.get(file.path)) ?? null;
    if (isSame(file, other)) return file;
  }
  return null;
}

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
