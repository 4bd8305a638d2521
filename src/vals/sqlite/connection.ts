import type { Database, WasmPointer } from './api.js';
import { Compiler } from './compiler.js';
import type { Engine } from './engine.js';
import { RowRecorder } from './row-recorder.js';
import { SqlError, toServerError } from './sql-error.js';
import {
  bindArguments,
  type Columns,
  LARGEST_DATABASE,
  ResponseText,
  readValue,
  type SqlOutput,
  type SqlStatement,
  toNumber,
} from './values.js';

/** Steps of SQLite's virtual machine between two looks at the time. A step with a value of 2 MB takes milliseconds. */
const STEPS_PER_CHECK = 100;

/** Arguments of a function. Source: MAX_FUNCTION_ARG of libSQL, which has SQLite 3.45; 3.50 has 1,000. */
const MAX_FUNCTION_ARGUMENTS = 127;

/** How a connection differs between requests and fixtures. */
export interface ConnectionOptions {
  /** Bytes of a value, and of the results of a request as JSON. Source: chosen. */
  readonly largestValue: number;
  readonly largestResponse: number;
  /**
   * Whether it behaves as the server of the service, libSQL's: numbers are bound as floats, and foreign keys are enforced
   * (tursodatabase/libsql, pull requests 1761 and 981). Else as SQLite.
   */
  readonly isServer: boolean;
}

const OF_REQUESTS: ConnectionOptions = {
  largestValue: 2 * 1_048_576,
  largestResponse: 10 * 1_048_576,
  isServer: true,
};

/** An open database, in the memory of an engine. */
export class Connection {
  readonly #engine: Engine;
  readonly #db: Database;
  readonly #pointer: WasmPointer;
  readonly #options: ConnectionOptions;
  readonly #compiler: Compiler;
  readonly #rows: RowRecorder;
  /** The number of rows that the last statement has changed. */
  #changed = 0;

