import { describe, expect, test } from 'vitest';
import type { RunTask, Task } from '#vals/sqlite/tasks.js';
import { SqliteThread } from '#vals/sqlite/thread/thread.js';
import { Timer } from '#vals/sqlite/thread/timer.js';
import { emulate } from '../../support/emulate.js';
import { sqlOf } from '../../support/sql.js';
import { waitFor } from '../../support/wait.js';

/** A text of a JSON list with so many ones. */
const list = (count: number) => `('['||substr(replace(hex(zeroblob(${count})),'00',',1'),2)||']')`;
const object = (count: number, value = 1) =>
  `(SELECT json_group_object('k'||value, ${value}) FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT ${count}) SELECT value FROM n))`;
const long = (letter: string, length = 1_900_000) => `printf('%.${length}c', '${letter}')`;
/** A text of nested JSON lists. */
const deep = (levels: number) =>
  `(replace(hex(zeroblob(${levels})), '00', '[') || replace(hex(zeroblob(${levels})), '00', ']'))`;
const FTS = [
  'CREATE VIRTUAL TABLE ft USING fts5(a)',
  `INSERT INTO ft VALUES (replace(hex(zeroblob(90000)), '00', 'a '))`,
];

/** A task with statements on an empty database. @param time milliseconds that they have */
function makeTask(statements: readonly string[], time: number, mode: 'try' | 'write' = 'write'): RunTask {
  const thread = new SqliteThread();
  const [id, after] = [thread.nextId(), thread.nextId()];
  return {
    kind: 'run',
    id,
    after,
    bytes: new Uint8Array(),
    mode,
    time,
    now: 0,
    statements: statements.map((sql) => ({ sql })),
  };
}

const run = (...task: Parameters<typeof makeTask>) => new SqliteThread().perform(makeTask(...task));

/** Statements that take long, or more of the stack of the engine than there is. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  'snippet of a long text': [...FTS, "SELECT snippet(ft, 0, '<', '>', '...', 64) FROM ft WHERE ft MATCH 'a'"],
  'highlight of a long text': [...FTS, "SELECT length(highlight(ft, 0, '<', '>')) FROM ft WHERE ft MATCH 'a'"],
  'json_patch of wide objects': [`SELECT length(json_patch(${object(60_000)}, ${object(60_000, 2)}))`],
  'jsonb_patch of wide objects': [`SELECT length(jsonb_patch(${object(60_000)}, ${object(60_000, 2)}))`],
  'unhex with a long list': [`SELECT unhex(${long('z')}, ${long('y')} || 'z')`],
  'GLOB with a long pattern': [`SELECT ${long('a')} GLOB '*${'[a-z]'.repeat(2_000)}1'`],
  'LIKE with a long pattern': [`SELECT ${long('a')} LIKE '%${'a'.repeat(9_000)}b'`],
  'instr of long texts': [`SELECT instr(${long('a')}, ${long('a', 900_000)} || 'b')`],
  'trim of long texts': [`SELECT trim(${long('a')}, ${long('b', 900_000)})`],
  'json_pretty with a wide indent': [`SELECT length(json_pretty(${list(900_000)}, ${long(' ')}))`],
  'a batch of short statements': Array(500).fill(`SELECT instr(${long('a')}, ${long('a', 1_000)} || 'b')`),
};

test.each(Object.entries(HOSTILE))('%s ends, and the next statement runs', (_, statements) => {
  expect(() => run(statements, 50)).toThrow(/^SQLITE_(?:INTERRUPT|TOOBIG|NOMEM): /);

  expect(run(['SELECT 1'], 10_000)).toMatchObject({ results: [expect.stringContaining('"rows":[[1]]')] });
});

/** Texts with many levels, terms or names. Some of them are within the bounds. */
const WIDE: Readonly<Record<string, readonly string[]>> = {
  'nested CTEs of 1.8 KB': [
    `WITH c0 AS (SELECT 1 AS x)${Array.from({ length: 40 }, (_, i) => `, c${i + 1} AS (SELECT a.x FROM c${i} AS a, c${i} AS b)`).join('')} SELECT * FROM c40`,
  ],
  'MATCH of 30,000 terms': [...FTS, `SELECT count(*) FROM ft WHERE ft MATCH '${Array(30_000).fill('a').join(' ')}'`],
  'json_each of a wide value': [`SELECT count(*) FROM json_each(${list(900_000)})`],
  'json_each of a deep value': [`SELECT count(*) FROM json_each(${deep(900)})`],
  'json_tree of a deep value': [`SELECT sum(length(fullkey)) FROM json_tree(${deep(900)})`],
  'json_tree of a value that is too deep': [`SELECT count(*) FROM json_tree(${deep(500_000)})`],
  'column names of 1.8 KB': [
    `CREATE TABLE t (${Array.from({ length: 40 }, (_, i) => `"${'long'.repeat(450)}${i}"`).join(', ')})`,
    'SELECT * FROM t',
  ],
};

