import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatResult } from '#engine/mcp/results.js';
import { makeTools } from '#engine/mcp/tools.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { emulate, NOW } from '../../support/emulate.js';
import { connectAgent } from './agent.js';

const FIXTURES = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };

test('lists at most 26 tools in at most 12.5 kB', async () => {
  const { client } = await connectAgent(await emulate(FIXTURES));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['reset', 'seed', 'users', 'add', 'snapshot', 'restore', 'requests', 'request', 'explain', 'make_test'],
    ...['history', 'rewind', 'fail', 'disarm', 'clock', 'fork', 'diff', 'status'],
    ...['records', 'emails', 'rows', 'expect', 'edit', 'sandboxes', 'save_session'],
  ]);
  expect(tools.length).toBeLessThanOrEqual(26);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(12_500);
});

test('lists each parameter of the route of a tool', () => {
  const routes = controlRoutes.filter(({ tool }) => tool);
  expect(routes.length).toBeGreaterThan(0);
  const tools = makeTools(controlRoutes).list();
  for (const route of routes) {
    const schemas = [route.params, route.query, route.body].filter((schema) => schema !== undefined);
    const names = schemas.flatMap((schema) => ('properties' in schema ? Object.keys(Object(schema.properties)) : []));
    const listed = Object.keys(tools.find(({ name }) => name === route.tool)?.inputSchema.properties ?? {});
    expect(listed.filter((name) => name !== 'offset')).toEqual(
      [...names, 'sandbox'].filter((name) => name !== 'offset'),
    );
  }
});

test('lists the types of the items of each array, and values as objects', () => {
  const tools = new Map(
    makeTools(controlRoutes)
      .list()
      .map(({ name, inputSchema }) => [name, Object(inputSchema.properties)]),
  );
  const arrays = [...tools.values()]
    .flatMap((properties) => Object.values<{ type?: unknown; items?: object }>(properties))
    .filter(({ type }) => [type].flat().includes('array'));
  expect(arrays.length).toBeGreaterThan(10);
  for (const array of arrays) expect(array.items).toHaveProperty('type');
  expect(tools.get('add').users).toEqual({ type: 'array', items: { type: 'object' } });
  expect(tools.get('fail').delay).toMatchObject({
    type: ['number', 'string', 'array'],
    items: { type: ['number', 'string'] },
  });
  expect(tools.get('seed').fixtures).toMatchObject({ type: ['string', 'object'] });
  expect(tools.get('requests').headers).toMatchObject({ type: 'object' });
  expect(tools.get('records').where).toMatchObject({ type: 'object' });
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
    make_test: { readOnlyHint: true },
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
  expect(schemas).toMatchObject({ fail: undefined, records: ['collection'], rows: ['id'] });
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
  for (const offset of [-1, 1.5, 'x'])
    expect(await call('requests', { offset })).toMatch(/^offset: found .*; expected a whole number, at least 0\.$/);
  await expect(client.callTool({ name: 'rewnd' })).rejects.toThrow('Unknown tool rewnd. Did you mean "rewind"?');
  await expect(client.readResource({ uri: 'emulator://sessoin' })).rejects.toThrow(
    'Did you mean "emulator://session"?',
  );
});

test('responds to a name that no URL can contain, and to a missing one, and keeps running', async () => {
  const { call } = await connectAgent(await emulate(FIXTURES));
  const rejected: unknown[] = [];
  const note = (reason: unknown) => rejected.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  for (const [tool, args] of [
    ['request', { id: '..' }],
    ['records', { collection: '.' }],
    ['requests', { sandbox: '..' }],
    ['restore', { name: '..' }],
    ['diff', { sandbox: '.' }],
  ] as const)
    expect(await call(tool, args)).toMatch(/^Invalid name "\.+": a URL cannot contain it\.$/);
  expect(await call('restore')).toBe('name: missing; expected a text.');
  expect(await call('request')).toBe('id: missing; expected a text.');
  await new Promise((resolve) => setImmediate(resolve));
  expect(rejected).toEqual([]);
});

