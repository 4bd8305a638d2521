import { expect, test } from 'vitest';
import { toValsState } from '#vals/lib/state.collection.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { makeFolder, openData } from '../../engine/persistence/folder.js';
import { emulate } from '../../support/emulate.js';
import { countStored, getFile, readFiles } from './files.js';

const MOVED = 'f11e0000-0000-4000-8000-000000000001';
const FIXTURES: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  organizations: [{ username: 'acme' }],
  memberships: [{ organization: 'acme', user: 'grace' }],
  projects: [
    {
      owner: 'ada',
      name: 'site',
      files: { 'main.ts': 'one', 'src/old.ts': { text: 'kept', id: MOVED }, 'gone.ts': 'gone' },
      env: { API_KEY: 's3cret' },
      createdAt: '2024-06-01T00:00:00Z',
    },
    { owner: 'acme', name: 'tool', files: { 'main.ts': 'one' } },
  ],
  branches: [
    { project: 'ada/site', name: 'draft', version: 1 },
    { project: 'ada/site', name: 'late', from: 'draft', version: 1 },
  ],
  commits: [
    { branch: 'ada/site@main', files: { 'main.ts': 'two', 'gone.ts': null }, createdAt: '2024-06-02T00:00:00Z' },
    {
      branch: 'ada/site@draft',
      kind: 'single',
      files: { 'lib/new.ts': { id: MOVED } },
      createdAt: '2024-06-02T00:00:00Z',
    },
    { branch: 'ada/site@draft', files: { 'main.ts': 'three' } },
    { branch: 'ada/site@main', kind: 'merge', files: { 'lib/new.ts': { id: MOVED } } },
  ],
};
const LATE = { 'gone.ts': 'gone', lib: null, 'lib/new.ts': 'kept', 'main.ts': 'one', src: null };

const idOf = ({ store }: Emulator, name: string): string =>
  [...toValsState(store.state).branches].find((branch) => branch.name === name)?.id ?? '';

