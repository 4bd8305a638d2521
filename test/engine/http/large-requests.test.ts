import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { parseFault } from '#engine/faults/faults.js';
import { FaultError } from '#engine/lib/errors.js';
import type { Fixtures } from '../../../src/index.js';
import { timeOnCpu } from '../../support/cpu.js';
import { createEmulator, emulate } from '../../support/emulate.js';

// Requests whose size a client chooses. test/soak/growth.soak.ts measures how their time grows.

const ADA = { authorization: 'Bearer ada-token' };
const JSON_ADA = { ...ADA, 'content-type': 'application/json' };
const fixtures: Fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

const put = (path: string, body: unknown, method = 'POST') =>
  [path, { method, headers: JSON_ADA, body: JSON.stringify(body) }] as const;

test('the errors of a union are described without comparing each error with all', () => {
  const headers = Object.fromEntries(range(500).map((i) => [`x-${i}`, null]));
  const comparisons = vi.spyOn(String.prototype, 'startsWith');

  let error: unknown;
  try {
    parseFault({ status: 503, headers });
  } catch (thrown) {
    error = thrown;
  }

  const count = comparisons.mock.calls.length;
  comparisons.mockRestore();
  expect(error instanceof FaultError && error.problems).toHaveLength(500);
  expect(count).toBeLessThan(5 * 500);
});

test('reading one request of the journal does not read the bodies of the others', async () => {
  const emulator = await emulate(fixtures);
  const code = 'x'.repeat(60_000);
  for (let i = 0; i < 200; i++) {
    const headers = { ...JSON_ADA, authorization: `Bearer ${'a'.repeat(500 + i)}b` };
    await emulator.fetch('/v1/vals', { method: 'POST', headers, body: JSON.stringify({ code }) });
  }

  const all = await timeOnCpu(() => emulator.requests());
  const one = await timeOnCpu(() => emulator.requests({ limit: 1 }));
  // @ts-expect-error: an unknown route
  const read = () => emulator.requests({ route: 'GET /v1/nothing' });
  const refused = await timeOnCpu(() => expect(read).toThrow('no route'));

  // Neither reads all bodies, which would take as long as all requests. Less than 10 ms is noise.
  expect(Math.max(one, refused)).toBeLessThan(all / 2 + 10);
});

test('a val can have 130,000 versions', async () => {
  await using emulator = await createEmulator({ fixtures, listen: false });
  const versions = range(130_000).map(() => ({ val: 'ada/hello', code: '1' }));

  emulator.reseed({ ...fixtures, versions });

  const response = await emulator.fetch('/v1/alias/ada/hello', { headers: ADA });
  expect(await response.json()).toMatchObject({ version: 130_000 });
});

test('a val can import 20,000 others', async () => {
  await using emulator = await createEmulator({ fixtures, listen: false });
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
  await using emulator = await createEmulator({ listen: false });
  for (const name of range(1_000)) {
    await emulator.fetch('/v1/vals', { method: 'POST', headers: JSON_ADA, body: JSON.stringify({ code: `${name}` }) });
  }
  const large = Object.fromEntries(range(30_000).map((i) => [`k${i}`, i]));
  const bodies = [large, { code: '7', ...large }, { code: large }, range(100_000).map(() => [])];
  const found: string[] = [];

  for (const body of bodies) {
    const text = JSON.stringify({ route: 'POST /v1/vals', body });
    const parsing = await timeOnCpu(() => JSON.parse(text));
    const responding = await timeOnCpu(async () => {
      const response = await emulator.fetch('/_emulator/requests/expect', {
        method: 'POST',
        headers: JSON_ADA,
        body: text,
      });
      found.push(z.object({ message: z.string() }).parse(await response.json()).message);
    });
    // Parsing is linear. The response also compares 1,000 requests, for which half a second is enough.
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
  await using emulator = await createEmulator({ fixtures, listen: false });
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
