import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';
import { notFound } from '../../support/errors.js';

const ADA = 'aaaaaaaa-0000-4000-8000-000000000001';
const HELLO = 'bbbbbbbb-0000-4000-8000-000000000001';

const fixtures = {
  users: [{ username: 'ada', id: ADA }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1', createdAt: NOW }],
};

const read = async (emulator: Emulator, id: string) => (await as(emulator).get(`/_emulator/history/${id}`)).body;

const row = {
  author: 'ada',
  name: 'hello',
  id: HELLO,
  code: '1',
  version: 0,
  nextVersion: 1,
  readme: null,
  privacy: 'public',
  type: 'script',
  createdAt: NOW,
  versionCreatedAt: NOW,
  userId: ADA,
};
const hello = { collection: 'vals', id: HELLO, name: 'ada/hello' };
const version = { id: `${HELLO}:1`, val: 'ada/hello', version: 1, code: '2', createdAt: NOW, valId: HELLO };

test('a commit has each changed record before and after it', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send({ code: '2' }).expect(201);
  await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);
  const changed = { ...row, code: '2', version: 1, nextVersion: 2 };

  expect(await read(emulator, 'r1')).toStrictEqual({
    id: 'r1',
    request: 'POST /v1/vals/{val_id}/versions',
    time: NOW,
    total: 2,
    changes: [
      { ...hello, type: 'changed', fields: ['code'], before: row, after: changed },
      {
        ...{ collection: 'versions', id: `${HELLO}:1`, name: 'ada/hello version 1', type: 'added', part: true },
        ...{ before: null, after: version },
      },
    ],
    others: [],
  });
  expect(await read(emulator, 'r2')).toMatchObject({
    total: 3,
    changes: [
      { ...hello, type: 'removed', before: changed, after: null },
      { collection: 'versions', id: `${HELLO}:0`, part: true, after: null },
      { collection: 'versions', id: `${HELLO}:1`, part: true, before: version, after: null },
    ],
  });
});

test('a commit has changes of faults, but no tokens of rate limit windows', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 9, window: '1m' } });
  emulator.fail('POST /v1/vals', { delay: 1, times: 2 });
  await as(emulator, 'ada').post('/v1/vals').send({ code: '2' }).expect(200);

  const commit = await read(emulator, 'r1');

  expect(commit.others).toMatchObject([
    { name: 'faults', before: [{ id: 'f1', hits: 0, remaining: 2 }], after: [{ id: 'f1', hits: 1, remaining: 1 }] },
  ]);
  expect(JSON.stringify(commit)).not.toContain('ada-token');
});

test('a commit has its first 1,000 changed records, and their number', async () => {
  const emulator = await emulate(fixtures);
  emulator.add.run(Array.from({ length: 1_001 }, () => ({ val: 'ada/hello' })));

  const { total, changes } = await read(emulator, 'w1');

  expect(total).toBe(1_001);
  expect(changes).toHaveLength(1_000);
});

test('an unknown commit returns 404', async () => {
  expect(await read(await emulate(fixtures), 'r9')).toStrictEqual(
    notFound('There is no commit "r9": nothing was written yet.'),
  );
});

test('faults at a commit have the counters of that time', async () => {
  const emulator = await emulate(fixtures);
  emulator.fail('POST /v1/vals', { delay: 1 });
  for (let i = 0; i < 3; i++) await as(emulator, 'ada').post('/v1/vals').send({ code: '2' }).expect(200);
  emulator.disarm();
  const hits = async (query: object) => {
    const { body } = await as(emulator).get('/_emulator/faults').query(query);
    return body.map((fault: { hits: number }) => fault.hits);
  };

  expect(await hits({})).toStrictEqual([]);
  expect(await hits({ at: 'r2' })).toStrictEqual([2]);
  expect(await hits({ at: 'start' })).toStrictEqual([0]);
  expect((await as(emulator).get('/_emulator/faults?at=r9')).status).toBe(404);
});

test('the state at the commit of a journal entry is the state after its request', async () => {
  const emulator = await emulate(fixtures);
  const totals: [string | null, number][] = [];
  await as(emulator, 'ada').get('/v1/me').expect(200);
  await as(emulator, 'ada').post('/v1/vals').send({ code: '2' }).expect(200);
  await as(emulator, 'ada').get('/v1/me').expect(200);
  emulator.add.val({ author: 'ada', name: 'late', code: '3' });
  await as(emulator, 'ada').get('/v1/me').expect(200);

  for (const { commit } of emulator.requests()) {
    const { body } = await as(emulator)
      .get('/_emulator/records/vals')
      .query({ at: commit ?? 'start' });
    totals.push([commit, body.total]);
  }

  expect(totals).toStrictEqual([
    [null, 1],
    ['r2', 2],
    ['r2', 2],
    ['w1', 3],
  ]);
});

test('each id that the history lists finds its record', async () => {
  const emulator = await emulate(fixtures);
  const { body: val } = await as(emulator, 'ada').post('/v1/vals').send({ code: '2' }).expect(200);
  await as(emulator, 'ada').post(`/v1/vals/${val.id}/versions`).send({ code: '3' }).expect(201);
  const reference = `ada/${val.name}`;
  emulator.add.user({ username: 'eve' });
  emulator.add.like({ user: 'eve', val: reference });
  emulator.add.comment({ author: 'eve', val: reference, comment: 'Yes' });
  emulator.add.run({ val: reference });
  const { body: history } = await as(emulator).get('/_emulator/history').expect(200);
  const found: string[] = [];

  for (const { id: commit, changes, total } of history) {
    const { body: detail } = await as(emulator).get(`/_emulator/history/${commit}`).expect(200);
    const listed: readonly { readonly collection: string; readonly id: string }[] = detail.changes;
    const isListed = ({ collection, id }: (typeof listed)[number]) => expect.objectContaining({ collection, id });
    expect(listed).toEqual(expect.arrayContaining(changes.map(isListed)));
    expect(listed).toHaveLength(total);
    for (const { collection, id } of listed) {
      const { body } = await as(emulator).get(`/_emulator/records/${collection}/${id}?at=${commit}`).expect(200);
      expect(body.record.id).toBe(id);
      found.push(collection);
    }
  }

  expect(new Set(found)).toEqual(new Set(['users', 'vals', 'versions', 'runs', 'likes', 'comments']));
});
