import { type Case, type Check, chosen, type JsonSchema, operation, recorded, specified } from '../case.js';
import { basicVal, comment, having, page, pageOf, pageOfLength, reference, run, versionItem } from './schemas.js';

/** A list of the API. */
interface List {
  /** Of the operation. */
  readonly name: string;
  readonly route: string;
  /** Path and query, to which further parameters are added. */
  readonly target: string;
  readonly item: JsonSchema;
  /** Key by whose value it is sorted, the latest first, and what docs/fidelity.md says of it. */
  readonly sorted?: { readonly by: string; readonly rule: string; readonly isRecorded?: boolean };
  /** Whether it takes `since` and `until`, and the rule. */
  readonly windowRule?: string;
  /** The rule on its items. */
  readonly itemRule: { readonly source: 'record' | 'chosen' | 'specification'; readonly rule: string };
}

const EXACT_KEYS = {
  source: 'record',
  rule: 'Objects have exactly the keys of late 2024: one published client requires each of them and rejects others.',
} as const;
const ORDER = 'The latest start comes first, as in every list.';
const WINDOW = 'since is exclusive, until inclusive; both apply to the start of a run.';

const LISTS: readonly List[] = [
  {
    ...{ name: 'listMyRuns', route: 'GET /v1/me/runs', target: '/v1/me/runs?', item: run, windowRule: WINDOW },
    sorted: { by: 'runStartAt', rule: ORDER },
    itemRule: {
      source: 'record',
      rule: 'A run has the shape of 2023. Later that year the service removed this operation, and it published no other shape.',
    },
  },
  {
    ...{ name: 'listValRuns', route: 'GET /v1/vals/{val_id}/runs', target: '/v1/vals/{run.val.id}/runs?', item: run },
    windowRule: 'error, source, since and until work as in the list of all runs.',
    sorted: { by: 'runStartAt', rule: ORDER },
    itemRule: EXACT_KEYS,
  },
  {
    ...{ name: 'listMyLikes', route: 'GET /v1/me/likes', target: '/v1/me/likes?', item: basicVal },
    itemRule: { source: 'record', rule: 'Items have the shape of vals in lists.' },
  },
  {
    ...{ name: 'listMyComments', route: 'GET /v1/me/comments', target: '/v1/me/comments?', item: comment },
    sorted: { by: 'createdAt', rule: 'The newest comes first, as in every list.' },
    windowRule: 'since is exclusive, until inclusive.',
    itemRule: EXACT_KEYS,
  },
  {
    ...{ name: 'listMyReferences', route: 'GET /v1/me/references', target: '/v1/me/references?', item: reference },
    sorted: { by: 'referencedAt', rule: 'The newest comes first, as in every list.' },
    windowRule: 'limit, offset, since and until are supported; clients send them.',
    itemRule: EXACT_KEYS,
  },
  {
    ...{ name: 'listVersions', route: 'GET /v1/vals/{val_id}/versions', target: '/v1/vals/{val.id}/versions?' },
    item: versionItem,
    sorted: { by: 'version', rule: 'The newest comes first, and items have no code.', isRecorded: true },
    itemRule: { source: 'record', rule: 'The newest comes first, and items have no code.' },
  },
  {
    ...{
      name: 'listUserVals',
      route: 'GET /v1/users/{user_id}/vals',
      target: '/v1/users/{me.id}/vals?',
      item: basicVal,
    },
    sorted: { by: 'createdAt', rule: 'The newest comes first, as in every list.' },
    itemRule: EXACT_KEYS,
  },
  {
    ...{ name: 'searchVals', route: 'GET /v1/search/vals', target: '/v1/search/vals?query=e&', item: basicVal },
    itemRule: EXACT_KEYS,
  },
];

const LIMIT_RULE =
  '`limit` is the number of items, `offset` the number of items to skip; `since` and `until` define a window of time.';
const PAGE_RULE =
  'A list is `{ data, links }` with absolute links. `next` and `prev` are left out, not null, if there is no such page.';
const BOUNDS_RULE =
  '`limit` is 1 to 100, by default 20; `offset` is 0 by default. Parameters that documents require but give a default are optional. Unknown parameters and fields are ignored.';
const EDGE_RULE =
  'Lists are newest first, as feeds are. An `offset` past the end is an empty page, and so is a window that ends before it begins. `prev` is a whole page back, or 0. Links keep all parameters and change only `offset`.';
const TIME_RULE = 'Times in responses are UTC with milliseconds. `since` is exclusive, `until` inclusive.';

