import { expect, onTestFinished, test, vi } from 'vitest';
import { branches } from '#vals/projects/branches.collection.js';
import { databases } from '#vals/sqlite/databases.collection.js';
import type { RequestLog } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const fixtures = {
  users: [{ username: 'ada' }],
  projects: [{ owner: 'ada', name: 'site', files: { 'main.ts': '1' } }],
  sqlite: [{ user: 'ada', sql: 'CREATE TABLE t (a)' }],
};

test('the log, explain and the list of commits read no rows and no files of records', async () => {
  if (!branches.files) throw new Error('no files');
  const reads = [vi.spyOn(databases, 'rows'), vi.spyOn(branches.files, 'list')];
  onTestFinished(() => void vi.restoreAllMocks());
  const log: RequestLog[] = [];
  const emulator = await emulate(fixtures, { onRequest: (request) => log.push(request) });
  const { id = '' } = emulator.state().projects[0] ?? {};
  const ada = as(emulator, 'ada');
  await ada.post('/v1/sqlite/execute').send({ statement: 'INSERT INTO t VALUES (1)' }).expect(200);
  await ada.put(`/v2/vals/${id}/files?path=main.ts`).send({ content: '2' }).expect(200);
  for (const read of reads) read.mockClear();

  expect(log.map(({ changes }) => changes)).toEqual([['database of ada: content'], ['+ ada/site@main version 2']]);
  expect(emulator.explain('r1').summary).toMatch(/It changed: database of ada: content\.$/);
  expect(emulator.history().map(({ id }) => id)).toEqual(['r1', 'r2']);
  expect(reads.map((read) => read.mock.calls.length)).toEqual([0, 0]);

  emulator.diff();
  expect(reads.map((read) => read.mock.calls.length > 0)).toEqual([true, true]);
});

test('a changed secret is named, and shown without its value', async () => {
  const emulator = await emulate(fixtures);
  const { id } = emulator.users[0] ?? {};
  await as(emulator).patch(`/_emulator/records/users/${id}`).send({ token: 'hunter2' }).expect(200);

  const [entry] = emulator.history({ record: 'ada' });
  const shown = { fields: ['token'], before: { token: '(secret)' }, after: { token: '(another secret)' } };
  expect(entry?.changes).toMatchObject([shown]);
  const { body } = await as(emulator).get('/_emulator/history/w1').expect(200);
  expect(body.changes).toMatchObject([shown]);
  expect(JSON.stringify([entry, body])).not.toContain('hunter2');
});

test('a record that an equal one replaced is no change', async () => {
  const emulator = await emulate({ ...fixtures, vals: [{ author: 'ada', name: 'big', code: '1', version: 0 }] });
  const { id = '' } = emulator.state().vals[0] ?? {};
  const ada = as(emulator, 'ada');
  await ada.post(`/v1/vals/${id}/versions`).send({ code: '2' }).expect(201);
  await ada.delete(`/v1/vals/${id}/versions/0`).expect(204);

  const removed = [{ collection: 'versions', id: `${id}:0`, name: 'ada/big version 0', type: 'removed' }];
  expect(emulator.history().at(-1)).toMatchObject({ total: 1, changes: removed });
  const { body } = await as(emulator).get('/_emulator/history/last').expect(200);
  expect(body).toMatchObject({ id: 'r2', total: 1, changes: removed });
  expect(emulator.history({ record: 'ada/big' }).map(({ id }) => id)).toEqual(['r1']);
});

test('bytes that change are a change, though size and time stay', async () => {
  const emulator = await emulate(fixtures);
  const insert = (value: number) =>
    as(emulator, 'ada')
      .post('/v1/sqlite/execute')
      .send({ statement: `INSERT INTO t VALUES (${value})` })
      .expect(200);
  await insert(1);
  const before = emulator.snapshot();
  await insert(2);

  const { body } = await as(emulator).post(`/_emulator/snapshots/${before}/restore`).expect(200);
  expect(body).toMatchObject({
    counts: { sqlite: { added: 0, changed: 1, removed: 0 } },
    changes: [{ name: 'database of ada', type: 'changed', fields: ['content'] }],
  });
});
