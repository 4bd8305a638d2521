import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FixtureSource } from '#engine/seed/source.js';
import { datasets } from '#vals/lib/datasets.collection.js';
import { createEmulator } from '../../../src/index.js';
import { as } from '../../support/emulate.js';
import { folderOf, listFolderProblems, listProblems, load, untyped } from './loading.js';

const sample = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
  versions: [{ val: 'ada/hello', code: '0' }],
  runs: [{ val: 'ada/hello' }],
  likes: [{ user: 'grace', val: 'ada/hello' }],
  comments: [{ author: 'grace', val: 'ada/hello', comment: 'Nice.' }],
};

const filesOf = (fixtures: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fixtures).map(([name, records]) => [`${name}.json`, records]));

/** Counts the loaded records of each collection. */
function countsIn(fixtures: FixtureSource): Record<string, number> {
  const { users, vals, versions, runs, likes, comments } = load(fixtures);
  return Object.fromEntries(
    Object.entries({ users, vals, versions, runs, likes, comments }).map(([name, { size }]) => [name, size]),
  );
}

const COUNTS = { users: 2, vals: 1, versions: 2, runs: 1, likes: 1, comments: 1 };
const NONE = { users: 0, vals: 0, versions: 0, runs: 0, likes: 0, comments: 0 };

test.each<[form: string, source: () => FixtureSource]>([
  ['a folder', () => folderOf(filesOf(sample))],
  ['a single file', () => join(folderOf({ 'db.json': sample }), 'db.json')],
  ['a file without an extension', () => join(folderOf({ 'my data': sample }), 'my data')],
  ['an object', () => sample],
])('loads the same records from %s', (_, source) => {
  const dump = (fixtures: FixtureSource) => {
    const { users, vals, versions, runs, likes, comments } = load(fixtures);
    return [users, vals, versions, runs, likes, comments].map((collection) => [...collection]);
  };
  const fixtures = source();
  expect(countsIn(fixtures)).toEqual(COUNTS);
  expect(dump(fixtures)).toEqual(dump(sample));
});

test.each(['an object', 'a file'])('ignores the $schema of %s', (where) => {
  const fixtures = { $schema: './schema.json', ...sample };
  expect(countsIn(where === 'a file' ? join(folderOf({ 'db.json': fixtures }), 'db.json') : fixtures)).toEqual(COUNTS);
});

test.each<[names: (keyof typeof sample)[], counts: object]>([
  [['users'], { users: 2 }],
  [['users', 'vals'], { users: 2, vals: 1, versions: 1 }],
  [['users', 'vals', 'versions'], { users: 2, vals: 1, versions: 2 }],
  [['users', 'vals', 'runs'], { users: 2, vals: 1, versions: 1, runs: 1 }],
  [['users', 'vals', 'likes', 'comments'], { users: 2, vals: 1, versions: 1, likes: 1, comments: 1 }],
])('loads %j without the other collections', (names, counts) => {
  const part = Object.fromEntries(names.map((name) => [name, sample[name]]));
  expect(countsIn(part)).toEqual({ ...NONE, ...counts });
  expect(countsIn(folderOf(filesOf(part)))).toEqual({ ...NONE, ...counts });
});

test('an empty object has no records', () => {
  expect(countsIn({})).toEqual(NONE);
});

test('an undefined collection is the same as a missing one', () => {
  expect(countsIn(untyped({ ...sample, comments: undefined }))).toEqual({ ...COUNTS, comments: 0 });
});

test('reads only .json files of a folder', () => {
  const files = {
    ...filesOf(sample),
    'README.md': '# Ours',
    '.hidden.json': '{',
    '._users.json': '\u0000',
    'sub/x.json': '{',
  };
  expect(countsIn(folderOf(files))).toEqual(COUNTS);
});

test('reads comments and trailing commas, also from .jsonc', () => {
  const text = '// ours\n[{ "username": "ada", /* first */ }, { "username": "grace" },]';
  expect(countsIn(folderOf({ 'users.jsonc': text }))).toEqual({ ...NONE, users: 2 });
  expect(countsIn(join(folderOf({ 'all.jsonc': `{ "users": ${text}, }` }), 'all.jsonc'))).toEqual({
    ...NONE,
    users: 2,
  });
  expect(listFolderProblems({ 'users.json': `${text}\nx` })).toEqual([
    'users.json line 3, column 1: not valid JSON: found "x"; expected a value, or a key in double quotes.',
  ]);
});

test('a collection in two files is a problem', () => {
  expect(listFolderProblems({ 'users.json': sample.users, 'users.jsonc': sample.users })).toEqual([
    expect.stringMatching(/^users\.json: \S*users\.jsonc has the same collection; keep one\.$/),
  ]);
});

test('reads files with an extension in capitals', () => {
  expect(countsIn(folderOf({ 'users.JSON': sample.users }))).toEqual({ ...NONE, users: 2 });
});

