import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '0' }] };

test('a commit is read later as it was read when it was new', async () => {
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
  await emulator.rewind(110);
  expect(emulator.history({ limit: 500 })).toHaveLength(count + 10);
  expect(await read()).toEqual(before);
  await emulator.reset();
  expect(emulator.history({ limit: 500 })).toEqual([]);
});

test.each([0, -1, 1.5, '3'])('a limit of %j is refused', async (limit) => {
  const emulator = await emulate(fixtures);

  expect(() => Reflect.apply(emulator.history, emulator, [{ limit }])).toThrow(/option limit: found/);
});
