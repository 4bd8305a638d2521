import { type Case, chosen, type JsonSchema, operation, type Row, recorded, type Step } from '../case.js';
import { addFile, addLinked, addVariable, changeFile, findMain, fork, makeProject, PROJECT } from './project-steps.js';
import { having, pageOf, shows, values } from './schemas.js';
import { post } from './steps.js';

// The web addresses and the times of projects, branches and files, in each response that has them.

const MAIN = 'branches.data.0';

/** @param isRead whether {@link findMain} has found the version of a file's branch; the file of a write has it too */
const addressed = (of: 'project' | 'branch' | 'file', isRead: boolean): JsonSchema => ({
  type: 'object',
  addresses: {
    of,
    ...(of !== 'project' && { project: '{made}' }),
    ...(of === 'file' && isRead && { version: `{${MAIN}.version}` }),
  },
});

/** A response with a record, or with a page of records. */
interface Read {
  readonly requests: readonly (string | Step)[];
  readonly of: 'project' | 'branch' | 'file';
  /** Default: 200 */
  readonly status?: number;
  readonly isPage?: true;
}

const FILES = `${PROJECT}/files?path=&recursive=true`;
const LINKED = [makeProject(), addFile('a.ts'), addLinked('http'), addLinked('email')];
const FORKED = [makeProject(), fork({ name: 'dr(a)ft' })];

/** By operation, with a suffix for a second check of one. */
const READS: Readonly<Record<string, Read>> = {
  createProject: { requests: [makeProject()], of: 'project', status: 201 },
  getProject: { requests: [makeProject(), `GET ${PROJECT}`], of: 'project' },
  listProjects: { requests: [makeProject(), 'GET /v2/vals'], of: 'project', isPage: true },
  listMyProjects: { requests: [makeProject(), 'GET /v2/me/vals'], of: 'project', isPage: true },
  getProjectByAlias: { requests: [makeProject(), 'GET /v2/alias/vals/{me.username}/{made.name}'], of: 'project' },
  createBranch: { requests: FORKED, of: 'branch', status: 201 },
  getBranch: { requests: [...FORKED, `GET ${PROJECT}/branches/{fork.id}`], of: 'branch' },
  listBranches: { requests: [...FORKED, `GET ${PROJECT}/branches`], of: 'branch', isPage: true },
  createFile: { requests: LINKED, of: 'file', status: 201 },
  updateFile: { requests: [...LINKED, changeFile('http.ts', { content: '2' })], of: 'file' },
  'updateFile-email': { requests: [...LINKED, changeFile('email.ts', { content: '2' })], of: 'file' },
  listFiles: { requests: [...LINKED, findMain, `GET ${FILES}`], of: 'file', isPage: true },
  getFile: { requests: [...LINKED, findMain, 'GET /v2/files/{http.id}'], of: 'file' },
  'getFile-email': { requests: [...LINKED, findMain, 'GET /v2/files/{email.id}'], of: 'file' },
};

const addresses = Object.entries(READS).flatMap(([key, { requests, of, status = 200, isPage }]): Case[] => {
  const [name = '', suffix = ''] = key.split(/(?=-)/);
  const schema = addressed(of, typeof requests.at(-1) === 'string');
  const row: Row = [requests, shows(isPage ? pageOf(schema) : schema, { status }), { level: 'write' }];
  return operation(name, '*', [
    chosen(of === 'file' ? 'file-page' : 'project-page', {
      [`addresses${suffix}: The web addresses have the documented forms`]: row,
    }),
  ]);
});

/** A time between the times of what was made before and after. */
const between = (from: string, to?: string): JsonSchema => ({
  ...{ type: 'string', format: 'date-time', formatMinimum: `{${from}}` },
  ...(to !== undefined && { formatMaximum: `{${to}}` }),
});
const after = (time: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  formatExclusiveMinimum: `{${time}}`,
});

const earlier: Step = { ...post(), save: 'earlier' };
const pausedChange: Step = { ...changeFile('a.ts', { content: '2' }), pause: 5 };
const times = [
  ...operation('getProject', '*', [
    recorded('changed', {
      'time: A project is created after what was there, and before what it has': [
        [earlier, makeProject(), addVariable(), `GET ${PROJECT}`],
        shows(having({ createdAt: between('earlier.createdAt', 'variable.createdAt') })),
      ],
      'author: The author of a project is its user': [
        [makeProject(), `GET ${PROJECT}`],
        shows(having({ author: having({ id: '{me.id}', type: 'user' }) })),
      ],
    }),
  ]),
  ...operation('getBranch', '*', [
    recorded('changed', {
      'created: A branch is created after its project': [
        [makeProject(), fork(), `GET ${PROJECT}/branches/{fork.id}`],
        shows(having({ createdAt: between('made.createdAt'), updatedAt: between('made.createdAt') })),
      ],
      'updated: A change of a file moves updatedAt, and not createdAt': [
        [makeProject(), addFile('a.ts'), findMain, pausedChange, `GET ${PROJECT}/branches/{${MAIN}.id}`],
        shows(having({ createdAt: `{${MAIN}.createdAt}`, updatedAt: after(`${MAIN}.updatedAt`) })),
      ],
    }),
  ]),
  ...operation('updateFile', '*', [
    recorded('changed', {
      'updated: A new text moves updatedAt': [
        [makeProject(), addFile('a.ts'), pausedChange],
        shows(having({ updatedAt: after('file.updatedAt') })),
      ],
    }),
  ]),
  ...operation('getFile', '*', [
    recorded('changed', {
      'kept: A change of another file leaves it': [
        [makeProject(), addFile('b.ts'), { ...addFile('a.ts'), pause: 5, save: 'other' }, 'GET /v2/files/{file.id}'],
        values({ updatedAt: '{file.updatedAt}', version: '{file.version}' }),
      ],
      'updated: After a change updatedAt is later': [
        [makeProject(), addFile('a.ts'), pausedChange, 'GET /v2/files/{file.id}'],
        shows(having({ updatedAt: after('file.updatedAt') })),
      ],
    }),
  ]),
];

export const addressCases: readonly Case[] = [...addresses, ...times];
