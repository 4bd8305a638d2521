import { expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { type Emulator, FixtureError, type Fixtures } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { createEmulator, emulate, NOW } from '../../support/emulate.js';

const TOWN: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  organizations: [{ username: 'acme' }],
  projects: [
    { owner: 'ada', name: 'site' },
    { owner: 'acme', name: 'shop' },
  ],
  tokens: [
    { user: 'ada', token: 'site', project: 'ada/site' },
    { user: 'grace', token: 'shop', project: 'Acme/Shop' },
    { user: 'ada', token: 'account' },
  ],
};

const send = ({ fetch }: Pick<Emulator, 'fetch'>, token: string, request: string, body?: string) => {
  const [method = '', path = ''] = request.split(' ');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(path, { method, headers, ...(body !== undefined && { body }) });
};
const textOf = async (...request: Parameters<typeof send>) => {
  const response = await send(...request);
  return response.status < 300 ? await response.text() : response.status;
};
async function keysOf(emulator: Pick<Emulator, 'fetch'>, token: string, path: string): Promise<unknown[]> {
  const list: unknown = await (await send(emulator, token, `GET ${path}`)).json();
  return Array.isArray(list) ? list.map((each) => Object(each).key) : [];
}
async function rowsOf(emulator: Pick<Emulator, 'fetch'>, token: string, statement: string): Promise<unknown> {
  const response = await send(emulator, token, 'POST /v1/sqlite/execute', JSON.stringify({ statement }));
  return response.ok ? Object(await response.json()).rows : response.status;
}

async function problemsOf(fixtures: Fixtures): Promise<readonly string[]> {
  const error = await emulate(fixtures).catch((thrown: unknown) => thrown);
  if (!(error instanceof FixtureError)) throw new Error('expected an error');
  return error.problems.map(({ path, message }) => `${path}: ${message}`);
}

test('/v2/blob has the blobs of the project of the token, and /v1/blob those of the account', async () => {
  const emulator = await emulate(TOWN);
  const stored = await send(emulator, 'site', 'POST /v2/blob/a', 'of the site');

  expect([stored.status, await stored.json()]).toEqual([201, 'ok']);
  await send(emulator, 'shop', 'POST /v2/blob/a', 'of the shop');
  await send(emulator, 'site', 'POST /v1/blob/b', 'of ada');
  for (const [token, path, keys, a] of [
    ['site', '/v2/blob', ['a'], 'of the site'],
    ['shop', '/v2/blob', ['a'], 'of the shop'],
    ['site', '/v1/blob', ['b'], 404],
    ['shop', '/v1/blob', [], 404],
    ['account', '/v2/blob', ['b'], 404],
    ['ada-token', '/v2/blob', ['b'], 404],
    ['grace-token', '/v2/blob', [], 404],
  ] as const) {
    expect(await keysOf(emulator, token, path), `${token} ${path}`).toEqual(keys);
    expect(await textOf(emulator, token, `GET ${path}/a`), `${token} ${path}/a`).toBe(a);
  }
  expect((await send(emulator, 'ada-token', 'DELETE /v2/blob/a')).status).toBe(404);
  expect((await send(emulator, 'ada-token', 'DELETE /v2/blob/b')).status).toBe(204);
  expect((await send(emulator, 'site', 'DELETE /v2/blob/a')).status).toBe(204);
  expect(emulator.state().blobs).toMatchObject([{ project: 'acme/shop', key: 'a', text: 'of the shop' }]);
});

test('SQL runs on the database of the project of the token, else on that of the account', async () => {
  const emulator = await emulate(TOWN);
  for (const token of ['site', 'shop', 'account']) {
    await rowsOf(emulator, token, 'CREATE TABLE t (a)');
    await rowsOf(emulator, token, `INSERT INTO t VALUES ('${token}')`);
  }

  for (const [token, rows] of [
    ['site', [['site']]],
    ['shop', [['shop']]],
    ['account', [['account']]],
    ['ada-token', [['account']]],
    ['grace-token', 400],
  ] as const) {
    expect(await rowsOf(emulator, token, 'SELECT a FROM t'), token).toEqual(rows);
  }
  const batch = await send(emulator, 'site', 'POST /v1/sqlite/batch', '{"statements":["DROP TABLE t"]}');
  expect(batch.status).toBe(200);
  expect(await rowsOf(emulator, 'site', 'SELECT a FROM t')).toBe(400);
  expect(await rowsOf(emulator, 'account', 'SELECT a FROM t')).toEqual([['account']]);
});

