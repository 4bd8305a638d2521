/**
 * Measures the time from spawn to the first response with status 200: the emulator with its default dataset, bare
 * node:http, Express 5 and json-server with a few records, in turn; and the time to embed the emulator in a program.
 *
 *   npm run bench -- start              a table and the bounds (exit code 1 if one is missed)
 *   npm run bench -- start --json    the same as JSON
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BARE, contenders, inProject, JSON_SERVER, OURS, start } from './http/contenders.js';
import { writeFixture } from './http/fixture.js';
import { median } from './measure.js';

const ROUNDS = 15;
/** As many as in the default dataset. */
const VALS = 30;

const LIBRARY = JSON.stringify(inProject('dist/lib/index.js'));
const IMPORT = 'import of val-emulator';
const CREATE = 'createEmulator() after the import';
/** Programs that measure a first call and print its milliseconds. */
const PROGRAMS = {
  [IMPORT]: `
    const start = performance.now();
    await import(${LIBRARY});
    console.log(performance.now() - start);
  `,
  [CREATE]: `
    const { createEmulator } = await import(${LIBRARY});
    const start = performance.now();
    const emulator = await createEmulator();
    console.log(performance.now() - start);
    await emulator.close();
  `,
  'listen() of node:http after the import': `
    const { createServer } = await import('node:http');
    const start = performance.now();
    const server = createServer();
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    console.log(performance.now() - start);
    server.close();
  `,
};

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const samples = new Map<string, number[]>();
const inPrograms = new Map<string, number[]>();
try {
  const fixture = join(folder, 'dataset.json');
  writeFixture(fixture, VALS);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const startTime = performance.now();
      const server = await start(contender, contender.name === OURS ? 'default' : fixture);
      const took = performance.now() - startTime;
      await server?.stop();
      // The first round warms up the disk.
      if (server && round > 0) samples.set(contender.name, [...(samples.get(contender.name) ?? []), took]);
    }
    for (const [what, program] of Object.entries(PROGRAMS)) {
      const took = Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program]));
      if (round > 0) inPrograms.set(what, [...(inPrograms.get(what) ?? []), took]);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

const getTime = (name: string): number => median(samples.get(name) ?? []);
const relativeTo = (other: string, bound: number) => ({
  what: `${OURS} relative to ${other}`,
  value: getTime(OURS) / getTime(other),
  bound,
});
const checks = [
  relativeTo(BARE, 1.9),
  relativeTo(JSON_SERVER, 1),
  // 40 ms on a machine where the start of node:http takes 74.
  {
    what: `${IMPORT} relative to a start of ${BARE}`,
    value: median(inPrograms.get(IMPORT) ?? []) / getTime(BARE),
    bound: 0.5,
  },
];
const holds = ({ value, bound }: (typeof checks)[number]) => value <= bound;

if (process.argv.includes('--json')) {
  const rows = [...samples.keys()].map((name) => ({ name, milliseconds: getTime(name) }));
  const programs = Array.from(inPrograms, ([what, took]) => ({ what, milliseconds: median(took) }));
  console.log(JSON.stringify({ rows, programs, checks: checks.map((check) => ({ ...check, ok: holds(check) })) }));
} else {
  for (const name of samples.keys()) {
    const ratio = getTime(name) / getTime(BARE);
    console.log(
      `${name.padEnd(14)} ${getTime(name).toFixed(0).padStart(6)} ms   ${ratio.toFixed(2).padStart(6)} × ${BARE}`,
    );
  }
  for (const [what, took] of inPrograms) console.log(`${what}: ${median(took).toFixed(1)} ms`);
  for (const check of checks) {
    console.log(`${check.what}: ${check.value.toFixed(2)} (at most ${check.bound}) ${holds(check) ? 'ok' : 'MISSED'}`);
  }
}
if (!checks.every(holds)) process.exitCode = 1;
