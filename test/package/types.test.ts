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

/** TypeScript 7 has no `node10` any more. */
const TSC_6 = join(ROOT, 'node_modules/@typescript/old/bin/tsc');

const PROJECTS = [
  ['nodenext', 'consumer', TSC, { module: 'nodenext' }],
  ['node16', 'consumer', TSC, { module: 'node16' }],
  ['bundler', 'consumer', TSC, { module: 'esnext', moduleResolution: 'bundler' }],
  ['nodenext', 'consumer-commonjs', TSC, { module: 'nodenext' }],
  ['node16', 'consumer-commonjs', TSC, { module: 'node16' }],
  ['bundler', 'consumer-commonjs', TSC, { module: 'esnext', moduleResolution: 'bundler' }],
  ['node10', 'consumer-commonjs', TSC_6, { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }],
] as const;

/** The types of the dependencies are checked too, or not. */
const CASES = PROJECTS.flatMap((each) => [true, false].map((skipLibCheck) => [...each, skipLibCheck] as const));

test.each(CASES)(
  'the types of each entry point are correct under %s (%s)',
  (_, consumer, compiler, resolution, skipLibCheck) => {
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck,
      noEmit: true,
    };
    const type = consumer === 'consumer' ? 'module' : 'commonjs';
    const project = folderOf({ 'package.json': { type }, 'tsconfig.json': { compilerOptions } });
    cpSync(join(import.meta.dirname, consumer), project, { recursive: true });
    const modules = join(project, 'node_modules');
    mkdirSync(join(modules, 'val-emulator'), { recursive: true });
    const { tarball } = pack(project);
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'val-emulator')]);
    for (const name of NEIGHBOURS) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
    }

    const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd: project, encoding: 'utf8' });

    expect(stdout).toBe('');
    expect(status).toBe(0);
  },
);
