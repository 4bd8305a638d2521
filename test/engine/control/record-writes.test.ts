import { describe, expect, test } from 'vitest';
import type { EmulatorOptions, Fixtures } from '../../../src/index.js';
import { createEmulator, emulate, isShared, NOW, UUID } from '../../support/emulate.js';
import { makeFolder, openData } from '../persistence/folder.js';

const ADA = 'ada00000-0000-4000-8000-000000000000';
const BOB = 'b0b00000-0000-4000-8000-000000000000';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const PAGE = '9a9e0000-0000-4000-8000-000000000003';
const RUN = '90000000-0000-4000-8000-000000000001';
const PRAISE = 'c0000000-0000-4000-8000-000000000001';
const EMAIL = 'e3a11000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: ADA, token: 'the key of ada' },
    { username: 'bob', id: BOB },
  ],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: 'two', readme: '# Hello' },
    { author: 'bob', name: 'page', id: PAGE, code: 'one' },
  ],
  versions: [{ val: 'ada/hello', code: 'one' }],
  runs: [{ val: 'ada/hello', id: RUN }],
  likes: [{ user: 'bob', val: 'ada/hello' }],
  comments: [{ author: 'bob', val: 'ada/hello', id: PRAISE, comment: 'Nice' }],
  emails: [{ user: 'ada', id: EMAIL, to: 'bob@example.com', attachments: [{ filename: 'a.txt', text: 'abc' }] }],
  blobs: [{ user: 'ada', key: 'a:b/c?.txt', text: 'content' }],
  sqlite: [{ user: 'ada', rows: { todos: [{ id: 1 }] } }],
};
const COLLECTIONS = ['users', 'vals', 'versions', 'runs', 'likes', 'comments', 'emails', 'blobs', 'sqlite'];

