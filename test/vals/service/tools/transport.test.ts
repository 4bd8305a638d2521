import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, emulate, NOW } from '../../../support/emulate.js';
import { connect, FIXTURES, HEADERS, readEvents, send, toCall } from './agent.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const DETAIL = toCall('get_val_detail', { val: 'ada/site' });

test('responds without a handshake, as an event stream', async () => {
  const emulator = await emulate(FIXTURES);
  const response = await send(emulator, DETAIL);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  });
  const text = await response.text();
  expect(text).toMatch(/^event: message\ndata: \{.*\}\n\n$/);
  expect(JSON.parse(text.slice('event: message\ndata: '.length))).toMatchObject({
    ...{ jsonrpc: '2.0', id: 1 },
    result: {
      content: [
        { type: 'text', text: 'ada/site is a public val with main at version 1: https://www.val.town/x/ada/site' },
      ],
      structuredContent: { identifier: 'ada/site', branches: { count: 1 } },
    },
  });
});

const direct: [string, object][] = [
  ['a ping', { jsonrpc: '2.0', id: 1, method: 'ping' }],
  ['a list of tools', { ...LIST, id: 'a "quoted" id' }],
  ['a call', DETAIL],
  ['a call without arguments', { ...LIST, method: 'tools/call', params: { name: 'list_orgs' } }],
  ['a call with wrong arguments', toCall('list_vals', { limit: 'x' })],
  ['a call of an unknown tool', toCall('list_everything', {})],
];

// A parameter of the media type is what the direct way does not read.
test.each(direct)('%s gets what the library makes of it, byte for byte', async (_, message) => {
  const emulator = await emulate(FIXTURES, { now: NOW });
  const respond = async (type: string) => {
    const response = await send(emulator, message, { 'content-type': type });
    return [response.status, Object.fromEntries(response.headers), await response.text()];
  };
  expect(await respond('application/json')).toEqual(await respond('application/json; charset=utf-8'));
});

test('a client connects, lists the tools and calls one', async () => {
  const emulator = await emulate(FIXTURES);
  const client = new Client({ name: 'agent', version: '1' });
  const requestInit = { headers: { authorization: 'Bearer ada-token' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${emulator.url}/v3/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(44);
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(60_000);
  const { structuredContent } = await client.callTool({
    name: 'create_file',
    arguments: { val: 'ada/site', path: 'src/util.ts', content: 'export const one = 1;' },
  });
  expect(structuredContent).toMatchObject({ path: 'src/util.ts', type: 'script', version: 2 });
  expect(client.getServerVersion()?.name).toBe('val-emulator');
});

const refusals = [
  ['a GET', 405, { method: 'GET' }],
  ['a DELETE', 405, { method: 'DELETE' }],
  ['a PATCH', 405, { method: 'PATCH', body: '{}' }],
  ['a client that accepts JSON alone', 406, { headers: { ...HEADERS, accept: 'application/json' } }],
  ['another media type', 415, { headers: { ...HEADERS, 'content-type': 'text/plain' } }],
  ['broken JSON', 400, { body: '{' }],
  ['an unknown version of the protocol', 400, { headers: { ...HEADERS, 'mcp-protocol-version': '1999-01-01' } }],
] as const;

test.each(refusals)('refuses %s with %i', async (_, status, init) => {
  const emulator = await emulate(FIXTURES);
  const base = { method: 'POST', headers: HEADERS };
  const body = 'method' in init && !('body' in init) ? {} : { body: JSON.stringify(LIST) };
  const response = await fetch(`${emulator.url}/v3/mcp`, { ...base, ...body, ...init });
  expect(response.status).toBe(status);
  expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) }, id: null });
  expect(emulator.requests()).toMatchObject([
    { route: `${'method' in init ? init.method : 'POST'} /v3/mcp`, status, user: 'ada' },
  ]);
});

