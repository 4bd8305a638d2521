import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '#engine/api/schemas/common.js';
import { PageLimits } from '#engine/control/records.js';
import { type ControlContext, controlRoute } from '#engine/control/route.js';
import { NotFoundError, OptionsError } from '#engine/lib/errors.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import { record, strictObject } from '#engine/lib/schema.js';
import { toTimestamp } from '#engine/lib/time.js';
import { At, AtQuery } from '#engine/sandbox/history.js';
import { StateNames } from '#engine/seed/names.js';
import { writeDataOwner } from '../collections/data-owners.js';
import type { StoredDatabase } from '../collections/index.js';
import { findProject } from '../collections/projects/names.js';
import { findUserByReference } from '../collections/users.js';
import { type Selected, toDatabases } from '../model/databases.js';
import { SqlError } from '../sqlite/sql-error.js';
import { quoteName } from '../sqlite/values.js';
import { DataOwnerNames } from './data-owner-names.js';
import { getValsStateAt } from './state-at.js';

const DatabasePath = Type.Object({ id: Type.String({ description: 'User or project: `ada`, or an id' }) });
const Columns = Type.Array(
  record('SqlColumn', {
    name: Type.String(),
    type: Type.String({ description: 'The declared type; empty without one' }),
  }),
);
const databaseContent = record('SqlDatabase', {
  ...DataOwnerNames,
  size: Type.Integer({ description: 'Bytes' }),
  updatedAt: Timestamp,
  tables: Type.Array(
    record('SqlTable', {
      name: Type.String(),
      type: Type.Enum(['table', 'view']),
      sql: Type.String({ description: 'The statement that creates it' }),
      columns: Columns,
      rows: Nullable(Type.Integer({ description: 'Number of rows; null for a view, whose rows depend on others' })),
      error: Type.Optional(
        Type.String({ description: 'Why it cannot be read, such as a view of a table that is gone' }),
      ),
    }),
    { description: 'Tables and views by name, without the internal ones of SQLite' },
  ),
});
export interface DatabaseContent extends Static<typeof databaseContent> {}
const DatabaseContent = Type.Unsafe<DatabaseContent>(databaseContent);
const tableRows = record('SqlRows', {
  columns: Columns,
  offset: Type.Integer(),
  rows: Type.Array(
    Type.Array(
      Type.Union([
        Type.Null(),
        Type.String(),
        Type.Number(),
        strictObject({ bytes: Type.Integer() }, { description: 'The size of a blob' }),
      ]),
    ),
    { description: 'An integer beyond 2^53 is a string' },
  ),
});
export interface TableRows extends Static<typeof tableRows> {}
const TableRows = Type.Unsafe<TableRows>(tableRows);

const LIST_TABLES = `SELECT type, name, sql FROM sqlite_schema
  WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name`;

/** Runs a statement that reads. */
type Select = (sql: string) => Promise<Selected>;

/** Finds a database of a state of the history. @throws NotFoundError */
function open({ emulator, sandbox }: ControlContext, id: string, at: string | undefined) {
  const { state, time = sandbox.clock.now.getTime() } = getValsStateAt(sandbox, at);
  const databases = toDatabases(emulator.engine);
  const owner = findUserByReference(state, id) ?? findProject(state, id);
  const database: StoredDatabase | undefined = state.sqlite.get(owner?.id ?? id.toLowerCase());
  if (!database) throw new NotFoundError(`There is no SQLite database of a user or a project ${formatValue(id)}.`);
  const select: Select = (sql) => databases.read(state, database, time, sql);
  return { state, database, select };
}

/** Lists the columns of a table, also the generated ones, and without the arguments of a virtual table. */
const listColumns = async (select: Select, table: string) =>
  (await select(`PRAGMA table_xinfo(${quoteName(table)})`)).rows
    .filter(([, , , , , , hidden]) => hidden !== 1)
    .map(([, name, type]) => ({ name: String(name), type: String(type) }));

async function describeTable(select: Select, name: string, isView: boolean) {
  try {
    const columns = await listColumns(select, name);
    const { rows: [[count] = []] = [] } = isView ? {} : await select(`SELECT count(*) FROM ${quoteName(name)}`);
    return { columns, rows: isView ? null : Number(count) };
  } catch (error) {
    if (error instanceof SqlError) return { columns: [], rows: null, error: error.message };
    throw error;
  }
}

export const sqliteRoutes = [
  controlRoute('GET', '/_emulator/sqlite/{id}', 'Get a SQLite database with its tables, now or after a commit', {
    id: 'getDatabase',
    params: DatabasePath,
    query: AtQuery,
    response: DatabaseContent,
    errors: [400, 403, 404, 422],
    async handle({ params: { id }, query: { at }, ...context }) {
      const { state, database, select } = open(context, id, at);
      const tables = [];
      for (const [type, name, sql] of (await select(LIST_TABLES)).rows) {
        const isView = type === 'view';
        const described = await describeTable(select, String(name), isView);
        tables.push({
          ...({ name: String(name), type: isView ? 'view' : 'table', sql: String(sql) } as const),
          ...described,
        });
      }
      const { size, updatedAt } = database;
      return { ...writeDataOwner(new StateNames(state), database), size, updatedAt: toTimestamp(updatedAt), tables };
    },
  }),
  controlRoute('GET', '/_emulator/sqlite/{id}/rows', 'Read rows of a database: of a table, or of a SELECT', {
    id: 'listRows',
    tool: 'rows',
    params: DatabasePath,
    query: strictObject({
      at: At,
      table: Type.Optional(Type.String({ description: 'A table or view' })),
      sql: Type.Optional(Type.String({ description: 'Or a statement that reads. Default: lists the tables' })),
      ...PageLimits,
    }),
    response: TableRows,
    errors: [400, 403, 404, 422],
    example: { query: { sql: 'SELECT count(*) FROM readings' } },
    async handle({ params: { id }, query: { at, table, sql, offset, limit }, ...context }) {
      if (table !== undefined && sql !== undefined)
        throw new OptionsError([{ path: 'sql', message: 'expected either table or sql, not both.' }]);
      const { select } = open(context, id, at);
      if (table !== undefined) return await readTable(select, table, offset, limit);
      const { columns, columnTypes, rows } = await select(sql ?? LIST_TABLES);
      return {
        columns: columns.map((name, i) => ({ name, type: columnTypes[i] ?? '' })),
        offset,
        rows: rows
          .slice(offset, offset + limit)
          .map((row) => row.map((value) => (Array.isArray(value) ? { bytes: value.length } : value))),
      };
    },
  }),
];

/** Reads rows of a table or view. A blob arrives as its size, the only values that are bytes then. */
async function readTable(select: Select, table: string, offset: number, limit: number): Promise<TableRows> {
  const names = (await select(LIST_TABLES)).rows.map(([, name]) => String(name));
  if (!names.includes(table))
    throw new NotFoundError(`There is no table or view ${formatValue(table)}.${didYouMean(table, names)}`);
  const columns = await listColumns(select, table);
  const fields = columns.map(({ name }) => {
    const column = quoteName(name);
    return `CASE typeof(${column}) WHEN 'blob' THEN CAST(length(${column}) AS BLOB) ELSE ${column} END`;
  });
  const { rows } = await select(`SELECT ${fields} FROM ${quoteName(table)} LIMIT ${limit} OFFSET ${offset}`);
  const toCell = (value: Selected['rows'][number][number]) =>
    Array.isArray(value) ? { bytes: Number(String.fromCharCode(...value)) } : value;
  return { columns, offset, rows: rows.map((row) => row.map(toCell)) };
}
