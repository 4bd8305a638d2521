import { afterAll, expect, test } from 'vitest';
import type { Emulator } from '../../src/index.js';
import { createEmulator } from '../support/emulate.js';
import { scaled, watchdog } from '../support/soak.js';

/** Work of quadratic time has 2, of linear time 1. */
const MAX_EXPONENT = 1.4;
/** Measurements of a size, of which the fastest counts. */
const REPETITIONS = Math.max(3, scaled(8));
/** Milliseconds of processor time that a measurement of the smallest size takes at least. */
const LEAST = 12;

const emulator = await createEmulator({ fixtures: 'empty', onExchange: undefined });
afterAll(() => emulator.close());

const ADA = { authorization: 'Bearer ada-token' };
const JSON_TYPE = { 'content-type': 'application/json' };
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const sandbox = (): Emulator => emulator;

/** Prepares a request outside of the measurement, and checks its status. */
function request(method: string, path: string, statuses: number | readonly number[], body?: unknown, headers = {}) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const init = {
    method,
    headers: { ...ADA, ...(text !== undefined && JSON_TYPE), ...headers },
    ...(text !== undefined && { body: text }),
  };
  return async () => {
    const { status } = await emulator.fetch(path, init);
    expect([statuses].flat(), `${method} ${path.slice(0, 80)}`).toContain(status);
  };
}

/** Returns the measured function, after a preparation. */
async function after(preparation: unknown, run: () => unknown): Promise<() => unknown> {
  await preparation;
  return run;
}

/** `make` is called with the size before each measurement, and returns the measured function. */
type Case = readonly [title: string, n: number, make: (n: number) => (() => unknown) | Promise<() => unknown>];

/** Reads the data browser, which needs HTTP. */
const browse = (path: string) => async () => {
  const response = await fetch(emulator.url + path);
  await response.text();
  expect(response.status, path).toBe(200);
};
const get = (path: string, statuses: number | readonly number[] = 200) => request('GET', path, statuses);
const post = (path: string, statuses: number | readonly number[], body: unknown) =>
  request('POST', path, statuses, body);
const seed = (statuses: number, body: unknown) => request('PUT', '/_emulator/seed', statuses, body);
const nested = (n: number, open: string, close: string) =>
  `{"a":${open.repeat(n)}1${close.repeat(n)}}`.replace(':1}', ':1}');
const usersNamed = (n: number) => times(n, (i) => ({ username: `user${i}` }));
const valsNamed = (n: number, more: object = {}) =>
  times(n, (i) => ({ author: 'ada', name: `val${i}`, code: '1', ...more }));

/** Sends requests that fill the journal, each with a body of about 3 KB. */
async function fillJournal(n: number): Promise<void> {
  const init = {
    method: 'POST',
    headers: { ...ADA, ...JSON_TYPE },
    body: JSON.stringify({ list: times(300, (i) => `item ${i}`) }),
  };
  for (let i = 0; i < n; i++) await emulator.fetch('/v1/vals', init);
}

const SEED = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', code: '1', id: '4e110000-0000-4000-8000-000000000001' }],
};
const HELLO = `/v1/vals/${SEED.vals[0]?.id}`;

