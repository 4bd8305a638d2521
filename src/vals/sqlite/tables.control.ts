import { NotFoundError } from '#engine/lib/errors.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import type { Budget, Selected } from './databases.rules.js';
import { SqlError } from './sql-error.js';
import { findRowid, quoteName, quoteText } from './values.js';

const TABLES = "FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite^_%' ESCAPE '^'";
const LIST_TABLES = `SELECT type, name, sql ${TABLES} ORDER BY name`;
/** A view mostly comes after those that it reads. */
const LIST_BY_AGE = `SELECT type, name, sql, row_number() OVER (ORDER BY name) - 1 ${TABLES} ORDER BY rowid`;

/** Runs a statement that reads. @param budget default: it has its own time */
export type Select = (sql: string, budget?: Budget) => Promise<Selected>;

/** Lists the columns of a table, also the generated ones, and without the arguments of a virtual table. */
const listColumns = (info: Selected['rows']) =>
  info
    .filter(([, , , , , , hidden]) => hidden !== 1)
    .map(([, name, type]) => ({ name: String(name), type: String(type) }));

const readInfo = async (select: Select, table: string, budget?: Budget) =>
  (await select(`PRAGMA table_xinfo(${quoteName(table)})`, budget)).rows;

async function describeTable(select: Select, name: string) {
  const columns = listColumns(await readInfo(select, name));
  const { rows: [[count] = []] = [] } = await select(`SELECT count(*) FROM ${quoteName(name)}`);
  return { columns, rows: Number(count) };
}

async function describe(select: Select, name: string, views: Budget | undefined) {
  try {
    if (!views) return await describeTable(select, name);
    return { columns: listColumns(await readInfo(select, name, views)), rows: null };
  } catch (error) {
    if (error instanceof SqlError) return { columns: [], rows: null, error: error.message };
    throw error;
  }
}

type Table = Awaited<ReturnType<typeof describe>> & {
  readonly name: string;
  readonly type: 'table' | 'view';
  readonly sql: string;
};

/**
 * Describes the tables and views of a database, by name.
 * @param views the time of all views: one that joins two of the view before, and so on, takes twice the time of that one
 */
export async function listTables(select: Select, views: Budget) {
  const { rows } = await select(LIST_BY_AGE);
  const tables: Table[] = Array(rows.length);
  for (const [type, name, sql, place] of rows) {
    const isView = type === 'view';
    const described = await describe(select, String(name), isView ? views : undefined);
    tables[Number(place)] = { name: String(name), type: isView ? 'view' : 'table', sql: String(sql), ...described };
  }
  return tables;
}

/** Reads rows of a statement that reads. @param sql default: lists the tables */
export async function readStatement(select: Select, sql: string | undefined, offset: number, limit: number) {
  const { columns, columnTypes, rows } = await select(sql ?? LIST_TABLES);
  return {
    columns: columns.map((name, i) => ({ name, type: columnTypes[i] ?? '' })),
    offset,
    total: rows.length,
    rows: rows
      .slice(offset, offset + limit)
      .map((row) => row.map((value) => (Array.isArray(value) ? { bytes: value.length } : value))),
  };
}

/**
 * Writes the expression that makes the key of a row: by its rowid unless it has none, or columns hide all names of it, else by
 * the primary key. It is null if a part of the key is, since several rows may have such a key.
 */
async function writeKey(select: Select, table: string, info: Selected['rows']): Promise<string> {
  const { rows: [[isWithoutRowid] = []] = [] } = await select(
    `SELECT wr FROM pragma_table_list(${quoteText(table)}) WHERE schema = 'main' AND type <> 'view'`,
  );
  const rowid = isWithoutRowid === 0 ? findRowid(info.map(([, name]) => String(name))) : undefined;
  if (rowid !== undefined) return `'${rowid} = ' || ${rowid}`;
  const parts = info
    .filter(([, , , , , key]) => key !== 0)
    .map(([, name]) => quoteName(String(name)))
    .map((column) => `${quoteText(`${column} = `)} || nullif(quote(${column}), 'NULL')`);
  return isWithoutRowid === undefined ? 'NULL' : parts.join(" || ' AND ' || ") || 'NULL';
}

/** Reads rows of a table or view. A blob arrives as its size, the only values that are bytes then. */
export async function readTable(select: Select, table: string, withKeys: boolean, offset: number, limit: number) {
  const tables = new Map((await select(LIST_TABLES)).rows.map(([type, name]) => [String(name), type]));
  const names = [...tables.keys()];
  if (!tables.has(table))
    throw new NotFoundError(`There is no table or view ${formatValue(table)}.${didYouMean(table, names)}`);
  const info = await readInfo(select, table);
  const columns = listColumns(info);
  const fields = columns.map(({ name }) => {
    const column = quoteName(name);
    return `CASE typeof(${column}) WHEN 'blob' THEN CAST(length(${column}) AS BLOB) ELSE ${column} END`;
  });
  const key = withKeys ? await writeKey(select, table, info) : 'NULL';
  const { rows } = await select(`SELECT ${[key, ...fields]} FROM ${quoteName(table)} LIMIT ${limit} OFFSET ${offset}`);
  const isEnd = rows.length < limit && (rows.length > 0 || offset === 0);
  const total = async () =>
    tables.get(table) === 'view'
      ? null
      : Number((await select(`SELECT count(*) FROM ${quoteName(table)}`)).rows[0]?.[0]);
  const toCell = (value: Selected['rows'][number][number]) =>
    Array.isArray(value) ? { bytes: Number(String.fromCharCode(...value)) } : value;
  return {
    columns,
    offset,
    total: isEnd ? offset + rows.length : await total(),
    rows: rows.map(([, ...row]) => row.map(toCell)),
    ...(withKeys && { keys: rows.map(([each]) => (typeof each === 'string' ? each : null)) }),
  };
}