test.each(['a folder', 'a file'])('skips a byte order mark at the start of %s', (where) => {
  const BOM = '\uFEFF';
  const folder = folderOf({
    'users.json': `${BOM}[{"username":"ada"}]`,
    'all/db.json': `${BOM}{"users":[{"username":"ada"}]}`,
  });
  expect(countsIn(where === 'a folder' ? folder : join(folder, 'all/db.json'))).toEqual({ ...NONE, users: 1 });
});

test('reports an error in a folder with file, record and field', () => {
  const files = filesOf({
    ...sample,
    users: [{ username: 'ada', tier: 'x' }, { username: 'grace' }],
    runs: [{ val: 'ada/x' }],
  });
  expect(listFolderProblems(files)).toEqual([
    'users.json [0].tier: found "x"; expected "free", "pro" or null.',
    'runs.json [0].val: there is no val "ada/x". Name it "author/name" or by its id.',
  ]);
});

test('reports an error in a single file with file, collection, record and field', () => {
  const path = join(folderOf({ 'db.json': { ...sample, runs: [{ val: 'ada/helo' }] } }), 'db.json');
  expect(listProblems(path)).toEqual([`${path} runs[0].val: there is no val "ada/helo". Did you mean "ada/hello"?`]);
});

test('suggests the name of a misspelt file', () => {
  expect(listFolderProblems({ ...filesOf(sample), 'comment.json': [] })).toEqual([
    'comment.json: unknown collection "comment"; expected users, organizations, memberships, projects, branches, commits, environment, responses, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite. Did you mean "comments"?',
  ]);
});

test('reports a file of a collection that contains an object', () => {
  expect(listFolderProblems({ 'users.json': { users: [] } })).toEqual([
    'users.json: found {"users":[]}; expected an array of users.',
  ]);
});

test.each<[text: string, position: string, message: string]>([
  ['', 'line 1, column 1', 'not valid JSON: found the end of the file; expected a value.'],
  [
    '[\n  {\n    "username": "ada", // ours\n    "token"\n  },\n]\n',
    'line 5, column 3',
    'not valid JSON: found "}"; expected ":" after the key.',
  ],
  ['[\n  tru\n]', 'line 2, column 3', 'not valid JSON: found "tru"; expected a value, or a key in double quotes.'],
  ['\uFEFF[1 2]', 'line 1, column 4', 'not valid JSON: found "2"; expected "," or a closing bracket.'],
  [
    '{\n  "vals": [],\n  "users": [],\n  "vals": []\n}',
    'line 4, column 3',
    'the key "vals" is at line 2, column 3 as well; keep one of them.',
  ],
  [
    'users:\n  - username: ada\n',
    'line 1, column 1',
    'not valid JSON: found "users"; expected a value, or a key in double quotes. YAML is not read: convert it to JSON.',
  ],
  ['{ /* ours\n}', 'line 1, column 3', 'not valid JSON: found "/* ours\\n}"; expected "*/" after the comment.'],
])('reports an error of the text with line and column: %j', (text, position, message) => {
  const folder = folderOf({ 'users.json': text, 'all/db.json': text });
  expect(listProblems(join(folder, 'all/db.json'))).toEqual([`${join(folder, 'all/db.json')} ${position}: ${message}`]);
  expect(listProblems(folder)).toEqual([`${join(folder, 'users.json')} ${position}: ${message}`]);
});

test('reports a single file that contains a list', () => {
  const path = join(folderOf({ 'db.json': [] }), 'db.json');
  expect(listProblems(path)).toEqual([
    `${path}: found []; expected an object with any of the keys users, organizations, memberships, projects, branches, commits, environment, responses, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite.`,
  ]);
});

test('reports a folder without a JSON file', () => {
  const folder = folderOf({ 'users.yaml': '' });
  expect(listProblems(folder)).toEqual([
    `${folder}: no JSON files in this folder; expected any of users.json, organizations.json, memberships.json, projects.json, branches.json, commits.json, environment.json, responses.json, tokens.json, vals.json, versions.json, runs.json, likes.json, comments.json, emails.json, blobs.json, sqlite.json.`,
  ]);
});

test('reports unreadable files, and reads the others', () => {
  const folder = folderOf({ 'vals.json': 5 });
  mkdirSync(join(folder, 'users.json'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'runs.json'));
  expect(listProblems(folder)).toEqual([
    expect.stringMatching(/runs\.json: could not be read \(ENOENT.*\)\.$/),
    expect.stringMatching(/users\.json: could not be read \(EISDIR.*\)\.$/),
    `${join(folder, 'vals.json')}: found 5; expected an array of vals.`,
  ]);
});

