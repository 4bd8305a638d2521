import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { ROOT } from './pack.js';

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

/** A file of the package that programs read. */
const toModule = (path: string) => `dist/files/${path.replaceAll('/', '-')}.cjs`;

test('the package contains only bundles, types, schemas, documents, examples and deployment files', () => {
  const { files } = inject('packed');

  const entries = ['index', 'engine', 'client', 'jest', 'msw', 'node-test', 'playwright'];
  const standard = ['api-url', 'blob', 'email', 'fetch', 'oauth', 'rpc', 'sqlite', 'sqlite-main', 'utils', 'test'];
  const expected = [
    ...['CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'README.md', 'llms.txt', 'package.json'],
    ...below('deploy'),
    ...below('docs').filter((file) => !/^docs\/(?:decisions\/|images\/|simulation\.md$|.*\.json$)/.test(file)),
    ...below('examples'),
    ...below('dist/types'),
    ...[...entries, 'vitest'].map((entry) => `dist/lib/${entry}.js`),
    ...entries.flatMap((entry) => [`dist/cjs/${entry}.cjs`, `dist/cjs/${entry}.d.cts`]),
    ...['browser', 'helpers'].map((entry) => `dist/cjs/${entry}.cjs`),
    ...['client', 'msw'].map((entry) => `dist/browser/${entry}.js`),
    ...['ajv', 'body-parser', 'cliui', 'completion-templates', 'json-server', 'jsonc-parser'].map(
      (name) => `dist/packages/${name}.cjs`,
    ),
    'dist/preload/node.cjs',
    ...[...standard, 'types', 'vite'].map((name) => `dist/std/${name}.js`),
    ...standard.map((name) => toModule(`dist/std/${name}`)),
    // Deno gets the types of the standard library from the emulator. Those of std/test are the whole client.
    ...[...standard.filter((name) => name !== 'test'), 'sqlite-requests', 'types'].map((name) =>
      toModule(`dist/types/tools/std/${name}.d.ts`),
    ),
    'dist/licenses.txt',
    ...['dist-dashboard', 'dist-preload-node', 'dist-thread-worker', 'sqlite3-node', 'sqlite3.wasm'].map(toModule),
    ...below('docs').flatMap((file) => (file.endsWith('.json') ? toModule(file.slice(0, -'.json'.length)) : [])),
    ...readdirSync(join(ROOT, 'fixtures')).map((name) => toModule(`fixtures/${name}`)),
    ...below('schema'),
    'skills/val-emulator/SKILL.md',
  ];
  // The parts of the bundles are named after what they hold.
  const found = files.filter(
    (file) =>
      !/^dist\/(?:browser|cjs|lib|packages|validators)\/[\w.-]+-[\w-]{8}\.c?js$/.test(file) &&
      !/^dist\/validators\/[\w-]+\.[a-z]+\.cjs$/.test(file),
  );
  expect(files).toContain('dist/cjs/val-emulator.cjs');
  expect(found.toSorted(), 'if dist has files of modules that are gone, remove it and build').toEqual(
    expected.toSorted(),
  );
});

test('an install runs no script of the package', () => {
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(scripts).toHaveProperty('prepublish');
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
});

test.each([
  ['br', (bytes: Buffer) => bytes],
  ['gzip', (bytes: Buffer) => gzipSync(brotliDecompressSync(bytes))],
] as const)('the dashboard loads at most 110 KB at first, compressed as %s', (_, encode) => {
  const files = below('dist/dashboard').filter((file) => /(?:app\.js|worker-.*|\.css|\.html|\.svg)\.br$/.test(file));
  const sizes = files.map((file) => encode(Buffer.from(read(file), 'base64')).length);
  expect(sizes).toHaveLength(5);
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(110_000);
});

test('each relative link in a document of the package leads to a file of the package', () => {
  const { files } = inject('packed');
  const links = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...read(file).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, link = '']) => ({
        file,
        to: posix.join(dirname(file), link),
      })),
    );
  expect(links.length).toBeGreaterThan(200);
  const missing = links.filter(
    ({ to }) => !files.some((file) => file === to || file.startsWith(`${to.replace(/\/$/, '')}/`)),
  );
  expect(missing).toEqual([]);
});

test('each link of a document of the package to the repository leads to a file there', () => {
  const links = inject('packed')
    .files.filter((file) => file.endsWith('.md'))
    .flatMap((file) => [...read(file).matchAll(/val-emulator\/(?:blob|tree|raw)\/HEAD\/([^)#\s]+)/g)])
    .map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('a package is either in the bundles, which have its license, or a dependency', () => {
  const { dependencies, devDependencies } = Manifest.parse(JSON.parse(read('package.json')));
  const bundled = read('dist/licenses.txt').match(/^[@\w][\w./@-]* \d+\.\d+\.\d+\S*$/gm) ?? [];
  const names = bundled.map((line) => line.replace(/ .*/, ''));

  expect(Object.keys(dependencies)).toEqual(['express']);
  expect(names).toEqual(
    expect.arrayContaining([
      '@faker-js/faker',
      '@sqlite.org/sqlite-wasm',
      'body-parser',
      'json-server',
      'jsonc-parser',
      'lodash',
      'preact',
      'yargs',
    ]),
  );
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(['@faker-js/faker', 'json-server']));
  const loaded = below('dist')
    .filter((file) => /\.c?js$/.test(file) && !file.startsWith('dist/dashboard/'))
    .flatMap((file) => [...read(file).matchAll(/\b(?:require\(|from |import\()["'`](@?[a-z][^"'`:@]*)["'`]/g)])
    .map(([, name = '']) => name)
    // In texts of these packages, and in tests that the emulator writes.
    .filter((name) => !/^(?:ajv|zod|val-emulator)\b/.test(name));
  expect([...new Set(loaded)].toSorted()).toEqual([
    '@jest/globals',
    '@playwright/test',
    '@redis/client',
    'express',
    'msw',
    'oxc-transform',
    'vitest',
  ]);
});

test('bundles have the names of the sources, for stacks, and no source maps', () => {
  const { files } = inject('packed');
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  const code = below('dist/cjs').map(read).join('\n');
  expect(code).not.toContain('sourceMappingURL');
  expect(code).toMatch(/^var Pipeline = class \{$/m);
  expect(code).toMatch(/^function reportInternalError\(thrown, \{ method, target \}, onError\) \{$/m);
});

test('the types import dependencies, peers and modules of Node', () => {
  const { dependencies, peerDependencies } = Manifest.parse(JSON.parse(read('package.json')));
  const imported = below('dist/types').flatMap((file) =>
    [...read(file).matchAll(/\b(?:from |import\()["'](@[^"'/]+\/[^"'/]+|[a-z][^"'/]*)/g)].map(([, name = '']) => name),
  );

  expect(imported).toContain('vitest');
  const known = new Set([...Object.keys({ ...dependencies, ...peerDependencies }), ...builtinModules]);
  expect(imported.filter((name) => !known.has(name) && !name.startsWith('node:'))).toEqual([]);
});
