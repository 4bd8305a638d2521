import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { emulate } from '../../support/emulate.js';
import { SEED, sized } from '../../support/soak.js';
import { readDatabase, sqlOf } from '../../support/sql.js';
import { waitFor } from '../../support/wait.js';
import { failDisk, holdSyncs, makeFolder, openData, send } from './folder.js';

// A database is its pages, which are records: what states can do, databases can.

const NOTES = ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text)', 'CREATE INDEX texts ON notes (text)'];
/** Draws a write: many rows or few, and sometimes a change of the schema. */
function drawWrite(rng: Rng, step: number): string {
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rng.pick([1, 3, 100])})`;
  return rng.pick([
    `${rows} INSERT INTO notes (text) SELECT 'step ${step} ' || i FROM n`,
    `${rows} INSERT INTO notes (text) SELECT hex(randomblob(${rng.pick([10, 3_000])})) FROM n`,
    `UPDATE notes SET text = 'changed ${step}' WHERE id % ${rng.int(1, 9)} = 0`,
    `DELETE FROM notes WHERE id % ${rng.int(1, 9)} = 0`,
    `CREATE TABLE IF NOT EXISTS t${step % 3} AS SELECT * FROM notes`,
    `DROP TABLE IF EXISTS t${step % 3}`,
  ]);
}

test('a rewind, a fork, a snapshot, a session and a data folder have the database of their commit', async () => {
  const rng = new Rng(`databases-${SEED}`);
  const data = makeFolder();
  const options = { data, fixtures: { users: [{ username: 'ada' }] } };
  const emulator = await openData(data, options);
  const { all } = sqlOf(emulator);
  await all(...NOTES);
  let past = [await readDatabase(emulator)];
  let [writes, rewinds] = [0, 0];
  for (let step = 0; step < sized(12, 200); step++) {
    const { state } = emulator.store;
    await sqlOf(emulator).execute(drawWrite(rng, step));
    if (emulator.store.state !== state) past.push(await readDatabase(emulator));
    writes = Math.max(writes, past.length);
    if (rng.bool(0.2) && past.length > 3) {
      rewinds++;
      emulator.rewind(2);
      past = past.slice(0, -2);
      expect(await readDatabase(emulator)).toStrictEqual(past.at(-1));
    }
  }
  await all("INSERT INTO notes (text) VALUES ('last')");
  const last = await readDatabase(emulator);
  const [first] = past;
  expect([first?.check, last.check]).toStrictEqual(['ok', 'ok']);
  expect(writes).toBeGreaterThan(4);
  expect(rewinds).toBeGreaterThan(0);

  const fork = emulator.fork('copy');
  emulator.snapshot('last');
  const session = emulator.session();
  await sqlOf(fork).all('DELETE FROM notes');
  expect(await readDatabase(emulator)).toStrictEqual(last);
  await all('DROP TABLE notes');
  emulator.restore('last');
  expect(await readDatabase(emulator)).toStrictEqual(last);

  const path = join(data, '..', `${process.pid}.session.ndjson`);
  writeFileSync(path, session);
  const opened = await emulate({}, { fixtures: undefined, now: undefined, session: path, listen: false });
  expect(await readDatabase(opened)).toStrictEqual(last);
  opened.rewind(1);
  expect(await readDatabase(opened)).toStrictEqual(past.at(-1));

  await emulator.close();
  const again = await openData(data, options);
  expect(await readDatabase(again)).toStrictEqual(last);
  await sqlOf(again).all('DELETE FROM notes');
  again.rewind(1);
  expect(await readDatabase(again)).toStrictEqual(last);
  again.reset();
  expect((await readDatabase(again)).schema).toStrictEqual([]);
});

test('a change has the pages that differ', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] }, { listen: false });
  const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500)';
  await sqlOf(emulator).all(NOTES[0] ?? '', `${rows} INSERT INTO notes (text) SELECT hex(randomblob(1000)) FROM n`);
  const before = new Set([...toValsState(emulator.store.state).pages].map(({ body }) => body));
  expect(before.size).toBeGreaterThan(200);

  await sqlOf(emulator).all("UPDATE notes SET text = 'x' WHERE id = 250");

  const { pages } = toValsState(emulator.store.state);
  expect([...pages].filter(({ body }) => !before.has(body)).length).toBeLessThan(4);
  await sqlOf(emulator).all('DELETE FROM notes');
  expect((await readDatabase(emulator)).check).toBe('ok');
});

test('a read returns durable data, and a write waits until it is durable', async () => {
  const emulator = await openData(makeFolder());
  const { execute, rows, all } = sqlOf(emulator);
  await all(...NOTES, "INSERT INTO notes VALUES (1, 'a')");
  const syncs = await holdSyncs();
  const done: string[] = [];
  const write = async (name: string, sql: string) => {
    const { status } = await execute(sql);
    done.push(`${name} ${status}`);
  };

  const writing = [write('second', "INSERT INTO notes VALUES (2, 'b')")];
  await waitFor(() => expect(syncs.spy).toHaveBeenCalled());
  // It builds on the write before it, and one that changes nothing has seen that as well.
  writing.push(write('third', 'INSERT INTO notes SELECT max(id) + 1, text FROM notes'));
  writing.push(write('nothing', 'DELETE FROM notes WHERE id > 5'));
  writing.push(write('error', "INSERT INTO notes VALUES (3, 'taken')"));

  expect(await rows('SELECT id FROM notes')).toStrictEqual([[1]]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await rows('SELECT id FROM notes')).toStrictEqual([[1]]);
  expect(done).toStrictEqual([]);
  syncs.release();
  await Promise.all(writing);

  expect(done.toSorted()).toStrictEqual(['error 400', 'nothing 200', 'second 200', 'third 200']);
  expect(await rows('SELECT id, text FROM notes')).toStrictEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'b'],
  ]);
});

test('a write that cannot be stored returns 503, and does not change the database', async () => {
  const emulator = await openData(makeFolder(), { onDataError: () => {} });
  const { execute, all } = sqlOf(emulator);
  await all(...NOTES, "INSERT INTO notes VALUES (1, 'a')");
  const before = await readDatabase(emulator);
  const mend = await failDisk('datasync');

  expect(await execute('DELETE FROM notes')).toMatchObject({ status: 503 });
  expect(await readDatabase(emulator)).toStrictEqual(before);
  expect(await execute('DELETE FROM notes')).toMatchObject({ status: 503 });
  mend();

  expect(await readDatabase(emulator)).toStrictEqual(before);
});

test('a user whose deletion waits to become durable can write no database', async () => {
  const emulator = await openData(makeFolder());
  await sqlOf(emulator).all(...NOTES);
  const { id } = emulator.users[0] ?? expect.fail();
  const syncs = await holdSyncs();

  const deleting = send(emulator, 'DELETE', `/_emulator/db/users/${id}`);
  await waitFor(() => expect(syncs.spy).toHaveBeenCalled());
  const reading = await sqlOf(emulator).execute('SELECT 1');
  const writing = sqlOf(emulator).execute("INSERT INTO notes VALUES (1, 'a')");
  syncs.release();

  expect(reading.status).toBe(200);
  expect((await deleting).status).toBe(200);
  expect((await writing).status).toBe(401);
  const { sqlite, pages } = toValsState(emulator.store.state);
  expect([[...sqlite], [...pages]]).toStrictEqual([[], []]);
});
