import { LIMITS } from '#engine/api/limits.js';
import type { RequestExample, Route } from '#engine/api/route.js';
import type { State } from '#vals/lib/state.collection.js';
import { listRunsByVal } from '#vals/runs/runs.rules.js';
import { getUserByName } from '#vals/users/users.rules.js';
import { getValByName } from '#vals/vals/vals.rules.js';
import { PROJECT_PARAMS } from './example-project.js';
import { isPaged } from './pagination.js';

/** A request to send, to see the response. */
export interface ExampleRequest {
  readonly request: RequestExample;
  readonly token?: string;
  readonly contentType?: string;
  /** Base URL of the emulator as the client knows it. Default: the URL of all examples. */
  readonly server?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: one that exists. */
  readonly sandbox?: string;
  /** Snapshots that the sandbox has. Default: one. */
  readonly snapshots?: number;
  /** Whether the sandbox of the request was closed before. */
  readonly isSandboxClosed?: boolean;
}

/** A malformed id, an unknown id, and a number out of range. */
const WRONG_PARAMS = ['nowhere', '00000000-0000-4000-8000-000000000000', '99'];

/** Queries that are wrong for some route. */
const WRONG_QUERIES: readonly Readonly<Record<string, string>>[] = [
  { limit: '0' },
  { route: 'GET /v2' },
  { at: 'r99' },
  { sort: 'nam' },
  { user: 'nobody' },
  { from: 'nobody' },
  { path: '' },
  { path: 'hello' },
  { cursor: 'yesterday' },
  { attachments: 'none' },
  { v: 'latest' },
];

/** Bodies that are wrong for some route. */
const WRONG_BODIES: readonly unknown[] = [
  {},
  [],
  { fixtures: 'nowhere' },
  { set: 'yesterday' },
  { route: 'GET /v2' },
  { before: 'r99' },
  { name: 'one-too-many' },
  { name: 'demo' },
  { sql: 'DROP TABLE' },
  { runs: ['nowhere'] },
  { limit: 5, window: 'soon' },
  { vals: [{}] },
  { steps: [{ route: 'GET /v2' }] },
  { name: 'demo', session: 'nowhere' },
  { subject: 'another subject' },
  { key: 'hello', value: '' },
  { user: 'nobody' },
];

/** Id of the email in the sandbox of the examples about emails. */
export const EXAMPLE_EMAIL = 'e3a11000-0000-4000-8000-000000000001';

/** A client whose users log in. */
export const EXAMPLE_CLIENT = { client_id: 'my-agent', redirect_uris: ['http://127.0.0.1/callback'] };

/** A token without scopes. With an id, so that it draws none. */
export const LIMITED_TOKEN = {
  ...{ id: '70cec000-0000-4000-8000-000000000001', user: 'ada', token: 'limited-token' },
  scopes: [],
};

/** Yields requests to a route over the default fixtures: a valid one first, then many that are not. */
export function* exampleRequests(route: Route<never>, state: State): Generator<ExampleRequest> {
  const request = validRequest(route, state);
  const valid: ExampleRequest = { request, token: 'ada-token', contentType: 'application/json' };
  yield valid;
  yield { request, contentType: 'application/json' };
  yield { ...valid, token: 'unknown' };
  yield { ...valid, token: LIMITED_TOKEN.token };
  yield { ...valid, server: 'http://elsewhere.example' };
  yield { ...valid, isSandboxClosed: true };
  for (const name of listPathParams(route.path)) {
    for (const value of WRONG_PARAMS) {
      yield { ...valid, request: { ...request, params: { ...request.params, [name]: value } } };
    }
  }
  for (const query of route.query ? WRONG_QUERIES : []) {
    yield { ...valid, request: { ...request, query: { ...request.query, ...query } } };
  }
  if (route.body) {
    for (const body of WRONG_BODIES) yield { ...valid, request: { ...request, body } };
    // A name that is taken, on an otherwise valid request.
    yield { ...valid, request: { ...request, body: Object.assign({}, request.body, { name: 'hello' }) } };
  }
  if (/^\/_emulator\/(?:diff|forks)/.test(route.path)) {
    const wrong = [{ from: { users: [{}] } }, { expect: [{ collection: 'val' }] }, { count: 2 }];
    for (const each of wrong) yield { ...valid, request: { ...request, body: Object.assign({}, request.body, each) } };
  }
  if (route.isConditional) {
    for (const name of ['if-match', 'if-none-match'])
      yield { ...valid, headers: { [name]: name === 'if-match' ? '"other"' : '*' } };
  }
  if (route.bodyType !== undefined) {
    yield { ...valid, request: { ...request, body: 'x' }, headers: { 'content-encoding': 'unknown' } };
    yield { ...valid, request: { ...request, body: 'x'.repeat(route.bodyLimit ?? 0) } };
  }
  if (route.method !== 'GET') {
    yield { ...valid, request: { ...request, body: {} }, contentType: 'text/plain' };
    yield { ...valid, request: { ...request, body: { code: 'x'.repeat(LIMITS.body) } } };
  }
  if (route.name === 'POST /_emulator/snapshots') yield { ...valid, snapshots: LIMITS.snapshots };
  yield { ...valid, sandbox: 'not a name' };
  yield { ...valid, sandbox: 'one-too-many' };
}

/** Creates a request that succeeds. */
function validRequest({ path, query, example = {} }: Route<never>, state: State): RequestExample {
  const sample = path.startsWith('/v2/') && !path.startsWith('/v2/blob/') ? PROJECT_PARAMS : sampleParams(state, path);
  const values = { ...sample, ...example.params };
  const params = Object.fromEntries(listPathParams(path).map((name) => [name, values[name] ?? name]));
  // A short page is enough.
  const paging = isPaged(query) ? { limit: '2' } : {};
  return { params, query: { ...paging, ...example.query }, body: example.body };
}

/** Returns values for the path parameters of all routes that are not about projects. */
function sampleParams(state: State, path: string): Readonly<Record<string, string>> {
  const val = getValByName(state, 'ada', 'logReading', getUserByName(state, 'ada'));
  return {
    user_id: val.authorId,
    username: 'ada',
    val_id: val.id,
    val_name: val.name,
    version: '0',
    key: 'report.json',
    evaluation_id: '00000000-0000-4000-8000-000000000000',
    run_id: listRunsByVal(state, val, false, {}).first?.id ?? '',
    // Of a val, a request or its commit, a branch, and a fault.
    collection: path.endsWith('/files') ? 'branches' : 'vals',
    id: path.includes('/blobs/')
      ? `${val.authorId}:report.json`
      : path.includes('/emails/')
        ? EXAMPLE_EMAIL
        : path.includes('/records/')
          ? ((path.endsWith('/files') ? PROJECT_PARAMS.branch_id : undefined) ?? val.id)
          : path.includes('/sqlite/')
            ? val.authorId
            : /\/(?:history|requests)\//.test(path)
              ? 'r1'
              : 'f1',
    name: path.includes('/snapshots/') ? 'before' : 'demo',
  };
}

/** Returns the parameter names in a path. */
const listPathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
