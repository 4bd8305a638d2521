import sqlite3InitModule, { type Database, type Sqlite3Static } from '@sqlite.org/sqlite-wasm';

let loading: Promise<Sqlite3Static> | undefined;

/** Loads the engine as its package documents it: another instance than that of any emulator. */
export const loadSqlite = (): Promise<Sqlite3Static> => {
  loading ??= sqlite3InitModule({ print: () => {}, printErr: () => {} });
  return loading;
};

/** Opens a database in memory. */
export const openAlone = async (): Promise<Database> => new (await loadSqlite()).oo1.DB(':memory:');

/** Makes a file of SQLite. */
export async function makeFile(...statements: string[]): Promise<Buffer> {
  const db = await openAlone();
  db.exec(statements.join(';'));
  const bytes = Buffer.from((await loadSqlite()).capi.sqlite3_js_db_export(db));
  db.close();
  return bytes;
}
