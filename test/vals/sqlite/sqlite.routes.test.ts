import workerThreads from 'node:worker_threads';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toValsState } from '#vals/lib/state.collection.js';
import { SqliteThread } from '#vals/sqlite/thread/thread.js';
import type { Fixtures } from '../../../src/index.js';
import { boundBytes } from '../../support/bytes.js';
import { as, emulate, NOW } from '../../support/emulate.js';
import { notFound } from '../../support/errors.js';
import { readDatabase, type Statement, sqlOf } from '../../support/sql.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }, { username: 'bob' }] };
const NOTES = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)';
const EMPTY = { columns: [], columnTypes: [], rows: [], rowsAffected: 0, lastInsertRowid: null };

const start = async (...statements: Statement[]) => {
  const emulator = await emulate(fixtures);
  const sql = sqlOf(emulator);
  if (statements.length > 0) await sql.all(...statements);
  return { emulator, ...sql };
};

describe('statements and arguments', () => {
  test.each<[form: string, statement: Statement, row: unknown[]]>([
    ['a text', "SELECT 1, 'a'", [1, 'a']],
    ['an object without arguments', { sql: 'SELECT 1', args: {} }, [1]],
    ['an empty list', { sql: 'SELECT 1', args: [] }, [1]],
    ['a list', { sql: 'SELECT ?, ?', args: ['a', 2] }, ['a', 2]],
    ['a list for numbered parameters', { sql: 'SELECT ?2, ?1', args: ['a', 2] }, [2, 'a']],
    ['a list for named parameters', { sql: 'SELECT :a, $b, @c', args: [1, 2, 3] }, [1, 2, 3]],
    ['names without a sign', { sql: 'SELECT :a, @b, $c', args: { a: 1, b: 2, c: 3 } }, [1, 2, 3]],
    ['names with their sign', { sql: 'SELECT :a, @b, $c', args: { ':a': 1, '@b': 2, $c: 3 } }, [1, 2, 3]],
    ['a name that is used twice', { sql: 'SELECT :a, :a', args: { a: 'x' } }, ['x', 'x']],
    ['names of objects', { sql: 'SELECT :toString', args: { toString: 1 } }, [1]],
    ['a comment and semicolons', '; SELECT 1; -- end', [1]],
  ])('may be %s', async (_, statement, row) => {
    const { execute } = await start();

    expect(await execute(statement)).toMatchObject({ status: 200, body: { rows: [row] } });
  });

  const NO_BYTES = 'value for parameter 1 has elements other than integers from 0 to 255';
  test.each<[what: string, statement: unknown, message: string]>([
    ['missing', { sql: 'SELECT ?, ?', args: [1] }, 'value for parameter 2 not found'],
    ['missing', { sql: 'SELECT :a', args: [] }, 'value for parameter :a not found'],
    ['missing', { sql: 'SELECT :toString', args: {} }, 'value for parameter :toString not found'],
    ['no bytes', { sql: 'SELECT ?', args: [[256]] }, NO_BYTES],
    ['no bytes', { sql: 'SELECT :a', args: { a: [1.5] } }, NO_BYTES.replace('1', ':a')],
    ['too many', { sql: 'SELECT ?', args: [1, 2] }, 'too many parameters, expected 1 found 2'],
    ['too many', { sql: 'SELECT :a', args: { a: 1, b: 2 } }, 'too many parameters, expected 1 found 2'],
  ])('arguments that are %s are refused: %j', async (_, statement, reason) => {
    const { execute } = await start();
    const message = `ARGS_INVALID: Arguments do not match SQL parameters: ${reason}`;

    expect(await execute(Object(statement))).toStrictEqual({ status: 400, body: { message, code: 'ARGS_INVALID' } });
  });

  test.each<[body: unknown, path: string]>([
    [{}, 'body'],
    [{ statement: {} }, 'body/statement'],
    [{ statement: { sql: 'SELECT 1' } }, "body/statement must have required property 'args'"],
    [{ statement: { sql: 'SELECT ?', args: [{ a: 1 }] } }, 'body/statement'],
    [{ statement: { sql: 'SELECT 1', args: Array(501).fill(1) } }, 'body/statement'],
    [{ statement: `SELECT '${'x'.repeat(100_000)}'` }, 'body/statement'],
  ])('the body %j is refused', async (body, path) => {
    const { emulator } = await start();

    const response = await as(emulator, 'ada').post('/v1/sqlite/execute').send(Object(body));

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'FST_ERR_VALIDATION', message: expect.stringContaining(path) });
  });

  test('500 arguments and 100,000 characters are accepted', async () => {
    const { rows } = await start();
    const args = Array.from({ length: 500 }, (_, i) => i);
    const text = 'x'.repeat(100_000 - 'SELECT length()'.length - 2);

    expect(await rows({ sql: `SELECT ${args.map(() => '?').join('+')}`, args })).toStrictEqual([[124_750]]);
    expect(await rows(`SELECT length('${text}')`)).toStrictEqual([[99_983]]);
  });
});

