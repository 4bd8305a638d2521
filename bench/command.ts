/**
 * Measures the processor time of commands that act on a running emulator, next to an empty program and to one that sends a
 * request by `node:http`, in turn. The time is that at the event `exit`, without the end of the process.
 *
 *   npm run bench -- command          a table and the bounds (exit code 1 if one is missed)
 *   npm run bench -- command --json   the same as JSON
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject } from './http/contenders.js';
import { median } from './measure.js';

const ROUNDS = 15;
const MAIN = inProject('dist/cjs/val-emulator.cjs');
const EMPTY = 'an empty program';
/** Of the times, which are ratios to the empty program. The aim is 1.25, which the parser alone exceeds. */
const BOUND = 1.9;

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const hook = join(folder, 'hook.cjs');
const result = join(folder, 'time.json');
writeFileSync(
  hook,
  `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(result)}, JSON.stringify(process.cpuUsage())));`,
);

/** Runs a program, and returns its processor time in milliseconds. */
async function timeOf(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--require', hook, ...args], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with exit code ${code}`);
  const { user, system } = JSON.parse(readFileSync(result, 'utf8'));
  return (user + system) / 1_000;
}

const emulator = spawn(process.execPath, [MAIN, 'start', '--port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const samples = new Map<string, number[]>();
try {
  const [line] = await once(emulator.stdout, 'data');
  const { url }: { readonly url: string } = JSON.parse(String(line));
  const commands = [['clock'], ['requests'], ['state'], ['fail', '--list'], ['reset']];
  const programs = new Map<string, readonly string[]>([
    [EMPTY, ['--eval', '']],
    ['node:http', ['--eval', `require('http').get('${url}/_emulator/health', (response) => response.resume())`]],
    ...commands.map((words): [string, string[]] => [words.join(' '), [MAIN, ...words, '--url', url]]),
  ]);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, args] of programs) {
      const took = await timeOf(args);
      // The first round warms up the disk.
      if (round > 0) samples.set(name, [...(samples.get(name) ?? []), took]);
    }
  }
} finally {
  emulator.kill();
  rmSync(folder, { recursive: true });
}

const empty = samples.get(EMPTY) ?? [];
const rows = Array.from(samples, ([name, took]) => ({
  name,
  milliseconds: median(took),
  ratio: median(took.map((time, round) => time / (empty[round] ?? Number.NaN))),
}));
const missed = rows.filter(({ ratio }) => !(ratio <= BOUND));
if (process.argv.includes('--json')) console.log(JSON.stringify({ rows, bound: BOUND, ok: missed.length === 0 }));
else {
  for (const { name, milliseconds, ratio } of rows) {
    console.log(`${name.padEnd(18)} ${milliseconds.toFixed(0).padStart(5)} ms   ${ratio.toFixed(2)} × ${EMPTY}`);
  }
  console.log(
    `bound ${BOUND}: ${missed.length === 0 ? 'ok' : `MISSED by ${missed.map(({ name }) => name).join(', ')}`}`,
  );
}
if (missed.length > 0) process.exitCode = 1;
