import { type Case, chosen, operation, type Row, recorded, type Step } from '../case.js';
import {
  addFile,
  exactPage,
  fails,
  fork,
  makeProject,
  NOT_AUTHORIZED,
  PROJECT,
  pageInOrder,
  visible,
} from './project-steps.js';
import {
  errorBody,
  having,
  page,
  pageOf,
  pageOfLength,
  pageWith,
  pageWithout,
  project,
  shows,
  values,
} from './schemas.js';
import { refuses, send } from './steps.js';

const POST = 'POST /v2/vals';
const READ = `GET ${PROJECT}`;
const DELETE = `DELETE ${PROJECT}`;
const make = (body: object, status: number): Row => [makeProject(body), status];

const creation = operation('createProject', POST, [
  recorded('name', {
    'name-48: A name of 48 characters is accepted': make({ name: '{pad.48.new.a}' }, 201),
    'name-49: A name of 49 characters is a 400': make({ name: '{pad.49.new.a}' }, 400),
    'name-0: An empty name is a 400': make({ name: '' }, 400),
    'capitals: A name keeps its capitals': [
      makeProject({ name: '{upper.new.a}' }),
      values({ name: '{upper.new.a}' }, 201),
    ],
    'hyphen: A name may have a hyphen': make({ name: '{new.a}-b' }, 201),
    'digit: A name that begins with a digit is a 400': make({ name: '1{new.a}' }, 400),
    'no-name: A project without a name is a 400': refuses({ privacy: 'public' }, POST),
    'no-privacy: A project without privacy is a 400': refuses({ name: '{new.a}' }, POST),
  }),
  recorded('description', {
    'description-64: 64 characters are accepted, and kept': [
      makeProject({ description: '{long.64}' }),
      values({ description: '{long.64}' }, 201),
    ],
    'no-description: A project without one has null': [
      send(POST, { name: '{new.a}', privacy: 'public' }),
      values({ description: null }, 201),
    ],
    'description-65: 65 characters are a 400': make({ description: '{long.65}' }, 400),
  }),
  recorded('created', {
    'response: The response has exactly the documented keys': [
      makeProject({ privacy: 'unlisted' }),
      shows(
        {
          allOf: [project, having({ name: '{new.a}', privacy: 'unlisted', imageUrl: null, description: 'Of a check' })],
        },
        {
          status: 201,
        },
      ),
    ],
    'same: The response is the project that a GET returns': [[makeProject(), READ], { status: 200, equals: 'made' }],
    'main: There is one branch, main, at version 0': [
      [makeProject(), `GET ${PROJECT}/branches`],
      pageInOrder({ name: 'main', version: 0, forkedBranchId: null }),
    ],
  }),
  recorded('conflict', {
    'taken: A second project with a name is a 409': [
      [makeProject(), makeProject()],
      fails(409, 'Conflict: Project name already exists'),
    ],
  }),
  chosen('unique', {
    'upper-case: A name in upper case is the same': [[makeProject(), makeProject({ name: '{upper.new.a}' })], 409],
    'second: The second account may use the name': [[makeProject(), makeProject({}, 'second')], 201],
  }),
  chosen('member', {
    'org: An unknown organization is a 404': [
      makeProject({ orgId: '{unknown}' }),
      fails(404, 'Organization not found'),
    ],
  }),
]);

const others = { ...makeProject({}, 'second') };
const OWN_LIST = 'GET /v2/vals?user_id={me.id}';
const SECOND_LIST = 'GET /v2/vals?user_id={second.id}';
const two = [makeProject({ name: '{new.b}' }), { send: READ, save: 'first' }, makeProject()];
const firstPage: Step = { send: `${OWN_LIST}&limit=1`, save: 'page' };

