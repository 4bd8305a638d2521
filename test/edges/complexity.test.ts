import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { FixtureError, type Fixtures } from '../../src/index.js';
import { parseQuery } from '../../src/lib/target.js';
import { validateFault } from '../../src/sandbox/faults.js';
import { untyped } from '../fixtures/loading.js';
import { createEmulator, emulate } from '../support/emulate.js';

/*
 * Requests whose size a client chooses. Each compares the processor time of 4n with that of n: four times as much if the
 * cost is linear, sixteen times if it is quadratic.
 */

const ADA = { authorization: 'Bearer ada-token' };
const JSON_ADA = { ...ADA, 'content-type': 'application/json' };
const fixtures: Fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };

const Created = z.object({ id: z.string() });
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Milliseconds of the processor. */
async function timeOf(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Milliseconds from which a time is compared: less is mostly noise. */
const MIN_TIME_MS = 10;
const MAX_DOUBLINGS = 5;

/** Expects the time at 4n to be at most eight times that at n, in one of three attempts. Doubles n until it can be measured. */
async function expectLinear(
  first: number,
  prepare: (n: number) => Promise<() => unknown> | (() => unknown),
): Promise<void> {
  await (await prepare(first))();
  let n = first;
  let small = await timeOf(await prepare(n));
  for (let i = 0; i < MAX_DOUBLINGS && small < MIN_TIME_MS; i++) {
    n *= 2;
    small = await timeOf(await prepare(n));
  }
  let large = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && large >= 8 * small; attempt++) large = await timeOf(await prepare(4 * n));
  expect(small, `${n}`).toBeGreaterThan(MIN_TIME_MS / 2);
  expect(large, `${n}: ${small.toFixed(0)} ms, ${4 * n}: ${large.toFixed(0)} ms`).toBeLessThan(8 * small);
}

const put = (path: string, body: unknown, method = 'POST') =>
  [path, { method, headers: JSON_ADA, body: JSON.stringify(body) }] as const;

test('a parameter repeated in a query copied all that came before', async () => {
  await expectLinear(25_000, (n) => {
    const query = new URLSearchParams('a&'.repeat(n));
    return () => expect(parseQuery(query).a).toHaveLength(n);
  });
});

test('a record with unknown keys compared each with all', async () => {
  const emulator = await createEmulator({ fixtures, listen: false });
  await expectLinear(5_000, (n) => {
    const body = { username: 'bob', ...Object.fromEntries(range(n).map((i) => [`unknown${i}`, i])) };
    return async () => expect((await emulator.fetch(...put('/_emulator/users', body))).status).toBe(422);
  });
});

test('a union with many errors compared each error with all', () => {
  const headers = Object.fromEntries(range(500).map((i) => [`x-${i}`, null]));
  const comparisons = vi.spyOn(String.prototype, 'startsWith');

  const problems = validateFault({ status: 503, headers });

  const count = comparisons.mock.calls.length;
  comparisons.mockRestore();
  expect(problems).toHaveLength(500);
  expect(count).toBeLessThan(5 * 500);
});

test.each<[what: string, make: (n: number) => object]>([
  ['authors', (n) => ({ vals: range(n).map((i) => ({ author: `nobody${i}`, name: 'x', code: '1' })) })],
  ['vals', (n) => ({ runs: range(n).map((i) => ({ val: `user1/missing${i}` })) })],
])('unknown %s in fixtures were each compared with all names', async (_, make) => {
  const emulator = await createEmulator({ fixtures, listen: false });
  await expectLinear(1_000, (n) => {
    const users = range(n).map((i) => ({ username: `user${i}` }));
    const vals = range(n).map((i) => ({ author: `user${i}`, name: `val${i}`, code: '1' }));
    const wrong = untyped({ users, vals, ...make(n) });
    return () => expect(() => emulator.reseed(wrong)).toThrow(FixtureError);
  });
});

test('a write to a val with many imports compared each import with all', async () => {
  const write = async (n: number) => {
    const emulator = await createEmulator({ fixtures, listen: false });
    const code = range(n)
      .map((i) => `import 'https://esm.town/v/ada/val${i}'`)
      .join('\n');
    const created = await emulator.fetch(...put('/v1/vals', { name: 'importer', code }));
    const { id } = Created.parse(await created.json());
    return async () => {
      for (let i = 0; i < 50; i++) {
        const privacy = i % 2 === 0 ? 'public' : 'private';
        const response = await emulator.fetch(...put(`/v1/vals/${id}`, { privacy }, 'PUT'));
        expect(response.status).toBe(204);
      }
    };
  };
  // Four times as many imports are still within the limit of code.
  await expectLinear(500, write);
});

test('each concurrent change in the data browser was made again after another', async () => {
  await expectLinear(25, async (n) => {
    const emulator = await createEmulator({ fixtures, listen: false });
    const [user] = emulator.users;
    const patch = (i: number) => emulator.fetch(...put(`/_emulator/db/users/${user?.id}`, { bio: `${i}` }, 'PATCH'));
    return async () => {
      const responses = await Promise.all(range(n).map(patch));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    };
  });
});

