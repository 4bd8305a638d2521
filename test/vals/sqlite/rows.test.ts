import { expect, test } from 'vitest';
import { ControlError, connect, type RemoteSandbox } from '#tools/client/index.js';
import { ApiError, NotFoundError, type Sandbox } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const NOTES =
  "CREATE TABLE notes (id INTEGER PRIMARY KEY, text, bytes); INSERT INTO notes VALUES (1, 'one', x'0102'), (2, 'two', NULL)";

const start = () =>
  emulate({
    users: [{ username: 'ada' }, { username: 'bob' }],
    projects: [{ owner: 'bob', name: 'site' }],
    sqlite: [
      { user: 'ada', sql: NOTES },
      { project: 'bob/site', sql: 'CREATE TABLE pages (path); INSERT INTO pages VALUES (9007199254740993)' },
    ],
  });

/** The default sandbox and a named one, each in the process and from outside. */
async function openAll(): Promise<[string, Sandbox | RemoteSandbox][]> {
  const emulator = await start();
  const one = emulator.sandbox('one');
  const remote = connect(emulator.url);
  return [
    ['emulator', emulator],
    ['sandbox', one],
    ['remote emulator', remote],
    ['remote sandbox', await remote.sandbox('one')],
  ];
}

const caught = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    return error;
  }
};

test('every sandbox reads rows as objects: of the first user, of a named owner, with arguments', async () => {
  for (const [name, sandbox] of await openAll()) {
    expect(await sandbox.rows('SELECT * FROM notes ORDER BY id'), name).toStrictEqual([
      { id: 1, text: 'one', bytes: [1, 2] },
      { id: 2, text: 'two', bytes: null },
    ]);
    expect(await sandbox.rows('SELECT text FROM notes WHERE id = ?', [2]), name).toStrictEqual([{ text: 'two' }]);
    expect(await sandbox.rows('SELECT text FROM notes WHERE text = :text', { text: 'one' }), name).toStrictEqual([
      { text: 'one' },
    ]);
    expect(await sandbox.rows('SELECT path FROM pages', [], { owner: 'bob/site' }), name).toStrictEqual([
      { path: '9007199254740993' },
    ]);
    expect(await sandbox.rows('SELECT 1 AS one', undefined, { owner: 'BOB' }), name).toStrictEqual([{ one: 1 }]);
    expect(await sandbox.requests(), name).toStrictEqual([]);
  }
});

test('rows are those of the sandbox, after what its program has written', async () => {
  const emulator = await start();
  const other = emulator.sandbox('other');
  await as(emulator, 'ada')
    .post('/v1/sqlite/execute')
    .send({ statement: 'DELETE FROM notes WHERE id = 1' })
    .expect(200);

  expect(emulator.rows('SELECT id FROM notes')).toStrictEqual([{ id: 2 }]);
  expect(other.rows('SELECT id FROM notes')).toStrictEqual([{ id: 1 }, { id: 2 }]);
  emulator.rewind(1);
  expect(emulator.rows('SELECT id FROM notes')).toStrictEqual([{ id: 1 }, { id: 2 }]);
});

test('a statement that is wrong or writes, and an unknown owner, are errors that say so', async () => {
  for (const [name, sandbox] of await openAll()) {
    const isRemote = name.startsWith('remote');
    const errors = {
      write: await caught(() => sandbox.rows('DELETE FROM notes')),
      missing: await caught(() => sandbox.rows('SELECT * FROM nots')),
      owner: await caught(() => sandbox.rows('SELECT 1', [], { owner: 'eve' })),
    };
    for (const error of [errors.write, errors.missing])
      expect(error, name).toBeInstanceOf(isRemote ? ControlError : ApiError);
    expect(errors.owner, name).toBeInstanceOf(isRemote ? ControlError : NotFoundError);
    expect(String(errors.write), name).toContain('attempt to write a readonly database');
    expect(String(errors.missing), name).toContain(
      'no such table: nots; the database has notes. Did you mean "notes"?',
    );
    expect(String(errors.owner), name).toContain('There is no user and no project "eve" that could have a database.');
    // @ts-expect-error: no statement
    expect(String(await caught(() => sandbox.rows())), name).toMatch(/sql/);
    expect(await sandbox.rows('SELECT count(*) AS n FROM notes'), name).toStrictEqual([{ n: 2 }]);
  }
  const empty = await emulate({});
  expect(() => empty.rows('SELECT 1')).toThrow(/Add a user, or name a project as owner/);
});
