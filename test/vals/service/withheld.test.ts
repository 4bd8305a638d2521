import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emulator, EmulatorOptions, RequestLog } from '../../../src/index.js';
import { connectAgent } from '../../engine/mcp/agent.js';
import { makeFolder } from '../../engine/persistence/folder.js';
import { emulate } from '../../support/emulate.js';
import { connect } from './tools/agent.js';

const SECRET = 's3cret-hunter-2';
const HIDDEN = '(removed)';
const SITE = '5e000000-0000-4000-8000-000000000001';
const VARIABLES = `/v2/vals/${SITE}/environment_variables`;

const serve = (options?: EmulatorOptions) =>
  emulate(
    {
      users: [{ username: 'ada' }],
      projects: [{ owner: 'ada', name: 'site', id: SITE, env: { OLD: 'known-secret-1' } }],
    },
    options,
  );

async function send({ fetch }: Emulator, method: string, path: string, body: string, token = 'ada-token') {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return await fetch(path, { method, headers, body });
}

const create = (emulator: Emulator, variable: object) => send(emulator, 'POST', VARIABLES, JSON.stringify(variable));

/** Sends the secret in each way that may reach the journal. */
async function sendAll(emulator: Emulator): Promise<void> {
  const statuses: number[] = [];
  const post = async (body: string, token?: string) =>
    statuses.push((await send(emulator, 'POST', VARIABLES, body, token)).status);
  await post(JSON.stringify({ key: 'API_KEY', value: SECRET, description: 'Of x' }));
  statuses.push((await send(emulator, 'PUT', `${VARIABLES}/API_KEY`, JSON.stringify({ value: SECRET }))).status);
  // Bodies that the route refuses: a key that is misspelt, none, one that has more, no object, and no JSON.
  await post(JSON.stringify({ key: 'A', vale: SECRET }));
  await post(JSON.stringify({ key: 'API_KEY', value: { of: SECRET } }));
  await post(JSON.stringify([SECRET]));
  await post(JSON.stringify(SECRET));
  await post(`{"key":"A","value":"${SECRET}"`);
  await post(`{"value":"${SECRET}","value":"x"}`);
  await post(JSON.stringify({ key: 'B', value: SECRET }), 'unknown');
  emulator.fail('POST /v2/vals/{val_id}/environment_variables', { status: 503, times: 1 });
  await post(JSON.stringify({ key: 'C', value: SECRET }));
  expect(statuses).toEqual([201, 201, 400, 400, 400, 400, 400, 400, 401, 503]);
}

test('the value of a variable is recorded nowhere', async () => {
  const log: RequestLog[] = [];
  const data = makeFolder();
  const emulator = await serve({ onRequest: (request) => log.push(request), data, keepJournal: true });
  const events = await fetch(`${emulator.url}/_emulator/events`);
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  await sendAll(emulator);
  const { call } = await connectAgent(emulator);
  let seen = '';
  while (!seen.includes('"r10"')) seen += (await reader?.read())?.value ?? '"r10"';
  await reader?.cancel();
  const get = async (path: string) => await (await emulator.fetch(`/_emulator/${path}`)).text();
  await expect.poll(() => log.length).toBeGreaterThanOrEqual(10);

  const outputs = {
    journal: JSON.stringify(emulator.requests()),
    page: (await get('requests')) + (await get('requests/r1')) + (await get('requests/r7')),
    har: await get('requests.har'),
    session: emulator.session(),
    tools: JSON.stringify([
      await call('requests'),
      await call('request', { id: 'r1' }),
      await call('diff', { before: 'commit:start' }),
    ]),
    log: JSON.stringify(log),
    events: seen,
    history: JSON.stringify(emulator.history()) + (await get('history/r1')),
    records: await get('records/environment'),
    state: await get('state'),
  };
  for (const [name, text] of Object.entries(outputs)) {
    expect(text.length, name).toBeGreaterThan(10);
    expect(text, name).not.toContain('s3cret');
  }
  expect(seen).toContain('environment_variables');
  expect(JSON.parse(await get(`requests/summary?q=${SECRET}`)).requests).toEqual([]);
  expect(emulator.requests().map(({ request }) => request.body)).toEqual([
    { key: 'API_KEY', value: HIDDEN, description: 'Of x' },
    { value: HIDDEN },
    { key: 'A', vale: HIDDEN },
    { key: 'API_KEY', value: HIDDEN },
    ...[HIDDEN, HIDDEN, HIDDEN],
    { value: HIDDEN },
    { key: 'B', value: HIDDEN },
    { key: 'C', value: HIDDEN },
  ]);
  // The commits of a data folder have the value, its journal has none.
  await emulator.close();
  const texts = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('requestBody'));
  expect(lines).toHaveLength(10);
  for (const line of lines) expect(line).not.toContain('s3cret');
});

