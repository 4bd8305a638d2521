import { expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { ALL_SCOPES, SCOPE_NAMES, toRouteScopes } from '#vals/users/scopes.collection.js';
import { type Emulator, FixtureError, type Fixtures } from '../../../src/index.js';
import { emulate, UUID } from '../../support/emulate.js';

const SECRET = 'vtwn_5jK2mQ9xTz81LwRb';
const TOWN: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  tokens: [{ user: 'ada', token: SECRET, scopes: ['val:read', 'user_r'] }],
};
const ALL = [
  ...['val:read', 'val:write', 'user:read', 'user:write', 'blob:read', 'blob:write'],
  ...['sqlite:read', 'sqlite:write', 'email:read', 'email:write', 'telemetry:read'],
];

const me = (emulator: Pick<Emulator, 'fetch'>, token: string) =>
  emulator.fetch('/v1/me', { headers: { authorization: `Bearer ${token}` } });
const usernameOf = async (emulator: Pick<Emulator, 'fetch'>, token: string): Promise<unknown> =>
  Object(await (await me(emulator, token)).json()).username;

async function problemsOf(fixtures: Fixtures): Promise<readonly string[]> {
  const error = await emulate(fixtures).catch((thrown: unknown) => thrown);
  if (!(error instanceof FixtureError)) throw new Error('expected an error');
  return error.problems.map(({ path, message }) => `${path}: ${message}`);
}

test('a token has the scopes of both vocabularies, by default all', async () => {
  const emulator = await emulate({ ...TOWN, tokens: [{ user: 'ada' }, { user: 'ada', scopes: [...SCOPE_NAMES] }] });

  expect(ALL_SCOPES).toEqual(ALL);
  expect(emulator.state().tokens).toEqual([
    { id: expect.stringMatching(UUID), user: 'ada', token: 'ada-token-1', scopes: ALL },
    { id: expect.stringMatching(UUID), user: 'ada', token: 'ada-token-2', scopes: SCOPE_NAMES },
  ]);
  expect(await usernameOf(emulator, 'ada-token-1')).toBe('ada');
});

test.each([
  [['val:read'], ['val:read', 'project:read']],
  [['val:write'], ['val:read', 'val:write', 'project:read', 'project:write']],
  [['val_r'], ['val:read']],
  [['val_rw'], ['val:read', 'val:write']],
  [['project_rw'], ['project:read', 'project:write']],
  [
    ['email:write', 'email_rw'],
    ['email:read', 'email:write'],
  ],
  [['openid', 'profile', 'email', 'offline_access'], []],
] as const)('the scopes %j are the scopes %j of routes', (given, expected) => {
  expect(toRouteScopes(given)).toEqual(expected);
});

test('fixtures with a wrong or repeated token are refused with the path', async () => {
  expect(
    await problemsOf({
      users: [{ username: 'ada' }, { username: 'grace', token: 'grace secret' }],
      tokens: [
        { user: 'linus', token: 'a' },
        { user: 'ada', token: 'grace secret' },
        { user: 'ada', token: 'b' },
        { user: 'grace', token: 'b' },
        { user: 'ada', token: ' c' },
      ],
    }),
  ).toEqual([
    'tokens[4].token: found " c"; expected printable ASCII without spaces at its ends.',
    'tokens[0].user: there is no user "linus". Users: ada, grace.',
    'tokens[1].token: the token "grace secret" is taken by the user grace; expected another one.',
    'tokens[3].token: the token "b" is taken by tokens[2].token; expected another one.',
  ]);
  expect(
    await problemsOf(JSON.parse('{"users":[{"username":"ada"}],"tokens":[{"user":"ada","scopes":["val:raed"]}]}')),
  ).toEqual([
    expect.stringMatching(/^tokens\[0\]\.scopes\[0\]: found "val:raed"; expected .*Did you mean "val:read"\?$/),
  ]);
});

test('a token is added, found at once, and refused if it is taken', async () => {
  const emulator = await emulate(TOWN);

  expect(emulator.add.token({ user: 'grace', token: 'reader', scopes: ['user:read'] })).toEqual({
    ...{ id: expect.stringMatching(UUID), user: 'grace', token: 'reader', scopes: ['user:read'] },
  });
  expect(await usernameOf(emulator, 'reader')).toBe('grace');
  expect(emulator.add.token({ user: 'grace' }).token).toBe('grace-token-2');
  const before = emulator.state();
  for (const token of [SECRET, 'ada-token', 'reader']) {
    expect(() => emulator.add.token({ user: 'ada', token })).toThrow(
      `1 problem in the token:\n  token.token: "${token}" is taken; expected another one.`,
    );
    if (token === 'ada-token') continue;
    expect(() => emulator.add.user({ username: 'new', token })).toThrow(
      `user.token: "${token}" is taken; expected another one.`,
    );
  }
  expect(emulator.state()).toEqual(before);
});

