import type { Case } from '../case.js';
import { casesOfOperations, type Operation } from './operations.js';
import { addFile, addFolder, addVariable, fork, makeProject, NEW_PROJECT } from './project-steps.js';
import { send } from './steps.js';

const VAL = '/v2/vals/{val_id}';
const WITH_FILE = { arrange: [makeProject(), addFile('a.ts')] };
const WITH_FORK = { arrange: [makeProject(), fork()] };
const WITH_VARIABLE = { arrange: [makeProject(), addVariable()] };
const FILE = { query: '?path=a.ts' };
const PUT = 'PUT /v2/vals/{made.id}/files?path=';

const OPERATIONS: Readonly<Record<string, Operation>> = {
  createProject: {
    ...{ route: 'POST /v2/vals', body: NEW_PROJECT, invalid: { body: {} }, arrange: [] },
    failing: {
      404: [makeProject({ orgId: '{unknown}' })],
      409: [makeProject(), makeProject()],
    },
  },
  listProjects: { route: 'GET /v2/vals', invalid: { query: '?limit=0' } },
  getProject: { route: `GET ${VAL}`, isOpen: true, arrange: [makeProject()] },
  deleteProject: { route: `DELETE ${VAL}`, arrange: [makeProject()] },
  listMyProjects: { route: 'GET /v2/me/vals', invalid: { query: '?limit=0' } },
  getProjectByAlias: { route: 'GET /v2/alias/vals/{username}/{val_name}', isOpen: true, arrange: [makeProject()] },
  listBranches: { route: `GET ${VAL}/branches`, isOpen: true, arrange: [makeProject()] },
  createBranch: {
    ...{ route: `POST ${VAL}/branches`, body: { name: 'draft' }, arrange: [makeProject()] },
    failing: { 409: [makeProject(), fork(), fork()] },
  },
  getBranch: { route: `GET ${VAL}/branches/{branch_id}`, isOpen: true, ...WITH_FORK },
  deleteBranch: { route: `DELETE ${VAL}/branches/{branch_id}`, ...WITH_FORK },
  listFiles: { route: `GET ${VAL}/files`, isOpen: true, query: '?path=', ...WITH_FILE },
  createFile: {
    ...{ route: `POST ${VAL}/files`, query: '?path=b.ts', getQuery: '?path=', ...WITH_FILE },
    body: { type: 'file', content: '1' },
    failing: { 409: [makeProject(), addFile('a.ts'), addFile('a.ts')] },
  },
  updateFile: {
    ...{ route: `PUT ${VAL}/files`, body: { content: '2' }, ...FILE, ...WITH_FILE },
    failing: { 409: [makeProject(), addFile('a.ts'), addFile('b.ts'), send(`${PUT}a.ts`, { name: 'b.ts' })] },
  },
  deleteFile: {
    ...{ route: `DELETE ${VAL}/files`, ...FILE, ...WITH_FILE },
    failing: {
      409: [makeProject(), addFolder('a'), addFile('a/b.ts'), { send: 'DELETE /v2/vals/{made.id}/files?path=a' }],
    },
  },
  getFileContent: { route: `GET ${VAL}/files/content`, isOpen: true, hasBytes: true, ...FILE, ...WITH_FILE },
  getFile: { route: 'GET /v2/files/{file_id}', isOpen: true, ...WITH_FILE },
  listEnvironmentVariables: { route: `GET ${VAL}/environment_variables`, ...WITH_VARIABLE },
  createEnvironmentVariable: {
    ...{ route: `POST ${VAL}/environment_variables`, body: { key: 'KEY', value: '1' }, arrange: [makeProject()] },
    failing: { 409: [makeProject(), addVariable(), addVariable()] },
  },
  updateEnvironmentVariable: {
    ...{ route: `PUT ${VAL}/environment_variables/{key}`, body: { value: '2' }, ...WITH_VARIABLE },
  },
  deleteEnvironmentVariable: { route: `DELETE ${VAL}/environment_variables/{key}`, ...WITH_VARIABLE },
  listOrganizations: { route: 'GET /v2/orgs', invalid: { query: '?limit=0' } },
  listMemberships: { route: 'GET /v2/orgs/{org_id}/memberships', mayHaveNone: true },
  listProjectBlobs: { route: 'GET /v2/blob' },
  getProjectBlob: { route: 'GET /v2/blob/{key}', hasBytes: true },
  storeProjectBlob: { route: 'POST /v2/blob/{key}', body: { a: 1 }, hasNo404: true },
  deleteProjectBlob: { route: 'DELETE /v2/blob/{key}' },
};

/** What holds for all operations, for those of projects. */
export const projectOperationCases: readonly Case[] = casesOfOperations(OPERATIONS);
