import {
  type Case,
  chosen,
  type Expectation,
  type JsonSchema,
  operation,
  type Row,
  type RuleChecks,
  recorded,
  type Sender,
  type Step,
} from '../case.js';
import { exactly, shows, text } from './schemas.js';
import { send } from './steps.js';

/** A table of a case, which the runner drops by its name. */
const TABLE = '{new.a}';
const CREATE = `CREATE TABLE ${TABLE} (id INTEGER PRIMARY KEY, name TEXT, other REFERENCES ${TABLE}(id))`;
const INSERT = `INSERT INTO ${TABLE} (id, name) VALUES (7, 'a'), (8, 'b')`;
const ROWS = `SELECT id, name FROM ${TABLE} WHERE id < 8`;
/** Statements on a table of two rows, with how many they affect. */
const AFFECTED: Readonly<Record<string, readonly [sql: string, rows: number]>> = {
  insert: [`INSERT INTO ${TABLE} (name) VALUES ('c'), ('d'), ('e')`, 3],
  'insert-select': [`INSERT INTO ${TABLE} (name) SELECT name FROM ${TABLE}`, 2],
  'insert-ignored': [`INSERT OR IGNORE INTO ${TABLE} (id) VALUES (7), (9)`, 1],
  upsert: [`INSERT INTO ${TABLE} (id) VALUES (7) ON CONFLICT DO UPDATE SET name = 'c'`, 1],
  returning: [`INSERT INTO ${TABLE} (name) VALUES ('c') RETURNING id`, 1],
  update: [`UPDATE ${TABLE} SET name = 'c'`, 2],
  'update-equal': [`UPDATE ${TABLE} SET name = 'a' WHERE id = 7`, 1],
  'update-none': [`UPDATE ${TABLE} SET name = 'c' WHERE id = 9`, 0],
  delete: [`DELETE FROM ${TABLE}`, 2],
  'delete-one': [`DELETE FROM ${TABLE} WHERE id = 7`, 1],
  select: [`SELECT id FROM ${TABLE}`, 0],
};
/** Of a statement that is a SELECT without a table, or that a mode refuses. */
const READ = { level: 'read' } as const;

const list = (items: JsonSchema) => ({ type: 'array', items });
const RESULT: Readonly<Record<string, JsonSchema>> = {
  columns: list(text),
  columnTypes: list(text),
  rows: list(list({ type: ['null', 'string', 'number', 'array'] })),
  // Of a statement that changes nothing.
  rowsAffected: { const: 0 },
  lastInsertRowid: { type: ['string', 'integer', 'null'] },
};
/** A result with these values. */
const result = (values: Readonly<Record<string, unknown>>) =>
  exactly({
    ...RESULT,
    ...Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { const: value }])),
  });

type Statement = string | { readonly sql: string; readonly args?: object };

/** A route, with a request of one statement and the response of one result. */
interface SqlRoute {
  readonly name: string;
  readonly path: string;
  readonly toBody: (statement: Statement) => object;
  readonly toSchema: (result: JsonSchema) => JsonSchema;
}

const EXECUTE: SqlRoute = {
  ...{ name: 'executeSql', path: 'POST /v1/sqlite/execute' },
  toBody: (statement) => ({ statement }),
  toSchema: (schema) => schema,
};
const BATCH: SqlRoute = {
  ...{ name: 'batchSql', path: 'POST /v1/sqlite/batch' },
  toBody: (statement) => ({ statements: [statement] }),
  toSchema: (schema) => ({ type: 'array', items: [schema], minItems: 1, maxItems: 1 }),
};

/** An error of a server, or in the words of SQLite as the clients of libSQL have it from a file. */
const fails = (code: string, reason: string): Expectation => ({
  status: 400,
  body: exactly(
    {
      message: { ...text, pattern: `^(?:${code}|SQLITE_ERROR)\\w*: .*${reason}` },
      code: { ...text, pattern: `^(?:${code}|SQLITE_ERROR)` },
    },
    { rawCode: { type: 'integer' } },
  ),
});

