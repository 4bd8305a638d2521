// Prints the list of the packages that an install brings: node scripts/sbom.js cyclonedx
//
// Of a project without the packages of development, since `npm sbom --omit dev` leaves out what those need as well.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
try {
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(folder, file));
  npm('pkg', 'delete', 'devDependencies');
  npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
  process.stdout.write(npm('sbom', '--package-lock-only', '--sbom-format', process.argv[2]));
} finally {
  rmSync(folder, { recursive: true });
}
