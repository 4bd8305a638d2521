import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { folderOf } from '../fixtures/loading.js';
import { TSC } from '../generator/built.js';
import { pack, ROOT } from './pack.js';

/** What a project has beside this package: what it installs, the test runners, and what npm puts beside Jest. */
const NEIGHBOURS = [
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.peerDependencies),
  'expect',
  '@types/node',
];

test.each([
  ['nodenext', { module: 'nodenext' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
])('the types of each entry point are found and right under %s', (_, resolution) => {
  const compilerOptions = {
    ...resolution,
    target: 'es2022',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const project = folderOf({ 'package.json': { type: 'module' }, 'tsconfig.json': { compilerOptions } });
  cpSync(join(import.meta.dirname, 'consumer'), project, { recursive: true });
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'val-emulator'), { recursive: true });
  const { tarball } = pack(project);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'val-emulator')]);
  for (const name of NEIGHBOURS) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  }

  const { status, stdout } = spawnSync(process.execPath, [TSC], { cwd: project, encoding: 'utf8' });

  expect(stdout).toBe('');
  expect(status).toBe(0);
});
