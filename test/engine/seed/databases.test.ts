import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { anyText } from '../../support/any-text.js';
import { createEmulator, emulate, NOW } from '../../support/emulate.js';
import { SEED, scaled, sized } from '../../support/soak.js';
import { readDatabase, type Statement, sqlOf } from '../../support/sql.js';
import { makeFile } from '../../support/sqlite-alone.js';
import { folderOf, listFolderProblems, listProblems, untyped } from './loading.js';

const users = [{ username: 'ada' }, { username: 'bob' }];
type Database = NonNullable<Fixtures['sqlite']>[number];
const open = (...sqlite: Omit<Database, 'user'>[]) =>
  emulate({ users, sqlite: sqlite.map((each, i) => ({ user: users[i]?.username ?? '', ...each })) }, { listen: false });
const notes = (emulator: Emulator) => sqlOf(emulator).rows('SELECT id, text FROM notes ORDER BY id');
const NOTES = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text);\nINSERT INTO notes VALUES (1, 'a;b'), (2, 'ä');";
const TWO = [
  [1, 'a;b'],
  [2, 'ä'],
];

describe('a database is created', () => {
  test('by SQL, as one text or as lines', async () => {
    expect(await notes(await open({ sql: NOTES }))).toStrictEqual(TWO);
    expect(await notes(await open({ sql: NOTES.split('\n') }))).toStrictEqual(TWO);
    expect(await notes(await open({ sql: `BEGIN;\n${NOTES}\nCOMMIT; -- as a dump has it` }))).toStrictEqual(TWO);
  });

  test('by rows, whose keys are the columns of a table that does not exist', async () => {
    const emulator = await open({
      rows: {
        notes: [{ id: 1, text: 'a' }, { id: 2, when: true }, { text: [0, 255] }, { id: 1.5, text: null }],
        none: [],
      },
    });

    expect(await sqlOf(emulator).rows('SELECT * FROM notes')).toStrictEqual([
      [1, 'a', null],
      [2, null, 1],
      [null, [0, 255], null],
      [1.5, null, null],
    ]);
    expect(await sqlOf(emulator).rows('SELECT name FROM sqlite_schema')).toStrictEqual([['notes']]);
  });

  test('by SQL, and then by rows with the defaults of its tables', async () => {
    const emulator = await open({
      sql: 'CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP, "a ""b" DEFAULT 5)',
      rows: { t: [{ id: 7 }, { 'a "b': 'x' }, {}] },
    });

    expect(await sqlOf(emulator).rows('SELECT * FROM t')).toStrictEqual([
      [7, '2024-06-11 22:05:12', 5],
      [8, '2024-06-11 22:05:12', 'x'],
      [9, '2024-06-11 22:05:12', 5],
    ]);
  });

  test('by a file of SQLite or of SQL, in base64 or by its path', async () => {
    const file = await makeFile(NOTES);
    const sql = Buffer.from(`\ufeff${NOTES}`);
    const folder = folderOf({
      'users.json': users,
      'sqlite.json': [
        { user: 'ada', file: 'data/notes.db' },
        { user: 'bob', file: 'notes.sql', rows: { notes: [{ text: 'third' }] } },
      ],
      'data/notes.db': file,
      'notes.sql': sql,
    });

    expect(await notes(await open({ base64: file.toString('base64') }))).toStrictEqual(TWO);
    expect(await notes(await open({ base64: sql.toString('base64') }))).toStrictEqual(TWO);
    const emulator = await createEmulator({ fixtures: folder, listen: false });
    expect(await notes(emulator)).toStrictEqual(TWO);
    expect(await sqlOf(emulator, 'bob').rows('SELECT * FROM notes')).toStrictEqual([...TWO, [3, 'third']]);
    await emulator.close();
  });

  test.each([512, 65_536])('by a file with pages of %i bytes', async (size) => {
    const file = await makeFile(`PRAGMA page_size = ${size}`, NOTES);
    const emulator = await open({ base64: file.toString('base64') });

    await sqlOf(emulator).all("INSERT INTO notes VALUES (3, 'c')");

    expect(await notes(emulator)).toStrictEqual([...TWO, [3, 'c']]);
    expect(await readDatabase(emulator)).toMatchObject({ check: 'ok' });
    expect(await sqlOf(emulator).rows('PRAGMA page_size')).toStrictEqual([[size]]);
  });

  test('by a file with the mode of a write-ahead log', async () => {
    const file = await makeFile(NOTES);
    file.fill(2, 18, 20);

    const emulator = await open({ base64: file.toString('base64') });

    await sqlOf(emulator).all("INSERT INTO notes VALUES (3, 'c')");
    expect(await notes(emulator)).toStrictEqual([...TWO, [3, 'c']]);
  });

  test('by methods and requests, at most one for each user', async () => {
    const emulator = await emulate({ users });
    const post = (body: unknown) =>
      emulator.fetch('/_emulator/records/sqlite', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    expect(emulator.add.sqlite({ user: 'ada', sql: 'CREATE TABLE t (a)', rows: { t: [{ a: 1 }] } })).toStrictEqual({
      user: 'ada',
      sql: ['CREATE TABLE t (a);', 'INSERT INTO "t" (rowid,"a") VALUES (1,1);'],
      updatedAt: NOW,
    });
    expect((await post({ user: 'bob', rows: { t: [{ a: 1 }] } })).status).toBe(201);
    const taken = await post({ user: 'bob', rows: { t: [{ a: 1 }] } });

    expect([taken.status, await taken.json()]).toMatchObject([422, { problems: [{ path: 'sqlite.user' }] }]);
    expect(await sqlOf(emulator, 'bob').rows('SELECT * FROM t')).toStrictEqual([[1]]);
    expect(() => emulator.add.sqlite({ user: 'nobody', sql: '' })).toThrow('there is no user "nobody"');
  });
});

describe('time', () => {
  test('is the time of the load, and a reset restores the database of the load', async () => {
    const emulator = await open({ sql: "CREATE TABLE t AS SELECT datetime('now') AS at", updatedAt: '-2h' });
    const read = () => sqlOf(emulator).rows('SELECT at FROM t');
    const loaded = await readDatabase(emulator);
    await sqlOf(emulator).all('DELETE FROM t', 'CREATE TABLE u (a)');

    emulator.reset();

    expect(await read()).toStrictEqual([['2024-06-11 22:05:12']]);
    expect(await readDatabase(emulator)).toStrictEqual(loaded);
    expect(emulator.state().sqlite[0]).toMatchObject({ updatedAt: '2024-06-11T20:05:12.585Z' });
    expect(emulator.state({ relative: true }).sqlite[0]).toMatchObject({ updatedAt: '-2h' });
    expect(emulator.state({ brief: true }).sqlite[0]).not.toHaveProperty('user.updatedAt');
  });

  test('a reset at another time keeps the rows, and moves a relative time', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12), toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const sqlite = [{ user: 'ada', sql: NOTES, updatedAt: '-1d' as const }];
    const emulator = await emulate({ users, sqlite }, { now: undefined, listen: false });
    const time = () => emulator.state().sqlite[0]?.updatedAt;
    expect(time()).toBe('2026-02-28T12:00:00.000Z');
    vi.setSystemTime(Date.UTC(2026, 2, 1, 13));

    emulator.reset();

    expect(time()).toBe('2026-02-28T13:00:00.000Z');
    expect(await notes(emulator)).toStrictEqual(TWO);
  });
});