test('a value is exported and used as it was sent', async () => {
  const emulator = await serve();
  await create(emulator, { key: 'API_KEY', value: SECRET });

  const secret = emulator.state({ secrets: true }).environment.find(({ key }) => key === 'API_KEY');
  expect(secret).toMatchObject({ key: 'API_KEY', value: SECRET });
  expect(emulator.state().environment.map(({ value }) => value)).toEqual([null, null]);
  const exported = await (await emulator.fetch('/_emulator/state?secrets=true')).text();
  expect(exported).toContain(SECRET);
});

test('a fault can match a value, and a near miss does not show it', async () => {
  const emulator = await serve();
  emulator.fail('POST /v2/vals/{val_id}/environment_variables', { match: { body: { value: SECRET } }, status: 503 });

  expect((await create(emulator, { key: 'A', value: SECRET })).status).toBe(503);
  expect((await create(emulator, { key: 'A', value: 'other' })).status).toBe(201);
  const expectation = { body: { key: 'A', value: 'known' } };
  expect(() => emulator.expectRequest('POST /v2/vals/{val_id}/environment_variables', expectation)).toThrow(
    'body.value: expected "known", found "(removed)"',
  );
  emulator.expectRequest('POST /v2/vals/{val_id}/environment_variables', { body: { key: 'A' }, times: 2 });
});

test('a session has one replacement for each secret, also where it occurs elsewhere', async () => {
  const emulator = await serve();
  const code = "const keys = ['known-secret-1', 'ada-secret-token', 'further-token-1'];";
  emulator.add.user({ username: 'grace', token: 'ada-secret-token' });
  emulator.add.token({ user: 'grace', token: 'further-token-1', scopes: ['val:read'] });
  emulator.add.environmentVariable({ project: 'ada/site', key: 'TOKEN', value: 'ada-secret-token' });
  await send(emulator, 'POST', '/v1/vals', JSON.stringify({ code }), 'ada-secret-token');

  const text = emulator.session();

  for (const secret of ['known-secret-1', 'ada-secret-token', 'further-token-1']) expect(text).not.toContain(secret);
  expect(text).toContain("const keys = ['(removed)', 'grace-token', 'grace-token-1'];");
});

test('the journal has no value that a tool sets', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }],
    projects: [{ owner: 'ada', name: 'site', privacy: 'public' }],
  });
  const { call, fail } = connect(emulator);
  await call('set_env_var', { val: 'ada/site', key: 'KEY', value: SECRET });
  await fail('set_env_var', { val: 'ada/site', key: 'KEY', valeu: SECRET });
  const bodies = emulator.requests().map(({ request }) => request.body);
  expect(bodies).toHaveLength(2);
  expect(JSON.stringify(bodies)).not.toContain(SECRET);
  expect(bodies[0]).toMatchObject({ method: 'tools/call', params: { arguments: { val: 'ada/site', key: 'KEY' } } });
});

