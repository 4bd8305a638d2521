import { expect, test } from 'vitest';
import type { Route } from '#engine/api/route.js';
import { routes } from '#vals/service/all.routes.js';
import type { TokenScope } from '#vals/service/service.collection.js';
import type { Emulator, Fixtures, RequestLog } from '../../../src/index.js';
import { ExpectationError } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

const FORBIDDEN = { message: 'Token does not have the required permissions', error: 'Forbidden', statusCode: 403 };
const MISSING = '00000000-0000-4000-8000-000000000000';

const withScopes = (...scopes: TokenScope[]): Fixtures => ({
  users: [{ username: 'ada' }, { username: 'grace' }],
  tokens: [{ user: 'grace', token: 'limited', scopes }],
});

function send({ fetch }: Pick<Emulator, 'fetch'>, method: string, path: string, body?: object, token = 'limited') {
  return fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const statusOf = async (response: Promise<Response>) => (await response).status;

/** Sends a request whose parameters are ids of nothing, without a valid body. */
const sendTo = (emulator: Emulator, { method, path }: Route, token: string) =>
  send(emulator, method, path.replaceAll(/\{\w+\}/g, MISSING), method === 'GET' ? undefined : {}, token);

/** The scope of each route. The scopes of vals are those of projects, too. */
const SCOPES: Readonly<Record<string, TokenScope>> = {
  'GET /v1/me': 'user:read',
  'GET /v1/me/likes': 'val:read',
  'GET /v1/me/comments': 'val:read',
  'GET /v1/me/references': 'val:read',
  'GET /v1/me/runs': 'val:read',
  'GET /v1/vals/{val_id}/runs': 'val:read',
  'GET /v1/runs/{run_id}': 'val:read',
  'POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel': 'val:write',
  'POST /v1/vals': 'val:write',
  'PUT /v1/vals': 'val:write',
  'GET /v1/vals': 'val:read',
  'GET /v1/vals/{val_id}': 'val:read',
  'DELETE /v1/vals/{val_id}': 'val:write',
  'PUT /v1/vals/{val_id}': 'val:write',
  'GET /v1/users/{user_id}/vals': 'val:read',
  'GET /v1/search/vals': 'val:read',
  'GET /v1/vals/{val_id}/versions': 'val:read',
  'POST /v1/vals/{val_id}/versions': 'val:write',
  'GET /v1/vals/{val_id}/versions/{version}': 'val:read',
  'DELETE /v1/vals/{val_id}/versions/{version}': 'val:write',
  'GET /v1/users/{user_id}': 'user:read',
  'GET /v1/alias/{username}': 'user:read',
  'GET /v1/alias/{username}/{val_name}': 'val:read',
  'POST /v1/email': 'email:write',
  'GET /v1/blob': 'blob:read',
  'GET /v1/blob/{key}': 'blob:read',
  'POST /v1/blob/{key}': 'blob:write',
  'DELETE /v1/blob/{key}': 'blob:write',
  'POST /v1/sqlite/execute': 'sqlite:read',
  'POST /v1/sqlite/batch': 'sqlite:read',
  'GET /v1/telemetry/traces': 'telemetry:read',
  'GET /v1/telemetry/logs': 'telemetry:read',
  'POST /v2/vals': 'val:write',
  'GET /v2/vals': 'val:read',
  'GET /v2/vals/{val_id}': 'val:read',
  'DELETE /v2/vals/{val_id}': 'val:write',
  'GET /v2/me/vals': 'val:read',
  'GET /v2/alias/vals/{username}/{val_name}': 'val:read',
  'GET /v2/vals/{val_id}/branches': 'val:read',
  'POST /v2/vals/{val_id}/branches': 'val:write',
  'GET /v2/vals/{val_id}/branches/{branch_id}': 'val:read',
  'DELETE /v2/vals/{val_id}/branches/{branch_id}': 'val:write',
  'GET /v2/vals/{val_id}/files': 'val:read',
  'POST /v2/vals/{val_id}/files': 'val:write',
  'PUT /v2/vals/{val_id}/files': 'val:write',
  'DELETE /v2/vals/{val_id}/files': 'val:write',
  'GET /v2/vals/{val_id}/files/content': 'val:read',
  'GET /v2/files/{file_id}': 'val:read',
  'GET /v2/vals/{val_id}/environment_variables': 'val:read',
  'POST /v2/vals/{val_id}/environment_variables': 'val:write',
  'PUT /v2/vals/{val_id}/environment_variables/{key}': 'val:write',
  'DELETE /v2/vals/{val_id}/environment_variables/{key}': 'val:write',
  'GET /v2/orgs': 'user:read',
  'GET /v2/orgs/{org_id}/memberships': 'user:read',
  'GET /v2/blob': 'blob:read',
  'GET /v2/blob/{key}': 'blob:read',
  'POST /v2/blob/{key}': 'blob:write',
  'DELETE /v2/blob/{key}': 'blob:write',
};

/** The scope that includes another one. */
const WRITING: Partial<Record<TokenScope, TokenScope>> = {
  'val:read': 'val:write',
  'user:read': 'user:write',
  'blob:read': 'blob:write',
  'sqlite:read': 'sqlite:write',
};

test('each route has a scope', () => {
  expect(Object.fromEntries(routes.map(({ name, scope }) => [name, scope?.replace('project:', 'val:')]))).toEqual(
    SCOPES,
  );
});

test.each(routes)('$name returns a 403 to a token without its scope, and to no other', async (route) => {
  const wanted = SCOPES[route.name];
  if (wanted === undefined) throw new Error(`no scope of ${route.name}`);
  const others = Object.values(SCOPES).filter(
    (each) => each !== wanted && !each.startsWith(wanted.split(':')[0] ?? ''),
  );
  const emulator = await emulate({
    users: [{ username: 'grace' }],
    tokens: [
      { user: 'grace', token: 'none', scopes: [] },
      { user: 'grace', token: 'others', scopes: others },
      { user: 'grace', token: 'one', scopes: [wanted] },
      { user: 'grace', token: 'write', scopes: [WRITING[wanted] ?? wanted] },
      { user: 'grace', token: 'all' },
    ],
  });

  const refused = await sendTo(emulator, route, 'none');
  expect([refused.status, await refused.json()]).toEqual([403, FORBIDDEN]);
  expect(await statusOf(sendTo(emulator, route, 'others'))).toBe(403);
  const own = await statusOf(sendTo(emulator, route, 'grace-token'));
  expect(own).not.toBe(403);
  for (const token of ['one', 'write', 'all']) {
    emulator.reset();
    expect(await statusOf(sendTo(emulator, route, token)), token).toBe(own);
  }
  if (route.auth === 'optional') {
    const path = route.path.replaceAll(/\{\w+\}/g, MISSING);
    expect((await emulator.fetch(path)).status).not.toBe(403);
  }
});

test('read does not include write', async () => {
  const emulator = await emulate(withScopes('val:read', 'blob:read', 'user:read'));

  expect(await statusOf(send(emulator, 'GET', '/v1/me'))).toBe(200);
  expect(await statusOf(send(emulator, 'POST', '/v1/vals', { code: '1' }))).toBe(403);
  expect(await statusOf(send(emulator, 'POST', '/v1/blob/a', { a: 1 }))).toBe(403);
  expect(emulator.state()).toMatchObject({ vals: [], blobs: [] });
});

test('SQL that writes needs sqlite:write', async () => {
  const emulator = await emulate({
    ...withScopes('sqlite:read'),
    sqlite: [{ user: 'grace', sql: 'CREATE TABLE t (a)' }],
  });
  const execute = (statement: string, token?: string) =>
    send(emulator, 'POST', '/v1/sqlite/execute', { statement }, token);

  expect(await statusOf(execute('SELECT * FROM t'))).toBe(200);
  const refused = await execute('INSERT INTO t VALUES (1)');
  expect([refused.status, await refused.json()]).toEqual([403, FORBIDDEN]);
  expect(emulator.requests().at(-1)?.reason).toBe('the token lacks the scope sqlite:write or sqlite_rw');
  const count = await execute('SELECT count(*) FROM t');
  expect(await count.json()).toMatchObject({ rows: [[0]] });
  expect(await statusOf(execute('INSERT INTO t VALUES (1)', 'grace-token'))).toBe(200);
});

test.each<[TokenScope, string, string, number]>([
  ['user_r', 'GET', '/v1/me', 200],
  ['val_r', 'GET', `/v1/vals/${MISSING}`, 404],
  ['val_r', 'DELETE', `/v1/vals/${MISSING}`, 403],
  ['val_rw', 'GET', `/v1/vals/${MISSING}`, 404],
  ['val_rw', 'DELETE', `/v1/vals/${MISSING}`, 404],
  // The vals of today, not those of /v1.
  ['project_rw', 'GET', `/v1/vals/${MISSING}`, 403],
  ['blob_rw', 'GET', '/v1/blob', 200],
  ['blob_rw', 'DELETE', '/v1/blob/a', 404],
  ['sqlite_rw', 'POST', '/v1/sqlite/execute', 400],
  ['email_rw', 'POST', '/v1/email', 202],
  ['telemetry_r', 'GET', '/v1/telemetry/traces', 200],
  ['telemetry_r', 'GET', '/v1/me', 403],
  ['openid', 'GET', '/v1/me', 403],
  ['profile', 'GET', '/v1/me', 403],
  ['email', 'POST', '/v1/email', 403],
  ['offline_access', 'GET', '/v1/me', 403],
])('the OAuth scope %s: %s %s returns %i', async (scope, method, path, status) => {
  const emulator = await emulate(withScopes(scope));

  expect(await statusOf(send(emulator, method, path, method === 'POST' ? {} : undefined))).toBe(status);
});

test('the token is checked first: an unknown one is a 401, and the body does not matter', async () => {
  const emulator = await emulate(withScopes('val:read'));

  expect(await statusOf(send(emulator, 'POST', '/v1/vals', { code: 1, privacy: 'x' }, 'unknown'))).toBe(401);
  expect(await statusOf(send(emulator, 'POST', '/v1/vals', { code: 1, privacy: 'x' }))).toBe(403);
  expect(await statusOf(send(emulator, 'PUT', '/v1/vals/x', {}))).toBe(403);
  expect(await statusOf(send(emulator, 'GET', '/v1/nowhere'))).toBe(404);
});

test('a large body is not read for a token without the scope', async () => {
  const emulator = await emulate(withScopes('blob:read'));
  const body = new Uint8Array(12_000_000);
  const headers = { authorization: 'Bearer limited' };

  expect(await statusOf(fetch(`${emulator.url}/v1/blob/a`, { method: 'POST', headers, body }))).toBe(403);
  expect(await statusOf(emulator.fetch('/v1/blob/a', { method: 'POST', headers, body }))).toBe(403);
});

test('journal, log and near misses name the scope', async () => {
  const log: RequestLog[] = [];
  const emulator = await emulate(withScopes('val:read'), { onRequest: (request) => log.push(request) });

  await send(emulator, 'GET', '/v1/me');

  expect(emulator.requests()).toMatchObject([
    { status: 403, user: 'grace', reason: 'the token lacks the scope user:read or user_r' },
  ]);
  expect(log).toMatchObject([
    { status: 403, user: 'grace', message: FORBIDDEN.message, reason: 'the token lacks the scope user:read or user_r' },
  ]);
  const expecting = () => emulator.expectRequest('GET /v1/me', { status: 200 });
  expect(expecting).toThrow(ExpectationError);
  expect(expecting).toThrow(
    'r1 GET /v1/me 403 by grace (Token does not have the required permissions - the token lacks the scope user:read or user_r - Send a token that has it: GET /_emulator/users lists the tokens)',
  );
});

test('in lenient mode an unknown token is the first user with all scopes, and a known one keeps its own', async () => {
  const emulator = await emulate(withScopes('val:read'), { auth: 'lenient' });

  const me = await send(emulator, 'GET', '/v1/me', undefined, 'whatever');
  expect([me.status, await me.json()]).toMatchObject([200, { username: 'ada' }]);
  expect(await statusOf(send(emulator, 'GET', '/v1/me'))).toBe(403);
  expect(await statusOf(send(emulator, 'GET', '/v1/me/likes'))).toBe(200);
});

test('the rate limit counts each token, and names its user', async () => {
  const emulator = await emulate(withScopes('user:read'), { rateLimit: { limit: 1, window: '1m' } });

  const statuses = [];
  for (const token of ['limited', 'grace-token', 'limited']) {
    statuses.push(await statusOf(send(emulator, 'GET', '/v1/me', undefined, token)));
  }

  expect(statuses).toEqual([200, 200, 429]);
  expect(emulator.rateLimit.read().windows).toMatchObject([
    { user: 'grace', requests: 2 },
    { user: 'grace', requests: 1 },
  ]);
});

test('a fault for a user also hits their further tokens', async () => {
  const emulator = await emulate(withScopes('user:read'));
  emulator.fail('GET /v1/me', { user: 'grace', status: 503, times: 1 });

  expect(await statusOf(send(emulator, 'GET', '/v1/me'))).toBe(503);
});

test('with the routes of the specification only, there are no scopes', async () => {
  const emulator = await emulate(withScopes(), { specOnly: true, onExchange: () => {} });

  expect(await statusOf(send(emulator, 'GET', '/v1/me'))).toBe(200);
});
