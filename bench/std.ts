/**
 * Measures what a val under test waits for: a statement, a blob, and the sandbox of a test file. The emulator is another process.
 * Each figure is the best median of some rounds, since other work only adds to it.
 *
 *   npm run bench -- std
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { inProject } from './http/contenders.js';
import { median } from './measure.js';
import { milliseconds, report } from './report.js';

const ROUNDS = 20;
const CALLS = 50;

const load = (name: string) => import(inProject(`dist/std/${name}.js`));
const fixtures = {
  users: [{ username: 'ada' }],
  sqlite: [{ user: 'ada', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)' }],
};

/** Measures calls one by one. The first rounds warm up. */
async function measure(what: string, bound: number, calls: number, time: () => Promise<number>): Promise<void> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times: number[] = [];
    while (times.length < calls) times.push(await time());
    rounds.push(median(times));
  }
  const sense = bound === 0 ? 'none' : 'most';
  report(`${what}, ms`, Math.min(...rounds), sense, bound, `${milliseconds(median(rounds))} in the median round`);
}

async function time(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** Opens a sandbox as a test file does, in a new process that has its first response, and returns the milliseconds. */
async function openSandbox(): Promise<number> {
  const source = `
    const { useEmulator } = await import(${JSON.stringify(inProject('dist/std/test.js'))});
    await (await fetch(process.env.VAL_EMULATOR_URL + '/_emulator/health')).text();
    const start = performance.now();
    const sandbox = await useEmulator({ fixtures: ${JSON.stringify(fixtures)} });
    console.log(performance.now() - start);
    await sandbox.close();`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', source]));
}

if (process.env.VAL_EMULATOR_URL) {
  const { useEmulator }: typeof import('#tools/testing/std.js') = await load('test');
  const { sqlite }: typeof import('#tools/std/sqlite.js') = await load('sqlite');
  const { blob }: typeof import('#tools/std/blob.js') = await load('blob');
  const sandbox = await useEmulator({ fixtures });
  const insert = { sql: 'INSERT INTO notes (text) VALUES (?)', args: ['a note'] };
  const health = async () => (await fetch(`${sandbox.url}/_emulator/health`)).text();
  await measure('any response, for comparison', 0, CALLS, () => time(health));
  await measure('a statement that writes', 2.5, CALLS, () => time(() => sqlite.execute(insert)));
  await measure('a statement that reads', 2.5, CALLS, () => time(() => sqlite.execute('SELECT count(*) FROM notes')));
  await measure('a blob that is set', 1, CALLS, () => time(() => blob.setJSON('key', { a: 1 })));
  await measure('a blob that is read', 1, CALLS, () => time(() => blob.getJSON('key')));
  await sandbox.close();
  await measure('a sandbox of a test file', 30, 1, openSandbox);
} else {
  const words = [inProject('dist/cjs/val-emulator.cjs'), 'exec', '--', process.execPath, import.meta.filename];
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
}