describe('values', () => {
  test.each<[value: unknown, type: string, found: unknown]>([
    [null, 'null', null],
    [true, 'integer', 1],
    [false, 'integer', 0],
    [0, 'real', 0],
    [-5, 'real', -5],
    [2 ** 53 - 1, 'real', 9_007_199_254_740_991],
    [2 ** 60, 'real', 2 ** 60],
    [1.5, 'real', 1.5],
    [1e300, 'real', 1e300],
    [5e-324, 'real', 5e-324],
    ['', 'text', ''],
    ["it's", 'text', "it's"],
    ['a\0b', 'text', 'a\0b'],
    ['🎉 ä\n', 'text', '🎉 ä\n'],
    [[], 'blob', []],
    [[0, 1, 127, 128, 255], 'blob', [0, 1, 127, 128, 255]],
  ])('%j is bound as %s and returned as %j', async (value, type, found) => {
    const { rows } = await start('CREATE TABLE t (v)');

    await rows({ sql: 'INSERT INTO t VALUES (?)', args: [value] });

    expect(await rows('SELECT typeof(v), v FROM t')).toStrictEqual([[type, found]]);
  });

  test('a number is bound as a float, which a column with the affinity of integers takes as an integer', async () => {
    const { batch, rows } = await start('CREATE TABLE t (i INTEGER, n NUMERIC, t TEXT, r REAL, b BLOB, x)');

    await batch([{ sql: 'INSERT INTO t VALUES (?1, ?1, ?1, ?1, ?1, ?1)', args: [123] }]);

    expect(await rows('SELECT * FROM t')).toStrictEqual([[123, 123, '123.0', 123, 123, 123]]);
    expect(await rows('SELECT typeof(i), typeof(n), typeof(t), typeof(r), typeof(b), typeof(x) FROM t')).toStrictEqual([
      ['integer', 'integer', 'text', 'real', 'real', 'real'],
    ]);
    expect(await rows({ sql: 'SELECT i FROM t WHERE i = :n AND t = :n AND x = :n', args: { n: 123 } })).toStrictEqual([
      [123],
    ]);
    expect(await rows({ sql: "SELECT ? / 2, 'v' || ?, json_array(?)", args: [1, 5, 5] })).toStrictEqual([
      [0.5, 'v5.0', '[5.0]'],
    ]);
  });

  test('an integer as hrana has it is an integer of 64 bits, and nothing else is taken for it', async () => {
    const { execute, rows } = await start('CREATE TABLE t (v)');
    const integer = (value: unknown, type: unknown = 'integer') => ({ type, value });
    const type = (arg: unknown) => execute({ sql: 'SELECT typeof(?), ?1', args: [arg] });

    expect(
      await rows({ sql: 'SELECT ? / 2, :a', args: { 1: integer('5'), a: integer('-9223372036854775808') } }),
    ).toEqual([[2, '-9223372036854775808']]);
    for (const wrong of [integer('5.5'), integer(''), integer('5', 'float'), { value: '5' }, {}]) {
      expect(await type(wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
    }
    expect(await type(integer('9223372036854775808'))).toMatchObject({
      status: 400,
      body: { code: 'ARGS_INVALID', message: expect.stringMatching(/parameter \?1 is beyond the integers of 64 bits/) },
    });
  });

  test('integers beyond 2^53 are texts, in rows and as the last rowid', async () => {
    const { execute, rows } = await start('CREATE TABLE t (id INTEGER PRIMARY KEY)');

    expect(await rows('SELECT 9007199254740991, 9007199254740992, -9223372036854775807 - 1')).toStrictEqual([
      [9_007_199_254_740_991, '9007199254740992', '-9223372036854775808'],
    ]);
    expect(await execute('INSERT INTO t VALUES (9223372036854775807)')).toMatchObject({
      body: { lastInsertRowid: '9223372036854775807' },
    });
    expect(await rows({ sql: 'SELECT id FROM t WHERE id = ?', args: ['9223372036854775807'] })).toHaveLength(1);
  });

  test('infinity is null, and half of a surrogate pair is a replacement character', async () => {
    const { rows } = await start();

    expect(await rows({ sql: 'SELECT 9e999, -9e999, ?', args: ['\ud800'] })).toStrictEqual([[null, null, '\ufffd']]);
  });
});

describe('results', () => {
  test('have names and declared types of columns', async () => {
    const { execute } = await start('CREATE TABLE t (id INTEGER PRIMARY KEY, "a b" VARCHAR(20), c)');

    expect(await execute('SELECT id, "a b", c, id + 1, id AS id FROM t')).toStrictEqual({
      status: 200,
      body: {
        columns: ['id', 'a b', 'c', 'id + 1', 'id'],
        columnTypes: ['INTEGER', 'VARCHAR(20)', '', '', 'INTEGER'],
        rows: [],
        rowsAffected: 0,
        lastInsertRowid: null,
      },
    });
  });

  test('count the rows that a statement changes, and have the last rowid of an insert only', async () => {
    const { execute } = await start(NOTES);
    const result = async (statement: string) => Object(await execute(statement)).body;

    expect(await result("INSERT INTO notes (text) VALUES ('a'), ('b'), ('c')")).toStrictEqual({
      ...EMPTY,
      rowsAffected: 3,
      lastInsertRowid: 3,
    });
    expect(await result("UPDATE notes SET text = text || '!' WHERE id > 1")).toStrictEqual({
      ...EMPTY,
      rowsAffected: 2,
    });
    expect(await result('DELETE FROM notes')).toStrictEqual({ ...EMPTY, rowsAffected: 3 });
    expect(await result('DELETE FROM notes')).toStrictEqual(EMPTY);
    expect(await result('CREATE TABLE t AS SELECT 1 AS a')).toStrictEqual(EMPTY);
    expect(await result("INSERT OR IGNORE INTO notes VALUES (7, 'x')")).toMatchObject({ lastInsertRowid: 7 });
  });

  test('have the last rowid of the request, or 0, if an insert inserts nothing', async () => {
    const { batch } = await start(NOTES, "INSERT INTO notes VALUES (7, 'x')");
    const ignored = "INSERT OR IGNORE INTO notes VALUES (8, 'x')";
    const results = await batch([
      ...[ignored, "INSERT INTO notes VALUES (9, 'y')", ignored, 'INSERT INTO notes SELECT 1, 2 WHERE 0'],
      "INSERT INTO notes VALUES (9, 'z') ON CONFLICT DO UPDATE SET text = 'z'",
      'CREATE TABLE t (k TEXT PRIMARY KEY) WITHOUT ROWID',
      "INSERT INTO t VALUES ('a')",
    ]);

    expect(Object(results.body).map((each: object) => Reflect.get(each, 'lastInsertRowid'))).toStrictEqual([
      ...[0, 9, 9, 9, 9],
      ...[null, 9],
    ]);
  });

  test.each([
    ['CREATE INDEX i ON notes (text)'],
    ['CREATE VIEW v AS SELECT 1'],
    ['CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)'],
    ['CREATE VIRTUAL TABLE f USING fts5 (a)'],
    ['CREATE VIRTUAL TABLE r USING rtree (id, a, b)'],
    ['ALTER TABLE notes ADD COLUMN a'],
    ['ANALYZE'],
    ['EXPLAIN INSERT INTO notes VALUES (1, 2)'],
    ["UPDATE notes SET text = 'b' RETURNING id"],
    ["WITH a AS (SELECT 'b') DELETE FROM notes WHERE text IN a"],
  ])('have no rowid for %s', async (statement) => {
    const { batch } = await start(NOTES);

    expect(await batch(["INSERT INTO notes VALUES (1, 'a')", statement])).toMatchObject({
      status: 200,
      body: [{ lastInsertRowid: 1 }, { lastInsertRowid: null }],
    });
  });

  test('have no rowid for an insert of a trigger alone', async () => {
    const { batch, execute } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");
    await batch([
      'CREATE TABLE log (a)',
      'CREATE TRIGGER g AFTER UPDATE ON notes BEGIN INSERT INTO log VALUES (1); END',
    ]);

    expect((await execute("UPDATE notes SET text = 'b'")).body).toStrictEqual({ ...EMPTY, rowsAffected: 1 });
  });

  test('RETURNING has rows and counts them', async () => {
    const { execute } = await start(NOTES);
    const insert = { sql: 'INSERT INTO notes (text) VALUES (:a), (:b) RETURNING id, text', args: { a: 'x', b: 'y' } };

    expect((await execute(insert)).body).toStrictEqual({
      columns: ['id', 'text'],
      columnTypes: ['INTEGER', 'TEXT'],
      rows: [
        [1, 'x'],
        [2, 'y'],
      ],
      rowsAffected: 2,
      lastInsertRowid: 2,
    });
  });
});

describe('errors', () => {
  const taken = (column: string) => `SQLite error: UNIQUE constraint failed: notes.${column}`;
  const input = (reason: string, offset: number) => `SQLite input error: ${reason} (at offset ${offset})`;
  const unparsed = (reason: string) => `SQL string could not be parsed: ${reason}`;
  test.each<[statement: Statement, code: string, reason: string]>([
    ['SELECT * FROM x', 'SQLITE_UNKNOWN', 'SQLite error: no such table: x'],
    ['UPDATE notes SET x = 1', 'SQLITE_UNKNOWN', 'SQLite error: no such column: x'],
    [
      'INSERT INTO notes VALUES (1)',
      'SQLITE_UNKNOWN',
      `SQLite error: table notes has 2 columns but 1 values were supplied`,
    ],
    ['SELECT abs(-9223372036854775808)', 'SQLITE_UNKNOWN', 'SQLite error: integer overflow'],
    ['SELECT x', 'SQL_INPUT_ERROR', input('no such column: x', 7)],
    ["; SELECT 'é', x FROM notes", 'SQL_INPUT_ERROR', input('no such column: x', 15)],
    ['SELECT x(1)', 'SQL_INPUT_ERROR', input('no such function: x', 7)],
    ['CREATE TABLE notes (a)', 'SQL_INPUT_ERROR', input('table notes already exists', 13)],
    ['SELEKT 1', 'SQL_PARSE_ERROR', unparsed('near "SELEKT": syntax error')],
    ['SELECT (', 'SQL_PARSE_ERROR', unparsed('incomplete input')],
    ["SELECT 'open", 'SQL_PARSE_ERROR', unparsed('unrecognized token: "\'open"')],
    ["INSERT INTO notes VALUES (1, 'b')", 'SQLITE_CONSTRAINT', taken('id')],
    ["INSERT INTO notes VALUES (2, 'a')", 'SQLITE_CONSTRAINT', taken('text')],
    ['INSERT INTO notes VALUES (2, NULL)', 'SQLITE_CONSTRAINT', 'SQLite error: NOT NULL constraint failed: notes.text'],
    ["INSERT INTO notes VALUES ('x', 'b')", 'SQLITE_MISMATCH', 'SQLite error: datatype mismatch'],
    ['SELECT 1; SELECT 2', 'SQL_MANY_STATEMENTS', 'SQL string contains more than one statement'],
    ['', 'SQL_NO_STATEMENT', 'SQL string does not contain any statement'],
    [' ; -- nothing', 'SQL_NO_STATEMENT', 'SQL string does not contain any statement'],
    ['SELECT 1\0 + 1', 'SQL_NO_STATEMENT', 'SQL string contains a NUL character'],
  ])('%j is %s: %s', async (statement, code, reason) => {
    const { emulator, execute } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");
    const commits = emulator.history().length;

    expect(await execute(statement)).toStrictEqual({
      status: 400,
      body: { message: `${code}: ${reason}`, code },
    });
    expect(emulator.history()).toHaveLength(commits);
    expect((await readDatabase(emulator)).contents).toStrictEqual({ notes: [[1, 'a']] });
  });
});

describe('texts in double quotes', () => {
  const isText = (text: string) => `${text} is a text here: no column has that name`;
  test.each<[statement: Statement, rows: unknown[], reason: string | null]>([
    [`SELECT id FROM notes WHERE text = "Rest"`, [[1]], isText('"Rest"')],
    [`SELECT "it""s" || "ä"`, [['it"sä']], `${isText('"it""s"')}; ${isText('"ä"')}`],
    [
      `SELECT datetime("now", "start of year")`,
      [['2024-01-01 00:00:00']],
      `${isText('"now"')}; ${isText('"start of year"')}`,
    ],
    [`INSERT INTO notes VALUES (2, "titel") RETURNING text`, [['titel']], isText('"titel"')],
    [`SELECT group_concat(text, ", ") FROM notes`, [['Rest']], isText('", "')],
    [`SELECT name FROM pragma_table_info("notes")`, [['id'], ['text']], isText('"notes"')],
    [`CREATE TABLE k (a CHECK (a IN ("x", "y")))`, [], `${isText('"x"')}; ${isText('"y"')}`],
    [`SELECT "text", "notes"."id" FROM "notes" AS "notes"`, [['Rest', 1]], null],
    [`SELECT text AS "a b" FROM notes ORDER BY "a b"`, [['Rest']], null],
    [`SELECT 'no "quotes"'`, [['no "quotes"']], null],
    [`SELECT * FROM quoting`, [['x']], null],
    [
      `SELECT ${Array.from({ length: 9 }, (_, i) => `"${i}"`)}`,
      [['0', '1', '2', '3', '4', '5', '6', '7', '8']],
      [0, 1, 2, 3, 4].map((i) => isText(`"${i}"`)).join('; '),
    ],
    [`SELECT length("${'é'.repeat(300)}")`, [[300]], isText(`"${'é'.repeat(59)}…`)],
  ])('%j has the reason in the journal', async (statement, rows, reason) => {
    const { emulator, execute } = await start(NOTES, "INSERT INTO notes VALUES (1, 'Rest')");
    await execute('CREATE VIEW quoting AS SELECT "x" AS a');

    expect(await execute(statement)).toMatchObject({ status: 200, body: { rows } });
    expect(emulator.requests().at(-1)?.reason).toBe(reason);
  });

  test('are reported of each statement of a batch, and not of a later request', async () => {
    const { emulator, batch, execute } = await start('CREATE TABLE t (a CHECK (a <> "no"))');

    await batch(['SELECT "no"', 'INSERT INTO t VALUES ("yes")']);
    await execute('SELECT a FROM t');

    expect(emulator.requests().map((entry) => entry.reason)).toStrictEqual([
      isText('"no"'),
      `${isText('"no"')}; ${isText('"yes"')}`,
      null,
    ]);
  });
});

describe('functions', () => {
  // Results of libSQL.
  test.each<[word: unknown, sound: string]>([
    [null, '?000'],
    ['', '?000'],
    ['12', '?000'],
    [5, '?000'],
    ['é', '?000'],
    ['a', 'A000'],
    ['Robert', 'R163'],
    ['Rubin', 'R150'],
    ['Ashcraft', 'A226'],
    ['Tymczak', 'T522'],
    ['Pfister', 'P236'],
    ['Lloyd', 'L300'],
    ['Jackson', 'J250'],
    ['BBB', 'B000'],
    ["o'Hara", 'O600'],
    ['  lee 9', 'L000'],
    ['x1b', 'X100'],
    ['Ærø', 'R200'],
    ['Müller', 'M246'],
    ['日本x', 'X000'],
  ])('soundex() of %j is %s', async (word, sound) => {
    const { rows } = await start();

    expect(await rows({ sql: 'SELECT soundex(?)', args: [word] })).toStrictEqual([[sound]]);
  });

  test('soundex() may be in an index', async () => {
    const { all, rows } = await start('CREATE TABLE t (a)', 'CREATE INDEX i ON t (soundex(a))');
    await all("INSERT INTO t VALUES ('Robert'), ('Rupert'), ('Ada')");

    expect(await rows("SELECT a FROM t WHERE soundex(a) = soundex('Rupert')")).toStrictEqual([['Robert'], ['Rupert']]);
  });

  test('a function has at most 127 arguments', async () => {
    const { execute, rows } = await start();
    const call = (count: number) => `SELECT json_array_length(json_array(${Array(count).fill(1)}))`;

    expect(await rows(call(127))).toStrictEqual([[127]]);
    expect(await execute(call(128))).toMatchObject({
      body: { message: expect.stringContaining('too many arguments on function json_array') },
    });
  });
});

describe('batches', () => {
  test('return the result of each statement', async () => {
    const { batch } = await start();

    expect(await batch([NOTES, "INSERT INTO notes VALUES (4, 'a')", 'SELECT * FROM notes'])).toStrictEqual({
      status: 200,
      body: [
        EMPTY,
        { ...EMPTY, rowsAffected: 1, lastInsertRowid: 4 },
        {
          columns: ['id', 'text'],
          columnTypes: ['INTEGER', 'TEXT'],
          rows: [[4, 'a']],
          rowsAffected: 0,
          lastInsertRowid: null,
        },
      ],
    });
    expect(await batch([])).toStrictEqual({ status: 200, body: [] });
  });

  test.each([
    ['a constraint', "INSERT INTO notes VALUES (1, 'again')", 'SQLITE_CONSTRAINT'],
    ['a rollback by a constraint', "INSERT OR ROLLBACK INTO notes VALUES (1, 'again')", 'SQLITE_CONSTRAINT'],
    ['a syntax error', 'SELEKT', 'SQL_PARSE_ERROR'],
    ['a missing argument', 'SELECT ?', 'ARGS_INVALID'],
  ])('leave nothing after an error: %s', async (_, statement, code) => {
    const { emulator, batch } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");
    const before = await readDatabase(emulator);

    const failed = await batch(["INSERT INTO notes VALUES (2, 'b')", 'CREATE TABLE t (a)', statement]);

    expect(failed).toMatchObject({ status: 400, body: { code } });
    expect(await readDatabase(emulator)).toStrictEqual(before);
    expect(emulator.history()).toHaveLength(1);
    expect(await batch(["INSERT INTO notes VALUES (2, 'b')"])).toMatchObject({ status: 200 });
  });

  test.each(['write', 'deferred', undefined])('may write in the mode %s', async (mode) => {
    const { batch, rows } = await start(NOTES);

    expect(await batch(["INSERT INTO notes VALUES (1, 'a')"], mode)).toMatchObject({ status: 200 });
    expect(await rows('SELECT text FROM notes')).toStrictEqual([['a']]);
  });

  test('write nothing in the mode read', async () => {
    const { emulator, batch } = await start(NOTES);

    expect(await batch(['SELECT 1', "INSERT INTO notes VALUES (1, 'a')"], 'read')).toStrictEqual({
      status: 400,
      body: {
        message: 'SQLITE_READONLY: SQLite error: attempt to write a readonly database',
        code: 'SQLITE_READONLY',
      },
    });
    expect(await batch(['SELECT count(*) AS n FROM notes'], 'read')).toMatchObject({ body: [{ rows: [[0]] }] });
    expect(await batch(['SELECT 1'], 'exclusive')).toMatchObject({ status: 400, body: { code: 'FST_ERR_VALIDATION' } });
    expect(emulator.history()).toHaveLength(1);
  });

  test('have at most 500 statements', async () => {
    const { batch } = await start();

    expect(Object(await batch(Array(500).fill('SELECT 1'))).body).toHaveLength(500);
    expect((await batch(Array(501).fill('SELECT 1'))).status).toBe(400);
  });

  test('may have savepoints, which end with them', async () => {
    const { all, rows } = await start(NOTES);

    await all(
      ...["INSERT INTO notes VALUES (1, 'a')", 'SAVEPOINT s', "INSERT INTO notes VALUES (2, 'b')"],
      ...['ROLLBACK TO s', "INSERT INTO notes VALUES (3, 'c')"],
    );

    expect(await rows('SELECT text FROM notes')).toStrictEqual([['a'], ['c']]);
  });
});

describe('commits', () => {
  test('a request that changes nothing makes no commit', async () => {
    const { emulator, batch, execute } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");
    const { state } = emulator.store;

    for (const statement of [
      'SELECT * FROM notes',
      'EXPLAIN QUERY PLAN DELETE FROM notes',
      'EXPLAIN DELETE FROM notes',
      'PRAGMA table_info(notes)',
      "UPDATE notes SET text = 'x' WHERE id = 9",
      "INSERT OR IGNORE INTO notes VALUES (1, 'x')",
      'CREATE TABLE IF NOT EXISTS notes (other)',
      'DROP TABLE IF EXISTS other',
    ]) {
      expect(await execute(statement)).toMatchObject({ status: 200 });
    }
    expect(await batch(['SELECT 1', 'DELETE FROM notes WHERE 0'])).toMatchObject({ status: 200 });

    expect(emulator.store.state).toBe(state);
    expect(emulator.history()).toMatchObject([
      { request: 'POST /v1/sqlite/batch', changes: [{ type: 'added', name: 'database of ada' }] },
    ]);
  });

  test('a reset, a rewind and another sandbox have the database of their own state', async () => {
    const { emulator, rows, all } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");
    const other = sqlOf(emulator.sandbox('other'));
    await all("INSERT INTO notes VALUES (2, 'b')");
    await other.all(NOTES, "INSERT INTO notes VALUES (3, 'c')");
    const texts = () => rows('SELECT text FROM notes');

    expect(await texts()).toStrictEqual([['a'], ['b']]);
    emulator.rewind(1);
    expect(await texts()).toStrictEqual([['a']]);
    expect(await other.rows('SELECT text FROM notes')).toStrictEqual([['c']]);
    emulator.reset();
    expect(await rows('SELECT count(*) FROM sqlite_schema')).toStrictEqual([[0]]);
  });

  test('each user has a database, which is deleted with the user', async () => {
    const { emulator, all } = await start(NOTES, "INSERT INTO notes VALUES (1, 'of ada')");
    const bob = sqlOf(emulator, 'bob');
    await bob.all(NOTES, "INSERT INTO notes VALUES (1, 'of bob')");

    expect(await all('SELECT text FROM notes')).toStrictEqual([[['of ada']]]);
    expect(await bob.rows('SELECT text FROM notes')).toStrictEqual([['of bob']]);
    const { id } = emulator.users[1] ?? expect.fail();
    const deleted = await emulator.fetch(`/_emulator/db/users/${id}`, { method: 'DELETE' });

    expect(deleted.status).toBe(200);
    const { sqlite, pages } = toValsState(emulator.store.state);
    expect([...sqlite].length).toBe(1);
    expect([...pages].filter(({ userId }) => userId === id)).toStrictEqual([]);
    expect(await bob.execute('SELECT 1')).toMatchObject({ status: 401 });
  });
});

describe('the next request on a connection', () => {
  test('has no open savepoint', async () => {
    const { execute } = await start(NOTES);

    expect(await execute('SAVEPOINT s')).toMatchObject({ status: 200 });
    expect(await execute('RELEASE s')).toMatchObject({
      status: 400,
      body: { message: 'SQLITE_UNKNOWN: SQLite error: no such savepoint: s' },
    });
    expect(await execute("INSERT INTO notes VALUES (1, 'a')")).toMatchObject({ status: 200 });
  });

  test('has no counts of changes and no last rowid', async () => {
    const { batch, rows } = await start(NOTES);
    const counts = 'SELECT changes(), total_changes(), last_insert_rowid()';

    expect(
      await batch(["INSERT INTO notes VALUES (7, 'a'), (8, 'b')", 'DELETE FROM notes WHERE id = 8', counts]),
    ).toMatchObject({
      body: [{}, {}, { rows: [[1, 3, 8]] }],
    });
    expect(await rows(counts)).toStrictEqual([[0, 0, 0]]);
  });

  test('enforces foreign keys, whatever a pragma sets', async () => {
    const { execute, batch, rows } = await start(
      'CREATE TABLE a (id INTEGER PRIMARY KEY)',
      'CREATE TABLE b (a INTEGER REFERENCES a ON DELETE CASCADE DEFERRABLE)',
    );
    const failed = {
      status: 400,
      body: { code: 'SQLITE_CONSTRAINT', message: 'SQLITE_CONSTRAINT: SQLite error: FOREIGN KEY constraint failed' },
    };

    expect(await execute('PRAGMA foreign_keys = OFF')).toMatchObject({ status: 200 });
    expect(await rows('PRAGMA foreign_keys')).toStrictEqual([[1]]);
    expect(await execute('INSERT INTO b VALUES (1)')).toStrictEqual(failed);
    expect(await batch(['PRAGMA foreign_keys = OFF', 'INSERT INTO b VALUES (1)'])).toStrictEqual(failed);
    expect(await batch(['PRAGMA defer_foreign_keys = ON', 'SELECT * FROM none'], 'read')).toMatchObject({
      status: 400,
    });
    expect(await batch(['INSERT INTO b VALUES (1)', 'INSERT INTO a VALUES (1)'])).toStrictEqual(failed);
    expect(
      await batch(['PRAGMA defer_foreign_keys = ON', 'INSERT INTO b VALUES (1)', 'INSERT INTO a VALUES (1)']),
    ).toMatchObject({ status: 200 });
    await execute('DELETE FROM a');
    expect(await rows('SELECT * FROM b')).toStrictEqual([]);
  });
});

describe('the clock', () => {
  test('CURRENT_TIMESTAMP and the functions of dates follow the clock of the sandbox', async () => {
    const { emulator, rows } = await start('CREATE TABLE t (at TEXT DEFAULT CURRENT_TIMESTAMP)');
    const times = "SELECT CURRENT_TIMESTAMP, date('now'), unixepoch('now', 'subsec'), strftime('%f')";

    expect(await rows(times)).toStrictEqual([['2024-06-11 22:05:12', '2024-06-11', 1_718_143_512.585, '12.585']]);
    emulator.clock.set('2031-02-03T04:05:06.789Z');
    await rows('INSERT INTO t DEFAULT VALUES');
    emulator.sandbox('other').clock.set('1969-12-31T23:59:59.000Z');

    expect(await rows('SELECT * FROM t')).toStrictEqual([['2031-02-03 04:05:06']]);
    expect(await sqlOf(emulator.sandbox('other')).rows('SELECT CURRENT_TIMESTAMP')).toStrictEqual([
      ['1969-12-31 23:59:59'],
    ]);
    expect(emulator.state().sqlite).toMatchObject([{ user: 'ada', updatedAt: '2031-02-03T04:05:06.789Z' }]);
  });
});

describe('the wire', () => {
  test.each([undefined, 'application/json', 'text/plain;charset=UTF-8', 'application/x-unknown'])(
    'JSON is parsed with the content type %s',
    async (type) => {
      const { emulator } = await start();

      const response = await fetch(`${emulator.url}/v1/sqlite/execute`, {
        method: 'POST',
        headers: { authorization: 'Bearer ada-token', ...(type !== undefined && { 'content-type': type }) },
        body: new TextEncoder().encode('{ "statement": "SELECT 1 AS one" }'),
      });

      expect(await response.json()).toMatchObject({ columns: ['one'], rows: [[1]] });
    },
  );

  test.each(['a socket', 'in-process fetch'])('a body above 1 MB is read over %s, with a token', async (way) => {
    const { emulator } = await start();
    const send = (args: unknown[], token: string) => {
      const body = JSON.stringify({ statement: { sql: 'SELECT length(?)', args } });
      const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body };
      return way === 'a socket'
        ? fetch(`${emulator.url}/v1/sqlite/execute`, init)
        : emulator.fetch('/v1/sqlite/execute', init);
    };

    const large = await send(['x'.repeat(2_000_000)], 'ada-token');
    const unknown = await send(['x'.repeat(2_000_000)], 'unknown');

    expect(await large.json()).toMatchObject({ rows: [[2_000_000]] });
    expect(unknown.status).toBe(401);
    expect((await send(['x'.repeat(10 * 1_048_576)], 'ada-token')).status).toBe(413);
  });

  test('a body that is not JSON returns 400', async () => {
    const { emulator } = await start();
    const headers = { authorization: 'Bearer ada-token' };

    expect((await emulator.fetch('/v1/sqlite/execute', { method: 'POST', headers, body: 'SELECT 1' })).status).toBe(
      400,
    );
    expect((await emulator.fetch('/v1/sqlite/execute', { method: 'POST', headers })).status).toBe(400);
  });

  test.each(['/v1/sqlite/execute', '/v1/sqlite/batch'])('%s is an unknown route with specOnly', async (path) => {
    const emulator = await emulate(fixtures, { specOnly: true });

    const response = await as(emulator, 'ada').post(path).send({ statement: 'SELECT 1', statements: [] });

    expect(response.status).toBe(404);
    expect(response.body).toStrictEqual(notFound(`Route POST:${path} not found`));
  });
});

describe('an emulator', () => {
  test('without room returns 507, and does not change the database', async () => {
    const { emulator, execute, rows } = await start(NOTES, "INSERT INTO notes VALUES (1, 'a')");
    boundBytes(emulator, 100_000);
    const before = await readDatabase(emulator);

    const full = await execute('INSERT INTO notes VALUES (2, hex(randomblob(50000)))');

    expect(full).toMatchObject({
      status: 507,
      body: { message: expect.stringContaining('The bytes of all records have at most 0.1 MB in memory') },
    });
    expect(await readDatabase(emulator)).toStrictEqual(before);
    expect(emulator.history()).toHaveLength(1);
    expect(await execute("INSERT INTO notes VALUES (2, 'b')")).toMatchObject({ status: 200 });
    expect(await rows('SELECT count(*) FROM notes')).toStrictEqual([[2]]);
  });

  test('without an engine returns 503 until it can be loaded', async () => {
    const { emulator, execute } = await start();
    new SqliteThread().end();
    const spy = vi.spyOn(workerThreads, 'Worker').mockImplementation(function refuse() {
      throw new Error('no thread');
    });
    onTestFinished(() => spy.mockRestore());

    const response = await as(emulator, 'ada').post('/v1/sqlite/execute').send({ statement: 'SELECT 1' });
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.body).toMatchObject({ message: 'The SQLite engine cannot be loaded: no thread' });
    spy.mockRestore();

    expect(await execute('SELECT 1')).toMatchObject({ status: 200 });
  });
});

test('a change has the time of the sandbox', async () => {
  const { emulator } = await start(NOTES);

  expect(emulator.state().sqlite).toStrictEqual([{ user: 'ada', sql: [`${NOTES};`], updatedAt: NOW }]);
});