const lists = [
  ...operation('listProjects', 'GET /v2/vals', [
    recorded('list', {
      'items: Each item has exactly the documented keys': [
        [makeProject(), 'GET /v2/vals?limit=100'],
        shows({ allOf: [page, pageOf(project), pageOfLength(100, 1)] }),
      ],
      'private: The list has private projects of the caller': [
        [makeProject({ privacy: 'private' }), `${OWN_LIST}&limit=1`],
        exactPage('{made}'),
      ],
      'others: The list has public projects of others': [
        [others, `${SECOND_LIST}&limit=100`],
        shows(pageWith({ id: '{made.id}' })),
      ],
      'others-private: The list has no private projects of others': [
        [makeProject({ privacy: 'private' }, 'second'), `${SECOND_LIST}&limit=100`],
        shows(pageWithout({ id: '{made.id}' })),
      ],
      'second: Nor are those of the caller in the list of others': [
        [makeProject({ privacy: 'private' }), { send: `${OWN_LIST}&limit=100`, as: 'second' }],
        shows(pageWithout({ id: '{made.id}' })),
      ],
    }),
    recorded('filters', {
      'privacy: A public project is not private': [
        [makeProject(), `${OWN_LIST}&privacy=private&limit=100`],
        shows(pageWithout({ id: '{made.id}' })),
      ],
      'privacy-open: privacy=open is a 400': ['GET /v2/vals?privacy=open', 400],
      'user: A project of the caller is of no other owner': [
        [makeProject(), `${SECOND_LIST}&limit=100`],
        shows(pageWithout({ id: '{made.id}' })),
      ],
    }),
    recorded('cursor', {
      'next: The next page has the next project': [
        [...two, firstPage, 'GET {page.links.next}'],
        {
          ...{ status: 200, links: { self: true } },
          body: having({ data: { type: 'array', minItems: 1, items: [{ const: '{first}' }] } }),
        },
      ],
      'self: The first page leads to itself and to the next one': [
        [...two, firstPage.send],
        { ...exactPage('{made}'), links: { self: { user_id: '{me.id}', limit: '1' }, next: true } },
      ],
      'both: Two projects are on a page, the later one first': [
        [...two, `${OWN_LIST}&limit=2`],
        exactPage('{made}', '{first}'),
      ],
      'cursor: Projects of the time of the cursor are on the page': [
        [makeProject(), `${OWN_LIST}&cursor={made.createdAt}`],
        shows(pageWith({ id: '{made.id}' })),
      ],
      'past: There is none before 1970': ['GET /v2/vals?cursor=1969-01-01T00:00:00Z', shows(pageOfLength(0))],
      'limit-1: limit=1 is one project': [[makeProject(), 'GET /v2/vals?limit=1'], shows(pageOfLength(1, 1))],
      'limit-0: limit=0 is a 400': ['GET /v2/vals?limit=0', 400],
      'limit-101: limit=101 is a 400': ['GET /v2/vals?limit=101', 400],
      'offset-0: offset=0 leaves out none': [[makeProject(), `${OWN_LIST}&limit=1&offset=0`], exactPage('{made}')],
      'offset-negative: offset=-1 is a 400': ['GET /v2/vals?offset=-1', 400],
    }),
    chosen('order', {
      'order: The list is sorted by createdAt, the latest first': [
        [...two, 'GET /v2/vals?limit=100'],
        { status: 200, latestFirst: 'createdAt' },
      ],
    }),
    chosen('cursor-form', {
      'whole: A whole link leads to the next page': [
        [...two, firstPage, `${OWN_LIST}&limit=1&cursor={encoded.page.links.next}`],
        exactPage('{first}'),
      ],
      'cursor-text: cursor=yesterday is a 400': [
        'GET /v2/vals?cursor=yesterday',
        { status: 400, body: errorBody(400) },
      ],
    }),
    chosen('ties', {
      'no-prev: The next page has no link to the previous one': [
        [...two, firstPage, 'GET {page.links.next}'],
        { status: 200, links: { prev: null } },
      ],
    }),
    chosen('owner', {
      'unknown: An unknown owner has an empty list': ['GET /v2/vals?user_id={unknown}', shows(pageOfLength(0))],
    }),
  ]),
  ...operation('listMyProjects', 'GET /v2/me/vals', [
    recorded('list', {
      'made: A new project is the first': [
        [makeProject({ privacy: 'private' }), 'GET /v2/me/vals?limit=1'],
        exactPage('{made}'),
      ],
      'second: It is not in the list of the second account': [
        [makeProject(), { send: 'GET /v2/me/vals?limit=100', as: 'second' }],
        shows(pageWithout({ id: '{made.id}' })),
      ],
    }),
  ]),
];