/** The requests that no route accepts, but whose value a client of the routes may have sent. */
const ASTRAY: readonly [method: string, target: string, body?: string, type?: string][] = [
  ['POST', '/v2/nope/environment_variables', JSON.stringify({ key: 'A', vale: SECRET })],
  ['POST', `/v2/vals/${SITE}/enviroment_variables`, JSON.stringify({ key: 'A', value: SECRET })],
  ['POST', '/v2/variables', JSON.stringify({ variables: [{ key: 'A', value: SECRET }] })],
  ['PATCH', `${VARIABLES}/A`, JSON.stringify({ value: SECRET })],
  ['POST', '/v1/environment_variables', SECRET],
  ['POST', '/v1/environment_variables', `key=A&value=${SECRET}`, 'application/x-www-form-urlencoded'],
  ['POST', '/nope', `key=A&value=${SECRET}`, 'application/x-www-form-urlencoded'],
  ['POST', `${VARIABLES}?key=A&value=${SECRET}`, '{}'],
  ['POST', `${VARIABLES}?vale=${SECRET}`, '{}'],
  ['POST', `/v2/nope?v%61lue=${SECRET}&x=1`, '{}'],
  ['GET', `/v2/nope/environment_variables?key=A&val=${SECRET}`],
  ['DELETE', `${VARIABLES}/A?value=${SECRET}`],
  ['POST', '/nope', `{"value":"${SECRET}"`],
  ['POST', VARIABLES, SECRET],
  ['PUT', `${VARIABLES}/A`, `[${SECRET}`],
];

test('a value is recorded nowhere of a request that no route accepts', async () => {
  const log: RequestLog[] = [];
  const emulator = await serve({ onRequest: (request) => log.push(request) });
  for (const [method, target, body, type = 'application/json'] of ASTRAY) {
    const headers = { authorization: 'Bearer ada-token', ...(body !== undefined && { 'content-type': type }) };
    const response = await fetch(emulator.url + target, { method, headers, ...(body !== undefined && { body }) });
    expect([target, response.status === 500]).toEqual([target, false]);
  }
  await expect.poll(() => log.length).toBe(ASTRAY.length);
  const har = await (await emulator.fetch('/_emulator/requests.har')).text();
  for (const request of emulator.requests()) expect(JSON.stringify(request)).not.toContain(SECRET);
  for (const text of [har, JSON.stringify(log), emulator.session()]) expect(text).not.toContain(SECRET);
  expect(emulator.requests().at(9)?.path).toBe('/v2/nope?v%61lue=(removed)&x=1');
  expect(emulator.requests().at(7)?.path).toBe(`${VARIABLES}?key=A&value=(removed)`);
});

test('other requests that no route accepts are recorded as they were sent', async () => {
  const emulator = await serve();
  await send(emulator, 'POST', '/v1/nope?limit=1&x=a%20b', '{"name":"a", "n":1}');
  await send(emulator, 'POST', '/v1/nope', 'no JSON');
  const [first, second] = emulator.requests();
  expect(first).toMatchObject({ path: '/v1/nope?limit=1&x=a%20b', request: { body: { name: 'a', n: 1 } } });
  expect(second).toMatchObject({ request: { body: 'no JSON' } });
});

test.each<[what: string, message: unknown]>([
  ['a tool that does not exist', call('set_env', { key: 'A', value: SECRET })],
  ['no arguments', { ...call('set_env_var'), params: { name: 'set_env_var', args: { value: SECRET } } }],
  ['arguments beside the parameters', { ...call('set_env_var'), arguments: { key: 'A', value: SECRET } }],
  ['arguments that are a string', { ...call('set_env_var'), params: { name: 'set_env_var', arguments: SECRET } }],
  ['arguments that are a list', { ...call('set_env_var'), params: { name: 'set_env_var', arguments: [SECRET] } }],
  ['parameters that are a string', { ...call('set_env_var'), params: SECRET }],
  ['the tool as the method', { jsonrpc: '2.0', id: 1, method: 'set_env_var', params: { value: SECRET } }],
  [
    'no version of the protocol',
    { id: 1, method: 'tools/call', params: { name: 'set_env_var', arguments: { value: SECRET } } },
  ],
  ['a batch', [call('set_env_var', { key: 'A', value: SECRET }), call('nope', { value: SECRET })]],
  ['no message', SECRET],
])('the journal has no value of a message with %s', async (_, message) => {
  const emulator = await serve();
  await fetch(`${emulator.url}/v3/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: 'Bearer ada-token', 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  });
  expect(emulator.requests().length).toBeGreaterThan(0);
  expect(JSON.stringify(emulator.requests())).not.toContain('s3cret');
});

/** A call of a tool, as a client sends it. */
function call(name: string, args: object = {}) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}