test.each(Object.entries(WIDE))('%s end with a result or an error, once and 500 times', (_, statements) => {
  const last = statements.slice(-1);
  for (const all of [statements, [...statements, ...Array(500).fill(last).flat()]]) {
    try {
      expect(run(all, 300)).toMatchObject({ results: expect.any(Array) });
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringMatching(/^SQLITE_(?:INTERRUPT|TOOBIG|NOMEM|UNKNOWN): /) });
    }
    expect(run(['SELECT 1'], 10_000)).toMatchObject({ results: [expect.stringContaining('"rows":[[1]]')] });
  }
});

test.each<[what: string, statement: string]>([
  ['a deep path of JSON', "SELECT length(json_insert('{}', '$' || replace(hex(zeroblob(5000)), '00', '.a'), 1))"],
  ['nested FROM', `${'SELECT * FROM ('.repeat(3_000)}SELECT 1${')'.repeat(3_000)}`],
])('%s beyond the stack of the engine is an error, and the next statement runs', (_, statement) => {
  expect(() => run([statement], 1_000)).toThrow(/^SQLITE_(?:INTERNAL|INTERRUPT|ERROR): /);

  expect(run(['SELECT 1'], 10_000)).toMatchObject({ results: [expect.stringContaining('"rows":[[1]]')] });
});

test('nothing of a request that was ended is stored, and other databases stay as they are', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }, { username: 'bob' }] });
  const [ada, bob] = [sqlOf(emulator, 'ada'), sqlOf(emulator, 'bob')];
  for (const { all } of [ada, bob]) await all('CREATE TABLE t (a)', 'INSERT INTO t VALUES (1)');
  const { state } = emulator.store;

  expect(await ada.batch(['INSERT INTO t VALUES (2)', ...(HOSTILE['snippet of a long text'] ?? [])])).toMatchObject({
    status: 400,
    body: { code: 'SQLITE_INTERRUPT' },
  });

  expect(emulator.store.state).toBe(state);
  for (const { rows } of [ada, bob]) expect(await rows('SELECT a FROM t')).toStrictEqual([[1]]);
});

test('no statement of a user changes what the connection of another one returns', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }, { username: 'bob' }] });
  const look = ['PRAGMA database_list', 'SELECT changes(), total_changes(), last_insert_rowid()', 'PRAGMA table_list'];
  const before = await sqlOf(emulator, 'bob').all(...look);

  const { execute } = sqlOf(emulator, 'ada');
  for (const pragma of ['user_version = 77', 'application_id = 7', 'user_version', 'page_size', 'integrity_check'])
    expect(await execute(`PRAGMA temp.${pragma}`)).toMatchObject({ status: 400, body: { code: 'SQLITE_AUTH' } });
  for (const statement of [
    "SELECT count(*) FROM sqlite_dbpage('temp')",
    'SELECT * FROM sqlite_temp_schema',
    'ANALYZE temp',
  ])
    await execute(statement);

  expect(await sqlOf(emulator, 'bob').all(...look)).toStrictEqual(before);
});

