import { call, readJson, readProblem, startStack } from './place.js';

/** A value that a statement takes. */
export type InValue = null | string | number | boolean | bigint | Date | Uint8Array | ArrayBuffer | readonly number[];
export type InArgs = readonly InValue[] | Readonly<Record<string, InValue>>;
export type InStatement = string | { readonly sql: string; readonly args?: InArgs | undefined };
/** `read` refuses statements that write. */
export type BatchMode = 'write' | 'read' | 'deferred';

/** An argument as the API takes it. */
type WireArgument =
  | null
  | string
  | number
  | boolean
  | readonly number[]
  | { readonly type: 'integer'; readonly value: string };
export type WireArguments = readonly WireArgument[] | Readonly<Record<string, WireArgument>>;

/** A value of a row as JSON has it: the bytes of a blob are a list. */
export type WireValue = null | string | number | number[];

/** A result as the API has it. */
export interface WireResult {
  readonly columns: string[];
  readonly columnTypes: string[];
  readonly rows: WireValue[][];
  readonly rowsAffected: number;
  readonly lastInsertRowid: string | number | null;
}

/** A statement failed. */
export class LibsqlError extends Error {
  override name = 'LibsqlError';
  /** As in `SQLITE_CONSTRAINT`. */
  readonly code: string;
  readonly rawCode: number | undefined;

  /** @param message without the code, with which it begins then */
  constructor(message: string, code: string, rawCode?: number, cause?: Error) {
    super(message.startsWith(`${code}: `) ? message : `${code}: ${message}`, { cause });
    this.code = code;
    this.rawCode = rawCode;
  }
}

/** JSON does not tell integers from floats, so an integer is as in hrana, the protocol of libSQL. */
function toInteger(value: bigint): WireArgument {
  if (BigInt.asIntN(64, value) === value) return { type: 'integer', value: String(value) };
  throw new RangeError(`std/sqlite: found the argument ${value}n; expected an integer of 64 bits.`);
}

function toValue(value: InValue | WireArgument): WireArgument {
  if (typeof value === 'bigint') return toInteger(value);
  if (value instanceof Date) return value.valueOf();
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (value instanceof Uint8Array) return [...value];
  const type = typeof value;
  if (value !== null && ['undefined', 'function', 'symbol'].includes(type)) {
    throw new TypeError(`std/sqlite: found an argument of the type ${type}; expected null, a text, a number or bytes.`);
  }
  return value;
}

const isList = <T>(args: readonly T[] | Readonly<Record<string, T>>): args is readonly T[] => Array.isArray(args);

/** Writes arguments as the API takes them. @throws TypeError for a value that SQLite has not */
export function toArguments(given: InArgs | WireArguments): WireArguments {
  const args: readonly (InValue | WireArgument)[] | Readonly<Record<string, InValue | WireArgument>> = given;
  return isList(args)
    ? args.map(toValue)
    : Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toValue(value)]));
}

/** Writes a statement as the API takes it. @throws TypeError for a value that SQLite has not */
export const toStatement = (statement: InStatement, args?: InArgs): unknown =>
  typeof statement === 'string'
    ? args === undefined
      ? statement
      : { sql: statement, args: toArguments(args) }
    : { sql: statement.sql, args: toArguments(statement.args ?? []) };

/** Sends statements. @throws LibsqlError for a wrong one */
async function send<T>(mark: Pick<Error, 'stack'>, address: string, target: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await call('std/sqlite', address, target, init);
  if (response.ok) return await readJson(response);
  const { message, code } = await readProblem(response);
  const error = code?.startsWith('SQL') ? new LibsqlError(message, code) : new Error(`std/sqlite: ${message}`);
  throw startStack(error, mark);
}

/** Runs a statement of a module. @param mark the stack of the call. @param address of the module */
export const sendExecute = (mark: Pick<Error, 'stack'>, address: string, statement: unknown): Promise<WireResult> =>
  send(mark, address, '/v1/sqlite/execute', { statement });

/** Runs statements of a module in one transaction. @param mode default: write */
export const sendBatch = (
  mark: Pick<Error, 'stack'>,
  address: string,
  statements: readonly unknown[],
  mode: BatchMode | undefined,
): Promise<WireResult[]> => send(mark, address, '/v1/sqlite/batch', { statements, mode });