test('a deleted project takes its tokens, blobs, database and responses along, and a rewind returns them', async () => {
  const emulator = await emulate({
    ...TOWN,
    blobs: [
      { project: 'ada/site', key: 'a', text: '1' },
      { user: 'ada', key: 'b' },
    ],
    sqlite: [
      { project: 'ada/site', sql: 'CREATE TABLE t (a)' },
      { user: 'ada', sql: 'CREATE TABLE u (a)' },
    ],
    projects: [
      { owner: 'ada', name: 'site', files: { 'main.ts': '1' } },
      { owner: 'acme', name: 'shop', files: { 'main.ts': '1' } },
    ],
    responses: [
      { project: 'ada/site', file: 'main.ts', result: 1 },
      { project: 'acme/shop', file: 'main.ts', result: 2 },
    ],
  });
  const [site] = emulator.state().projects;
  const remove = await send(emulator, 'site', `DELETE /v2/vals/${site?.id}`);

  expect(remove.status).toBe(204);
  expect((await send(emulator, 'site', 'GET /v1/me')).status).toBe(401);
  expect(emulator.state()).toMatchObject({
    tokens: [{ token: 'shop' }, { token: 'account' }],
    blobs: [{ user: 'ada', key: 'b' }],
    sqlite: [{ user: 'ada' }],
    responses: [{ project: 'acme/shop', result: 2 }],
  });
  emulator.rewind(1);
  expect(emulator.state().responses).toHaveLength(2);
  expect(await textOf(emulator, 'site', 'GET /v2/blob/a')).toBe('1');
  expect(await rowsOf(emulator, 'site', 'SELECT a FROM t')).toEqual([]);
  await fetch(`${emulator.url}/_emulator/records/users/${emulator.users[0]?.id}`, { method: 'DELETE' });
  expect(emulator.state()).toMatchObject({ tokens: [{ token: 'shop' }], blobs: [], sqlite: [] });
});

test('fixtures say whose blobs and databases are, and an export reseeds equal', async () => {
  const fixtures: Fixtures = {
    ...TOWN,
    blobs: [
      { project: 'ada/site', key: 'a', json: { a: 1 } },
      { user: 'ada', key: 'a' },
    ],
    sqlite: [{ project: 'acme/shop', rows: { t: [{ a: 1 }] } }, { user: 'grace' }],
  };
  const emulator = await emulate(fixtures);
  const exported = emulator.state();

  expect(exported.tokens.map(({ project }) => project)).toEqual(['ada/site', 'acme/shop', undefined]);
  expect(exported.blobs).toMatchObject([
    { project: 'ada/site', key: 'a', text: '{"a":1}' },
    { user: 'ada', key: 'a', text: '' },
  ]);
  expect(exported.blobs.map((blob) => Object.keys(blob)[0])).toEqual(['project', 'user']);
  expect(exported.sqlite).toMatchObject([{ project: 'acme/shop' }, { user: 'grace' }]);
  expect((await emulate(exported)).state()).toEqual(exported);
  const brief = emulator.state({ brief: true });
  expect((await emulate(brief)).state()).toEqual(exported);
});

test('fixtures with a wrong owner are refused with the path', async () => {
  expect(
    await problemsOf({
      ...TOWN,
      tokens: [{ user: 'ada', project: 'ada/sit' }],
      blobs: [
        { project: 'ada/sit', key: 'a' },
        { key: 'b' },
        { user: 'ada', project: 'ada/site', key: 'c' },
        { project: 'ada/site', key: 'd' },
        { project: 'Ada/site', key: 'd' },
      ],
      sqlite: [{ project: 'ada/site' }, { project: 'ada/site' }, {}, { user: 'ad', project: 'ada/site' }],
    }),
  ).toEqual([
    'tokens[0].project: there is no project "ada/sit". Did you mean "ada/site"?',
    'blobs[0].project: there is no project "ada/sit". Did you mean "ada/site"?',
    'blobs[1]: found no user; expected a user or a project.',
    'blobs[2]: expected one of user and project.',
    'blobs[4]: the same key as blobs[3]; expected each key once.',
    'sqlite[2]: found no user; expected a user or a project.',
    'sqlite[3]: expected one of user and project.',
    'sqlite[1]: the database of the same user or project as sqlite[0]; expected one of each.',
  ]);
});

test('no project has the id of a user', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const users = [{ username: 'ada', id }];

  expect(await problemsOf({ users, projects: [{ owner: 'ada', name: 'site', id }] })).toEqual([
    `projects[0].id: the id "${id}" is taken by the user ada; expected another one.`,
  ]);
  const emulator = await emulate({ users });
  const taken = `id: "${id}" is taken; expected another one.`;
  expect(() => emulator.add.project({ owner: 'ada', name: 'site', id })).toThrow(`project.${taken}`);
  emulator.reset();
  const other = await emulate({ users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'site', id }] });
  expect(() => other.add.user({ username: 'grace', id })).toThrow(`user.${taken}`);
});

test('no user has the id of an organization, whichever is added first', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const taken = `id: "${id}" is taken; expected another one.`;
  const emulator = await emulate({ organizations: [{ username: 'analysts', id }] });
  expect(() => emulator.add.user({ username: 'grace', id })).toThrow(`user.${taken}`);
  expect(emulator.state().users).toEqual([]);
  const other = await emulate({ users: [{ username: 'ada', id }] });
  expect(() => other.add.organization({ username: 'analysts', id })).toThrow(`organization.${taken}`);
});

