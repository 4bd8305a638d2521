/**
 * Measures processor time and memory of large datasets: writing a file of generated records, loading it, generating in memory, loading
 * a file and an array of plain runs, and the longest step of that load. Each task runs in its own process, so that its memory is known.
 *
 *   npm run bench -- generate                1,000,000 runs over 10,000 vals
 *   npm run bench -- generate 200000      another number of runs, over a hundredth as many vals
 *
 * The exit code is 1 if a bound is missed.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { loadFixtures } from '#engine/fixtures/load.js';
import { readFixtures } from '#engine/fixtures/source.js';
import type { Steps } from '#engine/lib/steps.js';
import { prepareIndexes } from '#engine/state/state.js';
import { generate, writeFixture } from '#vals/generator/index.js';
import { definitions } from '#vals/service/service.collection.js';
import { createEmulator } from '../src/index.js';
import { writeRunsFixture } from './http/fixture.js';
import { processorTimeLater } from './measure.js';

const MEGABYTE = 1_048_576;
const MILLION = 1_000_000;
const SECOND = 1_000;
const VALS = 100;
const LOADS = 3;

interface Task {
  /** Returns milliseconds. */
  measure(runs: number, path: string): Promise<number>;
  /** Seconds for a million runs, at most. */
  readonly bound?: number;
  /** Milliseconds, at most, for any number of runs. */
  readonly stepBound?: number;
}

const ofProcessor =
  (run: (runs: number, path: string) => Promise<unknown>): Task['measure'] =>
  (runs, path) =>
    processorTimeLater(() => run(runs, path));

const sizes = (runs: number) => ({ vals: Math.ceil(runs / VALS), runs, seed: 42 });

/** Makes runs of two fields as a program does, which keeps them. */
const makeFixtures = (runs: number) => ({
  users: [{ username: 'ada' }],
  vals: Array.from({ length: VALS }, (_, n) => ({ author: 'ada', name: `val_${n}`, code: `export const n = ${n};` })),
  runs: Array.from({ length: runs }, (_, n) => ({
    val: `ada/val_${n % VALS}`,
    runStartAt: new Date(Date.UTC(2024, 5, 1) + n * SECOND).toISOString(),
  })),
});

/** Runs steps, and adds the milliseconds of each. */
function timeSteps<T>(steps: Steps<T>, times: number[]): T {
  for (;;) {
    const start = performance.now();
    const next = steps.next();
    times.push(performance.now() - start);
    if (next.done) return next.value;
  }
}

/** Returns the milliseconds of the longest step. Each is the shortest of several loads, since garbage collection stops any of them. */
function findLongestStep(runs: number): number {
  const settings = { auth: 'strict', defaultPrivacy: 'private', idSeed: 'bench' } as const;
  const fixtures = makeFixtures(runs);
  const loads = Array.from({ length: LOADS }, () => {
    const times: number[] = [];
    const raw = readFixtures(fixtures, definitions);
    const { state } = timeSteps(loadFixtures(raw, { settings, definitions }, Date.UTC(2025, 0)), times);
    timeSteps(prepareIndexes(state), times);
    return times;
  });
  const [first = []] = loads;
  return first.reduce(
    (longest, time, i) => Math.max(longest, Math.min(time, ...loads.map((times) => times[i] ?? 0))),
    0,
  );
}

const TASKS: Readonly<Record<string, Task>> = {
  'write a file': {
    measure: ofProcessor((runs, path) =>
      pipeline(Readable.from(writeFixture(generate(sizes(runs)))), createWriteStream(path)),
    ),
  },
  'load the file': { measure: ofProcessor((_, path) => createEmulator({ fixtures: path, listen: false })), bound: 20 },
  'generate and load': {
    measure: ofProcessor((runs) => createEmulator({ generate: sizes(runs), listen: false })),
    bound: 60,
  },
  'load a file of plain runs': {
    measure(runs, path) {
      writeRunsFixture(path, runs);
      return processorTimeLater(() => createEmulator({ fixtures: path, listen: false }));
    },
    bound: 32.5,
  },
  'load plain runs as objects': {
    measure(runs) {
      const fixtures = makeFixtures(runs);
      return processorTimeLater(() => createEmulator({ fixtures, listen: false }));
    },
    bound: 22.5,
  },
  'the longest step of that': { measure: async (runs) => findLongestStep(runs), stepBound: 50 },
};

const [first = `${MILLION}`, name, path = ''] = process.argv.slice(2);
const runs = Number(first);
const task = TASKS[name ?? ''];
if (task && name !== undefined) await run(name, task);
else runAll();

/** Runs each task in a process. */
function runAll(): void {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
  const file = join(folder, 'dataset.json');
  for (const each of Object.keys(TASKS)) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), first, each, file], {
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
    if (each === 'write a file') {
      console.log(`${runs.toLocaleString('en')} runs, a file of ${Math.round(statSync(file).size / MEGABYTE)} MB`);
    }
  }
  rmSync(folder, { recursive: true });
}

async function run(what: string, { measure, bound, stepBound }: Task): Promise<void> {
  const took = await measure(runs, path);
  const memory = `${(process.resourceUsage().maxRSS / 1_024).toFixed(0).padStart(6)} MB at most`;
  const time = stepBound === undefined ? `${(took / SECOND).toFixed(1)} s ` : `${took.toFixed(1)} ms`;
  // Loading takes slightly more than linear time, so the bound in proportion is the stricter one.
  const limit = stepBound ?? (bound === undefined ? undefined : (bound * SECOND * runs) / MILLION);
  const isMissed = limit !== undefined && took > limit;
  const unit = stepBound === undefined ? `${(limit ?? 0) / SECOND} s` : `${limit} ms`;
  const verdict = limit === undefined ? '' : `   (at most ${unit}) ${isMissed ? 'MISSED' : 'ok'}`;
  console.log(`${what.padEnd(28)} ${time.padStart(8)} ${memory}${verdict}`);
  if (isMissed) process.exitCode = 1;
}