/** The rules of all lists, for one of them. */
function checksOf({ name, route, target, item, sorted, windowRule, itemRule }: List): Case[] {
  const get = (parameters: string) => `GET ${target}${parameters}`;
  const all = { send: get('limit=100'), save: 'all' };
  const refuses = (id: string, parameters: string): Check => ({
    id,
    title: `${parameters} is a 400`,
    act: get(parameters),
    expect: { status: 400 },
  });
  const filter = windowRule === undefined ? '' : '&since=2000-01-01T00:00:00.000Z';
  const query = Object.fromEntries(new URLSearchParams(target.replace(/^[^?]*\?/, '') + filter));
  const order = sorted && {
    source: sorted.isRecorded ? ('record' as const) : ('chosen' as const),
    rule: sorted.rule,
    checks: [
      {
        id: 'order',
        title: `The list is sorted by ${sorted.by}, the latest first`,
        act: get('limit=100'),
        expect: { status: 200, latestFirst: sorted.by },
      },
    ],
  };
  return [
    ...operation(name, itemRule === EXACT_KEYS ? '*' : route, [
      {
        ...itemRule,
        checks: [
          {
            id: 'items',
            title: 'Each item has exactly the documented keys, with values of their types',
            act: get('limit=100'),
            expect: { status: 200, body: pageOf(item) },
          },
        ],
      },
    ]),
    ...operation(name, route, [
      ...(order ? [order] : []),
      ...(windowRule === undefined || !sorted ? [] : [recorded(windowRule, ...windowChecks(target, sorted.by))]),
    ]),
    ...operation(name, '*', [
      specified(
        LIMIT_RULE,
        {
          id: 'limit',
          title: 'limit=1 returns the first item',
          arrange: [all],
          act: get('limit=1'),
          expect: { status: 200, listed: { of: 'all', limit: 1 } },
        },
        {
          id: 'offset',
          title: 'offset=1 leaves out the first item',
          arrange: [all],
          act: get('limit=2&offset=1'),
          expect: { status: 200, listed: { of: 'all', offset: 1, limit: 2 } },
        },
      ),
      recorded(
        PAGE_RULE,
        {
          id: 'next',
          title: 'The link to the next page is there, and leads to the second item',
          needs: ['all.data.1'],
          arrange: [all, { send: get('limit=1'), save: 'page' }],
          act: 'GET {page.links.next}',
          expect: { status: 200, listed: { of: 'all', offset: 1, limit: 1 }, links: { prev: true } },
        },
        {
          id: 'first-page',
          title: 'The first page has a link to itself, and none to a previous one',
          act: get('limit=100&offset=0'),
          expect: { status: 200, body: page, links: { prev: null, self: true } },
        },
      ),
      recorded(
        BOUNDS_RULE,
        {
          id: 'default-limit',
          title: 'Without parameters there are 20 items at most, the first ones',
          arrange: [all],
          act: get(''),
          expect: { status: 200, listed: { of: 'all', limit: 20 }, body: pageOfLength(20) },
        },
        {
          id: 'unknown-parameter',
          title: 'An unknown parameter is ignored',
          arrange: [all],
          act: get('limit=100&conformance=1'),
          expect: { status: 200, listed: { of: 'all' } },
        },
        refuses('limit-0', 'limit=0'),
        refuses('limit-101', 'limit=101'),
        refuses('limit-text', 'limit=ten'),
        refuses('offset-negative', 'offset=-1'),
      ),
      chosen(
        EDGE_RULE,
        {
          id: 'past-the-end',
          title: 'An offset past the end is an empty page without next',
          act: get('offset=1000000'),
          expect: { status: 200, body: pageOfLength(0), links: { next: null } },
        },
        {
          id: 'link-parameters',
          title: 'Links keep the parameters, and change only the offset',
          needs: ['all.data.2'],
          arrange: [all],
          act: get(`limit=1&offset=1${filter}`),
          expect: {
            status: 200,
            links: {
              self: { ...query, limit: '1', offset: '1' },
              next: { ...query, limit: '1', offset: '2' },
              prev: { ...query, limit: '1', offset: '0' },
            },
          },
        },
        {
          id: 'prev-of-a-part',
          title: 'The previous page of an offset below the limit begins at 0',
          act: get(`limit=20&offset=5${filter}`),
          expect: { status: 200, links: { prev: { ...query, limit: '20', offset: '0' } } },
        },
      ),
      ...(windowRule === undefined
        ? []
        : [
            chosen(EDGE_RULE, {
              id: 'empty-window',
              title: 'A window that ends before it begins is an empty page',
              act: get('since=2024-02-01T00:00:00.000Z&until=2024-01-01T00:00:00.000Z'),
              expect: { status: 200, body: pageOfLength(0) },
            }),
            recorded(TIME_RULE, refuses('since-text', 'since=yesterday'), refuses('until-text', 'until=2024-13-01')),
          ]),
    ]),
  ];
}

function windowChecks(target: string, by: string): Check[] {
  const arrange = [{ send: `GET ${target}limit=100`, save: 'all' }];
  const edge = `{all.data.1.${by}}`;
  const within = (bound: string) => having({ [by]: { type: 'string', format: 'date-time', [bound]: edge } });
  return [
    {
      id: 'since',
      title: 'since leaves out items of that time and before',
      arrange,
      act: `GET ${target}limit=100&since=${edge}`,
      expect: { status: 200, listed: { of: 'all', where: within('formatExclusiveMinimum') } },
    },
    {
      id: 'until',
      title: 'until leaves out items after that time, not those of it',
      arrange,
      act: `GET ${target}limit=100&until=${edge}`,
      expect: { status: 200, listed: { of: 'all', where: within('formatMaximum') } },
    },
    {
      id: 'offset-time',
      title: 'A time may have an offset from UTC',
      act: `GET ${target}limit=1&since=2024-01-01T00:00:00%2B02:00`,
      expect: { status: 200 },
    },
  ];
}

export const listCases: readonly Case[] = LISTS.flatMap(checksOf);
