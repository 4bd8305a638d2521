/**
 * Measures SQLite beside the engine used alone, in turn: the first statement, reads over HTTP and writes; what commits to
 * a large database keep; what an export of many rows and a description of nested views take; and how long queries without an end
 * delay other requests.
 *
 *   npm run bench -- sqlite
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { inProject } from './http/contenders.js';
import { heapUsed, median, processorTimeLater } from './measure.js';
import { milliseconds, report } from './report.js';

const ROUNDS = 15;
const WARM_UP = 10;
const COMMITS = 100;
const MEBIBYTE = 1_048_576;

const LIBRARY = inProject('dist/lib/index.js');
const { createEmulator }: typeof import('../src/index.js') = await import(LIBRARY);

const users = [{ username: 'ada' }];
const headers = { authorization: 'Bearer ada-token' };
const post = (sql: string, args: readonly number[] = []) => ({
  method: 'POST',
  headers,
  body: JSON.stringify({ statement: { sql, args } }),
});
const UPDATE = "UPDATE items SET name = 'changed ' || (rowid + random()) WHERE id = ?";

/** SQL of a database with this many bytes, in rows of about 500. */
const makeItems = (bytes: number) => `
  CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, note TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.floor(bytes / 512)})
  INSERT INTO items SELECT i, 'item ' || i, hex(zeroblob(230)) FROM n;
`;
const start = (bytes: number, options = {}) =>
  createEmulator({ fixtures: { users, sqlite: [{ user: 'ada', sql: makeItems(bytes) }] }, ...options });

const sqlite3 = await sqlite3InitModule();
const openAlone = (bytes: number) => new sqlite3.oo1.DB(':memory:').exec(makeItems(bytes));

/** Runs a task some times, and returns the milliseconds that one takes. */
async function time(repeats: number, task: (n: number) => unknown): Promise<number> {
  const startTime = performance.now();
  for (let n = 1; n <= repeats; n++) await task(n);
  return (performance.now() - startTime) / repeats;
}

/** Measures ours and the engine alone in turn, and reports the median of the ratios. */
async function compare(what: string, bound: number, ours: () => Promise<number>, alone: () => Promise<number>) {
  const rounds: { mine: number; theirs: number }[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) rounds.push({ mine: await ours(), theirs: await alone() });
  rounds.splice(0, WARM_UP);
  const [mine, theirs] = [median(rounds.map((round) => round.mine)), median(rounds.map((round) => round.theirs))];
  const ratio = median(rounds.map((round) => round.mine / round.theirs));
  report(what, ratio, 'most', bound, `${milliseconds(mine)} of ${milliseconds(theirs)}`);
}

/** Runs a program that prints milliseconds. */
const runProgram = async (source: string) =>
  Number(execFileSync(process.execPath, ['--input-type=module', '--eval', source]));

async function measureFirst(): Promise<void> {
  // A request before it loads what all requests need.
  const ours = `
    import { createEmulator } from ${JSON.stringify(LIBRARY)};
    const emulator = await createEmulator({ fixtures: ${JSON.stringify({ users })}, listen: false });
    await emulator.fetch('/v1/me', ${JSON.stringify({ headers })});
    const start = performance.now();
    const response = await emulator.fetch('/v1/sqlite/execute', ${JSON.stringify(post('SELECT 1'))});
    if (!response.ok) throw new Error(await response.text());
    console.log(performance.now() - start);
  `;
  const alone = `
    const start = performance.now();
    const { default: init } = await import(${JSON.stringify(import.meta.resolve('@sqlite.org/sqlite-wasm'))});
    await init();
    console.log(performance.now() - start);
  `;
  const run = (source: string) => () => runProgram(source);
  await compare('the first statement, of loading the engine', 3, run(ours), run(alone));
}

async function send(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** Compares reads with a bare server that runs their statements. */
async function measureReads(): Promise<void> {
  const emulator = await start(MEBIBYTE);
  const db = openAlone(MEBIBYTE);
  const bare = createServer(async (request: IncomingMessage, response) => {
    const { sql, args } = JSON.parse(await text(request)).statement;
    const options = { sql, bind: args, rowMode: 'array', returnValue: 'resultRows' } as const;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(db.exec(options)));
  });
  bare.listen(0, '127.0.0.1');
  await once(bare, 'listening');
  const address = bare.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  for (const [what, sql, repeats] of [
    ['a row', 'SELECT * FROM items WHERE id = ?', 200],
    ['100 rows', 'SELECT * FROM items WHERE id > ? LIMIT 100', 100],
  ] as const) {
    const read = (url: string) => () => time(repeats, (n) => send(`${url}/v1/sqlite/execute`, post(sql, [n])));
    const [ours, alone] = [read(emulator.url), read(`http://127.0.0.1:${address.port}`)];
    await compare(`a read of ${what}, of the engine and a bare request`, 1.3, ours, alone);
  }
  bare.close();
  bare.closeAllConnections();
  await emulator.close();
}

