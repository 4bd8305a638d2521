import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { clientOf, RICH, writeHistory } from './rich.js';
import { pullFrom, start } from './support.js';

/** Pulls the account, and returns a function that compares the account with that pull. */
async function compareLater(emulator: Emulator) {
  const { fixtures } = await pullFrom(emulator);
  const compare = join(folderOf({ 'fixtures.json': fixtures }), 'fixtures.json');
  return async (ignore: readonly string[] = []) => {
    const { drift } = await pullFrom(emulator, { compare, ignore });
    return { total: drift?.total, changes: drift?.changes.filter(({ part }) => !part) ?? [] };
  };
}

/** Changes a record as nobody can by the API. */
async function patch({ url }: Emulator, path: string, body: object): Promise<void> {
  const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${url}/_emulator/records/${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

test('an account without a change has no drift', async () => {
  const emulator = await start({ fixtures: RICH });
  await writeHistory(emulator);
  const compare = await compareLater(emulator);

  expect(await compare()).toEqual({ total: 0, changes: [] });
});

type Edit = (emulator: Emulator, send: ReturnType<typeof clientOf>) => unknown;
const idOf = async (send: ReturnType<typeof clientOf>, alias: string) => (await send('GET', alias)).id;
const siteOf = (send: ReturnType<typeof clientOf>) => idOf(send, '/v2/alias/vals/ada/site');

test.each<readonly [what: string, edit: Edit, changes: readonly object[]]>([
  [
    'a profile',
    (emulator) => patch(emulator, `users/${emulator.users[0]?.id}`, { bio: 'New' }),
    [{ collection: 'users', name: 'ada', before: { bio: 'Ada of Planted' }, after: { bio: 'New' } }],
  ],
  [
    'an organization, and who is in it',
    (emulator) => {
      emulator.add.organization({ username: 'fresh' });
      emulator.add.membership({ organization: 'fresh', user: 'ada', role: 'owner' });
    },
    [
      { collection: 'organizations', name: 'fresh', before: null },
      { collection: 'memberships', name: 'ada in fresh', before: null, after: { role: 'owner' } },
    ],
  ],
  [
    'a project',
    async (emulator, send) =>
      patch(emulator, `projects/${await siteOf(send)}`, { description: 'Other', privacy: 'unlisted' }),
    [
      {
        ...{ collection: 'projects', name: 'ada/site' },
        before: { description: 'Of Ada', privacy: 'public' },
        after: { description: 'Other', privacy: 'unlisted' },
      },
    ],
  ],
  [
    'a project that is gone',
    async (_, send) => send('DELETE', `/v2/vals/${await idOf(send, '/v2/alias/vals/ada/bare')}`),
    [{ collection: 'projects', name: 'ada/bare', after: null }],
  ],
  [
    'the text of a file',
    async (_, send) => send('PUT', `/v2/vals/${await siteOf(send)}/files?path=daily.cron.ts`, { content: 'new' }),
    [
      {
        collection: 'branches',
        name: 'ada/site@main',
        file: 'daily.cron.ts',
        before: { text: '' },
        after: { text: 'new' },
      },
      { collection: 'commits', name: 'ada/site@main version 2', before: null, after: { version: 2 } },
    ],
  ],
  [
    'the type and the path of a file',
    async (_, send) =>
      send('PUT', `/v2/vals/${await siteOf(send)}/files?path=daily.cron.ts`, { type: 'script', name: 'daily.ts' }),
    [
      {
        ...{ collection: 'branches', file: 'daily.ts' },
        before: { path: 'daily.cron.ts', type: 'interval' },
        after: { path: 'daily.ts', type: 'script' },
      },
      { collection: 'commits' },
    ],
  ],
  [
    'a branch',
    async (_, send) => send('POST', `/v2/vals/${await siteOf(send)}/branches`, { name: 'feature' }),
    [{ collection: 'branches', name: 'ada/site@feature', before: null, after: { from: 'main', version: 1 } }],
  ],
  [
    'an environment variable',
    async (_, send) =>
      send('PUT', `/v2/vals/${await siteOf(send)}/environment_variables/OTHER`, { value: 'x', description: 'New' }),
    [
      {
        ...{ collection: 'environment', name: 'variable OTHER of ada/site' },
        before: { description: 'Of the weather' },
        after: { description: 'New', updatedAt: expect.any(String) },
      },
    ],
  ],
  [
    'a val',
    async (_, send) =>
      send('POST', `/v1/vals/${await idOf(send, '/v1/alias/ada/hello')}/versions`, { code: 'export const hello = 2;' }),
    [
      {
        ...{ collection: 'vals', name: 'ada/hello' },
        before: { version: 1, code: 'export const hello = "(removed)";' },
        after: { version: 2, code: 'export const hello = 2;' },
      },
    ],
  ],
  [
    'a run',
    (emulator) => emulator.add.run({ val: 'ada/hello', error: 'boom' }),
    [{ collection: 'runs', before: null, after: { error: 'boom' } }],
  ],
  [
    'a like of the account',
    (emulator) => emulator.add.like({ user: 'ada', val: 'ada/secret' }),
    [{ collection: 'likes', name: 'ada likes ada/secret', before: null }],
  ],
  [
    'a like of another user',
    (emulator) => emulator.add.like({ user: 'linus', val: 'ada/hello' }),
    [
      { collection: 'users', name: 'placeholder_2', before: null },
      { collection: 'likes', name: 'placeholder_2 likes ada/hello', before: null },
    ],
  ],
  [
    'a comment',
    (emulator) => patch(emulator, `comments/${emulator.state().comments[0]?.id}`, { comment: 'Not so nice' }),
    [{ collection: 'comments', before: { comment: 'Nice, @ada' }, after: { comment: 'Not so nice' } }],
  ],
  [
    'a blob',
    async (_, send) => send('DELETE', `/v1/blob/${encodeURIComponent('ä')}`),
    [{ collection: 'blobs', name: 'blob ä of ada', after: null }],
  ],
])('a comparison names %s that has changed', async (_, edit, changes) => {
  const emulator = await start({ fixtures: RICH });
  const compare = await compareLater(emulator);
  await edit(emulator, clientOf(emulator));

  const found = await compare();
  expect(found.changes).toEqual(changes.map((change) => expect.objectContaining(toParts(change))));
  const collections = found.changes.map(({ collection }) => `${collection}.*`);
  expect(await compare([...collections, 'branches.*'])).toMatchObject({ changes: [] });
});

test('a comparison reports what the service no longer shows', async () => {
  const emulator = await start({ fixtures: RICH });
  const { fixtures } = await pullFrom(emulator);
  const compare = folderOf({ 'fixtures.json': fixtures });
  emulator.fail('GET /v2/vals/{val_id}/environment_variables', { status: 403 });

  const { drift, pulled } = await pullFrom(emulator, { compare });
  expect(drift?.changes.map(({ collection, type, name }) => [collection, type, name])).toEqual([
    ['environment', 'removed', 'variable SHOP of acme/shop'],
    ['environment', 'removed', 'variable API_KEY of ada/site'],
    ['environment', 'removed', 'variable OTHER of ada/site'],
  ]);
  expect(pulled.unseen).toContainEqual(
    expect.stringContaining('GET /v2/vals/{val_id}/environment_variables is not readable: 403'),
  );
});

test('a comparison leaves out what no pull reads', async () => {
  const emulator = await start({ fixtures: RICH });
  const { fixtures } = await pullFrom(emulator);
  const [ada, ...users] = fixtures.users ?? [];
  const more = {
    users: [{ ...ada, token: 'own-token' }, ...users],
    tokens: [{ user: 'ada', token: 'reader' }],
    emails: [{ user: 'ada' }],
    sqlite: [{ user: 'ada', sql: 'CREATE TABLE notes (text)' }],
    environment: fixtures.environment?.map((variable) => ({ ...variable, value: 'known' })),
  };
  const compare = folderOf({ 'fixtures.json': { ...fixtures, ...more } });

  expect((await pullFrom(emulator, { compare })).drift).toEqual({ total: 0, changes: [] });
});

test('wrong fixtures and paths to compare with are reported before anything is read', async () => {
  const emulator = await start({ fixtures: RICH });
  const compare = folderOf({ 'fixtures.json': { users: [{ name: 'ada' }] } });

  await expect(pullFrom(emulator, { compare })).rejects.toThrow(/users\[0\]\.name: unknown key/);
  await expect(pullFrom(emulator, { compare: 'empty', ignore: ['user.*.bio'] })).rejects.toThrow(
    /found "user\.\*\.bio"; expected a collection, .* Did you mean "users"\?/,
  );
  expect(emulator.requests()).toEqual([]);
});

/** Expects a part of each side of a change. */
const toParts = (change: object): object =>
  Object.fromEntries(
    Object.entries(change).map(([key, value]) => [
      key,
      (key === 'before' || key === 'after') && value !== null ? expect.objectContaining(value) : value,
    ]),
  );
