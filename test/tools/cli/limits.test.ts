import { request } from 'node:http';
import { expect, test } from 'vitest';
import { run, serve } from './cli.js';

const EMPTY = ['--fixtures', 'empty', '--json'];

/** The status of an answer to a request that names another host. */
const statusAt = (url: string, host: string) =>
  new Promise((resolve, reject) => {
    request(`${url}/_emulator/clock`, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;
const makeSandbox = (url: string) => statusOf(`${url}/_emulator/sandboxes`, { method: 'POST' });

test('--rate-limit refuses requests beyond the limit', async () => {
  for (const way of [
    serve([...EMPTY, '--rate-limit', '2/1m']),
    serve(EMPTY, { env: { VAL_EMULATOR_RATE_LIMIT: '2/1m' } }),
  ]) {
    const { url } = await way;
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push(await statusOf(`${url}/v1/me`));
    expect(statuses).toEqual([401, 401, 429]);
  }
});

test('--no-control serves nothing under /_emulator except its health', async () => {
  for (const way of [serve([...EMPTY, '--no-control']), serve(EMPTY, { env: { VAL_EMULATOR_CONTROL: 'off' } })]) {
    const { url } = await way;
    expect(await statusOf(`${url}/_emulator/clock`)).toBe(404);
    expect(await statusOf(`${url}/_emulator/health`)).toBe(200);
  }
  const { url } = await serve([...EMPTY, '--control'], { env: { VAL_EMULATOR_CONTROL: 'off' } });
  expect(await statusOf(`${url}/_emulator/clock`)).toBe(200);
});

test('each --allowed-host admits a host to the control plane', async () => {
  for (const way of [
    serve([...EMPTY, '--allowed-host', 'one.test', '--allowed-host', 'two.test']),
    serve(EMPTY, { env: { VAL_EMULATOR_ALLOWED_HOST: 'one.test, two.test' } }),
  ]) {
    const { url } = await way;
    const hosts = ['127.0.0.1', 'one.test', 'two.test:80', 'three.test'];
    expect(await Promise.all(hosts.map((host) => statusAt(url, host)))).toEqual([200, 200, 200, 403]);
  }
});

test('--max-sandboxes refuses one more', async () => {
  for (const way of [
    serve([...EMPTY, '--max-sandboxes', '1', '--sandbox-idle', '0']),
    serve(EMPTY, { env: { VAL_EMULATOR_MAX_SANDBOXES: '1', VAL_EMULATOR_SANDBOX_IDLE: '0' } }),
  ]) {
    const { url } = await way;
    expect([await makeSandbox(url), await makeSandbox(url)]).toEqual([200, 503]);
  }
});

test('at --max-sandboxes the longest idle sandbox makes room, by default', async () => {
  const { url } = await serve([...EMPTY, '--max-sandboxes', '1']);

  expect([await makeSandbox(url), await makeSandbox(url)]).toEqual([200, 200]);
});

test.each<[args: string[], message: string]>([
  [
    ['--sandbox-idle', 'soon'],
    '--sandbox-idle: found "soon"; expected a duration such as "90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w), or 0.',
  ],
  [['--rate-limit', '100'], '--rate-limit: found "100"; expected requests per time, such as 100/1m.'],
  [['--rate-limit', '100/soon'], '--rate-limit: found "100/soon"; expected requests per time, such as 100/1m.'],
  [['--rate-limit', '0/1m'], '--rate-limit: found 0; expected at least 1.'],
  [['--max-sandboxes', 'many'], '--max-sandboxes: found "many"; expected a whole number.'],
  [['--max-sandboxes', '-1'], '--max-sandboxes: found -1; expected at least 0.'],
  [
    ['--allowed-host', ''],
    '--allowed-host: found ""; expected a host name without a port, or ".example.test" for example.test and all names below it.',
  ],
])('%j ends with a message on stderr and exit code 2', async (args, message) => {
  expect(await run(args)).toEqual({ stdout: '', stderr: `val-emulator: ${message}\n`, code: 2 });
});
