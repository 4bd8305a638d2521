import type { RowChanges } from '#engine/api/row-changes.js';
import { encodeBase64 } from '#engine/lib/base64.js';
import type { Sqlite, WasmPointer } from './api.js';
import { quoteName, toNumber } from './values.js';

// Rows that a request changes, as SQLite's preupdate hook tells them: it needs no primary key, as changesets do.

/** Rows of a request, and characters of JSON, that are recorded at most. Source: chosen. */
const MAX_ROWS = 100;
const MAX_SIZE = 16_384;
/** Characters of a statement. */
const MAX_STATEMENT = 200;
/** Bytes of a value that is recorded whole, and characters of a longer text. */
const MAX_VALUE = 1_000;
const MAX_BEGINNING = 100;
/** Bytes of a character in UTF-8 at most. */
const MAX_CHARACTER = 4;

/** What a statement has changed in a table. */
export type TableChanges = Omit<RowChanges, 'record'>;
type Row = TableChanges['changes'][number]['before'];

/** What a statement does with a savepoint, as the authorizer is told. */
export type SavepointAction = readonly [operation: string | 0, name: string | 0];

/** Records the changes of rows on a connection, request by request. */
export class RowRecorder {
  readonly #sqlite: Sqlite;
  readonly #db: WasmPointer;
  #all: TableChanges[] = [];
  #rows = 0;
  #size = 0;
  /** Whether only numbers are recorded from now on. */
  #isFull = false;
  #statement = '';
  /** What the statement has changed, by the address of the name of the table. */
  readonly #current = new Map<WasmPointer, TableChanges>();
  /** The columns of tables: undefined for one that is not stored. */
  readonly #columns = new Map<string, readonly (string | undefined)[]>();
  #savepoints: { readonly name: string; readonly all: TableChanges[] }[] = [];

  constructor(sqlite: Sqlite, db: WasmPointer) {
    this.#sqlite = sqlite;
    this.#db = db;
  }

  /** The changes of the request. */
  get changes(): readonly TableChanges[] {
    return this.#all;
  }

  /** Begins a request. */
  begin(): void {
    this.#all = [];
    this.#savepoints = [];
    this.#rows = 0;
    this.#size = 0;
    this.#isFull = false;
    this.#setStatement('');
  }

  /** Begins a statement. One that is repeated at once continues. */
  start(sql: string): void {
    if (sql !== this.#statement) this.#setStatement(sql);
  }

  #setStatement(sql: string): void {
    this.#statement = sql;
    this.#current.clear();
  }

  /** Forgets the columns of tables, which may change. */
  forgetColumns(): void {
    this.#columns.clear();
  }

  /** Forgets what a savepoint takes back. */
  apply([operation, name]: SavepointAction): void {
    const key = String(name).toLowerCase();
    this.#setStatement('');
    if (operation === 'BEGIN') this.#savepoints.push({ name: key, all: copy(this.#all) });
    const index = this.#savepoints.findLastIndex((each) => each.name === key);
    if (operation === 'RELEASE') this.#savepoints.length = Math.max(0, index);
    if (operation !== 'ROLLBACK') return;
    this.#all = copy(this.#savepoints[index]?.all ?? []);
    this.#savepoints.length = index + 1;
    this.forgetColumns();
  }

