import type { ReadRow, Sqlite, WasmPointer } from './api.js';
import { quoteName, toNumber } from './values.js';

// Rows that a request changes, as the preupdate hook of SQLite reports them: unlike changesets, it needs no primary key, and has all columns.

/** Rows of a request, and characters of JSON, that are recorded at most. Source: chosen. */
const MAX_ROWS = 100;
const MAX_SIZE = 16_384;
/** A statement that empties a table, which SQLite does without a look at its rows where no hook is. */
const EMPTIES = /^\s*delete\s+from\s+\S+\s*;?\s*$/i;
/** Bytes of a database in which the rows of such a statement are recorded. */
const MAX_EMPTIED = 65_536;
/** Characters of JSON around a statement, and of the statement at most. */
const AROUND = 150;
const MAX_STATEMENT = 200;
/** Bytes of a value that is recorded whole, and characters of a longer text. */
const MAX_VALUE = 1_000;
const MAX_BEGINNING = 100;
/** Bytes of a character in UTF-8 at most. */
const MAX_CHARACTER = 4;

interface Recorded {
  /** Null for all that found no room. */
  readonly statement: string | null;
  /** The JSON of each row, before and after. */
  readonly changes: string[];
  /** The number of other rows. */
  more: number;
}

interface Table {
  /** The beginning of the JSON of a row. */
  readonly begin: string;
  /** Its columns, as JSON: undefined for one that is not stored. */
  readonly columns: readonly (string | undefined)[];
}

/** What a statement does with a savepoint, as the authorizer receives it. */
export type SavepointAction = readonly [operation: string | 0, name: string | 0];

/** What is used for each value: a property of the large objects that have it takes long to find. */
const pick = ({ capi, wasm: { exports } }: Sqlite) => ({
  INSERT: capi.SQLITE_INSERT,
  DELETE: capi.SQLITE_DELETE,
  NULL: capi.SQLITE_NULL,
  INTEGER: capi.SQLITE_INTEGER,
  FLOAT: capi.SQLITE_FLOAT,
  TEXT: capi.SQLITE_TEXT,
  findOld: exports.sqlite3_preupdate_old,
  findNew: exports.sqlite3_preupdate_new,
  typeOf: exports.sqlite3_value_type,
  toInteger: exports.sqlite3_value_int64,
  toDouble: exports.sqlite3_value_double,
  countBytes: exports.sqlite3_value_bytes,
  toBytes: exports.sqlite3_value_blob,
});

/** What the recorder needs of its engine. */
interface Recording {
  readonly sqlite: Sqlite;
  /** Calls `record`. */
  readonly rowHook: WasmPointer;
  /** Four bytes for a result. */
  readonly result: WasmPointer;
  readonly memory: Buffer;
}

/** Records the rows that a connection changes, request by request. Once there is no room, it only counts. */
export class RowRecorder {
  readonly #engine: Recording;
  readonly #sqlite: Sqlite;
  readonly #calls: ReturnType<typeof pick>;
  readonly #db: WasmPointer;
  /** Where a pointer to a value is returned. */
  readonly #result: WasmPointer;
  #all: Recorded[] = [];
  #rows = 0;
  #size = 0;
  #isFull = false;
  /** The statement that runs, and what it has changed so far. */
  #sql = '';
  #current: Recorded | undefined;
  #seen = 0;
  /** Tables by name, and those of the statement by the address of their name. */
  readonly #tables = new Map<string, Table>();
  readonly #used = new Map<WasmPointer, Table>();
  #isListening = false;
  #savepoints: { readonly name: string; readonly all: Recorded[] }[] = [];

  constructor(engine: Recording, db: WasmPointer) {
    this.#engine = engine;
    this.#sqlite = engine.sqlite;
    this.#calls = pick(engine.sqlite);
    this.#db = db;
    this.#result = engine.result;
  }

  begin(): void {
    this.#all = [];
    this.#savepoints = [];
    this.#rows = 0;
    this.#size = 0;
    this.#isFull = false;
    this.#sql = '';
  }

  /** Ends a request, and returns the JSON of what its statements have changed; empty for nothing. @param record of the database */
  end(record: string): string {
    this.#listen(false);
    if (this.#all.length === 0) return '';
    const name = JSON.stringify(record);
    const all = this.#all.map(
      ({ statement, changes, more }) =>
        `{"record":${name},"statement":${JSON.stringify(statement)},"changes":[${changes.join()}],"more":${more}}`,
    );
    return `[${all.join()}]`;
  }

  #listen(isOn: boolean): void {
    if (isOn === this.#isListening) return;
    this.#isListening = isOn;
    this.#sqlite.wasm.exports.sqlite3_preupdate_hook(this.#db, isOn ? this.#engine.rowHook : 0, 0);
  }

