import { expect, test, vi } from 'vitest';
import { as, createEmulator, emulate } from '../../support/emulate.js';

const HELLO = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
};
const NOTHING = { commits: 0, total: 0, counts: {}, changes: [], others: [] };
const added = (name: string) => ({ type: 'added', name });
const removed = (name: string) => ({ type: 'removed', name });

test('a reset says which records it changed, and what else', async () => {
  const emulator = await emulate(HELLO);
  const ada = as(emulator, 'ada');
  const [{ id = '' } = {}] = emulator.state().vals;
  await ada.put(`/v1/vals/${id}`).send({ name: 'other' });
  emulator.add.user({ username: 'cleo' });
  emulator.add.val({ author: 'cleo', name: 'mine', code: '2' });
  emulator.fail('GET /v1/me');
  emulator.clock.advance('1h');
  emulator.rateLimit.set({ limit: 50, window: '1m' });
  const [user] = emulator.state().users.filter(({ username }) => username === 'cleo');
  expect((await as(emulator).post('/_emulator/reset')).body).toEqual({
    commits: 4,
    total: 4,
    counts: {
      users: { added: 0, changed: 0, removed: 1 },
      vals: { added: 0, changed: 1, removed: 1 },
      versions: { added: 0, changed: 0, removed: 1 },
    },
    changes: [
      { collection: 'users', id: user?.id, name: 'cleo', type: 'removed' },
      { collection: 'vals', id, name: 'ada/hello', type: 'changed', fields: ['name'] },
    ],
    others: ['faults', 'rateLimit', 'clock'],
  });
  expect((await as(emulator).post('/_emulator/reset')).body).toEqual(NOTHING);
});

test('a rewind and a restored snapshot say what came back', async () => {
  const emulator = await emulate(HELLO);
  emulator.snapshot('begin');
  emulator.add.like({ user: 'bob', val: 'ada/hello' });
  const [{ id = '' } = {}] = emulator.state().vals;
  await as(emulator, 'ada').delete(`/v1/vals/${id}`);
  const control = as(emulator);
  expect((await control.post('/_emulator/rewind').send({ steps: 1 })).body).toMatchObject({
    commits: 1,
    counts: { vals: { added: 1, changed: 0, removed: 0 }, likes: { added: 1, changed: 0, removed: 0 } },
    changes: [added('ada/hello'), added('bob likes ada/hello')],
  });
  expect((await control.post('/_emulator/snapshots/begin/restore')).body).toMatchObject({
    ...{ commits: 1, total: 1 },
    counts: { likes: { added: 0, changed: 0, removed: 1 } },
    changes: [removed('bob likes ada/hello')],
    others: [],
  });
});

test('other seed data say what is other, and equal data that nothing is', async () => {
  const emulator = await emulate({ ...HELLO, blobs: [{ user: 'ada', key: 'a', text: 'b' }] });
  const control = as(emulator);
  const same = { ...HELLO, blobs: [{ user: 'ada', key: 'a', text: 'b' }] };
  expect((await control.put('/_emulator/seed').send(same)).body).toEqual(NOTHING);
  expect((await control.put('/_emulator/seed').send({ users: [{ username: 'ada' }] })).body).toMatchObject({
    counts: { users: { added: 0, changed: 0, removed: 1 }, vals: { added: 0, changed: 0, removed: 1 } },
    changes: [removed('bob'), removed('ada/hello'), removed('blob a of ada')],
  });
  const generated = (await control.put('/_emulator/seed').send({ generate: { users: 3, vals: 0 } })).body;
  expect(generated).toMatchObject({ counts: { users: { added: 3, removed: 1 } } });
});

test('relative times that count from a later reset are no change', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const emulator = await createEmulator({
      fixtures: { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1', createdAt: '-1d' }] },
    });
    const read = () => emulator.state().vals[0]?.createdAt;
    const createdAt = read();
    vi.advanceTimersByTime(3_600_000);
    // Another sandbox makes the state of the seed again.
    await emulator.fetch('/_sandbox/other/_emulator/reset', { method: 'POST' });
    const fork = emulator.fork('copy');
    emulator.add.user({ username: 'bob' });
    const post = async (path: string) => (await emulator.fetch(path, { method: 'POST' })).json();
    expect(await post('/_emulator/reset')).toMatchObject({
      counts: { users: { added: 0, changed: 0, removed: 1 } },
      changes: [removed('bob')],
    });
    expect(read()).not.toBe(createdAt);
    expect(await post('/_sandbox/copy/_emulator/reset')).toEqual(NOTHING);
    expect(fork.state().users).toHaveLength(1);
    await emulator.close();
  } finally {
    vi.useRealTimers();
  }
});
