import { expect, test } from 'vitest';
import { LIMITS } from '#engine/api/limits.js';
import { MAX_TEXT_LENGTH } from '#engine/definition/parts.js';
import { countRequest } from '#engine/rate-limit/rate-limit.api.js';
import { FaultError, FixtureError, type Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const ADA = { authorization: 'Bearer ada-token' };
const fixtures: Fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };

test('a sandbox has at most 1,000 snapshots', async () => {
  const emulator = await emulate(fixtures);
  const post = async (name?: string) =>
    as(emulator)
      .post('/_emulator/snapshots')
      .send(name === undefined ? {} : { name });
  for (let i = 0; i < LIMITS.snapshots; i++) emulator.snapshot(`s${i}`);

  const refused = await post();
  const replaced = await post('s0');
  emulator.reset();

  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ message: 'Snapshot limit reached (1000). Drop a snapshot first.' });
  expect(() => emulator.snapshot('one-more')).toThrow('Snapshot limit reached');
  expect(replaced.status).toBe(201);
  emulator.dropSnapshot('s1');
  expect(emulator.snapshot('one-more')).toBe('one-more');
  expect(emulator.snapshots()).toHaveLength(LIMITS.snapshots);
});

test('a sandbox has at most 1,000 armed faults', async () => {
  const emulator = await emulate(fixtures);
  for (let i = 0; i < LIMITS.faults; i++) emulator.fail('GET /v1/me', { after: 5 });

  const refused = await as(emulator).post('/_emulator/faults').send({ status: 503 });

  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    problems: [{ path: 'limit', message: '1000 faults are armed; expected fewer. Disarm some first.' }],
  });
  expect(() => emulator.fail('*')).toThrow(FaultError);
  emulator.disarm('f1');
  expect(emulator.fail('*').id).toBe('f1001');
});

test('a token beyond the limit of windows replaces the oldest window', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 2, window: '1m' } });
  const { store } = emulator;
  const rateLimit = { limit: 2, window: 60_000 };
  const count = (token: string) => store.update((draft) => countRequest(draft, rateLimit, token, 1_000));
  store.update((draft) => {
    for (let i = 0; i < LIMITS.rateWindows; i++) {
      draft.rateLimits = draft.rateLimits.put({ token: `t${i}`, start: 500 + (i % 400), requests: 2 });
    }
  });

  count('new');

  expect(store.state.rateLimits.size).toBe(LIMITS.rateWindows);
  expect(store.state.rateLimits.get('t0')).toBeUndefined();
  expect(count('t1').exceeded).toBe(true);
});

test('the journal drops most large bodies of refused requests', async () => {
  const emulator = await emulate(fixtures);
  const sandbox = emulator.sandbox('one');
  const body = JSON.stringify({ code: '\u0436'.repeat(66_000) });
  const headers = { authorization: 'Bearer wrong', 'content-type': 'application/json' };

  for (let i = 0; i < 400; i++) await sandbox.fetch('/v1/vals', { method: 'POST', headers, body });

  const kept = sandbox.journal.exchanges.filter(({ requestBody = '' }) => requestBody.length > 100);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(9);
  expect(kept.every(({ requestBody = '' }) => requestBody.length === 65_536)).toBe(true);
});

test.each<[what: string, make: (text: string | string[]) => Fixtures, path: string]>([
  ['code', (code) => ({ ...fixtures, vals: [{ author: 'ada', name: 'a', code }] }), 'vals[0].code'],
  ['readme', (readme) => ({ ...fixtures, vals: [{ author: 'ada', name: 'a', code: '1', readme }] }), 'vals[0].readme'],
  ['version', (code) => ({ ...fixtures, versions: [{ val: 'ada/hello', code }] }), 'versions[0].code'],
  [
    'comment',
    (comment) => ({ ...fixtures, comments: [{ author: 'ada', val: 'ada/hello', comment }] }),
    'comments[0].comment',
  ],
])('a %s in fixtures has at most 1,048,576 characters', async (_, make, path) => {
  const emulator = await emulate({});
  const longest = 'https://esm.town/v/ =/['.repeat(MAX_TEXT_LENGTH).slice(0, MAX_TEXT_LENGTH);
  const error = new FixtureError([{ path, message: '1048577 characters; expected at most 1048576.' }]);

  emulator.reseed(make(longest));
  expect((await emulator.fetch('/v1/alias/ada/hello', { headers: ADA })).status).toBeLessThan(500);

  expect(() => emulator.reseed(make(`${longest}x`))).toThrow(error);
  expect(() => emulator.reseed(make([longest, '']))).toThrow(error);
});

test('a fixture object nested deeper than 500 levels is refused', async () => {
  const emulator = await emulate(fixtures);
  const returnValue = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  const message = 'nested deeper than 500 levels; expected fewer.';

  expect(() => emulator.reseed({ ...fixtures, runs: [{ val: 'ada/hello', returnValue }] })).toThrow(
    `runs[0]: ${message}`,
  );
  expect(() => emulator.add.run({ val: 'ada/hello', returnValue })).toThrow(`run: ${message}`);
});

test('neither the clock nor a record leaves the years of timestamps', async () => {
  const emulator = await emulate(fixtures, { now: undefined });
  emulator.clock.set('9999-12-31T23:59:59.999Z');
  await new Promise((resolve) => setTimeout(resolve, 20));

  const run = { val: 'ada/hello', runStartAt: '9999-12-31T23:59:59Z', duration: '1d' } as const;

  expect(emulator.clock.read().now).toBe('9999-12-31T23:59:59.999Z');
  expect(() => emulator.add.run(run)).toThrow(FixtureError);
  const early = { author: 'ada', name: 'early', code: '1', createdAt: '0000-01-01T00:00:00+23:59' } as const;
  expect(() => emulator.add.val(early)).toThrow(FixtureError);
});

test('rate-limit windows are dropped when they end', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 10, window: '1m' } });
  for (let i = 0; i < 100; i++) await emulator.fetch('/v1/me', { headers: { authorization: `Bearer unknown-${i}` } });
  expect(emulator.store.state.rateLimits.size).toBe(100);

  emulator.clock.advance('2m');
  for (let i = 0; i < 100; i++) await emulator.fetch('/v1/me', { headers: ADA });

  expect(emulator.store.state.rateLimits.size).toBe(1);
});
