import { emulatorTest, expect, type Sandbox, test } from 'val-emulator/vitest';
import { Vals } from '../src/vals.js';

/** A client for which time flies: it waits by the emulator's clock. */
const hasty = (emulator: Sandbox) =>
  new Vals({
    baseUrl: emulator.url,
    token: 'ada-token',
    wait: async (milliseconds) => emulator.clock.advance(milliseconds),
  });

test('tries again while the service is unavailable', async ({ emulator }) => {
  emulator.fail('PUT /v1/vals', { status: 503, times: 2 });

  await hasty(emulator).save('counter', 'export const count = 1;');

  expect(emulator.requests({ route: 'PUT /v1/vals' }).map(({ status }) => status)).toEqual([503, 503, 200]);
});

test('gives up after three attempts', async ({ emulator }) => {
  emulator.fail('PUT /v1/vals', { status: 503 });

  await expect(hasty(emulator).save('counter', 'export const count = 1;')).rejects.toMatchObject({ status: 503 });

  expect(emulator).toHaveReceived('PUT /v1/vals', { times: 3 });
});

const limited = emulatorTest({ rateLimit: { limit: 2, window: '1m' }, now: '2024-06-11T22:05:00Z' });

limited('waits as long as the rate limit asks for', async ({ emulator }) => {
  const vals = hasty(emulator);

  for (const count of [1, 2, 3]) await vals.save('counter', `export const count = ${count};`);

  expect(emulator.requests().map(({ status }) => status)).toEqual([200, 200, 429, 200]);
  expect(emulator.clock.now).toEqual(new Date('2024-06-11T22:06:00Z'));
});
