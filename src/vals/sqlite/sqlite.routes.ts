import { Type } from 'typebox';
import { ErrorBody } from '#engine/api/errors.js';
import type { Plan } from '#engine/api/plan.js';
import { SerializedJson } from '#engine/api/serialize.js';
import { Choice } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import { toDataOwner } from '#vals/lib/data-owners.rules.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import { route } from '#vals/lib/route.schema.js';
import type { Draft } from '#vals/lib/state.collection.js';
import { BATCH_MODES, type SqlPlan, type SqlResults } from './databases.rules.js';
import { ArgumentsWithIntegers, Sql } from './sql.schema.js';
import type { SqlStatement } from './values.js';

const Statement = Type.Union(
  [
    Sql,
    Type.Object({
      sql: Sql,
      args: {
        ...ArgumentsWithIntegers,
        description: 'By position, or by name: `a`, `:a`, `@a` or `$a`. An empty list for none',
      },
    }),
  ],
  { title: 'SqlStatement' },
);
const ResultSet = record('ResultSet', {
  columns: Type.Array(Type.String()),
  columnTypes: Type.Array(Type.String(), { description: 'Declared types; empty for an expression' }),
  rows: Type.Array(
    Type.Array(
      Type.Union([Type.Null(), Type.String(), Type.Number(), Type.Array(Type.Integer(), { description: 'Bytes' })]),
    ),
  ),
  rowsAffected: Type.Integer(),
  lastInsertRowid: Type.Union([Type.String(), Type.Integer(), Type.Null()], {
    description: 'A string beyond 2^53; null unless the statement is an INSERT',
  }),
});
const SqlErrorBody = record('SqlError', {
  message: Type.String({ description: 'Begins with the code' }),
  code: Type.String({ description: 'As in `SQLITE_CONSTRAINT`' }),
});

const common = {
  unofficial: true,
  auth: 'required',
  scope: 'sqlite:read',
  writeScope: 'sqlite:write',
  bodyType: 'any-json',
  bodyLimit: API_LIMITS.sqlBody,
  plans: true,
  errors: [400, 401, 403, 503, 507],
  errorBodies: { 400: Type.Union([SqlErrorBody, ErrorBody]) },
} as const;
export const sqliteRoutes = [
  route('POST', '/v1/sqlite/execute', 'Run a SQL statement', {
    id: 'executeSql',
    description:
      'Runs a statement on the SQLite database of the current user, or of the project of the token. Each begins with an empty one.',
    ...common,
    body: Type.Object({ statement: Statement }),
    response: ResultSet,
    rules: {
      record: [
        'statement: A statement is a text, or has `sql` and `args`: a list, or an object whose names may begin with `:`, `@` or `$`.',
        'args: A statement that is an object has `args`, which may be empty.',
        'result: A result has columns, columnTypes, rows, rowsAffected and lastInsertRowid.',
        'column-types: columnTypes has the declared types, and an empty string for an expression.',
        'boolean: A boolean is 1 or 0.',
        'owner: A user has one database, which no other user sees.',
        'foreign-keys: Foreign keys are enforced, as libsql-server does, and PRAGMA foreign_keys changes nothing.',
        'media-type: JSON is parsed whatever its type: the standard library of the service sends none.',
        'bounds: A statement has at most 100,000 characters and 500 arguments, and a batch 500 statements.',
      ],
      chosen: [
        'project: By the token of a project, it is the database of the project.',
        'float: A number in `args` is bound as a float, as the clients of libSQL send it: `? / 2` with 1 is 0.5.',
        'integer-argument: An argument `{ "type": "integer", "value": "5" }` is an integer of 64 bits, as the clients of libSQL send a bigint.',
        'large-integer: An integer beyond 2^53 is a string.',
        'error: An error of SQLite is a 400 with message and code, in the words of a libSQL server; the message begins with the code.',
        'size: A database has at most 10 MB, and a value 2 MB. The service gives accounts of the tier pro 1 GB.',
        'duration: A request ends after 1 s with SQLITE_INTERRUPT, and its response has at most 10 MB.',
        'blob-value: The bytes of a blob are a list of integers, and an infinite number is null.',
        'row-id: lastInsertRowid is a number up to 2^53, and null unless the statement is an INSERT. After one that inserted nothing it is the last one of the request, or 0.',
        'version: SQLite is 3.50.4; the service runs libSQL. A text in double quotes is a text where no column has that name.',
        'connection: A connection ends with its request: temporary tables, open transactions and most PRAGMAs that set are refused.',
        'refused: ATTACH, DETACH, VACUUM and load_extension are refused.',
        'clock: CURRENT_TIMESTAMP follows the clock of the sandbox.',
        'no-commit: Statements that only read see the committed state, and make no commit; nor does a request that changed nothing.',
      ],
    },
    example: { body: { statement: 'SELECT 1 AS one' } },
    handle: ({ engine, body: { statement }, ...request }) =>
      toJson(
        engine.plan({ ...request, owner: toDataOwner(request) }, [toStatement(statement)], 'write'),
        ([result = '']) => result,
      ),
  }),
  route('POST', '/v1/sqlite/batch', 'Run SQL statements in a transaction', {
    id: 'batchSql',
    description: 'Runs statements in one transaction: after an error, nothing of them stays.',
    ...common,
    body: Type.Object({
      statements: Type.Array(Statement, { maxItems: API_LIMITS.sqlStatements }),
      mode: Type.Optional(
        Choice(BATCH_MODES, {
          title: 'BatchMode',
          description: '`read` refuses statements that write. Default: write',
        }),
      ),
    }),
    response: Type.Array(ResultSet),
    rules: {
      record: [
        'transaction: The response is a list of results. One transaction has all statements: after an error, none has an effect.',
        'mode: The modes are write, read and deferred. In the mode read, a statement that writes is refused.',
        'as-execute: Statements, results and errors are as of `POST /v1/sqlite/execute`.',
      ],
      chosen: ['chosen-as-execute: All that is chosen for `POST /v1/sqlite/execute` holds for it as well.'],
    },
    example: {
      body: { statements: ['SELECT 1 AS one', { sql: 'SELECT :two AS two', args: { two: 2 } }], mode: 'read' },
    },
    handle: ({ engine, body: { statements, mode = 'write' }, ...request }) =>
      toJson(
        engine.plan({ ...request, owner: toDataOwner(request) }, statements.map(toStatement), mode),
        (results) => `[${results}]`,
      ),
  }),
];

/** Makes the JSON of the results of a plan. */
function toJson<T>(plan: SqlPlan, format: (results: readonly string[]) => string): Plan<SerializedJson<T>, Draft> {
  const toValue = ({ results, ...noted }: SqlResults) => ({ value: new SerializedJson<T>(format(results)), ...noted });
  return 'read' in plan ? { read: toValue(plan.read) } : { write: (draft) => toValue(plan.write(draft)) };
}

const toStatement = (statement: string | SqlStatement): SqlStatement =>
  typeof statement === 'string' ? { sql: statement } : statement;
