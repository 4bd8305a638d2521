import sqlite3InitModule, { type Sqlite3Static, type WasmPointer } from '@sqlite.org/sqlite-wasm';

/** The package, with what its types lack. */
export type Sqlite = Sqlite3Static & {
  readonly capi: {
    sqlite3_bind_parameter_name(statement: WasmPointer, index: number): string | null;
    sqlite3_column_decltype(statement: WasmPointer, column: number): string | null;
    sqlite3_get_autocommit(db: WasmPointer): number;
  };
};

let loading: Promise<Sqlite> | undefined;

/** Whether the package has the functions that its types lack. */
const isWhole = (sqlite: Sqlite3Static): sqlite is Sqlite => 'sqlite3_column_decltype' in sqlite.capi;

async function load(): Promise<Sqlite> {
  const sqlite = await sqlite3InitModule({ print: () => {}, printErr: () => {} });
  if (!isWhole(sqlite)) throw new Error('@sqlite.org/sqlite-wasm is of another version');
  // It prints each error of a statement.
  sqlite.config.warn = () => {};
  return sqlite;
}

/** Loads the engine as its package documents it: an instance apart from any emulator's. */
export const loadSqlite = (): Promise<Sqlite> => {
  loading ??= load();
  return loading;
};

/** Makes a file of SQLite. */
export async function makeFile(...statements: string[]): Promise<Buffer> {
  const { oo1, capi } = await loadSqlite();
  const db = new oo1.DB(':memory:');
  db.exec(statements.join(';'));
  const bytes = Buffer.from(capi.sqlite3_js_db_export(db));
  db.close();
  return bytes;
}