async function send({ fetch }: Emulator, method: string, path: string, body?: unknown) {
  const response = await fetch(`/_emulator/records/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

test('a commit that moves a directory and makes another one in its place keeps the files there', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }],
    projects: [{ owner: 'ada', name: 'site', files: { lib: { type: 'directory', id: MOVED }, 'lib/a.ts': '1' } }],
    commits: [{ branch: 'ada/site@main', files: { old: { id: MOVED }, lib: { type: 'directory' } } }],
  });

  const { branches } = toValsState(emulator.store.state);
  const paths = [...branches].map(({ files }) => Array.from(files.tree, ({ path }) => path));

  expect(paths).toStrictEqual([['lib', 'lib/a.ts', 'old']]);
});

test.each([{}, { brief: true }, { brief: true, relative: true }, { relative: true }])(
  'an export with %j loads as the same records',
  async (options) => {
    const emulator = await emulate(FIXTURES);
    const exported = emulator.state({ secrets: true });
    const again = await emulate(emulator.state({ ...options, secrets: true }));
    expect(again.state({ secrets: true })).toEqual(exported);
    for (const branch of ['ada/site@main', 'ada/site@draft', 'ada/site@late', 'acme/tool@main']) {
      for (const version of [undefined, 1, 0]) {
        expect(readFiles(again, branch, version)).toEqual(readFiles(emulator, branch, version));
      }
    }
    const files = (each: Emulator) => [...toValsState(each.store.state).branches].map(({ files }) => [...files.tree]);
    expect(files(again)).toEqual(files(emulator));
  },
);

test('a brief export leaves out ids, types and versions that follow', async () => {
  const { branches, commits } = (await emulate(FIXTURES)).state({ brief: true, relative: true });
  expect(branches).toMatchObject([
    { project: 'ada/site', name: 'main' },
    { project: 'acme/tool', name: 'main' },
    { project: 'ada/site', name: 'draft', version: 1 },
    { project: 'ada/site', name: 'late', from: 'draft', version: 1 },
  ]);
  expect(commits.map(({ branch, files }) => [branch, files])).toEqual([
    [
      'ada/site@main',
      { 'gone.ts': 'gone', 'main.ts': 'one', src: { type: 'directory' }, 'src/old.ts': { id: MOVED, text: 'kept' } },
    ],
    ['acme/tool@main', { 'main.ts': 'one' }],
    ['ada/site@main', { 'gone.ts': null, 'main.ts': 'two' }],
    ['ada/site@draft', { lib: { type: 'directory' }, 'lib/new.ts': { id: MOVED } }],
    ['ada/site@draft', { 'main.ts': 'three' }],
    ['ada/site@main', { lib: { type: 'directory' }, 'lib/new.ts': { id: MOVED } }],
  ]);
});

test('a data folder has branches, whose files are made again from commits', async () => {
  const data = makeFolder();
  const first = await openData(data, { fixtures: FIXTURES });
  first.add.commit({ branch: 'ada/site@late', files: { 'late.ts': 'late', 'src/deep.ts': '' } });
  const expected = first.state();
  const files = readFiles(first, 'ada/site@late');
  await first.close();

  const second = await openData(data, { fixtures: FIXTURES });
  expect(second.state()).toEqual(expected);
  expect(readFiles(second, 'ada/site@late')).toEqual(files);
  expect(files).toEqual({ ...LATE, 'late.ts': 'late', 'src/deep.ts': '' });
  second.add.commit({ branch: 'ada/site@late', files: { 'late.ts': null } });
  expect(readFiles(second, 'ada/site@late', 1)).toEqual(files);
  second.rewind(1);
  expect(readFiles(second, 'ada/site@late')).toEqual(files);
});

test('a branch that is deleted leaves its forks with their files', async () => {
  const emulator = await emulate(FIXTURES, { listen: false });
  const before = getFile(emulator, 'ada/site@late', 'lib/new.ts');
  expect((await send(emulator, 'DELETE', `branches/${idOf(emulator, 'draft')}`)).status).toBe(204);

  expect(readFiles(emulator, 'ada/site@late')).toEqual(LATE);
  expect(getFile(emulator, 'ada/site@late', 'lib/new.ts')).toEqual(before);
  const exported = emulator.state();
  expect(exported.branches.at(-1)).toMatchObject({ name: 'late', from: null, version: null });
  expect(exported.commits.at(-1)).toMatchObject({ branch: 'ada/site@late', version: 0 });
  const again = await emulate(exported);
  expect(again.state()).toEqual(exported);
  expect(getFile(again, 'ada/site@late', 'lib/new.ts')).toEqual(before);
  const brief = await emulate(emulator.state({ brief: true }));
  expect(brief.state()).toEqual(exported);
});

test('the branch main stays, and so does a commit that others follow', async () => {
  const emulator = await emulate(FIXTURES, { listen: false });
  const main = idOf(emulator, 'main');
  const draft = idOf(emulator, 'draft');
  const before = emulator.state();
  const messages = [`branches/${main}`, `commits/${draft}:1`].map(
    async (path) => (await send(emulator, 'DELETE', path)).body.message,
  );
  expect(await Promise.all(messages)).toEqual([
    'Cannot delete the branch main of a project',
    'Cannot delete a commit other than the latest one of its branch',
  ]);
  expect(emulator.state()).toEqual(before);
});

test('the latest commit can be deleted, which takes its changes back', async () => {
  const emulator = await emulate(FIXTURES, { listen: false });
  const draft = idOf(emulator, 'draft');
  const [, , , texts = 0] = countStored(emulator);
  expect((await send(emulator, 'DELETE', `commits/${draft}:2`)).status).toBe(204);
  expect(readFiles(emulator, 'ada/site@draft')).toEqual(LATE);
  expect(countStored(emulator)[3]).toBe(texts - 1);
  expect((await send(emulator, 'DELETE', `commits/${draft}:1`)).body.message).toBe(
    'Cannot delete a commit that a branch starts from',
  );
});

test('an owner goes with its projects, and all that belongs to them', async () => {
  const emulator = await emulate(FIXTURES, { listen: false });
  const { users, organizations } = emulator.state();
  expect(countStored(emulator)).toEqual([2, 4, 8, 5, 1]);
  expect((await send(emulator, 'DELETE', `users/${users[0]?.id}`)).status).toBe(204);
  expect(countStored(emulator)).toEqual([1, 1, 1, 1, 0]);
  expect(readFiles(emulator, 'acme/tool@main')).toEqual({ 'main.ts': 'one' });
  expect((await send(emulator, 'DELETE', `organizations/${organizations[0]?.id}`)).status).toBe(204);
  expect(countStored(emulator)).toEqual([0, 0, 0, 0, 0]);
  expect(emulator.state().memberships).toEqual([]);
});

test('records are added, changed and shown without secrets and texts', async () => {
  const emulator = await emulate(FIXTURES, { listen: false });
  const project = emulator.state().projects[0]?.id ?? '';
  const added = await send(emulator, 'POST', 'commits', { branch: 'ada/site@late', files: { 'a.ts': 'text' } });
  expect(added).toMatchObject({
    status: 201,
    body: { id: `${idOf(emulator, 'late')}:1`, files: { 'a.ts': { size: 4 } } },
  });
  expect((await send(emulator, 'POST', 'projects', { owner: 'acme', name: 'new', env: { A: 'b' } })).status).toBe(201);
  expect(readFiles(emulator, 'acme/new@main')).toEqual({});

  const { body } = await send(emulator, 'GET', `environment/${project}:API_KEY`);
  expect(body.record).not.toHaveProperty('value');
  const put = await send(emulator, 'PUT', `environment/${project}:API_KEY`, { ...body.record, description: 'The key' });
  expect(put.status).toBe(200);
  const variables = emulator.state({ secrets: true }).environment;
  expect(variables.find(({ key }) => key === 'API_KEY')).toMatchObject({ value: 's3cret', description: 'The key' });

  const { record } = (await send(emulator, 'GET', `projects/${project}`)).body;
  expect((await send(emulator, 'PUT', `projects/${project}`, { ...record, name: 'home' })).status).toBe(200);
  expect(readFiles(emulator, 'ada/home@late')).toEqual({ ...LATE, 'a.ts': 'text' });
  const draft = (await send(emulator, 'GET', `branches/${idOf(emulator, 'draft')}`)).body.record;
  expect((await send(emulator, 'PUT', `branches/${draft.id}`, { ...draft, name: 'next' })).status).toBe(200);
  expect(readFiles(emulator, 'ada/home@next', 1)).toEqual(LATE);
  expect((await send(emulator, 'PUT', `branches/${draft.id}`, { ...draft, name: 'main' })).body.problems).toEqual([
    { path: 'branch.name', message: '"main" is taken; expected another one.' },
  ]);
});

test('values of environment variables are written on request only', async () => {
  const emulator = await emulate(FIXTURES, { listen: false });
  const read = async (query: string) => {
    const response = await emulator.fetch(`/_emulator/state${query}`);
    return JSON.parse(await response.text()).environment[0];
  };
  expect(await read('')).toMatchObject({ key: 'API_KEY', value: null });
  expect(await read('?brief=true')).not.toHaveProperty('value');
  expect(await read('?secrets=true')).toMatchObject({ value: 's3cret' });
  expect(await read('?secrets=true&brief=true')).toMatchObject({ value: 's3cret' });
  expect(await read('?secrets=true&tokens=false')).not.toHaveProperty('value');
  const again = await emulate(emulator.state());
  expect(again.state()).toEqual(emulator.state());
});

test('a session has no values of environment variables', async () => {
  const emulator = await emulate(FIXTURES, { listen: false });
  emulator.add.environmentVariable({ project: 'ada/site', key: 'LATER', value: 'another-s3cret-value' });
  await emulator.fetch('/v1/users/another-s3cret-value', { headers: { authorization: 'Bearer ada-token' } });
  const text = await (await emulator.fetch('/_emulator/session')).text();
  expect(text).toContain('LATER');
  expect(text).not.toContain('s3cret');
  const har = await (await emulator.fetch('/_emulator/requests.har')).text();
  expect(har).not.toContain('s3cret');
});