/** The rules of statements and results. */
function rulesOf({ path, toBody, toSchema }: SqlRoute): readonly RuleChecks[] {
  const run = (statement: Statement, as?: Sender): Step => send(path, toBody(statement), as);
  const returns = (values: Readonly<Record<string, unknown>>): Expectation => shows(toSchema(result(values)));
  const selects = (statement: Statement, ...row: readonly unknown[]): Row => [
    run(statement),
    returns({ rows: [row] }),
    READ,
  ];
  const created = [run(CREATE), run(INSERT)];
  return [
    recorded('statement', {
      'list: Arguments are a list': selects({ sql: 'SELECT ? AS a, ? AS b', args: ['a', 2] }, 'a', 2),
      'names: Arguments have names': selects({ sql: 'SELECT :a AS a, $b AS b', args: { a: 'a', $b: 2 } }, 'a', 2),
    }),
    recorded('args', {
      'args: A statement without arguments has an empty list': selects({ sql: 'SELECT 1 AS one', args: [] }, 1),
      'no-args: A statement that is an object without args is a 400': [run({ sql: 'SELECT 1 AS one' }), 400, READ],
    }),
    recorded('result', {
      'keys: A result has exactly these keys': [
        run("SELECT 1 AS one, 'b' AS two"),
        returns({ columns: ['one', 'two'], rows: [[1, 'b']] }),
        READ,
      ],
      'columns: Columns of the same name stay two': [
        run('SELECT 1 AS a, 2 AS a'),
        returns({ columns: ['a', 'a'], rows: [[1, 2]] }),
        READ,
      ],
      'written: A later request reads what was written': [[...created, run(ROWS)], returns({ rows: [[7, 'a']] })],
      'affected-create: A CREATE affects no rows': [run(CREATE), returns({})],
      ...Object.fromEntries(
        Object.entries(AFFECTED).map(([name, [sql, rowsAffected]]): [string, Row] => [
          `affected-${name}: ${rowsAffected} rows are affected`,
          [[...created, run(sql)], returns({ rowsAffected })],
        ]),
      ),
    }),
    recorded('column-types', {
      'types: An expression has no type': [
        [...created, run(`SELECT id, name, id + 1 AS next FROM ${TABLE}`)],
        returns({ columnTypes: ['INTEGER', 'TEXT', ''] }),
      ],
    }),
    chosen('float', {
      'floats: A whole number is a float': selects(
        { sql: "SELECT ? / 2 AS a, 'v' || ? AS b", args: [1, 5] },
        0.5,
        'v5.0',
      ),
    }),
    chosen('integer-argument', {
      'bigint: An integer of the protocol of libSQL is an integer': selects(
        {
          sql: 'SELECT ? / 2 AS a, typeof(?) AS b',
          args: [5, 7].map((value) => ({ type: 'integer', value: `${value}` })),
        },
        2,
        'integer',
      ),
    }),
    chosen('large-integer', {
      'integers: 2^53 + 1 is a string': selects(
        'SELECT 9007199254740991 AS a, 9007199254740993 AS b',
        9_007_199_254_740_991,
        '9007199254740993',
      ),
    }),
    recorded('boolean', {
      'values: Null, a number and a boolean are values': selects(
        { sql: 'SELECT ? AS a, ? AS b, ? AS c', args: [null, 1.5, true] },
        ...[null, 1.5, 1],
      ),
    }),
    chosen('error', {
      'unknown-table: A table that does not exist is an error': [
        run('SELECT 1 FROM conformance_{hex}'),
        fails('SQLITE_UNKNOWN', 'no such table: conformance_'),
        READ,
      ],
      'unknown-column: A column that does not exist is an error': [
        run('SELECT conformance_{hex} AS a'),
        fails('SQL_INPUT_ERROR', 'no such column: conformance_'),
        READ,
      ],
      'syntax: A text that is not SQL is an error': [
        run('SELECT FROM conformance'),
        fails('SQL_PARSE_ERROR', 'FROM'),
        READ,
      ],
      'constraint: A row with the same key is an error': [
        [...created, run(INSERT)],
        fails('SQLITE_CONSTRAINT', 'UNIQUE constraint failed: '),
      ],
    }),
    recorded('owner', {
      'others: The second account does not have the table': [[...created, run(ROWS, 'second')], 400],
    }),
    recorded('foreign-keys', {
      'foreign-key: A row that refers to none is an error': [
        [run(CREATE), run(`INSERT INTO ${TABLE} (id, other) VALUES (1, 99)`)],
        400,
      ],
    }),
    recorded('media-type', {
      'plain: JSON that says to be plain text is parsed': [
        {
          ...{ send: path, text: JSON.stringify(toBody('SELECT 1 AS one')) },
          headers: { 'content-type': 'text/plain;charset=UTF-8' },
        },
        returns({ rows: [[1]] }),
        READ,
      ],
    }),
    chosen('size', {
      'large: A value of more than 2 MB is a 400': [
        run('SELECT length(zeroblob(2097153)) AS length'),
        400,
        { level: 'limits' },
      ],
    }),
    chosen('blob-value', {
      'bytes: Bytes are a list, in arguments and rows': selects(
        { sql: "SELECT x'00ff' AS a, ? AS b", args: [[1, 2]] },
        [0, 255],
        [1, 2],
      ),
      'infinite: An infinite number is null': selects('SELECT 1e400 AS a', null),
    }),
    chosen('row-id', {
      'rowid: An INSERT has the last rowid': [created, returns({ lastInsertRowid: 8, rowsAffected: 2 })],
      'nothing: An INSERT of nothing has 0': [
        [...created, run(`${INSERT} ON CONFLICT DO NOTHING`)],
        returns({ rowsAffected: 0, lastInsertRowid: 0 }),
      ],
      'no-rowid: A SELECT has none': [run('SELECT 1 AS one'), returns({ lastInsertRowid: null }), READ],
    }),
    chosen('version', {
      'quotes: A text in double quotes is a text': selects('SELECT "conformance" AS a', 'conformance'),
    }),
    chosen('connection', {
      'temporary: A temporary table is a 400': [run(`CREATE TEMP TABLE ${TABLE} (id INTEGER)`), 400],
      'begin: BEGIN is a 400': [run('BEGIN'), 400],
      'setting: A PRAGMA that sets is a 400': [run('PRAGMA query_only = 0'), 400],
    }),
    chosen('refused', {
      'attach: ATTACH is a 400': [run("ATTACH ':memory:' AS conformance"), 400],
    }),
  ];
}

