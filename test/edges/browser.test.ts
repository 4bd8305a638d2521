import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { emulate } from '../support/emulate.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', code: `${'a'.repeat(40)}!` }],
};
const ODD = encodeURIComponent('^(a+)+$');

test('a pattern that would backtrack for ever is plain text in the data browser', async () => {
  const emulator = await emulate(fixtures);

  const response = await fetch(`${emulator.url}/_emulator/db/vals?code_like=${ODD}`);
  const after = await fetch(`${emulator.url}/_emulator/db/vals?code_like=aa!`);

  expect([response.status, await response.json()]).toEqual([200, []]);
  expect(await after.json()).toHaveLength(1);
});

test('the data browser refuses to read or join more records than it can while others wait', async () => {
  const runs = Array.from({ length: 4_998 }, () => ({ val: 'ada/hello' }));
  const emulator = await emulate({ ...fixtures, runs });
  const read = async (path: string) => {
    const response = await fetch(`${emulator.url}/_emulator/db/${path}`);
    const body = Object(await response.json());
    return response.status === 200 ? Object.keys(body).length : body.message;
  };
  const advice = 'Use /_emulator/records/runs, which reads a page at a time.';

  expect(await read('runs')).toBe(4_998);
  expect(await read('runs?_expand=val')).toBe(4_998);
  const again = '&_expand=val'.repeat(2);
  expect(await read(`runs?_expand=val${again}`)).toBe(
    `json-server reads at most 5000 records; these are 5001. ${advice}`,
  );
  emulator.add.run({ val: 'ada/hello' });
  emulator.add.run({ val: 'ada/hello' });
  expect(await read('runs')).toBe(5_000);
  const { id } = emulator.add.run({ val: 'ada/hello' });
  expect(await read('runs?_limit=1')).toBe(`json-server reads at most 5000 records; these are 5001. ${advice}`);
  expect(await read(`runs/${id}?_expand=val`)).toBeGreaterThan(10);
  expect(await read('vals?_expand=user')).toBe(1);
});

test('a join of the data browser that compares too many records names the page that it can read', async () => {
  const vals = Array.from({ length: 2_000 }, (_, i) => ({ author: 'ada', name: `v${i}`, code: '1' }));
  const runs = vals.map(({ name }) => ({ val: `ada/${name}` }));
  const emulator = await emulate({ ...fixtures, vals, runs });
  const path = `${emulator.url}/_emulator/db/runs?_expand=val`;

  const response = await fetch(path);
  const page = await fetch(`${path}&_limit=500`);

  expect([response.status, await response.json()]).toMatchObject([
    400,
    {
      message:
        '_embed and _expand compare at most 1000000 pairs of records; these are 4000000: set _limit=500. Use /_emulator/records/runs, which reads a page at a time.',
    },
  ]);
  expect(await page.json()).toHaveLength(500);
});

test.each([
  'code_like=[',
  'code_like=(?',
  'q[]=x',
  '_sort=a&_sort=b',
  '_sort=a&_order=asc&_order=desc',
  'callback=alert',
  '_sort[]=a',
  '_page=x',
  '_limit=-1',
  '__proto__=1',
  'constructor_like=.',
])('the data browser responds to the query %s without a stack', async (query) => {
  const emulator = await emulate(fixtures);

  const response = await fetch(`${emulator.url}/_emulator/db/vals?${query}`);

  expect(response.status).toBeLessThan(500);
  expect(await response.text()).not.toMatch(/node_modules|\.js:\d/);
});

/** What a browser sends for an image of another site: no Origin. */
const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };

