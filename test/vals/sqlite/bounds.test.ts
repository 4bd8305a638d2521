import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { readDatabase, type Statement, sqlOf } from '../../support/sql.js';

// What SQL may not do: what would reach beyond its request or its database, and what would take long.

const fixtures: Fixtures = { users: [{ username: 'ada' }] };
/** Rows without end. */
const COUNT = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
const MB = 1_048_576;

const start = async (...statements: Statement[]) => {
  const emulator = await emulate(fixtures);
  const sql = sqlOf(emulator);
  if (statements.length > 0) await sql.all(...statements);
  return { emulator, ...sql };
};

/** Milliseconds of the processor, since other tests run as well. */
async function timeOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const TRANSACTION = 'not authorized: a transaction ends with its request, so send its statements as one batch';
const TEMPORARY =
  'not authorized: a connection ends with its request, so it has no temporary tables, indexes, views and triggers';
const FILES = 'not authorized: a database has no files, so ATTACH, DETACH, VACUUM and load_extension are refused';
const pragma = (name: string) =>
  `not authorized: PRAGMA ${name} would change the connection, which ends with its request`;

describe('refused', () => {
  test.each([
    ['BEGIN', TRANSACTION],
    ['BEGIN IMMEDIATE', TRANSACTION],
    ['COMMIT', TRANSACTION],
    ['END', TRANSACTION],
    ['ROLLBACK', TRANSACTION],
    ['CREATE TEMP TABLE u (a)', TEMPORARY],
    ['CREATE TABLE temp.u (a)', TEMPORARY],
    ['CREATE VIEW temp.u AS SELECT 1', TEMPORARY],
    ['CREATE TRIGGER temp.u AFTER INSERT ON t BEGIN SELECT 1; END', TEMPORARY],
    ['CREATE TEMP TABLE u AS SELECT 1', TEMPORARY],
    ['CREATE TEMP VIEW u AS SELECT 1', TEMPORARY],
    ['CREATE TEMP TRIGGER u AFTER INSERT ON t BEGIN SELECT 1; END', TEMPORARY],
    ['CREATE VIRTUAL TABLE temp.u USING fts5(a)', TEMPORARY],
    ["ATTACH ':memory:' AS other", FILES],
    ["ATTACH '/etc/passwd' AS other", FILES],
    ['DETACH main', FILES],
    ['PRAGMA journal_mode = WAL', pragma('journal_mode')],
    ['PRAGMA Writable_Schema(1)', pragma('Writable_Schema')],
    ['PRAGMA main.page_size = 512', pragma('page_size')],
    ['PRAGMA hard_heap_limit = 1', pragma('hard_heap_limit')],
    ['PRAGMA recursive_triggers = ON', pragma('recursive_triggers')],
    ["PRAGMA temp_store_directory = '/tmp'", pragma('temp_store_directory')],
  ])('%s', async (statement, reason) => {
    const { emulator, execute, batch, rows } = await start('CREATE TABLE t (a)');
    const refused = { status: 400, body: { message: `SQLITE_AUTH: ${reason}`, code: 'SQLITE_AUTH' } };

    expect(await execute(statement)).toStrictEqual(refused);
    expect(await batch(['INSERT INTO t VALUES (1)', statement])).toStrictEqual(refused);
    expect(await rows('SELECT * FROM t')).toStrictEqual([]);
    expect(emulator.history()).toHaveLength(1);
  });

  test.each([
    ['VACUUM', 'SQLITE_UNKNOWN: SQLite error: cannot VACUUM from within a transaction'],
    ["VACUUM INTO 'copy'", 'SQLITE_UNKNOWN: SQLite error: cannot VACUUM from within a transaction'],
    [
      "SELECT load_extension('x')",
      'SQL_INPUT_ERROR: SQLite input error: no such function: load_extension (at offset 7)',
    ],
    ["SELECT readfile('/etc/passwd')", 'SQL_INPUT_ERROR: SQLite input error: no such function: readfile (at offset 7)'],
    [
      "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, '')",
      'SQLITE_UNKNOWN: SQLite error: table sqlite_master may not be modified',
    ],
  ])('%s', async (statement, message) => {
    const { execute } = await start('CREATE TABLE t (a)');

    expect(await execute(statement)).toMatchObject({ status: 400, body: { message } });
  });

  test.each([
    ['PRAGMA user_version = 7', 'PRAGMA user_version', 7],
    ['PRAGMA application_id = 8', 'PRAGMA application_id', 8],
  ])('not %s, which the database keeps', async (statement, read, value) => {
    const { emulator, execute, rows } = await start();

    expect(await execute(statement)).toMatchObject({ status: 200 });
    expect(await rows(read)).toStrictEqual([[value]]);
    expect(emulator.history()).toHaveLength(1);
  });

  test.each([
    ['PRAGMA table_info(t)', [[0, 'a', '', 0, null, 0]]],
    ["SELECT name FROM pragma_table_info('t')", [['a']]],
    ['PRAGMA index_list(t)', []],
    ['PRAGMA foreign_key_check', []],
    ['PRAGMA integrity_check(5)', [['ok']]],
    ['PRAGMA journal_mode', [['memory']]],
  ])('not %s, which only reads', async (statement, expected) => {
    const { rows } = await start('CREATE TABLE t (a)');

    expect(await rows(statement)).toStrictEqual(expected);
  });
});

