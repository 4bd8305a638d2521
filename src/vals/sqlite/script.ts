import { joinPath } from '#engine/lib/messages.js';
import type { Instant } from '#engine/lib/time.js';
import type { WasmPointer } from './api.js';
import { Connection, type ConnectionOptions } from './connection.js';
import type { Deadline, Engine } from './engine.js';
import { DatabaseSourceError, SqlError } from './sql-error.js';
import type { Columns, SqlInput, SqlStatement } from './values.js';
import { findRowid, LARGEST_DATABASE, quoteName, quoteText } from './values.js';

/** What a database is made of: a file of SQLite, then texts of statements, then rows. */
export interface DatabaseSource {
  readonly file?: Uint8Array | undefined;
  /** The paths in the record by which errors name the texts, and the texts. */
  readonly texts?: readonly (readonly [path: string, sql: string])[];
  /** By table. A table that does not exist gets the keys of its rows as columns. */
  readonly rows?: Readonly<Record<string, readonly Readonly<Record<string, SqlInput>>[]>> | undefined;
}

/** A literal has twice the bytes of its blob. Rows come in the order of a dump, so that foreign keys are not enforced. */
export const OPTIONS: ConnectionOptions = {
  largestValue: 64 * 1_048_576,
  largestResponse: Number.POSITIVE_INFINITY,
  isServer: false,
};

/** Stands for bytes of a text that are not UTF-8, and for a real number whose digits SQLite reads as another one. */
const LOSSY = '\ufffd';

/** Work on a database, in steps between which other statements run. It yields lines of SQL, or nothing. */
export type Script<T> = Generator<string | undefined, T>;

/**
 * Makes a database.
 * @param startDeadline called for each statement
 * @throws DatabaseSourceError for a statement or a row, or for a file that is damaged or too large
 */
export function* build(
  engine: Engine,
  { file, texts = [], rows = {} }: DatabaseSource,
  now: Instant,
  startDeadline: () => Deadline,
): Script<{ readonly bytes: Uint8Array<ArrayBuffer> }> {
  let path = '';
  let where = () => '';
  let connection: Connection | undefined;
  try {
    if (file && file.length > LARGEST_DATABASE) throw new SqlError('SQLITE_FULL', 'a database has at most 10 MB');
    connection = new Connection(engine, file && withoutLog(file), OPTIONS);
    engine.start(now, startDeadline());
    if (file) check(connection);
    for (const [key, sql] of texts) {
      path = key;
      for (const offset of connection.script(sql)) {
        where = () => `line ${countLines(sql, offset)}${path === '' ? ' of the file or base64' : ''}: `;
        yield;
        engine.start(now, startDeadline());
      }
    }
    where = () => '';
    for (const [table, records] of Object.entries(rows)) {
      const parent = joinPath('rows', table);
      path = parent;
      const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].map(quoteName);
      engine.start(now, startDeadline());
      if (columns.length > 0)
        connection.run({ sql: `CREATE TABLE IF NOT EXISTS ${quoteName(table)} (${columns.join(', ')})` });
      connection.control('BEGIN');
      for (const [i, record] of records.entries()) {
        path = joinPath(parent, i);
        connection.run(toInsert(table, record));
        yield;
        engine.start(now, startDeadline());
      }
      connection.control('COMMIT');
    }
    return { bytes: connection.bytes.slice() };
  } catch (error) {
    throw error instanceof SqlError ? new DatabaseSourceError(path, `${where()}${error.message}.`) : error;
  } finally {
    connection?.close();
  }
}

/** Yields statements that make a database from its file. Returns whether it is equal: a copy of the file always is. */
export function* dump(engine: Engine, { file }: DatabaseSource): Script<{ readonly isExact: boolean }> {
  const connection = new Connection(engine, file, OPTIONS);
  try {
    for (const line of dumpLines(connection)) {
      if (line === undefined || line.includes(LOSSY)) return { isExact: false };
      // The text of a view has what follows it: a comment, or the break that ended it.
      yield `${line.trimEnd()}${/--[^\n]*$/.test(line.trimEnd()) ? '\n' : ''};`;
    }
    return { isExact: true };
  } finally {
    connection.close();
  }
}

