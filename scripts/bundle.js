// What the package runs. One file starts in a fraction of the time that hundreds of modules take.

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { buildDashboard } from './dashboard.js';
import { compileValidators, validatorsPlugin } from './validators.js';

const ROOT = join(import.meta.dirname, '..');

/** The classes that the package declares: the exports that are types as well as values. */
const findClasses = () => {
  const files = readdirSync('dist/types', { recursive: true }).filter((name) => name.endsWith('.d.ts'));
  const texts = files.map((name) => readFileSync(join('dist/types', name), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^export declare (?:abstract )?class (\w+)/gm)].map(([, name]) => name)),
  );
};

/**
 * Writes the types of CommonJS modules (`.d.cts`). They refer to the types of the ES modules, so that a class has one type:
 * types by a star, values by name, since a type-only export cannot be used as a value.
 */
const commonJsTypes = {
  name: 'commonjs-types',
  generateBundle(_options, bundle) {
    const classes = findClasses();
    for (const { isEntry, name, facadeModuleId, exports } of Object.values(bundle)) {
      if (!isEntry || exports.length === 0) continue;
      const types = relative(join(ROOT, 'build'), facadeModuleId);
      const from = `'../types/${types}' with { 'resolution-mode': 'import' };`;
      const lines = exports.flatMap((value) => [
        `export declare const ${value}: typeof module.${value};`,
        ...(classes.has(value) ? [`export type ${value} = module.${value};`] : []),
      ]);
      const source = [`import type * as module from ${from}`, `export type * from ${from}`, ...lines, ''].join('\n');
      this.emitFile({ type: 'asset', fileName: `${name}.d.cts`, source });
    }
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

/** Keeps the name by which proxy-chain knows its errors, since a minified class has another one. */
const errorName = {
  name: 'error-name',
  transform: {
    filter: { id: /[\\/]proxy-chain[\\/]dist[\\/]request_error\.js$/ },
    handler: (code) => ({ code: code.replace('RequestError.name', "'RequestError'"), map: { mappings: '' } }),
  },
};

/**
 * Makes the Model Context Protocol small. Its validator, a second Ajv, checks what a server asks of a user, and ours asks
 * nothing. The rest is minified in the libraries too.
 */
const smallMcp = {
  name: 'small-mcp',
  resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? '\0small-mcp' : undefined),
  load: (id) =>
    id === '\0small-mcp'
      ? "import process from 'node:process';\nexport { process };\nexport class DefaultJsonSchemaValidator {}"
      : undefined,
  transform: {
    filter: { id: /[\\/]node_modules[\\/](?:@modelcontextprotocol|zod)[\\/]/ },
    handler: (code, id) => ({ code: minifySync(id, code).code, map: { mappings: '' } }),
  },
};

/**
 * Maps the bundles to the modules in TypeScript, by the maps that tsc has written. Dependencies have no lines there: they
 * would be most of the maps.
 */
const sourceMaps = {
  name: 'source-maps',
  load: {
    filter: { id: /[\\/]build[\\/].*\.js$/ },
    async handler(id) {
      const map = await readFile(`${id}.map`, 'utf8').catch(() => undefined);
      if (map === undefined) return undefined;
      const code = await readFile(id, 'utf8');
      return { code: code.replace(/\n\/\/# sourceMappingURL=.*/, ''), map };
    },
  },
  transform: {
    filter: { id: /[\\/]node_modules[\\/]/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};
/** Of comments, only licenses and those that tools read: the declarations have the others. */
const MAPPED = { sourcemap: true, sourcemapExcludeSources: true, comments: { jsdoc: false } };

/** Packages that few programs come to need: dependencies. All others are in the bundles. */
const FAKER = /^@faker-js\/faker/;
const LOADED_LATER = ['@redis/client', 'body-parser', 'chokidar', /^json-server/];

/**
 * Loads Faker, which has ES modules only, by Node's own `require`. Jest replaces `require` and `getBuiltinModule` by its
 * own, which load no ES modules, but not in the main context.
 */
const nativeFaker = {
  name: 'native-faker',
  resolveId: (id) => (FAKER.test(id) ? `\0${id}.cjs` : undefined),
  load: {
    filter: { id: /^\0@faker-js\/faker/ },
    handler: (id) =>
      `module.exports = require('node:vm').runInThisContext('process').getBuiltinModule('node:module').createRequire(__filename)(${JSON.stringify(id.slice(1, -'.cjs'.length))});`,
  },
};

/** Takes the tools for agents from the ES modules: their protocol is 400 kB, and no test in Jest needs them. */
const sharedMcp = {
  name: 'shared-mcp',
  resolveId: (id) => (id.endsWith('/mcp/http.js') ? { id: '../lib/mcp.js', external: true } : undefined),
};

const RUNNERS = ['@jest/globals', '@playwright/test', 'msw', 'vitest'];

/** Modules that programs import or require. Modules of one format share their chunks, and so each class. */
const ENTRIES = {
  index: 'build/index.js',
  client: 'build/client/index.js',
  jest: 'build/testing/jest.js',
  'node-test': 'build/testing/node-test.js',
  playwright: 'build/testing/playwright.js',
  msw: 'build/testing/msw.js',
};

/** Each of these modules is in one file with all that it imports, which loads faster than many. */
const GROUPS = [
  { name: 'program', test: /\/build\/cli\/program\.js$/, priority: 2 },
  { name: 'start', test: /\/build\/cli\/(?:commands\/start|config-file)\.js$/, priority: 1 },
  // Loaded by the check of responses and by conformance. Compiled validators need the rest of these packages.
  {
    name: 'ajv',
    test: /\/node_modules\/(?:ajv\/(?!dist\/runtime\/)|ajv-formats\/(?!dist\/formats\.)|fast-uri\/|json-schema-traverse\/)/,
    priority: 0,
  },
].map((group) => ({ ...group, includeDependenciesRecursively: true }));

/** Puts the plain schemas in the place of TypeBox in the declarations as well. */
function replaceTypeBox() {
  for (const name of readdirSync('dist/types', { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
    const file = join('dist/types', name);
    const text = readFileSync(file, 'utf8');
    const folder = relative(dirname(file), 'dist/types').replaceAll('\\', '/') || '.';
    const replaced = text.replace(
      /(from |import\()(['"])typebox\2/g,
      (_, start, quote) => `${start}${quote}${folder}/typebox.js${quote}`,
    );
    if (replaced !== text) writeFileSync(file, replaced);
  }
  copyFileSync('scripts/plain-schemas.d.ts', 'dist/types/typebox.d.ts');
}

replaceTypeBox();
await compileValidators();
await build([
  {
    input: {
      ...ENTRIES,
      // vitest itself cannot be required.
      vitest: 'build/testing/vitest.js',
      // For the CommonJS bundle, too.
      mcp: 'build/mcp/http.js',
    },
    platform: 'node',
    external: [FAKER, ...LOADED_LATER, ...RUNNERS],
    plugins: [smallMcp, validatorsPlugin, sourceMaps],
    output: { ...MAPPED, dir: 'dist/lib', cleanDir: true, chunkFileNames: '[name]-[hash].js' },
  },
  {
    // For Jest, whose `require` cannot load ES modules. Node itself takes the ES modules for `require` too, so a program
    // never has two copies.
    input: {
      ...ENTRIES,
      // CommonJS, so that a bundler does not look for the names that a program imports.
      browser: 'build/browser.js',
    },
    platform: 'node',
    external: [...LOADED_LATER, ...RUNNERS],
    plugins: [nativeFaker, commonJsTypes, sharedMcp, validatorsPlugin, sourceMaps],
    output: {
      ...MAPPED,
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
    external: [FAKER, ...LOADED_LATER],
    plugins: [plainWidth, errorName, smallMcp, validatorsPlugin, sourceMaps],
    output: {
      ...MAPPED,
      dir: 'dist/bin',
      cleanDir: true,
      minify: true,
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: { groups: GROUPS },
    },
  },
  {
    // Node loads it into the programs of `exec --intercept` by NODE_OPTIONS=--require.
    input: { node: 'build/intercept/preload.js' },
    platform: 'node',
    output: { dir: 'dist/preload', cleanDir: true, format: 'cjs', entryFileNames: '[name].cjs' },
  },
]);
await buildDashboard();