describe('a mistake is reported with its path', () => {
  test.each<[database: object, ...problems: string[]]>([
    [{ sql: 'SELEKT 1' }, '.sql: line 1: SQLITE_ERROR: near "SELEKT": syntax error.'],
    [{ sql: ['CREATE TABLE "ä\n" (a);', '', 'SELEKT 1'] }, '.sql: line 4: SQLITE_ERROR: near "SELEKT": syntax error.'],
    [
      { sql: ['SELECT 1;', 'SELEKT 2'], base64: Buffer.from('SELECT 1;\nnot').toString('base64') },
      ': line 2 of the file or base64: SQLITE_ERROR: near "not": syntax error.',
    ],
    [{ sql: 'CREATE TABLE t (a); INSERT INTO x VALUES (1)' }, '.sql: line 1: SQLITE_ERROR: no such table: x.'],
    [{ sql: 'BEGIN; CREATE TABLE t (a)' }, '.sql: line 1: SQLITE_ERROR: the statements leave a transaction open.'],
    [{ sql: 'CREATE TEMP TABLE t (a)' }, expect.stringContaining('.sql: line 1: SQLITE_AUTH: not authorized: ')],
    [{ sql: "ATTACH 'x' AS y" }, expect.stringContaining('.sql: line 1: SQLITE_AUTH: not authorized: ')],
    [
      { sql: 'CREATE TABLE t (a UNIQUE)', rows: { t: [{ a: 1 }, { a: 1 }] } },
      '.rows.t[1]: SQLITE_CONSTRAINT: UNIQUE constraint failed: t.a.',
    ],
    [
      { sql: 'CREATE TABLE t (a)', rows: { t: [{ b: 1 }] } },
      '.rows.t[0]: SQLITE_ERROR: table t has no column named b.',
    ],
    [{ rows: { t: [{}] } }, '.rows.t[0]: SQLITE_ERROR: no such table: t.'],
    [
      { rows: { sqlite_x: [{ a: 1 }] } },
      '.rows.sqlite_x: SQLITE_ERROR: object name reserved for internal use: sqlite_x.',
    ],
    [{ base64: '%' }, ': base64: found other characters; expected base64.'],
    [{ base64: 'AP8=' }, ': expected a file of SQLite, or SQL statements in UTF-8.'],
    [
      { base64: Buffer.from('SQLite format 3\0 and no more').toString('base64') },
      expect.stringMatching(/: SQLITE_(?:NOTADB|CORRUPT): /),
    ],
    [{ file: 'a.db' }, expect.stringContaining(': file: expected in a fixture file only')],
    [{ sql: 5 }, '.sql: found 5; expected a string or an array of lines.'],
    [
      { rows: { t: [{ a: { b: 1 } }] } },
      expect.stringContaining('.rows.t[0].a: found {"b":1}; expected null, a string'),
    ],
    [{ rows: { t: [{ a: [256] }] } }, expect.stringContaining('.rows.t[0].a')],
    [{ user: 'nobody', sql: '' }, '.user: there is no user "nobody". Users: ada, bob.'],
    [{ sqll: '' }, '.sqll: unknown key. Did you mean "sql"?'],
  ])('%j', (database, ...problems) => {
    expect(listProblems(untyped({ users, sqlite: [{ user: 'ada', ...database }] }))).toStrictEqual(
      problems.map((problem) => (typeof problem === 'string' ? `sqlite[0]${problem}` : problem)),
    );
  });

  test('in a folder, by its file', async () => {
    const damaged = await makeFile(NOTES, `INSERT INTO notes (text) VALUES (hex(zeroblob(10000)))`);
    damaged.fill(255, 8_192, 12_288);
    const files = {
      'users.json': users,
      'sqlite.json': [
        { user: 'ada', file: 'none.db' },
        { user: 'bob', file: 'damaged.db' },
      ],
      'damaged.db': damaged,
    };

    expect(listFolderProblems(files)).toStrictEqual([
      expect.stringMatching(/^sqlite\.json \[0\].*none\.db/),
      expect.stringMatching(/^sqlite\.json \[1\]: SQLITE_CORRUPT: /),
    ]);
    const both = { ...files, 'sqlite.json': [{ user: 'bob', file: 'damaged.db', base64: '' }] };
    expect(listFolderProblems(both)).toStrictEqual(['sqlite.json [0]: expected one of text, json, base64 and file.']);
  });

  test('two databases of a user', () => {
    const sqlite = [
      { user: 'ada', sql: '' },
      { user: 'ADA', sql: '' },
    ];

    expect(listProblems({ users, sqlite })).toStrictEqual([
      'sqlite[1]: the database of the same user or project as sqlite[0]; expected one of each.',
    ]);
  });
});

