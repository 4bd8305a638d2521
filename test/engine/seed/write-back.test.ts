import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KeptContents } from '#engine/seed/contents.js';
import { readFixtureText } from '#engine/seed/read.js';
import { writeBack } from '#engine/seed/write-back.js';
import { createEmulator, type Emulator } from '../../../src/emulator.js';
import { folderOf } from './loading.js';

const TEXT = `// Our demo
{
  "$schema": "./fixtures.schema.json",
  "users": [
    { "username": "ada", "token": "secret" }, // first
    { "token": "t2",
      "username": "bob" }
  ],
  "vals": [
    { "author": "ada", "name": "one", "code": "1", "createdAt": "-2d" },
    { "author": "bob", "name": "two", "code": "2" },
  ],
  "likes": [{ "user": "bob", "val": "ada/one" }, { "user": "ada", "val": "bob/two", "createdAt": "-1h" }],
  "runs": [
    { "val": "ada/one", "runStartAt": "-1h" },
    { "val": "ada/one", "runStartAt": "-30m", "error": "no" }
  ]
}
`;

/** Starts an emulator with a fixture file. The clock is frozen an hour and a half before the file is written back. */
async function open(text = TEXT, files: Readonly<Record<string, unknown>> = {}) {
  const path = join(folderOf({ ...files, 'demo.jsonc': text }), 'demo.jsonc');
  const emulator = await createEmulator({ fixtures: path, now: '2030-01-01T00:00:00Z', idSeed: 'seed' });
  onTestFinished(() => emulator.close());
  const request = (method: string, route: string, body?: object, token = 'secret') =>
    emulator.fetch(route, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const kept = new KeptContents();
  readFixtureText(text.replace('\uFEFF', ''), path, emulator.store.state.definitions, undefined, kept);
  const writeAll = () => writeBack(text, path, emulator.store.state, emulator.clock.now.getTime(), kept);
  const write = () => writeAll().text;
  return { emulator, path, request, write, writeAll };
}

/** What a start with a text has, at the same time. */
async function reload(path: string, text: string): Promise<ReturnType<Emulator['state']>> {
  writeFileSync(path, text);
  await using emulator = await createEmulator({ fixtures: path, now: '2030-01-01T00:00:00Z', idSeed: 'seed' });
  return emulator.state();
}

const idOf = (emulator: Emulator, name: string) => emulator.state().vals.find((val) => val.name === name)?.id;

test('keeps the text without changes, byte for byte', async () => {
  const { emulator, write } = await open();
  emulator.clock.advance('90m');
  expect(write()).toBe(TEXT);
});

test('keeps a byte order mark and line ends of Windows', async () => {
  const text = `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`;
  const { emulator, write } = await open(text);
  expect(write()).toBe(text);
  const { id } = emulator.add.user({ username: 'eve' });
  expect(write()).toBe(
    text.replace(
      '"username": "bob" }\r\n',
      `"username": "bob" },\r\n    {\r\n      "username": "eve",\r\n      "id": "${id}"\r\n    }\r\n`,
    ),
  );
});

test('changes the records that changed, and nothing else', async () => {
  const { emulator, path, request, write } = await open();
  emulator.clock.advance('10m');
  await request('PUT', `/v1/vals/${idOf(emulator, 'one')}`, { privacy: 'unlisted' });
  emulator.clock.advance('80m');
  const written = write();
  expect(written).toBe(
    TEXT.replace(
      '{ "author": "ada", "name": "one", "code": "1", "createdAt": "-2d" }',
      '{"author":"ada","name":"one","code":"1","privacy":"unlisted","createdAt":"-2d"}',
    ),
  );
  expect(await reload(path, written)).toEqual(emulator.state());
});

test('removes deleted records, with the records that they own', async () => {
  const { emulator, path, request, write } = await open();
  await request('DELETE', `/v1/vals/${idOf(emulator, 'one')}`);
  const written = write();
  expect(written).toContain(`  "vals": [
    { "author": "bob", "name": "two", "code": "2" },
  ],
  "likes": [{ "user": "ada", "val": "bob/two", "createdAt": "-1h" }],
  "runs": []
}
`);
  expect(written).toContain('// first');
  expect(await reload(path, written)).toEqual(emulator.state());
});

test('adds new records at the end of their array, and new arrays at the end of the file', async () => {
  const { emulator, path, request, write } = await open();
  emulator.clock.advance('10m');
  await request('POST', '/v1/vals', { name: 'three', code: '3' });
  emulator.add.comment({ author: 'bob', val: 'ada/one', comment: 'Nice' });
  emulator.clock.advance('80m');
  const written = write();
  expect(written).toContain(`    { "author": "bob", "name": "two", "code": "2" },
    {"author":"ada","name":"three",`);
  expect(written).toMatch(
    /"error": "no" \}\n {2}\],\n {2}"comments": \[\n {4}\{"author":"bob",.*"comment":"Nice",.*\}\n {2}\]\n\}\n$/,
  );
  const { vals, comments } = await reload(path, written);
  expect(vals.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  // Times since the load are the time of the load, since the times of the file count from it.
  expect(comments).toMatchObject([{ comment: 'Nice', createdAt: '2030-01-01T00:00:00.000Z' }]);
});

