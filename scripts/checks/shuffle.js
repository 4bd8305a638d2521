// Runs 200 tests in 8 files, each with a sandbox of its own, all at once and in many orders: none may fail.
//
//   npm run check -- shuffle [rounds]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startVitest } from 'vitest/node';

const TESTS = join(import.meta.dirname, '../../test/shuffle/tests.ts');
const FILES = 8;
const TESTS_PER_FILE = 25;

const rounds = Number(process.argv[2] ?? 20);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`Found ${process.argv[2]}; expected how many rounds to run, such as 20.`);
  process.exit(2);
}

const root = mkdtempSync(join(tmpdir(), 'val-emulator-shuffle-'));
try {
  for (let file = 1; file <= FILES; file++) {
    writeFileSync(join(root, `${file}.test.ts`), `import ${JSON.stringify(TESTS)};\n`);
  }
  for (let seed = 1; seed <= rounds; seed++) await run(seed);
} finally {
  rmSync(root, { recursive: true });
}

async function run(seed) {
  const start = performance.now();
  const vitest = await startVitest('test', [], {
    root,
    config: false,
    watch: false,
    reporters: [{}],
    maxWorkers: FILES,
    maxConcurrency: TESTS_PER_FILE,
    testTimeout: 30_000,
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
  console.log(`seed ${seed}: ${passed} of ${FILES * TESTS_PER_FILE} tests passed, ${seconds} s`);
  for (const error of errors) console.log(`  ${error.message}`);
  if (passed !== FILES * TESTS_PER_FILE || errors.length > 0) process.exitCode = 1;
}