/** Creates an emulator, and what sends requests to its records. @param base such as the prefix of a sandbox */
async function open(options: EmulatorOptions = {}, base = '') {
  const emulator = await emulate(fixtures, { listen: false, ...options });
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await emulator.fetch(`${base}/_emulator/records/${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const read = async (path: string) => (await send('GET', path)).body.record;
  return { emulator, send, read };
}

const pathOf = (collection: string, id: string) => `${collection}/${encodeURIComponent(id)}`;

describe('a write', () => {
  test('POST adds a record, and returns its row', async () => {
    const { send, read, emulator } = await open();
    const { status, body } = await send('POST', 'versions', { valId: PAGE, code: 'next' });
    expect([status, body]).toEqual([
      201,
      { id: `${PAGE}:1`, val: 'bob/page', version: 1, code: 'next', createdAt: NOW, valId: PAGE },
    ]);
    expect(await read(pathOf('versions', `${PAGE}:1`))).toEqual(body);
    expect(emulator.history()).toMatchObject([{ id: 'w1', request: 'POST /_emulator/records/versions' }]);
  });

  test('POST adds a list in one commit, whose records may refer to earlier ones', async () => {
    const { send, emulator } = await open();
    const { status, body } = await send('POST', 'vals', [
      { author: 'bob', name: 'first', code: '1' },
      { userId: ADA, name: 'second', code: '2' },
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject([
      { id: expect.stringMatching(UUID), author: 'bob', userId: BOB },
      { author: 'ada', userId: ADA },
    ]);
    expect(emulator.history()).toHaveLength(1);
  });

  test('PUT replaces a record, with defaults for other fields', async () => {
    const { send, emulator } = await open();
    const { status, body } = await send('PUT', `vals/${HELLO}`, { author: 'ada', name: 'hi', code: 'x' });
    expect([status, body]).toMatchObject([200, { id: HELLO, name: 'hi', code: 'x', readme: null, version: 1 }]);
    expect(emulator.history()).toMatchObject([{ request: 'PUT /_emulator/records/vals/{id}' }]);
  });

  test('PATCH changes fields, of which null is a value', async () => {
    const { send, read } = await open();
    const before = await read(`vals/${HELLO}`);
    const { status, body } = await send('PATCH', `vals/${HELLO}`, { readme: null, privacy: 'private' });
    expect([status, body]).toEqual([200, { ...before, readme: null, privacy: 'private' }]);
    expect(await read(`vals/${HELLO}`)).toEqual(body);
  });

  test('DELETE of a user deletes what refers to it, and one rewind brings it back', async () => {
    const { send, emulator } = await open();
    const before = emulator.state();
    expect(await send('DELETE', `users/${ADA}`)).toEqual({ status: 204, body: undefined });
    expect(emulator.state()).toMatchObject({
      ...{ users: [{ username: 'bob' }], vals: [{ name: 'page' }], versions: [], runs: [] },
      ...{ likes: [], comments: [], emails: [], blobs: [], sqlite: [] },
    });
    await emulator.rewind(1);
    expect(emulator.state()).toEqual(before);
  });

  test.each(COLLECTIONS)('%s: a row that is sent back as it was read changes nothing', async (collection) => {
    const { send, emulator } = await open();
    const before = emulator.state();
    const [row] = (await send('GET', collection)).body.records;
    for (const method of ['PUT', 'PATCH']) {
      expect(await send(method, pathOf(collection, row.id), row)).toEqual({ status: 200, body: row });
      expect(await send(method, pathOf(collection, row.id), method === 'PATCH' ? {} : row)).toMatchObject({
        body: row,
      });
    }
    expect(await send('POST', collection, [])).toEqual({ status: 201, body: [] });
    expect(emulator.state()).toEqual(before);
    expect(emulator.history()).toEqual([]);
  });

  test('acts on the sandbox of its address alone', async () => {
    const { send, emulator } = await open({}, '/_sandbox/one');
    expect((await send('DELETE', `users/${ADA}`)).status).toBe(204);
    expect(emulator.sandbox('one').state().users).toHaveLength(1);
    expect(emulator.state().users).toHaveLength(2);
  });

  test.skipIf(isShared)('survives a restart of a data folder', async () => {
    const folder = makeFolder();
    const first = await openData(folder);
    const id = first.state().vals[0]?.id;
    const json = { 'content-type': 'application/json' };
    const path = `/_emulator/records/vals/${id}`;
    await first.fetch(path, { method: 'PATCH', headers: json, body: '{"name":"kept"}' });
    await first.fetch('/_emulator/records/users', { method: 'POST', headers: json, body: '{"username":"eve"}' });
    await first.close();
    const second = await openData(folder);
    expect(second.state()).toMatchObject({
      users: [{ username: 'ada', token: 'ada-token' }, { username: 'eve' }],
      vals: [{ name: 'kept' }],
    });
  });

  test('all of many at once take effect', async () => {
    const { send, read, emulator } = await open();
    const changes = [{ readme: 'one' }, { type: 'email' }, { privacy: 'unlisted' }, { name: 'other' }];
    const adding = Array.from({ length: 20 }, (_, n) => send('POST', 'sqlite', { userId: BOB, rows: { t: [{ n }] } }));
    await Promise.all(changes.map((change) => send('PATCH', `vals/${HELLO}`, change)));
    expect(await read(`vals/${HELLO}`)).toMatchObject(Object.assign({}, ...changes));
    // One database of a user is made.
    const statuses = (await Promise.all(adding)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
    expect(emulator.state().sqlite).toHaveLength(2);
  });

  test('of a database replaces its content', async () => {
    const { send, emulator } = await open();
    const { status, body } = await send('PATCH', `sqlite/${ADA}`, { sql: 'CREATE TABLE other (a)' });
    expect([status, body.user]).toEqual([200, 'ada']);
    expect(emulator.state().sqlite).toMatchObject([{ user: 'ada', sql: [expect.stringMatching(/other/)] }]);
  });
});

describe('a refused write changes nothing', () => {
  test.each<[request: string, body: unknown, status: number, message: string | RegExp]>([
    ['POST valz', {}, 400, /params\.collection: .*Did you mean "vals"\?/],
    ['POST vals', 'text', 400, /expected a record, or a list of records/],
    ['POST vals', [{ author: 'ada', name: 'x', code: '1' }, 1], 400, /body\[1\]|body/],
    ['PATCH vals/none', {}, 404, 'There is no record "none" in vals.'],
    ['PUT vals/none', { author: 'ada', name: 'x', code: '1' }, 404, 'There is no record "none" in vals.'],
    ['DELETE vals/none', undefined, 404, 'There is no record "none" in vals.'],
    ['DELETE vals/constructor', undefined, 404, 'There is no record "constructor" in vals.'],
    [`PATCH vals/${HELLO}?at=start`, {}, 400, 'querystring.at: unknown key. Remove it: none is expected here.'],
    [`DELETE vals/${HELLO}?at=start`, undefined, 400, /querystring\.at/],
    [`PUT vals/${HELLO}`, [], 400, /expected a record/],
    [`PATCH vals/${HELLO}`, null, 400, /expected a record/],
    [`PATCH vals/${HELLO}`, { nme: 'x' }, 422, /val\.nme: .*Did you mean "name"\?/],
    [
      `PATCH vals/${HELLO}`,
      { id: PAGE },
      422,
      `val.id: found "${PAGE}"; expected "${HELLO}", since the id of a record cannot change.`,
    ],
    [`PATCH vals/${HELLO}`, { author: null }, 422, /val\.author: /],
    [`PATCH vals/${HELLO}`, { userId: 'nobody' }, 422, /val\.author: .*"nobody"/],
    [`PATCH vals/${HELLO}`, { author: 'bob', userId: PAGE }, 422, /val\.userId: .*follows from the other fields/],
    [`PATCH vals/${HELLO}`, { name: 3, privacy: 'publik' }, 422, /val\.name: [\s\S]*val\.privacy: /],
    [`PATCH versions/${HELLO}:0`, { version: 5 }, 422, /version\.id: .*follows from the other fields/],
    [`PATCH likes/${HELLO}:${BOB}`, { user: 'ada' }, 422, /like\.id: /],
    [`PATCH blobs/${ADA}:a:b%2Fc%3F.txt`, { size: 99 }, 422, 'blob.size: found 99; expected 7, which follows'],
    [`PATCH blobs/${ADA}:a:b%2Fc%3F.txt`, { key: 'other' }, 422, /blob\.id: /],
    [`PATCH blobs/${ADA}:a:b%2Fc%3F.txt`, { file: '/etc/passwd' }, 422, /file: expected in a fixture file only/],
    [`PATCH sqlite/${ADA}`, { user: 'bob' }, 422, /sqlite\.id: /],
    [`PATCH sqlite/${ADA}`, { sql: 'SELECT FROM' }, 422, /sqlite\.sql: .*syntax error/],
    [`POST users`, [{ username: 'eve' }, { username: 'ada' }], 422, /users\[1\]\.username: "ada" is taken/],
    [`DELETE versions/${PAGE}:0`, undefined, 400, 'Cannot delete the only version of a val'],
  ])('%s %j: %i', async (request, body, status, message) => {
    const { send, emulator } = await open();
    const before = emulator.state();
    const [method = '', path = ''] = request.split(' ');
    const response = await send(method, path, body);
    expect([response.status, response.body.message]).toEqual([
      status,
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    ]);
    expect(emulator.state()).toEqual(before);
    expect(emulator.history()).toEqual([]);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s of a page of another site, or without the control API',
    async (method) => {
      const path = method === 'POST' ? 'users' : `users/${ADA}`;
      const body = method === 'DELETE' ? undefined : { username: 'eve' };
      const { send, emulator } = await open();
      expect((await send(method, path, body, { origin: 'https://evil.example' })).status).toBe(403);
      expect(emulator.history()).toEqual([]);
      const closed = await createEmulator({ fixtures, listen: false, control: false });
      const response = await closed.fetch(`/_emulator/records/${path}`, { method });
      await closed.close();
      expect(response.status).toBe(404);
    },
  );

  test('a token of a user is in no response to a change', async () => {
    const { send } = await open();
    for (const [method, path, body] of [
      ['PATCH', `users/${ADA}`, { token: 'the key of all' }],
      ['PUT', `users/${ADA}`, { username: 'ada', token: 'the key of none' }],
    ] as const) {
      const response = await send(method, path, body);
      expect(response.status).toBeLessThan(300);
      expect(JSON.stringify(response.body)).not.toContain('the key');
    }
  });
});