test('writes the ids of records that followed from others', async () => {
  const { emulator, path, write } = await open();
  const [first, second] = emulator.state().runs;
  await fetch(`${emulator.url}/_emulator/db/runs/${first?.id}`, { method: 'DELETE' });
  const { runs } = await reload(path, write());
  expect(runs).toMatchObject([{ id: second?.id, error: 'no' }]);
});

test('writes absolute times to a file without relative ones', async () => {
  const text = '{"users":[{"username":"ada","token":"secret"}],"vals":[]}';
  const { emulator, path, request, write } = await open(text);
  emulator.clock.advance('10m');
  await request('POST', '/v1/vals', { name: 'one', code: '1' });
  const written = write();
  expect(written).toContain('"createdAt":"2030-01-01T00:10:00.000Z"');
  expect(written.startsWith('{"users":[{"username":"ada","token":"secret"}],"vals":[')).toBe(true);
  expect(await reload(path, written)).toEqual(emulator.state());
});

test('writes every record where a kept text would mean another one', async () => {
  const text = `{
  "users": [{ "username": "ada", "token": "secret" }],
  // The latest version has a record.
  "vals": [{ "author": "ada", "name": "one" }],
  "versions": [{ "val": "ada/one", "code": "1" }, { "val": "ada/one", "code": "2" }]
}
`;
  const { emulator, path, request, write } = await open(text);
  expect(write()).toBe(text);
  await request('PUT', `/v1/vals/${idOf(emulator, 'one')}`, { name: 'uno' });
  const written = write();
  expect(written).toContain('// The latest version has a record.');
  expect(written).toContain('"versions": [{"val":"ada/uno","code":"1"}]');
  expect(await reload(path, written)).toEqual(emulator.state());
});

test('keeps the files that blobs name', async () => {
  const text = '{ "users": [{ "username": "ada" }], "blobs": [{ "user": "ada", "key": "a", "file": "a.txt" }] }\n';
  const { emulator, write } = await open(text, { 'a.txt': 'hello' });
  expect(write()).toBe(text);
  emulator.add.blob({ user: 'ada', key: 'b', text: 'b' });
  expect(write()).toContain('"file": "a.txt" }, {"user":"ada","key":"b","text":"b"');
});

test('an empty object gets the arrays that it needs', async () => {
  const { emulator, path, write } = await open('{}');
  emulator.add.user({ username: 'ada' });
  emulator.add.val({ author: 'ada', name: 'one', code: '1' });
  const written = write();
  expect(JSON.parse(written)).toMatchObject({ users: [{ username: 'ada' }], vals: [{ name: 'one' }] });
  expect(await reload(path, written)).toEqual(emulator.state());
  expect(readFileSync(path, 'utf8')).toBe(written);
});

const SITE = `{
  "users": [{ "username": "ada" }],
  "projects": [
    { "owner": "ada", "name": "site", // ours
      "files": { "main.ts": ["one", "two"] }, "env": { "KEY": "s3cret" },
      "branches": [{ "name": "draft", "commits": [{ "files": { "new.ts": "" } }] }] },
    { "owner": "ada", "name": "other", "description": "Old" }
  ]
}
`;

test('an inline project keeps its text while its own records stay as they are', async () => {
  const { emulator, write } = await open(SITE);
  expect(write()).toBe(SITE);
  emulator.add.project({ owner: 'ada', name: 'third' });
  const written = write();
  expect(written.slice(0, written.indexOf('"other"'))).toBe(SITE.slice(0, SITE.indexOf('"other"')));
  expect(written).toContain('"name":"third"');
});

