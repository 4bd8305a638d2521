import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { launch, run, says } from './cli.js';

const TWO = { users: [{ username: 'ada' }, { username: 'bob' }] };

/** A table without the milliseconds, which differ from run to run. */
const withoutTimes = (table: string) =>
  table.replaceAll(/\b(ms|\d+\.\d) +(?=\S)/g, (_, text) => (text === 'ms' ? 'ms  ' : 'MS  '));

async function askAround(emulator: Emulator): Promise<void> {
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator).get('/v1/me/runs?limit=3');
  await as(emulator, 'bob').post('/v1/vals').send({ name: 'hello', code: '1' });
  await as(emulator, 'bob').get('/v1/nowhere');
}

test('requests prints a table, newest last', async () => {
  const emulator = await emulate(TWO);
  expect(await run(['requests', '--url', emulator.url])).toEqual({ stdout: 'No requests.\n', stderr: '', code: 0 });
  await emulator.sandbox('checkout').fetch('/v1/me');
  expect(await run(['requests', '--url', emulator.url])).toEqual(
    says('No requests. Sandboxes with requests, for --sandbox: checkout (1).'),
  );
  await askAround(emulator);
  const { stdout, stderr, code } = await run(['requests', '--url', emulator.url]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^r1 .* ada {3}\d+\.\d +\/v1\/me$/m);
  expect(withoutTimes(stdout)).toBe(
    [
      'id  time                      method  status  user  ms  path                 why',
      'r1  2024-06-11T22:05:12.585Z  GET     200     ada   MS  /v1/me',
      'r2  2024-06-11T22:05:12.585Z  GET     401     -     MS  /v1/me/runs?limit=3  Unauthorized - the request has no token - GET /_emulator/users lists the tokens',
      'r3  2024-06-11T22:05:12.585Z  POST    200     bob   MS  /v1/vals',
      'r4  2024-06-11T22:05:12.585Z  GET     404     bob   MS  /v1/nowhere          Route GET:/v1/nowhere not found',
      '',
    ].join('\n'),
  );
});

test('requests prints one request with its bodies', async () => {
  const emulator = await emulate(TWO);
  await askAround(emulator);

  const { stdout, stderr, code } = await run(['requests', 'r3', '--url', emulator.url]);

  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(JSON.parse(stdout)).toEqual(emulator.requests()[2]);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'r3', request: { body: { name: 'hello', code: '1' } } });
  expect(await run(['requests', '3', '--url', emulator.url])).toEqual({ stdout, stderr, code });
  expect(await run(['requests', 'r9', '--url', emulator.url])).toEqual({
    stdout: '',
    stderr: 'val-emulator: There is no request "r9": the journal has the last 4.\n',
    code: 4,
  });
  expect(await run(['requests', 'r3', '--follow', '--url', emulator.url])).toMatchObject({
    stderr: expect.stringContaining('Use either <ids> or --follow, not both.'),
    code: 2,
  });
});

test('an injected fault is shown beside its request', async () => {
  const emulator = await emulate(TWO);
  emulator.fail('GET /v1/me', { status: 503, times: 1 });
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'ada').get('/v1/me');
  const { stdout } = await run(['requests', '--url', emulator.url]);
  expect(withoutTimes(stdout)).toBe(
    [
      'id  time                      method  status  user  ms  path    why',
      'r1  2024-06-11T22:05:12.585Z  GET     503     ada   MS  /v1/me  Service Unavailable - fault f1 was injected',
      'r2  2024-06-11T22:05:12.585Z  GET     200     ada   MS  /v1/me',
      '',
    ].join('\n'),
  );
});

test.each<[flags: string[], ids: string[]]>([
  [['--route', 'POST /v1/vals'], ['r3']],
  [
    ['--after', '2'],
    ['r3', 'r4'],
  ],
  [['--route', 'GET /v1/me', '--status', '200'], ['r1']],
  [['--status', '401'], ['r2']],
  [
    ['--status', '4xx,204'],
    ['r2', 'r4'],
  ],
  [
    ['--user', 'bob'],
    ['r3', 'r4'],
  ],
  [
    ['--limit', '2'],
    ['r3', 'r4'],
  ],
  [['--user', 'bob', '--limit', '1'], ['r4']],
  [['--status', '204'], []],
  [['--method', 'POST'], ['r3']],
  [['--path', '/v1/me/runs?limit=3'], ['r2']],
  [['--query', '{"limit":3}'], ['r2']],
  [['--body', '{"name":"hello"}'], ['r3']],
  [['--body', '"hello"'], []],
  [['--headers', '{"Authorization":"Bearer ada-token"}'], ['r1']],
  [['--headers', '{"authorization":null}'], ['r2']],
  [
    ['--after', 'r2'],
    ['r3', 'r4'],
  ],
])('%j prints requests %j', async (flags, ids) => {
  const emulator = await emulate(TWO);
  await askAround(emulator);
  const { stdout, code } = await run(['requests', ...flags, '--json', '--url', emulator.url]);
  const entries: { id: string }[] = JSON.parse(stdout);
  expect({ ids: entries.map(({ id }) => id), code }).toEqual({ ids, code: 0 });
});