  /**
   * Begins a statement, before it is compiled. One that is repeated at once continues.
   * @param measure returns the bytes of the database
   */
  start(sql: string, measure: () => number): void {
    this.#listen(!this.#isFull && !(EMPTIES.test(sql) && measure() > MAX_EMPTIED));
    this.#seen = 0;
    if (sql === this.#sql) return;
    this.#sql = sql;
    this.#current = undefined;
    this.#used.clear();
  }

  /** Ends a statement. @param changed the number of rows that it has changed */
  finish(changed: number, savepoint: SavepointAction | undefined): void {
    if (changed > this.#seen) this.#getCurrent().more += changed - this.#seen;
    if (savepoint) this.#apply(savepoint);
  }

  /** Forgets what a savepoint takes back. */
  #apply([operation, name]: SavepointAction): void {
    const key = String(name).toLowerCase();
    this.#sql = '';
    if (operation === 'BEGIN') this.#savepoints.push({ name: key, all: copy(this.#all) });
    const index = this.#savepoints.findLastIndex((each) => each.name === key);
    if (operation === 'RELEASE') this.#savepoints.length = index;
    if (operation !== 'ROLLBACK') return;
    this.#all = copy(this.#savepoints[index]?.all ?? []);
    this.#savepoints.length = index + 1;
    this.forgetColumns();
  }

  /** Forgets the columns of tables, which may change. */
  forgetColumns(): void {
    this.#tables.clear();
  }

  /** Records the change of a row, which SQLite is about to make. @param name the address of the name of its table */
  record(operation: number, name: WasmPointer): void {
    const current = this.#getCurrent();
    const hasRoom = current.statement !== null && this.#rows < MAX_ROWS;
    const row = hasRoom ? this.#readChange(operation, name) : '';
    if (hasRoom && this.#takesRoom(row.length)) {
      this.#rows++;
      this.#seen++;
      current.changes.push(row);
    } else {
      this.#isFull = true;
      this.#listen(false);
    }
  }

  #readChange(operation: number, name: WasmPointer): string {
    const { INSERT, DELETE, findOld, findNew } = this.#calls;
    const { begin, columns } = this.#used.get(name) ?? this.#find(name);
    const before = operation === INSERT ? 'null' : this.#read(findOld, columns);
    const after = operation === DELETE ? 'null' : this.#read(findNew, columns);
    return `${begin}${before},"after":${after}}`;
  }

  #find(pointer: WasmPointer): Table {
    const name = this.#sqlite.wasm.cstrToJs(pointer);
    const table = this.#tables.get(name) ?? {
      begin: `{"table":${JSON.stringify(name)},"before":`,
      columns: this.#listColumns(name),
    };
    this.#tables.set(name, table);
    this.#used.set(pointer, table);
    return table;
  }

  #getCurrent(): Recorded {
    if (this.#current) return this.#current;
    const statement = this.#sql.slice(0, MAX_STATEMENT);
    const rest = this.#all.find((each) => each.statement === null);
    const hasRoom = !rest && this.#takesRoom(JSON.stringify(statement).length + AROUND);
    this.#current = rest ?? { statement: hasRoom ? statement : null, changes: [], more: 0 };
    if (!rest) this.#all.push(this.#current);
    return this.#current;
  }

  #takesRoom(size: number): boolean {
    if (this.#size + size > MAX_SIZE) return false;
    this.#size += size;
    return true;
  }

  /** As SQLite's own sessions do within the hook. */
  #listColumns(table: string): (string | undefined)[] {
    const { capi, wasm } = this.#sqlite;
    const [sql, length] = wasm.allocCString(`PRAGMA table_xinfo(${quoteName(table)})`, true);
    const columns: (string | undefined)[] = [];
    capi.sqlite3_prepare_v3(this.#db, sql, length, 0, this.#result, 0);
    const statement = wasm.peekPtr(this.#result);
    while (wasm.exports.sqlite3_step(statement) === capi.SQLITE_ROW) {
      const isVirtual = wasm.exports.sqlite3_column_int64(statement, 6) === 2n;
      columns.push(isVirtual ? undefined : JSON.stringify(capi.sqlite3_column_text(statement, 1)));
    }
    capi.sqlite3_finalize(statement);
    wasm.dealloc(sql);
    return columns;
  }

  /** Reads the row before or after its change, as JSON. */
  #read(find: ReadRow, columns: Table['columns']): string {
    let fields = '';
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i];
      if (column === undefined || find(this.#db, i, this.#result) !== 0) continue;
      const value = this.#readValue(this.#engine.memory.readUInt32LE(this.#result));
      fields += `${fields === '' ? '' : ','}${column}:${value}`;
    }
    return `{${fields}}`;
  }

  /** Reads a value as JSON. */
  #readValue(value: WasmPointer): string {
    const { NULL, INTEGER, FLOAT, typeOf, toInteger, toDouble } = this.#calls;
    const type = typeOf(value);
    if (type === NULL) return 'null';
    if (type !== INTEGER && type !== FLOAT) return JSON.stringify(this.#readContent(value, type));
    const number = toDouble(value);
    if (type === INTEGER && !Number.isSafeInteger(number)) return JSON.stringify(toNumber(toInteger(value)));
    return Number.isFinite(number) ? `${number}` : 'null';
  }

  #readContent(value: WasmPointer, type: number): unknown {
    const { TEXT, countBytes, toBytes } = this.#calls;
    const isText = type === TEXT;
    // Before its content, since this makes UTF-8 of a text.
    const bytes = countBytes(value);
    const isLong = bytes > MAX_VALUE;
    if (isLong && !isText) return { bytes };
    const start = toBytes(value);
    const end = start + (isLong ? MAX_BEGINNING * MAX_CHARACTER : bytes);
    const content = this.#engine.memory.toString(isText ? 'utf8' : 'base64', start, end);
    if (!isText) return { base64: content };
    return isLong ? { text: Array.from(content).slice(0, MAX_BEGINNING).join(''), bytes } : content;
  }
}

const copy = (all: readonly Recorded[]): Recorded[] => all.map((each) => ({ ...each, changes: [...each.changes] }));
