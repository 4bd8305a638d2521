import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../fixtures/loading.js';
import { pack, ROOT } from './pack.js';

/** Bytes of the tarball. Most of it is the bundle for Jest, with faker in it. */
const LARGEST = 1_300_000;

const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

test('the package holds its bundles, the types of each module, the fixtures and their schema, and what tells of it; nothing else', () => {
  const { files, size } = pack(folderOf({}));

  const sources = below('src').filter((file) => !file.startsWith('src/cli/'));
  const entries = ['index', 'jest', 'msw', 'node-test', 'playwright'];
  const expected = [
    ...['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', 'README.md', 'compose.yaml', 'package.json'],
    ...below('docs'),
    ...below('examples'),
    ...sources.map((file) => file.replace(/^src\/(.*)\.ts$/, 'dist/types/$1.d.ts')),
    ...[...entries, 'vitest'].map((entry) => `dist/lib/${entry}.js`),
    ...entries.flatMap((entry) => [`dist/cjs/${entry}.cjs`, `dist/cjs/${entry}.d.cts`]),
    ...below('fixtures'),
    ...below('schema'),
  ];
  // The parts of the bundles are named after what they hold.
  const found = files.filter((file) => !/^dist\/(?:bin|cjs|lib)\/[a-z-]+-[\w-]{8}\.c?js$/.test(file));
  expect(files).toContain('dist/bin/val-emulator.js');
  expect(found.toSorted(), 'if dist has files of modules that are gone, remove it and build').toEqual(
    expected.toSorted(),
  );
  expect(size).toBeLessThan(LARGEST);
});

test('what the README links to is in the package', () => {
  const { files } = pack(folderOf({}));
  const links = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g);
  const missing = [...links].flatMap(([, link = '']) => (files.some((file) => file.startsWith(link)) ? [] : link));
  expect(missing).toEqual([]);
});

test('no module names a source map: they are not in the package', () => {
  const named = below('dist').filter((file) =>
    /^\/\/[#@] sourceMappingURL=/m.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(named).toEqual([]);
});
