import { expect, test, vi } from 'vitest';
import { SqliteThread } from '#vals/sqlite/thread/thread.js';
import type { Emulator } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';

const SCHEMA = `
  CREATE TABLE "odd ""name""" ("a b" TEXT, "select" INTEGER, c BLOB, d REAL, twice AS ("select" * 2));
  INSERT INTO "odd ""name""" VALUES ('it''s', 9007199254740993, x'010203', 1.5), (NULL, 1, zeroblob(1000000), 9e999);
  CREATE TABLE numbers (id INTEGER PRIMARY KEY AUTOINCREMENT, n);
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 1200) INSERT INTO numbers (n) SELECT i * i FROM c;
  CREATE VIEW recent AS SELECT n, CURRENT_TIMESTAMP AS at FROM numbers WHERE n > 100;`;

/** Starts an emulator in which ada has a database, bob an empty one, and eve none. */
const start = (sql = SCHEMA) =>
  emulate({
    users: [{ username: 'ada' }, { username: 'bob' }, { username: 'eve' }],
    sqlite: [
      { user: 'ada', sql },
      { user: 'bob', updatedAt: '-1h' },
    ],
  });

const idOf = ({ users }: Emulator, name: string) => users.find(({ username }) => username === name)?.id;

const readTables = (emulator: Emulator, query = {}, user = 'ada') =>
  as(emulator)
    .get(`/_emulator/sqlite/${idOf(emulator, user)}`)
    .query(query);

const readRows = (emulator: Emulator, table: string, query = {}) =>
  as(emulator)
    .get(`/_emulator/sqlite/${idOf(emulator, 'ada')}/rows`)
    .query({ table, ...query });

const queryRows = (emulator: Emulator, body: object) => as(emulator).post('/_emulator/sqlite/ada/rows').send(body);

const execute = (emulator: Emulator, statement: unknown) =>
  as(emulator, 'ada').post('/v1/sqlite/execute').send({ statement }).expect(200);

test('a database has its tables and views with columns, types and numbers of rows', async () => {
  const emulator = await start();

  const { body } = await readTables(emulator).expect(200);

  const { tables, size, ...others } = body;
  expect(others).toStrictEqual({ user: 'ada', updatedAt: NOW });
  expect(size % 4_096).toBe(0);
  expect(tables).toStrictEqual([
    {
      name: 'numbers',
      type: 'table',
      sql: 'CREATE TABLE numbers (id INTEGER PRIMARY KEY AUTOINCREMENT, n)',
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'n', type: '' },
      ],
      rows: 1_200,
    },
    {
      name: 'odd "name"',
      type: 'table',
      sql: 'CREATE TABLE "odd ""name""" ("a b" TEXT, "select" INTEGER, c BLOB, d REAL, twice AS ("select" * 2))',
      columns: [
        { name: 'a b', type: 'TEXT' },
        { name: 'select', type: 'INTEGER' },
        { name: 'c', type: 'BLOB' },
        { name: 'd', type: 'REAL' },
        { name: 'twice', type: '' },
      ],
      rows: 2,
    },
    {
      name: 'recent',
      type: 'view',
      sql: 'CREATE VIEW recent AS SELECT n, CURRENT_TIMESTAMP AS at FROM numbers WHERE n > 100',
      columns: [
        { name: 'n', type: 'BLOB' },
        { name: 'at', type: '' },
      ],
      rows: null,
    },
  ]);
  const empty = await readTables(emulator, {}, 'bob').expect(200);
  expect(empty.body).toStrictEqual({ user: 'bob', size: 0, updatedAt: '2024-06-11T21:05:12.585Z', tables: [] });
});

test('values are null, numbers, texts and sizes of blobs, and integers beyond 2^53 are texts', async () => {
  const emulator = await start();

  const { body } = await readRows(emulator, 'odd "name"').expect(200);

  expect(body.columns.map(({ name }: { readonly name: string }) => name)).toStrictEqual([
    ...['a b', 'select', 'c', 'd', 'twice'],
  ]);
  expect(body.rows).toStrictEqual([
    ["it's", '9007199254740993', { bytes: 3 }, 1.5, '18014398509481986'],
    [null, 1, { bytes: 1_000_000 }, null, 2],
  ]);
});

