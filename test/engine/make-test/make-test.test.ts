import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator as create } from '../../../src/index.js';
import { connect } from '../../../src/tools/client/index.js';
import { as, createEmulator, emulate, NOW } from '../../support/emulate.js';

const WORLD = {
  users: [{ username: 'ada', bio: 'Weather' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', code: '1' },
    { author: 'bob', name: 'other', code: '2' },
  ],
  likes: [{ user: 'bob', val: 'ada/hello' }],
};

test('a refused write becomes a test of its data and its response alone', async () => {
  const emulator = await emulate(WORLD);
  await as(emulator, 'ada').post('/v1/vals').send({ name: 'taken', code: '1' });
  await as(emulator, 'ada').post('/v1/vals').send({ name: 'taken', code: '2' });
  await as(emulator, 'ada').post('/v1/vals').send({ name: 'later', code: '3' });

  expect(await emulator.makeTest('r2')).toEqual({
    file: 'requests.test.ts',
    fixtures: null,
    notes: [],
    code: `import { emulatorTest } from 'val-emulator/vitest';
import { expect } from 'vitest';

const test = emulatorTest({
  now: '${NOW}',
  fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'taken', code: '1' }] },
});

test('POST /v1/vals', async ({ emulator }) => {
  // r2: POST /v1/vals
  const r2 = await emulator.fetch('/v1/vals', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ada-token' },
    body: JSON.stringify({ name: 'taken', code: '2' }),
  });
  expect(r2.status).toBe(409);
  const body2 = await r2.json();
  expect(body2).toMatchObject({
    message: 'Conflict: a val named "taken" already exists',
    error: 'Conflict',
    statusCode: 409,
  });
});
`,
  });
  expect(emulator.sandboxes()).toEqual([]);
  expect(emulator.requests()).toHaveLength(3);
});

test('a record is left out once the records that refer to it are', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }],
    organizations: [{ username: 'acme' }],
    projects: [
      { owner: 'ada', name: 'report' },
      { owner: 'acme', name: 'site' },
    ],
  });
  await as(emulator, 'ada').post('/v2/vals').send({ name: 'report', privacy: 'public' });
  expect(emulator.requests()[0]?.status).toBe(409);
  const { code } = await emulator.makeTest('last');
  expect(code).toContain(
    "  fixtures: { users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'report' }] },\n",
  );
});

test('later requests send the ids that earlier responses have made, in each language', async () => {
  const emulator = await emulate(WORLD);
  const { body } = await as(emulator, 'ada').post('/v1/vals').send({ name: 'new', code: '1' });
  await as(emulator, 'ada').get(`/v1/vals/${body.id}?from=${body.id}`);
  await as(emulator, 'ada')
    .post('/v1/vals')
    .send({ name: 'copy', code: `// {${body.id}}` });

  const { code } = await emulator.makeTest();
  expect(code).toContain('    id: expect.any(String),');
  expect(code).toContain('const id1 = body1.id;');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code of a template
  expect(code).toContain('emulator.fetch(`/v1/vals/${id1}?from=${id1}`');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code of a template
  expect(code).toContain('code: `// {${id1}}`');
  expect(code).not.toContain(body.id);

  const node = await emulator.makeTest(undefined, { runner: 'node' });
  expect(node.file).toBe('requests.test.mjs');
  expect(node.code).toContain("    id: any('string', body1.id),");

  const python = await emulator.makeTest(['r1', 'r2', 'r3'], { runner: 'pytest' });
  expect(python.file).toBe('test_requests.py');
  expect(python.code).toContain('"id": Any(str),');
  expect(python.code).toContain('f"/v1/vals/{id1}?from={id1}"');
  expect(python.code).toContain('f"// {{{id1}}}"');
  expect(python.code).not.toContain(body.id);

  const jest = await emulator.makeTest(['r1'], { runner: 'jest' });
  expect(jest.code).toContain("const { emulatorTest, expect } = require('val-emulator/jest');");
});

