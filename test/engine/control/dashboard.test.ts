import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';

// What the dashboard needs of the control API, beside what tests of programs use.

const fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
};

test('the journal is summarized without bodies, and searched in them', async () => {
  const emulator = await emulate(fixtures);
  const bob = as(emulator, 'bob');
  await as(emulator, 'ada').post('/v1/vals').send({ name: 'Needle', code: '1' });
  await bob.get('/v1/me');
  await bob.get('/v1/search/vals?query=needle');
  const summarize = async (query: object) => (await bob.get('/_emulator/requests/summary').query(query)).body;
  const ids = async (query: object) => (await summarize(query)).requests.map(({ id }: { id: string }) => id);

  expect((await summarize({ q: 'R2' })).requests).toStrictEqual([
    {
      id: 'r2',
      time: expect.any(String),
      duration: expect.any(Number),
      outcome: 'sent',
      route: 'GET /v1/me',
      method: 'GET',
      path: '/v1/me',
      user: 'bob',
      status: 200,
      program: null,
      fault: null,
      commit: 'r1',
      message: null,
      suggestion: null,
      reason: null,
    },
  ]);
  expect(await ids({})).toEqual(['r1', 'r2', 'r3']);
  expect(await ids({ q: 'needle' })).toEqual(['r1', 'r3']);
  expect(await ids({ q: 'needle', limit: 1 })).toEqual(['r3']);
  expect(await ids({ limit: 2 })).toEqual(['r2', 'r3']);
  expect(await ids({ q: 'BOB' })).toEqual(['r2', 'r3']);
  expect((await summarize({})).bodiesSince).toBeNull();
});

test('the summary has the id since which a full journal has all bodies', async () => {
  const emulator = await emulate(fixtures);
  const sandbox = await emulator.sandbox('small');
  const code = `export const a = '${'x'.repeat(60_000)}';`;
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  for (let i = 0; i < 6; i++) {
    await sandbox.fetch('/v1/vals', { method: 'POST', headers, body: JSON.stringify({ name: `val${i}`, code }) });
  }
  const { body } = await as(emulator).get('/_sandbox/small/_emulator/requests/summary?limit=1');
  const complete = (await sandbox.requests()).filter(({ response }) => typeof response.body === 'object');
  expect(complete.length).toBeGreaterThan(0);
  expect(body.bodiesSince).toBe(complete[0]?.id);
});

test('a past state can be exported', async () => {
  const emulator = await emulate(fixtures);
  const before = emulator.state();
  await emulator.add.user({ username: 'eve' });

  const read = async (at: string) => (await as(emulator).get(`/_emulator/state?at=${at}`)).body;
  expect(await read('start')).toStrictEqual(JSON.parse(JSON.stringify(before)));
  expect((await read('w1')).users).toHaveLength(3);
  expect(await read('r9')).toMatchObject({ statusCode: 404 });
});
