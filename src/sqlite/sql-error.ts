import { BodyError } from '../lib/errors.js';

/** An error of a statement. Source: the client of the service, which reads `code` and `rawCode`. */
export class SqlError extends BodyError {
  readonly sqlCode: string;

  /**
   * @param code as in `SQLITE_CONSTRAINT`
   * @param reason what follows it in the message
   * @param rawCode the extended result code of SQLite
   */
  constructor(code: string, reason: string, rawCode?: number) {
    const message = `${code}: ${reason}`;
    super(400, message, { message, code, ...(rawCode !== undefined && { rawCode }) });
    this.sqlCode = code;
  }
}
