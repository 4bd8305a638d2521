import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LAYERS } from './support/layers.js';
import { findCycle, findModuleState, type Module, parseModule, readModules } from './support/source.js';

/** Packages by the layer that may import them; types and late imports are free. */
const HEAVY_PACKAGES =
  /^(?:@modelcontextprotocol\/server|@redis\/client|@faker-js\/faker|body-parser|chokidar|express|json-server)(?:\/|$)/;
/** Modules that other layers load by `import()` when they are used. Node keeps a failed import, so these are few. */
const LATE_MODULES =
  /^(?:(?:tools\/(?:conformance|pull|intercept)|engine\/make-test|vals\/generator)\/index|engine\/openapi\/service|engine\/mcp\/(?:control-http|service-http|server|stdio)|vals\/(?:service\/service\.tools|projects\/modules\.rules)|engine\/persistence\/data-folder|cluster\/storage)$/;

/** Random numbers and the time of the machine. */
const IMPURE = /\b(?:Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(|performance\.now\()/;
const PURE_LAYERS = [
  'engine/lib',
  'engine/store',
  'engine/definition',
  'engine/state',
  'engine/schema',
  'engine/fixtures',
  'engine/api',
  'engine/journal',
  'engine/changes',
  'engine/clock',
  'engine/rate-limit',
  'engine/faults',
  'engine/sandbox',
  'engine/control',
  'engine/data-browser',
  'vals/*.collection',
  'vals/*.rules',
  'vals/generator',
  'vals/*.routes',
  'vals/*.sandbox',
  'vals/*.control',
];

/** A function of time that a module takes when it is loaded, which may be while a test runner has replaced it. */
const TAKES_TIME =
  /from 'node:(?:timers|perf_hooks)'|^const .*(?:performance\.now(?!\()|\b(?:globalThis|performance);)/m;

/** Modules that compare sets of records: the walk over changed records, and those below it or without records to show. */
const COMPARE_SETS = [
  'engine/changes/changed-record',
  // Rows of a listing that is kept, found by one collection.
  'engine/control/resources',
  'engine/persistence/changes',
  'engine/persistence/check-lines',
  'engine/sandbox/stored-bytes',
  'engine/state/check-draft',
  'engine/state/diff',
  'engine/store/collection',
  'engine/store/tally',
  // By the method of a sandbox.
  'tools/pull/index',
  // Trees of files.
  'vals/projects/merges.rules',
];
const COMPARES_SETS = /\.diff\(|\bdiffSets(?:<.*>)?\(/;

const modules = readModules();

function findLayer(name: string): string {
  if (name === 'engine/service') return name;
  const [, room, role] = /^(engine|vals)\/[^/]+\/[^/]+\.(\w+)$/.exec(name) ?? [];
  if (role !== undefined) return room === 'vals' ? `vals/*.${role}` : `engine/${role}`;
  const folders = name.split('/').slice(0, -1);
  return folders[0] === undefined ? 'emulator' : folders.slice(0, 2).join('/');
}

const listAllowed = (name: string): readonly string[] => [findLayer(name), ...(LAYERS[findLayer(name)] ?? [])];

/** The modules of the page. The module that the build makes imports each view. */
function readPage(): Module[] {
  const page = readModules(join(import.meta.dirname, '../dashboard/src'));
  const views = page.flatMap(({ name }) =>
    name.startsWith('pages/data/views/') ? [`import '../../${name}.js';`] : [],
  );
  const importer = page.find(({ imports }) => imports.some(({ name }) => name === 'virtual:views'));
  if (!importer || views.length === 0) throw new Error('no views');
  const text = [importer.source.text, ...views].join('\n');
  return page.map((module) => (module === importer ? parseModule(module.name, text, '.tsx') : module));
}

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
          : HEAVY_PACKAGES.test(imported.name) && !LATE_MODULES.test(name) && !name.startsWith('vals/generator/'),
      )
      .map((imported) => `${name} imports ${imported.name}`),
  );

const findImpure = (checked: readonly Module[]): string[] =>
  checked
    .filter((module) => PURE_LAYERS.includes(findLayer(module.name)))
    .filter((module) => IMPURE.test(module.source.text))
    .map(({ name }) => name);

const findTimeTakers = (checked: readonly Module[]): string[] =>
  checked.filter(({ source }) => TAKES_TIME.test(source.text)).map(({ name }) => name);

test('imports point down, types included', () => {
  expect(findViolations(modules)).toEqual([]);
  expect(findViolations([parseModule('engine/store/store', "import type { Route } from '../api/route.js';")])).toEqual([
    'engine/store/store imports engine/api/route',
  ]);
  expect(
    findViolations([parseModule('vals/runs/clock.rules', "type A = import('#engine/clock/clock.js').A;")]),
  ).toEqual(['vals/runs/clock.rules imports engine/clock/clock']);
  expect(
    findViolations([parseModule('engine/store/tree', "export { routes } from '#vals/service/service.routes.js';")]),
  ).toEqual(['engine/store/tree imports vals/service/service.routes']);
});

test('no modules import each other in a cycle, types included', () => {
  expect(findCycle(modules)).toBeUndefined();
  expect(findCycle(readModules(join(import.meta.dirname, '../scripts')))).toBeUndefined();
  expect(findCycle(readPage())).toBeUndefined();
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
  const early = "import express from 'express';\nimport { generate } from '#vals/generator/index.js';";
  expect(findEarlyImports([parseModule('engine/http/node', early)])).toEqual([
    'engine/http/node imports express',
    'engine/http/node imports vals/generator/index',
  ]);
  expect(findEarlyImports([parseModule('engine/http/node', "import type { Application } from 'express';")])).toEqual(
    [],
  );
});

test('below the server, time and chance come from the state', () => {
  expect(findImpure(modules)).toEqual([]);
  expect(findImpure([parseModule('vals/runs/clock.rules', 'export const now = () => Date.now();')])).toEqual([
    'vals/runs/clock.rules',
  ]);
});

test('one module takes functions of time when it is loaded', () => {
  expect(findTimeTakers(modules)).toEqual(['engine/platform/system-timers']);
  const takers = [
    "import timers from 'node:timers';",
    'const readTimer = performance.now.bind(performance);',
    'const { setTimeout } = globalThis;',
    'const { timeOrigin } = performance;',
  ];
  const early = takers.map((text, index) => parseModule(`lib/early${index}`, text));
  expect(findTimeTakers(early)).toHaveLength(takers.length);
  expect(findTimeTakers([parseModule('lib/late', 'const read = () => performance.now();')])).toEqual([]);
});

test('the changed records of two states are found by one walk', () => {
  const comparing = modules.filter(({ source }) => COMPARES_SETS.test(source.text));
  expect(comparing.map(({ name }) => name)).toEqual(COMPARE_SETS);
  expect(COMPARES_SETS.test('for (const { set } of diffSets(before, after, sets)) {')).toBe(true);
  expect(COMPARES_SETS.test('const changes = getRecords(after, name).diff(records);')).toBe(true);
});

/** What adds records, and where it is called. */
const ADDING: Readonly<Record<string, readonly string[]>> = {
  // In a draft.
  insertRecord: ['engine/control/record-writer', 'engine/sandbox/adder'],
  insertAll: ['engine/sandbox/adder'],
  // In one commit: by the methods, in fixture format, and as rows.
  addRecords: ['engine/control/record-writer', 'engine/control/state', 'engine/sandbox/adder'],
  // By the records API, and by json-server.
  createRecords: ['engine/control/record-writes', 'engine/data-browser/browser'],
};

test('one function adds records', () => {
  const callers = Object.keys(ADDING).map((name) => {
    const calls = modules.filter(({ source }) =>
      new RegExp(`(?<!(?<!lateWriter)\\.|function\\*? )\\b${name}\\(`).test(source.text),
    );
    return [name, calls.map((module) => module.name).sort()];
  });
  expect(Object.fromEntries(callers)).toEqual(ADDING);
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
  'const getRouter = onceFor((service: Service) => new Router(service.routes));',
  'export const make = () => { let count = 0; const all = []; return () => all.push(count++); };',
])('constants are accepted: %s', (text) => {
  expect(findModuleState(parseModule('lib/good', text))).toEqual([]);
});
