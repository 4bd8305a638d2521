// Runs the tests. Names are projects of vitest.config.ts; everything after them goes to vitest.
//
//   npm test                            the suites tests and simulation, in about 80 s on two cores
//   npm test -- package nodes           these suites
//   npm test -- all                     every suite
//   npm test -- soak test/soak/fuzz     the files of a suite that match

import { buildIfStale } from './build.js';
import { runNode, takeNames } from './run.js';

/** Suites that take minutes, so they print each test. */
const LONG = ['soak', 'crash', 'cluster'];
const SUITES = [
  'tests',
  'simulation',
  'processes',
  'timed',
  'limits',
  'fidelity',
  'redis',
  'package',
  'intercept',
  'nodes',
  ...LONG,
  'dashboard',
];

const [names, flags] = takeNames(process.argv.slice(2), [...SUITES, 'all']);
const chosen = names.includes('all') ? SUITES : names;
buildIfStale();
if (chosen.length === 0 && flags.length === 0) console.log('Running the tests (about 80 s on two cores) ...');
// Each suite has the machine to itself.
for (const suite of chosen.length === 0 ? ['tests', 'simulation'] : chosen) {
  const reporter = LONG.includes(suite) ? 'verbose' : 'minimal';
  const isReported = flags.some((flag) => flag.startsWith('--reporter'));
  const args = ['--project', suite, ...(isReported ? [] : [`--reporter=${reporter}`])];
  if (!runNode(['node_modules/vitest/vitest.mjs', 'run', ...args, ...flags])) process.exitCode = 1;
}