test.each<[flags: string[], message: string]>([
  [['--limit', '0'], '--limit: found "0"; expected a number of requests, at least 1.'],
  [['--limit', 'all'], '--limit: found "all"; expected a number of requests, at least 1.'],
  [
    ['--status', '4'],
    '--status: found "4"; expected an HTTP status such as 404, a class such as 4xx, or several: 404,5xx.',
  ],
  [['--query', '3'], '--query: found "3"; expected a JSON object such as {"name":"report"}.'],
  [['--body', '{name}'], '--body: not valid JSON: found "name"; expected a value, or a key in double quotes.'],
  [['--follow', '--limit', '3'], 'Use either --follow or --limit, not both.'],
  [['--clear', '--user', 'ada'], 'Use either --clear or --user, not both.'],
])('%j ends with a message on stderr and exit code 2', async (flags, message) => {
  expect(await run(['requests', ...flags])).toEqual({ stdout: '', stderr: `val-emulator: ${message}\n`, code: 2 });
});

test.each<[flags: string[], message: string]>([
  [['--user', 'nobody'], 'option user: there is no user "nobody".'],
  [
    ['--route', 'email'],
    'option route: there is no route "email". Similar: POST /v1/email. For any route leave it out; the method narrows it.',
  ],
  [['--route', '/v1/me'], 'option route: there is no route "/v1/me". Did you mean "GET /v1/me"?'],
])('%j cannot match and is refused', async (flags, message) => {
  const emulator = await emulate(TWO);
  const refusal = { stdout: '', stderr: `val-emulator: ${message}\n`, code: 4 };
  expect(await run(['requests', ...flags, '--url', emulator.url])).toEqual(refusal);
});

test('a terminal gets colors, and a long path is cut to its width', async () => {
  const emulator = await emulate(TWO);
  const path = `/v1/me/runs?limit=3&since=2024-01-01T00:00:00Z${'&limit=3'.repeat(20)}`;
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'ada').get(path);
  // Wide enough for the milliseconds of a busy machine, which are not cut.
  const { stdout } = await run(['requests', '--url', emulator.url], { terminal: 110 });
  expect(stdout).toContain('\u001b[32m200\u001b[39m');
  expect(stdout).toMatch(/ \/v1\/me\/runs\?limit=3[^ ]*… {2}querystring\/limit [^…]+…$/m);
  const lengths = stripVTControlCharacters(stdout)
    .split('\n')
    .map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(110);
  // In a pipe it is whole, and moves nothing.
  const piped = withoutTimes((await run(['requests', '--url', emulator.url])).stdout);
  expect(piped.split('\n').map((line) => line.slice('id  2024-06-11T22:05:12.585Z  GET     '.length))).toEqual([
    `${'status  user  ms  path'.padEnd(78)}  why`,
    '200     ada   MS  /v1/me',
    expect.stringContaining(
      `400     ada   MS  ${path}  querystring/limit must be integer - querystring/limit was ["3",`,
    ),
    '',
  ]);
});

test('a long cell of a table moves the rest of its row only, and the last column is cut to the terminal', async () => {
  const emulator = await emulate(TWO);
  const to = Array.from({ length: 9 }, (_, i) => `reader-${i}@example.com`);
  emulator.add.email([
    { user: 'ada', to, subject: 'Many' },
    { user: 'ada', to: 'grace@example.com', subject: 'One' },
  ]);
  const { stdout } = await run(['emails', '--url', emulator.url]);
  const [heading = '', first = '', second = ''] = stdout.split('\n');
  expect(first).toContain(`  ${to.join(', ')}  Many`);
  expect(heading.indexOf('subject')).toBe(heading.indexOf('to ') + 62);
  expect(second.indexOf('One')).toBe(heading.indexOf('subject'));

  emulator.add.user(['a', 'b', 'c'].map((letter) => ({ username: letter.repeat(48) })));
  const history = await run(['history', '--url', emulator.url], { terminal: 100 });
  const lines = stripVTControlCharacters(history.stdout).split('\n');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(lines.at(-2)).toMatch(/ {2}\+ a+…$/);
});

test('requests are selected by the parameters of their path', async () => {
  const emulator = await emulate({ ...TWO, vals: [{ author: 'ada', name: 'a', code: '1' }] });
  const [id] = emulator.state().vals.map((val) => val.id);
  await as(emulator, 'ada').get(`/v1/vals/${id}`);
  await as(emulator, 'ada').get('/v1/me');
  const flags = ['--params', JSON.stringify({ val_id: id }), '--json', '--url', emulator.url];
  expect(JSON.parse((await run(['requests', ...flags])).stdout)).toMatchObject([{ id: 'r1' }]);
});

test('requests --clear clears the journal', async () => {
  const emulator = await emulate(TWO);
  await askAround(emulator);
  expect(await run(['requests', '--clear', '--url', emulator.url])).toMatchObject({
    stdout: `Cleared the journal of ${emulator.url}.\n`,
    code: 0,
  });
  expect(emulator.requests()).toEqual([]);
});

