// What the package runs. One file starts in a fraction of the time that hundreds of modules take.

import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { minifySync } from 'rolldown/utils';
import { BUILD, isPackage, Licenses, PLUGINS, roomImports, toPath } from './bundle-plugins.js';
import { buildDashboard } from './dashboard.js';
import { packageFiles, packFiles } from './package-files.js';
import { packTypes } from './package-types.js';
import { build } from './rolldown.js';
import { threadBuild, threadFile } from './thread.js';
import { compileValidators, listValidators, validatorsPlugin } from './validators.js';

/** The classes that the package declares: the exports that are types as well as values. */
const findClasses = (texts) =>
  new Set(
    texts.flatMap((text) => [...text.matchAll(/^export declare (?:abstract )?class (\w+)/gm)].map(([, name]) => name)),
  );

/**
 * Writes the types of CommonJS modules (`.d.cts`). They refer to the types of the ES modules, so that a class has one type:
 * types by a star, values by name, since a type-only export cannot be used as a value.
 */
const commonJsTypes = {
  name: 'commonjs-types',
  generateBundle(_options, bundle) {
    for (const { isEntry, name, facadeModuleId, exports } of Object.values(bundle)) {
      if (!isEntry || exports.length === 0 || facadeModuleId === HELPERS) continue;
      const types = relative(BUILD, facadeModuleId);
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

const RUNNERS = ['@jest/globals', '@playwright/test', 'msw', 'vitest'];

/** What the helpers for test runners have in common, in one module. */
const HELPERS = '\0helpers';
const PARTS = ['forward', 'matchers', 'server', 'snapshot'].map((name) => join(BUILD, 'tools/testing', `${name}.js`));
const helpers = {
  name: 'helpers',
  resolveId: (id) => (id === HELPERS ? id : undefined),
  load: (id) => (id === HELPERS ? PARTS.map((path) => `export * from ${JSON.stringify(path)};`).join('\n') : undefined),
};

/** Modules of which ES modules have the exports of a CommonJS bundle. */
const FACES = {
  [join(BUILD, 'index.js')]: 'index',
  [join(BUILD, 'engine.js')]: 'engine',
  [join(BUILD, 'tools/client/index.js')]: 'client',
  ...Object.fromEntries(PARTS.map((path) => [path, 'helpers'])),
};

/**
 * Builds the ES modules. The helpers import the test runner as one; all else is in the CommonJS bundles.
 * @param chunks of the CommonJS bundles
 */
async function buildFaces(chunks) {
  const faces = {
    name: 'faces',
    resolveId(id, importer) {
      const name = FACES[toPath(id, importer)];
      return name && `\0${name}`;
    },
    load(id) {
      const { fileName, exports } = chunks.find(({ isEntry, name }) => isEntry && id === `\0${name}`) ?? {};
      if (fileName === undefined) return undefined;
      return `import module from '../cjs/${fileName}';\nexport const { ${exports.join(', ')} } = module;`;
    },
  };
  const { index, engine, client, jest, 'node-test': nodeTest, playwright, msw } = ENTRIES;
  await build({
    // vitest itself cannot be required.
    input: {
      index,
      engine,
      client,
      jest,
      'node-test': nodeTest,
      playwright,
      msw,
      vitest: 'build/tools/testing/vitest.js',
    },
    platform: 'node',
    external: [/^\.\.\/cjs\//, ...RUNNERS],
    plugins: [faces, roomImports],
    output: { dir: 'dist/lib', cleanDir: true, chunkFileNames: '[name]-[hash].js', comments: { jsdoc: false } },
  });
}

/**
 * The library and the command: one graph of CommonJS modules, which all formats load, so that each class is there once.
 * `require` loads a module late and at once, in Node, in Jest, and in the file that a bundler makes of a program.
 */
const ENTRIES = {
  index: 'build/index.js',
  engine: 'build/engine.js',
  client: 'build/tools/client/index.js',
  jest: 'build/tools/testing/jest.js',
  'node-test': 'build/tools/testing/node-test.js',
  playwright: 'build/tools/testing/playwright.js',
  msw: 'build/tools/testing/msw.js',
  // CommonJS, so that a bundler for browsers does not look for the names that a program imports.
  browser: 'build/browser.js',
  'val-emulator': 'build/tools/cli/main.js',
};

/** The modules of the standard library of vals, and the helper for tests of vals. */
const STANDARD = Object.fromEntries([
  ...['api-url', 'blob', 'email', 'fetch', 'oauth', 'rpc', 'sqlite', 'sqlite-main', 'types', 'utils', 'vite'].map(
    (name) => [name, `build/tools/std/${name}.js`],
  ),
  ['test', 'build/tools/testing/std.js'],
]);

/** Packages that few programs come to need, in files of their own, by the names that the sources load. */
const PACKAGES = {
  'json-server/lib/server/index.js': 'json-server',
  'body-parser': 'body-parser',
  'jsonc-parser': 'jsonc-parser',
  cliui: 'cliui',
  'completion-templates': 'completion-templates',
};
/** Compiles the schemas that the build has not seen: of responses, of conformance and of another service. */
const AJV = join(BUILD, 'engine/schema/ajv.js');
const lateAjv = {
  name: 'late-ajv',
  resolveId: (id, importer) =>
    toPath(id, importer) === AJV ? { id: '../packages/ajv.cjs', external: true } : undefined,
};
const packages = {
  name: 'packages',
  resolveId: (id) =>
    Object.hasOwn(PACKAGES, id) ? { id: `../packages/${PACKAGES[id]}.cjs`, external: true } : undefined,
};

/** Modules whose exports are computed now: a bundle has their values, and not the modules that they are computed from. */
const constants = {
  name: 'constants',
  load: {
    filter: { id: /[\\/]build[\\/]vals[\\/](?:lib[\\/]names\.collection|service[\\/]secrets\.routes)\.js$/ },
    async handler(id) {
      const values = Object.entries(await import(pathToFileURL(id).href));
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
    },
  },
};

/** The roles of modules whose rules and descriptions only documents have. */
const DOCUMENTED_ROLES = ['control', 'routes', 'schema'];
const DOCUMENTED = new RegExp(String.raw`[\\/]build[\\/]vals[\\/].*\.(${DOCUMENTED_ROLES.join('|')})\.js$`);
const documentedRoles = new Set();

/** What the OpenAPI documents have, which are files of the package, is not in the bundle: rules and descriptions of the routes. */
const documented = {
  name: 'documented',
  transform: {
    filter: { id: DOCUMENTED },
    handler(code, id) {
      documentedRoles.add(DOCUMENTED.exec(id)[1]);
      const found = listProperties(this.parse(code).body, isDocumented);
      return found.reduceRight(
        (text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^,/, ''),
        code,
      );
    },
  },
  buildEnd() {
    const missing = DOCUMENTED_ROLES.filter((role) => !documentedRoles.has(role));
    if (missing.length > 0) throw new Error(`No file of src/vals has the role ${missing.join(' or ')}.`);
  },
};

const isDocumented = ({ key: { name }, value, shorthand }) =>
  (name === 'rules' && !shorthand) || (name === 'description' && value.type === 'Literal');

/** Lists the properties of an object in a syntax tree that a test selects, in order. */
const listProperties = (node, test) => {
  if (node?.type === 'Property' && test(node)) return [node];
  return Object(node) === node ? Object.values(node).flatMap((each) => listProperties(each, test)) : [];
};

/** Modules that are loaded late, by a name for the packages that each of them needs. */
const LATE = {
  faker: 'vals/generator/index.js',
  protocol: 'engine/mcp/control-http.js',
  interception: 'tools/intercept/index.js',
};

/** Parts of the library that their first use loads (`lateSurfaces`). */
const SURFACES = {
  // What a sandbox shows of its requests and states, and of its faults.
  inspection: [
    ...[
      'comparison',
      'forks',
      'history-entries',
      'make-test',
      'refusals',
      'replacement',
      'request-explanation',
      'sandbox-record',
      'snapshots',
    ].map((name) => `engine/sandbox/${name}.js`),
    ...['engine/journal/assertions.js', 'engine/journal/explanation.js', 'engine/journal/request-record.js'],
    ...['engine/changes/change.js', 'engine/fixtures/export-options.js'],
    ...['engine/session/session.js', 'engine/faults/chaos.js', 'engine/faults/header.js'],
  ],
  // What the control API shares with the routes of SQL and with `/v2`.
  stores: ['vals/sqlite/sql.schema.js', 'vals/lib/data-owners.rules.js'],
  v2: ['vals/service/v2.routes.js'],
  orders: ['engine/store/orders.js'],
  'control-api': [
    'engine/http/control.js',
    'engine/http/encode.js',
    'engine/control/routes.js',
    'vals/service/service.control.js',
  ],
};

/** Small modules of the library that commands load. */
const LEAVES = ['engine/changes/format.js', 'vals/lib/datasets.collection.js', 'vals/service/texts.js'];
/** Small modules of the library that few commands load. */
const FEW = [
  'engine/journal/outcomes.js',
  'engine/faults/presets.js',
  'engine/sandbox/test-runners.js',
  'engine/persistence/disk.js',
  'engine/journal/statuses.js',
  'engine/lib/reasons.js',
];

/**
 * The chunks, in order: a module is in the first that lists it. One file loads faster than many. Parts that remote commands
 * load come before the library, so that these commands do not load it.
 * `from` lists the modules that others need, `shared` only the ones in the library.
 */
const LAYERS = {
  yargs: ({ from, library }) => from('tools/cli/program.js').filter((id) => isPackage(id) && !library.has(id)),
  control: ({ from }) => from('tools/client/control-client.js', 'engine/api/tool-route.js'),
  client: ({ from }) => from('tools/client/index.js'),
  common: ({ shared }) => shared('tools/cli/program.js', ...LEAVES),
  few: ({ shared }) => shared(...FEW),
  json: ({ shared }) => shared('engine/fixtures/read-json.js'),
  read: ({ shared }) => shared('engine/fixtures/read.js'),
  write: ({ shared }) => shared('engine/fixtures/write.js'),
  address: ({ shared }) => shared('tools/cli/detached.js'),
  emulator: ({ from }) => from('index.js'),
  ...Object.fromEntries(Object.entries(SURFACES).map(([name, paths]) => [name, ({ from }) => from(...paths)])),
  program: ({ from }) => from('tools/cli/program.js'),
  remote: ({ from }) => from('tools/cli/remote.js', 'tools/cli/rethrow.js', 'tools/cli/format-replacement.js'),
  criteria: ({ from }) => from('tools/cli/criteria.js'),
  output: ({ from }) => from('tools/cli/output.js'),
  dataset: ({ from }) => from('tools/cli/dataset.js'),
  detached: ({ from }) => from('tools/cli/detached.js', 'tools/cli/ports.js'),
  start: ({ from }) => from('tools/cli/commands/start.js'),
  ...Object.fromEntries(
    Object.entries(LATE).map(([name, path]) => [name, ({ from }) => from(path).filter((id) => isPackage(id))]),
  ),
};

/** The parts of the library that these commands load. */
const SMALL = ['output', 'start', 'control', 'common', 'few', 'json', 'read', 'write', 'address', 'names.collection'];
/** Modules of the command, which prints no stacks. */
const isOfCommand = (id) => id.startsWith(join(BUILD, 'tools/cli')) || id.startsWith(join(BUILD, 'validators'));

const found = {};
const layers = {
  name: 'layers',
  buildEnd() {
    const reach = (id, reached = new Set()) => {
      if (!reached.has(id))
        for (const each of this.getModuleInfo(reached.add(id) && id)?.importedIds ?? []) reach(each, reached);
      return reached;
    };
    const from = (...names) => [...new Set(names.flatMap((name) => [...reach(join(BUILD, name))]))];
    const library = new Set(from('index.js', ...Object.values(SURFACES).flat()));
    const shared = (...names) => from(...names).filter((id) => library.has(id));
    for (const [name, list] of Object.entries(LAYERS)) found[name] = new Set(list({ from, shared, library }));
  },
  /** Minifies small parts and the modules of commands. What the library has as well keeps the names of its functions. */
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const hasStacks = !chunk.moduleIds?.every(isOfCommand);
      if (hasStacks && !SMALL.includes(chunk.name)) continue;
      chunk.code = minifySync(chunk.fileName, chunk.code, { mangle: !hasStacks || { keepNames: true } }).code;
    }
  },
};

const toEscape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** Escapes the few letters beyond ASCII of most files: Node reads ASCII in half the time, into half the memory. */
const ascii = {
  name: 'ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const escaped = chunk.code?.replace(/[^\0-\x7f]/g, toEscape);
      if (escaped?.length < 1.01 * chunk.code?.length) chunk.code = escaped;
    }
  },
};

