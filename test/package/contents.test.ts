import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { folderOf } from '../fixtures/loading.js';
import { pack, ROOT } from './pack.js';

/** Bytes of the tarball. */
const LARGEST = 2_750_000;

const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

test('the package contains only bundles, types, fixtures, schemas, documents, examples and deployment files', () => {
  const { files, size } = pack(folderOf({}));

  const sources = below('src').filter((file) => !/^src\/(?:cli|fidelity|intercept)\//.test(file));
  const entries = ['index', 'client', 'jest', 'msw', 'node-test', 'playwright'];
  const expected = [
    ...['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', 'README.md', 'llms.txt', 'package.json'],
    ...below('deploy'),
    ...below('docs').filter((file) => !file.startsWith('docs/images/')),
    ...below('examples'),
    ...sources.map((file) => file.replace(/^src\/(.*)\.ts$/, 'dist/types/$1.d.ts')),
    'dist/types/typebox.d.ts',
    ...[...entries, 'mcp', 'vitest'].map((entry) => `dist/lib/${entry}.js`),
    ...entries.flatMap((entry) => [`dist/cjs/${entry}.cjs`, `dist/cjs/${entry}.d.cts`]),
    'dist/cjs/browser.cjs',
    'dist/preload/node.cjs',
    ...['app.js', 'icon.svg', 'index.html', 'licenses.txt', 'style.css'].map((file) => `dist/dashboard/${file}`),
    ...below('fixtures'),
    ...below('schema'),
    'skills/val-emulator/SKILL.md',
  ];
  // The parts of the bundles are named after what they hold.
  const found = files.filter(
    (file) => !/^dist\/(?:bin|cjs|dashboard|lib)\/(?:[a-z.-]+-[\w-]{8}\.c?js|.*\.map)$/.test(file),
  );
  expect(files).toContain('dist/bin/val-emulator.js');
  expect(found.toSorted(), 'if dist has files of modules that are gone, remove it and build').toEqual(
    expected.toSorted(),
  );
  expect(size).toBeLessThan(LARGEST);
});

test('an install runs no script of the package', () => {
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(scripts).toHaveProperty('prepublish');
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
});

test('the dashboard has less than 130 KB, compressed', () => {
  const files = below('dist/dashboard').filter((file) => /\.(?:js|css|html)$/.test(file));
  const sizes = files.map((file) => gzipSync(readFileSync(join(ROOT, file))).length);
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(130_000);
});

test('the package contains the files that the README links to', () => {
  const { files } = pack(folderOf({}));
  const links = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g);
  // Registries show the pictures of the repository.
  const paths = [...links].map(([, link = '']) => link).filter((link) => !link.startsWith('docs/images/'));
  expect(paths.length).toBeGreaterThan(5);
  const missing = paths.filter((path) => !files.some((file) => file.startsWith(path)));
  expect(missing).toEqual([]);
});

test('each bundle has a source map, without the sources', () => {
  const { files } = pack(folderOf({}));
  const bundles = files.filter((file) => /^dist\/(?:bin|cjs|lib)\/.*\.c?js$/.test(file));
  const maps = files.filter((file) => file.endsWith('.map'));
  expect(bundles.length).toBeGreaterThan(10);
  expect(maps.length).toBeGreaterThan(10);
  for (const bundle of bundles) {
    const [, name = ''] = /^\/\/# sourceMappingURL=(.*)$/m.exec(readFileSync(join(ROOT, bundle), 'utf8')) ?? [];
    if (name !== '') expect(maps).toContain(join(bundle, '..', name));
  }
  for (const map of maps) expect(readFileSync(join(ROOT, map), 'utf8')).not.toContain('sourcesContent":["');
});

test('the stack of an internal error in the bundle has the lines of the sources', () => {
  const script = `
    import { createEmulator } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/lib/index.js')))};
    const emulator = await createEmulator({ listen: false });
    emulator.journal.record = () => { throw new TypeError('boom'); };
    await emulator.fetch('/v1/me');`;

  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });

  // The line of each frame names the function of the frame above it.
  const frames = stderr.matchAll(
    /^ +at (?:[\w.]+[. ])?(#?\w+|<anonymous>) \(val-emulator\/(src\/\S+\.ts):(\d+):\d+\)$/gm,
  );
  const names = ['record'];
  for (const [, name = '', file = '', line] of frames) {
    const source = readFileSync(join(ROOT, file), 'utf8').split('\n');
    expect(source[Number(line) - 1], stderr).toContain(names.at(-1));
    names.push(name.replace('<anonymous>', ''));
  }
  expect(names.length, stderr).toBeGreaterThan(4);
});
