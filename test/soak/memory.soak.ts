import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { createEmulator } from '../../src/index.js';
import { SAMPLE_VALS, sampleFixtures } from '../support/sample-fixtures.js';
import { SEED, scaled } from '../support/soak.js';

/** Fractions of a run after which the heap is measured. */
const ROUNDS = 10;
/** Maximum size of the heap at the end, relative to the second round, when everything is loaded and compiled. */
const GROWTH = 1.1;

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');
const ADA = { authorization: 'Bearer ada token', 'content-type': 'application/json' };

/** Bytes of the heap after a collection. */
async function measureHeap(): Promise<number> {
  // Twice, with a turn of the event loop for finalizers between them.
  gc();
  await new Promise((resolve) => setTimeout(resolve, 20));
  gc();
  return process.memoryUsage().heapUsed;
}

/** Runs the rounds and compares the heap after the last one with the heap after the second. */
async function expectFlat(name: string, round: (index: number) => Promise<void>): Promise<void> {
  const heaps: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    await round(i);
    heaps.push(await measureHeap());
  }
  const line = `${name}: heap of ${heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')} MB`;
  console.log(line);
  expect(heaps.at(-1), line).toBeLessThan((heaps[1] ?? 0) * GROWTH);
}

test('the heap stays flat while requests of all kinds are sent', async () => {
  const count = scaled(1_000_000);
  const rng = new Rng(`memory-${SEED}`);
  await using emulator = await createEmulator({
    fixtures: sampleFixtures,
    listen: false,
    rateLimit: { limit: 1_000_000, window: '1s' },
  });
  let sent = 0;
  const send = (method: string, path: string, body?: unknown, headers: object = {}) => {
    sent++;
    return emulator.fetch(path, {
      method,
      headers: { ...ADA, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const kinds: readonly (() => Promise<unknown>)[] = [
    () => send('GET', '/v1/me'),
    () => send('GET', `/v1/me/runs?limit=${rng.int(1, 20)}&offset=${rng.int(0, 20)}`),
    () => send('GET', `/v1/search/vals?query=${rng.int(0, 1e9)}`),
    () => send('GET', `/v1/none/${rng.int(0, 1e9)}?q=${'x'.repeat(50)}`),
    () => send('GET', '/v1/me', undefined, { authorization: `Bearer unknown ${rng.int(0, 1e9)}` }),
    () => send('PUT', `/v1/vals/${rng.pick(SAMPLE_VALS)}`, { readme: `Number ${sent}` }),
    () =>
      send('POST', `/v1/vals/${SAMPLE_VALS[0]}/versions`, {
        code: `import { a } from "https://esm.town/v/ada/val${sent}"`,
      }),
    () => send('POST', '/v1/vals', { code: `export default ${sent};` }),
    () => send('POST', '/v1/vals', { unknown: sent }),
    () => send('GET', '/_emulator/requests?limit=2'),
    () => send('GET', '/_emulator/state'),
    () => send('PUT', '/_emulator/clock', { advance: 1 }),
    () => send('POST', '/_emulator/faults', { route: 'GET /v1/me', times: 1, status: 503 }),
    () => send('POST', '/_emulator/snapshots', { name: `${rng.int(0, 9)}` }),
    () => send('GET', `/_emulator/records/users?q=${rng.int(0, 9)}`),
  ];
  await expectFlat(`${count} requests, SEED=${SEED}`, async () => {
    for (const start = sent; sent < start + count / ROUNDS; ) {
      // Slow requests less often.
      await (rng.bool(0.99) ? kinds[rng.int(0, 8)] : rng.pick(kinds))?.();
      if (sent % 500 === 0) emulator.reset();
    }
    emulator.reset();
  });
});

test('the heap stays flat while sandboxes are opened, used and closed', async () => {
  const count = scaled(10_000);
  await using emulator = await createEmulator({ fixtures: sampleFixtures, listen: false });
  const list = async () => (await emulator.fetch('/_emulator/sandboxes')).json();
  await expectFlat(`${ROUNDS} times ${count} sandboxes`, async () => {
    for (let i = 0; i < count; i++) {
      const sandbox = emulator.sandbox(`s${i}`);
      await sandbox.fetch('/v1/vals', { method: 'POST', headers: ADA, body: '{"code":"1"}' });
      sandbox.snapshot('one');
      sandbox.fail('*');
    }
    expect(await list()).toHaveLength(count);
    for (let i = 0; i < count; i++) emulator.sandbox(`s${i}`).close();
    expect(await list()).toHaveLength(0);
  });
});

test('the heap stays flat while journals are full of large bodies', async () => {
  const count = Math.max(6_000, scaled(20_000));
  await using emulator = await createEmulator({ fixtures: sampleFixtures, listen: false });
  // Two rounds fill both.
  const boxes = [emulator, emulator.sandbox('one')];
  let sent = 0;
  await expectFlat(`${count} requests of 64 KB`, async () => {
    // Each body is another, so that none is shared.
    for (let i = 0; i < count / ROUNDS; i++) {
      const body = `${sent++} ${'x'.repeat(64 * 1_024 - 10)}`;
      await boxes[i % 2]?.fetch('/v1/vals', { method: 'POST', headers: ADA, body });
    }
  });
  for (const { journal } of boxes) expect(journal.length).toBeGreaterThan(100);
});

test('the heap stays flat while a rate limit counts tokens', async () => {
  const count = scaled(100_000);
  await using emulator = await createEmulator({
    fixtures: sampleFixtures,
    listen: false,
    now: '2024-06-11T22:05:12Z',
    rateLimit: { limit: 5, window: '1m' },
  });
  let sent = 0;
  await expectFlat(`${count} tokens`, async () => {
    for (let i = 0; i < count / ROUNDS; i++)
      await emulator.fetch('/v1/me', { headers: { authorization: `Bearer ${sent++}` } });
    emulator.clock.advance('2m');
    await emulator.fetch('/v1/me');
    emulator.clearRequests();
  });
});
