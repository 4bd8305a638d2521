import {
  type Case,
  chosen,
  type JsonSchema,
  type Needs,
  operation,
  type Row,
  type Rows,
  recorded,
  type Step,
  specified,
} from '../case.js';
import { addFile, addVariable, fork, makeProject, PROJECT } from './project-steps.js';
import {
  basicVal,
  branch,
  comment,
  having,
  page,
  pageOf,
  pageOfLength,
  project,
  projectFile,
  reference,
  run,
  shows,
  variable,
  versionItem,
} from './schemas.js';

/** What the cases of lists need of a list. */
export const listNeeds: Needs = {
  all: { missing: 'the list has too few items' },
  page: { missing: 'the list has too few items' },
  whole: { missing: 'the list has more than 100 items' },
};

/** A list of the API. */
interface List {
  /** Of the operation. */
  readonly name: string;
  readonly route: string;
  /** Path and query, to which further parameters are added. */
  readonly target: string;
  readonly item: JsonSchema;
  /** Key by whose value it is sorted, the latest first. */
  readonly sortedBy?: string;
  /** Default: the order is chosen */
  readonly isOrderRecorded?: true;
  /** The rule for `since` and `until`, if it takes them. */
  readonly window?: string;
  /** The rule for its items. Default: the rule of all objects */
  readonly items?: string;
  /** What makes three items. Default: the account has them */
  readonly arrange?: readonly Step[];
}

const list = (name: string, route: string, target: string, item: JsonSchema, others: Partial<List>): List => ({
  ...{ name, route, target, item },
  ...others,
});

const LISTS: readonly List[] = [
  list('listMyRuns', 'GET /v1/me/runs', '/v1/me/runs?', run, {
    sortedBy: 'runStartAt',
    items: 'shape',
    window: 'window',
  }),
  list('listValRuns', 'GET /v1/vals/{val_id}/runs', '/v1/vals/{run.val.id}/runs?', run, {
    sortedBy: 'runStartAt',
    window: 'filters',
  }),
  list('listMyLikes', 'GET /v1/me/likes', '/v1/me/likes?', basicVal, { items: 'shape' }),
  list('listMyComments', 'GET /v1/me/comments', '/v1/me/comments?', comment, {
    sortedBy: 'createdAt',
    window: 'window',
  }),
  list('listMyReferences', 'GET /v1/me/references', '/v1/me/references?', reference, {
    sortedBy: 'referencedAt',
    window: 'parameters',
  }),
  list('listVersions', 'GET /v1/vals/{val_id}/versions', '/v1/vals/{val.id}/versions?', versionItem, {
    sortedBy: 'version',
    isOrderRecorded: true,
    items: 'order',
  }),
  list('listUserVals', 'GET /v1/users/{user_id}/vals', '/v1/users/{me.id}/vals?', basicVal, { sortedBy: 'createdAt' }),
  list('searchVals', 'GET /v1/search/vals', '/v1/search/vals?query=e&', basicVal, {}),
  list('listMyProjects', 'GET /v2/me/vals', '/v2/me/vals?', project, {
    sortedBy: 'createdAt',
    items: 'list',
    arrange: ['{new.a}', '{new.b}', '{new.a}_2'].map((name) => makeProject({ name })),
  }),
  list('listBranches', 'GET /v2/vals/{val_id}/branches', `${PROJECT}/branches?`, branch, {
    items: 'list',
    arrange: [makeProject(), fork({ name: 'a' }), fork({ name: 'b' })],
  }),
  list('listFiles', 'GET /v2/vals/{val_id}/files', `${PROJECT}/files?path=&recursive=true&`, projectFile, {
    items: 'path',
    arrange: [makeProject(), addFile('a'), addFile('b'), addFile('c')],
  }),
  list(
    'listEnvironmentVariables',
    'GET /v2/vals/{val_id}/environment_variables',
    `${PROJECT}/environment_variables?`,
    variable,
    {
      items: 'list',
      arrange: [makeProject(), ...['A', 'B', 'C'].map((key) => addVariable({ key }))],
    },
  ),
];