const executeCases = operation(EXECUTE.name, EXECUTE.path, rulesOf(EXECUTE));

const batch = (statements: readonly Statement[], mode?: string): Step =>
  send(BATCH.path, { statements, ...(mode !== undefined && { mode }) });
/** The checks of the other route, of one source, under one rule. */
const sameAs = (rule: string, source: RuleChecks['source']): RuleChecks => ({
  ...{ rule, source },
  checks: rulesOf(BATCH).flatMap((each) => (each.source === source ? each.checks : [])),
});

const batchCases = operation(BATCH.name, BATCH.path, [
  recorded('transaction', {
    'results: Each statement has a result': [
      batch([CREATE, INSERT, ROWS]),
      shows({
        type: 'array',
        items: [result({ rows: [] }), result({ rowsAffected: 2 }), result({ columns: ['id', 'name'] })],
        ...{ minItems: 3, maxItems: 3 },
      }),
    ],
    'rollback: After an error, none has an effect': [
      [
        batch([CREATE]),
        { ...batch([INSERT, 'SELECT 1 FROM conformance_{hex}']), status: 400 },
        batch([`SELECT count(*) AS count FROM ${TABLE}`]),
      ],
      shows(BATCH.toSchema(result({ rows: [[0]] }))),
    ],
  }),
  recorded('mode', {
    'read: In the mode read, a SELECT is executed': [batch(['SELECT 1 AS one'], 'read'), 200, READ],
    'deferred: The mode deferred is known': [batch(['SELECT 1 AS one'], 'deferred'), 200, READ],
    'mode: Another mode is a 400': [batch(['SELECT 1 AS one'], 'conformance'), 400, READ],
    'refused: In the mode read, an INSERT is refused': [[batch([CREATE]), batch([INSERT], 'read')], 400],
  }),
  sameAs('as-execute', 'record'),
  sameAs('chosen-as-execute', 'chosen'),
]);

/** The SQLite database of a user. */
export const sqliteCases: readonly Case[] = [...executeCases, ...batchCases];
