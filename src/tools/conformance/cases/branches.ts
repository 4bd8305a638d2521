import { type Case, chosen, operation, recorded, type Step } from '../case.js';
import {
  addFile,
  addFolder,
  changeFile,
  deleteFile,
  exactPage,
  fails,
  findMain,
  fork,
  listFiles,
  MAIN_ID,
  makeProject,
  NOT_AUTHORIZED,
  PROJECT,
  pageInOrder,
  readFile,
  visible,
} from './project-steps.js';
import { branch, shows, values } from './schemas.js';

const BRANCHES = `GET ${PROJECT}/branches`;
const BRANCH = `${PROJECT}/branches/{fork.id}`;
const MAIN = `GET ${PROJECT}/branches/${MAIN_ID}`;
const name = (text: string, status: number) => [[makeProject(), fork({ name: text })], status] as const;
const secondFork: Step = { ...fork({ name: 'second', branchId: '{fork.id}' }), save: 'second_fork' };

export const branchCases: readonly Case[] = [
  ...operation('listBranches', 'GET /v2/vals/{val_id}/branches', [
    recorded('list', {
      'made: A branch is in the list as it was created': [
        [makeProject(), fork(), `${BRANCHES}?offset=1`],
        exactPage('{fork}'),
      ],
    }),
    chosen('order', {
      'oldest: main comes first': [[makeProject(), fork(), BRANCHES], pageInOrder({ name: 'main' }, { name: 'draft' })],
      ...visible(BRANCHES),
    }),
  ]),
  ...operation('createBranch', 'POST /v2/vals/{val_id}/branches', [
    recorded('name', {
      'name-1: A name of one character is accepted': name('a', 201),
      'name-48: A name of 48 characters is accepted': name('{long.48}', 201),
      'name-0: An empty name is a 400': name('', 400),
      'name-49: A name of 49 characters is a 400': name('{long.49}', 400),
      'characters: A name may have these characters': name('a$[]()-_.', 201),
      'space: A name with a space is a 400': name('a b', 400),
    }),
    recorded('fork', {
      'main: By default it is a fork of main': [
        [makeProject(), findMain, fork()],
        values({ forkedBranchId: MAIN_ID }, 201),
      ],
      'branch: branchId names another branch': [
        [makeProject(), fork(), secondFork],
        values({ forkedBranchId: '{fork.id}' }, 201),
      ],
      'files: It has the files of its parent': [
        [makeProject(), addFile('a.ts'), fork(), `${readFile('a.ts')}&branch_id={fork.id}`],
        { status: 200, hex: '31' },
      ],
      'apart: A change of a fork is none of its parent': [
        [
          makeProject(),
          addFile('a.ts'),
          fork(),
          changeFile('a.ts&branch_id={fork.id}', { content: '2' }),
          readFile('a.ts'),
        ],
        { status: 200, hex: '31' },
      ],
    }),
    recorded('created', {
      'keys: The response has exactly the documented keys': [[makeProject(), fork()], shows(branch, { status: 201 })],
      'same: The response is the branch that a GET returns': [
        [makeProject(), fork(), `GET ${BRANCH}`],
        { status: 200, equals: 'fork' },
      ],
      'taken: A second branch with a name is a 409': [
        [makeProject(), fork({ name: 'main' })],
        fails(409, 'Conflict: Branch name already exists in this project'),
      ],
    }),
    recorded('most', {
      'branch-100: The last one is accepted': [
        [makeProject(), ...Array.from({ length: 98 }, (_, i) => fork({ name: `b${i}` })), fork()],
        201,
        { level: 'limits' },
      ],
    }),
    chosen('version', {
      'version: It is at version 0': [[makeProject(), addFile('a.ts'), fork()], values({ version: 0 }, 201)],
      'ids: A file has the id and the version that it has on main': [
        [makeProject(), addFolder('b'), addFile('a.ts'), fork(), listFiles('path=a.ts&branch_id={fork.id}')],
        pageInOrder({ id: '{file.id}', version: '{file.version}' }),
      ],
    }),
    chosen('case', {
      'upper-case: A name in upper case is another one': [
        [makeProject(), fork({ name: 'MAIN' })],
        values({ name: 'MAIN' }, 201),
      ],
      'unknown: An unknown branchId is a 404': [
        [makeProject(), fork({ branchId: '{unknown}' })],
        fails(404, 'Branch not found'),
      ],
      'branch-101: One branch more is a 400': [
        [makeProject(), ...Array.from({ length: 99 }, (_, i) => fork({ name: `b${i}` })), fork()],
        400,
        { level: 'limits' },
      ],
    }),
    chosen('owner', {
      'second: The second account cannot fork': [[makeProject(), fork({}, 'second')], NOT_AUTHORIZED],
    }),
  ]),
  ...operation('getBranch', 'GET /v2/vals/{val_id}/branches/{branch_id}', [
    recorded('read', {
      'keys: The response has exactly the documented keys': [[makeProject(), fork(), `GET ${BRANCH}`], shows(branch)],
      'same: The response is the one of the creation': [
        [makeProject(), fork(), `GET ${BRANCH}`],
        { status: 200, equals: 'fork' },
      ],
      'unknown: An unknown id is a 404': [
        [makeProject(), `GET ${PROJECT}/branches/{unknown}`],
        fails(404, 'Branch not found'),
      ],
      ...visible(MAIN, [findMain]),
    }),
    recorded('version', {
      'version: Four changes make version 4': [
        [
          makeProject(),
          findMain,
          addFolder('a'),
          addFile('a/b.ts'),
          changeFile('a/b.ts', { content: '2' }),
          deleteFile('a/b.ts'),
          MAIN,
        ],
        values({ version: 4 }),
      ],
    }),
    chosen('other-project', {
      'other: A branch is found in its project only': [
        [makeProject(), findMain, makeProject({ name: '{new.b}' }), MAIN],
        fails(404, 'Branch not found'),
      ],
    }),
  ]),
  ...operation('deleteBranch', 'DELETE /v2/vals/{val_id}/branches/{branch_id}', [
    recorded('gone', {
      'status: The response is a 204 without a body': [
        [makeProject(), fork(), `DELETE ${BRANCH}`],
        { status: 204, body: 'none' },
      ],
      'once: A deleted branch is a 404': [
        [makeProject(), fork(), `DELETE ${BRANCH}`, `DELETE ${BRANCH}`],
        fails(404, 'Branch not found'),
      ],
    }),
    chosen('main', {
      'main: main cannot be deleted': [
        [makeProject(), findMain, `DELETE ${PROJECT}/branches/${MAIN_ID}`],
        fails(400, 'Cannot delete the branch main'),
      ],
    }),
    chosen('forks', {
      'forks: A fork keeps its files': [
        [
          ...[makeProject(), fork(), addFile('a.ts&branch_id={fork.id}'), secondFork, `DELETE ${BRANCH}`],
          `${readFile('a.ts')}&branch_id={second_fork.id}&version=0`,
        ],
        { status: 200, hex: '31' },
      ],
    }),
    chosen('owner', {
      'second: The second account cannot delete it': [
        [makeProject(), fork(), { send: `DELETE ${BRANCH}`, as: 'second' }],
        NOT_AUTHORIZED,
      ],
    }),
  ]),
];
