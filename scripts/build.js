// Builds the package: modules and types by the compiler, then the bundles and the dashboard.
//
//   node scripts/build.js              always
//   node scripts/build.js --if-stale   only if a source has changed since the last build

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const STAMP = join(ROOT, 'dist/.stamp');
const PAGES_STAMP = join(ROOT, 'dist/.stamp-pages');
/** Everything that a build reads. */
const SOURCES = [
  'src',
  'dashboard',
  ...['openapi', 'openapi-control', 'openapi-spec-only'].map((name) => `docs/${name}.json`),
  'fixtures',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  ...[
    'build',
    'bundle',
    'bundle-plugins',
    'dashboard',
    'package-files',
    'package-types',
    'plain-schemas',
    'rolldown',
    'thread',
    'validators',
  ].map((name) => `scripts/${name}.js`),
  'scripts/plain-schemas.d.ts',
];

/** What the pages of the dashboard are made of, apart from what they share with `src`. */
const PAGES = ['dashboard', 'package-lock.json', 'scripts/dashboard.js', 'scripts/rolldown.js'];

const listNames = (folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name));

/** Returns a line for each source: its name, when it changed and its size. */
function describeSources(sources = SOURCES) {
  const describe = (name) => {
    const stats = statSync(join(ROOT, name));
    return stats.isDirectory() ? listNames(name).flatMap(describe) : [`${name} ${stats.mtimeMs} ${stats.size}`];
  };
  return sources.flatMap(describe).join('\n');
}

/** Removes the output for sources that no longer exist: the compiler keeps it, and the bundles import all of it. */
function removeOrphans() {
  const ending = /\.js(?:\.map)?$/;
  for (const name of readdirSync(join(ROOT, 'build'), { recursive: true })) {
    const isOrphan = ending.test(name) && !existsSync(join(ROOT, 'src', name.replace(ending, '.ts')));
    if (isOrphan) rmSync(join(ROOT, 'build', name));
  }
}

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

export function build() {
  const [sources, pages] = [describeSources(), describeSources(PAGES)];
  console.log('Building (about 20 s) ...');
  for (const stamp of [STAMP, PAGES_STAMP]) rmSync(stamp, { force: true });
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  removeOrphans();
  run('--conditions=build', 'scripts/bundle.js');
  writeFileSync(STAMP, sources);
  writeFileSync(PAGES_STAMP, pages);
}

const isStale = (stamp, sources) => !existsSync(stamp) || readFileSync(stamp, 'utf8') !== describeSources(sources);

export function buildIfStale() {
  if (isStale(STAMP, SOURCES)) build();
}

/** Builds the pages of the dashboard alone, which emulators of the sources serve. */
export function buildPagesIfStale() {
  const sources = describeSources(PAGES);
  if (!isStale(PAGES_STAMP, PAGES)) return;
  console.log('Building the pages (about 5 s) ...');
  rmSync(STAMP, { force: true });
  run('scripts/dashboard.js');
  writeFileSync(PAGES_STAMP, sources);
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--if-stale')) buildIfStale();
  else build();
}