/** Reads a database to the last bit: the type and the bytes of each value, and the rowids. */
async function readExactly(emulator: Emulator) {
  const { rows } = sqlOf(emulator);
  const quote = (name: unknown) => `"${String(name).replaceAll('"', '""')}"`;
  const tables = await rows(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type <> 'view' AND name <> 'sqlite_schema' ORDER BY 1",
  );
  const contents: unknown[] = [];
  for (const [name, isWithoutRowid] of tables) {
    const columns = await rows({ sql: 'SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1', args: [name] });
    const fields = columns
      .map(([column]) => quote(column))
      .flatMap((c) => [`typeof(${c})`, `hex(${c})`, `quote(${c})`]);
    const taken = columns.some(([column]) => column === '_rowid_');
    const all = [...(isWithoutRowid || taken ? [] : ['_rowid_']), ...fields];
    contents.push([name, await rows(`SELECT ${all} FROM ${quote(name)} ORDER BY ${all.map((__, i) => i + 1)}`)]);
  }
  const schema = await rows('SELECT type, name, tbl_name, rtrim(sql, char(10)) FROM sqlite_schema ORDER BY type, name');
  const [[check] = []] = await rows('PRAGMA integrity_check');
  const versions = [await rows('PRAGMA user_version'), await rows('PRAGMA application_id')];
  return { check, schema, contents, versions };
}