  /** Records the change of a row, which SQLite is about to make. @param table the address of its name */
  record(operation: number, table: WasmPointer): void {
    const { SQLITE_INSERT, SQLITE_DELETE } = this.#sqlite.capi;
    const found = this.#current.get(table) ?? this.#begin(table);
    if (operation === SQLITE_INSERT) found.inserted++;
    else if (operation === SQLITE_DELETE) found.deleted++;
    else found.updated++;
    if (this.#isFull || found.table === null) return;
    const columns = this.#getColumns(found.table);
    const before = operation === SQLITE_INSERT ? null : this.#read('sqlite3_preupdate_old', columns);
    const after = operation === SQLITE_DELETE ? null : this.#read('sqlite3_preupdate_new', columns);
    this.#isFull = ++this.#rows > MAX_ROWS || !this.#takesRoom({ before, after });
    if (!this.#isFull) found.changes.push({ before, after });
  }

  /** Begins the changes of a table, or continues the sum of those without room. */
  #begin(pointer: WasmPointer): TableChanges {
    const statement = this.#statement.slice(0, MAX_STATEMENT);
    const table = this.#sqlite.wasm.cstrToJs(pointer);
    const made: TableChanges = { statement, table, changes: [], inserted: 0, updated: 0, deleted: 0 };
    const hasRoom = this.#takesRoom(made);
    const sum = hasRoom ? undefined : this.#all.find((each) => each.table === null);
    const found = sum ?? (hasRoom ? made : { ...made, statement: null, table: null });
    if (!sum) this.#all.push(found);
    this.#current.set(pointer, found);
    return found;
  }

  #takesRoom(value: object): boolean {
    const size = this.#size + JSON.stringify(value).length;
    if (size > MAX_SIZE) return false;
    this.#size = size;
    return true;
  }

  #getColumns(table: string): readonly (string | undefined)[] {
    const columns = this.#columns.get(table) ?? this.#listColumns(table);
    this.#columns.set(table, columns);
    return columns;
  }

  /** As SQLite's own sessions do within the hook. */
  #listColumns(table: string): (string | undefined)[] {
    const { capi, wasm } = this.#sqlite;
    const [sql, length] = wasm.allocCString(`PRAGMA table_xinfo(${quoteName(table)})`, true);
    const columns: (string | undefined)[] = [];
    const statement = wasm.scopedAllocCall(() => {
      const result = wasm.scopedAlloc(4);
      capi.sqlite3_prepare_v3(this.#db, sql, length, 0, result, 0);
      return wasm.peekPtr(result);
    });
    while (statement !== 0 && capi.sqlite3_step(statement) === capi.SQLITE_ROW) {
      const isVirtual = capi.sqlite3_column_int64(statement, 6) === 2n;
      columns.push(isVirtual ? undefined : capi.sqlite3_column_text(statement, 1));
    }
    capi.sqlite3_finalize(statement);
    wasm.dealloc(sql);
    return columns;
  }

  #read(which: 'sqlite3_preupdate_old' | 'sqlite3_preupdate_new', columns: readonly (string | undefined)[]): Row {
    const { wasm } = this.#sqlite;
    return wasm.scopedAllocCall(() => {
      const result = wasm.scopedAlloc(4);
      const row: [string, unknown][] = [];
      columns.forEach((column, index) => {
        if (column === undefined || wasm.exports[which](this.#db, index, result) !== 0) return;
        row.push([column, this.#readValue(wasm.peekPtr(result))]);
      });
      return Object.fromEntries(row);
    });
  }

  #readValue(value: WasmPointer): unknown {
    const { capi, wasm } = this.#sqlite;
    const { exports } = wasm;
    const type = exports.sqlite3_value_type(value);
    if (type === capi.SQLITE_INTEGER) return toNumber(exports.sqlite3_value_int64(value));
    if (type === capi.SQLITE_FLOAT) {
      const number = exports.sqlite3_value_double(value);
      return Number.isFinite(number) ? number : null;
    }
    const isText = type === capi.SQLITE_TEXT;
    if (!isText && type !== capi.SQLITE_BLOB) return null;
    const start = isText ? exports.sqlite3_value_text(value) : exports.sqlite3_value_blob(value);
    const bytes = exports.sqlite3_value_bytes(value);
    const isLong = bytes > MAX_VALUE;
    if (isLong && !isText) return { bytes };
    const content = wasm.heap8u().subarray(start, start + (isLong ? MAX_BEGINNING * MAX_CHARACTER : bytes));
    if (!isText) return { base64: encodeBase64(content) };
    const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString();
    return isLong ? { text: Array.from(text).slice(0, MAX_BEGINNING).join(''), bytes } : text;
  }
}

const copy = (all: readonly TableChanges[]): TableChanges[] =>
  all.map((each) => ({ ...each, changes: [...each.changes] }));
