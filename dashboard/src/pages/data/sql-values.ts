import { ControlError, control, findSent, parseBody, send, sendToApi } from '../../lib/api.js';
import { pathOf } from '../../lib/location.js';
import type { EmulatorUser, Row, TableRows } from '../../lib/types.js';

export type SqlRow = TableRows['rows'][number];
export type SqlValue = SqlRow[number];

/** What a grid shows: a table, or a statement that reads, of a state of the history. */
export interface Source {
  readonly table?: string | undefined;
  readonly sql?: string | undefined;
  readonly at: string | undefined;
  /** Whether the rows of a table are read with their keys. */
  readonly keys?: boolean;
}

/** Rows that one request reads at most. Source: the control API. */
const MAX_ROWS = 1_000;

export const readRows = async (id: string, source: Source, offset = 0, limit = MAX_ROWS): Promise<TableRows> =>
  await send('POST', pathOf('sqlite', id, 'rows'), { ...source, offset, limit });

/** Rows of a view that are exported at most: it may have no end. */
const MAX_EXPORTED = 100_000;

type Exported = Pick<TableRows, 'columns' | 'rows'>;

/** Reads all rows, or the first ones of a view that has more. */
export async function readAll(id: string, source: Source): Promise<Exported & { readonly isCut: boolean }> {
  const { columns, total, rows } = await readRows(id, source);
  const all = [...rows];
  let isMore = rows.length === MAX_ROWS;
  while (isMore && all.length < (total ?? MAX_EXPORTED)) {
    const next = await readRows(id, source, all.length);
    all.push(...next.rows);
    isMore = next.rows.length === MAX_ROWS;
  }
  return { columns, rows: all, isCut: isMore && total === null };
}

