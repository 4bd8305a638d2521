import { NotFoundError } from '#engine/lib/errors.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import type { Selected } from '../model/databases.js';
import { SqlError } from '../sqlite/sql-error.js';
import { findRowid, quoteName, quoteText } from '../sqlite/values.js';

const LIST_TABLES = `SELECT type, name, sql FROM sqlite_schema
  WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name`;

/** Runs a statement that reads. */
export type Select = (sql: string) => Promise<Selected>;

/** Lists the columns of a table, also the generated ones, and without the arguments of a virtual table. */
const listColumns = (info: Selected['rows']) =>
  info
    .filter(([, , , , , , hidden]) => hidden !== 1)
    .map(([, name, type]) => ({ name: String(name), type: String(type) }));

const readInfo = async (select: Select, table: string) =>
  (await select(`PRAGMA table_xinfo(${quoteName(table)})`)).rows;

async function describeTable(select: Select, name: string, isView: boolean) {
  try {
    const columns = listColumns(await readInfo(select, name));
    const { rows: [[count] = []] = [] } = isView ? {} : await select(`SELECT count(*) FROM ${quoteName(name)}`);
    return { columns, rows: isView ? null : Number(count) };
  } catch (error) {
    if (error instanceof SqlError) return { columns: [], rows: null, error: error.message };
    throw error;
  }
}

/** Describes the tables and views of a database, by name. */
export async function listTables(select: Select) {
  const tables = [];
  for (const [type, name, sql] of (await select(LIST_TABLES)).rows) {
    const isView = type === 'view';
    const described = await describeTable(select, String(name), isView);
    tables.push({
      ...({ name: String(name), type: isView ? 'view' : 'table', sql: String(sql) } as const),
      ...described,
    });
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