test('takes criteria as objects, as methods do', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  for (const name of ['one', 'two'])
    await emulator.fetch('/v1/vals', {
      method: 'POST',
      headers: { authorization: 'Bearer ada-token', 'x-trace': name },
      body: JSON.stringify({ name, code: '1' }),
    });
  const find = async (criteria: object) =>
    (await call('requests', { ...criteria })).items.map(({ id }: { id: string }) => id);
  expect(await find({ body: { name: 'two' } })).toEqual(['r2']);
  expect(await find({ headers: { 'x-trace': 'one' }, duration: { min: 0, max: '1h' } })).toEqual(['r1']);
  expect((await call('records', { collection: 'vals', where: { name: 'hello' } })).total).toBe(1);
  await call('add', { emails: [{ user: 'ada', attachments: [{ filename: 'a.csv', text: '1' }] }, { user: 'ada' }] });
  expect((await call('emails', { attachments: ['a.csv'] })).items).toHaveLength(1);
  expect((await call('emails', { attachments: 0 })).items).toHaveLength(1);
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

test('cuts long lists and long records, and says where the rest is', async () => {
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
    next: `${100 - records.length} further ones do not fit: use offset ${records.length}, or narrow the arguments.`,
  });
  const later = await call('records', { collection: 'vals', offset: records.length });
  expect(later.records[0].name).toBe(`val${299 - records.length}`);
  expect(later.next).toContain(`use offset ${records.length + later.records.length},`);
  await call('add', {
    sqlite: [{ user: 'ada', rows: { notes: Array.from({ length: 300 }, (_, id) => ({ id, text: 'z'.repeat(100) })) } }],
  });
  const { columns, rows, ...rest } = await call('rows', { id: 'ada', table: 'notes', limit: 300 });
  expect(columns).toHaveLength(2);
  expect(rows[0]).toEqual([0, 'z'.repeat(100)]);
  expect(rows.length).toBeGreaterThan(100);
  expect(rest.next).toContain(`use offset ${rows.length},`);
  for (let index = 0; index < 200; index += 1) await emulator.fetch('/v1/me');
  const ids: string[] = [];
  for (let left = 200; left > 0; left = 200 - ids.length) {
    const { items, ...page } = await call('requests', { offset: ids.length });
    ids.unshift(...items.map(({ id }: { id: string }) => id));
    expect(page).toEqual(
      ids.length === 200
        ? { truncated: false }
        : {
            truncated: true,
            next: `${200 - ids.length} older ones do not fit: use offset ${ids.length}, or narrow the arguments.`,
            whole: `${emulator.url}/_emulator/requests`,
          },
    );
  }
  expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => `r${index + 1}`));
  await emulator.fetch('/v1/vals', {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token' },
    body: JSON.stringify({ name: 'long', code: 'y'.repeat(40_000) }),
  });
  expect(await call('request', { id: 'r201' })).toMatchObject({
    truncated: true,
    whole: `${emulator.url}/_emulator/requests/r201`,
  });
});

test('pages the changes of a difference beside its score, and says no offset of a tool that takes none', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  const vals = Array.from({ length: 150 }, (_, index) => ({
    author: 'ada',
    name: `val${index}`,
    code: 'x'.repeat(300),
  }));
  const added = await call('add', { vals });
  expect(added.next).toBe(`${150 - added.vals.length} further ones do not fit.`);
  const args = { expect: [{ collection: 'vals', name: 'ada/val0' }], ignore: ['versions'] };
  const names: string[] = [];
  for (let left = 150; left > 0; left = 150 - names.length) {
    const { changes, score, total, next, truncated } = await call('diff', { ...args, offset: names.length });
    expect({ total, truncated, matched: score.matched }).toEqual({ total: 150, truncated: true, matched: 1 });
    names.push(...changes.map(({ name }: { name: string }) => name));
    const rest = `${150 - names.length} further ones do not fit: use offset ${names.length}, or narrow the arguments.`;
    expect(next).toBe(names.length === 150 ? undefined : rest);
  }
  expect(names).toEqual(vals.map(({ name }) => `ada/${name}`));
});