test('rows are read page by page, of a view too', async () => {
  const emulator = await start();
  const count = async (query: object) => (await readRows(emulator, 'numbers', query).expect(200)).body.rows.length;

  expect((await readRows(emulator, 'numbers', { offset: 3, limit: 2 }).expect(200)).body).toStrictEqual({
    columns: [
      { name: 'id', type: 'INTEGER' },
      { name: 'n', type: '' },
    ],
    offset: 3,
    total: 1_200,
    rows: [
      [4, 16],
      [5, 25],
    ],
  });
  expect(await count({})).toBe(100);
  expect(await count({ limit: 1_000 })).toBe(1_000);
  expect(await count({ limit: 1_000, offset: 1_000 })).toBe(200);
  expect(await count({ offset: Number.MAX_SAFE_INTEGER })).toBe(0);
  expect((await readRows(emulator, 'recent', { limit: 1 }).expect(200)).body.rows).toStrictEqual([
    [121, '2024-06-11 22:05:12'],
  ]);
});

test('rows are read by a statement, of a user by name, and none is written', async () => {
  const emulator = await start();
  const read = async (query: object, status = 200) =>
    (await as(emulator).get('/_emulator/sqlite/ada/rows').query(query).expect(status)).body;

  const sql = 'SELECT id, n AS square, c FROM numbers JOIN "odd ""name""" WHERE id < 4 AND d IS 1.5';
  expect(await read({ sql, offset: 1 })).toStrictEqual({
    columns: [
      { name: 'id', type: 'INTEGER' },
      { name: 'square', type: '' },
      { name: 'c', type: 'BLOB' },
    ],
    offset: 1,
    total: 3,
    rows: [
      [2, 4, { bytes: 3 }],
      [3, 9, { bytes: 3 }],
    ],
  });
  expect((await read({ sql: 'SELECT n FROM numbers', limit: 2 })).rows).toStrictEqual([[1], [4]]);
  const tables: string[][] = (await read({ limit: 2 })).rows;
  expect(tables.map(([type, name]) => [type, name])).toStrictEqual([
    ['table', 'numbers'],
    ['table', 'odd "name"'],
  ]);
  expect((await read({ sql: 'DELETE FROM numbers' }, 422)).message).toContain('attempt to write a readonly database');
  expect((await read({ sql: 'SELECT * FROM nowhere' }, 422)).message).toContain('no such table: nowhere');
  expect((await read({ sql: 'SELECT é FRM numbers' }, 422)).message).toBe(
    'SQL_PARSE_ERROR: SQL string could not be parsed: near "numbers": syntax error (at offset 14)',
  );
  expect((await read({ sql: 'SELECT 1', table: 'numbers' }, 422)).message).toBe(
    'option sql: expected either table or sql, not both.',
  );
  expect((await readRows(emulator, 'numbers', { offset: 1_199 })).body.rows).toStrictEqual([[1_200, 1_440_000]]);
});

test.each([
  ['stock (sku TEXT UNIQUE, qty)', "('pear', 0), ('apple', 0)", ['rowid = 1', 'rowid = 2']],
  ['named (rowid, "OID")', "('2 OR 1=1', 0)", ['_rowid_ = 1']],
  ['aliased (oid, rowid INTEGER PRIMARY KEY, _rowid_)', '(0, 9007199254740993, 0)', ['"rowid" = 9007199254740993']],
  [
    'hidden (rowid, _rowid_, oid, "a""b\'", PRIMARY KEY (rowid, "a""b\'"))',
    "('it''s', 0, 0, 9007199254740993), (NULL, 0, 0, 1), ('1', 0, 0, x'01')",
    [`"rowid" = 'it''s' AND "a""b'" = 9007199254740993`, null, `"rowid" = '1' AND "a""b'" = X'01'`],
  ],
  ['keyed (a, b, PRIMARY KEY (b, a)) WITHOUT ROWID', "(0.5, '1')", [`"a" = 0.5 AND "b" = '1'`]],
  ['keyless (rowid, _rowid_, oid)', '(1, 2, 3)', [null]],
] as const)('rows of the table %s have keys, by which SQL finds them', async (table, values, keys) => {
  const name = table.split(' ')[0] ?? '';
  const emulator = await start(`CREATE TABLE ${table}; INSERT INTO ${name} VALUES ${values}`);

  const { body } = await queryRows(emulator, { table: name, keys: true }).expect(200);

  expect(body.keys).toStrictEqual(keys);
  for (const key of keys.filter((each) => each !== null)) {
    const found = await execute(emulator, `SELECT count(*) FROM ${name} WHERE ${key}`);
    expect(found.body.rows).toStrictEqual([[1]]);
  }
});