const cases: readonly Case[] = [
  // Of a request line and headers.
  ['different query keys', 5_000, (n) => get(`/v1/me?${times(n, (i) => `k${i}=1`).join('&')}`)],
  ['repeated query keys', 2_500, (n) => get(`/v1/me?${'a=1&'.repeat(n)}`)],
  ['repeated keys of a schema', 2_500, (n) => get(`/v1/me/runs?${'limit=1&'.repeat(n)}`, [200, 400])],
  ['query of % signs', 20_000, (n) => get(`/v1/me?a=${'%41'.repeat(n)}&b=${'%'.repeat(n)}`)],
  ['keys of the control API', 4_000, (n) => get(`/_emulator/requests?${times(n, (i) => `k${i}=1`).join('&')}`, 400)],
  ['long path', 50_000, (n) => get(`/v1/${'a'.repeat(n)}`, 404)],
  ['path of segments', 20_000, (n) => get(`/v1${'/a'.repeat(n)}`, 404)],
  ['path of slashes', 50_000, (n) => get(`/v1/me${'/'.repeat(n)}`, [200, 404])],
  ['path of escapes', 20_000, (n) => get(`/v1/vals/${'%41'.repeat(n)}`, [400, 404])],
  ['sandbox name', 50_000, (n) => get(`/_sandbox/${'a'.repeat(n)}/v1/me`, 400)],
  ['absolute address', 50_000, (n) => get(`http://localhost/v1/me?${'/'.repeat(n)}`)],
  [
    'authorization',
    50_000,
    (n) => request('GET', '/v1/me', 401, undefined, { authorization: `Bearer ${'a '.repeat(n)}a` }),
  ],
  [
    'other header',
    50_000,
    (n) =>
      request('GET', '/v1/me', [200, 400], undefined, {
        forwarded: `for=${'a;,='.repeat(n)}`,
        'x-forwarded-host': `${'a,'.repeat(n)}a`,
      }),
  ],
  [
    'headers',
    2_000,
    (n) => request('GET', '/v1/me', 200, undefined, Object.fromEntries(times(n, (i) => [`x-${i}`, 'y']))),
  ],
  // Of JSON.
  ['unknown keys of a body', 5_000, (n) => post('/v1/vals', 400, Object.fromEntries(times(n, (i) => [`k${i}`, 1])))],
  [
    'unknown keys of a body of the control API',
    5_000,
    (n) => post('/_emulator/records/users', 422, Object.fromEntries(times(n, (i) => [`k${i}`, 1]))),
  ],
  [
    'array for an object',
    30_000,
    (n) =>
      post(
        '/v1/vals',
        400,
        times(n, (i) => i),
      ),
  ],
  ['nested arrays', 20_000, (n) => post('/v1/vals', 400, nested(n, '[', ']'))],
  ['nested objects', 5_000, (n) => post('/_emulator/records/runs', [400, 422], nested(n, '{"a":', '}'))],
  [
    'headers of a fault',
    2_000,
    (n) => post('/_emulator/faults', 201, { headers: Object.fromEntries(times(n, (i) => [`x-${i}`, 'y'])) }),
  ],
  [
    'wrong headers of a fault',
    2_000,
    (n) => post('/_emulator/faults', 400, { headers: Object.fromEntries(times(n, (i) => [`x ${i}`, {}])) }),
  ],
  ['broken JSON', 100_000, (n) => post('/v1/vals', 400, `[${'1,'.repeat(n)}`)],
  // Of code.
  ...['=/[', '`${', "import '", '/*', '"\\', '({[', '<!--', "import{a}from'https://esm.town/v/ada/x';"].map(
    (part): Case => [
      `code of ${part}`,
      Math.floor(50_000 / part.length),
      (n) => post('/v1/vals', 200, { code: part.repeat(n) }),
    ],
  ),
  [
    'imports of many vals, replaced',
    900,
    async (n) => {
      const code = (from: number) =>
        times(n, (i) => `import { a } from "https://esm.town/v/ada/val${i + from}";`).join('\n');
      await request('POST', `${HELLO}/versions`, 201, { code: code(0) })();
      return request('POST', `${HELLO}/versions`, 201, { code: code(5) });
    },
  ],
  ['readme', 2_000, (n) => request('PUT', HELLO, 204, { readme: '[a]('.repeat(n / 4) })],
  // Of fixtures.
  ['users', 1_000, (n) => seed(200, { users: usersNamed(n) })],
  ['vals', 500, (n) => seed(200, { users: SEED.users, vals: valsNamed(n) })],
  [
    'vals of unknown authors',
    1_000,
    (n) => seed(422, { users: usersNamed(n), vals: valsNamed(n, { author: 'unknown' }) }),
  ],
  [
    'runs of unknown vals',
    1_000,
    (n) => seed(422, { users: SEED.users, vals: valsNamed(n), runs: times(n, (i) => ({ val: `ada/vale${i}` })) }),
  ],
  ['vals with the same name', 1_000, (n) => seed(422, { users: SEED.users, vals: valsNamed(n, { name: 'one' }) })],
  [
    'versions of one val',
    1_000,
    (n) => seed(200, { ...SEED, versions: times(n, (version) => ({ val: 'ada/hello', version, code: '1' })) }),
  ],
  [
    'likes of one val',
    1_000,
    (n) =>
      seed(200, {
        users: usersNamed(n),
        vals: [{ author: 'user0', name: 'hello', code: '1' }],
        likes: times(n, (i) => ({ user: `user${i}`, val: 'user0/hello' })),
      }),
  ],
  [
    'comments of one val',
    1_000,
    (n) => seed(200, { ...SEED, comments: times(n, () => ({ author: 'bob', val: 'ada/hello', comment: 'Hi' })) }),
  ],
  ['runs of one val', 1_000, (n) => seed(200, { ...SEED, runs: times(n, () => ({ val: 'ada/hello' })) })],
  [
    'importers of one val',
    500,
    (n) =>
      seed(200, {
        users: SEED.users,
        vals: valsNamed(n, { code: 'import { a } from "https://esm.town/v/ada/val0";' }),
      }),
  ],
  [
    'lines of code in an array',
    20_000,
    (n) => seed(200, { users: SEED.users, vals: valsNamed(1, { code: times(n, () => 'x') }) }),
  ],
  ['unknown collections', 2_000, (n) => seed(422, Object.fromEntries(times(n, (i) => [`k${i}`, []])))],
  [
    'unknown keys of records',
    1_000,
    (n) => seed(422, { users: times(n, (i) => ({ username: `user${i}`, [`k${i}`]: 1 })) }),
  ],
  [
    'code of many imports in a fixture',
    2_000,
    (n) =>
      seed(200, {
        users: SEED.users,
        vals: valsNamed(1, { code: times(n, (i) => `import { a } from "https://esm.town/v/ada/val${i}";`) }),
      }),
  ],
  // Of many records.
  ['vals, posted', 100, (n) => repeat(n, () => post('/v1/vals', 200, { code: '1' }))],
  ['versions, posted', 100, (n) => repeat(n, () => post(`${HELLO}/versions`, 201, { code: '1' }))],
  ['snapshots without a name', 200, (n) => repeat(n, () => post('/_emulator/snapshots', 201, {}))],
  [
    'snapshots, listed',
    250,
    (n) =>
      after(
        times(n, (i) => sandbox().snapshot(`s${i}`)),
        get('/_emulator/snapshots'),
      ),
  ],
  ['faults, armed', 200, (n) => repeat(n, () => post('/_emulator/faults', 201, { route: 'GET /v1/me' }))],
  [
    'a request that passes by faults',
    250,
    (n) =>
      after(
        times(n, () => sandbox().fail('GET /v1/me', { after: 1_000_000 })),
        get('/v1/me'),
      ),
  ],
  [
    'faults, disarmed',
    250,
    (n) =>
      after(
        times(n, () => sandbox().fail('*')),
        request('DELETE', '/_emulator/faults', 204),
      ),
  ],
  ['journal, read', 100, (n) => after(fillJournal(n), get('/_emulator/requests'))],
  [
    'journal, filtered',
    200,
    (n) => after(fillJournal(n), get('/_emulator/requests?route=POST%20%2Fv1%2Fvals&status=400&limit=1')),
  ],
  [
    'expectation that misses',
    100,
    (n) =>
      after(fillJournal(n), () =>
        expect(() => sandbox().expectRequest('POST /v1/vals', { body: { list: times(n, (i) => i) } })).toThrow(),
      ),
  ],
  [
    'history, read',
    24,
    (n) =>
      after(
        repeat(n, () => post('/_emulator/records/comments', 201, { author: 'bob', val: 'ada/hello', comment: 'a' }))(),
        get('/_emulator/history'),
      ),
  ],
  [
    'state, exported',
    500,
    (n) => after(sandbox().reseed({ users: SEED.users, vals: valsNamed(n) }), get('/_emulator/state')),
  ],
  [
    'search for words',
    100,
    (n) =>
      after(
        sandbox().reseed({ users: SEED.users, vals: valsNamed(50, { code: 'a '.repeat(2_000) }) }),
        get(`/v1/search/vals?query=${'a%20'.repeat(Math.floor(n / 4))}`),
      ),
  ],
  [
    'search in code',
    2_000,
    (n) =>
      after(
        sandbox().reseed({ users: SEED.users, vals: valsNamed(20, { code: 'ab'.repeat(n), privacy: 'public' }) }),
        get('/v1/search/vals?query=aaab'),
      ),
  ],
  // Of the data browser.
  ['query of the data browser', 2_000, (n) => get(`/_emulator/db/vals?${'id=1&'.repeat(n)}`, [200, 400])],
  [
    'keys of the data browser',
    1_000,
    (n) => get(`/_emulator/db/vals?${times(n, (i) => `k${i}=1`).join('&')}`, [200, 400]),
  ],
  ['path of the data browser', 5_000, (n) => get(`/_emulator/db/${'a'.repeat(n)}`, 404)],
  ['segments of the data browser', 5_000, (n) => get(`/_emulator/db/vals${'/a'.repeat(n)}`, [404, 400])],
  [
    'records of the data browser',
    250,
    (n) =>
      after(
        sandbox().reseed({ users: SEED.users, vals: valsNamed(n) }),
        browse('/_emulator/db/vals?_sort=name&_limit=5'),
      ),
  ],
  [
    'searched records of the data browser',
    250,
    (n) => after(sandbox().reseed({ users: SEED.users, vals: valsNamed(n) }), browse('/_emulator/db/vals?q=zz')),
  ],
  [
    'joined records of the data browser',
    100,
    (n) =>
      after(sandbox().reseed({ users: SEED.users, vals: valsNamed(n) }), browse('/_emulator/db/users?_embed=vals')),
  ],
  [
    'concurrent PATCHes in the data browser',
    40,
    (n) => () =>
      Promise.all(
        times(n, (i) =>
          request('PATCH', '/_emulator/db/vals/4e110000-0000-4000-8000-000000000001', 200, { readme: `${i}` })(),
        ),
      ),
  ],
  [
    'unknown keys in the data browser',
    4_000,
    (n) => post('/_emulator/db/users', 422, Object.fromEntries(times(n, (i) => [`k${i}`, 1]))),
  ],
];