test('a fault, a rate limit and a reset are armed again', async () => {
  const emulator = await emulate(WORLD, { rateLimit: { limit: 1, window: '1m' } });
  emulator.fail('GET /v1/me', { status: 503, times: 1 });
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'ada').get('/v1/me');
  emulator.fail('GET /v1/me/likes', { reset: true });
  await expect(emulator.fetch('/v1/me/likes')).rejects.toThrow();

  const { code, notes } = await emulator.makeTest();
  expect(notes).toEqual([]);
  expect(code).toContain("emulator.fail('GET /v1/me', { status: 503, times: 1 });");
  expect(code).toContain("emulator.fail('GET /v1/me', { status: 429, times: 1 });");
  expect(code).toContain("emulator.fail('GET /v1/me/likes', { reset: true, times: 1 });");
  expect(code).toContain("await expect(emulator.fetch('/v1/me/likes')).rejects.toThrow();");
  expect((await emulator.makeTest('last', { runner: 'pytest' })).code).toContain('with pytest.raises(OSError):');
});

test('tokens and other secrets are replaced, as in a session', async () => {
  const emulator = await emulate({ users: [{ username: 'ada', token: 'a-secret-of-ada-77' }] });
  for (const token of ['a-secret-of-ada-77', 'vtwn_a_real_token_of_production'])
    await emulator.fetch('/v1/me', { headers: { authorization: `Bearer ${token}`, cookie: 'sid=my-session-4711' } });

  const { code } = await emulator.makeTest();
  expect(code).not.toMatch(/a-secret|vtwn|4711/);
  expect(code).toContain("authorization: 'Bearer ada-token'");
  expect(code).toContain("authorization: 'Bearer unknown-token'");
  expect(code).toContain('expect(r1.status).toBe(200);');
  expect(code).toContain('expect(r2.status).toBe(401);');
});

test('options of the emulator that explain a response are those of the test', async () => {
  const emulator = await emulate(WORLD, { auth: 'lenient', defaultPrivacy: 'public' });
  await emulator.fetch('/v1/vals', {
    method: 'POST',
    headers: { authorization: 'Bearer a-token-that-nobody-has', 'content-type': 'application/json' },
    body: '{"name":"x","code":"1"}',
  });
  const { code, notes } = await emulator.makeTest('r1');
  expect(notes).toEqual([]);
  expect(code).toContain("  auth: 'lenient',\n  defaultPrivacy: 'public',\n");
  expect(code).toContain('expect(r1.status).toBe(200);');
  expect((await emulator.makeTest('r1', { runner: 'pytest' })).code).toContain(
    'npx val-emulator exec --auth=lenient --default-privacy=public -- pytest',
  );
});

test('a response that the requests alone do not get is expected as it is, and said', async () => {
  const emulator = await emulate(WORLD);
  const { id } = (await as(emulator, 'ada').post('/v1/vals').send({ name: 'new', code: '1' })).body;
  emulator.sandbox();
  await emulator.fetch(`/_emulator/records/vals/${id}`, { method: 'DELETE' });
  await as(emulator, 'ada').get(`/v1/vals/${id}`);

  const { code, notes } = await emulator.makeTest(['r1', 'r2']);
  expect(notes).toEqual([
    'r2: it responded 404, and 200 in the test.',
    'The test does not have other changes between its requests: w1.',
  ]);
  expect(code).toContain('  // It responded 404 when it was recorded.\n');
  expect(code).toContain('expect(r2.status).toBe(200);');
});