async function measureWrites(): Promise<void> {
  const emulator = await start(MEBIBYTE, { listen: false });
  const db = openAlone(MEBIBYTE);
  const ours = async (n: number) => {
    const response = await emulator.fetch('/v1/sqlite/execute', post(UPDATE, [n]));
    if (!response.ok) throw new Error(await response.text());
  };
  const alone = (n: number) => {
    db.exec({ sql: UPDATE, bind: [n] });
    sqlite3.capi.sqlite3_js_db_export(db);
  };
  await compare(
    'a write at 1 MB, of the engine with export',
    3,
    () => time(50, ours),
    () => time(50, alone),
  );
  await emulator.close();
}

/** Bytes that this process keeps, with databases that are open. */
const memory = () => heapUsed() + process.memoryUsage().external;

async function measureGrowth(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
  const size = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  try {
    const emulator = await start(9.5 * MEBIBYTE, { data: folder });
    const update = (id: number) => send(`${emulator.url}/v1/sqlite/execute`, post(UPDATE, [id]));
    await update(1);
    const [kept, stored] = [memory(), size()];
    for (let n = 1; n <= COMMITS; n++) await update(n * 180);
    const what = `${COMMITS} commits of a row in 9.5 MB`;
    const [keeps, stores] = [(memory() - kept) / MEBIBYTE, (size() - stored) / MEBIBYTE];
    report(`${what}, memory`, keeps, 'most', 20, `${keeps.toFixed(1)} MB`);
    report(
      `${what}, data folder`,
      stores,
      'most',
      20,
      `${stores.toFixed(1)} MB of ${(stored / MEBIBYTE).toFixed(1)} MB`,
    );
    await emulator.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Measures requests of the control API, which run next to others, by the processor time of this process. */
async function measureControl(): Promise<void> {
  const rows = `CREATE TABLE t (v);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 720000) INSERT INTO t SELECT 'x' FROM n;`;
  const views = Array.from(
    { length: 31 },
    (_, i) => `CREATE VIEW v${i + 1} AS SELECT a.x FROM v${i} AS a, v${i} AS b;`,
  );
  for (const [what, sql, path, bound] of [
    ['an export of 720,000 rows', rows, 'state', 10],
    ['a description of 31 nested views', `CREATE VIEW v0 AS SELECT 1 AS x;${views.join('')}`, 'sqlite/ada', 3],
  ] as const) {
    const emulator = await createEmulator({ fixtures: { users, sqlite: [{ user: 'ada', sql }] } });
    const spent = await processorTimeLater(() => send(`${emulator.url}/_emulator/${path}`, {}));
    report(`${what}, processor time`, spent / 1_000, 'most', bound, milliseconds(spent));
    await emulator.close();
  }
}

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
const FUNCTION = 'a function that takes hours';
const RUNAWAYS = {
  'a query without an end': `${ENDLESS} SELECT count(*) FROM n`,
  'a sort without an end': `${ENDLESS} SELECT i FROM n ORDER BY hex(i)`,
  'a search in long texts': `${ENDLESS} SELECT count(*) FROM n WHERE hex(zeroblob(900000) || i) LIKE '%0_1'`,
  'a join of all rows': 'SELECT count(*) FROM items a, items b, items c WHERE a.note || b.note < c.note',
  // No step of SQLite ends within it, so that its thread is ended.
  [FUNCTION]: `SELECT json_patch(a, a) FROM (SELECT json_group_object('k' || i, i) AS a FROM (${ENDLESS} SELECT i FROM n LIMIT 90000))`,
};

async function measureRunaways(): Promise<void> {
  const emulator = await start(MEBIBYTE);
  for (const [what, sql] of Object.entries(RUNAWAYS)) {
    let [isRunning, longest] = [true, 0];
    const askOn = async () => {
      while (isRunning) longest = Math.max(longest, await time(1, () => send(`${emulator.url}/v1/me`, { headers })));
    };
    const others = [askOn(), askOn()];
    const response = await fetch(`${emulator.url}/v1/sqlite/execute`, post(sql));
    isRunning = false;
    await Promise.all(others);
    const { code } = JSON.parse(await response.text());
    report(
      `${what}, the longest delay of others`,
      longest / 1_000,
      'most',
      what === FUNCTION ? 1.7 : 1.2,
      `${milliseconds(longest)}, ${code}`,
    );
  }
  await emulator.close();
}

await measureFirst();
await measureReads();
await measureWrites();
await measureGrowth();
await measureControl();
await measureRunaways();