const BY_NAME = 'GET /v2/alias/vals/{me.username}/{made.name}';

const reads = [
  ...operation('getProject', 'GET /v2/vals/{val_id}', [
    recorded('read', {
      'keys: The response has exactly the documented keys': [[makeProject(), READ], shows(project)],
      'same: The response is the one of the creation': [[makeProject(), READ], { status: 200, equals: 'made' }],
      'unknown: An unknown id is a 404': ['GET /v2/vals/{unknown}', fails(404, 'Project not found')],
    }),
    chosen('privacy', visible(READ)),
  ]),
  ...operation('getProjectByAlias', 'GET /v2/alias/vals/{username}/{val_name}', [
    recorded('same', {
      'keys: The response has exactly the documented keys': [[makeProject(), BY_NAME], shows(project)],
      'same: The response is the one of the creation': [[makeProject(), BY_NAME], { status: 200, equals: 'made' }],
      'unknown: An unknown name is a 404': [
        'GET /v2/alias/vals/{me.username}/unknown_{hex}',
        fails(404, 'Project not found'),
      ],
    }),
    chosen('privacy', visible(BY_NAME)),
    chosen('case', {
      'upper-case: Names in upper case are the same, with an @': [
        [makeProject(), 'GET /v2/alias/vals/@{upper.me.username}/{upper.made.name}'],
        { status: 200, equals: 'made' },
      ],
    }),
    chosen('unknown-owner', {
      'unknown-owner: An unknown owner is a 404': [
        'GET /v2/alias/vals/unknown_{hex}/a',
        fails(404, 'Project not found'),
      ],
    }),
  ]),
];

const deletion = operation('deleteProject', 'DELETE /v2/vals/{val_id}', [
  recorded('gone', {
    'status: The response is a 204 without a body': [[makeProject(), DELETE], { status: 204, body: 'none' }],
    'once: A deleted project is a 404': [[makeProject(), DELETE, DELETE], fails(404, 'Project not found')],
    'gone: A deleted project cannot be read': [[makeProject(), DELETE, READ], 404],
    'name: Its name can be used again': [[makeProject(), DELETE, makeProject()], 201],
  }),
  chosen('parts', {
    'files: A file of a deleted project is a 404': [
      [makeProject(), addFile('a.ts'), fork(), DELETE, 'GET /v2/files/{file.id}'],
      404,
    ],
  }),
  chosen('owner', {
    'second: The second account cannot delete it': [[makeProject(), { send: DELETE, as: 'second' }], NOT_AUTHORIZED],
    'second-private: A private one is not found': [
      [makeProject({ privacy: 'private' }), { send: DELETE, as: 'second' }],
      fails(404, 'Project not found'),
    ],
  }),
]);

/** What an account has without an organization. */
const organizations = [
  ...operation('listOrganizations', 'GET /v2/orgs', [
    recorded('list', {
      'page: The response is a page': ['GET /v2/orgs', shows(page)],
      'limit-1: limit=1 is one organization at most': ['GET /v2/orgs?limit=1', shows(pageOfLength(1))],
      'limit-100: limit=100 is accepted': [
        'GET /v2/orgs?limit=100&offset=0',
        { status: 200, links: { self: { limit: '100', offset: '0' }, prev: null } },
      ],
      'limit-0: limit=0 is a 400': ['GET /v2/orgs?limit=0', 400],
      'limit-101: limit=101 is a 400': ['GET /v2/orgs?limit=101', 400],
      'offset-negative: offset=-1 is a 400': ['GET /v2/orgs?offset=-1', 400],
      'past-the-end: An offset past the end is an empty page': [
        'GET /v2/orgs?limit=20&offset=1000000',
        shows(pageOfLength(0), { links: { next: null, prev: { limit: '20', offset: '999980' } } }),
      ],
    }),
  ]),
  ...operation('listMemberships', 'GET /v2/orgs/{org_id}/memberships', [
    chosen('member', {
      'unknown: An unknown organization is a 404': [
        'GET /v2/orgs/{unknown}/memberships',
        fails(404, 'Organization not found'),
      ],
    }),
  ]),
];

export const projectCases: readonly Case[] = [...creation, ...lists, ...reads, ...deletion, ...organizations];