test('rows of a view have no keys, and rows of a table only on request', async () => {
  const emulator = await start();

  const read = async (query: object) => (await queryRows(emulator, { limit: 1, ...query }).expect(200)).body;

  expect((await read({ table: 'recent', keys: true })).keys).toStrictEqual([null]);
  expect(await read({ table: 'numbers' })).not.toHaveProperty('keys');
});

test('a statement that is too long for an address is read from a body', async () => {
  const emulator = await start();

  const { body } = await queryRows(emulator, {
    sql: `SELECT length('${'x'.repeat(900_000)}') AS n`,
    at: 'start',
  }).expect(200);

  expect(body).toStrictEqual({ columns: [{ name: 'n', type: '' }], offset: 0, total: 1, rows: [[900_000]] });
  expect((await queryRows(emulator, { table: 'numbers', offset: 1, limit: 1 }).expect(200)).body.rows).toStrictEqual([
    [2, 4],
  ]);
  expect((await queryRows(emulator, { sql: 'DELETE FROM numbers' }).expect(422)).body.message).toContain(
    'SQLITE_READONLY',
  );
});

test('tables and rows can be read as of a commit, with its time', async () => {
  const emulator = await start('CREATE TABLE t (a); CREATE VIEW clock AS SELECT CURRENT_TIMESTAMP AS now');
  await execute(emulator, "INSERT INTO t VALUES ('first')");
  await emulator.clock.advance('1h');
  await execute(emulator, 'CREATE TABLE u (b)');
  const [first, last] = emulator.history();
  const namesAt = async (at?: string) =>
    (await readTables(emulator, { at }).expect(200)).body.tables.map(({ name }: { readonly name: string }) => name);
  const rowsAt = async (table: string, at?: string) =>
    (await readRows(emulator, table, { at }).expect(200)).body.rows.flat();

  expect(await namesAt('start')).toStrictEqual(['clock', 't']);
  expect(await rowsAt('t', 'start')).toStrictEqual([]);
  expect(await rowsAt('t', first?.id)).toStrictEqual(['first']);
  expect(await rowsAt('clock', first?.id)).toStrictEqual(['2024-06-11 22:05:12']);
  expect(await rowsAt('clock', last?.id)).toStrictEqual(['2024-06-11 23:05:12']);
  expect(await namesAt(last?.id)).toStrictEqual(['clock', 't', 'u']);
  expect(await namesAt()).toStrictEqual(['clock', 't', 'u']);
  expect(emulator.history()).toHaveLength(2);
});

test('a view that cannot be read, or has no end, has an error, and the others have their rows', async () => {
  const emulator = await start(`
    CREATE TABLE t (a); INSERT INTO t VALUES (1);
    CREATE TABLE gone (x); CREATE VIEW broken AS SELECT x FROM gone; DROP TABLE gone;
    CREATE VIEW naturals AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c;
    CREATE VIEW endless AS SELECT max(i) AS i FROM naturals`);

  const { body } = await readTables(emulator).expect(200);

  expect(body.tables).toMatchObject([
    { name: 'broken', columns: [], rows: null, error: 'SQLITE_UNKNOWN: SQLite error: no such table: main.gone' },
    { name: 'endless', columns: [{ name: 'i' }], rows: null },
    { name: 'naturals', columns: [{ name: 'i' }], rows: null },
    { name: 't', columns: [{ name: 'a' }], rows: 1 },
  ]);
  expect((await readRows(emulator, 'naturals', { limit: 3 }).expect(200)).body.rows).toStrictEqual([[1], [2], [3]]);
  expect((await readRows(emulator, 'broken').expect(422)).body.message).toBe(
    'SQLITE_UNKNOWN: SQLite error: no such table: main.gone',
  );
  expect((await readRows(emulator, 'endless').expect(422)).body.message).toContain('SQLITE_INTERRUPT: interrupted');
  expect((await readRows(emulator, 't').expect(200)).body.rows).toStrictEqual([[1]]);
});

