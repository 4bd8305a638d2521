// What the package runs. One file starts in a fraction of the time that hundreds of modules take.

import { build } from 'rolldown';
import { compileValidators, validatorsPlugin } from './validators.js';

/** Types for CommonJS have an ending of their own; what they say is what the module in TypeScript says. */
const commonJsTypes = {
  name: 'commonjs-types',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'jest.d.cts', source: "export * from '../types/testing/jest.js';\n" });
  },
};

/**
 * Replaces the package by which yargs measures its help: compiling its regular expressions costs 60 ms of the 553 ms of
 * processor time of `val-emulator --help` (best of 10 on a busy machine). Our help is plain text.
 */
const plainWidth = {
  name: 'plain-width',
  resolveId: (id) => (id === 'string-width' ? '\0plain-width' : undefined),
  load: (id) =>
    id === '\0plain-width'
      ? "import { stripVTControlCharacters } from 'node:util';\nexport default (text) => stripVTControlCharacters(text).length;"
      : undefined,
};

/** Packages that few programs come to need. */
const LOADED_LATER = [/^@faker-js\/faker/, 'body-parser', 'chokidar', 'cli-progress', /^json-server/];

/** What no start needs, and the entry, which loads the rest. */
const APART =
  /\/build\/(?:cli\/main|generator\/(?!options)|api\/response-validator|lib\/ajv)|\/node_modules\/(?:ajv|ajv-formats|fast-uri|json-schema-traverse)\//;

await compileValidators();
await build([
  {
    input: {
      index: 'build/index.js',
      vitest: 'build/testing/vitest.js',
      'node-test': 'build/testing/node-test.js',
      playwright: 'build/testing/playwright.js',
      msw: 'build/testing/msw.js',
    },
    platform: 'node',
    external: [...LOADED_LATER, '@playwright/test', 'msw', 'vitest'],
    plugins: [validatorsPlugin],
    output: { dir: 'dist/lib', cleanDir: true, chunkFileNames: '[name]-[hash].js' },
  },
  {
    // Jest runs CommonJS in a world of its own that cannot load ES modules, so its helper brings all that it needs.
    input: { jest: 'build/testing/jest.js' },
    platform: 'node',
    external: ['@jest/globals', 'body-parser', /^json-server/],
    plugins: [commonJsTypes, validatorsPlugin],
    output: {
      dir: 'dist/cjs',
      cleanDir: true,
      format: 'cjs',
      dynamicImportInCjs: false,
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
    },
  },
  {
    input: { 'val-emulator': 'build/cli/main.js' },
    platform: 'node',
    external: LOADED_LATER,
    plugins: [plainWidth, validatorsPlugin],
    output: {
      dir: 'dist/bin',
      cleanDir: true,
      minify: true,
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: { groups: [{ name: 'core', test: (id) => !APART.test(id) }] },
    },
  },
]);
