import { Page, PagingQuery, page } from '#engine/api/pagination.js';
import { route } from '#vals/lib/route.schema.js';
import { createBranch, deleteBranch, getBranch, listBranches } from './branches.rules.js';
import { getReadableProject, getWritableProject } from './projects.rules.js';
import { BranchItem, BranchPath, branchJson, NewBranchBody, ProjectPath } from './projects.schema.js';

const OWN = "owner: Another owner's project is a 404 with `Not authorized` in its message.";

export const branchRoutes = [
  route('GET', '/v2/vals/{val_id}/branches', 'List the branches of a project', {
    id: 'listBranches',
    description: 'Returns the oldest branch first, which is `main`.',
    unofficial: true,
    auth: 'optional',
    scope: 'project:read',
    params: ProjectPath,
    query: PagingQuery,
    response: Page('BranchPage', BranchItem),
    errors: [400, 401, 403, 404],
    rules: {
      record: ['list: The list has the branches of the project, by limit and offset. `main` is one of them.'],
      chosen: [
        'order: The oldest comes first, so `main` is on the first page. Who can read the project can read its branches.',
      ],
    },
    handle(context) {
      const { state, params, caller, query, links } = context;
      const project = getReadableProject(state, params.val_id, caller);
      return page(listBranches(state, project), query, links, (branch) => branchJson(context, project, branch));
    },
  }),
  route('POST', '/v2/vals/{val_id}/branches', 'Create a branch', {
    id: 'createBranch',
    description: 'The branch has the files of `main`, or of the branch with the id `branchId`.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: ProjectPath,
    body: NewBranchBody,
    response: BranchItem,
    status: 201,
    errors: [400, 401, 403, 404, 409],
    rules: {
      record: [
        'name: A name has 1 to 48 letters, digits and `$[]()-_.`.',
        'fork: The branch is a fork of the branch with the id branchId, by default of `main`: forkedBranchId says which.',
        'created: The response is a 201 with the branch. A name in use is a 409 with `Conflict: Branch name already exists in this project`.',
        'most: A project has at most 100 branches.',
      ],
      chosen: [
        'version: A new branch is at version 0. Its files keep the ids and versions that they have.',
        'case: Names differ by case. An unknown branchId is a 404, and branch 101 a 400.',
        OWN,
      ],
    },
    example: { body: { name: 'colors' } },
    handle(context) {
      const { state, params, caller, body, now } = context;
      const project = getWritableProject(state, params.val_id, caller);
      return branchJson(context, project, createBranch(state, project, body, now));
    },
  }),
  route('GET', '/v2/vals/{val_id}/branches/{branch_id}', 'Get a branch', {
    id: 'getBranch',
    finds: 'branches',
    description: 'Its version is the number of changes since it was created.',
    unofficial: true,
    auth: 'optional',
    scope: 'project:read',
    params: BranchPath,
    response: BranchItem,
    errors: [400, 401, 403, 404],
    rules: {
      record: [
        'read: The response is the branch. An unknown id is a 404.',
        'version: Each creation, update and deletion of a file or directory adds one to the version.',
      ],
      chosen: ['other-project: A branch of another project is the same 404.'],
    },
    handle(context) {
      const { state, params, caller } = context;
      const project = getReadableProject(state, params.val_id, caller);
      return branchJson(context, project, getBranch(state, project, params.branch_id));
    },
  }),
  route('DELETE', '/v2/vals/{val_id}/branches/{branch_id}', 'Delete a branch', {
    id: 'deleteBranch',
    description: 'Its forks keep their files. The branch `main` cannot be deleted.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: BranchPath,
    errors: [400, 401, 403, 404],
    rules: {
      record: ['gone: The response is 204, and 404 the second time.'],
      chosen: [
        'main: `main` cannot be deleted: a 400.',
        'forks: Forks of the branch keep their files and versions.',
        OWN,
      ],
    },
    handle({ state, params, caller }) {
      const project = getWritableProject(state, params.val_id, caller);
      deleteBranch(state, getBranch(state, project, params.branch_id));
    },
  }),
];
