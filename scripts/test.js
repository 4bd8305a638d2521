// Runs the tests. Names are projects of vitest.config.ts; everything after them goes to vitest.
//
//   npm test                            the suites tests and simulation, in about a minute on two quiet cores
//   npm test -- package nodes           these suites
//   npm test -- all                     every suite
//   npm test -- soak test/soak/fuzz     the files of a suite that match

import { buildIfStale, buildPagesIfStale } from './build.js';
import { runNode, takeNames } from './run.js';

/** Suites that take minutes, so they print each test. */
const LONG = ['explore', 'soak', 'crash', 'cluster'];
/** Suites that run the sources. The others run the built package. */
const OF_SOURCES = ['tests', 'simulation', 'explore', 'timed', 'limits'];
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
const chosen = names.includes('all') ? SUITES : names.length > 0 ? names : ['tests', 'simulation'];
console.log(
  `Running ${chosen.join(', ')}${names.length + flags.length > 0 ? '' : ' (about a minute on two cores)'} ...`,
);
if (chosen.every((suite) => OF_SOURCES.includes(suite))) buildPagesIfStale();
else buildIfStale();
// Each suite that is named has the machine to itself.
for (const suites of names.length > 0 ? chosen.map((suite) => [suite]) : [chosen]) {
  const reporter = suites.some((suite) => LONG.includes(suite)) ? 'verbose' : 'minimal';
  const isReported = flags.some((flag) => flag.startsWith('--reporter'));
  const projects = suites.flatMap((suite) => ['--project', suite]);
  const args = [...projects, ...(isReported ? [] : [`--reporter=${reporter}`])];
  if (!runNode(['node_modules/vitest/vitest.mjs', 'run', ...args, ...flags])) process.exitCode = 1;
}