test('a commit, a branch and a variable are added next to an inline project', async () => {
  const { emulator, path, write } = await open(SITE);
  emulator.add.commit({ branch: 'ada/site@draft', files: { 'main.ts': 'three' } });
  emulator.add.branch({ project: 'ada/site', name: 'next' });
  emulator.add.environmentVariable({ project: 'ada/site', key: 'OTHER', value: 'x' });
  const written = write();
  expect(written.slice(0, written.lastIndexOf('  ]'))).toContain(SITE.slice(0, SITE.lastIndexOf('  ]')).trimEnd());
  expect(Object.keys(JSON.parse(written.replace('// ours', '')))).toEqual([
    ...['users', 'projects', 'branches', 'commits', 'environment'],
  ]);
  const { commits, branches, environment } = await reload(path, written);
  expect(environment).toHaveLength(2);
  expect(branches).toEqual(emulator.state().branches);
  expect(commits).toEqual(emulator.state().commits);
});

const INLINE = `{
  "users": [{ "username": "ada", "token": "secret" }],
  "projects": [
    { "owner": "ada", "name": "site", // ours
      "files": { "main.ts": ["one", "two"] },
      "env": { "FIRST": "1", "KEY": "s3cret", "LAST": { "value": "3", "description": "kept" } },
      "branches": [
        { "name": "draft", "commits": [{ "files": { "new.ts": "" } }] },
        { "name": "next", "commits": [{ "files": { "next.ts": "1" } }] }
      ] },
    { "owner": "ada", "name": "portal", "folder": "./portal", "env": { "OTHER": "x", } }
  ],
  "vals": [
    { "author": "ada", "name": "one", "code": ["a", "b"] }
  ]
}
`;
const INLINE_FILES = { 'portal/main.ts': '1', 'portal/lib/a.ts': 'a' };

type Change = readonly [method: string, path: (site: string, portal: string) => string, body?: object];
test.each<readonly [what: string, changes: readonly Change[], lost: readonly string[], added: readonly string[]]>([
  [
    'a changed variable becomes a row',
    [['PUT', (site) => `/v2/vals/${site}/environment_variables/KEY`, { value: 'changed' }]],
    [', "KEY": "s3cret"'],
    ['{"project":"ada/site","key":"KEY","value":"changed"'],
  ],
  [
    'the only variable of a folder becomes a row',
    [['PUT', (_, portal) => `/v2/vals/${portal}/environment_variables/OTHER`, { value: 'changed' }]],
    ['"OTHER": "x",'],
    ['{"project":"ada/portal","key":"OTHER","value":"changed"'],
  ],
  [
    'deleted variables and a deleted branch leave',
    [
      ['DELETE', (site) => `/v2/vals/${site}/environment_variables/FIRST`],
      ['DELETE', (site) => `/v2/vals/${site}/environment_variables/KEY`],
      ['DELETE', (site) => `/v2/vals/${site}/branches/$next`],
    ],
    ['"FIRST": "1", "KEY": "s3cret", ', '{ "name": "next", "commits": [{ "files": { "next.ts": "1" } }] }'],
    [],
  ],
  [
    'branches without a version keep the one of their fork after a commit of main',
    [['PUT', (site) => `/v2/vals/${site}/files?path=main.ts`, { content: 'by request' }]],
    [],
    ['"version": 1', '"files":{"main.ts":"by request"}'],
  ],
  [
    'a project of files gets the keys that changed',
    [['PATCH', (site) => `/_emulator/db/projects/${site}`, { description: 'New', privacy: 'private' }]],
    [],
    ['"privacy": "private"', '"description": "New"'],
  ],
  [
    'a project of a folder gets the keys that changed',
    [
      ['PATCH', (_, portal) => `/_emulator/db/projects/${portal}`, { privacy: 'private' }],
      ['PUT', (_, portal) => `/v2/vals/${portal}/files?path=main.ts`, { content: 'by request' }],
    ],
    [],
    ['"privacy": "private"', '"files":{"main.ts":"by request"}'],
  ],
])('a change inside of a project stays where it is: %s', async (_, changes, lost, added) => {
  const { emulator, request, path, writeAll } = await open(INLINE, INLINE_FILES);
  const { projects, branches: before } = emulator.state();
  const [site = '', portal = ''] = projects.map(({ id }) => id);
  for (const [method, target, body] of changes) {
    const next = before.find(({ name }) => name === 'next')?.id ?? '';
    expect(await request(method, target(site, portal).replace('$next', next), body)).toMatchObject({ ok: true });
  }
  const { text, unlinked } = writeAll();
  expect(unlinked).toEqual([]);
  const kept = ['// ours', '"files": { "main.ts": ["one", "two"] },', '"folder": "./portal"', '"code": ["a", "b"] }'];
  for (const each of [...kept, ...added]) expect(text).toContain(each);
  for (const each of lost) expect(text).not.toContain(each);
  const isNew = (line: string) => !INLINE.split('\n').includes(line);
  expect(text.split('\n').filter(isNew).length).toBeLessThanOrEqual(7);
  const reloaded = await reload(path, text);
  expect(reloaded).toEqual(emulator.state());
});