test('says that what is beside a list is cut', () => {
  const score = { unexpected: Array.from({ length: 60 }, (_, index) => ({ index, text: 'x'.repeat(125) })) };
  const value = { changes: Array.from({ length: 40 }, (_, index) => ({ index, text: 'y'.repeat(220) })), score };
  expect(JSON.parse(formatResult(value))).toMatchObject({ truncated: true });
});

test.each([
  ['a list of numbers', { request: { body: Array.from({ length: 50_000 }, (_, index) => index) } }],
  ['many keys', Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, 'é'.repeat(900)]))],
  ['one long item', [{ html: '"'.repeat(900), lists: Array.from({ length: 500 }, () => ['"'.repeat(600)]) }]],
  ['long items', Array.from({ length: 90 }, (_, id) => ({ id, text: '\u0001'.repeat(400) }))],
  ['a long field beside a list', { columns: [], text: '☃'.repeat(90_000) }],
  ['deep lists', [[[...Array(30)].map(() => [...Array(30)].map(() => [...Array(30)].map(() => 'deep text')))]]],
  ['a long text', 'é'.repeat(90_000)],
])('formats %s as at most 16,000 bytes of JSON', (_, value) => {
  const text = formatResult(value, { url: 'http://127.0.0.1:4010/_emulator/requests' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000);
  expect(text.length).toBeGreaterThan(150);
  expect(() => JSON.parse(text)).not.toThrow();
});

test('a call of seed without fixtures is an error, and the sandbox keeps its records', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  const message =
    'The tool seed has no arguments to act on, and nothing has changed: pass fixtures, generate or a collection, such as {"generate":{"users":50}}.';
  for (const args of [{}, { confirm: true }]) expect(await call('seed', args)).toBe(message);
  emulator.sandbox('other');
  expect(await call('seed', { sandbox: 'other' })).toBe(message);
  expect(emulator.users.map(({ username }) => username)).toStrictEqual(['ada']);

  expect(await call('seed', { users: [{ username: 'bob' }] })).toMatchObject({
    counts: { users: { added: 1, changed: 0, removed: 1 } },
  });
  expect(emulator.users.map(({ username }) => username)).toStrictEqual(['bob']);
  expect(await call('seed', { fixtures: 'empty' })).toMatchObject({ commits: 0, others: [] });
  expect(emulator.users.map(({ username }) => username)).not.toContain('bob');
});

test('reads a summary of a resource, and all of it when asked', async () => {
  const emulator = await emulate(FIXTURES);
  const { client, call } = await connectAgent(emulator);
  await call('seed', { generate: { users: 3 } });
  const read = async (uri: string) => {
    const [{ text = '', mimeType = '' } = {}] = (await client.readResource({ uri })).contents.map((content) => ({
      ...('text' in content && { text: content.text }),
      mimeType: content.mimeType,
    }));
    return { text, mimeType };
  };
  const whole = await read('emulator://session?all');
  expect(whole.mimeType).toBe('application/x-ndjson');
  expect(whole.text.length).toBeGreaterThan(100_000);
  expect(JSON.parse((await read('emulator://session')).text)).toEqual({
    bytes: Buffer.byteLength(whole.text),
    lines: whole.text.split('\n').length - 1,
    file: 'the tool save_session writes it',
    all: `emulator://session?all, or GET ${emulator.url}/_emulator/session`,
  });
  for (const name of ['openapi', 'openapi-control']) {
    const { text, mimeType } = await read(`emulator://${name}`);
    expect(mimeType).toBe('application/json');
    expect(text.length).toBeLessThan(16_000);
    expect(JSON.parse((await read(`emulator://${name}?all`)).text)).toHaveProperty('components');
  }
  expect(JSON.parse((await read('emulator://openapi')).text).operations).toContain(
    'GET /v1/me: Get profile information for the current user',
  );
});

