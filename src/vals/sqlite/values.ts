import type { Sqlite, WasmPointer } from './api.js';
import { SqlError } from './sql-error.js';

/** Bytes of a database. Source: chosen; the service gives 1 GB to accounts of the tier pro. */
export const LARGEST_DATABASE = 10 * 1_048_576;

/** A value of an argument: a list has the bytes of a blob. */
export type SqlInput = null | string | number | boolean | readonly number[];
/** An integer of 64 bits, as hrana has it. */
export interface SqlInteger {
  readonly type: 'integer';
  readonly value: string;
}
type SqlArgument = SqlInput | SqlInteger;
/** Arguments in order, or by name. */
export type SqlArguments = readonly SqlArgument[] | { readonly [name: string]: SqlArgument };
/** A value of a row: an integer beyond 2^53 is a string. */
export type SqlOutput = null | string | number | Uint8Array;

export interface SqlStatement {
  readonly sql: string;
  readonly args?: SqlArguments | undefined;
}

const isInteger64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;
const isSqlInteger = (value: SqlArgument): value is SqlInteger =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isByte = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

/** Source: the messages of the database server of the service. */
const argsInvalid = (reason: string) =>
  new SqlError('ARGS_INVALID', `Arguments do not match SQL parameters: ${reason}`);

/**
 * Binds the arguments of a statement.
 * @param withFloats whether numbers are floats, as those that libSQL's clients send over HTTP
 * @throws SqlError when they are more or fewer than its parameters
 */
export function bindArguments(
  sqlite: Sqlite,
  statement: WasmPointer,
  args: SqlArguments = [],
  withFloats = false,
): void {
  const { capi } = sqlite;
  const isList = Array.isArray(args);
  const entries = Object.entries<SqlArgument>({ ...args });
  const values = new Map(entries.map(([key, value]) => [isList ? String(+key + 1) : key.replace(/^[:@$]/, ''), value]));
  const count = capi.sqlite3_bind_parameter_count(statement);
  const unused = new Set(values.keys());
  for (let index = 1; index <= count; index++) {
    const name = capi.sqlite3_bind_parameter_name(statement, index);
    const key = name === null || (isList && !name.startsWith('?')) ? String(index) : name.slice(1);
    const value = values.get(key);
    if (value === undefined) throw argsInvalid(`value for parameter ${name ?? index} not found`);
    if (Array.isArray(value) && !value.every(isByte))
      throw argsInvalid(`value for parameter ${name ?? index} has elements other than integers from 0 to 255`);
    if (isSqlInteger(value) && !isInteger64(BigInt(value.value)))
      throw argsInvalid(`value for parameter ${name ?? index} is beyond the integers of 64 bits`);
    unused.delete(key);
    const code = bindValue(sqlite, statement, index, value, withFloats);
    if (code !== 0) throw new SqlError(capi.sqlite3_js_rc_str(code), `the value of ${name ?? index} is too large`);
  }
  if (unused.size > 0) throw argsInvalid(`too many parameters, expected ${count} found ${entries.length}`);
}

function bindValue(
  { capi, wasm }: Sqlite,
  statement: WasmPointer,
  index: number,
  value: SqlArgument,
  withFloats: boolean,
): number {
  // Parameters begin as null.
  if (value === null) return 0;
  if (isSqlInteger(value)) return capi.sqlite3_bind_int64(statement, index, BigInt(value.value));
  if (typeof value === 'string' || typeof value === 'object') {
    const bytes = typeof value === 'string' ? Buffer.from(value) : Uint8Array.from(value);
    return wasm.scopedAllocCall(() => {
      const start = wasm.scopedAlloc(bytes.length + 1);
      wasm.heap8u().set(bytes, start);
      const bind = typeof value === 'string' ? capi.sqlite3_bind_text : capi.sqlite3_bind_blob;
      return bind(statement, index, start, bytes.length, capi.SQLITE_TRANSIENT);
    });
  }
  const isInteger = typeof value === 'boolean' || (Number.isSafeInteger(value) && !withFloats);
  if (isInteger) return capi.sqlite3_bind_int64(statement, index, BigInt(value));
  return capi.sqlite3_bind_double(statement, index, value);
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Finds a name of the rowid that none of all columns of a table hides. */
export function findRowid(columns: readonly string[]): string | undefined {
  const taken = new Set(columns.map((column) => column.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((each) => !taken.has(each));
}

/** Returns an integer as a number if that is exact, else as a string. */
export const toNumber = (integer: bigint): number | string =>
  Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);

/**
 * What reads the columns of the current row: a property of the large objects that have it takes long to find.
 * @param getMemory returns the memory of the engine
 */
export const pickColumns = ({ capi, wasm: { exports } }: Sqlite, getMemory: () => Buffer) => ({
  NULL: capi.SQLITE_NULL,
  INTEGER: capi.SQLITE_INTEGER,
  FLOAT: capi.SQLITE_FLOAT,
  TEXT: capi.SQLITE_TEXT,
  BLOB: capi.SQLITE_BLOB,
  typeOf: exports.sqlite3_column_type,
  toInteger: exports.sqlite3_column_int64,
  toDouble: exports.sqlite3_column_double,
  toBytes: exports.sqlite3_column_blob,
  countBytes: exports.sqlite3_column_bytes,
  getMemory,
});
export interface Columns extends ReturnType<typeof pickColumns> {}

/**
 * Reads a value of the current row.
 * @param reserve called with the bytes that its JSON has at least, before a text or a blob is copied
 */
export function readValue(
  { INTEGER, FLOAT, TEXT, BLOB, typeOf, toInteger, toDouble, toBytes, countBytes, getMemory }: Columns,
  statement: WasmPointer,
  column: number,
  reserve?: (bytes: number) => void,
): SqlOutput {
  const type = typeOf(statement, column);
  switch (type) {
    case INTEGER:
      return toNumber(toInteger(statement, column));
    case FLOAT: {
      const number = toDouble(statement, column);
      // JSON has no infinity.
      return Number.isFinite(number) ? number : null;
    }
    case TEXT:
    case BLOB: {
      // Not as a C string, which would end at a NUL.
      const start = toBytes(statement, column);
      const length = countBytes(statement, column);
      reserve?.(type === TEXT ? length : 2 * length);
      const memory = getMemory();
      if (type === TEXT) return memory.toString('utf8', start, start + length);
      return Uint8Array.from(memory.subarray(start, start + length));
    }
    default:
      return null;
  }
}

/** Writes a value as JSON: a blob as a list of its bytes. */
const toJson = (value: SqlOutput): string =>
  value instanceof Uint8Array ? `[${value.join()}]` : JSON.stringify(value);

/** The JSON of a response, whose bytes are counted before it is built. */
export class ResponseText {
  #text = '';
  #bytes = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws SqlError when so many bytes more have no room */
  readonly reserve = (bytes: number): void => {
    if (this.#bytes + bytes > this.#limit)
      throw new SqlError('SQLITE_TOOBIG', `the response has more than ${this.#limit / 1_048_576} MB`);
  };

  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.reserve(bytes);
    this.#bytes += bytes;
    this.#text += text;
  }

  /** Adds a list, whose values are read one by one. */
  addList(length: number, read: (index: number) => SqlOutput): void {
    this.add('[');
    for (let i = 0; i < length; i++) this.add(`${i === 0 ? '' : ','}${toJson(read(i))}`);
    this.add(']');
  }

  /** Returns the text since the last call. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
