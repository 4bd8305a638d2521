import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { remoteFlags } from '#tools/cli/remote.js';
import manifest from '../package.json' with { type: 'json' };
import { folderOf } from './engine/fixtures/loading.js';
import { emulate } from './support/emulate.js';
import { loadCommands, MAIN } from './tools/cli/cli.js';
import { CONTROL_COMMANDS } from './tools/cli/control-commands.js';

const LIB = new URL('../dist/lib', import.meta.url);
const BUNDLES = new URL('../dist/cjs', import.meta.url);
const Coverage = z.object({ result: z.array(z.object({ url: z.string() })) });
const packages = new Set([
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.devDependencies),
  ...Object.keys(manifest.peerDependencies),
]);

/** The modules that a program loads, ES modules and CommonJS alike: what V8 saw of them when it ended. */
function urlsLoadedBy(args: readonly string[]): string[] {
  const folder = folderOf({});
  execFileSync(process.execPath, args, { env: environment(folder) });
  return readCoverage(folder);
}

const environment = (folder: string) => ({ ...process.env, NODE_V8_COVERAGE: folder, NODE_OPTIONS: '' });

const readCoverage = (folder: string): string[] =>
  readdirSync(folder).flatMap((file) =>
    Coverage.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).result.map(({ url }) => url),
  );

/** The packages in package.json that a program loads, also from the bundles. `npm test` builds dist first. */
function loadedBy(args: readonly string[]): string[] {
  const urls = urlsLoadedBy(args);
  const isLoaded = (name: string) =>
    urls.some((url) => url.includes(`/node_modules/${name}/`) || url.endsWith(`/dist/packages/${name}.cjs`));
  return [...packages].filter(isLoaded).toSorted();
}

const running = (source: string) => ['--input-type=module', '--eval', source];
const importing = (file: string) => running(`await import('${LIB}/${file}')`);

test.each([
  // The bundles contain what they need; validators are compiled by the build.
  ['the main entry', importing('index.js'), []],
  ['the helper for node:test', importing('node-test.js'), []],
  ['the helper for msw', importing('msw.js'), ['msw']],
  ['the helper for Playwright', importing('playwright.js'), ['@playwright/test']],
  ['a command', [MAIN, 'reset', '--help'], []],
  ['a start that watches nothing', [MAIN, 'start', '--help'], []],
])('%s loads what it needs and no more', (_, args, expected) => {
  expect(loadedBy(args)).toEqual(expected);
});

/** The parts of the main entry. Commands that act on a running emulator load the small ones. */
const LIBRARY = [
  ...['address', 'client', 'common', 'control', 'emulator', 'few', 'index', 'json', 'read', 'rolldown-runtime'],
  'write',
];

/** The part of a bundle by its name, which ends in a hash. */
const partOf = (url: string) => /\/dist\/(?:cjs|validators)\/([^/]*?)(?:-[\w-]{8})?\.cjs$/.exec(url)?.[1] ?? [];

test('the main entry does not load the part of its bundle that few programs need', () => {
  const parts = new Set(readdirSync(BUNDLES).flatMap((file) => partOf(`/dist/cjs/${file}`)));
  const loaded = urlsLoadedBy(importing('index.js')).flatMap(partOf);
  expect(loaded).toContain('index');
  expect(parts).toContain('generator');
  expect(loaded.toSorted()).toEqual(LIBRARY);
});

test('validators are loaded by the first value that they validate', () => {
  const loaded = (args: readonly string[]) => urlsLoadedBy(args).flatMap(partOf);
  const options = ['formats', 'vals-service-options.strict', 'ucs2length'];
  const others = [...LIBRARY, 'rolldown-runtime'];
  expect(loaded(using('')).toSorted()).toEqual([...others, ...options].toSorted());
  expect(loaded(asking('/v1/me/runs?limit=1'))).toContain('engine-api-route.wire');
  expect(loaded(asking('/v1/me/runs?limit=1'))).not.toContain('engine-api-route.strict');
});

const using = (statement: string) =>
  running(`
    import { createEmulator } from '${LIB}/index.js';
    const emulator = await createEmulator();
    ${statement};
    await emulator.close();
  `);

const asking = (path: string, init: RequestInit = {}) =>
  using(`
    const init = ${JSON.stringify({ headers: { authorization: 'Bearer ada-token' }, ...init })};
    const response = await fetch(emulator.url + '${path}', init);
    if (!response.ok) throw new Error(await response.text());
  `);

