import { expect, test } from 'vitest';
import { findCycle, findModuleState, type Module, parseModule, readModules } from './support/source.js';

/** Part of the main entry, and a layer in itself: fixtures are built without an emulator. */
const FIXTURE_BUILDER = 'testing/fixture-builder';

const BELOW_MODEL = ['collections', 'definition', 'sqlite', 'store', 'lib'];
const BELOW_FIXTURES = ['model', ...BELOW_MODEL];
const BELOW_JOURNAL = ['api', 'generator', 'fixtures', ...BELOW_FIXTURES];
const BELOW_CONTROL = ['sandbox', 'storage', 'journal', ...BELOW_JOURNAL];
const BELOW_SERVER = ['data-browser', 'control', ...BELOW_CONTROL];
/** What connects an emulator, and what uses one, may import. */
const WHOLE_SERVER = ['server', 'routes', 'control', ...BELOW_CONTROL];

/** The rules of conformance share no code with the emulator. */
const FIDELITY = ['fidelity/pull', 'fidelity/conformance', 'fidelity'];

/** Each layer, and the layers that it may import, types included. The files of src itself are the layer `emulator`. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  store: ['lib'],
  sqlite: ['lib'],
  definition: ['sqlite', 'store', 'lib'],
  collections: ['definition', 'sqlite', 'store', 'lib'],
  model: BELOW_MODEL,
  fixtures: BELOW_FIXTURES,
  generator: ['fixtures', ...BELOW_FIXTURES],
  api: BELOW_FIXTURES,
  routes: ['api', ...BELOW_FIXTURES],
  journal: ['routes', ...BELOW_JOURNAL],
  storage: ['journal', ...BELOW_JOURNAL],
  sandbox: ['storage', 'journal', 'routes', ...BELOW_JOURNAL],
  control: BELOW_CONTROL,
  'data-browser': ['control', ...BELOW_CONTROL],
  server: BELOW_SERVER,
  cluster: ['server', ...BELOW_SERVER],
  [FIXTURE_BUILDER]: ['fixtures', ...BELOW_FIXTURES],
  options: WHOLE_SERVER,
  emulator: [FIXTURE_BUILDER, 'options', 'cluster', 'mcp', 'client', ...WHOLE_SERVER],
  client: ['control', 'sandbox', 'journal', 'routes', 'fixtures', 'collections', 'lib'],
  mcp: ['client', 'control', 'lib'],
  intercept: ['emulator', ...WHOLE_SERVER],
  fidelity: ['lib'],
  'fidelity/conformance': ['fidelity', 'lib'],
  'fidelity/pull': ['fidelity', 'emulator', ...WHOLE_SERVER],
  cli: [...FIDELITY, 'mcp', 'client', 'intercept', 'emulator', 'options', ...WHOLE_SERVER],
  testing: [FIXTURE_BUILDER, 'client', 'emulator', ...WHOLE_SERVER, ...BELOW_FIXTURES],
};

/** Packages by the layer that may import them; types and late imports are free. */
const HEAVY_PACKAGES =
  /^(?:@modelcontextprotocol\/server|@redis\/client|@faker-js\/faker|body-parser|chokidar|express|json-server)(?:\/|$)/;
/** Modules that other layers load by `import()` when they are used. Node keeps a failed import, so these are few. */
const LATE_MODULES =
  /^(?:fidelity\/(?:conformance|pull)\/index|(?:generator|intercept)\/index|mcp\/(?:http|server|stdio)|storage\/data-folder|cluster\/storage)$/;