/** Exports an emulator, loads this as a file of fixtures has it, and expects that the same database comes out. */
async function expectSame(emulator: Emulator): Promise<Emulator> {
  const exported: Fixtures = JSON.parse(JSON.stringify(emulator.state()));
  const again = await emulate(exported, { listen: false });
  const before = await readExactly(emulator);
  expect(before.check).toBe('ok');
  expect(await readExactly(again)).toStrictEqual(before);
  expect(JSON.stringify(again.state())).toBe(JSON.stringify(exported));
  return again;
}

/** Runs statements one by one, of which some may fail. Returns how many did not. */
async function fill(emulator: Emulator, statements: readonly Statement[]): Promise<number> {
  let count = 0;
  for (const statement of statements) if ((await sqlOf(emulator).execute(statement)).status === 200) count++;
  return count;
}

describe('an exported database is loaded unchanged', () => {
  test.each<[what: string, ...statements: string[]]>([
    ['nothing'],
    ['an empty table', 'CREATE TABLE t (a)'],
    ['only a dropped table', 'CREATE TABLE t (a)', 'DROP TABLE t'],
    [
      'a table without columns that are stored',
      'CREATE TABLE t (a INTEGER PRIMARY KEY, b AS (a * 2), c AS (a * 3) STORED)',
      'INSERT INTO t VALUES (5)',
    ],
    [
      'texts in double quotes',
      `CREATE TABLE t (a CHECK (a IN ("x", 'y')))`,
      'INSERT INTO t VALUES ("x")',
      'CREATE INDEX i ON t (a || "z")',
      'CREATE VIEW v AS SELECT a, "text" AS b FROM t WHERE a <> "y"',
      'CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = "y"; END',
    ],
    [
      'quotes in names',
      'CREATE TABLE "a ""b" ("c ""d" TEXT, [e f], \'g\'\'h\')',
      `INSERT INTO "a ""b" VALUES ('it''s', '"', '')`,
    ],
    ['rowids', 'CREATE TABLE t (a)', "INSERT INTO t (rowid, a) VALUES (5, 'x'), (-3, 'y'), (9223372036854775807, 'z')"],
    [
      'columns named as the rowid',
      'CREATE TABLE t (rowid, oid)',
      'INSERT INTO t (_rowid_, rowid, oid) VALUES (9, 1, 2)',
    ],
    ['columns that hide the rowid', 'CREATE TABLE t (rowid, oid, _ROWID_)', 'INSERT INTO t VALUES (1, 2, 3)'],
    [
      'a key in descending order',
      'CREATE TABLE t (a INTEGER PRIMARY KEY DESC, b)',
      'INSERT INTO t (rowid, a, b) VALUES (9, 1, 2)',
    ],
    [
      'a key of two columns',
      'CREATE TABLE t (a, b, PRIMARY KEY (b, a))',
      'INSERT INTO t (rowid, a, b) VALUES (9, 1, 2), (3, 2, 1)',
    ],
    ['no rowid', 'CREATE TABLE t (a TEXT PRIMARY KEY, b) WITHOUT ROWID', "INSERT INTO t VALUES ('z', 1), ('a', 2)"],
    [
      'AUTOINCREMENT',
      'CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)',
      'INSERT INTO t VALUES (5), (9)',
      'DELETE FROM t WHERE a = 9',
    ],
    [
      'AUTOINCREMENT with a changed count',
      'CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)',
      'INSERT INTO t VALUES (5)',
      'DELETE FROM sqlite_sequence',
    ],
    [
      'integers and reals',
      'CREATE TABLE t (a)',
      'INSERT INTO t VALUES (9223372036854775807), (-9223372036854775808), (0.1), (1e300), (-1e-300), (5e-324), (1.0), (9e999), (-9e999), (1.7976931348623157e308), (0.1 + 0.2)',
    ],
    [
      'texts and blobs',
      'CREATE TABLE t (a)',
      "INSERT INTO t VALUES (''), (x''), ('a' || char(0) || 'b'), (char(0)), (x'00ff'), ('ä🎉'), (char(10)), ('--'), ('/*'), (';')",
    ],
    [
      'a replacement character, and a text that is not UTF-8',
      'CREATE TABLE t (a)',
      "INSERT INTO t VALUES (char(65533)), (CAST(x'ff41' AS TEXT))",
    ],
    [
      'numbers as texts by affinity',
      'CREATE TABLE t (a TEXT, b INTEGER, c NUMERIC, d REAL, e BLOB)',
      "INSERT INTO t VALUES (1, '2', '3.0', 4, '5'), (1.5, '2x', 'x', 'y', 5)",
    ],
    ['strict tables', 'CREATE TABLE t (a INT, b TEXT, c ANY) STRICT', "INSERT INTO t VALUES (1, 'a' || char(0), '1')"],
    [
      'constraints and foreign keys',
      'CREATE TABLE b (a REFERENCES a, CHECK (a > 0))',
      'CREATE TABLE a (a INTEGER PRIMARY KEY)',
      'INSERT INTO a VALUES (1)',
      'INSERT INTO b VALUES (1)',
    ],
    [
      'views, triggers and indexes',
      'CREATE TABLE t (a)',
      'CREATE TABLE log (a)',
      "INSERT INTO t VALUES ('x'), ('y')",
      'CREATE VIEW w AS SELECT a FROM v',
      'CREATE VIEW v AS SELECT a FROM t -- end',
      'CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END',
      'CREATE TRIGGER h INSTEAD OF INSERT ON v BEGIN SELECT 1; END',
      'CREATE UNIQUE INDEX i ON t (a COLLATE NOCASE DESC) WHERE a IS NOT NULL',
      'CREATE INDEX j ON t (lower(a))',
    ],
    [
      'statistics',
      'CREATE TABLE t (a, b)',
      'CREATE INDEX i ON t (a, b)',
      'INSERT INTO t VALUES (1, 2), (1, 3)',
      'ANALYZE',
    ],
    ['versions', 'CREATE TABLE t (a)', 'PRAGMA user_version = -7', 'PRAGMA application_id = 2147483647'],
    [
      'altered tables',
      'CREATE TABLE t (a)',
      "INSERT INTO t VALUES ('x')",
      "ALTER TABLE t ADD COLUMN b DEFAULT 'later'",
      'ALTER TABLE t RENAME COLUMN a TO "c d"',
      'ALTER TABLE t RENAME TO "u"',
    ],
    [
      'a search of texts',
      'CREATE VIRTUAL TABLE f USING fts5(a, b)',
      "INSERT INTO f VALUES ('a dice', 'x'), ('other', 'y')",
      "DELETE FROM f WHERE a = 'other'",
    ],
    ['a search of areas', 'CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)', 'INSERT INTO r VALUES (1, 0, 5)'],
  ])('%s', async (_, ...statements) => {
    const emulator = await open({});
    for (const statement of statements)
      expect(await sqlOf(emulator).execute(statement), statement).toMatchObject({ status: 200 });

    await expectSame(emulator);
  });

  test('with a search of texts, which is exported as a file', async () => {
    const emulator = await open({
      sql: "CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES ('a red dice'), ('a blue die')",
    });

    const again = await expectSame(emulator);

    expect(emulator.state().sqlite[0]).toHaveProperty('base64');
    await sqlOf(again).all("INSERT INTO f VALUES ('two dice')");
    expect(await sqlOf(again).rows("SELECT a FROM f WHERE f MATCH 'dice' ORDER BY a")).toStrictEqual([
      ['a red dice'],
      ['two dice'],
    ]);
  });

  test('after its only table with AUTOINCREMENT is dropped', async () => {
    const emulator = await open({ sql: 'CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE u (a)' });
    await sqlOf(emulator).all('DROP TABLE t');

    const again = await emulate(emulator.state(), { listen: false });

    expect(await sqlOf(again).rows('SELECT name FROM sqlite_schema')).toStrictEqual([['u']]);
  });

  const literal = fc.oneof(
    fc.constantFrom('NULL', "''", "x''", '0.1', '1e300', '-0.0', '9e999', "'1'", "'1.0'", 'char(0)', "'a' || char(0)"),
    fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toExponential()),
    anyText.map((text) => `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => `x'${Buffer.from(bytes).toString('hex')}'`),
  );
  const name = fc.constantFrom('a', 'B', 'c d', 'it"s', "o'", 'order', 'ä', 'rowid', '_rowid_', '1', 'x;y', '--');
  const quoteName = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const column = fc.tuple(name, fc.constantFrom('', 'TEXT', 'INTEGER', 'REAL', 'NUMERIC', 'BLOB', 'VARCHAR(9)'));
  const table = fc
    .record({
      table: name,
      columns: fc.uniqueArray(column, { selector: ([each]) => each.toLowerCase(), minLength: 1, maxLength: 4 }),
      key: fc.constantFrom('none', 'rowid', 'counted', 'own', 'without'),
      generated: fc.boolean(),
      index: fc.boolean(),
      rows: fc.array(fc.array(literal, { minLength: 5, maxLength: 5 }), { maxLength: 6 }),
    })
    .map(({ table: named, columns, key, generated, index, rows }) => {
      const names = columns.map(([each]) => quoteName(each));
      const definitions = columns.map(([each, type]) => `${quoteName(each)} ${type}`);
      const keys = { none: [], rowid: ['k INTEGER PRIMARY KEY'], counted: ['k INTEGER PRIMARY KEY AUTOINCREMENT'] };
      const all = [
        ...(key === 'own' || key === 'without' ? [] : keys[key]),
        ...definitions,
        ...(generated ? [`g AS (typeof(${names[0]})) STORED`] : []),
        ...(key === 'own' || key === 'without' ? [`PRIMARY KEY (${names[0]})`] : []),
      ];
      const create = `CREATE TABLE ${quoteName(named)} (${all.join(', ')})${key === 'without' ? ' WITHOUT ROWID' : ''}`;
      const inserts = rows.map(
        (row) => `INSERT INTO ${quoteName(named)} (${names}) VALUES (${row.slice(0, names.length)})`,
      );
      return [
        ...[create, ...inserts, `DELETE FROM ${quoteName(named)} WHERE ${names[0]} = ${rows[0]?.[0] ?? 'NULL'}`],
        ...(index ? [`CREATE INDEX ${quoteName(`i${named}`)} ON ${quoteName(named)} (${names.toReversed()})`] : []),
        `CREATE VIEW ${quoteName(`v${named}`)} AS SELECT ${names[0]} AS x FROM ${quoteName(named)}`,
      ];
    });

  test('any tables with any rows', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(table, { minLength: 1, maxLength: 3 }), async (tables) => {
        const emulator = await open({});
        run += await fill(emulator, tables.flat());
        await expectSame(emulator);
        await emulator.close();
      }),
      { numRuns: sized(5, scaled(500)), seed: Number(SEED) },
    );
    expect(run).toBeGreaterThan(sized(30, scaled(3_000)));
  });
});
