import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '0' }] };

test('commits before the last 100 keep their names and changes, and cannot be rewound', async () => {
  const emulator = await emulate(fixtures);
  const ada = as(emulator, 'ada');
  const { id } = (await ada.post('/v1/vals').send({ name: 'first', code: '1' }).expect(200)).body;
  await ada.put(`/v1/vals/${id}`).send({ privacy: 'public' }).expect(204);
  await ada.delete(`/v1/vals/${id}`).expect(204);
  const early = await emulator.history();
  const details = await Promise.all(['r1', 'r2', 'r3'].map(async (each) => (await read(each)).body));
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  for (let i = 4; i <= 2_100; i++) {
    const body = JSON.stringify({ name: `val${i}`, code: `${i}` });
    await emulator.fetch('/v1/vals', { method: 'POST', headers, body });
  }

  expect((await emulator.history()).map((each) => each.id)).toEqual(range(2_001, 2_100));
  expect(await emulator.history({ limit: 2 })).toHaveLength(2);
  const all = await emulator.history({ limit: 5_000 });
  expect(all.length).toBeGreaterThanOrEqual(2_000);
  expect(all.map((each) => each.id)).toEqual(range(2_101 - all.length, 2_100));
  expect(all.map(({ names }) => names)).toEqual(all.map((each) => [`+ ada/val${each.id.slice(1)}`]));
  expect((await read('r200')).body).toMatchObject({ id: 'r200', changes: [{ after: { name: 'val200' } }, {}] });
  expect((await as(emulator).post('/_emulator/rewind').send({ before: 'r200' })).status).toBe(404);
  expect(early.map(({ names }) => names)).toEqual([['+ ada/first'], ['ada/first: privacy'], ['- ada/first']]);
  expect(details).toHaveLength(3);

  function read(commit: string) {
    return as(emulator).get(`/_emulator/history/${commit}`);
  }
});

test('an older commit is read as it was read when it was new', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 100_000, window: '1h' } });
  const ada = as(emulator, 'ada');
  const { id } = (await ada.post('/v1/vals').send({ name: 'first', code: '1' })).body;
  await ada.post(`/v1/vals/${id}/versions`).send({ code: '2' });
  await ada.put(`/v1/vals/${id}`).send({ name: 'second', privacy: 'public' });
  await ada.post('/v1/blob/note').set('content-type', 'text/plain').send('one');
  await ada.post('/v1/blob/note').set('content-type', 'text/plain').send('two');
  await ada.post('/v1/sqlite/execute').send({ statement: 'CREATE TABLE t (a)' });
  await emulator.fail('GET /v1/me');
  await as(emulator).delete(`/_emulator/users/${emulator.users[0]?.id}`);
  const count = emulator.history().length;
  const ids = emulator.history().map((each) => each.id);
  const read = async () => [
    emulator.history({ limit: 500 }).slice(0, count),
    ...(await Promise.all(ids.map(async (each) => (await as(emulator).get(`/_emulator/history/${each}`)).body))),
    emulator.history({ record: 'ada/second' }),
  ];
  const before = await read();
  for (let i = 0; i < 120; i++) await emulator.add.user({ username: `eve${i}` });

  expect(emulator.history({ limit: 500 })).toHaveLength(count + 120);
  expect(await read()).toEqual(before);
  await emulator.rewind(100);
  expect(emulator.history({ limit: 500 })).toHaveLength(count + 20);
  expect(await read()).toEqual(before);
  await emulator.reset();
  expect(emulator.history({ limit: 500 })).toEqual([]);
});

test.each([0, -1, 1.5, '3'])('a limit of %j is refused', async (limit) => {
  const emulator = await emulate(fixtures);

  expect(() => Reflect.apply(emulator.history, emulator, [{ limit }])).toThrow(/option limit: found/);
});

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => `r${first + i}`);
