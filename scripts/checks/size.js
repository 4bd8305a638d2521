// Installs the package as it would be published into an empty folder, and compares what it brings with bounds.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const MB = 1_000_000;

/** What an install may bring at most: all that comes later included. */
const BOUNDS = { packages: 80, 'MB installed': 25, 'MB in the tarball': 2.75 };

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-size-'));
const npm = (...args) =>
  execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [{ filename, size }] = JSON.parse(npm('pack', ROOT, '--json', '--ignore-scripts'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm('install', '--omit=dev', '--no-audit', '--no-fund', `./${filename}`);
  const found = {
    packages: npm('ls', '--all', '--parseable').trim().split('\n').length - 1,
    'MB installed': measure(join(folder, 'node_modules')) / MB,
    'MB in the tarball': size / MB,
  };
  for (const [what, most] of Object.entries(BOUNDS)) {
    const isWithin = found[what] <= most;
    console.log(`${Number(found[what].toFixed(2))} ${what}, at most ${most}${isWithin ? '' : ': too many'}`);
    if (!isWithin) process.exitCode = 1;
  }
  if (process.exitCode) console.log('If dist has folders of an earlier layout, remove it, build and check again.');
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the space that a folder takes on a disk with blocks of 4 KB, in bytes. */
function measure(path) {
  const sizes = readdirSync(path, { recursive: true }).map((name) => statSync(join(path, name)).size);
  return sizes.reduce((total, size) => total + Math.ceil(size / 4096) * 4096, 0);
}