test('requests --follow prints new requests as they come, until Ctrl-C', async () => {
  const emulator = await emulate(TWO);
  await as(emulator, 'ada').get('/v1/me');
  const command = launch(['requests', '--follow', '--after', 'r0', '--user', 'ada', '--url', emulator.url]);
  await command.prints(/^r1 .*\n/);
  emulator.fail('GET /v1/me', { times: 1 });
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'bob').get('/v1/me');
  await command.prints(/^r2 .*\n/m);
  emulator.reset();
  await as(emulator, 'ada').get('/v1/me/runs?limit=3');
  await command.prints(/runs\?limit=3 .*\n/);
  const { stdout, stderr, code } = await command.kill('SIGINT');
  expect({ lines: stdout.replaceAll(/\d+\.\d ms/g, 'MS').split('\n'), stderr, code }).toEqual({
    lines: [
      'r1  2024-06-11T22:05:12.585Z  GET     /v1/me  200  ada  MS',
      'r2  2024-06-11T22:05:12.585Z  GET     /v1/me  500  ada  MS  Internal Server Error - fault f1 was injected',
      'r1  2024-06-11T22:05:12.585Z  GET     /v1/me/runs?limit=3  200  ada  MS',
      '',
    ],
    stderr: '',
    code: 0,
  });
});

test('requests --follow --json prints a line for each request after its start', async () => {
  const emulator = await emulate(TWO);
  await as(emulator, 'ada').get('/v1/me');
  const command = launch(['requests', '--follow', '--json', '--url', emulator.url]);
  const timer = setInterval(() => void emulator.fetch('/v1/nowhere').catch(() => {}), 50);
  await command.prints(/\n.*\n/);
  clearInterval(timer);
  const { stdout, code } = await command.kill('SIGINT');
  const entries: { path: string }[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(new Set(entries.map(({ path }) => path))).toEqual(new Set(['/v1/nowhere']));
  expect(code).toBe(0);
});

test('requests --follow ends when the emulator does', async () => {
  const emulator = await emulate(TWO);
  await as(emulator, 'ada').get('/v1/me');
  const command = launch(['requests', '--follow', '--after', 'r0', '--url', emulator.url]);
  await command.prints(/^r1 /);
  await emulator.close();
  expect(await command.end()).toMatchObject({
    stderr: expect.stringMatching(/^val-emulator: No emulator at /),
    code: 3,
  });
});

test('last, -1 and -2 name requests, commits and emails from the end', async () => {
  const emulator = await emulate(TWO);
  await askAround(emulator);
  const env = { VAL_EMULATOR_URL: emulator.url };
  const read = async (...words: string[]) => {
    const { stdout, stderr, code } = await run([...words, '--json'], { env });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    return JSON.parse(stdout);
  };
  for (const id of ['last', '-1', 'r4', '4']) expect(await read('requests', id)).toMatchObject({ id: 'r4' });
  expect(await read('requests', 'r1', '-2')).toMatchObject([{ id: 'r1' }, { id: 'r3' }]);
  expect((await run(['requests', 'r1', 'r2'], { env })).stdout.match(/^ {2}"id": .*/gm)).toEqual([
    '  "id": "r1",',
    '  "id": "r2",',
  ]);
  expect(await read('explain', 'last')).toMatchObject({ id: 'r4' });
  expect(await read('history', 'last')).toMatchObject({ id: 'r3', request: 'POST /v1/vals' });
  expect(await emulator.explain('-3')).toMatchObject({ id: 'r2' });
  for (const [words, problem] of [
    [['requests', '-5'], 'There is no request "-5": the journal has the last 4.'],
    [['requests', 'r1', '99'], 'There is no request "r99": the journal has the last 4.'],
    [['history', '-2'], 'There is no commit "-2": the history has the last 1.'],
  ] as const)
    expect(await run([...words], { env })).toEqual({ stdout: '', stderr: `val-emulator: ${problem}\n`, code: 4 });

  for (const subject of ['One', 'Two'])
    await as(emulator, 'ada').post('/v1/email').send({ to: 'grace@example.com', subject, text: '1' });
  const [first, second] = emulator.emails();
  expect(await read('emails', 'last')).toMatchObject({ id: second?.id, subject: 'Two' });
  expect(await read('emails', '-2')).toMatchObject({ id: first?.id });
  expect(await read('emails', String(first?.id).slice(0, 8))).toMatchObject({ id: first?.id });
  expect((await run(['emails', '-3'], { env })).stderr).toBe('val-emulator: There is no email "-3".\n');
  expect((await run(['emails', 'zzzzzz'], { env })).stderr).toBe('val-emulator: There is no email "zzzzzz".\n');

  expect((await run(['rewind', 'last'], { env })).code).toBe(0);
  expect(emulator.history().map(({ id }) => id)).toEqual(['r3', 'r5']);
});
