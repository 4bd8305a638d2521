import assert from 'node:assert/strict';
import { emulatorTest, test } from 'val-emulator/node-test';
import { Vals } from '../src/vals.js';

test('saves a val under its name, and finds it', async ({ emulator }) => {
  const vals = new Vals({ baseUrl: emulator.url, token: 'ada-token' });

  const { id } = await vals.save('counter', 'export const count = 1;');
  await vals.save('counter', 'export const count = 2;');

  const { version, code } = await vals.find(id);
  assert.deepEqual({ version, code }, { version: 1, code: 'export const count = 2;' });
  emulator.expectRequest('PUT /v1/vals', { times: 2, body: { name: 'counter' } });
});

test('lists all failed runs, over several pages', async ({ emulator }) => {
  const { token } = emulator.add.user({ username: 'eve' });
  emulator.add.val({ author: 'eve', name: 'report', code: 'send();' });
  for (let minutes = 1; minutes <= 45; minutes++) {
    emulator.add.run({ val: 'eve/report', runStartAt: `-${minutes}m`, error: `failure ${minutes}` });
  }
  emulator.add.run({ val: 'eve/report', runStartAt: '-30s' });

  const errors = [];
  for await (const { error } of new Vals({ baseUrl: emulator.url, token }).failedRuns()) errors.push(error);

  assert.deepEqual(
    errors,
    Array.from({ length: 45 }, (_, index) => `failure ${index + 1}`),
  );
  emulator.expectRequest('GET /v1/me/runs', { times: 3 });
});

test('tries again while the service is unavailable', async ({ emulator }) => {
  emulator.fail('PUT /v1/vals', { status: 503, times: 2 });

  await hasty(emulator).save('counter', 'export const count = 1;');

  assert.deepEqual(statuses(emulator), [503, 503, 200]);
});

test('gives up after three attempts', async ({ emulator }) => {
  emulator.fail('PUT /v1/vals', { status: 503 });

  await assert.rejects(hasty(emulator).save('counter', 'export const count = 1;'), { status: 503 });

  assert.deepEqual(statuses(emulator), [503, 503, 503]);
});

const limited = emulatorTest({ rateLimit: { limit: 2, window: '1m' }, now: '2024-06-11T22:05:00Z' });

limited('waits as long as the rate limit asks for', async ({ emulator }) => {
  const vals = hasty(emulator);

  for (const count of [1, 2, 3]) await vals.save('counter', `export const count = ${count};`);

  assert.deepEqual(statuses(emulator), [200, 200, 429, 200]);
  assert.equal(emulator.clock.now.toISOString(), '2024-06-11T22:06:00.000Z');
});

test("another user's private val is the same as an unknown one", async ({ emulator }) => {
  const { id } = emulator.add.val({ author: 'grace', name: 'diary', code: "'secret'", privacy: 'private' });

  assert.equal(await new Vals({ baseUrl: emulator.url, token: 'ada-token' }).find(id), undefined);
  assert.equal((await new Vals({ baseUrl: emulator.url, token: 'grace-token' }).find(id)).name, 'diary');
});

/** A client for which time flies: it waits by the emulator's clock. */
const hasty = (emulator) =>
  new Vals({
    baseUrl: emulator.url,
    token: 'ada-token',
    wait: async (milliseconds) => emulator.clock.advance(milliseconds),
  });

const statuses = (emulator) => emulator.requests().map(({ status }) => status);
