import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';
import { requestFrom } from '../../support/request-from.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures = {
  users: [{ username: 'ada', token: 'S3CRET-token' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
};
const authorization = 'Bearer S3CRET-token';

const LABEL = String.raw`[a-z]+="(?:[^"\\]|\\["\\n])*"`;
const SAMPLE = new RegExp(String.raw`^[a-z_]+(?:\{${LABEL}(?:,${LABEL})*\})? [-+\d.e]+$`);

async function read(emulator: Emulator): Promise<string> {
  const response = await emulator.fetch('/_emulator/metrics');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return response.text();
}

/** The lines of a metric, without its name. */
const pick = (text: string, name: string) =>
  text.split('\n').flatMap((line) => (line.startsWith(name) ? [line.slice(name.length)] : []));

/** Each node has its own numbers. */
const testOfOneNode = test.skipIf(isShared);

testOfOneNode('requests are counted by the path of their route, method and status', async () => {
  const emulator = await emulate(fixtures);
  const headers = { authorization };
  for (const [path, init] of [
    [`/v1/vals/${HELLO}`, {}],
    [`/v1/vals/${HELLO}/`, { headers }],
    ['/v1/vals/none', {}],
    [`/v1/vals/${HELLO}`, { method: 'HEAD' }],
    ['/v1/me', {}],
    ['/_sandbox/one/v1/me', { headers }],
    ['/v1/nowhere', {}],
    ['/', {}],
    ['/_emulator/requests/r1', {}],
    ['/_emulator/db/vals', {}],
    ['/_emulator/nowhere', {}],
    ['/v1/me', { method: 'OPTIONS' }],
  ] satisfies [string, RequestInit][]) {
    await emulator.fetch(path, init);
  }
  expect(pick(await read(emulator), 'val_emulator_requests_total')).toEqual([
    '{route="/v1/vals/{val_id}",method="GET",status="200"} 2',
    '{route="/v1/vals/{val_id}",method="GET",status="400"} 1',
    '{route="/v1/vals/{val_id}",method="HEAD",status="200"} 1',
    '{route="/v1/me",method="GET",status="401"} 1',
    '{route="/v1/me",method="GET",status="200"} 1',
    '{route="other",method="GET",status="404"} 2',
    '{route="other",method="GET",status="200"} 1',
    '{route="other",method="OPTIONS",status="204"} 1',
    '{route="/_emulator/requests/{id}",method="GET",status="200"} 1',
    '{route="/_emulator/db",method="GET",status="200"} 1',
  ]);
  // The request for the metrics is in the next ones.
  expect(pick(await read(emulator), 'val_emulator_requests_total{route="/_emulator/metrics"')).toEqual([
    ',method="GET",status="200"} 1',
  ]);
});

testOfOneNode('a client cannot make up labels', async () => {
  const emulator = await emulate(fixtures);
  for (let i = 0; i < 50; i++) {
    await emulator.fetch(`/made-up/${i}`);
    await emulator.fetch(`/_emulator/made-up-${i}"\n`, { method: `X${i}` });
    await emulator.fetch(`/v1/vals/${i}/runs/${i}`, { method: 'BREW' });
    await emulator.fetch(`/_sandbox/made-up-${i}/v1/me`, { headers: { authorization } });
  }
  const text = await read(emulator);
  expect(pick(text, 'val_emulator_requests_total')).toEqual([
    '{route="other",method="GET",status="404"} 50',
    '{route="other",method="other",status="404"} 100',
    '{route="/v1/me",method="GET",status="200"} 50',
  ]);
  expect(text).not.toContain('made-up');
});

testOfOneNode('durations are a histogram by route and method', async () => {
  const emulator = await emulate(fixtures);
  for (let i = 0; i < 3; i++) await emulator.fetch('/v1/me', { headers: { authorization } });
  const lines = pick(await read(emulator), 'val_emulator_request_duration_seconds');
  const labels = '{route="/v1/me",method="GET"';
  expect(lines.map((line) => line.replace(/ .*/, ''))).toEqual([
    ...['0.0005', '0.002', '0.01', '0.05', '0.25', '1', '+Inf'].map((le) => `_bucket${labels},le="${le}"}`),
    `_sum${labels}}`,
    `_count${labels}}`,
  ]);
  const values = lines.map((line) => Number(line.replace(/.* /, '')));
  const buckets = values.slice(0, 7);
  expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  expect([buckets.at(-1), values.at(-1)]).toEqual([3, 3]);
  expect(values[7]).toBeGreaterThan(0);
});

testOfOneNode('a fault is counted with its status, and a reset connection as 0', async () => {
  const emulator = await emulate(fixtures);
  await emulator.fail('GET /v1/me', { status: 503, times: 1 });
  await emulator.fail('GET /v1/me', { reset: true, after: 1, times: 1 });
  await emulator.fetch('/v1/me');
  await emulator.fetch('/v1/me').catch(() => {});
  await emulator.fetch('/v1/me').catch(() => {});
  expect(pick(await read(emulator), 'val_emulator_requests_total{route="/v1/me",method="GET",status=').sort()).toEqual([
    '"0"} 1',
    '"401"} 1',
    '"503"} 1',
  ]);
});

testOfOneNode('commits, sandboxes, the version and the process have a number each', async () => {
  const emulator = await emulate(fixtures);
  const create = (name: string, sandbox = '') =>
    emulator.fetch(`${sandbox}/v1/vals`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name, code: '1' }),
    });
  await create('one');
  await create('one'); // a 409
  await create('one', '/_sandbox/a');
  await emulator.sandbox('b');
  await emulator.reset();

  const text = await read(emulator);

  expect(pick(text, 'val_emulator_commits_total')).toEqual([' 2']);
  expect(pick(text, 'val_emulator_sandboxes')).toEqual([' 2']);
  expect(pick(text, 'val_emulator_info')).toEqual([expect.stringMatching(/^\{version="\d+\.\d+\.\d+"\} 1$/)]);
  const [started] = pick(text, 'process_start_time_seconds');
  expect(Number(started)).toBeGreaterThan(Date.now() / 1_000 - 86_400);
  expect(Number(started)).toBeLessThanOrEqual(Date.now() / 1_000);
  for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'nodejs_heap_size_total_bytes']) {
    expect(Number(pick(text, name)[0])).toBeGreaterThan(1e6);
  }
  expect(Number(pick(text, 'nodejs_eventloop_active_seconds_total')[0])).toBeGreaterThanOrEqual(0);
});

