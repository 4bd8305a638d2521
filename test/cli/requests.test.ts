import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { run } from './cli.js';

const TWO = { users: [{ username: 'ada' }, { username: 'bob' }] };

/** A table without the milliseconds, which differ from run to run. */
const withoutTimes = (table: string) =>
  table
    .replaceAll(/ {2}\d+\.\d *(?= {2}|$)/gm, '')
    .replace(/ms +fault/, 'ms   fault')
    .replaceAll(/ +$/gm, '');

async function askAround(emulator: Emulator): Promise<void> {
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator).get('/v1/me/runs?limit=3');
  await as(emulator, 'bob').post('/v1/vals').send({ name: 'hello', code: '1' });
  await as(emulator, 'bob').get('/v1/nowhere');
}

test('requests prints a table, newest last', async () => {
  const emulator = await emulate(TWO);
  expect(await run(['requests', '--url', emulator.url])).toEqual({ stdout: 'No requests.\n', stderr: '', code: 0 });
  await askAround(emulator);
  const { stdout, stderr, code } = await run(['requests', '--url', emulator.url]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^r1 .* ada {3}\d+\.\d$/m);
  expect(withoutTimes(stdout)).toBe(
    [
      'id  time                      method  path                 status  user  ms',
      'r1  2024-06-11T22:05:12.585Z  GET     /v1/me               200     ada',
      'r2  2024-06-11T22:05:12.585Z  GET     /v1/me/runs?limit=3  401     -',
      'r3  2024-06-11T22:05:12.585Z  POST    /v1/vals             200     bob',
      'r4  2024-06-11T22:05:12.585Z  GET     /v1/nowhere          404     bob',
      '',
    ].join('\n'),
  );
});

test('a fault that struck is shown beside its request', async () => {
  const emulator = await emulate(TWO);
  emulator.fail('GET /v1/me', { status: 503, times: 1 });
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'ada').get('/v1/me');
  const { stdout } = await run(['requests', '--url', emulator.url]);
  expect(withoutTimes(stdout)).toBe(
    [
      'id  time                      method  path    status  user  ms   fault',
      'r1  2024-06-11T22:05:12.585Z  GET     /v1/me  503     ada   f1',
      'r2  2024-06-11T22:05:12.585Z  GET     /v1/me  200     ada   -',
      '',
    ].join('\n'),
  );
});

test.each<[flags: string[], ids: string[]]>([
  [['--route', 'POST /v1/vals'], ['r3']],
  [['--route', 'GET /v1/me', '--status', '200'], ['r1']],
  [['--status', '401'], ['r2']],
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
  [['--status', '4xx'], '--status: found "4xx"; expected an HTTP status such as 404.'],
])('%j is a message on stderr and exit code 2', async (flags, message) => {
  expect(await run(['requests', ...flags])).toEqual({ stdout: '', stderr: `val-emulator: ${message}\n`, code: 2 });
});

test.each<[flags: string[], message: string]>([
  [['--user', 'nobody'], 'option user: there is no user "nobody".'],
  [['--route', '/v1/me'], 'option route: there is no route "/v1/me". Did you mean "GET /v1/me"?'],
])('%j cannot match and is a mistake', async (flags, message) => {
  const emulator = await emulate(TWO);
  const refusal = { stdout: '', stderr: `val-emulator: ${message}\n`, code: 4 };
  expect(await run(['requests', ...flags, '--url', emulator.url])).toEqual(refusal);
});

test('in a terminal there are colors, and a long path is cut to the width', async () => {
  const emulator = await emulate(TWO);
  const path = `/v1/me/runs?limit=3&since=2024-01-01T00:00:00Z${'&limit=3'.repeat(20)}`;
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'ada').get(path);
  const { stdout } = await run(['requests', '--url', emulator.url], { terminal: 100 });
  expect(stdout).toContain('\u001b[32m200\u001b[39m');
  expect(stdout).toMatch(/ \/v1\/me\/runs\?limit=3[^ ]*… /);
  const lengths = stripVTControlCharacters(stdout)
    .split('\n')
    .map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
  expect((await run(['requests', '--url', emulator.url])).stdout).toContain(path);
});
