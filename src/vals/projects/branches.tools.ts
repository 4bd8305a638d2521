import { Type } from 'typebox';
import { deterministicUuid } from '#engine/lib/ids.js';
import { toTimestamp } from '#engine/lib/time.js';
import type { State } from '#vals/lib/state.collection.js';
import {
  BranchName,
  getBranchOf,
  getNamedProject,
  getOwnProject,
  limit,
  Offset,
  tool,
  Val,
} from '#vals/lib/tool.tools.js';
import { createBranch, getBranch, listBranches } from './branches.rules.js';
import type { FileChange } from './file-records.collection.js';
import { mergeBranch, revertTo } from './merges.rules.js';
import { getOwner, getOwnerHandle } from './names.collection.js';
import { basename } from './paths.rules.js';
import type { Branch, Commit } from './project-records.collection.js';
import { NewBranchBody } from './projects.schema.js';

const toBranch = ({ id, name, version, createdAt, updatedAt, forkedBranchId }: Branch) => ({
  ...{ id, name, version, createdAt: toTimestamp(createdAt), updatedAt: toTimestamp(updatedAt), forkedBranchId },
});

function toFile({ before, after }: FileChange) {
  const file = after ?? before;
  return file && { fileId: file.id, name: basename(file.path), fileType: file.type };
}

/** Describes a commit. Its id is derived, since commits have none but their version. @param user who made it, if that is known */
function toCommit({ branches }: State, { branchId, version, kind, createdAt, changes, merged }: Commit, user: object) {
  const id = deterministicUuid(`commit:${branchId}:${version}`);
  const common = { id, version, createdAt: toTimestamp(createdAt), ...user };
  const [first] = changes;
  if (kind === 'single' && changes.length === 1 && first) return { ...common, file: toFile(first), merge: null };
  const source = merged && branches.get(merged.branchId);
  const commits = changes.map((change) => ({ id, file: toFile(change) }));
  return {
    ...common,
    multiple: { count: commits.length, commits },
    merge: source && merged ? { name: source.name, version: merged.version } : null,
    ...(kind === 'revert' && { revert: true }),
  };
}

export const branchTools = [
  tool('list_branches', 'List the branches of a val, the oldest first.', {
    input: Type.Object({ val: Val }),
    guessed: ['val'],
    scope: 'project:read',
    handle({ state, caller, args: { val } }) {
      const items = Array.from(listBranches(state, getNamedProject({ state, caller }, val)), toBranch);
      return { val, count: items.length, items };
    },
  }),
  tool('create_branch', 'Create a branch with the files of another one.', {
    input: Type.Object({
      val: Val,
      name: NewBranchBody.properties.name,
      fromBranch: Type.Optional(Type.String({ description: 'Branch to start from. Default: main' })),
    }),
    guessed: true,
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val, name, fromBranch }, now }) {
      const project = getOwnProject({ state, caller }, val);
      const branchId = getBranchOf(state, project, fromBranch).id;
      return { val, ...toBranch(createBranch(state, project, { name, branchId }, now)) };
    },
  }),
  tool(
    'merge_branch',
    'Merge a branch into the one that it started from, or that one into the branch. Fails if both changed a file.',
    {
      input: Type.Object({
        val: Val,
        branch: Type.String({ description: 'Branch to merge' }),
        into: Type.Optional(
          Type.String({ description: 'Branch to merge into. Default: the one that branch started from' }),
        ),
      }),
      guessed: true,
      scope: 'project:write',
      writes: true,
      handle({ state, caller, args: { val, branch, into }, now }) {
        const project = getOwnProject({ state, caller }, val);
        const target = into === undefined ? undefined : getBranchOf(state, project, into);
        return { val, ...toBranch(mergeBranch(state, getBranchOf(state, project, branch), now, target)) };
      },
    },
  ),
  tool('get_val_history', 'List the versions of a branch, the newest first.', {
    input: Type.Object({ val: Val, branch: BranchName, limit: limit(100, 50), offset: Offset }),
    scope: 'project:read',
    handle({ state, caller, args }) {
      const { val, limit: most = 50, offset = 0 } = args;
      const project = getNamedProject({ state, caller }, val);
      const { id, name, version } = getBranchOf(state, project, args.branch);
      const owner = getOwner(state, project);
      // Only its owner changes the project of a user. Who of an organization made a commit is not stored.
      const user = owner.type === 'user' ? { user: { handle: getOwnerHandle(owner) } } : {};
      const commits = [...state.commits.range(id)].filter((commit) => commit.version > 0).reverse();
      const history = commits.slice(offset, offset + most).map((commit) => toCommit(state, commit, user));
      const hasNext = commits.length > offset + most;
      const pagination = { offset, limit: most, hasNext, returned: history.length };
      return { val, branch: name, branchId: id, branchVersion: version, pagination, history };
    },
  }),
  tool('revert_to_version', 'Bring a branch back to the files of a version, by a new version.', {
    input: Type.Object({
      val: Val,
      branchId: Type.String({ description: 'Id of the branch, as get_val_history returns it' }),
      version: Type.Integer({ minimum: 0, description: 'Version to go back to' }),
    }),
    hints: ['destructive'],
    guessed: ['val', 'branchId', 'version'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val, branchId, version }, now }) {
      const branch = getBranch(state, getOwnProject({ state, caller }, val), branchId);
      return { val, revertedTo: version, ...toBranch(revertTo(state, branch, version, now)) };
    },
  }),
];