const groups = Object.keys(LAYERS).map((name, index) => ({
  name,
  test: (id) => found[name].has(id),
  priority: Object.keys(LAYERS).length - index,
}));

const licenses = new Licenses();
const COMMONJS = {
  format: 'cjs',
  cleanDir: true,
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  // Of comments, only those that tools read: the declarations have the others.
  comments: { jsdoc: false },
};

const classes = findClasses(packTypes());
// Several builds write to it at once.
rmSync('dist/std', { recursive: true, force: true });
await compileValidators();
const [{ output }] = await build([
  {
    input: { ...ENTRIES, helpers: HELPERS },
    platform: 'node',
    external: ['express', '@redis/client', 'oxc-transform', ...RUNNERS],
    plugins: [
      helpers,
      packageFiles,
      constants,
      documented,
      validatorsPlugin,
      threadFile,
      // Before the plugin that finds modules of other rooms.
      lateAjv,
      ...PLUGINS,
      packages,
      layers,
      ascii,
      commonJsTypes,
      licenses.plugin,
    ],
    output: { ...COMMONJS, dir: 'dist/cjs', codeSplitting: { groups } },
  },
  {
    input: listValidators(),
    platform: 'node',
    plugins: [...PLUGINS, licenses.plugin],
    output: { ...COMMONJS, dir: 'dist/validators', minify: true },
  },
  {
    input: {
      ajv: AJV,
      ...Object.fromEntries(Object.entries(PACKAGES).map(([id, name]) => [name, id])),
      // yargs exports it to its own modules alone.
      'completion-templates': 'node_modules/yargs/build/lib/completion-templates.js',
    },
    platform: 'node',
    // The CommonJS module of jsonc-parser has its parts by a `require` that no bundler follows.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [...PLUGINS, licenses.plugin],
    output: { ...COMMONJS, dir: 'dist/packages', minify: true, exports: 'named' },
  },
  {
    // For bundlers, which take no module of Node into a page.
    input: { client: 'build/tools/client/index.js', msw: 'build/tools/testing/msw.js' },
    platform: 'browser',
    external: RUNNERS,
    plugins: [validatorsPlugin, ...PLUGINS],
    output: { dir: 'dist/browser', cleanDir: true, chunkFileNames: '[name]-[hash].js', comments: { jsdoc: false } },
  },
  // Each is served alone, and runs in Deno, Node and Bun.
  ...Object.entries(STANDARD).map(([name, path]) => ({
    input: { [name]: path },
    platform: 'neutral',
    plugins: [validatorsPlugin, ...PLUGINS],
    output: { dir: 'dist/std', comments: { jsdoc: false }, codeSplitting: false },
  })),
  threadBuild('build/vals/sqlite/thread/worker.js'),
  {
    // Node loads it into the programs of `exec --intercept` by NODE_OPTIONS=--require.
    input: { node: 'build/tools/intercept/preload.js' },
    platform: 'node',
    plugins: [roomImports],
    output: { dir: 'dist/preload', cleanDir: true, format: 'cjs', entryFileNames: '[name].cjs' },
  },
]);
await buildFaces(output);
await buildDashboard([licenses.plugin]);
licenses.add('node_modules/@sqlite.org/sqlite-wasm');
packFiles();
writeFileSync('dist/licenses.txt', licenses.text);
