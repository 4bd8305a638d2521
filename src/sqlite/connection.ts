import type { Database, WasmPointer } from '@sqlite.org/sqlite-wasm';
import { LARGEST_DATABASE } from '../model/user-data.js';
import { toMain } from './api.js';
import type { Engine } from './engine.js';
import { findRefusal } from './refusals.js';
import { SqlError } from './sql-error.js';
import {
  bindArguments,
  measure,
  type ResultSet,
  readValue,
  type SqlArguments,
  type SqlOutput,
  type SqlStatement,
  toNumber,
} from './values.js';

/** Steps of SQLite's virtual machine between two looks at the time. A step with a value of 2 MB takes milliseconds. */
const STEPS_PER_CHECK = 30;
/** Milliseconds for a rollback, which takes less than what it rolls back. */
const ROLLBACK_TIME = 10_000;

/** Bytes of a pattern: a comparison of a value with it does not take long. */
const LONGEST_PATTERN = 256;

/** How a connection differs between requests and fixtures. */
export interface ConnectionOptions {
  /** Bytes of a value, and of all rows that statements return. Source: chosen. */
  readonly largestValue: number;
  readonly largestRows: number;
  /** Whether foreign keys are enforced. Source: libsql-server does (tursodatabase/libsql, pull request 981); SQLite does not. */
  readonly foreignKeys: boolean;
}

const OF_REQUESTS = { largestValue: 2 * 1_048_576, largestRows: 10 * 1_048_576, foreignKeys: true };

/** An open database, in the memory of an engine. */
export class Connection {
  readonly #engine: Engine;
  readonly #db: Database;
  readonly #pointer: WasmPointer;
  readonly #largestRows: number;
  #rowBytes = 0;
  /** Of the statement that was prepared last: why it was refused, and whether it inserts rows. */
  #refusal: string | undefined;
  #inserts = false;
  /** Whether a statement is of the connection itself, which begins and ends transactions. */
  #isOwn = false;

