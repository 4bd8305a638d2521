import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createEmulator } from 'val-emulator';
import { listMine, listPublic, lookUp, signIn } from '../src/account.js';
import { closeBranch, configure, findEndpoint, open, openBranch, pull, push, remove, rename } from '../src/site.js';

const FIXTURES = {
  users: [{ username: 'ada' }, { username: 'grace', bio: 'Compiles' }],
  organizations: [{ username: 'team' }],
  memberships: [{ organization: 'team', user: 'ada' }],
  projects: ['one', 'two', 'three'].map((name, i) => ({ owner: 'grace', name, createdAt: `-${i + 1}d` })),
  vals: [{ author: 'ada', name: 'greet', code: "import { hello } from 'https://esm.town/v/grace/hello'; hello();" }],
};
const PAGES = { 'main.http.tsx': 'export default () => new Response("Hi");', 'pages/en/about.md': '# About' };

/** @type {import('val-emulator').Emulator} */
let emulator;
before(async () => {
  emulator = await createEmulator({ fixtures: FIXTURES });
  process.env.VAL_TOWN_BASE_URL = emulator.url;
  process.env.VAL_TOWN_API_KEY = 'ada-token';
});
beforeEach(() => emulator.reset());
after(() => emulator.close());

/** Pushes the pages to a new val. */
async function deploy() {
  const { id } = await open('ada', 'site');
  const main = await openBranch(id, 'main');
  return { id, main, version: await push(id, main, PAGES) };
}

test('a sign-in shows the user and their organizations', async () => {
  const { username, organizations } = await signIn();

  assert.deepEqual({ username, organizations }, { username: 'ada', organizations: ['team'] });
});

test('a folder is pushed, and read back', async () => {
  const { id, main, version } = await deploy();

  assert.equal(version, 3); // a directory and two files
  assert.deepEqual(await pull(id, main), PAGES);
  assert.equal((await open('ada', 'site')).id, id);
});

test('a second push sends the differences', async () => {
  const { id, main } = await deploy();
  emulator.clearRequests();

  const version = await push(id, main, { 'main.http.tsx': PAGES['main.http.tsx'], 'news.md': '# News' });

  assert.equal(version, 5);
  emulator.expectRequest('POST /v2/vals/{val_id}/files', { times: 1 });
  emulator.expectRequest('DELETE /v2/vals/{val_id}/files', { times: 1 });
  assert.deepEqual(Object.keys(await pull(id, main)), ['main.http.tsx', 'news.md']);
  assert.deepEqual(await pull(id, main, 3), PAGES);
});

test('a branch changes no file of main', async () => {
  const { id, main } = await deploy();
  const draft = await openBranch(id, 'draft');

  assert.equal(await rename(id, draft, 'pages/en/about.md', 'team.md'), 'pages/en/team.md');
  await push(id, draft, { 'pages/en/team.md': '# Team' });

  assert.deepEqual(await pull(id, draft), { 'pages/en/team.md': '# Team' });
  assert.deepEqual(await pull(id, main), PAGES);
  await closeBranch(id, draft);
  await assert.rejects(pull(id, draft), /404 Branch not found/);
});

test('the endpoint survives a change of the name', async () => {
  const { id, main } = await deploy();
  const endpoint = await findEndpoint(id, 'main.http.tsx');
  await rename(id, main, 'main.http.tsx', 'index.http.tsx');

  assert.match(endpoint ?? '', /^https:\/\/ada--[0-9a-f]{32}\.web\.val\.run\/$/);
  assert.equal(await findEndpoint(id, 'index.http.tsx'), endpoint);
});

test('environment variables are set, and no others stay', async () => {
  const { id } = await deploy();

  assert.deepEqual(await configure(id, { MODE: 'test', KEY: 's3cret' }), ['MODE', 'KEY']);
  assert.deepEqual(await configure(id, { MODE: 'live' }), ['MODE']);
  assert.deepEqual(
    emulator.state({ secrets: true }).environment.map(({ key, value }) => [key, value]),
    [['MODE', 'live']],
  );
});

test('lists are read to their last page', async () => {
  for (const name of ['a', 'b', 'c']) await open('ada', name);

  assert.deepEqual(await listMine(), ['c', 'b', 'a']);
  assert.deepEqual(await listPublic(), ['ada/c', 'ada/b', 'ada/a', 'grace/one', 'grace/two', 'grace/three']);
});

test('a person is found by name', async () => {
  assert.deepEqual(await lookUp('grace'), { bio: 'Compiles', mentions: ['ada/greet'] });
});

test('a val is deleted only by its name', async () => {
  const { id } = await deploy();

  await assert.rejects(remove(id, 'blog'), /The val is called site, not blog/);
  await remove(id, 'site');

  assert.deepEqual(await listMine(), []);
});

test('a failed request is sent again', async () => {
  emulator.fail('POST /v2/vals', { status: 503, times: 1 });

  assert.equal((await open('ada', 'site')).name, 'site');
  emulator.expectRequest('POST /v2/vals', { times: 2 });
});