test('armed faults that let a request through were each copied with all others', async () => {
  await expectLinear(250, async (n) => {
    const emulator = await createEmulator({ fixtures, listen: false });
    for (let i = 0; i < n; i++) emulator.fail('GET /v1/me', { after: 1_000 });
    return async () => {
      for (let i = 0; i < 200; i++) await emulator.fetch('/v1/me', { headers: ADA });
      expect(emulator.faults().at(-1)).toMatchObject({ seen: 200, hits: 0 });
    };
  });
});

test('one request of the journal read all bodies', async () => {
  const emulator = await emulate(fixtures);
  const code = 'x'.repeat(60_000);
  for (let i = 0; i < 200; i++) {
    const headers = { ...JSON_ADA, authorization: `Bearer ${'a'.repeat(500 + i)}b` };
    await emulator.fetch('/v1/vals', { method: 'POST', headers, body: JSON.stringify({ code }) });
  }

  const all = await timeOf(() => emulator.requests());
  const one = await timeOf(() => emulator.requests({ limit: 1 }));
  // @ts-expect-error: an unknown route
  const refused = await timeOf(() => expect(() => emulator.requests({ route: 'GET /v1/nothing' })).toThrow('no route'));

  expect(Math.max(one, refused)).toBeLessThan(all / 2 + 10);
});

test('130,000 versions of one val did not fit into one call', async () => {
  const emulator = await createEmulator({ fixtures, listen: false });
  const versions = range(130_000).map(() => ({ val: 'ada/hello', code: '1' }));

  emulator.reseed({ ...fixtures, versions });

  const response = await emulator.fetch('/v1/alias/ada/hello', { headers: ADA });
  expect(await response.json()).toMatchObject({ version: 130_000 });
});

test('a val that imports 20,000 others made every later response an error', async () => {
  const emulator = await createEmulator({ fixtures, listen: false });
  const code = (from: number) =>
    range(20_000)
      .map((i) => `import'https://esm.town/v/a/v${from + i}'`)
      .join('\n');

  emulator.reseed({ ...fixtures, vals: [{ author: 'ada', name: 'importer', code: code(0) }] });

  const read = await emulator.fetch('/v1/alias/ada/importer', { headers: ADA });
  const write = await emulator.fetch(...put('/v1/vals', { code: '1' }));
  expect([read.status, write.status]).toEqual([200, 200]);
});

test('an expectation with 400 KB of criteria takes not much longer than to parse it', async () => {
  const emulator = await createEmulator({ listen: false });
  onTestFinished(() => emulator.close());
  for (const name of range(1_000)) {
    await emulator.fetch('/v1/vals', { method: 'POST', headers: JSON_ADA, body: JSON.stringify({ code: `${name}` }) });
  }
  const large = Object.fromEntries(range(30_000).map((i) => [`k${i}`, i]));
  const bodies = [large, { code: '7', ...large }, { code: large }, range(100_000).map(() => [])];
  const found: string[] = [];

  for (const body of bodies) {
    const text = JSON.stringify({ route: 'POST /v1/vals', body });
    const parsing = await timeOf(() => JSON.parse(text));
    const responding = await timeOf(async () => {
      const response = await emulator.fetch('/_emulator/requests/expect', {
        method: 'POST',
        headers: JSON_ADA,
        body: text,
      });
      found.push(z.object({ message: z.string() }).parse(await response.json()).message);
    });
    expect(responding, `${responding.toFixed(0)} ms, parsed in ${parsing.toFixed(0)} ms`).toBeLessThan(
      30 * parsing + 500,
    );
  }

  expect(found.map((message) => message.split('\n')[0])).toEqual(
    Array(4).fill(expect.stringMatching(/^expected at least one request .*, but there were 0 of 1000 in all\.$/)),
  );
  // The first near miss has 20 differences and a note that there may be others.
  expect(found[0]?.split('\n').slice(2, 24)).toEqual([
    '  r1 POST /v1/vals 200 by ada',
    ...range(20).map((i) => `      body.k${i}: expected ${i}, found undefined`),
    '      and perhaps others',
  ]);
});

test('an expectation with more than 1 MB of criteria is refused, and so are more than 100 headers', async () => {
  const emulator = await createEmulator({ fixtures, listen: false });
  onTestFinished(() => emulator.close());
  const expectAll = (criteria: object) =>
    emulator.fetch('/_emulator/requests/expect', {
      method: 'POST',
      headers: JSON_ADA,
      body: JSON.stringify({ route: 'GET /v1/me', ...criteria }),
    });

  const large = await expectAll({ body: 'x'.repeat(1_048_576) });
  const many = await expectAll({ headers: Object.fromEntries(range(101).map((i) => [`x-${i}`, null])) });

  expect([large.status, await large.json()]).toMatchObject([
    413,
    { message: 'Request body is too large: send at most 1048576 bytes.' },
  ]);
  expect([many.status, await many.json()]).toMatchObject([
    400,
    { message: expect.stringContaining('expected an object with at most 100 names') },
  ]);
});
