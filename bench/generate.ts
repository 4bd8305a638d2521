/**
 * What a large generated world costs: written to a file, loaded from it, and made in the memory. Each is done in a process
 * of its own, so that its memory is known.
 *
 *   npm run bench:generate                a million runs over ten thousand vals
 *   npm run bench:generate -- 100000      another number of runs, over a hundredth as many vals
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { generate, writeFixture } from '../src/fixtures/generate/index.js';
import { createEmulator } from '../src/index.js';

const MEGABYTE = 1_048_576;

const TASKS: Readonly<Record<string, (runs: number, path: string) => Promise<unknown>>> = {
  'write a file': (runs, path) => pipeline(Readable.from(writeFixture(generate(sizes(runs)))), createWriteStream(path)),
  'load the file': (_, path) => createEmulator({ fixtures: path, listen: false }),
  'generate and load': (runs) => createEmulator({ generate: sizes(runs), listen: false }),
};

const sizes = (runs: number) => ({ vals: Math.ceil(runs / 100), runs, seed: 42 });

const [first = '1000000', task, path = ''] = process.argv.slice(2);
const runs = Number(first);
if (task === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
  const file = join(folder, 'world.json');
  for (const name of Object.keys(TASKS)) {
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), first, name, file], { stdio: 'inherit' });
  }
  console.log(`${runs.toLocaleString('en')} runs, a file of ${Math.round(statSync(file).size / MEGABYTE)} MB`);
  rmSync(folder, { recursive: true });
} else {
  const start = performance.now();
  await TASKS[task]?.(runs, path);
  const seconds = (performance.now() - start) / 1_000;
  const memory = process.resourceUsage().maxRSS / 1_024;
  console.log(`${task.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s ${memory.toFixed(0).padStart(6)} MB at most`);
}