const FOLDER = `{
  "users": [{ "username": "ada", "token": "secret" }],
  "projects": [
    { "owner": "ada", "name": "portal", "folder": "./portal" }
  ],
  "blobs": [{ "user": "ada", "key": "a", "file": "a.txt" }],
  "vals": [
    { "author": "ada", "name": "one", "code": ["a", "b"] }
  ]
}
`;
const FOLDER_FILES = { 'portal/main.ts': '1', 'portal/lib/a.ts': 'a', 'a.txt': 'hello' };

test.each<[what: string, edit: (folder: string) => void]>([
  ['stay', () => {}],
  ['are edited', (folder) => writeFileSync(join(folder, 'portal/main.ts'), '2')],
  ['are more', (folder) => writeFileSync(join(folder, 'portal/new.ts'), 'new')],
  ['are fewer', (folder) => rmSync(join(folder, 'portal/lib'), { recursive: true })],
  ['are no texts', (folder) => writeFileSync(join(folder, 'portal/main.ts'), Buffer.from([0, 255]))],
  ['are gone', (folder) => rmSync(join(folder, 'portal'), { recursive: true })],
  ['include an edited blob', (folder) => writeFileSync(join(folder, 'a.txt'), 'other')],
  ['include a blob that is gone', (folder) => rmSync(join(folder, 'a.txt'))],
])('one changed record is one changed line while the files that the text names %s', async (_, edit) => {
  const { emulator, path, writeAll } = await open(FOLDER, FOLDER_FILES);
  edit(dirname(path));
  expect(writeAll()).toEqual({ text: FOLDER, unlinked: [] });

  const { id } = emulator.add.val({ author: 'ada', name: 'two', code: '2' });
  const { text, unlinked } = writeAll();
  expect(unlinked).toEqual([]);
  const added = text.split('\n').filter((line) => !FOLDER.split('\n').includes(line));
  expect(added).toEqual(['    { "author": "ada", "name": "one", "code": ["a", "b"] },', expect.stringContaining(id)]);
});

test('a commit of requests is added to a project of a folder, which stays one', async () => {
  const { emulator, request, writeAll } = await open(FOLDER, FOLDER_FILES);
  const [{ id } = { id: '' }] = emulator.state().projects ?? [];
  expect((await request('PUT', `/v2/vals/${id}/files?path=main.ts`, { content: 'by request' })).status).toBe(200);

  const { text, unlinked } = writeAll();
  expect(unlinked).toEqual([]);
  expect(text).toContain('"folder": "./portal" }\n  ],\n  "blobs"');
  expect(text).toContain('"files":{"main.ts":"by request"}');
});

test('a renamed project has the loaded files of its folder itself, and the folder is named', async () => {
  const { emulator, path, writeAll } = await open(FOLDER, FOLDER_FILES);
  writeFileSync(join(dirname(path), 'portal/main.ts'), 'edited on the disk');
  const [{ id } = { id: '' }] = emulator.state().projects ?? [];
  await fetch(`${emulator.url}/_emulator/db/projects/${id}`, {
    ...{ method: 'PATCH', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ name: 'gate' }),
  });

  const { text, unlinked } = writeAll();
  expect(unlinked).toEqual([expect.stringMatching(/portal$/)]);
  for (const gone of ['"folder"', 'edited on the disk']) expect(text).not.toContain(gone);
  expect(await reload(path, text)).toEqual(emulator.state());
});