/** Writes rows as CSV (RFC 4180). NULL is empty, an empty text is quoted, and a blob is its size. */
export function toCsv({ columns, rows }: Exported): string {
  const quote = (text: string) => (text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const toField = (value: SqlValue) =>
    value === null ? '' : typeof value === 'object' ? `${value.bytes} bytes` : quote(String(value));
  return [columns.map(({ name }) => quote(name)), ...rows.map((row) => row.map(toField))]
    .map((fields) => `${fields.join(',')}\r\n`)
    .join('');
}

/** Writes rows as a list of objects. The second of two columns `a` is `a_2`. */
export function toJson({ columns, rows }: Exported): string {
  const names: string[] = [];
  for (const { name } of columns) {
    let unique = name;
    for (let n = 2; names.includes(unique); n++) unique = `${name}_${n}`;
    names.push(unique);
  }
  const objects = rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
  return `${JSON.stringify(objects, undefined, 2)}\n`;
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** SQLite reads a statement up to the first NUL. */
const quoteText = (text: string): string => `'${text.replaceAll("'", "''").replaceAll('\0', "'||char(0)||'")}'`;

/** What SQLite reads as a number in a statement. */
const NUMBER = /^[+-]?(?:0x[\da-f]{1,16}|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;
/** The types of columns that keep a number as a text. Source: sqlite.org/datatype3. */
const TEXT_AFFINITY = /^(?!.*INT).*(?:CHAR|CLOB|TEXT)/is;

/** Writes a value as the text that a person edits. */
export const toText = (value: SqlValue): string =>
  value === null ? 'NULL' : typeof value === 'object' ? '' : String(value);

export const rowHasChanged = (): ControlError =>
  new ControlError(409, 'The row has changed since it was read, so nothing was written. Edit the cell as it is now.');

interface Cell {
  /** The condition that finds its row. */
  readonly key: string;
  readonly column: TableRows['columns'][number];
  /** As it was read. */
  readonly value: SqlValue;
}

/**
 * Makes the statement that changes a cell to a text: a number unless the cell has a text, and `NULL` for none. It changes the cell
 * only if it is as it was read.
 * @throws ControlError when there is no such row
 */
export async function toUpdate(
  id: string,
  table: string,
  { key, column: { name, type }, value }: Cell,
  text: string,
): Promise<string> {
  const [from, cell] = [quoteName(table), quoteName(name)];
  const real = `CASE typeof(${cell}) WHEN 'real' THEN`;
  const sql = `SELECT typeof(${cell}), ${real} ${cell} END, ${real} quote(${cell}) END FROM ${from} WHERE ${key}`;
  const [[stored, number, quoted] = []] = (await readRows(id, { sql, at: undefined }, 0, 1)).rows;
  if (stored === undefined || (stored === 'real' && number !== value)) throw rowHasChanged();
  const isNumber = stored !== 'text' && !TEXT_AFFINITY.test(type) && NUMBER.test(text.trim());
  const next = text === 'NULL' ? text : isNumber ? text.trim() : quoteText(text);
  const old = toText(value);
  // A large integer is read as a text.
  const isOldLiteral = typeof value !== 'string' || (stored === 'integer' && /^-?\d+$/.test(value));
  // SQLite reads some real numbers as other ones than those whose digits they are.
  const isUnchanged =
    stored === 'real'
      ? `quote(${cell}) = ${quoteText(String(quoted))}`
      : typeof value === 'object' && value !== null
        ? `typeof(${cell}) = 'blob' AND length(${cell}) = ${value.bytes}`
        : `${cell} IS ${isOldLiteral ? old : quoteText(old)}`;
  return `UPDATE ${from} SET ${cell} = ${next} WHERE ${key} AND ${isUnchanged}`;
}

/** Finds a token that reaches a database: of its user, or of its project. */
export async function findToken({ id, project }: Row, users: readonly EmulatorUser[]): Promise<string> {
  const own = users.find((user) => user.id === id)?.token;
  if (own !== undefined) return own;
  const { tokens = [] } = await control.getState();
  const token = tokens.find((each) => each.project === project)?.token;
  if (token === undefined)
    throw new Error(
      'A statement that writes is sent with a token of the project, and the project has none: add one under Tokens.',
    );
  return token;
}

const EXECUTE = '/v1/sqlite/execute';

/** What a statement that writes has returned. */
export interface Written {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (null | string | number | readonly number[])[])[];
  readonly rowsAffected: number;
  /** Id of the request; undefined if the journal does not have it. */
  readonly request: string | undefined;
}

/** Runs a statement that writes, as a program with the token would. @throws ControlError with the error of the statement */
export async function write(token: string, statement: string): Promise<Written> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ statement });
  const response = await sendToApi({ method: 'POST', path: EXECUTE, headers, body });
  const { status, text } = response;
  if (status === 200) return { ...JSON.parse(text), request: (await findSent(response))?.id };
  const parsed = parseBody(text);
  const message = typeof parsed === 'object' && parsed !== null && 'message' in parsed ? String(parsed.message) : text;
  throw new ControlError(status, status === 0 ? 'The connection was closed without a response.' : message);
}

/** Whether a statement was refused since it writes. */
export const isRefusedWrite = ({ message }: ControlError): boolean => message.startsWith('SQLITE_READONLY');

/** Finds the place that an error of a statement is about. */
export function locateError(statement: string, message: string): { readonly offset: number; readonly length: number } {
  const [, bytes] = /\(at offset (\d+)\)/.exec(message) ?? [];
  const [, near] = /near "(.*?)": /.exec(message) ?? /no such \w+: ([^\s(]+)/.exec(message) ?? [];
  const offset =
    bytes === undefined
      ? Math.max(0, statement.indexOf(near ?? statement))
      : new TextDecoder().decode(new TextEncoder().encode(statement).slice(0, Number(bytes))).length;
  const word = near ?? /^\w+|^./.exec(statement.slice(offset))?.[0] ?? '';
  return { offset, length: near === undefined && bytes === undefined ? statement.length : word.length };
}
