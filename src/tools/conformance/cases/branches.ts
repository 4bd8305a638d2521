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
const OWN = "Another owner's project is a 404 with `Not authorized` in its message.";
const name = (text: string, status: number) => [[makeProject(), fork({ name: text })], status] as const;
const secondFork: Step = { ...fork({ name: 'second', branchId: '{fork.id}' }), save: 'second_fork' };

export const branchCases: readonly Case[] = [
  ...operation('listBranches', 'GET /v2/vals/{val_id}/branches', [
    recorded('The list has the branches of the project, by limit and offset. `main` is one of them.', {
      'made: A branch is in the list as it was created': [
        [makeProject(), fork(), `${BRANCHES}?offset=1`],
        exactPage('{fork}'),
      ],
    }),
    chosen('The oldest comes first, so `main` is on the first page. Who can read the project can read its branches.', {
      'oldest: main comes first': [[makeProject(), fork(), BRANCHES], pageInOrder({ name: 'main' }, { name: 'draft' })],
      ...visible(BRANCHES),
    }),
  ]),
  ...operation('createBranch', 'POST /v2/vals/{val_id}/branches', [
    recorded('A name has 1 to 48 letters, digits and `$[]()-_.`.', {
      'name-1: A name of one character is accepted': name('a', 201),
      'name-48: A name of 48 characters is accepted': name('{long.48}', 201),
      'name-0: An empty name is a 400': name('', 400),
      'name-49: A name of 49 characters is a 400': name('{long.49}', 400),
      'characters: A name may have these characters': name('a$[]()-_.', 201),
      'space: A name with a space is a 400': name('a b', 400),
    }),
    recorded(
      'The branch is a fork of the branch with the id branchId, by default of `main`: forkedBranchId says which.',
      {
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
      },
    ),
    recorded(
      'The response is a 201 with the branch. A name in use is a 409 with `Conflict: Branch name already exists in this project`.',
      {
        'keys: The response has exactly the documented keys': [[makeProject(), fork()], shows(branch, { status: 201 })],
        'same: The response is the branch that a GET returns': [
          [makeProject(), fork(), `GET ${BRANCH}`],
          { status: 200, equals: 'fork' },
        ],
        'taken: A second branch with a name is a 409': [
          [makeProject(), fork({ name: 'main' })],
          fails(409, 'Conflict: Branch name already exists in this project'),
        ],
      },
    ),
    recorded('A project has at most 100 branches.', {
      'branch-100: The last one is accepted': [
        [makeProject(), ...Array.from({ length: 98 }, (_, i) => fork({ name: `b${i}` })), fork()],
        201,
        { level: 'limits' },
      ],
    }),
    chosen('A new branch is at version 0. Its files keep the ids and versions that they have.', {
      'version: It is at version 0': [[makeProject(), addFile('a.ts'), fork()], values({ version: 0 }, 201)],
      'ids: A file has the id and the version that it has on main': [
        [makeProject(), addFolder('b'), addFile('a.ts'), fork(), listFiles('path=a.ts&branch_id={fork.id}')],
        pageInOrder({ id: '{file.id}', version: '{file.version}' }),
      ],
    }),
    chosen('Names differ by case. An unknown branchId is a 404, and branch 101 a 400.', {
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
    chosen(OWN, { 'second: The second account cannot fork': [[makeProject(), fork({}, 'second')], NOT_AUTHORIZED] }),
  ]),
  ...operation('getBranch', 'GET /v2/vals/{val_id}/branches/{branch_id}', [
    recorded('The response is the branch. An unknown id is a 404.', {
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
    recorded('Each creation, update and deletion of a file or directory adds one to the version.', {
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
    chosen('A branch of another project is the same 404.', {
      'other: A branch is found in its project only': [
        [makeProject(), findMain, makeProject({ name: '{new.b}' }), MAIN],
        fails(404, 'Branch not found'),
      ],
    }),
  ]),
  ...operation('deleteBranch', 'DELETE /v2/vals/{val_id}/branches/{branch_id}', [
    recorded('The response is 204, and 404 the second time.', {
      'status: The response is a 204 without a body': [
        [makeProject(), fork(), `DELETE ${BRANCH}`],
        { status: 204, body: 'none' },
      ],
      'once: A deleted branch is a 404': [
        [makeProject(), fork(), `DELETE ${BRANCH}`, `DELETE ${BRANCH}`],
        fails(404, 'Branch not found'),
      ],
    }),
    chosen('`main` cannot be deleted: a 400.', {
      'main: main cannot be deleted': [
        [makeProject(), findMain, `DELETE ${PROJECT}/branches/${MAIN_ID}`],
        fails(400, 'Cannot delete the branch main'),
      ],
    }),
    chosen('Forks of the branch keep their files and versions.', {
      'forks: A fork keeps its files': [
        [
          ...[makeProject(), fork(), addFile('a.ts&branch_id={fork.id}'), secondFork, `DELETE ${BRANCH}`],
          `${readFile('a.ts')}&branch_id={second_fork.id}&version=0`,
        ],
        { status: 200, hex: '31' },
      ],
    }),
    chosen(OWN, {
      'second: The second account cannot delete it': [
        [makeProject(), fork(), { send: `DELETE ${BRANCH}`, as: 'second' }],
        NOT_AUTHORIZED,
      ],
    }),
  ]),
];
