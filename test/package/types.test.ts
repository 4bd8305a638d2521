import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { folderOf } from '../engine/fixtures/loading.js';
import { TSC } from '../vals/generator/built.js';
import { ROOT } from './pack.js';

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

/** Errors in the types of other packages, which are links out of the project. */
const OTHERS = /^\.\.\//;

test.each(PROJECTS)(
  'the types of each entry point are correct under %s (%s), without DOM',
  (_, consumer, compiler, resolution) => {
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      lib: ['es2023'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const type = consumer === 'consumer' ? 'module' : 'commonjs';
    const project = folderOf({ 'package.json': { type }, 'tsconfig.json': { compilerOptions } });
    cpSync(join(import.meta.dirname, consumer), project, { recursive: true });
    const modules = join(project, 'node_modules');
    mkdirSync(join(modules, 'val-emulator'), { recursive: true });
    execFileSync('tar', [
      '-xzf',
      inject('packed').tarball,
      '--strip-components=1',
      '-C',
      join(modules, 'val-emulator'),
    ]);
    for (const name of NEIGHBOURS) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
    }

    const { stdout } = spawnSync(process.execPath, [compiler, '--listFiles', '--pretty', 'false'], {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    });

    expect(stdout).toContain('val-emulator/dist/types/index.d.ts');
    // The types of Playwright need DOM themselves.
    const errors = stdout.split('\n').filter((line) => /\): error /.test(line) && !OTHERS.test(line));
    expect(errors).toEqual([]);
  },
);