test('clients add tokens, and the records hide them', async () => {
  const emulator = await emulate(TOWN);
  const remote = connect(emulator.url);

  const { id } = await remote.add.token({ user: 'grace', token: 'reader', scopes: ['val:read'] });
  const base = `${emulator.url}/_emulator/records/tokens`;
  const read = async (path = '') => (await fetch(base + path)).text();

  expect(JSON.parse(await read(`/${id}`)).record).toEqual({
    ...{ id, user: 'grace', userId: expect.any(String), scopes: ['val:read'] },
  });
  expect(await read()).not.toContain(SECRET);
  expect(await (await fetch(`${emulator.url}/_emulator/history`)).text()).not.toContain('reader');
  const changed = await fetch(`${base}/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"scopes":["user:read"]}',
  });
  expect([changed.status, await changed.json()]).toMatchObject([200, { id, scopes: ['user:read'] }]);
  expect((await me(emulator, 'reader')).status).toBe(200);
  const taken = await fetch(base, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"user":"ada","token":"grace-token"}',
  });
  expect([taken.status, await taken.json()]).toMatchObject([
    422,
    { problems: [{ path: 'token.token', message: '"grace-token" is taken; expected another one.' }] },
  ]);
  expect((await fetch(`${base}/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await me(emulator, 'reader')).status).toBe(401);
});

test('tokens go with their user, follow a change of it, and come back', async () => {
  const emulator = await emulate(TOWN);
  const ada = emulator.users[0]?.id ?? '';
  const url = `${emulator.url}/_emulator/records/users/${ada}`;
  const patch = (body: object) =>
    fetch(url, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  expect((await patch({ bio: 'New.' })).status).toBe(200);
  expect((await patch({ token: SECRET })).status).toBe(422);
  expect(await usernameOf(emulator, SECRET)).toBe('ada');
  await fetch(url, { method: 'DELETE' });
  expect((await me(emulator, SECRET)).status).toBe(401);
  emulator.rewind(1);
  expect((await me(emulator, SECRET)).status).toBe(200);
});

test('an export reseeds equal, without tokens it has the default ones', async () => {
  const emulator = await emulate(TOWN);

  const copy = await emulate(emulator.state());
  expect(copy.state()).toEqual(emulator.state());
  const state = await (await fetch(`${emulator.url}/_emulator/state?tokens=false`)).text();
  expect(state).not.toContain(SECRET);
  const bare = await emulate(JSON.parse(state));
  expect(bare.state().tokens).toMatchObject([{ user: 'ada', token: 'ada-token-1', scopes: ['val:read', 'user_r'] }]);
});

test('sessions and HAR files have other tokens with the same scopes', async () => {
  const other = 'vtwn_81LwRbQ9xTz5jK2m';
  const emulator = await emulate(TOWN, { rateLimit: { limit: 100, window: '1m' } });
  emulator.add.token([
    { user: 'ada', token: other, scopes: ['val:read'] },
    { user: 'grace', token: 'pin7', scopes: ['user:read'] },
  ]);
  await emulator.fetch(`/v1/alias/${other}`, { headers: { authorization: `Bearer ${SECRET}` } });
  await me(emulator, other);
  await me(emulator, 'pin7');
  await me(emulator, 'ada-token');

  const session = emulator.session();
  const har = await (await fetch(`${emulator.url}/_emulator/requests.har`)).text();

  for (const text of [session, har]) {
    for (const secret of [SECRET, other, 'pin7']) expect(text).not.toContain(secret);
  }
  expect(har).toContain('Bearer ada-token-1');
  await fetch(`${emulator.url}/_emulator/sandboxes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'copy', session }),
  });
  const copy = emulator.sandbox('copy');
  expect(copy.state().tokens).toMatchObject([
    { user: 'ada', token: 'ada-token-1', scopes: ['val:read', 'user_r'] },
    { user: 'ada', token: 'ada-token-2', scopes: ['val:read'] },
    { user: 'grace', token: 'grace-token-1', scopes: ['user:read'] },
  ]);
  expect(copy.requests().map(({ request, status }) => [request.headers.authorization, status])).toEqual([
    ['Bearer ada-token-1', 404],
    ['Bearer ada-token-2', 403],
    ['Bearer grace-token-1', 200],
    ['Bearer ada-token', 200],
  ]);
  expect((await me(copy, 'ada-token-2')).status).toBe(403);
  expect((await me(copy, 'grace-token-1')).status).toBe(200);
});
