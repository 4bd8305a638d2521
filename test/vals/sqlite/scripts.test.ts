import { describe, expect, test } from 'vitest';
import { finish, type Steps } from '#engine/lib/steps.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { Engine } from '#vals/sqlite/engine.js';
import { readEngine } from '#vals/sqlite/engine-files.js';
import { SqlScripts } from '#vals/sqlite/scripts.js';
import { type Task, Tasks, TURN } from '#vals/sqlite/tasks.js';
import { SqliteThread } from '#vals/sqlite/thread/thread.js';
import type { Emulator } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const users = [{ username: 'ada' }, { username: 'bob' }];
/** Makes a table with so many rows. */
const rowsOf = (count: number) =>
  `CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT i FROM n;`;
/** More than a turn dumps, on a fast machine as well. */
const LARGE = rowsOf(100_000);
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';

const build = (sql: string, scripts = new SqlScripts()) =>
  finish(scripts.build(sql, () => ({ texts: [['sql', sql]] }), 0));

/** Runs steps as the server does. @param between called after each pause */
async function run<T>(steps: Steps<T>, between = () => {}): Promise<T> {
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done) return next.value;
    await next.value?.wait();
    if (next.value) between();
  }
}

describe('turns', () => {
  /** An engine whose turns end after so many looks at the time. @param started called with the time of each timer */
  const makeTasks = (looks: number, started = (_milliseconds: number) => {}) =>
    new Tasks(new Engine(readEngine()), (milliseconds) => {
      started(milliseconds);
      let left = milliseconds === TURN ? looks : Number.POSITIVE_INFINITY;
      return {
        get isOver() {
          return left-- <= 0;
        },
      };
    });
  const select: Task = {
    ...{ kind: 'run', id: 2, after: 3, mode: 'try', bytes: new Uint8Array(), time: 1, now: 0 },
    statements: [{ sql: 'SELECT 1' }],
  };

  test('statements of other requests run between the turns of a script', () => {
    const file = Uint8Array.from(build(rowsOf(100)));
    const tasks = makeTasks(20);
    const lines: string[] = [];
    let turns = 0;
    for (let kind: 'dump' | 'turn' = 'dump'; ; kind = 'turn') {
      const script = { id: 1, time: 1 };
      const done = tasks.perform(kind === 'dump' ? { ...script, kind, source: { file }, now: 0 } : { ...script, kind });
      expect(tasks.perform(select)).toMatchObject({ results: [expect.stringContaining('[[1]]')] });
      if (!('lines' in done)) throw new Error(JSON.stringify(done));
      expect(done.lines?.length).toBeLessThanOrEqual(20);
      lines.push(...(done.lines ?? []));
      turns++;
      if (done.isExact) break;
    }

    expect(turns).toBeGreaterThan(5);
    expect(lines).toHaveLength(101);
    expect(tasks.perform({ kind: 'turn', id: 1, time: 1 })).toStrictEqual({ missing: true });
  });

  test.each(['dump', 'rows'] as const)('the rows of a turn share the time of a statement in a script: %s', (kind) => {
    const times: number[] = [];
    const tasks = makeTasks(50, (milliseconds) => times.push(milliseconds));
    const file = Uint8Array.from(build(rowsOf(100)));

    tasks.perform({ kind, id: 1, time: 7, source: { file }, now: 0 });
    expect(times.sort()).toStrictEqual([TURN, 7]);
    tasks.perform({ kind: 'turn', id: 1, time: 7 });
    expect(times.sort()).toStrictEqual([TURN, TURN, 7, 7]);
  });

  test('a script that is dropped has no more turns', () => {
    const tasks = makeTasks(20);
    const source = { file: Uint8Array.from(build(rowsOf(100))) };
    tasks.perform({ kind: 'dump', id: 1, time: 1, source, now: 0 });

    expect(tasks.perform({ kind: 'drop', id: 1, time: 1 })).toStrictEqual({});
    expect(tasks.perform({ kind: 'turn', id: 1, time: 1 })).toStrictEqual({ missing: true });
  });
});

describe('a thread that is ended between two turns', () => {
  const end = () => new SqliteThread().end();

  test('begins its script again, and returns each line once', async () => {
    const file = build(LARGE);
    let ends = 0;

    const lines = await run(new SqlScripts().dump(file), () => {
      if (ends++ < 2) end();
    });

    expect(ends).toBeGreaterThan(2);
    expect(lines).toHaveLength(100_001);
    expect(lines).toStrictEqual(finish(new SqlScripts().dump(file)));
  });

  test('is an error when it happens each time', async () => {
    const problem = 'The thread of SQLite was ended by other statements, again and again: repeat this request later';

    await expect(run(new SqlScripts().dump(build(LARGE)), end)).rejects.toMatchObject({
      status: 503,
      message: problem,
    });
  });
});

describe('over HTTP', () => {
  const select = (emulator: Emulator) =>
    as(emulator, 'bob').post('/v1/sqlite/execute').send({ statement: 'SELECT 1' }).expect(200);

  test.each(['', '?brief=true', '?relative=true'])(
    'other requests run during an export of databases %s',
    async (query) => {
      const emulator = await emulate({ users, sqlite: [{ user: 'ada', sql: LARGE }] });
      let isDone = false;
      const exporting = as(emulator)
        .get(`/_emulator/state${query}`)
        .then(({ body }) => {
          isDone = true;
          return body.sqlite[0].sql.length;
        });

      let responses = 0;
      for (; !isDone; responses++) await select(emulator);

      expect(await exporting).toBe(100_001);
      // The first may have been handled before the export began.
      expect(responses).toBeGreaterThan(1);
    },
  );

  const database = (user: string, sql: string) => ({ user, sql });
  test.each<[request: string, method: 'post' | 'put', path: string, body: (sql: string) => object]>([
    ['seed', 'put', 'seed', (sql) => ({ users, sqlite: [database('ada', sql)] })],
    ['sandbox', 'post', 'sandboxes', (sql) => ({ name: 'new', fixtures: { users, sqlite: [database('ada', sql)] } })],
    ['database', 'post', 'records/sqlite', (sql) => database('ada', sql)],
    ['list', 'post', 'records/sqlite', (sql) => [database('bob', ''), database('ada', sql)]],
    ['list of records', 'post', 'records', (sql) => ({ sqlite: [database('ada', sql)] })],
    ['row', 'post', 'db/sqlite', (sql) => database('ada', sql)],
  ])(
    'a statement of a %s has 1 s, others run meanwhile, and nothing has changed after it',
    async (_, method, path, body) => {
      const emulator = await emulate({ users });
      const state = toValsState(emulator.store.state);
      let isDone = false;
      const adding = as(emulator)
        [method](`/_emulator/${path}`)
        .send(body(`SELECT 1;\n${ENDLESS};`))
        .then((response) => {
          isDone = true;
          return response;
        });

      let responses = 0;
      for (; !isDone; responses++) await as(emulator, 'ada').get('/v1/me').expect(200);

      const { status, body: error } = await adding;
      expect(status).toBe(422);
      expect(error.message).toContain('sql: line 2: SQLITE_INTERRUPT: interrupted: statements end after 1 s.');
      expect(responses).toBeGreaterThan(1);
      expect(emulator.store.state).toMatchObject({ sqlite: state.sqlite, users: state.users });

      const again = await as(emulator)
        [method](`/_emulator/${path}`)
        .send(body(rowsOf(3)));
      expect(again.status).toBeLessThan(300);
    },
  );
});
