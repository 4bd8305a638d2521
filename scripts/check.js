// Runs the checks that are not tests. Everything after the names goes to the last of them.
//
//   npm run check                       types, lint, sources, dead code, prose, package and release
//   npm run check -- types lint         these
//   npm run check -- matrix 24 deno@2   a check with arguments

import { buildIfStale } from './build.js';
import { install } from './install.js';
import { runNode, takeNames } from './run.js';

const TSC = 'node_modules/typescript/bin/tsc';
const PACKAGE = 'scripts/checks/package/node_modules';
const TEXTLINT = ['scripts/prose/node_modules/textlint/bin/textlint.js', '--rulesdir', 'scripts/prose/rules'];
const DOCUMENTS = ['*.md', 'docs/**/*.md', '{src,examples,deploy}/*/README.md'];

/** The commands of each check. */
const QUICK = {
  types: ['.', 'dashboard'].map(checkTypes),
  lint: [['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  source: [['node_modules/vitest/vitest.mjs', 'run', '--project=source', '--project=docs', '--reporter=minimal']],
  dead: [['node_modules/knip/bin/knip.js']],
  prose: [
    [...TEXTLINT, '-c', 'scripts/prose/docs.cjs', ...DOCUMENTS],
    [...TEXTLINT, '-c', 'scripts/prose/src.cjs', 'src/**/*.ts'],
  ],
  package: [
    [`${PACKAGE}/publint/src/cli.js`, '--strict'],
    [`${PACKAGE}/@arethetypeswrong/cli/dist/index.js`, '--pack', '.', '--ignore-rules', 'cjs-resolves-to-esm'],
    ['scripts/checks/size.js'],
    ['scripts/checks/loaded.js'],
  ],
  release: [['scripts/checks/release.js']],
};
/** Each takes minutes, and arguments. */
const LONG = {
  matrix: [['scripts/checks/matrix.js']],
  examples: [['scripts/checks/examples.js']],
  clients: [['scripts/checks/clients.js']],
  oracle: [['scripts/checks/oracle.js']],
  shuffle: [['scripts/checks/shuffle.js']],
};
/** Checks of the built package. */
const BUILT = ['package', 'release', 'matrix', 'examples', 'clients', 'oracle'];
const CHECKS = { ...QUICK, ...LONG };

/** The command that checks the types of a folder, again for changed files only. */
function checkTypes(folder) {
  const checked = `node_modules/.cache/types/${folder === '.' ? 'root' : folder}.tsbuildinfo`;
  return [TSC, '-p', folder, '--incremental', '--tsBuildInfoFile', checked];
}

/** Runs a program, after installing the folder that it comes from: `scripts/prose` for `scripts/prose/node_modules/…`. */
function run([program, ...args]) {
  const folder = /^(.+)\/node_modules\//.exec(program)?.[1];
  if (folder) install(folder);
  return runNode([program, ...args]);
}

const args = process.argv.slice(2);
const [names, rest] = takeNames(args, Object.keys(CHECKS));
if (names.length === 0 && rest.length > 0) {
  console.error(`Unknown check ${rest[0]}. Checks: ${Object.keys(CHECKS).join(', ')}.`);
  process.exit(2);
}
const chosen = names.length > 0 ? names : Object.keys(QUICK);
if (chosen.some((name) => BUILT.includes(name))) buildIfStale();
for (const name of chosen) {
  const flags = name === chosen.at(-1) ? rest : [];
  const passed = CHECKS[name].map((command) => run([...command, ...flags])).every(Boolean);
  if (passed) console.log(`${name}: ok`);
  else process.exitCode = 1;
}
