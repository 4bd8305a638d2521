import { expect, test } from 'vitest';
import { makeTools } from '#tools/mcp/tools.js';
import { controlRoutes } from '#vals/control/index.js';
import { emulate } from '../../support/emulate.js';
import { CHARACTERS_PER_TOKEN, connectAgent } from './agent.js';

const FIXTURES = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };

test('lists the tools in at most 3,000 tokens', () => {
  const tools = makeTools(controlRoutes).list();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['reset', 'seed', 'users', 'add', 'snapshot', 'restore', 'requests', 'request', 'explain', 'expect_request', 'expect_sequence'],
    ...['history', 'commit', 'rewind', 'fail', 'disarm', 'clock', 'fork', 'status', 'records'],
  ]);
  expect(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN).toBeLessThan(3_000);
});

test('describes each parameter of the route of a tool', () => {
  const routes = controlRoutes.filter(({ tool }) => tool);
  expect(routes.length).toBeGreaterThan(0);
  for (const route of routes) {
    const schemas = [route.params, route.query, route.body].filter((schema) => schema !== undefined);
    const names = schemas.flatMap((schema) => ('properties' in schema ? Object.keys(Object(schema.properties)) : []));
    const tool = makeTools(controlRoutes)
      .list()
      .find(({ name }) => name === route.tool);
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual([...names, 'sandbox']);
  }
});

test('marks each tool that reads, destroys or can be repeated', () => {
  const annotations = Object.fromEntries(
    makeTools(controlRoutes)
      .list()
      .map(({ name, annotations }) => [name, annotations]),
  );
  expect(annotations).toMatchObject({
    users: { readOnlyHint: true },
    explain: { readOnlyHint: true },
    expect_request: { readOnlyHint: true },
    reset: { destructiveHint: true, idempotentHint: true },
    rewind: { destructiveHint: true },
    add: { destructiveHint: false },
  });
});

test('does not require parameters with a default', () => {
  const schemas = Object.fromEntries(
    makeTools(controlRoutes)
      .list()
      .map(({ name, inputSchema }) => [name, inputSchema.required]),
  );
  expect(schemas).toMatchObject({ fail: undefined, records: ['collection'], expect_request: ['route'] });
});

test('offers the address of the emulator, and its documents', async () => {
  const emulator = await emulate(FIXTURES);
  const { client } = await connectAgent(emulator);
  expect(client.getInstructions()).toContain(`Set the base URL of a program to ${emulator.url} `);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'emulator://openapi',
    'emulator://openapi-control',
    'emulator://session',
  ]);
  const { contents } = await client.readResource({ uri: 'emulator://openapi' });
  expect(contents).toMatchObject([{ mimeType: 'application/json', text: expect.stringMatching(/^\{"openapi":"3/) }]);
});

test('responds to a wrong argument with the message of the expected one', async () => {
  const { call, client } = await connectAgent(await emulate(FIXTURES));
  expect(await call('fail', { route: 'GET /v1/mee' })).toMatch(/no route "GET \/v1\/mee". Did you mean "GET \/v1\/me"/);
  expect(await call('clock', { advance: 'soon' })).toMatch(/expected a duration/);
  await expect(client.callTool({ name: 'rewnd' })).rejects.toThrow('Unknown tool rewnd. Did you mean "rewind"?');
  await expect(client.readResource({ uri: 'emulator://sessoin' })).rejects.toThrow(
    'Did you mean "emulator://session"?',
  );
});

test('removes the values of secret headers', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  await emulator.fetch('/v1/me', {
    headers: { authorization: 'Bearer a-real-secret', cookie: 'sid=1', accept: 'text/plain' },
  });
  const { request } = await call('request', { id: 'r1' });
  expect(request.headers).toEqual({ authorization: '(removed)', cookie: '(removed)', accept: 'text/plain' });
});

test('cuts long lists and long records, and marks the cuts', async () => {
  const emulator = await emulate({
    ...FIXTURES,
    vals: Array.from({ length: 300 }, (_, index) => ({ author: 'ada', name: `val${index}`, code: 'x'.repeat(900) })),
  });
  const { call } = await connectAgent(emulator);
  const { records, truncated, next } = await call('records', { collection: 'vals' });
  expect(records.length).toBeGreaterThan(10);
  expect(records[0].code).toBe(`${'x'.repeat(500)}… (900 characters in all)`);
  expect({ truncated, next }).toEqual({
    truncated: true,
    next: `${100 - records.length} further ones do not fit: narrow the arguments.`,
  });
  for (let index = 0; index < 200; index += 1) await emulator.fetch('/v1/me');
  const requests = await call('requests');
  expect(requests.items.at(-1).id).toBe('r200');
  expect(requests).toMatchObject({ truncated: true, next: expect.stringMatching(/^\d+ older ones do not fit/) });
  await emulator.fetch('/v1/vals', {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token' },
    body: JSON.stringify({ name: 'long', code: 'y'.repeat(40_000) }),
  });
  expect((await call('request', { id: 'r201' })).truncated).toBe(true);
});

test('acts on the sandbox of the argument, or of the address', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  await call('add', { sandbox: 'other', users: [{ username: 'mary' }] });
  expect((await call('users')).items).toHaveLength(1);
  expect((await call('users', { sandbox: 'other' })).items).toHaveLength(2);
});

test('refuses arguments that the control API refuses', async () => {
  const emulator = await emulate(FIXTURES, { controlToken: 'a-control-token' });
  const url = `${emulator.url}/_emulator/mcp`;
  const send = (headers: Record<string, string>, to = url) =>
    fetch(to, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
  expect((await send({ origin: 'http://evil.example' })).status).toBe(403);
  expect((await send({ origin: 'http://evil.example', 'x-emulator-control-token': 'a-control-token' })).status).toBe(
    400,
  );
  expect((await fetch(url)).status).toBe(405);
  const closed = await emulate(FIXTURES, { control: false });
  expect((await send({}, `${closed.url}/_emulator/mcp`)).status).toBe(404);
});

test('removes the values of secret headers in near misses', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer a-real-secret', accept: 'text/plain' } });
  const message = await call('expect_request', { route: 'GET /v1/me', headers: { authorization: 'x', accept: 'text/html' } });
  expect(message).toContain('headers.authorization: expected "x", found (removed)');
  expect(message).toContain('headers.accept: expected "text/html", found "text/plain"');
});

test('responds with JSON to clients of the revision of 2025, too', async () => {
  const emulator = await emulate(FIXTURES);
  const response = await fetch(`${emulator.url}/_emulator/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'users' } }),
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  const { result } = Object(await response.json());
  expect(JSON.parse(result.content[0].text).items).toMatchObject([{ username: 'ada' }]);
});