test('views of a database share the time of one request, and those that take little have their columns', async () => {
  const nested = Array.from(
    { length: 31 },
    (_, i) => `CREATE VIEW v${i + 1} AS SELECT a.x FROM v${i} AS a, v${i} AS b`,
  );
  const emulator = await start(`CREATE VIEW v0 AS SELECT 1 AS x; ${nested.join(';')}; CREATE TABLE later (a)`);
  const perform = vi.spyOn(SqliteThread.prototype, 'performLater');

  const { body } = await readTables(emulator).expect(200);

  const ofViews = perform.mock.calls.flatMap(([task]) =>
    task.kind === 'run' && /xinfo\("v/.test(task.statements[0]?.sql ?? '') ? [task.left ?? task.time] : [],
  );
  perform.mockRestore();
  // Each level takes twice the time of the one before, and 2^31 of anything takes longer than a second.
  expect(ofViews.length).toBeLessThan(31);
  expect(ofViews).toStrictEqual(ofViews.toSorted((a, b) => b - a));
  const byName = new Map(body.tables.map((table: { name: string }) => [table.name, table]));
  expect([...byName.keys()]).toStrictEqual([...byName.keys()].sort());
  for (const name of ['v0', 'v1', 'v2', 'v9']) expect(byName.get(name)).toMatchObject({ columns: [{ name: 'x' }] });
  expect(byName.get('later')).toMatchObject({ columns: [{ name: 'a' }], rows: 0 });
  expect(byName.get('v31')).toMatchObject({
    ...{ columns: [], rows: null },
    error: 'SQLITE_INTERRUPT: interrupted: statements end after 1 s',
  });
});

test('other requests run while the views of a database are described', async () => {
  const slow = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT max(i) AS i FROM c';
  const emulator = await start(`CREATE VIEW endless AS ${slow}`);
  let isDone = false;
  const reading = readRows(emulator, 'endless').then(({ status }) => {
    isDone = true;
    return status;
  });

  let responses = 0;
  for (; !isDone; responses++) await as(emulator, 'ada').get('/v1/me').expect(200);

  expect(await reading).toBe(422);
  // The first may have been handled before the statement began.
  expect(responses).toBeGreaterThan(1);
});

test('an unknown database, table or commit returns 404, and a page that is too long 400', async () => {
  const emulator = await start();
  const eve = idOf(emulator, 'eve');
  const messageOf = async (request: ReturnType<typeof readTables>, status: number) =>
    (await request.expect(status)).body.message;

  expect(await messageOf(readTables(emulator, {}, 'eve'), 404)).toBe(
    `There is no SQLite database of a user or a project "${eve}".`,
  );
  expect(await messageOf(readTables(emulator, { at: 'r9' }), 404)).toBe(
    'There is no commit "r9": nothing was written yet.',
  );
  expect(await messageOf(readRows(emulator, 'number'), 404)).toBe(
    'There is no table or view "number". Did you mean "numbers"?',
  );
  expect(await messageOf(readRows(emulator, 'sqlite_schema'), 404)).toBe('There is no table or view "sqlite_schema".');
  expect(await messageOf(readRows(emulator, 'numbers" --'), 404)).toContain('There is no table or view');
  expect(await messageOf(readRows(emulator, 'numbers', { at: 'r9' }), 404)).toContain('There is no commit "r9"');
  expect(await messageOf(readRows(emulator, 'numbers', { limit: 1_001 }), 400)).toBe(
    'querystring.limit: found 1001; expected at most 1000.',
  );
});

test('a request, its commit and the history of its database have the rows that it has changed', async () => {
  const emulator = await start('CREATE TABLE todos (id INTEGER PRIMARY KEY, done); INSERT INTO todos VALUES (1, 0)');
  await execute(emulator, 'UPDATE todos SET done = 1');
  const get = async (path: string) => (await as(emulator).get(`/_emulator/${path}`).expect(200)).body;

  const changes = [{ table: 'todos', before: { id: 1, done: 0 }, after: { id: 1, done: 1 } }];
  const rows = [{ record: 'sqlite/ada', statement: 'UPDATE todos SET done = 1', changes, more: 0 }];
  expect((await get('requests/r1')).rows).toStrictEqual(rows);
  expect((await get('history/r1')).changes).toMatchObject([{ collection: 'sqlite', rows }]);
  expect(await get('history?record=sqlite/ada')).toMatchObject([{ id: 'r1', changes: [{ rows }] }]);
  await as(emulator, 'ada').get('/v1/me').expect(200);
  expect((await get('requests/r2')).rows).toStrictEqual([]);
});
