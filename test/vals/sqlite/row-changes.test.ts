import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { type Statement, sqlOf } from '../../support/sql.js';

const NOTES = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text)';
const fixtures: Fixtures = { users: [{ username: 'ada' }] };

/** Starts an emulator with a database, in which `rows` runs a batch and returns the rows of its record. */
async function start(...setup: Statement[]) {
  const emulator = await emulate(fixtures);
  const { batch, execute } = sqlOf(emulator);
  await batch(setup);
  const findRows = () => emulator.requests().at(-1)?.rows;
  const change = async (...statements: Statement[]) => {
    await batch(statements);
    return findRows();
  };
  return { emulator, execute, change, findRows };
}

const note = (id: number, text: unknown) => ({ id, text });
/** What statements have changed in a table: pairs of the row before and after. */
const ofTable =
  (table: string) =>
  (statement: string | null, ...pairs: [before: unknown, after: unknown][]) => ({
    record: 'sqlite/ada',
    statement,
    changes: pairs.map(([before, after]) => ({ table, before, after })),
    more: 0,
  });
const ofNotes = ofTable('notes');

describe('rows before and after', () => {
  test.each<[statement: string, ...pairs: [before: unknown, after: unknown][]]>([
    ["INSERT INTO notes VALUES (3, 'c')", [null, note(3, 'c')]],
    ["UPDATE notes SET text = 'b2' WHERE id = 2", [note(2, 'b'), note(2, 'b2')]],
    ['UPDATE notes SET id = 9 WHERE id = 2', [note(2, 'b'), note(9, 'b')]],
    ['DELETE FROM notes WHERE id = 1', [note(1, 'a'), null]],
    ['DELETE FROM notes', [note(1, 'a'), null], [note(2, 'b'), null]],
    ["REPLACE INTO notes VALUES (1, 'z')", [note(1, 'a'), null], [null, note(1, 'z')]],
    ["INSERT INTO notes VALUES (1, 'x') ON CONFLICT DO UPDATE SET text = excluded.text", [note(1, 'a'), note(1, 'x')]],
    [
      'INSERT INTO notes SELECT id + 2, upper(text) FROM notes WHERE true RETURNING id',
      [null, note(3, 'A')],
      [null, note(4, 'B')],
    ],
  ])('of %s', async (statement, ...pairs) => {
    const { execute, findRows } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a'), (2, 'b')");

    await execute(statement);

    expect(findRows()).toStrictEqual([ofNotes(statement, ...pairs)]);
  });

  test.each([
    ['without a key', 'CREATE TABLE t (a, b)'],
    ['WITHOUT ROWID', 'CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID'],
    ['with a key of two columns', 'CREATE TABLE t (a, b, PRIMARY KEY (b, a))'],
    ['STRICT', 'CREATE TABLE t (a ANY, b ANY) STRICT'],
  ])('of a table %s', async (_, table) => {
    const { change } = await start(table);
    const [insert, update, remove] = ["INSERT INTO t VALUES ('x', 1)", "UPDATE t SET a = 'y'", 'DELETE FROM t'];

    const [old, now] = [
      { a: 'x', b: 1 },
      { a: 'y', b: 1 },
    ];
    const of = ofTable('t');
    expect(await change(insert, update, remove)).toStrictEqual([
      of(insert, [null, old]),
      of(update, [old, now]),
      of(remove, [now, null]),
    ]);
  });

  test('have values as results have them, bytes in base64, and the beginning of what is long', async () => {
    const { change } = await start('CREATE TABLE t (a, b, c REAL, twice AS (a * 2), half AS (a / 2) STORED)');
    const of = async (a: string, b = 'NULL', c = 'NULL') => {
      const [rows] = (await change(`INSERT INTO t (a, b, c) VALUES (${a}, ${b}, ${c})`)) ?? [];
      return rows?.changes[0]?.after;
    };

    expect(await of('3', "'a\nä🎉'", '2')).toStrictEqual({ a: 3, b: 'a\nä🎉', c: 2, half: 1 });
    expect(await of('9007199254740993', "x'0102'", '9e999')).toMatchObject({
      a: '9007199254740993',
      b: { base64: 'AQI=' },
      c: null,
    });
    expect(await of('-9007199254740991', "x''", '-0.5')).toMatchObject({
      a: -9_007_199_254_740_991,
      b: { base64: '' },
    });
    expect(await of('NULL', 'zeroblob(1001)')).toMatchObject({ a: null, b: { bytes: 1_001 } });
    expect(await of('NULL', 'zeroblob(1000)')).toMatchObject({ b: { base64: expect.stringMatching(/^A{1330,}=*$/) } });
    expect(await of(`'${'🎉'.repeat(251)}'`)).toMatchObject({ a: { text: '🎉'.repeat(100), bytes: 1_004 } });
  });

  test('are right while the memory of the engine grows', async () => {
    const { change } = await start('CREATE TABLE t (a, b)');
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO t SELECT 'row ' || i, zeroblob(200000) FROM n`;

    const [recorded] = (await change(rows)) ?? [];

    const added = Array.from({ length: 40 }, (_, i) => ({
      table: 't',
      before: null,
      after: { a: `row ${i + 1}`, b: { bytes: 200_000 } },
    }));
    expect(recorded?.changes).toStrictEqual(added);
  });

  test('of triggers and cascades stand with their statement', async () => {
    const { change } = await start(
      NOTES,
      'CREATE TABLE tags (tag, note REFERENCES notes (id) ON DELETE CASCADE)',
      'CREATE TABLE log (text)',
      "CREATE TRIGGER logged BEFORE DELETE ON notes BEGIN INSERT INTO log VALUES ('gone: ' || old.text); END",
      "INSERT INTO notes VALUES (1, 'a')",
      "INSERT INTO tags VALUES ('x', 1)",
    );

    expect(await change('DELETE FROM notes WHERE id = 1')).toStrictEqual([
      {
        record: 'sqlite/ada',
        statement: 'DELETE FROM notes WHERE id = 1',
        changes: [
          { table: 'log', before: null, after: { text: 'gone: a' } },
          { table: 'notes', before: note(1, 'a'), after: null },
          { table: 'tags', before: { tag: 'x', note: 1 }, after: null },
        ],
        more: 0,
      },
    ]);
  });

  test('have the columns that the table has then', async () => {
    const { change } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");
    const update = 'UPDATE notes SET extra = 2';

    await change("UPDATE notes SET text = 'b'");
    expect(await change('ALTER TABLE notes ADD COLUMN extra DEFAULT 7', update)).toStrictEqual([
      ofNotes(update, [
        { id: 1, text: 'b', extra: 7 },
        { id: 1, text: 'b', extra: 2 },
      ]),
    ]);
    const renamed = 'INSERT INTO notes (id) VALUES (2)';
    expect(await change('ALTER TABLE notes RENAME text TO "the text"', renamed)).toStrictEqual([
      ofNotes(renamed, [null, { id: 2, 'the text': null, extra: 7 }]),
    ]);
    await change('DROP TABLE notes', 'CREATE TABLE notes (other)', 'INSERT INTO notes VALUES (1)', 'no SQL');
    expect(await change(renamed)).toStrictEqual(
      [ofNotes(renamed, [null, { id: 2, 'the text': null, extra: 7 }])].slice(1),
    );
    await change('DROP TABLE notes', 'CREATE TABLE notes (other)');
    const other = 'INSERT INTO notes VALUES (1)';
    expect(await change(other)).toStrictEqual([ofNotes(other, [null, { other: 1 }])]);
  });

  test('are of the project whose token it is', async () => {
    const emulator = await emulate({
      ...fixtures,
      projects: [{ owner: 'ada', name: 'site' }],
      tokens: [{ user: 'ada', project: 'ada/site', token: 'site-token', scopes: ['sqlite:read', 'sqlite:write'] }],
    });
    const headers = { authorization: 'Bearer site-token' };
    const body = JSON.stringify({ statements: [NOTES, "INSERT INTO notes VALUES (1, 'a')"] });
    await emulator.fetch('/v1/sqlite/batch', { method: 'POST', headers, body });

    expect(emulator.requests().at(-1)?.rows).toMatchObject([{ record: 'sqlite/ada/site' }]);
    expect(emulator.history({ record: 'sqlite/ada/site' })).toMatchObject([
      { id: 'r1', changes: [{ rows: [{ more: 0 }] }] },
    ]);
  });
});

describe('no rows', () => {
  test.each<[what: string, ...statements: string[]]>([
    ['a read', 'SELECT * FROM notes'],
    ['a statement that changes no row', 'UPDATE notes SET text = 1 WHERE id = 5'],
    ['a change of the schema', 'CREATE TABLE copy AS SELECT * FROM notes', 'DROP TABLE notes'],
    ['a batch that fails', "INSERT INTO notes VALUES (3, 'c')", "INSERT INTO notes VALUES (3, 'c')"],
    ['a statement that is explained', "EXPLAIN INSERT INTO notes VALUES (3, 'c')", 'CREATE TABLE t (a)'],
  ])('of %s', async (_, ...statements) => {
    const { change } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");

    expect(await change(...statements)).toStrictEqual([]);
  });

  test('of what a savepoint has taken back', async () => {
    const { change } = await start(NOTES);
    const insert = (id: number) => `INSERT INTO notes VALUES (${id}, 'a')`;

    const rows = await change(
      ...['SAVEPOINT one', insert(1), 'SAVEPOINT Two', insert(2), 'ROLLBACK TO two', insert(3)],
      ...[
        'EXPLAIN ROLLBACK TO one',
        'RELEASE two',
        'SAVEPOINT two',
        insert(4),
        'ROLLBACK TO two',
        'RELEASE one',
        insert(5),
      ],
    );

    expect(rows).toStrictEqual([1, 3, 5].map((id) => ofNotes(insert(id), [null, note(id, 'a')])));
  });
});

describe('bounds', () => {
  const count = (to: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${to})`;

  test('a request has 100 rows, and then numbers', async () => {
    const { change } = await start(NOTES);
    const [first, second] = [`${count(120)} INSERT INTO notes SELECT i, 'a' FROM n`, 'UPDATE notes SET text = 5'];

    const rows = await change(first, second, 'DELETE FROM notes WHERE id > 110');

    expect(rows).toMatchObject([
      { statement: first, more: 20 },
      { statement: second, changes: [], more: 120 },
      { statement: 'DELETE FROM notes WHERE id > 110', changes: [], more: 10 },
    ]);
    expect(rows?.[0]?.changes).toHaveLength(100);
    expect(rows?.[0]?.changes[99]).toStrictEqual({ table: 'notes', before: null, after: note(100, 'a') });
    expect(await change("INSERT INTO notes VALUES (500, 'b')")).toMatchObject([{ changes: [{}], more: 0 }]);
  });

  test('all rows of a request have 16 kB of JSON, and so have many statements', async () => {
    const { change } = await start(NOTES);

    const rows = await change(`${count(50)} INSERT INTO notes SELECT i, printf('%.900c', 'x') FROM n`);
    expect(JSON.stringify(rows).length).toBeLessThan(16_500);
    expect(rows).toMatchObject([{ more: 34 }]);
    expect(rows?.[0]?.changes).toHaveLength(16);

    const many = await change(
      ...Array.from({ length: 400 }, (_, i) => `DELETE FROM notes WHERE id = ${i + 1} /* ${i} */`),
    );
    expect(JSON.stringify(many).length).toBeLessThan(16_500);
    const inserted = await change(...Array.from({ length: 400 }, (_, i) => `INSERT INTO notes VALUES (${i}, ${i})`));
    expect(JSON.stringify(inserted).length).toBeLessThan(16_500);
    expect(inserted?.at(-1)).toMatchObject({ statement: null, changes: [] });
    const sum = inserted?.reduce((total, { changes, more }) => total + changes.length + more, 0);
    expect(sum).toBe(400);
  });

  test('a statement that empties a table of a large database is counted, since SQLite does not visit its rows', async () => {
    const { change } = await start(NOTES);
    await change(`${count(90)} INSERT INTO notes SELECT i, zeroblob(900) FROM n`);

    const rows = await change('delete from  notes ;', "INSERT INTO notes VALUES (1, 'a')", 'DELETE FROM notes');

    expect(rows?.map(({ changes, more }) => [changes.length, more])).toStrictEqual([
      [0, 90],
      [1, 0],
      [0, 1],
    ]);
    expect(await change('DELETE FROM notes WHERE true')).toStrictEqual([]);
  });

  test('a statement has 200 characters, and one that is repeated stands once', async () => {
    const { change } = await start(NOTES);
    const sql = `INSERT INTO notes (text) VALUES (?) /* ${'long '.repeat(100)} */`;

    const rows = await change(...[1, 2, 3].map((value) => ({ sql, args: [value] })));

    expect(rows).toStrictEqual([
      ofNotes(sql.slice(0, 200), [null, note(1, 1)], [null, note(2, 2)], [null, note(3, 3)]),
    ]);
  });
});

test('the history has the rows of a commit, also by the name of its database', async () => {
  const { emulator, execute } = await start(NOTES);
  await execute("INSERT INTO notes VALUES (1, 'a')");
  const rows = [ofNotes("INSERT INTO notes VALUES (1, 'a')", [null, note(1, 'a')])];

  const response = await emulator.fetch('/_emulator/history/r2');
  expect(await response.json()).toMatchObject({ id: 'r2', total: 1, changes: [{ name: 'database of ada', rows }] });
  const history = emulator.history({ record: 'sqlite/ada' });
  expect(history.map(({ id }) => id)).toStrictEqual(['r1', 'r2']);
  expect(history.map(({ changes }) => changes[0]?.rows)).toStrictEqual([undefined, rows]);
  expect(history).toStrictEqual(emulator.history({ record: `sqlite/${emulator.users[0]?.id}` }));
  emulator.clearRequests();
  const later = emulator.history({ record: 'sqlite/ada' });
  expect(later.map(({ changes }) => changes.map(({ rows }) => rows))).toStrictEqual([[undefined], [undefined]]);
  expect(() => emulator.history({ record: 'sqlite/bob' })).toThrow('There is no record "sqlite/bob" in the history');
});
