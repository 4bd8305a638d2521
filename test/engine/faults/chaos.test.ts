import { expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import type { Emulator } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada', token: 'ada-token' }] };
const NOW = '2024-06-11T22:05:12.000Z';
const serve = (options = {}) => emulate(fixtures, { now: NOW, ...options });

/** How the next requests end: by a status, or by a reset of the connection. */
async function outcomes(emulator: Emulator, count: number): Promise<(number | 'reset')[]> {
  const found: (number | 'reset')[] = [];
  for (let i = 0; i < count; i++) {
    const response = emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
    found.push(await response.then(({ status }) => status).catch(() => 'reset'));
  }
  return found;
}

test('offline resets each connection for 30 seconds', async () => {
  const emulator = await serve();
  const armed = emulator.chaos('offline');

  expect(armed).toMatchObject([
    { id: 'f1', route: null, reset: true, status: null, until: '2024-06-11T22:05:42.000Z' },
  ]);
  expect(emulator.faults()).toStrictEqual(armed);
  expect(await outcomes(emulator, 2)).toEqual(['reset', 'reset']);
  emulator.clock.advance('29999ms');
  expect(await outcomes(emulator, 1)).toEqual(['reset']);
  emulator.clock.advance('1ms');
  expect(await outcomes(emulator, 1)).toEqual([200]);
  expect(emulator.faults()).toEqual([]);
});

test('rate-limited responds 429 to some requests, the same ones with the same seed', async () => {
  const runs: (number | 'reset')[][] = [];
  for (const seed of [1, 1, 2]) {
    const emulator = await serve();
    emulator.chaos('rate-limited', { seed, for: '10s' });
    runs.push(await outcomes(emulator, 40));
    expect(emulator.faults()).toMatchObject([{ headers: { 'Retry-After': '1' }, until: '2024-06-11T22:05:22.000Z' }]);
  }

  const [one, same, other] = runs;
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
  expect(new Set(one)).toEqual(new Set([200, 429]));
});

test('flaky resets, fails and delays requests by three faults, which can be disarmed', async () => {
  const emulator = await serve();
  const armed = emulator.chaos('flaky', { seed: 'a' });

  expect(armed.map(({ id, rate, seed, reset, status, delay }) => [id, rate, seed, reset, status, delay])).toEqual([
    ['f1', 0.05, 'a:0', true, null, null],
    ['f2', 0.1, 'a:1', false, 503, null],
    ['f3', 0.2, 'a:2', false, null, [200, 2_000]],
  ]);
  emulator.disarm('f3');
  expect(new Set(await outcomes(emulator, 200))).toEqual(new Set([200, 503, 'reset']));
  emulator.disarm();
  expect(await outcomes(emulator, 5)).toEqual([200, 200, 200, 200, 200]);
});

test('slow-api delays each request', async () => {
  const emulator = await serve();
  expect(emulator.chaos('slow-api')).toMatchObject([{ delay: [500, 3_000], until: '2024-06-11T22:10:12.000Z' }]);
});

test('chaos is armed over HTTP, by the client, and at the start', async () => {
  const emulator = await serve({ chaos: 'offline' });
  expect(emulator.faults()).toMatchObject([{ id: 'f1', reset: true }]);

  const response = await as(emulator).post('/_emulator/chaos').send({ name: 'slow-api', for: 1_000 }).expect(201);
  const remote = await connect(emulator.url).chaos('rate-limited', { for: '2s' });

  expect(response.body).toMatchObject([{ id: 'f2', until: '2024-06-11T22:05:13.000Z' }]);
  expect(remote).toMatchObject([{ id: 'f3', until: '2024-06-11T22:05:14.000Z' }]);
  expect(emulator.faults()).toMatchObject([{ id: 'f1' }, ...response.body, ...remote]);
});

test.each([
  [
    { name: 'flakey' },
    'body.name: found "flakey"; expected "slow-api", "flaky", "offline" or "rate-limited". Did you mean "flaky"?',
  ],
  [{}, 'body.name: missing; expected "slow-api", "flaky", "offline" or "rate-limited".'],
  [{ name: 'flaky', for: 'soon' }, 'body.for: found "soon"; expected a duration such as "90s"'],
  [{ name: 'flaky', for: 0 }, 'body.for: found 0; expected a duration such as "90s"'],
  [{ name: 'flaky', rate: 1 }, 'body.rate: unknown key.'],
])('%j returns 400, and arms nothing', async (body, message) => {
  const emulator = await serve();
  const response = await as(emulator).post('/_emulator/chaos').send(body).expect(400);
  expect(response.body.message).toContain(message);
  expect(emulator.faults()).toEqual([]);
});

test('a fault that would end after the latest time of the clock has no end', async () => {
  const emulator = await serve();
  emulator.clock.set('9999-12-31T23:59:59Z');
  expect(emulator.fail('GET /v1/me', { status: 503, for: '10s' })).toMatchObject({ until: null });
  expect(await outcomes(emulator, 1)).toEqual([503]);
});

test('a fault ends after its time', async () => {
  const emulator = await serve();
  emulator.fail('GET /v1/me', { status: 503, for: '10s' });
  emulator.fail('GET /v1/me', { status: 418 });

  expect(await outcomes(emulator, 1)).toEqual([503]);
  emulator.clock.advance('10s');
  expect(await outcomes(emulator, 1)).toEqual([418]);
  expect(emulator.faults()).toMatchObject([{ id: 'f2', until: null, hits: 1 }]);
  expect(() => emulator.fail('*', { for: '99999999d' })).toThrow(
    'fault for: found "99999999d"; expected at most 36525d',
  );
  expect(() => emulator.fail('*', { for: '0s' })).toThrow('fault for: found "0s"; expected more than 0.');
});