  /** @param bytes of the database; undefined for an empty one */
  constructor(engine: Engine, bytes: Uint8Array | undefined, options: ConnectionOptions = OF_REQUESTS) {
    this.#engine = engine;
    this.#options = options;
    const { capi, wasm, oo1 } = engine.sqlite;
    this.#db = new oo1.DB(':memory:');
    this.#pointer = this.#db.pointer ?? 0;
    const db = this.#pointer;
    this.#rows = new RowRecorder(engine, db);
    this.#compiler = new Compiler(engine, db, options.isServer, this.#rows);
    const size = bytes?.length ?? 0;
    const mode = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
    const memory = size > 0 ? wasm.alloc(size) : 0;
    if (bytes) wasm.heap8u().set(bytes, memory);
    this.#compiler.check(capi.sqlite3_deserialize(db, 'main', memory, size, size, mode));
    wasm.scopedAllocCall(() => {
      const limit = wasm.scopedAlloc(8);
      wasm.poke64(limit, BigInt(LARGEST_DATABASE));
      this.#compiler.check(capi.sqlite3_file_control(db, 'main', capi.SQLITE_FCNTL_SIZE_LIMIT, limit));
    });
    // Refuses what would damage the database.
    capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_DEFENSIVE, 1, 0);
    capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_ENABLE_FKEY, Number(options.isServer), 0);
    // As SQLite and libSQL are built: a text in double quotes that names no column is a text.
    for (const option of [capi.SQLITE_DBCONFIG_DQS_DML, capi.SQLITE_DBCONFIG_DQS_DDL])
      capi.sqlite3_db_config(db, option, 1, 0);
    capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, options.largestValue);
    if (options.isServer) capi.sqlite3_limit(db, capi.SQLITE_LIMIT_FUNCTION_ARG, MAX_FUNCTION_ARGUMENTS);
    const flags = capi.SQLITE_UTF8 | capi.SQLITE_INNOCUOUS;
    for (const { name, parameters, call, ...own } of engine.functions)
      capi.sqlite3_create_function_v2(db, name, parameters, flags | own.flags, 0, call, 0, 0, 0);
    capi.sqlite3_set_authorizer(db, (_, ...action) => this.#compiler.authorize(...action), 0);
    capi.sqlite3_progress_handler(db, STEPS_PER_CHECK, () => (engine.isLate ? 1 : 0), 0);
    try {
      // Reads the header, since PRAGMA page_size does not.
      engine.untimed(() => this.run({ sql: 'PRAGMA schema_version' }));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Runs statements that only read, and returns the JSON of their results. Undefined when one of them writes, or cannot be
   * compiled before an earlier one has run.
   * @param isStrict whether that is an error
   * @throws SqlError
   */
  read(statements: readonly SqlStatement[], isStrict = true): string[] | undefined {
    this.#begin();
    const { capi } = this.#engine.sqlite;
    const compiled: WasmPointer[] = [];
    try {
      if (!this.#compileReads(statements, compiled, isStrict)) return undefined;
      const response = new ResponseText(this.#options.largestResponse);
      return compiled.map((statement, i) => this.#run(statement, response, statements[i]));
    } finally {
      for (const statement of compiled) capi.sqlite3_finalize(statement);
      // A savepoint begins a transaction.
      if (this.isOpen) this.control('ROLLBACK');
    }
  }

  #compileReads(statements: readonly SqlStatement[], compiled: WasmPointer[], isStrict: boolean): boolean {
    const { capi } = this.#engine.sqlite;
    try {
      for (const { sql } of statements) {
        const statement = this.#compiler.prepare(sql);
        compiled.push(statement);
        if (capi.sqlite3_stmt_readonly(statement)) continue;
        throw toServerError('SQLITE_READONLY', 'attempt to write a readonly database');
      }
      return true;
    } catch (error) {
      if (isStrict || !(error instanceof SqlError)) throw error;
      return false;
    }
  }

  /**
   * Runs statements in one transaction, and returns the JSON of their results, and of the rows that they have changed. Nothing stays
   * after an error.
   * @param record whose rows they are
   * @throws SqlError
   */
  write(statements: readonly SqlStatement[], record = ''): { results: string[]; rows: string } {
    this.#begin();
    this.#rows.begin();
    this.#engine.rows = this.#rows;
    this.control('BEGIN');
    try {
      const response = new ResponseText(this.#options.largestResponse);
      const results = statements.map((each) => this.#write(each, response));
      this.control('COMMIT');
      return { results, rows: this.#rows.end(record) };
    } catch (error) {
      this.#rows.forgetColumns();
      // Some errors have rolled back already. Others may have used all of the time.
      this.#engine.untimed(() => this.isOpen && this.control('ROLLBACK'));
      throw error;
    }
  }

  #write(each: SqlStatement, response: ResponseText): string {
    this.#rows.start(each.sql, () => this.bytes.length);
    return this.#use(each.sql, (statement) => {
      const { savepoint } = this.#compiler;
      const result = this.#run(statement, response, each);
      const isExplained = savepoint && this.#engine.sqlite.capi.sqlite3_stmt_isexplain(statement) !== 0;
      this.#rows.finish(this.#changed, isExplained ? undefined : savepoint);
      return result;
    });
  }

  /** Lists the names of tables and views. */
  listTables(): string[] {
    const sql =
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name";
    return this.#engine.untimed(() => Array.from(this.rows(sql), ([name]) => String(name)));
  }

  /** Reads the rows of a statement, one by one. @throws SqlError */
  rows(sql: string): Generator<SqlOutput[]> {
    return this.readRows(sql, readValue);
  }

  /** Reads the rows of a statement, one by one. @param readColumn reads a column of the current row. @throws SqlError */
  *readRows<T>(
    sql: string,
    readColumn: (columns: Columns, statement: WasmPointer, column: number) => T,
  ): Generator<T[]> {
    const { sqlite, columns } = this.#engine;
    const statement = this.#compiler.prepare(sql);
    try {
      const count = sqlite.capi.sqlite3_column_count(statement);
      while (this.#step(statement)) {
        const row: T[] = [];
        for (let column = 0; column < count; column++) row.push(readColumn(columns, statement, column));
        yield row;
      }
    } finally {
      sqlite.capi.sqlite3_finalize(statement);
    }
  }

  /** Runs a statement whose rows are not read. @throws SqlError */
  run(statement: SqlStatement): void {
    this.#use(statement.sql, (compiled) => {
      bindArguments(this.#engine.sqlite, compiled, statement.args);
      while (this.#step(compiled));
    });
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

  /** Whether it has a database of temporary tables, which would outlive the request. */
  get hasTemporary(): boolean {
    return this.#engine.sqlite.capi.sqlite3_db_readonly(this.#pointer, 'temp') !== -1;
  }

  close(): void {
    this.#engine.changesBefore.delete(this.#pointer);
    this.#db.close();
  }

  /** The texts in double quotes in the statements of the last request that name no column. */
  get texts(): readonly string[] {
    return [...this.#compiler.texts];
  }

  /** Forgets what earlier requests have counted. */
  #begin(): void {
    const { capi } = this.#engine.sqlite;
    this.#compiler.texts.clear();
    capi.sqlite3_set_last_insert_rowid(this.#pointer, 0n);
    this.#engine.changesBefore.set(this.#pointer, capi.sqlite3_total_changes(this.#pointer));
  }

  control(sql: 'BEGIN' | 'COMMIT' | 'ROLLBACK'): void {
    this.#compiler.isOwn = true;
    try {
      this.run({ sql });
    } finally {
      this.#compiler.isOwn = false;
    }
  }

  /**
   * Runs a text with any number of statements, which may begin and end transactions.
   * Yields the number of bytes before each statement, which runs then.
   * @throws SqlError
   */
  *script(sql: string): Generator<number> {
    for (const [offset, compile] of this.#compiler.each(sql)) {
      yield offset;
      this.#compiler.isOwn = true;
      try {
        const statement = compile();
        if (statement !== 0)
          this.#finalize(statement, () => {
            while (this.#step(statement));
          });
      } finally {
        this.#compiler.isOwn = false;
      }
    }
    if (this.isOpen) throw new SqlError('SQLITE_ERROR', 'the statements leave a transaction open');
  }

  /** Compiles a text with one statement, which is finalized after its use. */
  #use<T>(sql: string, use: (statement: WasmPointer) => T): T {
    const statement = this.#compiler.prepare(sql);
    return this.#finalize(statement, () => use(statement));
  }

  #finalize<T>(statement: WasmPointer, use: () => T): T {
    try {
      return use();
    } finally {
      this.#engine.sqlite.capi.sqlite3_finalize(statement);
    }
  }

  /** Runs a statement to its end, and writes its result. */
  #run(statement: WasmPointer, response: ResponseText, { args }: Partial<SqlStatement> = {}): string {
    const { sqlite, columns } = this.#engine;
    const { capi } = sqlite;
    const count = capi.sqlite3_column_count(statement);
    const before = capi.sqlite3_total_changes(this.#pointer);
    // Virtual tables compile statements while this one runs.
    const isInsert = this.#compiler.inserts && !capi.sqlite3_stmt_isexplain(statement);
    bindArguments(sqlite, statement, args, this.#options.isServer);
    response.add('{"columns":');
    response.addList(count, (column) => capi.sqlite3_column_name(statement, column));
    response.add(',"columnTypes":');
    response.addList(count, (column) => capi.sqlite3_column_decltype(statement, column) ?? '');
    response.add(',"rows":[');
    for (let rows = 0; this.#step(statement); rows++) {
      if (rows > 0) response.add(',');
      response.addList(count, (column) => readValue(columns, statement, column, response.reserve));
    }
    this.#changed = capi.sqlite3_total_changes(this.#pointer) - before;
    const affected = this.#changed > 0 ? capi.sqlite3_changes(this.#pointer) : 0;
    // Also if it inserted nothing. Source: tursodatabase/libsql, connection/program.rs.
    const rowid = isInsert ? toNumber(capi.sqlite3_last_insert_rowid(this.#pointer)) : null;
    this.#engine.assertInTime();
    response.add(`],"rowsAffected":${affected},"lastInsertRowid":${JSON.stringify(rowid)}}`);
    return response.take();
  }

  /** Goes to the next row of a statement. Returns whether there is one. */
  #step(statement: WasmPointer): boolean {
    const { capi, wasm } = this.#engine.sqlite;
    this.#engine.assertInTime();
    const code = wasm.exports.sqlite3_step(statement);
    if (code === capi.SQLITE_ROW) return true;
    this.#engine.assertIntact();
    if (code !== capi.SQLITE_DONE) this.#compiler.check(code);
    return false;
  }
}
