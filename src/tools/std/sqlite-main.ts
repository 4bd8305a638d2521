import { markStack } from './place.js';
import {
  type BatchMode,
  type InArgs,
  type InStatement,
  sendBatch,
  sendExecute,
  toStatement,
  type WireResult,
  type WireValue,
} from './sqlite-requests.js';

export { type BatchMode, type InArgs, type InStatement, type InValue, LibsqlError } from './sqlite-requests.js';

export type Value = null | string | number | ArrayBuffer;

/** A row, whose values have the names of its columns and their positions. */
export interface Row {
  readonly length: number;
  readonly [index: number]: Value;
  readonly [name: string]: Value;
}

export interface ResultSet {
  readonly columns: string[];
  readonly columnTypes: string[];
  readonly rows: Row[];
  readonly rowsAffected: number;
  /** Undefined unless the statement is an INSERT. */
  readonly lastInsertRowid: bigint | undefined;
  toJSON(): unknown;
}

const toValue = (value: WireValue): Value => (Array.isArray(value) ? new Uint8Array(value).buffer : value);

/** Makes a row. The first column of a name has it; JSON has the names, as that of the client of libSQL. */
function toRow(columns: readonly string[], values: readonly WireValue[]): Row {
  const row: Row = { length: 0 };
  // Hidden, so that a row is printed and compared by its names.
  Object.defineProperty(row, 'length', { value: values.length, enumerable: false });
  for (const [index, value] of values.entries()) {
    Object.defineProperty(row, index, { value: toValue(value), enumerable: false });
    const name = columns[index];
    if (name === undefined || Object.hasOwn(row, name)) continue;
    Object.defineProperty(row, name, { value: toValue(value), enumerable: true, configurable: true, writable: true });
  }
  return row;
}

function toResult({ columns, columnTypes, rows, rowsAffected, lastInsertRowid }: WireResult): ResultSet {
  return {
    columns,
    columnTypes,
    rows: rows.map((values) => toRow(columns, values)),
    rowsAffected,
    lastInsertRowid: lastInsertRowid === null ? undefined : BigInt(lastInsertRowid),
    toJSON: () => ({ columns, columnTypes, rows, rowsAffected, lastInsertRowid: lastInsertRowid?.toString() ?? null }),
  };
}

/** Runs a statement. Its rows have values by name and by position. @throws LibsqlError */
async function execute(statement: InStatement, args?: InArgs): Promise<ResultSet> {
  return toResult(await sendExecute(markStack(execute), import.meta.url, toStatement(statement, args)));
}

/** Runs statements in one transaction. @param mode default: deferred. @throws LibsqlError, and then nothing has changed */
async function batch(
  statements: readonly (InStatement | readonly [sql: string, args?: InArgs])[],
  mode: BatchMode = 'deferred',
): Promise<ResultSet[]> {
  const isPair = (given: (typeof statements)[number]): given is readonly [string, InArgs?] => Array.isArray(given);
  const all = statements.map((given) => (isPair(given) ? toStatement(...given) : toStatement(given)));
  return (await sendBatch(markStack(batch), import.meta.url, all, mode)).map(toResult);
}

/** What needs a connection, which the API of the service does not have. */
const refuse = (method: string) => (): Promise<never> =>
  Promise.reject(new Error(`std/sqlite: ${method}() is not emulated. Send the statements by batch(), a transaction.`));

/** The SQLite database in the interface of the client of libSQL: `std/sqlite/main.ts`. */
export const sqlite = {
  execute,
  batch,
  transaction: refuse('transaction'),
  executeMultiple: refuse('executeMultiple'),
  migrate: refuse('migrate'),
  /** There is nothing to close. */
  close(): void {},
  closed: false,
  protocol: 'http',
};
export default sqlite;
