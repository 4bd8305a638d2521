import { type Static, Type } from 'typebox';
import { PageLimits } from '#engine/control/records.js';
import { type ControlContext, controlRoute, forPage } from '#engine/control/route.js';
import { StateNames } from '#engine/fixtures/names.js';
import { NotFoundError, OptionsError } from '#engine/lib/errors.js';
import { formatValue } from '#engine/lib/messages.js';
import { toTimestamp } from '#engine/lib/time.js';
import { At, AtQuery } from '#engine/sandbox/history-entries.js';
import { Nullable, Timestamp } from '#engine/schema/common.js';
import { mapOf, record, strictObject } from '#engine/schema/schema.js';
import { DataOwnerNames } from '#vals/lib/data-owner-names.control.js';
import { writeDataOwner } from '#vals/lib/data-owners.collection.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { getValsStateAt } from '#vals/lib/state-at.control.js';
import { findProject } from '#vals/projects/names.collection.js';
import type { StoredDatabase } from '#vals/service/service.collection.js';
import { findUserByReference } from '#vals/users/users.collection.js';
import { makeBudget, toDatabases } from './databases.rules.js';
import { explainSqlError, findDatabase, type Row, type SqlArguments, toRows } from './rows.sandbox.js';
import { ArgumentsWithIntegers } from './sql.schema.js';
import { SqlError } from './sql-error.js';
import type { Select } from './tables.control.js';

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
  total: Nullable(
    Type.Integer({
      description: 'Rows of the table or statement; null for a view with further rows, which may have no end',
    }),
  ),
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
  keys: Type.Optional(
    Type.Array(Nullable(Type.String()), {
      description: 'Of each row the condition that only it meets, such as `rowid = 1`; null for none',
    }),
  ),
});
export interface TableRows extends Static<typeof tableRows> {}
const TableRows = Type.Unsafe<TableRows>(tableRows);
const Selection = {
  at: At,
  table: Type.Optional(Type.String({ description: 'A table or view' })),
  sql: Type.Optional(Type.String({ description: 'Or a statement that reads. Default: lists the tables' })),
  ...PageLimits,
};
/** Values as a statement returns them, by the names of the columns. */
const Rows = Type.Array(
  Type.Unsafe<Row>(
    mapOf(
      Type.Union([
        Type.Null(),
        Type.String(),
        Type.Number(),
        Type.Array(Type.Integer(), { description: 'The bytes of a blob' }),
      ]),
    ),
  ),
);
const RowsQuery = strictObject(
  {
    ...Selection,
    keys: Type.Optional(Type.Boolean({ description: 'Whether rows of a table come with their keys. Default: false' })),
  },
  { default: {} },
);
type RowsQuery = Static<typeof RowsQuery>;

/** Finds a database of a state of the history. @throws NotFoundError */
function open({ emulator, sandbox }: ControlContext, id: string, at: string | undefined) {
  const { state, time = sandbox.clock.now.getTime() } = getValsStateAt(sandbox, at);
  const databases = toDatabases(emulator.engine);
  const owner = findUserByReference(state, id) ?? findProject(state, id);
  const database: StoredDatabase | undefined = state.sqlite.get(owner?.id ?? id.toLowerCase());
  if (!database) throw new NotFoundError(`There is no SQLite database of a user or a project ${formatValue(id)}.`);
  const select: Select = (sql, budget) =>
    databases.read(state, database, time, { sql }, budget).catch((error: unknown) => Promise.reject(withPlace(error)));
  return { state, database, select };
}

/** Says where a syntax error is, as other errors of a statement do. The service does not. */
function withPlace(error: unknown): unknown {
  if (!(error instanceof SqlError) || error.offset === undefined) return error;
  return new SqlError(error.sqlCode, `${error.reason} (at offset ${error.offset})`);
}

export const sqliteRoutes = [
  controlRoute('POST', '/_emulator/rows', 'Read all rows of a statement as objects, without a user as well', {
    id: 'selectRows',
    body: strictObject({
      sql: Type.String({ description: 'A statement that reads' }),
      args: Type.Optional(
        Type.Unsafe<SqlArguments>({ ...ArgumentsWithIntegers, description: 'By position, or by name' }),
      ),
      owner: Type.Optional(Type.String({ description: 'User or project: `ada`, or an id. Default: the first user' })),
    }),
    response: Rows,
    errors: [400, 403, 404, 422],
    example: { body: { sql: 'SELECT :one AS one', args: { one: 1 } } },
    async handle({ emulator, sandbox, body: { owner, ...statement } }) {
      const state = toValsState(sandbox.store.state);
      const databases = toDatabases(emulator.engine);
      const database = findDatabase(state, owner);
      try {
        return toRows(await databases.read(state, database, sandbox.now, statement));
      } catch (error) {
        throw explainSqlError(error);
      }
    },
  }),
  controlRoute('GET', '/_emulator/sqlite/{id}', 'Get a SQLite database with its tables, now or after a commit', {
    id: 'getDatabase',
    params: DatabasePath,
    query: AtQuery,
    response: DatabaseContent,
    errors: [400, 403, 404, 422],
    async handle({ params: { id }, query: { at }, ...context }) {
      const { state, database, select } = open(context, id, at);
      const { listTables } = await import('./tables.control.js');
      const { size, updatedAt } = database;
      const owner = writeDataOwner(new StateNames(state), database);
      return { ...owner, size, updatedAt: toTimestamp(updatedAt), tables: await listTables(select, makeBudget()) };
    },
  }),
  controlRoute('GET', '/_emulator/sqlite/{id}/rows', 'Read rows of a table, or of a SELECT', {
    id: 'listRows',
    tool: 'rows',
    params: DatabasePath,
    query: strictObject(Selection),
    response: TableRows,
    errors: [400, 403, 404, 422],
    example: { query: { sql: 'SELECT count(*) FROM readings' } },
    handle: ({ params: { id }, query, ...context }) => readRows(context, id, query),
  }),
  forPage(
    controlRoute('POST', '/_emulator/sqlite/{id}/rows', 'Read rows of a database, by a statement of any length', {
      id: 'queryRows',
      params: DatabasePath,
      body: RowsQuery,
      response: TableRows,
      errors: [400, 403, 404, 422],
      example: { body: { sql: 'SELECT count(*) FROM readings' } },
      handle: ({ params: { id }, body, ...context }) => readRows(context, id, body),
    }),
  ),
];

/** Reads rows of a table, or of a statement. @throws NotFoundError. @throws OptionsError for both */
async function readRows(context: ControlContext, id: string, query: RowsQuery): Promise<TableRows> {
  const { at, table, sql, keys = false, offset, limit } = query;
  if (table !== undefined && sql !== undefined)
    throw new OptionsError([{ path: 'sql', message: 'expected either table or sql, not both.' }]);
  const { select } = open(context, id, at);
  const { readTable, readStatement } = await import('./tables.control.js');
  return table === undefined
    ? await readStatement(select, sql, offset, limit)
    : await readTable(select, table, keys, offset, limit);
}
