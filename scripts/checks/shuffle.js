// Runs tests in many orders, each drawn from a seed: none may depend on what ran before it.
//
//   npm run check -- shuffle                        two seeds
//   npm run check -- shuffle 20 --seed 7            seeds 7 to 26
//   npm run check -- shuffle --seed 7 sqlite        the files of the suite tests whose paths match
//   npm run check -- shuffle --seed 7 --worker 2    the files of one worker, in the order in which they failed
//
// A seed runs 200 tests in 8 files, each test with a sandbox, all at once. Then it runs the suite tests: the seed draws how many
// workers there are, which files each of them runs, and the order of its files and tests.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest, startVitest } from 'vitest/node';
import { ROOT } from '../run.js';

const TESTS = join(import.meta.dirname, '../../test/shuffle/tests.ts');
const FILES = 8;
const TESTS_PER_FILE = 25;
const SUITE = 'tests';
const MAX_WORKERS = 4;

const text = { type: 'string' };
const { values, positionals } = parseArgs({ options: { seed: text, worker: text }, allowPositionals: true });
const isNumber = (word) => /^\d+$/.test(word);
const [rounds = values.seed === undefined ? '2' : '1'] = positionals.filter(isNumber);
const filters = positionals.filter((word) => !isNumber(word));
const first = values.seed ?? '1';
for (const [name, value] of Object.entries({ rounds, '--seed': first, '--worker': values.worker ?? '1' })) {
  if (isNumber(value) && Number(value) > 0) continue;
  console.error(`${name}: found ${value}; expected a number from 1 on, such as 20.`);
  process.exit(2);
}
const isPart = filters.length > 0 || values.worker !== undefined;

const files = await listFiles();
for (let seed = Number(first); seed < Number(first) + Number(rounds); seed++) {
  if (!isPart) await shuffleSandboxes(seed);
  await shuffleSuite(seed);
}

/** Draws a number from a seed and a name. */
function draw(seed, name) {
  return createHash('sha256').update(`${seed}/${name}`).digest().readUInt32BE();
}

/** Lists the files of the suite. */
async function listFiles() {
  const vitest = await createVitest('test', { project: [SUITE], watch: false });
  const found = await vitest.globTestSpecifications(filters);
  await vitest.close();
  if (found.length === 0) {
    console.error(`No file of the suite ${SUITE} matches ${filters.join(', ')}.`);
    process.exit(2);
  }
  return found.map(({ moduleId }) => relative(ROOT, moduleId)).sort();
}

/** Runs the suite with the workers of a seed, at most one for each core at a time. */
async function shuffleSuite(seed) {
  const start = performance.now();
  const count = 1 + (draw(seed, 'workers') % MAX_WORKERS);
  const workers = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    files: files.filter((file) => draw(seed, file) % count === index),
  })).filter(({ number, files }) => files.length > 0 && number === Number(values.worker ?? number));
  const waiting = [...workers];
  const failed = [];
  const runNext = async () => {
    for (let worker = waiting.shift(); worker; worker = waiting.shift()) {
      if (!(await runWorker(seed, worker.files))) failed.push(worker.number);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const ran = workers.reduce((sum, { files }) => sum + files.length, 0);
  console.log(
    `seed ${seed}: ${ran} files in ${workers.length} of ${count} workers, ${failed.length} failed, ${seconds} s`,
  );
  for (const worker of failed) {
    process.exitCode = 1;
    const repeat = ['npm run check -- shuffle', `--seed ${seed}`, `--worker ${worker}`, ...filters].join(' ');
    console.log(`  repeat: ${repeat}`);
  }
}

/** Runs files in one worker, in an order of the seed, and prints what has failed. @returns whether all have passed */
async function runWorker(seed, files) {
  const flags = [`--project=${SUITE}`, '--maxWorkers=1', '--reporter=minimal', `--sequence.seed=${seed}`];
  const shuffle = ['--sequence.shuffle.files', '--sequence.shuffle.tests'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...flags, ...shuffle, ...files];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) console.log(printed);
  return code === 0;
}

/** Runs tests with a sandbox each, all at once. */
async function shuffleSandboxes(seed) {
  const root = mkdtempSync(join(tmpdir(), 'val-emulator-shuffle-'));
  try {
    for (let file = 1; file <= FILES; file++) {
      writeFileSync(join(root, `${file}.test.ts`), `import ${JSON.stringify(TESTS)};\n`);
    }
    await runSandboxes(root, seed);
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function runSandboxes(root, seed) {
  const start = performance.now();
  const vitest = await startVitest('test', [], {
    root,
    config: false,
    watch: false,
    reporters: [{}],
    maxWorkers: FILES,
    maxConcurrency: TESTS_PER_FILE,
    testTimeout: 600_000,
    sequence: { shuffle: true, concurrent: true, seed },
  });
  const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
  const errors = [
    ...vitest.state.getUnhandledErrors(),
    ...vitest.state.getTestModules().flatMap((module) => module.errors()),
    ...tests.flatMap((test) => test.result().errors ?? []),
  ];
  await vitest.close();
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`seed ${seed}: ${passed} of ${FILES * TESTS_PER_FILE} tests with a sandbox each passed, ${seconds} s`);
  for (const error of errors) console.log(`  ${error.message}`);
  if (passed !== FILES * TESTS_PER_FILE || errors.length > 0) process.exitCode = 1;
}
