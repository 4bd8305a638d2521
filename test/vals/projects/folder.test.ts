import { symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf, listFolderProblems } from '../../engine/fixtures/loading.js';
import { as, createEmulator, emulate } from '../../support/emulate.js';
import { countStored, listErrors, readFiles } from './files.js';

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

test('a program names any folder, from the working directory', async () => {
  const folder = folderOf({ 'main.ts': 'one', '.env': 'A=b', 'src/a.ts': 'two' });
  const given = fixtures({ folder: relative(process.cwd(), folder) });
  const emulator = await emulate(given);
  expect(readFiles(emulator, 'ada/site@main')).toEqual({ 'main.ts': 'one', src: null, 'src/a.ts': 'two' });
  expect(given.projects[0]).toEqual({ owner: 'ada', name: 'site', folder: relative(process.cwd(), folder) });
  expect(emulator.meta.seed.folders).toEqual([{ path: folder, count: 2, skipped: ['.env'] }]);

  emulator.add.commit({ branch: 'ada/site@main', files: { 'main.ts': null } });
  emulator.reset();
  expect(Object.keys(readFiles(emulator, 'ada/site@main'))).toEqual(['main.ts', 'src', 'src/a.ts']);

  emulator.reseed(fixtures({ folder: join(folder, 'src') }));
  expect(readFiles(emulator, 'ada/site@main')).toEqual({ 'a.ts': 'two' });
});

test('a folder of a program that does not exist is an error with its path', () => {
  const [problem] = listErrors(fixtures({ folder: './nowhere' }));
  expect(problem).toMatch(/^projects\[0\]\.folder: could not be read \(ENOENT: .*nowhere'\)\.$/);
});

test('a request, and a record that is added, have files in place of a folder', async () => {
  const emulator = await emulate({ users: USERS });
  const message =
    'folder: expected in fixtures of a file or of a program only, since a path has no meaning elsewhere; use files.';
  const response = await as(emulator)
    .put('/_emulator/seed')
    .send(fixtures({ folder: '.' }));
  expect(response.status).toBe(422);
  expect(response.body.message).toContain(`projects[0].${message}`);
  expect(() => emulator.add.project({ owner: 'ada', name: 'site', folder: '.' })).toThrow(`project.${message}`);
  expect(listErrors(folderOf({ 'fixtures.json': fixtures({ folder: '.', files: {} }) }))[0]).toContain(
    'projects[0].folder: expected one of folder and files.',
  );
});

test('files of the commits of a branch may name files', async () => {
  const branches = [
    { name: 'draft', commits: [{ files: { 'x.txt': { file: './a.txt' }, 'y.txt': { file: 'b.txt' } } }] },
  ];
  const files = { 'a.txt': 'from a file', 'b.txt': 'another' };
  const emulator = await emulate(JSON.parse('{}'), {
    fixtures: folderOf({ ...files, 'fixtures.json': fixtures({ branches }) }),
  });
  expect(readFiles(emulator, 'ada/site@draft')).toEqual({ 'x.txt': 'from a file', 'y.txt': 'another' });

  const [problem] = listErrors(folderOf({ 'fixtures.json': fixtures({ branches }) }));
  expect(problem).toContain('projects[0].branches[0].commits[0].files.x.txt.file: could not be read (ENOENT');
});

test('projects of the options are folders in addition to any seed data, and are there after each reset', async () => {
  const folder = folderOf({ 'main.ts': 'one' });
  const projects = { 'ada/site': folder, 'grace/copy': folder };
  const emulator = await emulate(JSON.parse('{}'), { fixtures: 'default', projects });
  expect(readFiles(emulator, 'ada/site@main')).toEqual({ 'main.ts': 'one' });
  expect(readFiles(emulator, 'grace/copy@main')).toEqual({ 'main.ts': 'one' });

  emulator.add.commit({ branch: 'ada/site@main', files: { 'main.ts': 'changed' } });
  emulator.reset();
  expect(readFiles(emulator, 'ada/site@main')).toEqual({ 'main.ts': 'one' });
  expect(readFiles({ store: emulator.sandbox('other').store }, 'ada/site@main')).toEqual({ 'main.ts': 'one' });

  // Other seed data are without.
  emulator.reseed({ users: USERS });
  expect(countStored(emulator)[0]).toBe(0);
});

test('projects of the options are added to generated data', async () => {
  const folder = folderOf({ 'main.ts': 'one' });
  const options = { generate: { users: 1, vals: 0, people: ['ada'] }, projects: { 'ada/site': folder } };
  const emulator = await emulate(JSON.parse('{}'), { fixtures: undefined, ...options });
  expect(readFiles(emulator, 'ada/site@main')).toEqual({ 'main.ts': 'one' });
});

test('a data folder tells whether it began with these projects', async () => {
  const folder = folderOf({ 'main.ts': 'one' });
  const data = join(folderOf({}), 'data');
  const open = async (projects?: Record<string, string>) => {
    const emulator = await createEmulator({ data, fixtures: 'empty', projects, listen: false });
    const { isOpened, hasOtherSeed } = emulator.data ?? {};
    await emulator.close();
    return { isOpened, hasOtherSeed };
  };
  expect(await open({ 'ada/site': folder })).toEqual({ isOpened: false, hasOtherSeed: false });
  expect(await open({ 'ada/site': folder })).toEqual({ isOpened: true, hasOtherSeed: false });
  expect(await open()).toEqual({ isOpened: true, hasOtherSeed: true });
  writeFileSync(join(folder, 'main.ts'), 'two');
  expect(await open({ 'ada/site': folder })).toEqual({ isOpened: true, hasOtherSeed: true });
});

test.each([
  [{ site: '.' }, 'option projects: found "site"; expected a project such as "ada/site".'],
  [{ 'ada/site': '' }, 'option projects.ada/site: found ""; expected the path of a folder.'],
  [
    ['ada/site=.'],
    'option projects: found ["ada/site=."]; expected folders by project, such as { "ada/site": "./site" }.',
  ],
])('wrong projects of the options are refused: %j', async (projects, message) => {
  await expect(createEmulator(JSON.parse(JSON.stringify({ projects, listen: false })))).rejects.toThrow(message);
});

test('a fixture with errors is reported before a project of the options that may follow from them', async () => {
  const options = { projects: { 'adaa/site': folderOf({}) }, listen: false };
  await expect(createEmulator({ ...options, fixtures: { users: [{ username: '' }] } })).rejects.toThrow(
    /^1 problem in the fixtures:\n {2}users\[0\]\.username: /,
  );
});
