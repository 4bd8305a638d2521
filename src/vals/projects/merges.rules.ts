import { ApiError } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { getTree } from './branches.rules.js';
import { type FileChange, type FileTree, isSameFile, type ProjectFile } from './file-records.collection.js';
import { listParents, rangeBelow } from './files.collection.js';
import { commitChanges, drawFileId, isDirectory } from './files.rules.js';
import { type Branch, readTree, type VersionOfBranch } from './project-records.collection.js';

const MOST_LISTED = 10;

/** Lists what makes one tree of another: file by file, or path by path. */
const compareTrees = (to: FileTree, from: FileTree, key: 'id' | 'path'): FileChange[] =>
  (key === 'id' ? to.by.id.diff(from.by.id) : to.diff(from))
    .map(({ before = null, after = null }) => ({ before, after }))
    .filter(({ before, after }) => before?.id !== after?.id || !isSameFile(before, after));

const stampChange = ({ before, after }: FileChange, { version }: Branch, updatedAt: Instant): FileChange => ({
  before,
  after: after && { ...after, version: version + 1, updatedAt },
});

/**
 * Brings a branch back to the files of one of its versions, by one commit. Without a difference, nothing changes.
 * @throws ApiError 404 for a version that the branch does not have
 */
export function revertTo(draft: Draft, branch: Branch, version: number, now: Instant): Branch {
  const changes = compareTrees(getTree(draft, branch, version), branch.files.tree, 'id').map((change) =>
    stampChange(change, branch, now),
  );
  return commitChanges(draft, branch, 'revert', changes, now);
}

/** What two branches have had in common last. */
interface Meeting {
  readonly base: FileTree;
  /** The version of the branch that is merged into, right after it. */
  readonly version: number;
}

/**
 * Merges a branch into the one from which it was forked, or into a fork of it, by one commit: path by path, as git does without
 * renames. What the branch has changed since both met last comes along, and directories stay while they have files.
 * @param target the branch to merge into. Default: the parent
 * @returns the target. @throws ApiError 409 with the paths that both have changed, and 400 for a target that is no relative
 */
export function mergeBranch(draft: Draft, branch: Branch, now: Instant, target = getParent(draft, branch)): Branch {
  const { base, version } = findMeeting(draft, branch, target);
  const ours = branch.files.tree;
  const changes = compareTrees(ours, base, 'path');
  if (changes.length === 0) return target;
  const conflicts = new Set<string>();
  const removed: ProjectFile[] = [];
  const added: FileChange[] = [];
  for (const { before, after } of changes) {
    const path = (after ?? before)?.path ?? '';
    const theirs = target.files.tree.get(path) ?? null;
    const choice = choose(before, after, theirs, version);
    if (choice === 'conflict') conflicts.add(path);
    if (choice !== 'ours') continue;
    if (theirs) removed.push(theirs);
    if (after) added.push({ before: before?.id === after.id ? theirs : null, after });
  }
  let tree = target.files.tree;
  for (const file of removed) tree = tree.delete(file);
  const isFree = (id: string) => !tree.by.id.get([id]);
  const put = (file: ProjectFile, id = file.id) => {
    tree = tree.put({ ...file, id: [id, file.id].find(isFree) ?? drawFileId(draft) });
  };
  for (const { before, after } of added) {
    // An edit keeps the id that the file has in the target.
    if (after) put(after, before?.id);
  }
  const needed = [
    ...removed.filter((file) => isDirectory(file) && rangeBelow(tree, file.path).length > 0),
    ...added.flatMap(({ after }) => listParents(after?.path ?? '').flatMap((path) => ours.get(path) ?? [])),
  ];
  for (const directory of needed) {
    const found = tree.get(directory.path);
    if (!found) put(directory);
    else if (!isDirectory(found)) conflicts.add(directory.path);
  }
  if (conflicts.size > 0) throw new ApiError(409, `Conflict: both branches have changed ${list([...conflicts])}`);
  const stamped = compareTrees(tree, target.files.tree, 'id').map((change) => stampChange(change, target, now));
  return commitChanges(draft, target, 'merge', stamped, now, { branchId: branch.id, version: branch.version });
}

/** Returns the branch from which another one was forked. @throws ApiError 400 */
function getParent({ branches }: State, { name, forkedBranchId }: Branch): Branch {
  const parent = forkedBranchId === null ? undefined : branches.get(forkedBranchId);
  if (!parent) throw badRequest(`The branch ${name} has no branch to merge into`);
  return parent;
}

/** Finds where two branches have met last: at a merge of one into the other, else at the fork. @throws ApiError 400 */
function findMeeting(state: State, source: Branch, target: Branch): Meeting {
  const { commits } = state;
  const into = commits.by.merged.range([source.id, target.id]).first;
  const from = commits.by.merged.range([target.id, source.id]).first;
  if (into && into.commit.serial > (from?.commit.serial ?? 0))
    return { base: readVersion(state, into.merged), version: into.commit.version };
  if (from) return { base: readVersion(state, from.merged), version: from.merged.version };
  for (const [fork, parent] of [
    [source, target],
    [target, source],
  ] as const) {
    const start = commits.get(fork.id, 0)?.base;
    if (start?.branchId !== parent.id) continue;
    return { base: readTree(state, fork, 0), version: fork === source ? start.version : 0 };
  }
  throw badRequest(`Neither of the branches ${source.name} and ${target.name} was forked from the other`);
}

function readVersion(state: State, { branchId, version }: VersionOfBranch): FileTree {
  const branch = state.branches.get(branchId);
  if (!branch) throw new Error(`no branch ${branchId}`);
  return readTree(state, branch, version);
}

/**
 * Decides which file a path has after a merge, by both branches and by what they have had in common last.
 * @param version of the target, after which a file there has changed since
 */
function choose(
  base: ProjectFile | null,
  ours: ProjectFile | null,
  theirs: ProjectFile | null,
  version: number,
): 'ours' | 'theirs' | 'conflict' {
  // Both may have made a file alike before they met, with two ids.
  const isTheirsNew = theirs?.id !== base?.id && (theirs?.version ?? 0) > version;
  if (isSameFile(ours, base)) {
    const isOursNew = ours?.id !== base?.id;
    if (isOursNew && !theirs && !isDirectory(ours)) return 'conflict';
    return isOursNew && !isTheirsNew && isSameFile(theirs, base) ? 'ours' : 'theirs';
  }
  if (isSameFile(ours, theirs)) return 'theirs';
  if (!isSameFile(theirs, base)) return 'conflict';
  return theirs && !ours && isTheirsNew && !isDirectory(theirs) ? 'conflict' : 'ours';
}

function list(paths: readonly string[]): string {
  const sorted = [...paths].sort();
  const rest = sorted.length - MOST_LISTED;
  return sorted.slice(0, MOST_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
