const { emulatorTest, expect, test } = require('val-emulator/jest');
const { Vals } = require('../src/vals.js');

test('saves a val under its name, and finds it', async ({ emulator }) => {
  const vals = new Vals({ baseUrl: emulator.url, token: 'ada-token' });

  const { id } = await vals.save('counter', 'export const count = 1;');
  await vals.save('counter', 'export const count = 2;');

  expect(await vals.find(id)).toMatchObject({ version: 1, code: 'export const count = 2;' });
  expect(emulator).toHaveReceived('PUT /v1/vals', { times: 2, body: { name: 'counter' } });
  expect(emulator).toHaveNoUnhandledRequests();
});

const eve = emulatorTest({
  fixtures: { users: [{ username: 'eve' }], vals: [{ author: 'eve', name: 'report', code: 'send();' }] },
});

eve('lists all failed runs, over several pages', async ({ emulator }) => {
  const [{ token }] = emulator.users;
  for (let minutes = 1; minutes <= 45; minutes++) {
    emulator.add.run({ val: 'eve/report', runStartAt: `-${minutes}m`, error: `failure ${minutes}` });
  }
  emulator.add.run({ val: 'eve/report', runStartAt: '-30s' });

  const errors = [];
  for await (const { error } of new Vals({ baseUrl: emulator.url, token }).failedRuns()) errors.push(error);

  expect(errors).toEqual(Array.from({ length: 45 }, (_, index) => `failure ${index + 1}`));
  expect(emulator).toHaveReceived('GET /v1/me/runs', { times: 3 });
});

test('tries again while the service is unavailable', async ({ emulator }) => {
  emulator.fail('PUT /v1/vals', { status: 503, times: 2 });

  await hasty(emulator).save('counter', 'export const count = 1;');

  expect(statuses(emulator)).toEqual([503, 503, 200]);
});

test('gives up after three attempts', async ({ emulator }) => {
  emulator.fail('PUT /v1/vals', { status: 503 });

  await expect(hasty(emulator).save('counter', 'export const count = 1;')).rejects.toMatchObject({ status: 503 });

  expect(statuses(emulator)).toEqual([503, 503, 503]);
});

const limited = emulatorTest({ rateLimit: { limit: 2, window: '1m' }, now: '2024-06-11T22:05:00Z' });

limited('waits as long as the rate limit asks for', async ({ emulator }) => {
  const vals = hasty(emulator);

  for (const count of [1, 2, 3]) await vals.save('counter', `export const count = ${count};`);

  expect(statuses(emulator)).toEqual([200, 200, 429, 200]);
  expect(emulator.clock.now.toISOString()).toBe('2024-06-11T22:06:00.000Z');
});

test("another user's private val is the same as an unknown one", async ({ emulator }) => {
  const { id } = emulator.add.val({ author: 'grace', name: 'diary', code: "'secret'", privacy: 'private' });

  expect(await new Vals({ baseUrl: emulator.url, token: 'ada-token' }).find(id)).toBeUndefined();
  expect(await new Vals({ baseUrl: emulator.url, token: 'grace-token' }).find(id)).toMatchObject({ name: 'diary' });
});

const demo = emulatorTest({ generate: { users: 20, runs: 20_000, seed: 1 } });

demo('finds every failed run of a whole world of vals', async ({ emulator }) => {
  const [{ username, token }] = emulator.state().users;

  const errors = [];
  for await (const { error } of new Vals({ baseUrl: emulator.url, token }).failedRuns()) errors.push(error);

  const failed = emulator.state().runs.filter(({ val, error }) => val.startsWith(`${username}/`) && error);
  expect(errors).toHaveLength(failed.length);
  expect(errors.length).toBeGreaterThan(20);
});

test('fake timers move the clock of the emulator', async ({ emulator }) => {
  jest.useFakeTimers({ now: new Date('2031-01-01T00:00:00Z') });
  try {
    emulator.fail('GET /v1/me', { status: 503, times: 2 });
    emulator.fail('GET /v1/me', { delay: 5000 });
    const headers = { authorization: 'Bearer ada-token' };
    const poll = async () => {
      const { status } = await emulator.fetch('/v1/me', { headers });
      if (status === 503) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await poll();
      }
    };

    const done = poll();
    await jest.runAllTimersAsync();
    await done;

    expect(statuses(emulator)).toEqual([503, 503, 200]);
    expect(emulator.clock.now).toEqual(new Date('2031-01-01T00:00:07Z'));
  } finally {
    jest.useRealTimers();
  }
  expect(Math.abs(emulator.clock.now.getTime() - Date.now())).toBeLessThan(1000);
});

/** A client for which time flies: it waits by the emulator's clock. */
const hasty = (emulator) =>
  new Vals({
    baseUrl: emulator.url,
    token: 'ada-token',
    wait: async (milliseconds) => emulator.clock.advance(milliseconds),
  });

const statuses = (emulator) => emulator.requests().map(({ status }) => status);
