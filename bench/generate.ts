/**
 * Measures time and memory of generated datasets: writing a file, loading it, and generating in memory. Each task runs
 * in its own process, so that its memory is known.
 *
 *   npm run bench -- generate                1,000,000 runs over 10,000 vals
 *   npm run bench -- generate 100000      another number of runs, over a hundredth as many vals
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
import { generate, writeFixture } from '#vals/generator/index.js';
import { createEmulator } from '../src/index.js';

const MEGABYTE = 1_048_576;

/** Seconds to load a million runs, at most. */
const MAX_LOAD_TIME = 20;
const MILLION = 1_000_000;
/** The task with this bound. */
const LOAD = 'load the file';

const TASKS: Readonly<Record<string, (runs: number, path: string) => Promise<unknown>>> = {
  'write a file': (runs, path) => pipeline(Readable.from(writeFixture(generate(sizes(runs)))), createWriteStream(path)),
  [LOAD]: (_, path) => createEmulator({ fixtures: path, listen: false }),
  'generate and load': (runs) => createEmulator({ generate: sizes(runs), listen: false }),
};

const sizes = (runs: number) => ({ vals: Math.ceil(runs / 100), runs, seed: 42 });

const [first = '1000000', task, path = ''] = process.argv.slice(2);
const runs = Number(first);
if (task === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
  const file = join(folder, 'dataset.json');
  for (const name of Object.keys(TASKS)) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), first, name, file], {
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
  console.log(`${runs.toLocaleString('en')} runs, a file of ${Math.round(statSync(file).size / MEGABYTE)} MB`);
  rmSync(folder, { recursive: true });
} else {
  const start = performance.now();
  await TASKS[task]?.(runs, path);
  const seconds = (performance.now() - start) / 1_000;
  const memory = process.resourceUsage().maxRSS / 1_024;
  const line = `${task.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s ${memory.toFixed(0).padStart(6)} MB at most`;
  // Loading takes slightly more than linear time, so the bound in proportion is the stricter one.
  const bound = task === LOAD ? (MAX_LOAD_TIME * runs) / MILLION : undefined;
  const isMissed = bound !== undefined && seconds > bound;
  console.log(bound === undefined ? line : `${line}   (at most ${bound} s) ${isMissed ? 'MISSED' : 'ok'}`);
  if (isMissed) process.exitCode = 1;
}