describe('a statement ends after 1 s', () => {
  afterEach(() => void vi.useRealTimers());

  test.each(['real', 'fake'])('with %s timers, and nothing of it stays', async (timers) => {
    const { emulator, batch, rows } = await start('CREATE TABLE t (a)');
    if (timers === 'fake') vi.useFakeTimers();
    const { state } = emulator.store;

    expect(await batch(['INSERT INTO t VALUES (1)', `${COUNT} SELECT count(*) FROM n`])).toStrictEqual({
      status: 400,
      body: {
        message: 'SQLITE_INTERRUPT: interrupted: statements end after 1 s',
        code: 'SQLITE_INTERRUPT',
      },
    });

    expect(emulator.store.state).toBe(state);
    expect(await rows('SELECT count(*) FROM t')).toStrictEqual([[0]]);
  });
});

describe('sizes', () => {
  test('a database has at most 10 MB: SQLITE_FULL, and nothing has changed', async () => {
    const { emulator, execute, batch, rows } = await start('CREATE TABLE t (a)');
    const add = 'INSERT INTO t VALUES (zeroblob(1000000))';
    await batch(Array(9).fill(add));
    const { state } = emulator.store;
    const full = {
      status: 400,
      body: { message: 'SQLITE_FULL: SQLite error: database or disk is full', code: 'SQLITE_FULL' },
    };

    expect(await batch(Array(2).fill(add))).toStrictEqual(full);

    expect(emulator.store.state).toBe(state);
    expect(await rows('SELECT count(*) FROM t')).toStrictEqual([[9]]);
    expect(await execute(add)).toMatchObject({ status: 200 });
    expect(await execute(add)).toStrictEqual(full);
    expect(await execute('DELETE FROM t WHERE rowid > 1')).toMatchObject({ status: 200 });
    expect(await execute(add)).toMatchObject({ status: 200 });
    expect((await readDatabase(emulator)).check).toBe('ok');
  });

  test('a value has at most 2 MB', async () => {
    const { execute, rows } = await start();
    const big = { status: 400, body: { code: 'SQLITE_TOOBIG' } };

    expect(await rows('SELECT length(zeroblob(2097152))')).toStrictEqual([[2 * MB]]);
    expect(await execute('SELECT zeroblob(2097153)')).toMatchObject(big);
    expect(await rows({ sql: 'SELECT length(?)', args: ['x'.repeat(2 * MB)] })).toStrictEqual([[2 * MB]]);
    expect(await execute({ sql: 'SELECT length(?)', args: ['x'.repeat(2 * MB + 1)] })).toMatchObject(big);
    expect(await execute({ sql: 'SELECT length(:a)', args: { a: 'é'.repeat(MB + 1) } })).toMatchObject({
      body: { message: 'SQLITE_TOOBIG: the value of :a is too large' },
    });
    expect(await execute("SELECT replace(printf('%.2000000c', 'a'), 'a', 'bb')")).toMatchObject(big);
  });

  test('a response has at most 10 MB of JSON, names and types of columns too', async () => {
    const { batch, execute } = await start(
      'CREATE TABLE t (a)',
      "INSERT INTO t VALUES (printf('%.1000000c', 'x'))",
      `CREATE TABLE wide (a "${'T'.repeat(90_000)}")`,
      `CREATE TABLE long ("${'n'.repeat(90_000)}")`,
    );
    const big = { message: 'SQLITE_TOOBIG: the response has more than 10 MB', code: 'SQLITE_TOOBIG' };
    const times = (count: number, value = 'a') => `${COUNT} SELECT ${value} FROM n, t LIMIT ${count}`;

    expect(Object(await execute(times(10))).body.rows).toHaveLength(10);
    expect(await execute(times(11))).toStrictEqual({ status: 400, body: big });
    expect(await batch([times(6), times(6)])).toStrictEqual({ status: 400, body: big });
    // A control character has six bytes in JSON, and a byte of a blob two or more.
    expect(await execute(times(2, "replace(a, 'x', char(1))"))).toStrictEqual({ status: 400, body: big });
    expect(await execute(times(6, 'CAST(a AS BLOB)'))).toStrictEqual({ status: 400, body: big });
    for (const table of ['wide', 'long'])
      expect([table, await batch(Array(150).fill(`SELECT * FROM ${table}`))]).toStrictEqual([
        table,
        { status: 400, body: big },
      ]);
  });

  test('a pattern of LIKE and GLOB has as many bytes as SQLite allows', async () => {
    const { rows } = await start();

    expect(await rows(`SELECT '${'x'.repeat(9_000)}' LIKE '${'X'.repeat(9_000)}'`)).toStrictEqual([[1]]);
    expect(await rows(`SELECT '${'x'.repeat(9_000)}' GLOB '${'x'.repeat(9_000)}'`)).toStrictEqual([[1]]);
  });

  test.each<[call: string, result: unknown]>([
    ["instr('abc', 'c')", 3],
    ["instr('äöü', 'ü')", 3],
    ["instr(x'c3a4ff', x'ff')", 3],
    ["instr('a' || char(0) || 'b', 'b')", 3],
    ['instr(12345, 34)', 3],
    ["instr('abc', NULL)", null],
    ["replace('aXbX', 'X', 'yy')", 'ayybyy'],
    ["replace(1.5, '.', ',')", '1,5'],
    ["replace('abc', '', 'x')", 'abc'],
    ["replace('abc', NULL, 'x')", null],
    ['typeof(replace(12, 1, 3))', 'text'],
    ["trim('xxaxx', 'x')", 'a'],
    ["trim('  a ')", 'a'],
    ["ltrim('éa', 'é')", 'a'],
    ["rtrim('aé', 'éx')", 'a'],
    ["trim('a', '')", 'a'],
    ["trim('xx', 'x')", ''],
    ["replace('abc', 'abc', '')", ''],
    ["hex(replace('abc', 'b', char(0)))", '610063'],
  ])('the functions that search return what SQLite returns: %s', async (call, result) => {
    const { rows } = await start();

    expect(await rows(`SELECT ${call}`)).toStrictEqual([[result]]);
  });
});

