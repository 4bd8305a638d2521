import { joinPath } from '../lib/messages.js';
import type { Instant } from '../lib/time.js';
import { LARGEST_DATABASE } from '../model/user-data.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { Engine } from './engine.js';
import { SqlError } from './sql-error.js';
import type { SqlInput, SqlOutput, SqlStatement } from './values.js';

/** What a database is made of: a file of SQLite, then texts of statements, then rows. */
export interface DatabaseSource {
  readonly file?: Uint8Array | undefined;
  /** The paths in the record by which errors name the texts, and the texts. */
  readonly texts?: readonly (readonly [path: string, sql: string])[];
  /** By table. A table that does not exist gets the keys of its rows as columns. */
  readonly rows?: Readonly<Record<string, readonly Readonly<Record<string, SqlInput>>[]>> | undefined;
}

/** Milliseconds in which a database is written as SQL, and of one statement that makes it. Source: chosen. */
const MAX_TIME = { dump: 60_000, statement: 10_000 };
/** A literal has twice the bytes of its blob. Rows come in the order of a dump, so that foreign keys are not enforced. */
const OPTIONS: ConnectionOptions = {
  largestValue: 64 * 1_048_576,
  largestRows: Number.POSITIVE_INFINITY,
  foreignKeys: false,
};

/** Stands for bytes of a text that are not UTF-8, and for a real number whose digits SQLite reads as another one. */
const LOSSY = '\ufffd';

/** An error in the source of a database. */
export class DatabaseSourceError extends Error {
  /** Of the key and what is in it, such as `rows.todos[1]`; empty for the record. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** Makes databases from SQL, and the other way round. The engine is loaded when one is needed. */
export class SqlScripts {
  #engine: Engine | undefined;
  readonly #built = new WeakMap<object, Uint8Array>();

  /**
   * Makes a database, once for each key.
   * @throws DatabaseSourceError for a statement or a row, or for a file that is damaged or too large
   */
  build(key: object, source: DatabaseSource, now: Instant): Uint8Array {
    const bytes = this.#built.get(key) ?? this.#build(source, now);
    this.#built.set(key, bytes);
    return bytes;
  }

  /** Lets go of the engine, but not of the databases. */
  close(): void {
    this.#engine = undefined;
  }

