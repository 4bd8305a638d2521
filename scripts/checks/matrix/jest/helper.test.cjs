const valEmulator = require('val-emulator');
const { describe, emulatorTest, expect, it, test } = require('val-emulator/jest');

const ada = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
const create = (emulator, name) =>
  fetch(`${emulator.url}/v1/vals`, { method: 'POST', headers: ada, body: JSON.stringify({ name, code: '1' }) });
/** One name for each test that ran. */
const ran = new Set();

describe('each', () => {
  test.each([
    ['first', 1],
    ['second', 2],
  ])('creates %s %i', async ({ emulator }, name, number) => {
    expect((await create(emulator, name)).status).toBe(200);
    expect(emulator).toHaveReceived('POST /v1/vals', { times: 1, body: { name } });
    ran.add(number);
  });

  it.each(['third'])('creates %s', async ({ emulator }, name) => {
    expect((await create(emulator, name)).status).toBe(200);
    ran.add(3);
  });

  test.each`
    name        | number
    ${'fourth'} | ${4}
    ${'fifth'}  | ${5}
  `('creates $name', async ({ emulator }, { name, number }) => {
    expect((await create(emulator, name)).status).toBe(200);
    ran.add(number);
  });

  test.skip.each([[1]])('is skipped', () => {
    throw new Error('ran');
  });
});

describe('a second group, after the first one closed its server', () => {
  test.concurrent('runs concurrently', async ({ emulator }) => {
    expect((await create(emulator, 'concurrent')).status).toBe(200);
    ran.add(6);
  });
  test.concurrent.each([[7]])('runs %i concurrently', async ({ emulator }, number) => {
    expect((await create(emulator, 'concurrent')).status).toBe(200);
    ran.add(number);
  });
  test.failing('fails', ({ emulator }) => expect(emulator).toHaveReceived('GET /v1/me'));
  test.failing.each([[1]])('fails %i times', ({ emulator }, times) => emulator.expectRequest('GET /v1/me', { times }));
  test.todo('is still to be written');
});

const checked = [];
const seeded = emulatorTest(
  { fixtures: { users: [{ username: 'eve' }] } },
  {
    beforeEach: ({ emulator }) => {
      emulator.add.val({ author: 'eve', name: 'report', code: '1' });
    },
    afterEach: ({ emulator }) => {
      expect(emulator).toHaveNoUnhandledRequests();
      checked.push(emulator.name);
    },
  },
);
seeded('a hook has prepared the sandbox', async ({ emulator }) => {
  expect((await emulator.fetch('/v1/alias/eve/report')).status).toBe(200);
});
seeded.failing('a hook finds what the test has not', async ({ emulator }) => {
  await emulator.fetch('/v1/nowhere');
});
test('hooks ran after the tests', () => {
  expect(checked).toEqual([expect.stringMatching(/^a-hook-has-prepared-the-sandbox-/)]);
});

test('both entry points have the same classes', ({ emulator }) => {
  expect(valEmulator.FixtureError).toBe(require('val-emulator/jest').FixtureError);
  expect(() => emulator.reseed('defalt')).toThrow(valEmulator.FixtureError);
  expect(() => emulator.expectRequest('GET /v1/me')).toThrow(valEmulator.ExpectationError);
});

test('a statement of SQL runs', async ({ emulator }) => {
  const sql = { method: 'POST', headers: ada, body: '{"statement":"SELECT 6 * 7"}' };
  expect(await (await emulator.fetch('/v1/sqlite/execute', sql)).json()).toMatchObject({ rows: [[42]] });
});

test('all of them ran', () => {
  expect([...ran].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('closes an emulator by compiled `await using`', async () => {
  const created = await valEmulator.createEmulator();
  // As the helpers of esbuild and Babel find it. Jest 29 has no such symbol.
  await created[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]();
  await expect(fetch(`${created.url}/v1/me`)).rejects.toThrow();
});
