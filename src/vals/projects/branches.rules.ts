import type { Instant } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import { drawId } from '#engine/state/state.js';
import type { Range } from '#engine/store/collection.js';
import { branchNameTaken, branchNotFound, branchOfOther, branchVersionNotFound } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { dropBranch } from './delete.collection.js';
import { Files, type FileTree } from './file-records.collection.js';
import { MOST_BRANCHES } from './pending.collection.js';
import { type Branch, MAIN, type Project, readTree } from './project-records.collection.js';

/** Lists the branches of a project, oldest first. */
export const listBranches = ({ branches }: State, { id }: Project): Range<Branch> => branches.by.project.range([id]);

/** Returns a branch of a project: `main` without an id. @throws ApiError 404 */
export function getBranch({ branches }: State | Draft, project: Project, id?: string): Branch {
  const branch = id === undefined ? branches.by.name.get([project.id, MAIN]) : branches.get(id.toLowerCase());
  if (!branch) throw branchNotFound(id ?? MAIN);
  if (branch.projectId !== project.id) throw branchOfOther();
  return branch;
}

/** Returns the files of a branch at a version: the latest one by default. @throws ApiError 404 */
export function getTree(state: State, branch: Branch, version?: number): FileTree {
  if (version !== undefined && version > branch.version) throw branchVersionNotFound();
  return readTree(state, branch, version);
}

/**
 * Creates a branch with the files of another one. Costs O(1), since the branches share their files.
 * @throws ApiError 409 for a name in use, 404 for an unknown branch, 400 for one branch too many
 */
export function createBranch(
  draft: Draft,
  project: Project,
  { name, branchId }: { readonly name: string; readonly branchId?: string | undefined },
  now: Instant,
): Branch {
  const { branches } = draft;
  const parent = getBranch(draft, project, branchId);
  if (branches.by.name.get([project.id, name])) throw branchNameTaken();
  if (branches.by.project.range([project.id]).length >= MOST_BRANCHES)
    throw badRequest(`A project has at most ${MOST_BRANCHES} branches`);
  const branch: Branch = {
    id: drawId(draft),
    projectId: project.id,
    name,
    version: 0,
    createdAt: now,
    updatedAt: now,
    forkedBranchId: parent.id,
    serial: draft.nextSerial++,
    files: new Files(parent.files.tree),
  };
  draft.branches = branches.put(branch);
  draft.commits = draft.commits.put({
    branchId: branch.id,
    version: 0,
    kind: 'multiple',
    createdAt: now,
    changes: [],
    base: { branchId: parent.id, version: parent.version },
    serial: draft.nextSerial++,
  });
  return branch;
}

/** Deletes a branch. Its forks keep their files. @throws ApiError 400 for `main` */
export function deleteBranch(draft: Draft, branch: Branch): void {
  if (branch.name === MAIN) throw badRequest(`Cannot delete the branch ${MAIN}`);
  dropBranch(draft, branch);
}