  #build({ file, texts = [], rows = {} }: DatabaseSource, now: Instant): Uint8Array {
    let path = '';
    let where = () => '';
    try {
      if (file && file.length > LARGEST_DATABASE) throw new SqlError('SQLITE_FULL', 'a database has at most 10 MB');
      return this.#open(file && withoutLog(file), now, (connection) => {
        if (file) check(connection);
        for (const [key, sql] of texts) {
          path = key;
          connection.script(sql, (offset) => {
            this.#engine?.start(now, MAX_TIME.statement);
            where = () => `line ${countLines(sql, offset)}${path === '' ? ' of the file or base64' : ''}: `;
          });
        }
        where = () => '';
        for (const [table, records] of Object.entries(rows)) {
          const parent = joinPath('rows', table);
          path = parent;
          const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].map(quoteName);
          if (columns.length > 0)
            connection.script(`CREATE TABLE IF NOT EXISTS ${quoteName(table)} (${columns.join(', ')})`);
          const inserts = toInserts(table, records, (i) => {
            this.#engine?.start(now, MAX_TIME.statement);
            path = joinPath(parent, i);
          });
          connection.write(inserts);
        }
        return connection.bytes.slice();
      });
    } catch (error) {
      throw error instanceof SqlError ? new DatabaseSourceError(path, `${where()}${error.message}.`) : error;
    }
  }

  /** Returns statements that make an equal database. Undefined for one that only a copy of its file equals. */
  dump(bytes: Uint8Array): string[] | undefined {
    return this.#open(bytes, 0, (connection) => {
      const select = (sql: string): SqlOutput[][] => connection.read([{ sql }])?.flatMap(({ rows }) => rows) ?? [];
      const schema = select('SELECT type, name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid');
      if (schema.some(([, , sql]) => /^CREATE VIRTUAL/i.test(String(sql)))) return undefined;
      const tables = schema.filter(([type]) => type === 'table');
      const own = tables.filter(([, name]) => !String(name).startsWith('sqlite_'));
      const others = schema.filter(([type]) => type !== 'table');
      const has = (table: string) => tables.some(([, name]) => name === table);
      const replaceRows = (table: string) => [`DELETE FROM ${table}`, ...dumpRows(table, select)];
      const isCounted = has('sqlite_sequence') && own.some(([, , sql]) => /AUTOINCREMENT/i.test(String(sql)));
      const lines = [
        ...['user_version', 'application_id'].flatMap((name) =>
          select(`PRAGMA ${name}`).flatMap(([value]) => (value === 0 ? [] : `PRAGMA ${name} = ${value}`)),
        ),
        ...own.flatMap(([, name, sql]) => [String(sql), ...dumpRows(String(name), select)]),
        ...(isCounted ? replaceRows('sqlite_sequence') : []),
        ...others.map(([, , sql]) => String(sql)),
        ...(has('sqlite_stat1') ? ['ANALYZE sqlite_schema', ...replaceRows('sqlite_stat1')] : []),
      ];
      if (lines.some((line) => line.includes(LOSSY))) return undefined;
      // The text of a view has what follows it: a comment, or the break that ended it.
      return lines.map((line) => `${line.trimEnd()}${/--[^\n]*$/.test(line.trimEnd()) ? '\n' : ''};`);
    });
  }

  #open<T>(bytes: Uint8Array | undefined, now: Instant, use: (connection: Connection) => T): T {
    this.#engine ??= new Engine();
    this.#engine.start(now, MAX_TIME.dump);
    const connection = new Connection(this.#engine, bytes, OPTIONS);
    try {
      return use(connection);
    } finally {
      connection.close();
    }
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
  const [result] = connection.read([{ sql: 'PRAGMA quick_check(1)' }]) ?? [];
  if (result?.rows[0]?.[0] !== 'ok') throw new SqlError('SQLITE_CORRUPT', String(result?.rows[0]?.[0]));
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** @param begin called with the index of each record before its statement runs */
function* toInserts(
  table: string,
  records: readonly Readonly<Record<string, SqlInput>>[],
  begin: (index: number) => void,
): Generator<SqlStatement> {
  for (const [index, record] of records.entries()) {
    begin(index);
    const columns = Object.keys(record);
    const values =
      columns.length === 0 ? 'DEFAULT VALUES' : `(${columns.map(quoteName)}) VALUES (${columns.map(() => '?')})`;
    yield { sql: `INSERT INTO ${quoteName(table)} ${values}`, args: Object.values(record) };
  }
}

/** Returns statements that insert the rows of a table, with their rowids. */
function dumpRows(table: string, select: (sql: string) => SqlOutput[][]): string[] {
  const name = quoteName(table);
  const info = select(`PRAGMA table_xinfo(${name})`);
  const columns = info.filter(([, , , , , , hidden]) => hidden === 0).map(([, column]) => String(column));
  const hasKey = info.some(([, , , , , key]) => key !== 0);
  // A key without an index is the rowid.
  const hasOwnRowid = hasKey && !select(`PRAGMA index_list(${name})`).some(([, , , origin]) => origin === 'pk');
  const [[, , , , isWithoutRowid] = []] = select(`PRAGMA table_list(${name})`);
  const taken = new Set(info.map(([, column]) => String(column).toLowerCase()));
  const rowid = ['rowid', '_rowid_', 'oid'].find((each) => !taken.has(each));
  const all = [...(hasOwnRowid || isWithoutRowid !== 0 || !rowid ? [] : [rowid]), ...columns.map(quoteName)];
  const fields = all.flatMap((column) => [
    `typeof(${column})`,
    `CASE typeof(${column}) WHEN 'text' THEN ${column}
      WHEN 'real' THEN iif(CAST(quote(${column}) AS REAL) = ${column}, quote(${column}), '${LOSSY}')
      ELSE quote(${column}) END`,
  ]);
  return select(`SELECT ${fields} FROM ${name}`).map((row) => {
    const literals = all.map((_, i) => toLiteral(row[i * 2], row[i * 2 + 1]));
    return `INSERT INTO ${name} (${all}) VALUES (${literals})`;
  });
}

/** A text with a NUL would end there. */
function toLiteral(type: SqlOutput | undefined, value: SqlOutput | undefined): string {
  const text = String(value);
  if (type !== 'text') return text;
  if (text.includes('\0')) return `CAST(x'${Buffer.from(text).toString('hex')}' AS TEXT)`;
  return `'${text.replaceAll("'", "''")}'`;
}