/** Sends one request after the other. */
function repeat(n: number, make: () => () => Promise<void>): () => Promise<void> {
  const send = make();
  return async () => {
    for (let i = 0; i < n; i++) await send();
  };
}

/** Milliseconds of processor time. */
async function measure([title, , make]: Case, n: number, calls: number): Promise<number> {
  let total = 0;
  for (let i = 0; i < calls; i++) {
    sandbox().reseed(SEED);
    for (const { name } of sandbox().snapshots()) sandbox().dropSnapshot(name);
    const run = await make(n);
    const before = process.cpuUsage();
    await watchdog(`${title}, ${n}`, Promise.resolve(run()), 60_000);
    const { user, system } = process.cpuUsage(before);
    total += (user + system) / 1_000;
  }
  return total;
}

/**
 * The exponent k of time ~ n^k, by the fastest of several measurements at n, 2n and 4n. The lesser of the two doublings
 * counts: a value of more than 128 KiB has pages of memory to itself, which some machines take long to provide.
 */
async function findExponent(each: Case): Promise<{ exponent: number; fastest: number[]; calls: number }> {
  const [, size] = each;
  await measure(each, size, 2);
  const once = await measure(each, size, 1);
  const calls = Math.min(20, Math.max(1, Math.ceil(LEAST / Math.max(once, 0.1))));
  const sizes = [size, 2 * size, 4 * size];
  const fastest = sizes.map(() => Number.POSITIVE_INFINITY);
  for (let i = 0; i < REPETITIONS; i++) {
    for (const [index, n] of sizes.entries())
      fastest[index] = Math.min(fastest[index] ?? 0, await measure(each, n, calls));
  }
  const [least = 0, middle = 0, most = 0] = fastest;
  return { exponent: Math.log2(Math.min(middle / least, most / middle)), fastest, calls };
}

test.each(cases)('takes time in proportion to the size: %s', { retry: 3 }, async (...each) => {
  const [title, size] = each;
  const { exponent, fastest, calls } = await findExponent(each);
  const measured = fastest.map((milliseconds) => (milliseconds / calls).toFixed(2)).join(', ');
  const line = `${title}: n = ${size}, 2n, 4n take ${measured} ms, exponent ${exponent.toFixed(2)}`;
  console.log(line);
  expect(exponent, line).toBeLessThan(MAX_EXPONENT);
});