test('a body is sent as it was written, if a program would not write it so', async () => {
  const emulator = await emulate(WORLD);
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    emulator.fetch('/v1/vals', { method: 'POST', headers: { authorization: 'Bearer ada-token', ...headers }, body });
  const json = { 'content-type': 'application/json' };
  await send('{"__proto__": {"a":1}}', json);
  await send('{ "name" : "spaced", "code":"1" }', json);
  await send('{"name":', json);
  await send(new Uint8Array(Buffer.from('{}')));

  const { code, notes } = await emulator.makeTest();
  expect(notes).toEqual([]);
  expect(code).toContain(`body: '{"__proto__": {"a":1}}',`);
  expect(code).toContain("body: JSON.stringify({ name: 'spaced', code: '1' }),");
  expect(code).toContain(`body: '{"name":',`);
  expect(code).toContain(`body: Buffer.from('e30=', 'base64'),`);
});

test('long fixtures are in a separate file, unless they may be in it', async () => {
  const code = `// ${'x'.repeat(13_000)}`;
  const emulator = await emulate({ users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'long', code }] });
  await as(emulator, 'ada').get('/v1/alias/ada/long');

  const beside = await emulator.makeTest('last');
  expect(beside.fixtures).toEqual({ file: 'requests.fixture.json', text: expect.stringContaining(code) });
  expect(beside.code).toContain("fixtures: fileURLToPath(new URL('./requests.fixture.json', import.meta.url)),");
  expect((await emulator.makeTest('last', { runner: 'jest' })).code).toContain(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code of a template
    'fixtures: `${__dirname}/requests.fixture.json`,',
  );
  const python = await emulator.makeTest('last', { runner: 'pytest' });
  expect(python.fixtures?.file).toBe('requests.fixture.json');
  expect(python.code).toContain('(pathlib.Path(__file__).parent / "requests.fixture.json")');
  expect((await emulator.makeTest('last', { inline: true })).fixtures).toBeNull();
});

test('a wrong request, option or runner is an error', async () => {
  const emulator = await emulate(WORLD);
  await expect(emulator.makeTest()).rejects.toThrow('The journal has no requests.');
  await as(emulator, 'ada').get('/v1/me');
  await expect(emulator.makeTest('r7')).rejects.toThrow('There is no request "r7": the journal has the last 1.');
  await expect(emulator.makeTest([])).rejects.toThrow('requests');
  await expect(emulator.makeTest('r1', JSON.parse('{"runner":"mocha"}'))).rejects.toThrow(
    /runner: found "mocha"; expected "vitest", "jest", "node" or "pytest"/,
  );
  for (let count = 0; count < 100; count += 1) await as(emulator, 'ada').get('/v1/me');
  await expect(emulator.makeTest()).rejects.toThrow('requests: the journal has 101; expected the ids of at most 100.');
  await expect((await createAndClose({ journal: false })).makeTest()).rejects.toThrow(/journal/);
});

async function createAndClose(options: Parameters<typeof createEmulator>[0]) {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

test('requests before the oldest state of the history are refused', async () => {
  const emulator = await emulate(WORLD);
  for (const code of ['0', '1', '2']) await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code });
  emulator.store.forget(1);
  await expect(emulator.makeTest('r1')).rejects.toThrow(
    'The history no longer has the state before r1: it has the last 2 commits. Choose later requests.',
  );
  expect((await emulator.makeTest('r3')).code).toContain("code: '1'");
});

test('the route and a connected sandbox write the same test, also of a session', async () => {
  const emulator = await emulate(WORLD);
  const sandbox = emulator.sandbox('mine');
  await as(sandbox, 'ada').get('/v1/me/likes');
  const test = await sandbox.makeTest('last', { runner: 'node' });
  expect(test.notes).toEqual([]);
  expect(await connect(sandbox.url).makeTest('r1', { runner: 'node' })).toEqual(test);
  const response = await sandbox.fetch('/_emulator/requests/test', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"requests":["last"],"runner":"node"}',
  });
  expect(await response.json()).toEqual(test);

  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.ndjson'), sandbox.session());
  const opened = await create({ session: join(folder, 'a.ndjson'), listen: false });
  onTestFinished(() => opened.close());
  expect(await opened.makeTest('last', { runner: 'node' })).toEqual(test);
});
