/**
 * Measures what a val under test waits for: a statement, a blob, and the sandbox of a test file in a new process. The emulator
 * is another process.
 *
 *   npm run bench -- std
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { inProject } from './http/contenders.js';
import { median } from './measure.js';
import { milliseconds, report } from './report.js';

const CALLS = 1_000;
const WARM_UP = 200;
const FILES = 15;

const load = (name: string) => import(inProject(`dist/std/${name}.js`));
const fixtures = {
  users: [{ username: 'ada' }],
  sqlite: [{ user: 'ada', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)' }],
};

/** Measures calls one by one, and reports the median. */
async function measure(what: string, bound: number, call: (n: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + CALLS; n++) {
    const start = performance.now();
    await call(n);
    if (n >= WARM_UP) times.push(performance.now() - start);
  }
  const value = median(times);
  report(`${what}, ms`, value, 'most', bound, `${milliseconds(value)} of ${CALLS} calls`);
}

/** Opens a sandbox as a test file does, in a new process, and returns the milliseconds with the load of the module. */
function openSandbox(): number {
  const source = `
    const start = performance.now();
    const { useEmulator } = await import(${JSON.stringify(inProject('dist/std/test.js'))});
    const sandbox = await useEmulator({ fixtures: ${JSON.stringify(fixtures)} });
    console.log(performance.now() - start);
    await sandbox.close();`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', source]));
}

if (process.env.VAL_EMULATOR_URL) {
  const { useEmulator }: typeof import('#tools/testing/std.js') = await load('test');
  const { sqlite }: typeof import('#tools/std/sqlite.js') = await load('sqlite');
  const { blob }: typeof import('#tools/std/blob.js') = await load('blob');
  await using _ = await useEmulator({ fixtures });
  await measure('a statement that writes', 2.5, (n) =>
    sqlite.execute({ sql: 'INSERT INTO notes (text) VALUES (?)', args: [`note ${n}`] }),
  );
  await measure('a statement that reads', 2.5, (n) => sqlite.execute('SELECT * FROM notes WHERE id = ?', [n + 1]));
  await measure('a blob that is set', 1, (n) => blob.setJSON(`key ${n % 100}`, { n }));
  await measure('a blob that is read', 1, (n) => blob.getJSON(`key ${n % 100}`));
  const opened = median(Array.from({ length: FILES }, openSandbox));
  report('a sandbox of a test file, ms', opened, 'most', 30, `${milliseconds(opened)} of ${FILES} processes`);
} else {
  const words = [inProject('dist/cjs/val-emulator.cjs'), 'exec', '--', process.execPath, import.meta.filename];
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
}
