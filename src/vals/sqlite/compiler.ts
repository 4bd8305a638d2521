import type { WasmPointer } from './api.js';
import type { Engine } from './engine.js';
import { findRefusal } from './refusals.js';
import type { RowRecorder, SavepointAction } from './row-recorder.js';
import { SqlError, toServerError } from './sql-error.js';

/** Texts in double quotes of a request that are reported. */
const MAX_TEXTS = 5;

/** Compiles the statements of a connection, and refuses some. */
export class Compiler {
  readonly #engine: Engine;
  readonly #db: WasmPointer;
  readonly #isServer: boolean;
  readonly #rows: RowRecorder;
  /** Why the statement was refused that was compiled last, and whether it is an INSERT. */
  #refusal: string | undefined;
  inserts = false;
  /** What it does with a savepoint. */
  savepoint: SavepointAction | undefined;
  /** Texts in double quotes in the statements of a request, which name no column. */
  readonly texts = new Set<string>();
  /** Whether a statement is not of a request: it may begin and end transactions. */
  isOwn = false;

  /**
   * @param isServer whether errors have the words of libSQL's server, else of SQLite
   * @param rows learns when columns may change
   */
  constructor(engine: Engine, db: WasmPointer, isServer: boolean, rows: RowRecorder) {
    this.#engine = engine;
    this.#db = db;
    this.#isServer = isServer;
    this.#rows = rows;
  }

  /** Compiles a text with one statement. */
  prepare(sql: string): WasmPointer {
    const { capi } = this.#engine.sqlite;
    let found: WasmPointer = 0;
    try {
      this.inserts = false;
      this.savepoint = undefined;
      for (const [, compile] of this.each(sql)) {
        const statement = compile();
        if (found === 0) found = statement;
        else if (statement !== 0) {
          capi.sqlite3_finalize(statement);
          throw new SqlError('SQL_MANY_STATEMENTS', 'SQL string contains more than one statement');
        }
      }
    } catch (error) {
      capi.sqlite3_finalize(found);
      throw error;
    }
    if (found === 0) throw new SqlError('SQL_NO_STATEMENT', 'SQL string does not contain any statement');
    return found;
  }

  /** Yields the number of bytes before each statement of a text, and what compiles it: to 0 for an empty one. */
  *each(sql: string): Generator<[offset: number, compile: () => WasmPointer]> {
    const { wasm } = this.#engine.sqlite;
    // Not in a scope, since other work may run in between.
    const [start, length] = wasm.allocCString(sql, true);
    try {
      let next = start;
      for (let rest = start; rest < start + length; rest = next) {
        const compile = () => {
          const [statement, tail] = this.#compile(rest, start + length - rest, rest - start);
          next = tail;
          // The others are of the schema.
          for (const text of this.#engine.quoted)
            if (this.texts.size < MAX_TEXTS && sql.includes(text)) this.texts.add(text);
          return statement;
        };
        yield [rest - start, compile];
        if (next === rest) throw new SqlError('SQL_NO_STATEMENT', 'SQL string contains a NUL character');
      }
    } finally {
      wasm.dealloc(start);
    }
  }

  /**
   * Compiles the first statement of a text, and finds the rest.
   * @param offset of the text in the whole one
   */
  #compile(text: WasmPointer, length: number, offset: number): [statement: WasmPointer, rest: WasmPointer] {
    const { capi, wasm } = this.#engine.sqlite;
    this.#refusal = undefined;
    this.#engine.quoted.clear();
    this.#engine.assertInTime();
    return wasm.scopedAllocCall(() => {
      const result = wasm.scopedAlloc(4);
      const tail = wasm.scopedAlloc(4);
      const code = capi.sqlite3_prepare_v3(this.#db, text, length, 0, result, tail);
      this.#engine.assertIntact();
      this.check(code, offset);
      return [wasm.peekPtr(result), wasm.peekPtr(tail)];
    });
  }

  /** Returns whether an action of a statement is allowed, as a code of SQLite. */
  authorize(action: number, ...[first = 0, second = 0, database = 0, trigger = 0]: (string | 0)[]): number {
    const { capi } = this.#engine.sqlite;
    // DDL inserts into the schema.
    if (action === capi.SQLITE_INSERT && trigger === 0 && first !== 'sqlite_master') this.inserts = true;
    if (first === 'sqlite_master' || action === capi.SQLITE_ALTER_TABLE) this.#rows.forgetColumns();
    else if (action === capi.SQLITE_SAVEPOINT) this.savepoint = [first, second];
    if (this.isOwn && action === capi.SQLITE_TRANSACTION) return capi.SQLITE_OK;
    // It has no effect within a transaction, and would last longer than the request without one.
    const isForeignKeys = action === capi.SQLITE_PRAGMA && /foreign_keys$/i.test(String(first));
    if (isForeignKeys && second !== 0 && !this.isOwn && capi.sqlite3_get_autocommit(this.#db) !== 0)
      return capi.SQLITE_IGNORE;
    this.#refusal ??= findRefusal(capi, action, first, second, database);
    return this.#refusal === undefined ? capi.SQLITE_OK : capi.SQLITE_DENY;
  }

  /**
   * @param start of the statement in its text, which is being compiled; undefined for one that runs
   * @throws SqlError for the code of an error
   */
  check(code: number, start?: number): void {
    if (code === 0) return;
    const { capi } = this.#engine.sqlite;
    const reason = capi.sqlite3_errmsg(this.#db);
    const name = capi.sqlite3_js_rc_str(code & 0xff);
    if (name === 'SQLITE_INTERRUPT') throw this.#engine.interruption;
    if (name === 'SQLITE_NOMEM') this.#engine.isExhausted = true;
    if (this.#refusal !== undefined) throw new SqlError(name, `${reason}: ${this.#refusal}`);
    if (!this.#isServer) throw new SqlError(name, reason);
    if (start === undefined) throw toServerError(name, reason);
    const offset = capi.sqlite3_error_offset(this.#db);
    throw toServerError(name, reason, offset < 0 ? offset : start + offset);
  }
}
