import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf, listFolderProblems } from '../../engine/seed/loading.js';
import { emulate } from '../../support/emulate.js';
import { listErrors, readFiles } from './files.js';

const USERS = [{ username: 'ada' }];
const fixtures = (project: object) => ({ users: USERS, projects: [{ owner: 'ada', name: 'site', ...project }] });
const DB = { 'fixtures.json': fixtures({ folder: './site' }) };

/** Loads fixtures with a project of a folder, and reads its files. */
const load = async (files: Readonly<Record<string, unknown>>) => {
  const emulator = await emulate(JSON.parse('{}'), { fixtures: folderOf({ ...DB, ...files }) });
  return readFiles(emulator, 'ada/site@main');
};

test('a folder is a project as a checkout has it', async () => {
  const files = {
    ...{ 'site/main.ts': 'one', 'site/src/api.http.ts': 'two', 'site/.vt/state.json': '{}', 'site/.env': 'A=b' },
    'site/node_modules/x/index.js': '',
  };
  expect(await load(files)).toEqual({ 'main.ts': 'one', src: null, 'src/api.http.ts': 'two' });
});

test('what .vtignore names is skipped', async () => {
  const files = {
    'site/.vtignore': '# Ours\n*.log\nbuild/\n/notes.md\r\ndocs/*.png\n\n',
    ...{ 'site/a.log': '', 'site/src/b.log': '', 'site/src/build': 'a file', 'site/build/out.js': '' },
    ...{ 'site/notes.md': '', 'site/src/notes.md': '', 'site/docs/a.png': '', 'site/docs/deep/b.png': '' },
  };
  expect(Object.keys(await load(files))).toEqual([
    ...['docs', 'docs/deep', 'docs/deep/b.png', 'src', 'src/build', 'src/notes.md'],
  ]);
});

test('files of a fixture may name files', async () => {
  const files = { 'a.txt': 'from a file' };
  const folder = folderOf({
    ...files,
    'fixtures.json': fixtures({ files: { 'x.txt': { file: './a.txt' }, file: 'text' } }),
  });
  const emulator = await emulate(JSON.parse('{}'), { fixtures: folder });
  expect(readFiles(emulator, 'ada/site@main')).toEqual({ file: 'text', 'x.txt': 'from a file' });
});

test('what is no text of a project is an error with its path', () => {
  const folder = folderOf({
    ...{ ...DB, 'site/a.ts': 'x'.repeat(80_001), 'site/big.ts': 'é'.repeat(200_000), 'site/.vtignore': 'a\n!b' },
    'secret.txt': 'mine',
  });
  writeFileSync(join(folder, 'site/logo.png'), new Uint8Array([137, 80, 0, 255]));
  symlinkSync('../secret.txt', join(folder, 'site/link.txt'));
  symlinkSync('a.ts', join(folder, 'site/same.ts'));
  const site = join(folder, 'site');
  expect(listErrors(folder)).toEqual([
    `${site}/.vtignore line 2: found "!b"; expected a name or a path, with * for any characters.`,
    `${site}/a.ts: 80001 characters; expected at most 80000 characters, or a line in .vtignore.`,
    `${site}/big.ts: 400000 bytes; expected at most 80000 characters, or a line in .vtignore.`,
    `${site}/link.txt: a link that leaves the folder; expected the file itself.`,
    `${site}/logo.png: binary; expected text in UTF-8, or a line in .vtignore.`,
    `${site}/same.ts: 80001 characters; expected at most 80000 characters, or a line in .vtignore.`,
  ]);
});

test('a folder has at most 1,000 files', () => {
  const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`site/f${i}.ts`, '']));
  expect(listFolderProblems({ ...DB, ...files })).toEqual(['site: has 1001 files; expected at most 1000.']);
});

test.each([
  ['../', 'outside the folder of the fixture file; copy it there'],
  ['fixtures.json', 'not a folder'],
])('the folder %s is refused', (named, reason) => {
  const folder = folderOf({ 'fixtures.json': fixtures({ folder: named }) });
  const [problem] = listErrors(folder);
  expect(problem).toBe(`${join(folder, 'fixtures.json')} projects[0].folder: could not be read (${reason}).`);
});

test('a folder that is a link to another place is refused', () => {
  const elsewhere = folderOf({ 'main.ts': 'mine' });
  const folder = folderOf(DB);
  symlinkSync(elsewhere, join(folder, 'site'));
  expect(listErrors(folder)).toEqual([
    `${join(folder, 'fixtures.json')} projects[0].folder: could not be read (outside the folder of the fixture file; copy it there).`,
  ]);
});

test('a program and a request have files in place of a folder', () => {
  expect(listErrors(fixtures({ folder: './site' }))).toEqual([
    'projects[0].folder: expected in a fixture file only, since a path has no meaning elsewhere; use files.',
  ]);
  expect(listErrors(folderOf({ 'fixtures.json': fixtures({ folder: '.', files: {} }) }))[0]).toContain(
    'projects[0].folder: expected one of folder and files.',
  );
});