test.each<[what: string, headers: Readonly<Record<string, string>>]>([
  ['an image of another site', IMAGE],
  ['a link of another site', { ...IMAGE, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
  ['an image of another name of this site', { ...IMAGE, 'sec-fetch-site': 'same-site' }],
  ['a form of another site', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
  ['a page whose name leads here', { host: 'evil.example:4010' }],
])('%s reaches neither the control API nor the data browser', async (_, headers) => {
  const emulator = await emulate(fixtures);

  for (const method of ['GET', 'POST']) {
    for (const path of [
      '/_emulator/db/vals',
      '/_emulator/reset',
      '/_sandbox/a/_emulator/users',
      '/_emulator/nothing',
    ]) {
      expect([path, await send(`${emulator.url}${path}`, method, headers)]).toEqual([path, 403]);
    }
  }
  expect(await (await emulator.fetch('/_emulator/sandboxes')).json()).toEqual([]);
});

test('images of another site, preflights and unknown tokens create no sandbox', async () => {
  const emulator = await emulate(fixtures, { maxSandboxes: 2 });

  for (let i = 0; i < 5; i++) {
    expect(await send(`${emulator.url}/_sandbox/x${i}/favicon.ico`, 'GET', IMAGE)).toBe(404);
    expect(await send(`${emulator.url}/_sandbox/x${i}/v1/me`, 'GET', IMAGE)).toBe(401);
    expect(await send(`${emulator.url}/_sandbox/x${i}/v1/me`, 'OPTIONS', IMAGE)).toBe(204);
    expect(await send(`${emulator.url}/_sandbox/x${i}/_emulator/users`, 'OPTIONS', {})).toBe(204);
    expect(await send(`${emulator.url}/_sandbox/x${i}/v1/me`, 'GET', { authorization: 'Bearer wrong' })).toBe(401);
  }

  expect(await (await emulator.fetch('/_emulator/sandboxes')).json()).toEqual([]);
});

/** Sends a request with any headers, also those that fetch refuses, and returns the status. */
const send = (url: string, method: string, headers: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    request(url, { method, headers, agent }, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

test('a page that may read the control API may read its errors', async () => {
  const emulator = await emulate(fixtures);
  const origin = 'http://localhost:3000';
  const post = (body: string) =>
    emulator.fetch('/_emulator/users', { method: 'POST', headers: { ...JSON_TYPE, origin }, body });

  const responses = [
    await post('{"username":"cleo"}'),
    await post('{"username":"ada"}'),
    await post('{'),
    await post('7'),
  ];

  expect(responses.map(({ status }) => status)).toEqual([201, 422, 400, 400]);
  expect(new Set(responses.map(({ headers }) => headers.get('access-control-allow-origin')))).toEqual(
    new Set([origin]),
  );
});

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each<[method: string, path: string, body: (value: string) => string]>([
  ['POST', '/_emulator/runs', (value) => `{"val":"ada/hello","returnValue":${value}}`],
  ['POST', '/_emulator/faults', (value) => `{"status":503,"body":${value}}`],
  ['POST', '/_emulator/db/runs', (value) => `{"val":"ada/hello","returnValue":${value}}`],
  ['PUT', '/_emulator/seed', (value) => `{"runs":[{"val":"ada/hello","logs":${value}}]}`],
  ['PUT', '/_emulator/clock', (value) => `{"set":${value}}`],
  ['POST', '/v1/vals', (value) => `{"code":${value}}`],
])('JSON nested thousands of levels deep returns 400: %s %s', async (method, path, body) => {
  const emulator = await emulate(fixtures);
  const headers = { ...JSON_TYPE, authorization: 'Bearer ada-token' };

  for (const levels of [1_500, 5_000, 100_000]) {
    const response = await emulator.fetch(path, { method, headers, body: body(nested(levels)) });
    expect([levels, response.status]).toEqual([levels, 400]);
    expect(await response.json()).toMatchObject({ message: 'Body is nested deeper than 500 levels' });
  }
});

test('a refused write to the control API uses no number of the history', async () => {
  const emulator = await emulate(fixtures);

  expect(() => emulator.add.user({ username: 'ada' })).toThrow('taken');
  emulator.add.user({ username: 'cleo' });

  expect(emulator.history().map(({ id }) => id)).toEqual(['w1']);
});
