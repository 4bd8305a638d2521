/**
 * Measures requests to the intercepted host, with TLS, beside the same requests to the emulator over HTTP, in turn in one
 * program; and the time that `exec --intercept` adds to a run.
 *
 *   npm run bench -- intercept    figures and the bound (exit code 1 if it is missed)
 */
import { execFileSync } from 'node:child_process';
import { inProject } from './http/contenders.js';
import { median } from './measure.js';
import { milliseconds, report } from './report.js';

const ROUNDS = 15;
/** Requests of a slot, one after another on a connection that stays open. */
const REQUESTS = 400;
/** A request with TLS may cost twice as much as one without. */
const BOUND = 2;

const PROGRAM = `
  const bases = { https: 'https://api.val.town', http: process.env.VAL_EMULATOR_URL };
  const headers = { authorization: 'Bearer ada-token' };
  const samples = { https: [], http: [] };
  for (let round = 0; round <= ${ROUNDS}; round++) {
    for (const [name, base] of Object.entries(bases)) {
      const start = performance.now();
      for (let i = 0; i < ${REQUESTS}; i++) await (await fetch(base + '/v1/me', { headers })).text();
      // The first round compiles.
      if (round > 0) samples[name].push((performance.now() - start) / ${REQUESTS});
    }
  }
  console.log(JSON.stringify(samples));
`;

const exec = (flags: readonly string[], program: string): string =>
  execFileSync(process.execPath, [
    ...[inProject('dist/cjs/val-emulator.cjs'), 'exec', ...flags, '--'],
    ...[process.execPath, '--input-type=module', '--eval', program],
  ]).toString();

const { https, http }: Record<'https' | 'http', number[]> = JSON.parse(exec(['--intercept'], PROGRAM));
const times = `${milliseconds(median(https))} and ${milliseconds(median(http))}`;
report('request to the intercepted host, relative to HTTP', median(https) / median(http), 'most', BOUND, times);

const runs = (flags: readonly string[]) =>
  median(
    Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      exec(flags, '');
      return performance.now() - start;
    }),
  );
const [plain, intercepting] = [runs([]), runs(['--intercept'])];
const both = `${milliseconds(intercepting)} and ${milliseconds(plain)}`;
report('run of an empty program with --intercept, relative to one without', intercepting / plain, 'none', 0, both);
