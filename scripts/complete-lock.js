// Adds the packages of other platforms that a package-lock.json lacks, so that `npm ci` works on all of them. It completes the
// locks of checks as well.
//
//   npm run fix:lock        after each npm install
//
// `npm install` drops an optional package that it cannot fetch from its registry, or that has another version where it
// would be placed, and `npm ci` then fails: https://github.com/npm/cli/issues/4828

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listFolders } from './install.js';
import { ROOT } from './run.js';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
/** C libraries by the part of a name that stands for them. */
const C_LIBRARIES = { gnu: 'glibc', glibc: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

/**
 * Finds the optional dependencies of locked packages without an entry of the version that they ask for.
 * @returns {{ parent: string, name: string, version: string }[]}
 */
export function findMissing(packages) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => isMissing(packages, parent, name, version))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

function isMissing(packages, parent, name, version) {
  const entry = findEntry(packages, parent, name);
  // Packages of a platform are asked for by their exact version; npm itself places those asked for by a range.
  return entry === undefined || (/^\d/.test(version) && entry.version !== version);
}

/** Finds a dependency as Node does: in the node_modules of its parent, or of a folder above. */
function findEntry(packages, parent, name) {
  for (let folder = parent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const entry = packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`];
    if (entry || folder === '') return entry;
  }
}

/** Returns the packages with those that are missing, in the order in which npm writes them. */
export function complete(packages) {
  const completed = { ...packages };
  for (const { parent, name, version } of findMissing(packages)) {
    const path = completed[`node_modules/${name}`] ? `${parent}/node_modules/${name}` : `node_modules/${name}`;
    const fields = { ...describePlatform(name), dev: packages[parent].dev, optional: true };
    completed[path] = { version, ...sortKeys(clean(fields)) };
  }
  return sortKeys(completed);
}

/** Derives the platform from a name: `@biomejs/cli-linux-x64-musl`. */
function describePlatform(name) {
  const words = name.split(/[/-]/);
  const system = SYSTEMS.find((each) => words.includes(each));
  const processor = PROCESSORS.find((each) => words.includes(each));
  if (!system && !processor) throw new Error(`No platform in the name ${name}: complete package-lock.json by hand.`);
  const library = system === 'linux' ? words.flatMap((word) => C_LIBRARIES[word] ?? [])[0] : undefined;
  return { cpu: processor && [processor], libc: library && [library], os: system && [system] };
}

const sortKeys = (fields) => Object.fromEntries(Object.entries(fields).sort(([a], [b]) => a.localeCompare(b, 'en')));

const clean = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const folder of ['', ...listFolders()]) {
    const file = join(ROOT, folder, 'package-lock.json');
    const lock = JSON.parse(readFileSync(file, 'utf8'));
    for (const { name, version } of findMissing(lock.packages)) console.log(join(folder, name), version);
    writeFileSync(file, `${JSON.stringify({ ...lock, packages: complete(lock.packages) }, undefined, 2)}\n`);
  }
}
