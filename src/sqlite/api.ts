import type { Sqlite3Static, WasmPointer } from '@sqlite.org/sqlite-wasm';

/** The package, with what its types lack. */
export type Sqlite = Sqlite3Static & {
  readonly capi: {
    sqlite3_bind_parameter_name(statement: WasmPointer, index: number): string | null;
    sqlite3_column_decltype(statement: WasmPointer, column: number): string | null;
    sqlite3_db_readonly(db: WasmPointer, schema: string): number;
    sqlite3_get_autocommit(db: WasmPointer): number;
    sqlite3_create_function_v2(
      db: WasmPointer,
      name: string,
      parameters: number,
      flags: number,
      ...functions: [data: 0, call: WasmPointer, step: 0, final: 0, destroy: 0]
    ): number;
  };
};
