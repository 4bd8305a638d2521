import type { Rules } from '#engine/api/route.js';
import { isObject } from '#engine/lib/objects.js';
import { CASES } from '#tools/conformance/cases/index.js';
import { findNotImplemented } from '#vals/service/not-implemented.routes.js';
import { COLLECTION_NAMES, type CollectionName } from '#vals/service/service.collection.js';
import { tools } from '#vals/service/service.tools.js';
import clients from '../checks/clients/clients.json' with { type: 'json' };
import { orderedRoutes } from './operations.js';

export type Axis = 'recorded' | 'client' | 'engine' | 'specification' | 'record' | 'chosen';

export interface ConfidenceRow extends Readonly<Record<Axis, readonly string[]>> {
  /** What is missing responds with a 501. */
  readonly kind: 'missing' | 'route' | 'collection' | 'tool';
  readonly name: string;
  /** What cannot be tested with it. */
  readonly limit: string | null;
  /** Cases of conformance that check it. */
  readonly cases: number;
}

const AXES: Readonly<Record<Axis, string>> = {
  recorded: 'A response of the real service is recorded, and equals the one of the emulator.',
  client: 'A real client, unchanged, has called it in the emulator, and got no error.',
  engine: 'A real engine does the work, or a test compares the emulator with one.',
  specification: 'The specification of the API says so. It names fourteen operations.',
  record:
    'The public record of the service says so: its OpenAPI documents, SDK and documentation, and published clients.',
  chosen: 'No source says: it is our own choice, or a guess.',
};

/** What real engines do, and for which rows. */
const ENGINES: Readonly<Record<string, { readonly proves: string; isOf(name: string): boolean }>> = {
  'Fastify 4': {
    proves:
      'Status and message of a request that is refused before its handler: `test/engine/http/fastify.test.ts` sends both the same random requests.',
    isOf: (name) => /^[A-Z]+ \//.test(name),
  },
  'MCP SDK': {
    proves: 'The protocol of the tools: the official library of servers runs in the emulator.',
    isOf: (name) => tools.some((tool) => tool.name === name),
  },
  SQLite: { proves: 'SQL: SQLite 3.50.4 runs in the emulator.', isOf: (name) => /sqlite(?:$|\/|_)/.test(name) },
  libSQL: {
    proves: 'SQL: `test/soak/libsql.soak.ts` sends 20,000 random statements to it and to the emulator.',
    isOf: (name) => /sqlite(?:$|\/|_)/.test(name),
  },
};

/** A request to each part of the service that responds with a 501. */
const MISSING = [
  'POST /v1/run',
  'POST /v1/eval',
  'GET /v1/express',
  'GET /v1/projects',
  'GET /v1/me/projects',
  'GET /v1/alias/projects',
  'GET /v3/connections',
];

const SEEDED = 'Nothing runs: it returns what is seeded.';
const BUSINESS = 'Always the error of the service for a user without a business plan.';

/** What cannot be tested with a row. */
export const LIMITS: Readonly<Record<string, string>> = {
  'POST /v1/email': 'No email leaves the machine.',
  'POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel': 'No route starts a run: fixtures do.',
  'GET /v1/telemetry/traces': 'Runs of `/v1` vals only, each with one span.',
  'GET /v1/telemetry/logs': 'Runs of `/v1` vals only.',
  runs: 'Nothing runs: they are seeded.',
  emails: 'Kept, never delivered.',
  responses: 'They stand for what files would respond, since nothing runs.',
  tokens: 'No route makes them. Their scopes are among the rules of all operations.',
  run_file: SEEDED,
  fetch_val_endpoint: SEEDED,
  get_logs: 'Runs of `/v1` vals only.',
  get_traces: 'Runs of `/v1` vals only.',
  read_interval_settings: 'Always an error: there are no schedules.',
  write_interval_settings: 'Always an error: there are no schedules.',
  set_custom_subdomain: 'Always an error: no endpoints are served.',
  set_http_privacy: '`restricted` is always an error: it takes a business plan.',
  ...Object.fromEntries(
    ['list_allowed_users', 'add_allowed_user', 'remove_allowed_user'].map((name) => [name, BUSINESS]),
  ),
  ...Object.fromEntries(
    ['create_bypass_token', 'list_bypass_tokens', 'revoke_bypass_token'].map((name) => [name, BUSINESS]),
  ),
  find_val_town_skills: 'Finds those of the caller: there are no official ones.',
};

