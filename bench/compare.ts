/**
 * Compares the package with the package of another commit: processor time of requests, a start, an import, the first emulator and a
 * load. The other commit is built in a git work tree in a temporary folder. Both take turns, so that load of other programs
 * changes both. On Linux only.
 *
 *   npm run bench -- compare HEAD~1                a table of ratios: below 1, this tree takes less
 *   npm run bench -- compare main --rounds 9       more rounds than 7
 *   npm run bench -- compare main --json
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BY_ID, CREATE, FIRST_PAGE } from './http/cases.js';
import { inProject, type Running, start } from './http/contenders.js';
import { pinServer } from './http/cores.js';
import { writeFixture, writeRunsFixture } from './http/fixture.js';
import { drive, getShots, makeContender } from './http/ours.js';
import { median, readThreadsTime } from './measure.js';

const RECORDS = 1_000;
const RUNS = 200_000;
const CONNECTIONS = 10;
/** Seconds of requests to each package in a round. */
const SECONDS = 2;
const ROUNDS = 7;

/** Milliseconds for one command of the other commit, its install and build included. */
const TIMEOUT = 900_000;

/** Measures one thing in a package. Returns microseconds of processor time. */
type Measure = (root: string) => Promise<number>;

const HERE = inProject('.');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: `${ROUNDS}` }, json: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
const [commit] = positionals;
if (commit === undefined || positionals.length > 1 || !Number.isInteger(rounds) || rounds < 1) {
  console.error('Name one commit: npm run bench -- compare HEAD~1 [--rounds 7] [--json].');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const other = join(folder, 'other');
process.once('exit', removeOther);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const servers = new Map<string, Running>();
try {
  buildOther(commit);
  const fixture = join(folder, 'fixture.json');
  const runs = join(folder, 'runs.json');
  writeFixture(fixture, RECORDS);
  writeRunsFixture(runs, RUNS);
  const create = (options: string) =>
    inProgram(
      `const { createEmulator } = await import('val-emulator');`,
      `emulator = await createEmulator(${options});`,
    );
  for (const root of [HERE, other]) {
    const server = await startIn(root, fixture);
    pinServer(server.pid);
    servers.set(root, server);
  }
  const request =
    (name: string): Measure =>
    async (root) => {
      const server = servers.get(root);
      if (!server) throw new Error(`no server of ${root}`);
      const before = readThreadsTime(server.pid);
      const { requests } = await drive(server.url, getShots(name, RECORDS), CONNECTIONS, SECONDS);
      return (readThreadsTime(server.pid) - before) / requests;
    };
  const measures: Record<string, Measure> = {
    [BY_ID]: request(BY_ID),
    [FIRST_PAGE]: request(FIRST_PAGE),
    [CREATE]: request(CREATE),
    start: (root) => timeOfStart(root, fixture),
    import: inProgram('', `await import('val-emulator');`),
    'first createEmulator()': create(''),
    [`load of ${RUNS} runs`]: create(JSON.stringify({ fixtures: runs })),
  };
  const rows = [];
  for (const [what, measure] of Object.entries(measures)) rows.push({ what, ...(await takeTurns(measure)) });
  if (values.json) console.log(JSON.stringify({ commit, rounds, rows }));
  else print(rows);
} finally {
  for (const server of servers.values()) await server.stop();
}

/** Measures both packages in each round, the first one in turn. The round before them warms up. */
async function takeTurns(measure: Measure) {
  const times: { here: number; other: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const isFirst = round % 2 === 0;
    const first = await measure(isFirst ? HERE : other);
    const second = await measure(isFirst ? other : HERE);
    if (round > 0) times.push(isFirst ? { here: first, other: second } : { here: second, other: first });
  }
  const ratios = times.map((time) => time.here / time.other);
  return {
    here: median(times.map((time) => time.here)),
    other: median(times.map((time) => time.other)),
    ratio: { min: Math.min(...ratios), median: median(ratios), max: Math.max(...ratios) },
  };
}

function print(rows: readonly ({ readonly what: string } & Awaited<ReturnType<typeof takeTurns>>)[]): void {
  const time = (us: number) => (us < 10_000 ? `${us.toFixed(1)} µs` : `${(us / 1_000).toFixed(1)} ms`).padStart(11);
  console.log(`Processor time of this tree and of ${commit}; ratios of ${rounds} rounds, median (min–max)`);
  for (const { what, here, other: there, ratio } of rows) {
    const spread = `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`;
    console.log(`${what.padEnd(24)} ${time(here)} ${time(there)}   ${spread}`);
  }
}

/** Measures a line in a program of its own, which imports the package by its name. */
function inProgram(before: string, line: string): Measure {
  const program = `
    let emulator;
    ${before}
    const start = process.cpuUsage();
    ${line}
    const { user, system } = process.cpuUsage(start);
    console.log(user + system);
    await emulator?.close();
  `;
  return async (root) =>
    Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, timeout: TIMEOUT }));
}

/** Measures a start of the command until its first response. */
async function timeOfStart(root: string, fixture: string): Promise<number> {
  const server = await startIn(root, fixture);
  const time = readThreadsTime(server.pid);
  await server.stop();
  return time;
}

async function startIn(root: string, fixture: string): Promise<Running> {
  const server = await start(makeContender(['--log', 'off'], root), fixture);
  if (!server) throw new Error(`The emulator of ${root} did not start.`);
  return server;
}

/** Builds a commit in a work tree. Its packages are ours if it has the same lock. */
function buildOther(name: string): void {
  run(HERE, 'git', 'worktree', 'add', '--quiet', '--detach', other, name);
  const readLock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (readLock(HERE) === readLock(other)) symlinkSync(join(HERE, 'node_modules'), join(other, 'node_modules'));
  else run(other, 'npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
  run(other, process.execPath, 'scripts/build.js');
}

function removeOther(): void {
  try {
    rmSync(folder, { recursive: true, force: true });
    run(HERE, 'git', 'worktree', 'prune');
  } catch (error) {
    console.error(error);
  }
}

/** Runs a command, whose output goes to the error output. */
function run(cwd: string, program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 2, 2], timeout: TIMEOUT });
}
