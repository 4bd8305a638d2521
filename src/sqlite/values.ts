import type { WasmPointer } from '@sqlite.org/sqlite-wasm';
import type { Sqlite } from './api.js';
import { SqlError } from './sql-error.js';

/** A value of an argument: a list has the bytes of a blob. */
export type SqlInput = null | string | number | boolean | readonly number[];
/** Arguments in order, or by name. */
export type SqlArguments = readonly SqlInput[] | { readonly [name: string]: SqlInput };
/** A value of a row: an integer beyond 2^53 is a string, and a blob is a list of its bytes. */
export type SqlOutput = null | string | number | number[];

export interface SqlStatement {
  readonly sql: string;
  readonly args?: SqlArguments | undefined;
}

/** What a statement returned. */
export interface ResultSet {
  readonly columns: string[];
  /** The declared types; empty for an expression. */
  readonly columnTypes: string[];
  readonly rows: SqlOutput[][];
  readonly rowsAffected: number;
  /** Null for a statement that inserted nothing. */
  readonly lastInsertRowid: number | string | null;
}

const isByte = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

/** Source: the messages of the database server of the service. */
const argsInvalid = (reason: string) =>
  new SqlError('ARGS_INVALID', `Arguments do not match SQL parameters: ${reason}`);

/** Binds the arguments of a statement. @throws SqlError when they are more or fewer than its parameters */
export function bindArguments(sqlite: Sqlite, statement: WasmPointer, args: SqlArguments = []): void {
  const { capi } = sqlite;
  const isList = Array.isArray(args);
  const entries = Object.entries<SqlInput>({ ...args });
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
    unused.delete(key);
    const code = bindValue(sqlite, statement, index, value);
    if (code !== 0)
      throw new SqlError(capi.sqlite3_js_rc_str(code), `the value of ${name ?? index} is too large`, code);
  }
  if (unused.size > 0) throw argsInvalid(`too many parameters, expected ${count} found ${entries.length}`);
}

function bindValue({ capi, wasm }: Sqlite, statement: WasmPointer, index: number, value: SqlInput): number {
  // Parameters begin as null.
  if (value === null) return 0;
  if (typeof value === 'string' || typeof value === 'object') {
    const bytes = typeof value === 'string' ? Buffer.from(value) : Uint8Array.from(value);
    return wasm.scopedAllocCall(() => {
      const start = wasm.scopedAlloc(bytes.length + 1);
      wasm.heap8u().set(bytes, start);
      const bind = typeof value === 'string' ? capi.sqlite3_bind_text : capi.sqlite3_bind_blob;
      return bind(statement, index, start, bytes.length, capi.SQLITE_TRANSIENT);
    });
  }
  const number = Number(value);
  if (Number.isSafeInteger(number)) return capi.sqlite3_bind_int64(statement, index, BigInt(number));
  return capi.sqlite3_bind_double(statement, index, number);
}

/** Returns an integer as a number if that is exact, else as a string. */
export const toNumber = (integer: bigint): number | string =>
  Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);

/** Reads a value of the current row. */
export function readValue({ capi, wasm }: Sqlite, statement: WasmPointer, column: number): SqlOutput {
  const type = capi.sqlite3_column_type(statement, column);
  switch (type) {
    case capi.SQLITE_INTEGER:
      return toNumber(capi.sqlite3_column_int64(statement, column));
    case capi.SQLITE_FLOAT: {
      const number = capi.sqlite3_column_double(statement, column);
      // JSON has no infinity.
      return Number.isFinite(number) ? number : null;
    }
    case capi.SQLITE_TEXT:
    case capi.SQLITE_BLOB: {
      // Not as a C string, which would end at a NUL.
      const start = capi.sqlite3_column_blob(statement, column);
      const bytes = wasm.heap8u().subarray(start, start + capi.sqlite3_column_bytes(statement, column));
      return type === capi.SQLITE_TEXT ? Buffer.from(bytes).toString() : [...bytes];
    }
    default:
      return null;
  }
}

/** Returns about how many bytes a value has in a response. */
export const measure = (value: SqlOutput): number =>
  typeof value === 'string' ? value.length : Array.isArray(value) ? value.length * 4 : 8;
