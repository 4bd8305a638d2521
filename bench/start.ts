/**
 * From spawn to the first 200: the emulator on its default fixtures, a bare node:http script, Express 5 and json-server
 * with a few records, in turn; and what it takes to embed the emulator in a program.
 *
 *   npm run bench:start              a table, then whether the bounds hold (exit code 1 if not)
 *   npm run bench:start -- --json    the same for machines
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BARE, contenders, inProject, JSON_SERVER, OURS, start } from './http/contenders.js';
import { writeWorld } from './http/world.js';
import { median } from './measure.js';

const ROUNDS = 15;
/** As many as the default fixtures have. */
const VALS = 60;

const LIBRARY = JSON.stringify(inProject('dist/lib/index.js'));
const CREATE = 'createEmulator() once imported';
/** Programs that print the milliseconds that something takes which they do for the first time. */
const PROGRAMS = {
  'import of val-emulator': `
    const began = performance.now();
    await import(${LIBRARY});
    console.log(performance.now() - began);
  `,
  [CREATE]: `
    const { createEmulator } = await import(${LIBRARY});
    const began = performance.now();
    const emulator = await createEmulator();
    console.log(performance.now() - began);
    await emulator.close();
  `,
  'listen() of node:http once imported': `
    const { createServer } = await import('node:http');
    const began = performance.now();
    const server = createServer();
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    console.log(performance.now() - began);
    server.close();
  `,
};

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const samples = new Map<string, number[]>();
const inPrograms = new Map<string, number[]>();
try {
  const world = join(folder, 'world.json');
  writeWorld(world, VALS);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      // Ours as `val-emulator start` has it: on the default fixtures.
      const began = performance.now();
      const server = await start(contender, contender.name === OURS ? 'default' : world);
      const took = performance.now() - began;
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

const taken = (name: string): number => median(samples.get(name) ?? []);
const against = (other: string, bound: number) => ({
  what: `${OURS} against ${other}`,
  value: taken(OURS) / taken(other),
  bound,
});
const checks = [
  against(BARE, 2),
  against(JSON_SERVER, 1),
  { what: `${CREATE}, ms`, value: median(inPrograms.get(CREATE) ?? []), bound: 5 },
];
const holds = ({ value, bound }: (typeof checks)[number]) => value <= bound;

if (process.argv.includes('--json')) {
  const rows = [...samples.keys()].map((name) => ({ name, milliseconds: taken(name) }));
  const programs = Array.from(inPrograms, ([what, took]) => ({ what, milliseconds: median(took) }));
  console.log(JSON.stringify({ rows, programs, checks: checks.map((check) => ({ ...check, ok: holds(check) })) }));
} else {
  for (const name of samples.keys()) {
    const ratio = taken(name) / taken(BARE);
    console.log(
      `${name.padEnd(14)} ${taken(name).toFixed(0).padStart(6)} ms   ${ratio.toFixed(2).padStart(6)} × ${BARE}`,
    );
  }
  for (const [what, took] of inPrograms) console.log(`${what}: ${median(took).toFixed(1)} ms`);
  for (const check of checks) {
    console.log(`${check.what}: ${check.value.toFixed(2)} (at most ${check.bound}) ${holds(check) ? 'ok' : 'MISSED'}`);
  }
}
if (!checks.every(holds)) process.exitCode = 1;
