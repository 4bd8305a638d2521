import type { Database, PreparedStatement } from '@sqlite.org/sqlite-wasm';
import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { createEmulator } from '../../src/index.js';
import { SEED, scaled } from '../support/soak.js';
import { readDatabase, sqlOf } from '../support/sql.js';
import { loadSqlite, type Sqlite } from '../support/sqlite-alone.js';
import { type DrawnStatement, RandomSql, type Value } from './random-sql.js';

/** Statements and batches. */
const REQUESTS = scaled(10_000);
/** More users than an emulator has open databases. */
const USERS = Array.from({ length: 10 }, (_, i) => `user${i}`);
const NOW = '2024-06-11T22:05:12.585Z';

/** What is expected of a request. */
interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

class Failure extends Error {
  readonly body: object;

  constructor(code: string, reason: string) {
    super(reason);
    this.body = { message: `${code}: ${reason}`, code };
  }
}

/** The engine used alone: one database for each user, which stays open, and the interface of its package. */
class Alone {
  readonly #sqlite: Sqlite;
  readonly #db: Database;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#db = new sqlite.oo1.DB(':memory:');
    this.#db.exec('PRAGMA foreign_keys = ON');
  }

  /** Runs statements in a transaction. */
  run(statements: readonly DrawnStatement[], isRead: boolean): Outcome {
    const { capi } = this.#sqlite;
    const db = this.#db;
    try {
      if (isRead) for (const { sql } of statements) this.#assertReads(sql);
      db.exec('BEGIN');
      // An insert into a table without rowids leaves it as it was.
      capi.sqlite3_set_last_insert_rowid(db, 0n);
      const body = statements.map((statement) => this.#step(statement));
      this.#attempt(() => db.exec('COMMIT'));
      return { status: 200, body };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (capi.sqlite3_get_autocommit(db.pointer ?? 0) === 0) db.exec('ROLLBACK');
      return { status: 400, body: error.body };
    }
  }

  /** @throws Failure for an error of SQLite */
  #attempt<T>(run: () => T): T {
    const { capi, SQLite3Error } = this.#sqlite;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof SQLite3Error)) throw error;
      const code = capi.sqlite3_js_rc_str(capi.sqlite3_errcode(this.#db) & 0xff).replace(/ERROR$/, 'UNKNOWN');
      const reason = capi.sqlite3_errmsg(this.#db);
      const offset = capi.sqlite3_error_offset(this.#db);
      if (/syntax error|unrecognized token|incomplete input/.test(reason))
        throw new Failure('SQL_PARSE_ERROR', `SQL string could not be parsed: ${reason}`);
      if (offset >= 0) throw new Failure('SQL_INPUT_ERROR', `SQLite input error: ${reason} (at offset ${offset})`);
      throw new Failure(code, `SQLite error: ${reason}`);
    }
  }

  #assertReads(sql: string): void {
    const statement = this.#attempt(() => this.#db.prepare(sql));
    const reads = this.#sqlite.capi.sqlite3_stmt_readonly(statement);
    statement.finalize();
    if (!reads) throw new Failure('SQLITE_READONLY', 'SQLite error: attempt to write a readonly database');
  }

  #step({ sql, args }: DrawnStatement): unknown {
    const { capi } = this.#sqlite;
    const db = this.#db;
    const statement = this.#attempt(() => db.prepare(sql));
    try {
      this.#bind(statement, args);
      const before = db.changes(true);
      const rows: unknown[] = [];
      while (this.#attempt(() => statement.step()))
        rows.push(Array.from({ length: statement.columnCount }, (_, i) => this.#read(statement, i)));
      const isChanged = db.changes(true) !== before;
      const columns = Array.from({ length: statement.columnCount }, (_, i) => i);
      const rowid = capi.sqlite3_last_insert_rowid(db);
      return {
        columns: columns.map((i) => statement.getColumnName(i)),
        columnTypes: columns.map((i) => capi.sqlite3_column_decltype(statement.pointer ?? 0, i) ?? ''),
        rows,
        rowsAffected: isChanged ? db.changes() : 0,
        lastInsertRowid: /^(?:INSERT|REPLACE)/.test(sql) ? toNumber(rowid) : null,
      };
    } finally {
      statement.finalize();
    }
  }

  #bind(statement: PreparedStatement, args: DrawnStatement['args']): void {
    const entries = Object.entries<Value>({ ...args });
    const count = statement.parameterCount;
    const invalid = (reason: string) => new Failure('ARGS_INVALID', `Arguments do not match SQL parameters: ${reason}`);
    const values = new Map(entries.map(([key, value]) => [key.replace(':', ''), value]));
    for (let index = 1; index <= count; index++) {
      const name = this.#sqlite.capi.sqlite3_bind_parameter_name(statement.pointer ?? 0, index);
      const value = values.get(name === null ? `${index - 1}` : name.slice(1));
      if (value === undefined) throw invalid(`value for parameter ${name ?? index} not found`);
      const { capi } = this.#sqlite;
      if (typeof value === 'object' && value !== null) statement.bind(index, Uint8Array.from(value));
      else if (typeof value === 'boolean') statement.bind(index, Number(value));
      // The package binds all whole numbers as integers.
      else if (typeof value === 'number') capi.sqlite3_bind_double(statement, index, value);
      else statement.bind(index, value);
    }
    if (entries.length > count) throw invalid(`too many parameters, expected ${count} found ${entries.length}`);
  }

  #read(statement: PreparedStatement, column: number): unknown {
    const { capi } = this.#sqlite;
    const type = capi.sqlite3_column_type(statement, column);
    if (type === capi.SQLITE_BLOB) return [...(statement.getBlob(column) ?? [])];
    if (type === capi.SQLITE_TEXT) return new TextDecoder().decode(statement.getBlob(column) ?? new Uint8Array());
    const value = statement.get(column);
    return typeof value === 'bigint' ? toNumber(value) : value;
  }

  /** Returns the rows of a query. */
  rows = (sql: string): unknown => JSON.parse(JSON.stringify(Object(this.run([{ sql, args: [] }], true)).body[0].rows));
}

const toNumber = (value: bigint | number): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

test(`${REQUESTS} random statements and batches return what the engine returns alone`, async () => {
  console.log(`sqlite: ${REQUESTS} requests, SEED=${SEED}`);
  const sqlite = await loadSqlite();
  const rng = new Rng(`sqlite-${SEED}`);
  const random = new RandomSql(rng);
  const users = USERS.map((username) => ({ username }));
  await using emulator = await createEmulator({ fixtures: { users }, listen: false, now: NOW });
  const alone = new Map(USERS.map((name) => [name, new Alone(sqlite)]));
  for (const name of USERS) {
    const tables = random.tables();
    expect((await sqlOf(emulator, name).batch(tables)).status).toBe(200);
    alone.get(name)?.run(tables, false);
  }
  const counts = { statements: 0, rows: 0, written: 0, errors: 0 };
  const codes = new Map<string, number>();
  for (let request = 0; request < REQUESTS; request++) {
    const user = rng.pick(USERS);
    const sql = sqlOf(emulator, user);
    const statements = rng.bool(0.5) ? [random.next()] : random.batch();
    const mode = rng.pick(['write', 'write', 'write', 'write', 'deferred', 'read']);
    const isOne = statements.length === 1 && rng.bool();
    const [first] = statements;
    const label = `request ${request} of ${user}, SEED=${SEED}: ${JSON.stringify(statements)} ${isOne ? '' : mode}`;

    // As JSON, which has no -0.
    const expected: unknown = JSON.parse(JSON.stringify(alone.get(user)?.run(statements, !isOne && mode === 'read')));
    const { status, body } = isOne && first ? await sql.execute(first) : await sql.batch(statements, mode);

    const found = { status, body: isOne && status === 200 ? [body] : body };
    expect(found, label).toStrictEqual(expected);
    counts.statements += statements.length;
    if (status === 200 && Array.isArray(found.body)) {
      for (const { rows, rowsAffected } of found.body) {
        counts.rows += rows.length;
        counts.written += rowsAffected;
      }
    } else {
      counts.errors++;
      const { code } = Object(body);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  }

  for (const name of USERS) {
    const { check, schema, contents } = await readDatabase(emulator, name);
    const other = alone.get(name) ?? expect.fail();
    expect(check).toBe('ok');
    expect(schema).toStrictEqual(other.rows('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid'));
    for (const [table, rows] of Object.entries(contents))
      expect(rows).toStrictEqual(other.rows(`SELECT * FROM "${table}"`));
  }
  console.log(JSON.stringify({ ...counts, ...Object.fromEntries(codes) }));
  // So that statements that all fail, or find nothing, do not pass.
  expect(counts.errors).toBeLessThan(REQUESTS * 0.6);
  expect(counts.rows).toBeGreaterThan(REQUESTS / 2);
  expect(counts.written).toBeGreaterThan(REQUESTS / 4);
  expect(codes.size).toBeGreaterThan(3);
});

test('a statement of a fixture ends after 10 s', async () => {
  const endless =
    'CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c;';
  const fixtures = { users: [{ username: 'ada' }], sqlite: [{ user: 'ada', sql: ['SELECT 1;', endless] }] };
  await expect(createEmulator({ fixtures })).rejects.toThrow(
    'sqlite[0].sql: line 2: SQLITE_INTERRUPT: interrupted: statements end after 10 s.',
  );
});