/** Yields undefined for a virtual table. */
function* dumpLines(connection: Connection): Generator<string | undefined> {
  const schema = [...connection.rows('SELECT type, name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid')];
  if (schema.some(([, , sql]) => /^CREATE VIRTUAL/i.test(String(sql)))) return yield undefined;
  const tables = schema.filter(([type]) => type === 'table');
  const own = tables.filter(([, name]) => !String(name).startsWith('sqlite_'));
  const others = schema.filter(([type]) => type !== 'table');
  const has = (table: string) => tables.some(([, name]) => name === table);
  for (const name of ['user_version', 'application_id'])
    for (const [value] of connection.rows(`PRAGMA ${name}`)) if (value !== 0) yield `PRAGMA ${name} = ${value}`;
  for (const [, name, sql] of own) {
    yield String(sql);
    yield* dumpRows(String(name), connection);
  }
  const replaceRows = function* (table: string) {
    yield `DELETE FROM ${table}`;
    yield* dumpRows(table, connection);
  };
  if (has('sqlite_sequence') && own.some(([, , sql]) => /AUTOINCREMENT/i.test(String(sql))))
    yield* replaceRows('sqlite_sequence');
  for (const [, , sql] of others) yield String(sql);
  if (has('sqlite_stat1')) {
    yield 'ANALYZE sqlite_schema';
    yield* replaceRows('sqlite_stat1');
  }
}

/** Returns the number of the line of the statement that follows so many bytes. */
function countLines(sql: string, offset: number): number {
  const bytes = Buffer.from(sql);
  const space = /^\s*/.exec(bytes.toString('utf8', offset))?.[0] ?? '';
  return `${bytes.toString('utf8', 0, offset)}${space}`.split('\n').length;
}

/** Returns a file in the mode of SQLite without a write-ahead log, which a database in memory cannot have. */
function withoutLog(file: Uint8Array): Uint8Array {
  const copy = file.slice();
  // The versions of the format that writers and readers need. Source: sqlite.org/fileformat.
  if (copy[18] === 2) copy.fill(1, 18, 20);
  return copy;
}

/** @throws SqlError for a file that is damaged */
function check(connection: Connection): void {
  const [[result] = []] = connection.rows('PRAGMA quick_check(1)');
  if (result !== 'ok') throw new SqlError('SQLITE_CORRUPT', String(result));
}

function toInsert(table: string, record: Readonly<Record<string, SqlInput>>): SqlStatement {
  const columns = Object.keys(record);
  const values =
    columns.length === 0 ? 'DEFAULT VALUES' : `(${columns.map(quoteName)}) VALUES (${columns.map(() => '?')})`;
  return { sql: `INSERT INTO ${quoteName(table)} ${values}`, args: Object.values(record) };
}

/** Yields statements that insert the rows of a table, with their rowids. */
function* dumpRows(table: string, connection: Connection): Generator<string> {
  const select = (sql: string) => [...connection.rows(sql)];
  const name = quoteName(table);
  const info = select(`PRAGMA table_xinfo(${name})`);
  const columns = info.filter(([, , , , , , hidden]) => hidden === 0).map(([, column]) => String(column));
  const hasKey = info.some(([, , , , , key]) => key !== 0);
  // A key without an index is the rowid.
  const hasOwnRowid = hasKey && !select(`PRAGMA index_list(${name})`).some(([, , , origin]) => origin === 'pk');
  const [[, , , , isWithoutRowid] = []] = select(`PRAGMA table_list(${name})`);
  const rowid = findRowid(info.map(([, column]) => String(column)));
  const all = [...(hasOwnRowid || isWithoutRowid !== 0 || !rowid ? [] : [rowid]), ...columns.map(quoteName)];
  const fields = all.map(
    (column) =>
      `CASE typeof(${column}) WHEN 'blob' THEN CAST(quote(${column}) AS BLOB)
      WHEN 'real' THEN CAST(iif(CAST(quote(${column}) AS REAL) = ${column}, quote(${column}), '${LOSSY}') AS BLOB)
      ELSE ${column} END`,
  );
  const insert = `INSERT INTO ${name} (${all}) VALUES (`;
  for (const literals of connection.readRows(`SELECT ${fields} FROM ${name}`, readLiteral))
    yield `${insert}${literals})`;
}

/** Reads the literal of a value. Bytes are a literal themselves. */
function readLiteral(columns: Columns, statement: WasmPointer, column: number): string {
  const type = columns.typeOf(statement, column);
  if (type === columns.INTEGER) return String(columns.toInteger(statement, column));
  if (type === columns.NULL) return 'NULL';
  const start = columns.toBytes(statement, column);
  const text = columns.getMemory().toString('utf8', start, start + columns.countBytes(statement, column));
  if (type !== columns.TEXT) return text;
  // A text with a NUL would end there.
  if (text.includes('\0')) return `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`;
  return quoteText(text);
}