describe('long statements', () => {
  const view = (name: string, of: string) => `CREATE VIEW ${name} AS SELECT a.a FROM ${of} a, ${of} b`;

  test.each<[what: string, statement: string, row: unknown]>([
    ['100 compound selects', Array(100).fill('SELECT 1').join(' UNION ALL '), 1],
    ['500 compound selects', Array(500).fill('SELECT 1').join(' UNION '), 1],
    ['an expression of 1,000 levels', `SELECT ${Array(999).fill('1').join('+')}`, 999],
    ['900 calls in each other', `SELECT ${'abs('.repeat(900)}-1${')'.repeat(900)}`, 1],
    ['40,000 parentheses', `SELECT ${'('.repeat(40_000)}1${')'.repeat(40_000)}`, 1],
    ['JSON of 1,000 levels', `SELECT json_valid('${'['.repeat(1_000)}${']'.repeat(1_000)}')`, 1],
    ['300 subqueries in each other', `${'SELECT * FROM ('.repeat(300)}SELECT 1${')'.repeat(300)}`, 1],
    ['a list of 10,000 values', `SELECT 5 IN (${Array.from({ length: 10_000 }, (_, i) => i)})`, 1],
  ])('%s are run', async (_, statement, value) => {
    const { rows } = await start();

    expect((await rows(statement))[0]).toStrictEqual([value]);
  });

  test.each<[what: string, statement: string, reason: string]>([
    ['501 compound selects', Array(501).fill('SELECT 1').join(' UNION '), 'too many terms in compound SELECT'],
    ['an expression of 2,000 levels', `SELECT ${Array(2_000).fill('1').join('+')}`, 'Expression tree is too large'],
    [
      '2,000 calls in each other',
      `SELECT ${'abs('.repeat(2_000)}-1${')'.repeat(2_000)}`,
      'Expression tree is too large',
    ],
    ['2,001 columns', `SELECT ${Array(2_001).fill('1')}`, 'too many columns in result set'],
    ['65 tables', `SELECT 1 FROM ${Array.from({ length: 65 }, (_, i) => `t AS t${i}`)}`, 'at most 64 tables in a join'],
    ['views that double 16 times', 'SELECT * FROM v16', 'too many'],
  ])('%s end with an error within 10 s, and the next request works', async (_, statement, reason) => {
    const views = Array.from({ length: 17 }, (__, i) => view(`v${i}`, i === 0 ? 't' : `v${i - 1}`));
    const { execute, rows } = await start('CREATE TABLE t (a)', ...views);

    const time = await timeOf(async () =>
      expect(await execute(statement)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(reason) },
      }),
    );

    expect(time).toBeLessThan(10_000);
    expect(await rows('SELECT 1')).toStrictEqual([[1]]);
    expect(await rows('SELECT * FROM v0')).toStrictEqual([]);
  });
});

test('nine users read and write in turn, with eight open databases', async () => {
  const names = Array.from({ length: 9 }, (_, i) => `user${i}`);
  const emulator = await emulate({ users: names.map((username) => ({ username })) });
  for (const name of names) await sqlOf(emulator, name).all('CREATE TABLE t (a)');

  for (let round = 0; round < 5; round++)
    for (const name of names) {
      const sql = sqlOf(emulator, name);
      expect(await sql.rows('SELECT count(*) FROM t')).toStrictEqual([[round]]);
      await sql.all({ sql: 'INSERT INTO t VALUES (?)', args: [`${name} ${round}`] });
    }

  for (const name of names)
    expect(await readDatabase(emulator, name)).toMatchObject({
      check: 'ok',
      contents: { t: [0, 1, 2, 3, 4].map((round) => [`${name} ${round}`]) },
    });
});