test.each<[name: string, records: (file: string) => object[], path: string]>([
  ['blobs', (file) => [{ user: 'ada', key: 'a', file }], '[0].file'],
  ['sqlite', (file) => [{ user: 'ada', file }], '[0].file'],
  ['emails', (file) => [{ user: 'ada', attachments: [{ filename: 'a', file }] }], '[0].attachments[0].file'],
])('a file of %s is below the folder of the fixture', (name, records, path) => {
  const folder = folderOf({ 'secret.txt': 'secret', 'mine/sub/own.sql': '', 'mine/..own.sql': '' });
  const mine = join(folder, 'mine');
  symlinkSync('../secret.txt', join(mine, 'link'));
  symlinkSync('..', join(mine, 'up'));
  symlinkSync('sub', join(mine, 'within'));
  const users = [{ username: 'ada' }];
  const read = (file: string) => {
    writeFileSync(join(mine, 'all.json'), JSON.stringify({ users, [name]: records(file) }));
    return listProblems(join(mine, 'all.json')).map((line) => line.replaceAll(mine + sep, ''));
  };
  const refused = (reason: string) => [`all.json ${name}${path}: could not be read (${reason}).`];

  for (const file of [
    '../secret.txt',
    'link',
    'up/secret.txt',
    'sub/../../secret.txt',
    `../../${basename(folder)}/secret.txt`,
  ])
    expect(read(file), file).toEqual(refused('outside the folder of the fixture file; copy it there'));
  for (const file of ['sub', '.', 'up/mine']) expect(read(file), file).toEqual(refused('not a file'));
  for (const file of ['sub/own.sql', 'within/own.sql', '..own.sql', 'up/mine/sub/own.sql', './sub/../sub/own.sql'])
    expect(read(file), file).toEqual([]);
});

test('a linked folder of fixtures has its files, as Kubernetes mounts them', () => {
  const folder = folderOf({
    '..2026/blobs.json': [{ user: 'ada', key: 'a', file: 'a.txt' }],
    '..2026/users.json': [{ username: 'ada' }],
    '..2026/a.txt': 'a',
  });
  symlinkSync('..2026', join(folder, '..data'));
  for (const file of ['blobs.json', 'users.json', 'a.txt']) symlinkSync(join('..data', file), join(folder, file));
  symlinkSync(folder, `${folder}-link`);
  onTestFinished(() => rmSync(`${folder}-link`));

  expect(listProblems(folder)).toEqual([]);
  expect(listProblems(`${folder}-link`)).toEqual([]);
});

test.each([
  ['nowhere', ''],
  ['defalt', ' Did you mean "default"?'],
  ['./nowhere/db.json', ''],
  ['', ''],
])('reports missing fixtures with the built-in datasets: %j', (source, hint) => {
  expect(listProblems(source)).toEqual([
    `${source || '""'}: no such file, folder or built-in dataset (busy, default, edge-cases, empty, failures, popular).${hint}`,
  ]);
});

test('finds the built-in datasets by name', () => {
  expect(datasets.names).toEqual(['busy', 'default', 'edge-cases', 'empty', 'failures', 'popular']);
  expect(countsIn('empty')).toEqual({ ...NONE, users: 1 });
});

test('never writes to fixture files', async () => {
  const folder = folderOf(filesOf(sample));
  const fingerprint = () =>
    readdirSync(folder).map((name) => {
      const path = join(folder, name);
      return [name, createHash('sha256').update(readFileSync(path)).digest('hex'), statSync(path).mtimeMs];
    });
  const before = fingerprint();
  {
    await using emulator = await createEmulator({ fixtures: folder });
    await as(emulator, 'ada').post('/v1/vals').send({ code: '2' }).expect(200);
    await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: '2' }).expect(200);
    emulator.reset();
    emulator.reseed(folder);
  }
  expect(fingerprint()).toEqual(before);
});

test('does not change an object of fixtures, nor follow its changes', async () => {
  const mine = structuredClone({ ...sample, runs: [{ val: 'ada/hello', args: [{ n: 1 }] }] });
  const before = structuredClone(mine);
  await using emulator = await createEmulator({ fixtures: mine });
  await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: '2' }).expect(200);
  expect(mine).toEqual(before);

  mine.vals.length = 0;
  mine.users[0] = { username: 'mallory' };
  emulator.reset();
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada', 'grace']);
});

test('a reseed reads changed files again, a reset does not', async () => {
  const folder = folderOf({ 'users.json': [{ username: 'ada' }] });
  await using emulator = await createEmulator({ fixtures: folder });
  writeFileSync(join(folder, 'users.json'), '[{ "username": "grace" }]');
  emulator.reset();
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
  emulator.reseed(folder);
  expect(emulator.users.map(({ username }) => username)).toEqual(['grace']);
});

test('a file of fixtures with the line ends of Windows is loaded', async () => {
  const lines = ['{', '  "users": [{ "username": "ada" }]', '}'];
  const folder = folderOf({ 'fixtures.json': `${lines.join('\r\n')}\r\n` });
  const emulator = await createEmulator({ fixtures: `${folder}/fixtures.json` });
  onTestFinished(() => emulator.close());
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
});