test('clients add tokens, blobs and databases of projects, and records refer to them', async () => {
  const emulator = await emulate(TOWN);
  const remote = connect(emulator.url);

  const token = await remote.add.token({ user: 'grace', token: 'new', project: 'ada/site' });
  expect(token).toMatchObject({ user: 'grace', project: 'ada/site' });
  await remote.add.blob({ project: 'ada/site', key: 'a', text: '1' });
  const database = await remote.add.sqlite({ project: 'ada/site', rows: { t: [{ a: 1 }] } });
  expect(database).toMatchObject({ project: 'ada/site' });
  expect(await textOf(emulator, 'new', 'GET /v2/blob/a')).toBe('1');
  expect(await rowsOf(emulator, 'new', 'SELECT a FROM t')).toEqual([[1]]);
  await expect(remote.add.sqlite({ project: 'ada/site' })).rejects.toThrow(
    'sqlite.project: "ada/site" has a database already; change it by POST /v1/sqlite/execute.',
  );
  await expect(remote.add.token({ user: 'ada', project: 'ada/none' })).rejects.toThrow(
    'token.project: there is no project "ada/none".',
  );
  const read = async (path: string) => (await fetch(`${emulator.url}/_emulator${path}`)).json();
  const id = emulator.state().projects[0]?.id;
  const { related } = Object(await read(`/records/projects/${id}`));
  expect(related.tokens).toMatchObject({ total: 2 });
  expect(related.blobs).toMatchObject({ total: 1, records: [{ project: 'ada/site', projectId: id, size: 1 }] });
  expect(related.sqlite).toMatchObject({ total: 1 });
  expect(await read(`/records/blobs/${id}:a`)).toMatchObject({
    record: { project: 'ada/site', key: 'a' },
    related: { project: { total: 1 } },
  });
  expect(await read(`/blobs/${id}:a`)).toMatchObject({ project: 'ada/site', text: '1' });
  expect(await read(`/sqlite/${id}`)).toMatchObject({ project: 'ada/site', tables: [{ name: 't', rows: 1 }] });
  expect(await read(`/records/tokens?where=${encodeURIComponent(JSON.stringify({ projectId: id }))}`)).toMatchObject({
    total: 2,
  });
  const history = await fetch(`${emulator.url}/_emulator/history`);
  expect(await history.text()).toContain('token of grace in ada/site with all scopes');
});

test('a change of a record keeps its owner, and a token may lose its project', async () => {
  const emulator = await emulate({ ...TOWN, blobs: [{ project: 'ada/site', key: 'a', text: '1' }] });
  const change = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${emulator.url}/_emulator/records/${path}`, {
      ...{ method, headers, body: JSON.stringify(body) },
    });
    return [response.status, await response.json()];
  };
  const { id: site } = emulator.state().projects[0] ?? {};
  const { id } = emulator.state().tokens[0] ?? {};

  const createdAt = '2020-01-01T00:00:00.000Z';
  expect(await change('PATCH', `blobs/${site}:a`, { createdAt })).toMatchObject([
    200,
    { project: 'ada/site', createdAt },
  ]);
  expect(await textOf(emulator, 'site', 'GET /v2/blob/a')).toBe('1');
  expect(await change('PATCH', `tokens/${id}`, { scopes: ['blob:read'] })).toMatchObject([
    200,
    { project: 'ada/site' },
  ]);
  expect((await send(emulator, 'site', 'DELETE /v2/blob/a')).status).toBe(403);
  expect(await change('PATCH', `tokens/${id}`, { project: 'acme/shop' })).toMatchObject([
    200,
    { project: 'acme/shop' },
  ]);
  const [status, row] = await change('PUT', `tokens/${id}`, { user: 'ada', scopes: ['blob:read'] });
  const { project, projectId } = Object(row);
  expect([status, project, projectId]).toEqual([200, undefined, undefined]);
  expect(await keysOf(emulator, 'site', '/v2/blob')).toEqual([]);
});

test('snapshots, forks and data folders have the data of projects', async () => {
  const data = folderOf({});
  const first = await emulate(TOWN, { data });
  await send(first, 'site', 'POST /v2/blob/a', '1');
  await rowsOf(first, 'site', 'CREATE TABLE t (a)');
  first.snapshot('made');
  await send(first, 'site', 'DELETE /v2/blob/a');
  await rowsOf(first, 'site', 'DROP TABLE t');
  first.restore('made');
  const before = first.state();
  expect(first.fork('copy').state()).toEqual(before);
  await first.close();

  await using second = await createEmulator({ data, now: NOW });
  expect(second.state()).toEqual(before);
  expect(await textOf(second, 'site', 'GET /v2/blob/a')).toBe('1');
  expect(await rowsOf(second, 'site', 'SELECT a FROM t')).toEqual([]);
  second.reset();
  expect(second.state()).toMatchObject({ blobs: [], sqlite: [] });
});

test('with the routes of the specification only, /v2/blob is a 404', async () => {
  const emulator = await emulate(TOWN, { specOnly: true });

  expect((await send(emulator, 'site', 'GET /v2/blob')).status).toBe(404);
});
