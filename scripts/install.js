// Installs the packages that only one check or suite needs, into the folder of that check.
//
// Such a folder has a package.json with a lock (docs/decisions/0041-packages-of-a-check.md).

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './run.js';

const LOCK = 'package-lock.json';

/** The lock of a folder as it was when its packages were installed. */
const INSTALLED = 'node_modules/.installed-lock.json';

/**
 * Installs the packages of a folder, unless they are those of its lock already. Packages in npm's cache need no network.
 * @param {string} folder from the root of the repository, with slashes: `scripts/prose`
 * @throws {Error} if npm fails
 */
export function install(folder) {
  const path = join(ROOT, folder);
  const lock = readFileSync(join(path, LOCK), 'utf8');
  const stamp = join(path, INSTALLED);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log(`Installing the packages of ${folder} ...`);
  rmSync(stamp, { force: true });
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: path,
    // npm's own output is not part of what a check prints.
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`Cannot install the packages of ${folder}: run \`npm ci --ignore-scripts\` there.`);
  writeFileSync(stamp, lock);
}

/**
 * Returns a `require` for the packages of a folder, which it installs.
 * @param {string} folder as for `install`
 */
export function requireFrom(folder) {
  install(folder);
  return createRequire(join(ROOT, folder, 'package.json'));
}

/** Lists the folders with packages of their own, from the root of the repository. */
export const listFolders = () =>
  ['scripts', 'test'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name === LOCK && !entry.parentPath.includes('node_modules'))
      .map((entry) => entry.parentPath.slice(ROOT.length + 1).replaceAll('\\', '/')),
  );