test('saves a session to a file, which it does not replace unasked', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  await emulator.fetch('/v1/me');
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bug.ndjson');
  const saved = await call('save_session', { path });
  expect(saved).toEqual({ path, bytes: readFileSync(path).length });
  expect(readFileSync(path, 'utf8')).toBe(await (await emulator.fetch('/_emulator/session')).text());

  writeFileSync(path, 'mine');
  expect(await call('save_session', { path })).toBe(
    `path: ${path} exists. Name another file, or pass "overwrite": true.`,
  );
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect((await call('save_session', { path, overwrite: true })).path).toBe(path);
  expect(readFileSync(path, 'utf8')).not.toBe('mine');
  expect(await call('save_session', { path: join(folder, 'none', 'a.ndjson') })).toBe(
    `path: there is no folder ${join(folder, 'none')}. Create it first.`,
  );
  expect(await call('save_session', { path: join(folder, '.profile') })).toMatch(
    /expected a file that ends in .ndjson/,
  );
  expect(readdirSync(folder)).toEqual(['bug.ndjson']);
});

test('writes no file for a client that a proxy passes on', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator, { 'x-forwarded-for': '10.0.0.7' });
  const path = join(tmpdir(), `val-emulator-${process.pid}.ndjson`);
  expect(await call('save_session', { path })).toMatch(/^Files are written for clients on the machine of the emulator/);
  expect(existsSync(path)).toBe(false);
});

test('acts on the sandbox of the argument, or of the address', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  emulator.sandbox('other');
  await call('add', { sandbox: 'other', users: [{ username: 'mary' }] });
  expect((await call('users')).items).toHaveLength(1);
  expect((await call('users', { sandbox: 'other' })).items).toHaveLength(2);

  const atOther = await connectAgent(emulator, {}, '/_sandbox/other');
  expect((await atOther.call('users')).items).toHaveLength(2);
  expect((await atOther.call('users', { sandbox: 'other' })).items).toHaveLength(2);
  expect((await atOther.call('users', { sandbox: '' })).items).toHaveLength(1);
  expect(emulator.sandboxes()).toHaveLength(1);
});

test('a wrong name of a sandbox is an error that lists the names, and creates none', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await call('reset', { sandbox: 'nope' })).toBe(
    'There is no sandbox "nope". There is only the default one. The tool fork makes one.',
  );
  for (const name of ['checkout', 'login']) emulator.sandbox(name);
  for (const [tool, args] of [
    ['reset', {}],
    ['users', {}],
    ['add', { users: [{ username: 'mary' }] }],
    ['save_session', { path: join(folder, 'a.ndjson') }],
  ] as const)
    expect(await call(tool, { ...args, sandbox: 'chekout' })).toBe(
      'There is no sandbox "chekout". Did you mean "checkout"? There are: checkout, login. The tool fork makes one.',
    );
  expect(emulator.sandboxes().map(({ name }) => name)).toEqual(['checkout', 'login']);
  expect(readdirSync(folder)).toEqual([]);
  for (let count = 0; count < 12; count += 1) emulator.sandbox(`job-${count}`);
  expect(await call('users', { sandbox: 'xyz' })).toContain('job-6, job-7, and 4 more. The tool fork makes one.');
});

test('lists sandboxes, and closes one', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  await call('fork', { name: 'retry', at: 'start' });
  expect(await call('sandboxes')).toEqual({
    items: [
      {
        name: 'retry',
        url: `${emulator.url}/_sandbox/retry`,
        forkedFrom: { sandbox: '', commit: null },
        createdAt: expect.any(String),
        lastUse: expect.any(String),
        requests: 0,
        journalSize: 0,
        kept: false,
      },
    ],
    truncated: false,
  });
  expect(await call('sandboxes', { close: 'retri' })).toMatch(/^There is no sandbox "retri". Did you mean "retry"\?/);
  expect(await call('sandboxes', { name: 'retry' })).toBe(
    'name: unknown; expected close, or no argument to list them.',
  );
  expect(emulator.sandboxes()).toHaveLength(1);
  expect(await call('sandboxes', { close: 'retry' })).toEqual({ items: [], truncated: false });
  expect(emulator.sandboxes()).toEqual([]);
});

