import { markStack } from './place.js';
import {
  type BatchMode,
  type InArgs,
  type InStatement,
  sendBatch,
  sendExecute,
  toStatement,
  type WireResult,
} from './sqlite-requests.js';

export {
  type BatchMode,
  type InArgs,
  type InStatement,
  type InValue,
  LibsqlError,
  type WireResult as ResultSet,
  type WireValue as Value,
} from './sqlite-requests.js';

/** Runs a statement. Its rows are lists of values. @throws LibsqlError */
async function execute(statement: InStatement, args?: InArgs): Promise<WireResult> {
  return await sendExecute(markStack(execute), import.meta.url, toStatement(statement, args));
}

/** Runs statements in one transaction. @param mode default: write. @throws LibsqlError, and then nothing has changed */
async function batch(statements: readonly InStatement[], mode?: BatchMode): Promise<WireResult[]> {
  const all = statements.map((statement) => toStatement(statement));
  return await sendBatch(markStack(batch), import.meta.url, all, mode);
}

/** The SQLite database of the user: `std/sqlite` and `std/sqlite/global.ts`. */
export const sqlite = { execute, batch };