test('accepts a notification', async () => {
  const emulator = await emulate(FIXTURES);
  const response = await send(emulator, { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([response.status, await response.text()]).toEqual([202, '']);
});

test('responds to a batch, whose calls are an entry each', async () => {
  const emulator = await emulate(FIXTURES);
  const response = await send(emulator, [DETAIL, toCall('list_orgs', {}, 2), { ...LIST, id: 3 }]);
  const ids = (await readEvents(response)).map(({ id }) => id);
  expect(ids.sort()).toEqual([1, 2, 3]);
  expect(emulator.requests().map(({ route }) => route)).toEqual(['tool get_val_detail', 'tool list_orgs']);
});

test.each([
  ['an unknown tool', toCall('creat_file'), { code: -32_602, message: 'Tool creat_file not found' }],
  ['an unknown method', { ...LIST, method: 'tools/lists' }, { code: -32_601, message: 'Method not found' }],
])('responds to %s with an error of the protocol', async (_, message, error) => {
  const emulator = await emulate(FIXTURES);
  expect(await readEvents(await send(emulator, message))).toMatchObject([{ id: 1, error }]);
});

const SCOPES = 'scope="user_r project_rw blob_rw sqlite_rw email_rw telemetry_r"';

test.each([
  [undefined, SCOPES],
  ['Bearer wrong', `error="invalid_token", ${SCOPES}`],
])('points a client with the token %s to the metadata', async (authorization, challenge) => {
  const emulator = await emulate(FIXTURES);
  const { authorization: _, ...others } = HEADERS;
  const headers = { ...others, ...(authorization !== undefined && { authorization }) };
  const response = await fetch(`${emulator.url}/_sandbox/one/v3/mcp`, {
    ...{ method: 'POST', headers, body: JSON.stringify(DETAIL) },
  });
  expect(response.status).toBe(401);
  const base = `${emulator.url}/_sandbox/one`;
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer ${challenge}, resource_metadata="${base}/.well-known/oauth-protected-resource"`,
  );
  expect(response.headers.get('access-control-expose-headers')).toBe('www-authenticate');
  const resource = await (await fetch(`${base}/.well-known/oauth-protected-resource`)).json();
  expect(resource).toMatchObject({ resource: base, authorization_servers: [`${base}/oauth`] });
  const server = await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json();
  expect(server).toMatchObject({ issuer: `${base}/oauth`, token_endpoint: `${base}/oauth/token` });
});

test('serves the metadata at the addresses that clients derive from the endpoint', async () => {
  const { url } = await emulate(FIXTURES);
  const read = async (path: string) => await (await fetch(`${url}/.well-known/${path}`)).json();
  const resource = `${url}/_sandbox/one`;
  expect(await read('oauth-protected-resource/v3/mcp')).toMatchObject({ resource: url });
  expect(await read('oauth-protected-resource/_sandbox/one/v3/mcp')).toMatchObject({ resource });
  expect(await read('oauth-authorization-server/_sandbox/one/oauth')).toMatchObject({ issuer: `${resource}/oauth` });
});

test('keeps sandboxes apart', async () => {
  const emulator = await emulate(FIXTURES);
  const other = emulator.sandbox('other');
  await connect(other).call('delete_file', { val: 'ada/site', path: 'main.ts' });
  expect(await connect(other).call('list_files', { val: 'ada/site' })).toMatchObject({ count: 0 });
  expect(await connect(emulator).call('list_files', { val: 'ada/site' })).toMatchObject({ count: 1 });
});

test('lets pages of other sites call it', async () => {
  const { url } = await emulate(FIXTURES);
  const headers = { origin: 'https://example.com', 'access-control-request-headers': 'authorization' };
  const response = await fetch(`${url}/v3/mcp`, { method: 'OPTIONS', headers });
  expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, 'authorization']);
});

test('is off with the routes of the specification only', async () => {
  const emulator = await createEmulator({ fixtures: FIXTURES, specOnly: true });
  onTestFinished(() => emulator.close());
  expect((await send(emulator, LIST)).status).toBe(404);
});

test('has a limit for bodies', async () => {
  const emulator = await emulate(FIXTURES);
  const content = 'x'.repeat(1_100_000);
  expect((await send(emulator, toCall('storeBlob', { key: 'a', content, storage: {} }))).status).toBe(413);
});

test('counts calls against the rate limit', async () => {
  const emulator = await emulate(FIXTURES, { rateLimit: { limit: 1, window: '1m' } });
  const statuses = [];
  for (let i = 0; i < 2; i += 1) statuses.push((await send(emulator, DETAIL)).status);
  expect(statuses).toEqual([200, 429]);
});