test('rows of requests have no field without a value, and the status has no points of a chart', async () => {
  const emulator = await emulate({ ...FIXTURES, runs: [{ val: 'ada/hello', runStartAt: '-10m' }] });
  const { call, used } = await connectAgent(emulator);
  await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
  expect((await call('requests')).items).toEqual([
    {
      ...{ id: 'r1', time: NOW, duration: expect.any(Number), outcome: 'sent', route: 'GET /v1/me', method: 'GET' },
      ...{ path: '/v1/me', user: 'ada', status: 200, delay: 0 },
    },
  ]);
  used.tokens = 0;
  const status = await call('status');
  expect(status).toMatchObject({ counts: { runs: 1 }, requests: 1, valTypes: { script: 1 } });
  expect(status).not.toHaveProperty('runsPerHour');
  expect(used.tokens).toBeLessThan(200);
});

test('asserts one request, its number, and an order', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  for (const path of ['/v1/me', '/v1/me/likes', '/v1/me'])
    await emulator.fetch(path, { headers: { authorization: 'Bearer ada-token' } });
  expect(await call('expect', { steps: ['GET /v1/me'] })).toEqual({ ok: true });
  expect(await call('expect', { steps: ['GET /v1/me'], times: 2 })).toEqual({ ok: true });
  expect(await call('expect', { steps: [{ route: 'GET /v1/me', status: 200 }], times: 2 })).toEqual({ ok: true });
  expect(await call('expect', { steps: [{ status: 200 }, 'GET /v1/me'] })).toEqual({ ok: true });
  expect(await call('expect', { steps: [{ method: 'GET' }] })).toEqual({ ok: true });
  expect(await call('expect', { steps: ['GET /v1/me'], times: 3 })).toMatch(/expected 3/);
  expect(await call('expect', { steps: ['POST /v1/vals'], times: 0 })).toEqual({ ok: true });
  expect(await call('expect', { steps: ['POST /v1/vals', 'GET /v1/me'] })).toContain('POST /v1/vals');
  expect(await call('expect', { steps: ['GET /v1/me', 'GET /v1/me'], times: 2 })).toBe(
    'times: found with several steps; expected one step.',
  );
  expect(await call('expect', { steps: ['GET /v1/mee'] })).toMatch(/Did you mean "GET \/v1\/me"/);
  expect(await call('expect', {})).toMatch(/steps: missing/);
});

test('changes and deletes a record by its name', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  expect(await call('edit', { collection: 'vals', id: 'ada/hello', change: { privacy: 'private' } })).toMatchObject({
    name: 'hello',
    privacy: 'private',
  });
  const message = 'Nothing has changed: expected either change, such as {"privacy":"private"}, or "delete": true.';
  expect(await call('edit', { collection: 'vals', id: 'ada/hello' })).toBe(message);
  expect(await call('edit', { collection: 'vals', id: 'ada/hello', change: { code: '2' }, delete: true })).toBe(
    message,
  );
  expect(await call('edit', { collection: 'vals', id: 'ada/nope', delete: true })).toMatch(/no record "ada\/nope"/);
  expect(await call('edit', { collection: 'vals', id: 'ada/hello', delete: true })).toEqual({ ok: true });
  expect((await call('records', { collection: 'vals' })).total).toBe(0);
});

test('writes a test of recorded requests', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = await connectAgent(emulator);
  await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
  const { file, code } = await call('make_test', { requests: ['last'], runner: 'node' });
  expect(file).toBe('requests.test.mjs');
  expect(code).toContain("fixtures: { users: [{ username: 'ada' }] },");
  expect(code).toContain('assert.equal(r1.status, 200);');
  expect(await call('make_test', { requests: ['r9'] })).toBe('There is no request "r9": the journal has the last 1.');
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
  const message = await call('expect', {
    steps: [{ route: 'GET /v1/me', headers: { authorization: 'x', accept: 'text/html' } }],
  });
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