/** Random numbers and the time of the machine. */
const IMPURE = /\b(?:Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(|performance\.now\()/;
const PURE_LAYERS = [
  'lib',
  'store',
  'definition',
  'collections',
  'model',
  'fixtures',
  'generator',
  'api',
  'routes',
  'journal',
  'sandbox',
  'control',
  'data-browser',
];

const modules = readModules();

function findLayer(name: string): string {
  if (name === FIXTURE_BUILDER) return name;
  const inFidelity = FIDELITY.find((layer) => name.startsWith(`${layer}/`));
  if (inFidelity !== undefined) return inFidelity;
  return name.includes('/') ? (name.split('/')[0] ?? '') : 'emulator';
}

const listAllowed = (name: string): readonly string[] => [findLayer(name), ...(LAYERS[findLayer(name)] ?? [])];

/** Finds the imports that point up. */
const findViolations = (checked: readonly Module[]): string[] =>
  checked.flatMap(({ name, imports }) =>
    imports
      .filter((imported) => imported.isLocal && !listAllowed(name).includes(findLayer(imported.name)))
      .map((imported) => `${name} imports ${imported.name}`),
  );

/** Finds heavy packages and modules that are loaded before they are used. */
const findEarlyImports = (checked: readonly Module[]): string[] =>
  checked.flatMap(({ name, imports }) =>
    imports
      .filter(({ kind }) => kind === 'static')
      .filter((imported) =>
        imported.isLocal
          ? LATE_MODULES.test(imported.name) && findLayer(imported.name) !== findLayer(name)
          : HEAVY_PACKAGES.test(imported.name) && !LATE_MODULES.test(name) && !name.startsWith('generator/'),
      )
      .map((imported) => `${name} imports ${imported.name}`),
  );

const findImpure = (checked: readonly Module[]): string[] =>
  checked
    .filter((module) => PURE_LAYERS.includes(findLayer(module.name)))
    .filter((module) => IMPURE.test(module.source.text))
    .map(({ name }) => name);

test('imports point down, types included', () => {
  expect(findViolations(modules)).toEqual([]);
  expect(findViolations([parseModule('store/store', "import type { Route } from '../api/route.js';")])).toEqual([
    'store/store imports api/route',
  ]);
  expect(findViolations([parseModule('model/clock', "type A = import('../sandbox/clock.js').A;")])).toEqual([
    'model/clock imports sandbox/clock',
  ]);
  expect(findViolations([parseModule('server/node', "export { routes } from '../routes/index.js';")])).toEqual([
    'server/node imports routes/index',
  ]);
  expect(findViolations([parseModule(FIXTURE_BUILDER, "import { createEmulator } from '../emulator.js';")])).toEqual([
    'testing/fixture-builder imports emulator',
  ]);
});

test('no modules import each other in a cycle, types included', () => {
  expect(findCycle(modules)).toBeUndefined();
  expect(
    findCycle([
      parseModule('lib/a', "import type { B } from './b.js';"),
      parseModule('lib/b', "const c = await import('./c.js');"),
      parseModule('lib/c', "export * from './a.js';"),
    ]),
  ).toEqual(['lib/a', 'lib/b', 'lib/c', 'lib/a']);
});

test('heavy packages and modules are loaded when they are used', () => {
  expect(findEarlyImports(modules)).toEqual([]);
  const early = "import express from 'express';\nimport { generate } from '../generator/index.js';";
  expect(findEarlyImports([parseModule('server/node', early)])).toEqual([
    'server/node imports express',
    'server/node imports generator/index',
  ]);
  expect(findEarlyImports([parseModule('server/node', "import type { Application } from 'express';")])).toEqual([]);
});

test('below the server, time and chance come from the state', () => {
  expect(findImpure(modules)).toEqual([]);
  expect(findImpure([parseModule('model/clock', 'export const now = () => Date.now();')])).toEqual(['model/clock']);
});

test('no module has state', () => {
  expect(modules.flatMap((module) => findModuleState(module, modules))).toEqual([]);
  const names = parseModule('lib/names', "export const NAMES = new Set(['a']);");
  const writer = parseModule('lib/writer', "import { NAMES } from './names.js';\nNAMES.add('b');");
  expect(findModuleState(names, [names, writer])).toEqual(['lib/names:1 NAMES is changed']);
});

test.each([
  ['let count = 0;', 'lib/bad:1 is a variable'],
  ['export var count = 0;', 'lib/bad:1 is a variable'],
  ['const cache = new Map();', 'lib/bad:1 cache begins empty'],
  ['const cache = new WeakMap<object, string>();', 'lib/bad:1 cache begins empty'],
  ['const list: string[] = [];', 'lib/bad:1 list begins empty'],
  [
    "const names = new Set(['a']);\nexport const add = (name: string) => names.add(name);",
    'lib/bad:1 names is changed',
  ],
  ['const last = { at: 0 };\nexport const touch = () => { last.at = 1; };', 'lib/bad:1 last is changed'],
  ['const counts = { a: { b: 0 } };\nexport const count = () => counts.a.b++;', 'lib/bad:1 counts is changed'],
  ["const names = ['a'];\nexport const drop = () => { delete names[0]; };", 'lib/bad:1 names is changed'],
  [
    'const last = { at: 0 };\nexport const set = (at: number) => Object.assign(last, { at });',
    'lib/bad:1 last is changed',
  ],
  ['const read = memoize((name: string) => name);', 'lib/bad:1 read is memoized by memoize'],
  ['const cache = new SerializationCache();', 'lib/bad:1 cache is an instance of SerializationCache'],
  ['class Ids {\n  static #last = 0;\n}', 'lib/bad:2 #last is a variable'],
  ['class Ids {\n  static readonly known = new Set<string>();\n}', 'lib/bad:2 known begins empty'],
])('state in a module is reported: %s', (text, expected) => {
  expect(findModuleState(parseModule('lib/bad', text))).toEqual([expected]);
});

test.each([
  "const NAMES = new Set(['a']);\nexport const isName = (name: string) => NAMES.has(name);",
  "export const NAMES: ReadonlySet<string> = new Set(['a']);",
  "export const NAMES: readonly string[] = ['a'];",
  "export const NAMES = ['a', 'b'] as const;",
  'export const SIZES: Readonly<Record<string, number>> = { a: 1 };',
  'const NONE: readonly string[] = [];',
  'const FORMAT = new Intl.NumberFormat("en");',
  'export const make = () => { let count = 0; const all = []; return () => all.push(count++); };',
])('constants are accepted: %s', (text) => {
  expect(findModuleState(parseModule('lib/good', text))).toEqual([]);
});
