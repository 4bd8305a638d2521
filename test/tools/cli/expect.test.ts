import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';
import { run } from './cli.js';

const TWO = { users: [{ username: 'ada' }, { username: 'bob' }] };

async function emulateCalls() {
  const emulator = await emulate(TWO);
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'bob').post('/v1/vals').set('X-Trace', '7').send({ name: 'raport', code: '1' });
  return emulator;
}

test.each<[args: string[], words: string]>([
  [['POST /v1/vals'], 'At least one request POST /v1/vals, as expected.'],
  [['POST /v1/vals', '--times', '1', '--user', 'bob', '--status', '200'], '1 request POST /v1/vals, as expected.'],
  [['GET /v1/me', '--times', '0', '--user', 'bob'], '0 requests GET /v1/me, as expected.'],
  [
    ['POST /v1/vals', '--body', '{"name":"raport"}', '--headers', '{"x-trace":7}', '--query', '{"page":null}'],
    'At least one request POST /v1/vals, as expected.',
  ],
])('expect %j ends with exit code 0', async (args, words) => {
  const { url } = await emulateCalls();
  expect(await run(['expect', ...args, '--url', url])).toEqual({ stdout: `${words}\n`, stderr: '', code: 0 });
});

test('expect takes several routes as a sequence, without quotes, and --only allows no other request', async () => {
  const { url } = await emulateCalls();
  const expecting = (...args: string[]) => run(['expect', ...args, '--url', url]);
  expect(await expecting('--only')).toMatchObject({
    stderr: expect.stringMatching(/^val-emulator: expected no other requests, but there were 2 of 2 in all:\n {2}r1 /),
    code: 1,
  });
  expect(await expecting('POST', '/v1/vals', 'GET', '/v1/me')).toMatchObject({
    stderr: expect.stringMatching(/^val-emulator: expected 2 requests in this order, but number 2 was not received/),
    code: 1,
  });
  expect(await expecting('GET', '/v1/me', 'POST', '/v1/vals', '--status', '200', '--only')).toEqual({
    stdout: 'GET /v1/me, then POST /v1/vals, as expected.\n',
    stderr: '',
    code: 0,
  });
  expect(await expecting('--only')).toMatchObject({ stdout: 'No other requests, as expected.\n', code: 0 });
});

test.each<[args: string[], code: number]>([
  [['GET /v1/me', '--refused', '--times', '1'], 1],
  [['GET /v1/me', '--refused', '--times', '0'], 0],
  [['GET /v1/me', '--refused=false'], 0],
  [['GET /v1/me', '--no-refused', '--times', '0'], 1],
  [['POST /v1/vals', 'GET /v1/me', '--refused'], 1],
])('expect %j tells refused requests from others', async (args, code) => {
  const { url } = await emulateCalls();
  expect(await run(['expect', ...args, '--url', url])).toMatchObject({ code });
});

test('the route of a tool needs no quotes', async () => {
  const { url } = await emulateCalls();
  const { stderr } = await run(['expect', 'tool', 'create_val', '--url', url]);
  expect(stderr).toContain('expected at least one request tool create_val, but there were 0 of 2 in all.');
  const sequence = ['tool', 'create_val', 'POST', '/v1/vals', 'tool', 'creat_val'];
  expect(await run(['expect', ...sequence, '--url', url])).toMatchObject({
    stderr: expect.stringContaining(
      'steps[2].route: there is no route "tool creat_val". Did you mean "tool create_val"?',
    ),
  });
});

test('the tool of a route without the word comes first', async () => {
  const { url } = await emulateCalls();
  expect(await run(['requests', '--route', 'create_file', '--url', url])).toMatchObject({
    stderr: expect.stringContaining('there is no route "create_file". Similar: tool create_file, '),
  });
});

test('expect prints the near misses of a failed assertion and ends with exit code 1', async () => {
  const { url } = await emulateCalls();
  const args = ['expect', 'POST /v1/vals', '--times', '1', '--body', '{"name":"report"}', '--url', url];
  const message = [
    'expected 1 request POST /v1/vals with body {"name":"report"}, but there were 0 of 2 in all.',
    'Near misses:',
    '  r2 POST /v1/vals 200 by bob',
    '      body.name: expected "report", found "raport"',
    '  r1 GET /v1/me 200 by ada',
    '      route: expected "POST /v1/vals", found "GET /v1/me"',
    '      body: expected {"name":"report"}, found null',
  ].join('\n');
  expect(await run(args)).toEqual({ stdout: '', stderr: `val-emulator: ${message}\n`, code: 1 });
  const { stderr, code } = await run([...args, '--json']);
  expect({ error: JSON.parse(stderr), code }).toEqual({ error: { error: { code: 'assertion', message } }, code: 1 });
});

test.each<[args: string[], message: RegExp, code: number]>([
  [['expect', 'POST /v1/val'], /there is no route "POST \/v1\/val"\. Did you mean "POST \/v1\/vals"\?/, 4],
  [['expect', 'GET /v1/me', '--user', 'eve'], /there is no user "eve"/, 4],
  [['expect', 'GET /v1/me', '--times', '-1'], /^val-emulator: --times: found "-1"; expected a number of requests/, 2],
  [['expect'], /^val-emulator: Missing argument: \[route\.\.\]\./, 2],
  [
    ['expect', '--refused', '--times', '0'],
    /Missing argument: \[route\.\.\]\. Name a route: the other flags narrow it\./,
    2,
  ],
  [['expect', '--only', '--refused'], /Name a route: the other flags narrow it\./, 2],
  [['expect', 'GET', '/v1/me', 'POST', '/v1/vals', '--times', '1'], /--times: use it with one route\./, 2],
])('%j ends as a mistake, not as a failed assertion', async (args, message, code) => {
  const { url } = await emulateCalls();
  expect(await run([...args, '--url', url])).toEqual({ stdout: '', stderr: expect.stringMatching(message), code });
});

test('unhandled prints the requests to unknown routes', async () => {
  const emulator = await emulateCalls();
  expect(await run(['requests', '--unhandled', '--url', emulator.url])).toMatchObject({
    stdout: 'No requests.\n',
    code: 0,
  });
  await as(emulator, 'ada').get('/v1/nowhere');
  const { stdout } = await run(['requests', '--unhandled', '--url', emulator.url]);
  expect(stdout).toMatch(/^id .*\nr3 .* GET +404 .* \/v1\/nowhere {2}Route GET:\/v1\/nowhere not found\n$/);
  const json = await run(['requests', '--unhandled', '--json', '--url', emulator.url]);
  expect(JSON.parse(json.stdout)).toMatchObject([{ id: 'r3', path: '/v1/nowhere', status: 404 }]);
});