/** The routes that show the records of a collection. */
const ROUTES_OF: Readonly<Record<CollectionName, RegExp>> = {
  users: /^\/v1\/(?:me|users\/\{user_id\}|alias\/\{username\})$/,
  organizations: /^\/v2\/orgs$/,
  memberships: /\/memberships$/,
  projects: /^\/v2\/(?:me\/vals|alias\/vals\/.*|vals(?:\/\{val_id\})?)$/,
  branches: /\/branches/,
  commits: /^\/v2\/.*files/,
  environment: /\/environment_variables/,
  responses: /^$/,
  clients: /^$/,
  grants: /^$/,
  tokens: /^$/,
  vals: /^\/v1\/(?:vals|vals\/\{val_id\}|users\/\{user_id\}\/vals|search\/vals|alias\/\{username\}\/\{val_name\}|me\/references)$/,
  versions: /\/versions/,
  runs: /\/runs|\/cancel$|\/telemetry\//,
  likes: /\/likes$/,
  comments: /\/comments$/,
  emails: /\/email$/,
  blobs: /\/blob/,
  sqlite: /\/sqlite\//,
};

const EMPTY: Pick<ConfidenceRow, 'limit' | Axis | 'cases'> = {
  ...{ limit: null, chosen: [], specification: [], record: [], engine: [], client: [], recorded: [], cases: 0 },
};

/** Names the clients that have called a route, or a tool. */
const listClients = (route: string): string[] =>
  Object.entries(clients).flatMap(([name, { called }]) => (called.some((each) => each === route) ? [name] : []));

function makeRow(kind: ConfidenceRow['kind'], name: string, found: Partial<ConfidenceRow>): ConfidenceRow {
  const engine = Object.keys(ENGINES).filter((each) => kind !== 'missing' && ENGINES[each]?.isOf(name));
  return { kind, name, ...EMPTY, limit: LIMITS[name] ?? null, engine, ...found };
}

const missingRows = MISSING.map((name) => {
  const [method = '', path = ''] = name.split(' ');
  const error = findNotImplemented(method, path);
  if (error === undefined) throw new Error(`${name} is not among the parts that respond with a 501`);
  return makeRow('missing', name, { limit: `${error.message.split(': ', 1)[0]}.` });
});

const routeRows = orderedRoutes.map(({ name, rules = {} }) => {
  const { specification = [], record = [], chosen = [] }: Rules = rules;
  const cases = CASES.filter(({ route }) => route === name).length;
  return makeRow('route', name, {
    specification: [...specification],
    record: [...record],
    chosen: [...chosen],
    client: listClients(name),
    cases,
  });
});

const collectionRows = COLLECTION_NAMES.map((name) => {
  const isOf = (row: ConfidenceRow) => ROUTES_OF[name].test(row.name.split(' ')[1] ?? '');
  const routes = routeRows.filter(isOf);
  const namesOf = (axis: Axis) => routes.filter((row) => row[axis].length > 0).map((row) => row.name);
  return makeRow('collection', name, {
    chosen: routes.length === 0 ? ['how they are seeded'] : [],
    specification: namesOf('specification'),
    record: namesOf('record'),
    client: [...new Set(routes.flatMap((row) => row.client))],
    cases: routes.reduce((total, row) => total + row.cases, 0),
  });
});

const toolRows = tools.map(({ name, input, guessed }) => {
  const names = ['its name', ...(isObject(input) && isObject(input.properties) ? Object.keys(input.properties) : [])];
  const isGuessed = (part: string) => guessed === true || guessed.includes(part);
  return makeRow('tool', name, {
    chosen: names.filter(isGuessed),
    record: names.filter((part) => !isGuessed(part)),
    client: listClients(`tool ${name}`),
  });
});

/** The axes in the order in which a row without them is less proven than one with them. */
const PROOFS: readonly Axis[] = ['client', 'specification', 'record'];

/** Sorts the least proven first: an axis after the other, without a sum. Then the one with more choices. */
const sortRows = (rows: readonly ConfidenceRow[]): ConfidenceRow[] =>
  rows.toSorted((a, b) => {
    const axis = PROOFS.find((each) => (a[each].length === 0) !== (b[each].length === 0));
    return axis ? a[axis].length - b[axis].length : b.chosen.length - a.chosen.length;
  });

/** What can be tested against the emulator, and what proves it. */
export const confidence = {
  axes: AXES,
  engines: Object.fromEntries(Object.entries(ENGINES).map(([name, { proves }]) => [name, proves])),
  clients,
  rows: [...missingRows, ...[routeRows, collectionRows, toolRows].flatMap(sortRows)],
};
