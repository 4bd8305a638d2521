import type { Database, WasmPointer } from '@sqlite.org/sqlite-wasm';
import { type Sqlite, toMain } from './api.js';

/** Functions that look for the second argument at each position of the first one, with their parameters. */
const SEARCHES = [
  ['instr', 2],
  ['replace', 3],
  ['trim', 2],
  ['ltrim', 2],
  ['rtrim', 2],
] as const;
/** Bytes that a search compares, at most. */
const MAX_COMPARISONS = 200_000_000;

/** A function of SQL, in the table of functions of the engine. */
export interface SqlFunction {
  readonly name: string;
  readonly parameters: number;
  /** Whether its result depends on its arguments alone. */
  readonly isPure: boolean;
  readonly call: WasmPointer;
}

/**
 * Installs functions that refuse what would take long, since nothing interrupts a function of SQLite: its time grows with the
 * product of two lengths. Others are evaluated by a database without these functions.
 */
export const installSearches = (sqlite: Sqlite, db: Database): SqlFunction[] =>
  SEARCHES.map(([name, parameters]) => {
    const { capi, wasm } = sqlite;
    const { pointer: statement = 0 } = db.prepare(`SELECT ${name}(${Array(parameters).fill('?')})`);
    const search = (context: WasmPointer, count: number, list: WasmPointer) => {
      const values = Array.from({ length: count }, (_, i) => wasm.peekPtr(list + i * 4));
      const [length = 0, searched = 0] = values.map((value) => capi.sqlite3_value_bytes(value));
      if (length * searched > MAX_COMPARISONS) return capi.sqlite3_result_error_toobig(context);
      for (const [i, value] of values.entries()) copyArgument(sqlite, value, statement, i + 1);
      const code = capi.sqlite3_step(statement);
      if (code === capi.SQLITE_ROW) copyResult(sqlite, statement, context);
      else capi.sqlite3_result_error_code(context, code);
      capi.sqlite3_reset(statement);
    };
    return { name, parameters, isPure: true, call: wasm.installFunction('v(pip)', toMain(search)) };
  });

/** Installs functions that count the changes of the request, since its connection may have made others before. */
export const installCounters = ({ capi, wasm }: Sqlite, before: { readonly changesBefore: number }): SqlFunction[] =>
  ['changes', 'total_changes'].map((name) => {
    const report = (context: WasmPointer) => {
      const db = capi.sqlite3_context_db_handle(context);
      const total = capi.sqlite3_total_changes(db) - before.changesBefore;
      const count = name === 'changes' && total > 0 ? capi.sqlite3_changes(db) : total;
      capi.sqlite3_result_int(context, count);
    };
    return { name, parameters: 0, isPure: false, call: wasm.installFunction('v(pip)', toMain(report)) };
  });

/** Binds a value: as text unless it is a blob, as these functions read it. */
function copyArgument({ capi }: Sqlite, value: WasmPointer, statement: WasmPointer, index: number): void {
  const type = capi.sqlite3_value_type(value);
  if (type === capi.SQLITE_NULL) return void capi.sqlite3_bind_null(statement, index);
  const length = capi.sqlite3_value_bytes(value);
  // No address would be null. An empty value has none.
  const bytes = capi.sqlite3_value_blob(value) || statement;
  if (type === capi.SQLITE_BLOB) capi.sqlite3_bind_blob(statement, index, bytes, length, capi.SQLITE_TRANSIENT);
  else capi.sqlite3_bind_text(statement, index, bytes, length, capi.SQLITE_TRANSIENT);
}

function copyResult({ capi }: Sqlite, statement: WasmPointer, context: WasmPointer): void {
  const type = capi.sqlite3_column_type(statement, 0);
  if (type === capi.SQLITE_NULL) return void capi.sqlite3_result_null(context);
  if (type === capi.SQLITE_INTEGER)
    return void capi.sqlite3_result_int64(context, capi.sqlite3_column_int64(statement, 0));
  const bytes = capi.sqlite3_column_blob(statement, 0) || statement;
  const length = capi.sqlite3_column_bytes(statement, 0);
  if (type === capi.SQLITE_BLOB) capi.sqlite3_result_blob(context, bytes, length, capi.SQLITE_TRANSIENT);
  else capi.sqlite3_result_text(context, bytes, length, capi.SQLITE_TRANSIENT);
}
