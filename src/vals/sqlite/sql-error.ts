import { EngineError } from '#engine/definition/service-errors.js';
import { RefusalError } from '#engine/lib/errors.js';
import { didYouMean } from '#engine/lib/messages.js';

const MAX_TABLES = 10;

export const NO_TABLE = /no such table: (?:main\.)?(.+?)(?: \(at offset \d+\))?$/;

function explainMissing(message: string, reason: string, tables: readonly string[]): RefusalError {
  const [, wanted = ''] = NO_TABLE.exec(reason) ?? [];
  const names = tables.slice(0, MAX_TABLES).join(', ') || 'no tables';
  const more = tables.length > MAX_TABLES ? ` and ${tables.length - MAX_TABLES} more` : '';
  const hint = didYouMean(wanted, tables).trim() || (tables.length === 0 ? 'CREATE TABLE first' : 'Use one of them');
  return new RefusalError(400, message, `the database has ${names}${more}`, hint);
}

/** An error of a statement. Source: the client of the service, which reads `code` and takes it off the message. */
export class SqlError extends EngineError {
  readonly sqlCode: string;
  readonly reason: string;
  /** Place of a syntax error in the statement, in bytes. */
  readonly offset: number | undefined;
  /** The tables that there are, for an error that one is missing. */
  readonly tables: readonly string[] | undefined;

  /**
   * @param code as in `SQLITE_CONSTRAINT`
   * @param reason what follows it in the message
   * @param offset of a syntax error, in bytes
   * @param tables of the database, for an error that a table is missing
   */
  constructor(code: string, reason: string, offset?: number, tables?: readonly string[]) {
    const message = `${code}: ${reason}`;
    super(400, message, { message, code });
    this.sqlCode = code;
    this.reason = reason;
    this.offset = offset;
    this.tables = tables;
    if (tables) this.cause = explainMissing(message, reason, tables);
  }
}

/** Errors of SQLite's parser. The parser of the server refuses such a text first. */
const OF_PARSER = /: syntax error$|^unrecognized token: |^incomplete input$/;

/**
 * Makes the error of libSQL's server for an error of SQLite. Source: tursodatabase/libsql, hrana/stmt.rs, and what users recorded
 * since 2025: `SQLite input error`, before `SQL input error`.
 * @param offset of the error in the text of the statement, in bytes; negative if it is unknown, undefined once the statement runs
 */
export function toServerError(code: string, reason: string, offset?: number): SqlError {
  if (code !== 'SQLITE_ERROR') return new SqlError(code, `SQLite error: ${reason}`);
  if (offset === undefined) return new SqlError('SQLITE_UNKNOWN', `SQLite error: ${reason}`);
  if (OF_PARSER.test(reason))
    return new SqlError(
      'SQL_PARSE_ERROR',
      `SQL string could not be parsed: ${reason}`,
      offset < 0 ? undefined : offset,
    );
  if (offset < 0) return toServerError(code, reason);
  return new SqlError('SQL_INPUT_ERROR', `SQLite input error: ${reason} (at offset ${offset})`);
}

/** @param time milliseconds that the statements had */
export const interrupted = (time: number): SqlError =>
  new SqlError('SQLITE_INTERRUPT', `interrupted: statements end after ${time / 1_000} s`);

export class DatabaseSourceError extends Error {
  /** Of the key and what is in it, such as `rows.todos[1]`; empty for the record. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