test('Express is loaded by routes that a program adds, and not by a page or a program that mounts the emulator', () => {
  expect(loadedBy(using('emulator.app'))).toEqual([]);
  expect(loadedBy(using("emulator.app.use('/hook', (_request, response) => response.end())"))).toEqual([
    'body-parser',
    'express',
  ]);
  expect(loadedBy(asking('/_emulator/ui/'))).toEqual([]);
});

test('the reader of bodies is loaded by the first request with a body', () => {
  expect(loadedBy(asking('/_emulator/reset', { method: 'POST' }))).toEqual([]);
  const headers = { 'content-type': 'application/json' };
  expect(loadedBy(asking('/_emulator/clock', { method: 'PUT', headers, body: '{"advance":"1m"}' }))).toEqual([
    'body-parser',
  ]);
});

test('json-server is loaded by the first request to the data browser, and by no other', () => {
  expect(loadedBy(asking('/v1/me'))).toEqual([]);
  expect(loadedBy(asking('/_emulator/state'))).toEqual([]);
  expect(loadedBy(asking('/_emulator/db/users'))).toEqual(['json-server']);
});

test('the thread of SQLite is started by the first statement of SQL, and by no other request', () => {
  const watch = 'data:text/javascript,process.on("worker", () => console.log("a thread"))';
  const printedBy = (args: readonly string[]) =>
    execFileSync(process.execPath, ['--import', watch, ...args], { encoding: 'utf8' });
  expect(printedBy(asking('/v1/blob'))).toBe('');
  const statement = { method: 'POST', body: '{"statement":"SELECT 1"}' };
  expect(printedBy(asking('/v1/sqlite/execute', statement))).toBe('a thread\n');
  const filesOf = (args: readonly string[]) =>
    urlsLoadedBy(args).flatMap((url) => /\/dist\/files\/(.*)$/.exec(url)?.[1] ?? []);
  expect(filesOf(asking('/v1/blob'))).toEqual(['fixtures-default.cjs']);
  expect(filesOf(asking('/v1/sqlite/execute', statement)).toSorted()).toEqual([
    'dist-thread-worker.cjs',
    'fixtures-default.cjs',
    'sqlite3-node.cjs',
    'sqlite3.wasm.cjs',
  ]);
});

/** The most JavaScript that a command loads which acts on a running emulator: the client and the parser. */
const MAX_BYTES = 153_000;

test(`a command that acts on a running emulator loads at most ${MAX_BYTES} bytes of JavaScript`, async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  for (const path of ['/v1/me', '/v1/me']) await emulator.fetch(path);
  const files = folderOf({ 'demo.json': { users: [{ username: 'eve' }] }, 'user.json': { username: 'bob' } });
  const others = [
    ...[['env'], ['cluster'], ['record', '--out', join(files, 'a.ndjson')], ['add', 'user', join(files, 'user.json')]],
    ...[
      ['state', '--brief', '--out', join(files, 'all.json')],
      ['state', '--out', `${join(files, 'folder')}/`],
    ],
    ...[
      ['seed', join(files, 'demo.json')],
      ['seed', '--generate', 'users=2'],
      ['requests', '--method', 'GET', '--json'],
    ],
  ];
  const runs = [...CONTROL_COMMANDS, ...others];
  const remote = (await loadCommands()).filter(({ variables }) => variables?.url === remoteFlags.url);
  const isRun = ({ name }: { readonly name: string }) =>
    runs.some((args) => `${args.join(' ')} `.startsWith(`${name} `));
  expect(remote.length).toBeGreaterThan(20);
  expect(remote.filter((command) => !isRun(command)).map(({ name }) => name)).toEqual([]);

  const loaded: { readonly run: string; readonly bytes: number }[] = [];
  for (const args of runs) {
    const folder = folderOf({});
    const words = [MAIN, ...args, '--url', emulator.url];
    // The status of a cluster is refused by an emulator alone.
    await promisify(execFile)(process.execPath, words, { env: environment(folder) }).catch((error: unknown) => {
      if (args[0] !== 'cluster') throw error;
    });
    const own = readCoverage(folder).filter((url) => url.includes('/dist/'));
    expect(own.length).toBeGreaterThan(5);
    loaded.push({ run: args.join(' '), bytes: own.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0) });
  }
  expect(loaded.filter(({ bytes }) => bytes > MAX_BYTES)).toEqual([]);
});