testOfOneNode(
  'every line is one of the text format, each metric has help and type, and no token is there',
  async () => {
    const emulator = await emulate(fixtures);
    await emulator.fetch(`/v1/me?token=S3CRET-token`, { headers: { authorization } });
    const text = await read(emulator);
    expect(text.endsWith('\n')).toBe(true);
    const lines = text.trimEnd().split('\n');
    const samples = lines.filter((line) => !line.startsWith('# '));
    expect(samples.filter((line) => !SAMPLE.test(line))).toEqual([]);
    const typed = lines.flatMap((line) => /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line)?.[1] ?? []);
    const helped = lines.flatMap((line) => /^# HELP (\w+) .+\.$/.exec(line)?.[1] ?? []);
    const named = samples.map((line) => line.replace(/(?:_bucket|_sum|_count)?[{ ].*/, ''));
    expect(typed).toEqual(helped);
    expect([...new Set(named)]).toEqual(typed);
    expect(text).not.toContain('S3CRET');
  },
);

test('a request for metrics creates no sandbox', async () => {
  const emulator = await emulate(fixtures);
  expect((await as(emulator).get('/_sandbox/one/_emulator/metrics')).status).toBe(200);
  expect(emulator.sandboxes()).toEqual([]);
});

test('metrics have the guard of the control API, but accept the addresses of the machine as hosts', async () => {
  const emulator = await emulate(fixtures, { controlFrom: ['10.0.0.0/8'] });
  const ask = async (remoteAddress: string, host: string, headers: Readonly<Record<string, string>> = {}) =>
    (await requestFrom(emulator, remoteAddress, '/_emulator/metrics', { host, ...headers })).status;
  expect(await ask('10.1.2.3', '10.4.5.6:4010')).toBe(200);
  expect(await ask('10.1.2.3', '[2001:db8::1]:4010')).toBe(200);
  expect(await ask('127.0.0.1', '192.168.1.5')).toBe(200);
  expect(await ask('11.1.2.3', '10.4.5.6:4010')).toBe(403);
  expect(await ask('127.0.0.1', 'rebound.evil.test')).toBe(403);
  expect(await ask('127.0.0.1', '10.4.5.6.evil.test')).toBe(403);
  expect(await ask('127.0.0.1', '10.4.5.6', { origin: 'http://10.4.5.6' })).toBe(403);
  expect(await ask('127.0.0.1', '10.4.5.6', { 'sec-fetch-site': 'cross-site' })).toBe(403);
});

test('control: false disables metrics', async () => {
  const emulator = await emulate(fixtures, { control: false });
  expect((await as(emulator).get('/_emulator/metrics')).status).toBe(404);
});