  /** @param bytes of the database; undefined for an empty one */
  constructor(engine: Engine, bytes: Uint8Array | undefined, options: ConnectionOptions = OF_REQUESTS) {
    this.#engine = engine;
    this.#largestRows = options.largestRows;
    const { capi, wasm, oo1 } = engine.sqlite;
    this.#db = new oo1.DB(':memory:');
    this.#pointer = this.#db.pointer ?? 0;
    const db = this.#pointer;
    const size = bytes?.length ?? 0;
    const mode = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
    const memory = size > 0 ? wasm.alloc(size) : 0;
    if (bytes) wasm.heap8u().set(bytes, memory);
    this.#check(capi.sqlite3_deserialize(db, 'main', memory, size, size, mode));
    wasm.scopedAllocCall(() => {
      const limit = wasm.scopedAlloc(8);
      wasm.poke64(limit, BigInt(LARGEST_DATABASE));
      this.#check(capi.sqlite3_file_control(db, 'main', capi.SQLITE_FCNTL_SIZE_LIMIT, limit));
    });
    // Refuses what would damage the database.
    capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_DEFENSIVE, 1, 0);
    capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_ENABLE_FKEY, Number(options.foreignKeys), 0);
    capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, options.largestValue);
    capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN);
    for (const { name, parameters, isPure, call } of engine.functions) {
      const flags = capi.SQLITE_UTF8 | capi.SQLITE_INNOCUOUS | (isPure ? capi.SQLITE_DETERMINISTIC : 0);
      capi.sqlite3_create_function_v2(db, name, parameters, flags, 0, call, 0, 0, 0);
    }
    capi.sqlite3_set_authorizer(
      db,
      toMain((_, ...action) => this.#authorize(...action)),
      0,
    );
    capi.sqlite3_progress_handler(
      db,
      STEPS_PER_CHECK,
      toMain(() => (engine.isLate ? 1 : 0)),
      0,
    );
  }

  /**
   * Runs statements that only read. Undefined when one of them writes, or cannot be compiled before an earlier one has run.
   * @param isStrict whether that is an error
   * @throws SqlError
   */
  read(statements: readonly SqlStatement[], isStrict = true): ResultSet[] | undefined {
    this.#begin();
    const { capi } = this.#engine.sqlite;
    const compiled: WasmPointer[] = [];
    try {
      if (!this.#compileReads(statements, compiled, isStrict)) return undefined;
      return compiled.map((statement, i) => this.#run(statement, statements[i]?.args));
    } finally {
      for (const statement of compiled) capi.sqlite3_finalize(statement);
      // A savepoint begins a transaction.
      if (this.isOpen) this.#control('ROLLBACK');
    }
  }

  #compileReads(statements: readonly SqlStatement[], compiled: WasmPointer[], isStrict: boolean): boolean {
    const { capi } = this.#engine.sqlite;
    try {
      for (const { sql } of statements) {
        const statement = this.#prepare(sql);
        compiled.push(statement);
        if (capi.sqlite3_stmt_readonly(statement)) continue;
        throw new SqlError('SQLITE_READONLY', 'attempt to write a readonly database', capi.SQLITE_READONLY);
      }
      return true;
    } catch (error) {
      if (isStrict || !(error instanceof SqlError)) throw error;
      return false;
    }
  }

  /** Runs statements in one transaction. Nothing of them stays after an error. @throws SqlError */
  write(statements: Iterable<SqlStatement>): ResultSet[] {
    this.#begin();
    this.#control('BEGIN');
    try {
      const results = Array.from(statements, ({ sql, args }) => this.#execute(sql, args));
      this.#control('COMMIT');
      return results;
    } catch (error) {
      // Some errors have rolled back already. Others may have used all of the time.
      this.#engine.start(this.#engine.now, ROLLBACK_TIME);
      if (this.isOpen) this.#control('ROLLBACK');
      throw error;
    }
  }

  /** The bytes of the database. They change with the next statement. */
  get bytes(): Uint8Array {
    const { capi, wasm } = this.#engine.sqlite;
    return wasm.scopedAllocCall(() => {
      const size = wasm.scopedAlloc(8);
      const start = capi.sqlite3_serialize(this.#pointer, 'main', size, capi.SQLITE_SERIALIZE_NOCOPY);
      return wasm.heap8u().subarray(start, start + Number(wasm.peek64(size)));
    });
  }

  /** Whether a transaction is open, as after an error that could not be rolled back. */
  get isOpen(): boolean {
    return this.#engine.sqlite.capi.sqlite3_get_autocommit(this.#pointer) === 0;
  }

  close(): void {
    this.#db.close();
  }

  /** Forgets what earlier requests have counted. */
  #begin(): void {
    const { capi } = this.#engine.sqlite;
    this.#rowBytes = 0;
    capi.sqlite3_set_last_insert_rowid(this.#pointer, 0n);
    this.#engine.changesBefore = capi.sqlite3_total_changes(this.#pointer);
  }

  #control(sql: 'BEGIN' | 'COMMIT' | 'ROLLBACK'): void {
    this.#isOwn = true;
    try {
      this.#execute(sql, undefined);
    } finally {
      this.#isOwn = false;
    }
  }

  /**
   * Runs a text with any number of statements, which may begin and end transactions.
   * @param begin called before each statement with the number of bytes before it
   * @throws SqlError
   */
  script(sql: string, begin?: (offset: number) => void): void {
    this.#isOwn = true;
    try {
      this.#eachStatement(sql, begin, (statement) => this.#runOnce(statement, undefined));
      if (this.isOpen) throw new SqlError('SQLITE_ERROR', 'the statements leave a transaction open');
    } finally {
      this.#isOwn = false;
    }
  }

  #execute(sql: string, args: SqlArguments | undefined): ResultSet {
    return this.#runOnce(this.#prepare(sql), args);
  }

  #runOnce(statement: WasmPointer, args: SqlArguments | undefined): ResultSet {
    try {
      return this.#run(statement, args);
    } finally {
      this.#engine.sqlite.capi.sqlite3_finalize(statement);
    }
  }

  /** Compiles a text with one statement. */
  #prepare(sql: string): WasmPointer {
    const { capi } = this.#engine.sqlite;
    let found: WasmPointer = 0;
    try {
      this.#inserts = false;
      this.#eachStatement(sql, undefined, (statement) => {
        if (found === 0) found = statement;
        else {
          capi.sqlite3_finalize(statement);
          throw new SqlError('SQL_MANY_STATEMENTS', 'SQL string contains more than one statement');
        }
      });
    } catch (error) {
      capi.sqlite3_finalize(found);
      throw error;
    }
    if (found === 0) throw new SqlError('SQL_NO_STATEMENT', 'SQL string does not contain any statement');
    return found;
  }

  /** Compiles the statements of a text, each after `use` has returned for the one before it. */
  #eachStatement(sql: string, begin: ((at: number) => void) | undefined, use: (statement: WasmPointer) => void): void {
    const { wasm } = this.#engine.sqlite;
    wasm.scopedAllocCall(() => {
      const [start, length] = wasm.scopedAllocCString(sql, true);
      const tail = wasm.scopedAlloc(4);
      let next = start;
      for (let rest = start; rest < start + length; rest = next) {
        begin?.(rest - start);
        const statement = this.#compile(rest, start + length - rest, tail);
        if (statement !== 0) use(statement);
        next = wasm.peekPtr(tail);
        if (next === rest) throw new SqlError('SQL_NO_STATEMENT', 'SQL string contains a NUL character');
      }
    });
  }

  /** Compiles the first statement of a text; 0 for an empty one. */
  #compile(text: WasmPointer, length: number, tail: WasmPointer): WasmPointer {
    const { capi, wasm } = this.#engine.sqlite;
    this.#refusal = undefined;
    return wasm.scopedAllocCall(() => {
      const result = wasm.scopedAlloc(4);
      this.#check(capi.sqlite3_prepare_v3(this.#pointer, text, length, 0, result, tail));
      return wasm.peekPtr(result);
    });
  }

  #run(statement: WasmPointer, args: SqlArguments | undefined): ResultSet {
    const { sqlite } = this.#engine;
    const { capi } = sqlite;
    const columns = Array.from({ length: capi.sqlite3_column_count(statement) }, (_, column) => column);
    const before = capi.sqlite3_total_changes(this.#pointer);
    bindArguments(sqlite, statement, args);
    const rows: SqlOutput[][] = [];
    for (;;) {
      const code = capi.sqlite3_step(statement);
      if (code === capi.SQLITE_DONE) break;
      if (code !== capi.SQLITE_ROW) this.#check(code);
      const row = columns.map((column) => readValue(sqlite, statement, column));
      rows.push(row);
      this.#rowBytes += row.reduce((sum: number, value) => sum + measure(value), 0);
      if (this.#rowBytes > this.#largestRows) throw new SqlError('SQLITE_TOOBIG', 'the rows have more than 10 MB');
    }
    const isChanged = capi.sqlite3_total_changes(this.#pointer) !== before;
    const rowid = capi.sqlite3_last_insert_rowid(this.#pointer);
    return {
      columns: columns.map((column) => capi.sqlite3_column_name(statement, column)),
      columnTypes: columns.map((column) => capi.sqlite3_column_decltype(statement, column) ?? ''),
      rows,
      rowsAffected: isChanged ? capi.sqlite3_changes(this.#pointer) : 0,
      lastInsertRowid: isChanged && this.#inserts ? toNumber(rowid) : null,
    };
  }

  #authorize(action: number, ...[first = 0, second = 0, database = 0, trigger = 0]: (string | 0)[]): number {
    const { capi } = this.#engine.sqlite;
    if (action === capi.SQLITE_INSERT && trigger === 0) this.#inserts = true;
    if (this.#isOwn && action === capi.SQLITE_TRANSACTION) return capi.SQLITE_OK;
    // It has no effect within a transaction, and would last longer than the request without one.
    const isForeignKeys = action === capi.SQLITE_PRAGMA && /foreign_keys$/i.test(String(first));
    if (isForeignKeys && second !== 0 && !this.#isOwn && !this.isOpen) return capi.SQLITE_IGNORE;
    this.#refusal ??= findRefusal(capi, action, first, second, database);
    return this.#refusal === undefined ? capi.SQLITE_OK : capi.SQLITE_DENY;
  }

  /** @throws SqlError for the code of an error */
  #check(code: number): void {
    if (code === 0) return;
    const { capi } = this.#engine.sqlite;
    const reason = capi.sqlite3_errmsg(this.#pointer);
    const name = capi.sqlite3_js_rc_str(code & 0xff);
    const limit = name === 'SQLITE_INTERRUPT' ? `statements end after ${this.#engine.time / 1_000} s` : this.#refusal;
    throw new SqlError(name, limit === undefined ? reason : `${reason}: ${limit}`, code);
  }
}