test('a damaged engine is an error that says so, and the thread of the next one starts', () => {
  new SqliteThread().end();
  const damaged = new SqliteThread(() => ({ script: "throw new Error('a bad disk')", binary: new Uint8Array() }));

  expect(() => damaged.perform({ kind: 'turn', id: 0, time: 1_000 })).toThrow(
    'The SQLite engine cannot be loaded: a bad disk',
  );

  expect(run(['SELECT 1'], 10_000)).toMatchObject({ results: [expect.anything()] });
});

test.each([
  [
    'is absent',
    "await import('file:///nowhere/worker.js');",
    /^The SQLite engine cannot be loaded: Cannot find module '\/nowhere\/worker\.js'/,
  ],
  ['throws', "throw new Error('a bad file');", 'The SQLite engine cannot be loaded: a bad file'],
  ['throws no error', 'throw undefined;', 'The SQLite engine cannot be loaded: undefined'],
])('code of the thread that %s is an error at once, and the thread of the next one starts', (_, code, message) => {
  new SqliteThread().end();
  const start = performance.now();
  const broken = new SqliteThread(undefined, undefined, () => code);

  expect(() => broken.perform({ kind: 'turn', id: 0, time: 1_000 })).toThrow(message);
  // The start of a thread has 30 s.
  expect(performance.now() - start).toBeLessThan(29_000);

  expect(run(['SELECT 1'], 10_000)).toMatchObject({ results: [expect.anything()] });
});

test('other work runs while a task is awaited, and a task that waits has its turn', async () => {
  const thread = new SqliteThread();
  const task = (sql: string): Task => ({
    ...{ kind: 'run', id: thread.nextId(), after: 0, bytes: new Uint8Array(), mode: 'try', time: 1_000, now: 0 },
    statements: [{ sql }],
  });

  const later = thread.performLater(task('SELECT 2'));
  expect(thread.perform(task('SELECT 1'))?.results?.[0]).toContain('"rows":[[1]]');

  expect((await later)?.results?.[0]).toContain('"rows":[[2]]');
  await expect(thread.performLater({ ...task("SELECT 1 FROM json_each('[')"), time: 1_000 })).rejects.toThrow(
    'malformed JSON',
  );
});

test('a task whose caller waits follows one whose reply has just arrived', async () => {
  const thread = new SqliteThread();
  for (let i = 0; i < 300; i++) {
    const later = thread.performLater(makeTask([`SELECT ${i}`], 60_000));
    expect(await later).toMatchObject({ results: [expect.stringContaining(`[[${i}]]`)] });
    expect(run([`SELECT -${i}`], 60_000)).toMatchObject({ results: [expect.any(String)] });
  }
});

describe('the thread ends, and with it the databases that it has open', () => {
  /** Opens a database. Returns a function that finds out whether it is still open. */
  function open(thread: SqliteThread) {
    new SqliteThread().end();
    const { bytes: _, ...task } = makeTask(['SELECT 1'], 60_000, 'try');
    thread.perform({ ...task, bytes: new Uint8Array() });
    const isOpen = () => thread.perform(task) !== undefined;
    expect(isOpen()).toBe(true);
    return isOpen;
  }

  test('when no task has come for some time', async () => {
    const isOpen = open(new SqliteThread(undefined, 10));

    await waitFor(async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isOpen()).toBe(false);
    });
  });

  test('when it has more than 64 MB beyond them', () => {
    const thread = new SqliteThread();
    const isOpen = open(thread);
    const values = Array.from({ length: 40 }, () => "printf('%.2000000c', 'a')");

    expect(run([`SELECT length(max(${values}))`], 60_000)).toMatchObject({
      results: [expect.stringContaining('[[2000000]]')],
    });

    expect(isOpen()).toBe(false);
  });
});

test('a time ends without the processor', () => {
  const timer = new Timer(20);
  while (!timer.isOver) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timer.left);
  expect(timer.left).toBe(0);
});