/** The rules of all lists, for one of them. */
function checksOf({ name, route, target, item, sortedBy, isOrderRecorded, window, items = 'keys' }: List): Case[] {
  const get = (parameters: string) => `GET ${target}${parameters}`;
  const all = { send: get('limit=100'), save: 'all' };
  const lists = (parameters: string, listed: object, others = {}): Row => [
    [all, get(parameters)],
    { status: 200, listed: { of: 'all', ...listed }, ...others },
  ];
  const filter = window === undefined ? '' : '&since=2000-01-01T00:00:00.000Z';
  const query = Object.fromEntries(new URLSearchParams(target.replace(/^[^?]*\?/, '') + filter));
  const link = (limit: number, offset: number) => ({ ...query, limit: String(limit), offset: String(offset) });
  const time = `{all.data.1.${sortedBy}}`;
  const within = (bound: string) => ({
    where: having({ [sortedBy ?? '']: { type: 'string', format: 'date-time', [bound]: time } }),
  });
  const orders: Rows = {
    [`order: The list is sorted by ${sortedBy}, the latest first`]: [
      get('limit=100'),
      { status: 200, ...(sortedBy !== undefined && { latestFirst: sortedBy }) },
    ],
  };
  return [
    ...operation(name, items === 'keys' ? '*' : route, [
      recorded(items, {
        'items: Each item has exactly the documented keys, with values of their types': [
          get('limit=100'),
          shows(pageOf(item)),
        ],
      }),
    ]),
    ...operation(name, route, [(isOrderRecorded ? recorded : chosen)('order', sortedBy === undefined ? {} : orders)]),
    ...operation(name, '*', [
      specified('pages', {
        'limit: limit=1 returns the first item': lists('limit=1', { limit: 1 }),
        'offset: offset=1 leaves out the first item': lists('limit=2&offset=1', { offset: 1, limit: 2 }),
      }),
      recorded('links', {
        'next: The link to the next page is there, and leads to the second item': [
          [all, { send: get('limit=1'), save: 'page' }, 'GET {page.links.next}'],
          { status: 200, listed: { of: 'all', offset: 1, limit: 1 }, links: { prev: true } },
          { needs: ['all.data.1'] },
        ],
        'last-page: A page that the last item fills has no link to a next one': [
          [all, get('limit={count.all.data}')],
          { status: 200, links: { next: null } },
          { needs: ['all.data.0', 'whole.all'] },
        ],
        'first-page: The first page has a link to itself, and none to a previous one': [
          get('limit=100&offset=0'),
          shows(page, { links: { prev: null, self: true } }),
        ],
      }),
      recorded('bounds', {
        'default-limit: Without parameters there are 20 items at most, the first ones': lists(
          '',
          { limit: 20 },
          { body: pageOfLength(20) },
        ),
        'unknown-parameter: An unknown parameter is ignored': lists('limit=100&conformance=1', {}),
        'limit-0: limit=0 is a 400': [get('limit=0'), 400],
        'limit-101: limit=101 is a 400': [get('limit=101'), 400],
        'limit-text: limit=ten is a 400': [get('limit=ten'), 400],
        'offset-negative: offset=-1 is a 400': [get('offset=-1'), 400],
      }),
      chosen('edges', {
        'past-the-end: An offset past the end is an empty page without next': [
          get('offset=1000000'),
          shows(pageOfLength(0), { links: { next: null } }),
        ],
        'link-parameters: Links keep the parameters, and change only the offset': [
          [all, get(`limit=1&offset=1${filter}`)],
          { status: 200, links: { self: link(1, 1), next: link(1, 2), prev: link(1, 0) } },
          { needs: ['all.data.2'] },
        ],
        'prev-of-a-part: The previous page of an offset below the limit begins at 0': [
          get(`limit=20&offset=5${filter}`),
          { status: 200, links: { prev: link(20, 0) } },
        ],
      }),
    ]),
    ...(window === undefined ? [] : windowChecks(window)),
  ];

  function windowChecks(rule: string): Case[] {
    return [
      ...operation(name, route, [
        recorded(rule, {
          'since: since leaves out items of that time and before': lists(
            `limit=100&since=${time}`,
            within('formatExclusiveMinimum'),
          ),
          'until: until excludes items after that time, not items of that time': lists(
            `limit=100&until=${time}`,
            within('formatMaximum'),
          ),
          'offset-time: A time may have an offset from UTC': [get('limit=1&since=2024-01-01T00:00:00%2B02:00'), 200],
        }),
      ]),
      ...operation(name, '*', [
        chosen('edges', {
          'empty-window: A window that ends before it begins is an empty page': [
            get('since=2024-02-01T00:00:00.000Z&until=2024-01-01T00:00:00.000Z'),
            shows(pageOfLength(0)),
          ],
        }),
        recorded('time', {
          'since-text: since=yesterday is a 400': [get('since=yesterday'), 400],
          'until-text: until=2024-13-01 is a 400': [get('until=2024-13-01'), 400],
        }),
      ]),
    ];
  }
}

export const listCases: readonly Case[] = LISTS.flatMap((each) =>
  checksOf(each).map((checked) =>
    each.arrange ? { ...checked, level: 'write', arrange: [...each.arrange, ...(checked.arrange ?? [])] } : checked,
  ),
);
