import { BodyError } from '../lib/errors.js';

/** An error of a statement. Source: the client of the service, which reads `code` and `rawCode`. */
export class SqlError extends BodyError {
  readonly sqlCode: string;
  readonly reason: string;
  readonly rawCode: number | undefined;

  /**
   * @param code as in `SQLITE_CONSTRAINT`
   * @param reason what follows it in the message
   * @param rawCode the extended result code of SQLite
   */
  constructor(code: string, reason: string, rawCode?: number) {
    const message = `${code}: ${reason}`;
    super(400, message, { message, code, ...(rawCode !== undefined && { rawCode }) });
    this.sqlCode = code;
    this.reason = reason;
    this.rawCode = rawCode;
  }
}

/** @param time milliseconds that the statements had */
export const interrupted = (time: number): SqlError =>
  new SqlError('SQLITE_INTERRUPT', `interrupted: statements end after ${time / 1_000} s`, 9);

/** An error in the source of a database. */
export class DatabaseSourceError extends Error {
  /** Of the key and what is in it, such as `rows.todos[1]`; empty for the record. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
