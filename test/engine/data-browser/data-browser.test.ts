import jsonServer from 'json-server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { bySocket, emulate, NOW, UUID } from '../../support/emulate.js';
import { badRequest, notFound } from '../../support/errors.js';
import { NO_PROJECTS } from '../../support/no-projects.js';

const ADA = 'ada00000-0000-4000-8000-000000000000';
const BOB = 'b0b00000-0000-4000-8000-000000000000';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const SECRET = '5ec2e700-0000-4000-8000-000000000002';
const PAGE = '9a9e0000-0000-4000-8000-000000000003';
const GOOD_RUN = '90000000-0000-4000-8000-000000000001';
const BAD_RUN = 'bad00000-0000-4000-8000-000000000002';
const PRAISE = 'c0000000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: ADA, bio: 'Numbers.', tier: 'pro', token: 'the key of ada' },
    { username: 'bob', id: BOB, token: 'the key of bob' },
  ],
  vals: [
    {
      author: 'ada',
      name: 'hello',
      id: HELLO,
      code: 'export const hello = 2;',
      type: 'http',
      readme: '# Hello',
      createdAt: '2024-01-01T00:00:00Z',
      versionCreatedAt: '2024-01-03T00:00:00Z',
    },
    { author: 'ada', name: 'secret', id: SECRET, code: '1', privacy: 'private', createdAt: '2024-03-01T00:00:00Z' },
    { author: 'bob', name: 'page', id: PAGE, code: 'hello(2)', createdAt: '2024-02-01T00:00:00Z' },
  ],
  versions: [
    { val: 'ada/hello', code: 'export const hello = 0;', createdAt: '2024-01-01T00:00:00Z' },
    { val: 'ada/hello', code: 'export const hello = 1;', createdAt: '2024-01-02T00:00:00Z' },
  ],
  runs: [
    { val: 'ada/hello', id: GOOD_RUN, runStartAt: '2024-04-01T00:00:00Z', logs: ['Well done'] },
    { val: 'ada/hello', id: BAD_RUN, runStartAt: '2024-04-02T00:00:00Z', error: 'boom', source: 'api' },
  ],
  likes: [
    { user: 'bob', val: 'ada/hello', createdAt: '2024-05-01T00:00:00Z' },
    { user: 'ada', val: 'bob/page', createdAt: '2024-05-02T00:00:00Z' },
  ],
  comments: [
    { author: 'bob', val: 'ada/hello', id: PRAISE, comment: 'Nice, well done', createdAt: '2024-06-01T00:00:00Z' },
  ],
};

const DB = '/_emulator/db';

const ada = {
  username: 'ada',
  id: ADA,
  email: 'ada@example.com',
  bio: 'Numbers.',
  profileImageUrl: null,
  tier: 'pro',
};

const hello = {
  author: 'ada',
  name: 'hello',
  id: HELLO,
  code: 'export const hello = 2;',
  version: 2,
  nextVersion: 3,
  readme: '# Hello',
  privacy: 'public',
  type: 'http',
  createdAt: '2024-01-01T00:00:00.000Z',
  versionCreatedAt: '2024-01-03T00:00:00.000Z',
  userId: ADA,
};

const helloVersions = [0, 1, 2].map((version) => ({
  id: `${HELLO}:${version}`,
  val: 'ada/hello',
  version,
  code: `export const hello = ${version};`,
  createdAt: `2024-01-0${version + 1}T00:00:00.000Z`,
  valId: HELLO,
}));

const goodRun = {
  id: GOOD_RUN,
  val: 'ada/hello',
  version: 2,
  runStartAt: '2024-04-01T00:00:00.000Z',
  runEndAt: '2024-04-01T00:00:00.100Z',
  error: null,
  source: 'ui',
  parentId: GOOD_RUN,
  emails: [],
  logs: ['Well done'],
  returnValue: null,
  args: [],
  valId: HELLO,
};

const bobLikesHello = {
  id: `${HELLO}:${BOB}`,
  user: 'bob',
  val: 'ada/hello',
  createdAt: '2024-05-01T00:00:00.000Z',
  userId: BOB,
  valId: HELLO,
};

const praise = {
  id: PRAISE,
  author: 'bob',
  val: 'ada/hello',
  comment: 'Nice, well done',
  createdAt: '2024-06-01T00:00:00.000Z',
  userId: BOB,
  valId: HELLO,
};

/** Requests to the data browser of a new emulator, or of a sandbox in it. */
async function browse(prefix = '') {
  const emulator = await emulate(fixtures);
  const client = bySocket(emulator);
  const base = prefix + DB;
  return {
    emulator,
    get: (path: string) => client.get(base + path),
    post: (path: string, body: object) => client.post(base + path).send(body),
    put: (path: string, body: object) => client.put(base + path).send(body),
    patch: (path: string, body: object) => client.patch(base + path).send(body),
    delete: (path: string) => client.delete(base + path),
  };
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

describe('reading', () => {
  test('lists each collection in fixture format, with ids', async () => {
    const db = await browse();

    expect((await db.get('/users').expect(200)).body[0]).toStrictEqual(ada);
    expect((await db.get('/vals').expect(200)).body[0]).toStrictEqual(hello);
    expect((await db.get('/runs').expect(200)).body[0]).toStrictEqual(goodRun);
    expect((await db.get('/likes').expect(200)).body[0]).toStrictEqual(bobLikesHello);
    expect((await db.get('/comments').expect(200)).body).toStrictEqual([praise]);
  });

  test('lists all versions, the latest of each val among them', async () => {
    const db = await browse();

    const { body } = await db.get('/versions').expect(200);

    expect(body.slice(0, 3)).toStrictEqual(helloVersions);
    expect(idsOf(body.slice(3))).toEqual([`${SECRET}:0`, `${PAGE}:0`]);
  });

  test('reads a record by its id', async () => {
    const db = await browse();
    expect((await db.get(`/users/${ADA}`).expect(200)).body).toStrictEqual(ada);
    expect((await db.get(`/versions/${HELLO}:1`).expect(200)).body).toStrictEqual(helloVersions[1]);
    expect((await db.get(`/likes/${HELLO}:${BOB}`).expect(200)).body).toStrictEqual(bobLikesHello);
  });

  test('responds to an unknown id with the 404 of json-server', async () => {
    const db = await browse();
    expect((await db.get('/vals/nothing').expect(404)).body).toStrictEqual({});
  });

  test('responds to an unknown collection with a 404 that names the collections', async () => {
    const db = await browse();
    expect((await db.get('/valz').expect(404)).body).toStrictEqual(
      notFound(
        'There is no collection "valz": users, organizations, memberships, projects, branches, commits, environment, responses, clients, grants, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite. Did you mean "vals"?',
      ),
    );
  });

  test('lists the addresses of the collections', async () => {
    const db = await browse('/_sandbox/checkout');
    const base = `${db.emulator.url}/_sandbox/checkout/_emulator/db`;
    expect((await db.get('').expect(200)).body).toStrictEqual({
      users: `${base}/users`,
      tokens: `${base}/tokens`,
      ...Object.fromEntries(Object.keys(NO_PROJECTS).map((name) => [name, `${base}/${name}`])),
      vals: `${base}/vals`,
      versions: `${base}/versions`,
      runs: `${base}/runs`,
      likes: `${base}/likes`,
      comments: `${base}/comments`,
      emails: `${base}/emails`,
      blobs: `${base}/blobs`,
      sqlite: `${base}/sqlite`,
    });
  });

  test.each([
    ['/vals?privacy=public&author=ada', [HELLO]],
    ['/vals?name=page&name=secret', [SECRET, PAGE]],
    ['/vals?createdAt_gte=2024-02-01&createdAt_lte=2024-02-28', [PAGE]],
    ['/vals?name_like=HEL', [HELLO]],
    ['/vals?name_like=^h', []],
    ['/vals?code_like=hello(&code_like=nothing', [PAGE]],
    [`/vals?userId=${BOB}`, [PAGE]],
    ['/vals?version=2', [HELLO]],
    ['/vals?_sort=author,name&_order=desc,asc', [PAGE, HELLO, SECRET]],
    ['/vals?privacy=public&_sort=createdAt&_order=desc&_embed=versions', [PAGE, HELLO]],
    ['/vals?_start=1&_end=2', [SECRET]],
    ['/vals?q=HELLO(', [PAGE]],
    [`/users/${ADA}/vals`, [HELLO, SECRET]],
    [`/vals/${HELLO}/runs?source=api`, [BAD_RUN]],
  ])('GET %s finds its records', async (path, ids) => {
    const db = await browse();
    expect(idsOf((await db.get(path).expect(200)).body)).toEqual(ids);
  });

  test('counts all records in the headers of a page', async () => {
    const db = await browse();
    const { headers } = await db.get('/vals?privacy=public&_limit=1').expect(200);
    expect(headers['x-total-count']).toBe('2');
  });

  test.each([
    ['', undefined],
    ['/_sandbox/checkout', undefined],
    ['/_sandbox/checkout', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'vals.example' }],
  ])('links other pages at the address that the client uses: %j %j', async (prefix, forwarded) => {
    const db = await browse(prefix);
    const host = forwarded ? 'https://vals.example' : db.emulator.url;
    const address = (page: number) => `${host}${prefix}/_emulator/db/vals?_page=${page}&_limit=1&_sort=name`;

    const { body, headers } = await db
      .get('/vals?_page=2&_limit=1&_sort=name')
      .set(forwarded ?? {})
      .expect(200);

    expect(idsOf(body)).toEqual([PAGE]);
    expect(headers.link).toBe(
      `<${address(1)}>; rel="first", <${address(1)}>; rel="prev", <${address(3)}>; rel="next", <${address(3)}>; rel="last"`,
    );
  });

  test('embeds the records that refer to one', async () => {
    const db = await browse();

    const { body } = await db.get(`/vals/${HELLO}?_embed=versions&_embed=likes&_embed=comments`).expect(200);
    expect(body).toStrictEqual({ ...hello, versions: helloVersions, likes: [bobLikesHello], comments: [praise] });

    const { body: users } = await db.get('/users?_embed=vals&_embed=likes').expect(200);
    expect(users.map((user: { vals: { id: string }[] }) => idsOf(user.vals))).toEqual([[HELLO, SECRET], [PAGE]]);
  });

  test('expands the record that one refers to', async () => {
    const db = await browse();

    expect((await db.get(`/vals/${HELLO}?_expand=user`).expect(200)).body).toStrictEqual({ ...hello, user: ada });
    expect((await db.get(`/comments?_expand=val`).expect(200)).body).toStrictEqual([{ ...praise, val: hello }]);
    expect((await db.get(`/versions/${HELLO}:0?_expand=val`).expect(200)).body.val).toStrictEqual(hello);
  });

  test.each([
    ['/runs?_expand=user', '_expand: found "user"; expected val, which is all that runs refer to.'],
    ['/users?_expand=val', '_expand: found "val"; expected none, which is all that users refer to.'],
    [`/vals?q=${'a'.repeat(1_000)}`, 'The query is longer than 1000 characters.'],
    ['/vals/%zz', 'The path has a malformed part "%zz".'],
  ])('responds to %s with a 400 and its reason, and prints nothing', async (path, message) => {
    const print = vi.spyOn(console, 'error');
    const db = await browse();
    expect((await db.get(path).expect(400)).body).toStrictEqual(badRequest(message));
    expect(print).not.toHaveBeenCalled();
  });

  test('responds to HEAD as to GET, without a body', async () => {
    const db = await browse();
    const response = await bySocket(db.emulator).head(`${DB}/vals?_limit=1`).expect(200);
    expect(response.headers['x-total-count']).toBe('3');
    expect(response.text).toBeUndefined();
  });

  test('never returns or finds tokens, but for that of a new user', async () => {
    const db = await browse();
    for (const path of ['/users', `/users/${ADA}`, '/vals?_expand=user', '/likes?_expand=user', '/users?_sort=token']) {
      expect((await db.get(path).expect(200)).text).not.toContain('the key of');
    }
    expect((await db.get('/users?q=key').expect(200)).body).toEqual([]);
    expect((await db.get('/users?token_like=ada').expect(200)).body).toEqual([]);
    const written = [
      await db.patch(`/users/${ADA}`, { bio: 'Letters.' }),
      await db.patch(`/users/${ADA}`, { token: 'the key of all' }),
    ];
    for (const { text } of written) expect(text).not.toContain('the key of');
    const { body } = await db.post('/users', { username: 'cleo', token: 'the key of cleo' });
    expect(body).toMatchObject({ username: 'cleo', token: 'the key of cleo' });
  });
});

describe('writing', () => {
  test('POST adds a record with the defaults of fixtures, and returns its location', async () => {
    const db = await browse('/_sandbox/checkout');

    const { body, headers } = await db.post('/vals', { author: 'bob', name: 'fresh', code: '1' }).expect(201);

    expect(body).toStrictEqual({
      author: 'bob',
      name: 'fresh',
      id: expect.stringMatching(UUID),
      code: '1',
      version: 0,
      nextVersion: 1,
      readme: null,
      privacy: 'public',
      type: 'script',
      createdAt: NOW,
      versionCreatedAt: NOW,
      userId: BOB,
    });
    expect(headers.location).toBe(`${db.emulator.url}/_sandbox/checkout/_emulator/db/vals/${body.id}`);
    expect((await db.get(`/vals/${body.id}`).expect(200)).body).toStrictEqual(body);
    await bySocket(db.emulator).get(`/_sandbox/checkout/v1/vals/${body.id}`).expect(200);
    await bySocket(db.emulator).get(`/v1/vals/${body.id}`).expect(404);
  });

  test('POST below a record adds one that refers to it', async () => {
    const db = await browse();

    const { body, headers } = await db.post(`/vals/${HELLO}/comments`, { userId: ADA, comment: 'Thanks' }).expect(201);

    expect(body).toStrictEqual({
      id: expect.stringMatching(UUID),
      author: 'ada',
      val: 'ada/hello',
      comment: 'Thanks',
      createdAt: NOW,
      userId: ADA,
      valId: HELLO,
    });
    expect(headers.location).toBe(`${db.emulator.url}/_emulator/db/comments/${body.id}`);
  });

  test('PATCH changes the given fields, also for the API', async () => {
    const db = await browse();

    const { body } = await db.patch(`/vals/${HELLO}`, { privacy: 'private', readme: ['# Hi', 'there'] }).expect(200);

    expect(body).toStrictEqual({ ...hello, privacy: 'private', readme: '# Hi\nthere' });
    await bySocket(db.emulator).get(`/v1/vals/${HELLO}`).expect(404);
    const own = await bySocket(db.emulator)
      .get(`/v1/vals/${HELLO}`)
      .set('authorization', 'Bearer the key of ada')
      .expect(200);
    expect(own.body).toMatchObject({ privacy: 'private', readme: '# Hi\nthere', code: 'export const hello = 2;' });
  });

  test('PUT replaces a record, with the defaults of fixtures', async () => {
    const db = await browse();

    const { body } = await db.put(`/runs/${BAD_RUN}`, { val: 'bob/page', duration: '2s' }).expect(200);

    expect(body).toStrictEqual({
      ...goodRun,
      id: BAD_RUN,
      parentId: BAD_RUN,
      val: 'bob/page',
      valId: PAGE,
      version: 0,
      runStartAt: NOW,
      runEndAt: '2024-06-11T22:05:14.585Z',
      logs: [],
    });
    const runs = await bySocket(db.emulator)
      .get('/v1/me/runs')
      .set('authorization', 'Bearer the key of bob')
      .expect(200);
    expect(idsOf(runs.body.data)).toEqual([BAD_RUN]);
  });

  test('PUT keeps the age and the version numbers of a val', async () => {
    const db = await browse();
    const { body } = await db.put(`/vals/${HELLO}`, { author: 'ada', name: 'hi', code: 'x' }).expect(200);
    expect(body).toStrictEqual({ ...hello, name: 'hi', code: 'x', readme: null, type: 'script' });
  });

  test('a record keeps its id and its position', async () => {
    const db = await browse();
    await db.patch(`/vals/${HELLO}`, { id: PAGE, name: 'zz' }).expect(200);
    await db.patch(`/runs/${GOOD_RUN}`, { error: 'late' }).expect(200);
    await db.patch(`/users/${ADA}`, { username: 'zoe' }).expect(200);
    expect(idsOf((await db.get('/vals')).body)).toEqual([HELLO, SECRET, PAGE]);
    expect(idsOf((await db.get('/runs')).body)).toEqual([GOOD_RUN, BAD_RUN]);
    expect(idsOf((await db.get('/users')).body)).toEqual([ADA, BOB]);
  });

  test('a duration changes the end of a run', async () => {
    const db = await browse();
    const { body } = await db.patch(`/runs/${GOOD_RUN}`, { duration: '5s' }).expect(200);
    expect(body).toStrictEqual({ ...goodRun, runEndAt: '2024-04-01T00:00:05.000Z' });
  });

  test('a renamed user keeps vals and token', async () => {
    const db = await browse();

    expect((await db.patch(`/users/${ADA}`, { username: 'zoe' }).expect(200)).body).toStrictEqual({
      ...ada,
      username: 'zoe',
    });
    expect((await db.put(`/users/${BOB}`, { username: 'rob' }).expect(200)).body).toMatchObject({ id: BOB, bio: null });

    expect((await db.get(`/vals/${HELLO}`)).body).toStrictEqual({ ...hello, author: 'zoe' });
    expect(db.emulator.users).toEqual([
      { username: 'zoe', id: ADA, token: 'the key of ada' },
      { username: 'rob', id: BOB, token: 'the key of bob' },
    ]);
  });

  test('a val moves to another author by name or by id, with its runs and comments', async () => {
    const db = await browse();

    expect((await db.patch(`/vals/${HELLO}`, { author: 'bob' }).expect(200)).body).toStrictEqual({
      ...hello,
      author: 'bob',
      userId: BOB,
    });
    const bob = bySocket(db.emulator).set('authorization', 'Bearer the key of bob');
    expect(idsOf((await bob.get('/v1/me/runs').expect(200)).body.data)).toEqual([BAD_RUN, GOOD_RUN]);
    expect(idsOf((await bob.get('/v1/me/comments?relationship=received').expect(200)).body.data)).toEqual([PRAISE]);

    expect((await db.patch(`/vals/${HELLO}`, { userId: ADA }).expect(200)).body).toStrictEqual(hello);
    expect((await bob.get('/v1/me/runs').expect(200)).body.data).toEqual([]);
  });

  test('a val and its latest version have the same code', async () => {
    const db = await browse();

    await db.patch(`/vals/${HELLO}`, { code: 'a' }).expect(200);
    expect((await db.get(`/versions/${HELLO}:2`)).body).toStrictEqual({ ...helloVersions[2], code: 'a' });

    await db.patch(`/versions/${HELLO}:2`, { code: 'b' }).expect(200);
    expect((await db.get(`/vals/${HELLO}`)).body).toStrictEqual({ ...hello, code: 'b' });

    await db.patch(`/versions/${HELLO}:0`, { code: 'c' }).expect(200);
    expect((await db.get(`/vals/${HELLO}`)).body).toStrictEqual({ ...hello, code: 'b' });
    const { body } = await bySocket(db.emulator).get(`/v1/vals/${HELLO}/versions/0`).expect(200);
    expect(body.code).toBe('c');
  });

  test('a new version is the latest one, with an unused number', async () => {
    const db = await browse();
    await db.delete(`/versions/${HELLO}:2`).expect(200);
    expect((await db.get(`/vals/${HELLO}`)).body).toMatchObject({ version: 1, nextVersion: 3 });

    const { body, headers } = await db.post('/versions', { val: 'ada/hello', code: 'new' }).expect(201);

    expect(body).toStrictEqual({
      id: `${HELLO}:3`,
      val: 'ada/hello',
      version: 3,
      code: 'new',
      createdAt: NOW,
      valId: HELLO,
    });
    expect(headers.location).toBe(`${db.emulator.url}/_emulator/db/versions/${HELLO}:3`);
    expect((await db.get(`/vals/${HELLO}`)).body).toStrictEqual({
      ...hello,
      version: 3,
      nextVersion: 4,
      code: 'new',
      versionCreatedAt: NOW,
    });
  });

  test('a version can be added below the latest one', async () => {
    const db = await browse();
    await db.post('/versions', { valId: PAGE, version: 7, code: 'seven' }).expect(201);
    await db.post('/versions', { valId: PAGE, version: 4, code: 'four' }).expect(201);
    expect((await db.get(`/vals/${PAGE}`)).body).toMatchObject({ version: 7, nextVersion: 8, code: 'seven' });
    expect(idsOf((await db.get(`/vals/${PAGE}/versions`)).body)).toEqual([`${PAGE}:0`, `${PAGE}:4`, `${PAGE}:7`]);
  });

  test('DELETE of a val deletes its records', async () => {
    const db = await browse();

    expect((await db.delete(`/vals/${HELLO}`).expect(200)).body).toStrictEqual({});

    expect(db.emulator.state()).toEqual({
      users: [expect.objectContaining({ id: ADA }), expect.objectContaining({ id: BOB })],
      tokens: [],
      vals: [expect.objectContaining({ id: SECRET }), expect.objectContaining({ id: PAGE })],
      versions: [],
      runs: [],
      likes: [expect.objectContaining({ user: 'ada', val: 'bob/page' })],
      comments: [],
      emails: [],
      blobs: [],
      sqlite: [],
      ...NO_PROJECTS,
    });
    expect(idsOf((await db.get('/versions')).body)).toEqual([`${SECRET}:0`, `${PAGE}:0`]);
    await db.delete(`/vals/${HELLO}`).expect(404);
  });

  test('DELETE of a user deletes vals, likes, comments and the faults of the user', async () => {
    const db = await browse();
    db.emulator.fail('*', { user: 'bob' });
    db.emulator.fail('*', { user: 'ada' });

    await db.delete(`/users/${BOB}`).expect(200);

    expect(db.emulator.state()).toEqual({
      users: [expect.objectContaining({ id: ADA })],
      tokens: [],
      vals: [expect.objectContaining({ id: HELLO }), expect.objectContaining({ id: SECRET })],
      versions: [expect.objectContaining({ version: 0 }), expect.objectContaining({ version: 1 })],
      runs: [expect.objectContaining({ id: GOOD_RUN }), expect.objectContaining({ id: BAD_RUN })],
      likes: [],
      comments: [],
      emails: [],
      blobs: [],
      sqlite: [],
      ...NO_PROJECTS,
    });
    expect(db.emulator.faults().map(({ user }) => user)).toEqual(['ada']);
    await bySocket(db.emulator).get('/v1/me').set('authorization', 'Bearer the key of bob').expect(401);
  });

  test.each([
    ['runs', GOOD_RUN],
    ['likes', `${HELLO}:${BOB}`],
    ['comments', PRAISE],
    ['versions', `${HELLO}:0`],
  ])('DELETE in %s deletes that record alone', async (collection, id) => {
    const db = await browse();
    const before = (await db.get(`/${collection}`)).body;
    await db.delete(`/${collection}/${id}`).expect(200);
    expect((await db.get(`/${collection}`)).body).toEqual(before.filter((record: { id: string }) => record.id !== id));
    expect((await db.get(`/vals/${HELLO}`)).body).toStrictEqual(hello);
  });

  test('concurrent writes all take effect', async () => {
    const db = await browse();
    await Promise.all([
      db.patch(`/vals/${HELLO}`, { readme: 'one' }),
      db.patch(`/vals/${HELLO}`, { type: 'email' }),
      db.patch(`/vals/${HELLO}`, { privacy: 'unlisted' }),
      db.post('/versions', { valId: HELLO, code: 'three' }),
      db.post('/runs', { valId: HELLO }),
      db.delete(`/runs/${GOOD_RUN}`),
    ]);
    expect((await db.get(`/vals/${HELLO}?_embed=runs`)).body).toStrictEqual({
      ...hello,
      readme: 'one',
      type: 'email',
      privacy: 'unlisted',
      version: 3,
      nextVersion: 4,
      code: 'three',
      versionCreatedAt: NOW,
      runs: [expect.objectContaining({ id: BAD_RUN }), expect.objectContaining({ runStartAt: NOW })],
    });
  });

  test('exported records load to the same responses', async () => {
    const db = await browse();
    await db.patch(`/vals/${HELLO}`, { name: 'hallo', version: 9, author: 'bob' }).expect(200);
    await db.post('/versions', { valId: PAGE, code: 'x' }).expect(201);
    await db.patch(`/likes/${HELLO}:${BOB}`, { createdAt: '-1d' }).expect(200);

    const again = await emulate(db.emulator.state());

    for (const collection of ['users', 'vals', 'versions', 'runs', 'likes', 'comments']) {
      const { text } = await bySocket(again).get(`${DB}/${collection}`).expect(200);
      expect(text).toBe((await db.get(`/${collection}`).expect(200)).text);
    }
  });
});

describe('a refused write', () => {
  test.each<[request: string, body: object, path: string, message: string]>([
    ['POST /vals', { author: 'ada', name: 'Hello', code: '1' }, 'val.name', '"Hello" is taken; expected another one.'],
    [
      'POST /vals',
      { author: 'ada', name: 'x', code: '1', userId: BOB },
      'val.userId',
      `found "${BOB}"; expected "${ADA}", which follows from the other fields.`,
    ],
    [
      `POST /vals/${HELLO}/likes`,
      { user: 'ada', id: 'my-like' },
      'like.id',
      `found "my-like"; expected "${HELLO}:${ADA}", which follows from the other fields.`,
    ],
    [
      'POST /versions',
      { val: 'ada/hello', version: 1, code: 'x' },
      'version.version',
      '1 is taken; expected another one.',
    ],
    [`PATCH /vals/${HELLO}`, { name: 'secret' }, 'val.name', '"secret" is taken; expected another one.'],
    [`PATCH /vals/${HELLO}`, { version: 1 }, 'val.version', 'found 1; expected more than 1, the highest in versions.'],
    [
      `PATCH /versions/${HELLO}:1`,
      { version: 5 },
      'version.id',
      `found "${HELLO}:1"; expected "${HELLO}:5", which follows from the other fields.`,
    ],
    [
      `PATCH /runs/${GOOD_RUN}`,
      { runStartAt: '2024-04-05T00:00:00Z' },
      'run.runEndAt',
      'lies before runStartAt; a run ends after it starts.',
    ],
    [
      `PUT /comments/${PRAISE}`,
      { author: 'bob', comment: 'x' },
      'comment.val',
      'missing; expected a val such as "ada/hello", or a val id.',
    ],
  ])('%s %j returns 422 and changes nothing', async (request, body, path, message) => {
    const db = await browse();
    const before = db.emulator.state();
    const [method = '', target] = request.split(' ');

    const response = await fetch(`${db.emulator.url}${DB}${target}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    expect([response.status, await response.json()]).toEqual([
      422,
      {
        message: `1 problem in the ${path.split('.')[0]}:\n  ${path}: ${message}`,
        error: 'Unprocessable Entity',
        statusCode: 422,
        problems: [{ path, message }],
      },
    ]);
    expect(db.emulator.state()).toEqual(before);
    expect(db.emulator.history()).toMatchObject([]);
  });

  test('the only version of a val cannot be deleted', async () => {
    const db = await browse();
    const response = await db.delete(`/versions/${PAGE}:0`).expect(400);
    expect(response.body).toStrictEqual(badRequest('Cannot delete the only version of a val'));
    expect(db.emulator.history()).toMatchObject([]);
  });

  test('returns 400 for a body that is not an object, or not JSON', async () => {
    const db = await browse();
    expect((await db.post('/vals', []).expect(400)).body).toStrictEqual(
      badRequest('body must be object: a record in fixture format'),
    );
    const post = bySocket(db.emulator).post(`${DB}/vals`).set('content-type', 'application/json');
    expect((await post.send('{').expect(400)).body.message).toMatch(/ in JSON at position 1$/);
    await bySocket(db.emulator).post(`${DB}/vals`).type('form').send({ author: 'ada' }).expect(415);
  });

  test.each([
    ['PUT', `/vals/${BOB}`],
    ['PATCH', '/runs/1'],
    ['DELETE', '/likes/1'],
    ['PUT', '/vals'],
  ])('returns the 404 of json-server for an unknown record: %s %s', async (method, path) => {
    const db = await browse();
    const response = await fetch(`${db.emulator.url}${DB}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({});
    expect(db.emulator.history()).toMatchObject([]);
  });
});

describe('the sandbox of a write', () => {
  test('has each write in its history, with its changes alone', async () => {
    const db = await browse();
    const { body: made } = await db.post(`/vals/${PAGE}/runs`, {}).expect(201);
    await db.patch(`/vals/${HELLO}`, { privacy: 'unlisted' }).expect(200);
    await db.put(`/likes/${HELLO}:${BOB}`, { user: 'bob', val: 'ada/hello' }).expect(200);
    await db.delete(`/vals/${HELLO}`).expect(200);

    const only = (type: 'added' | 'changed' | 'removed', count = 1) => ({
      added: 0,
      changed: 0,
      removed: 0,
      [type]: count,
    });
    expect(db.emulator.history()).toMatchObject([
      {
        ...{ id: 'w1', request: 'POST /_emulator/db/runs', time: NOW, total: 1, counts: { runs: only('added') } },
        changes: [{ collection: 'runs', id: made.id, type: 'added' }],
      },
      {
        ...{ id: 'w2', request: 'PATCH /_emulator/db/vals/{id}', time: NOW, counts: { vals: only('changed') } },
        changes: [{ collection: 'vals', id: HELLO, type: 'changed', fields: ['privacy'] }],
      },
      {
        ...{ id: 'w3', request: 'PUT /_emulator/db/likes/{id}', time: NOW, counts: { likes: only('changed') } },
        changes: [{ collection: 'likes', id: `${HELLO}:${BOB}`, type: 'changed', fields: ['createdAt'] }],
      },
      {
        ...{ id: 'w4', request: 'DELETE /_emulator/db/vals/{id}', time: NOW, total: 8 },
        counts: {
          ...{ vals: only('removed'), versions: only('removed', 3), runs: only('removed', 2) },
          ...{ likes: only('removed'), comments: only('removed') },
        },
        changes: [{ collection: 'vals', id: HELLO, type: 'removed' }],
      },
    ]);
  });

  test('can be rewound before it, and reset to the seed', async () => {
    const db = await browse();
    const seed = db.emulator.state();
    await db.patch(`/vals/${HELLO}`, { privacy: 'private' }).expect(200);
    await db.delete(`/vals/${HELLO}`).expect(200);

    db.emulator.rewind(1);
    expect((await db.get(`/vals/${HELLO}`).expect(200)).body).toStrictEqual({ ...hello, privacy: 'private' });

    db.emulator.reset();
    expect((await db.get(`/vals/${HELLO}`).expect(200)).body).toStrictEqual(hello);
    expect(db.emulator.state()).toEqual(seed);
  });

  test('keeps its clock, faults and rate limit', async () => {
    const emulator = await emulate(fixtures, { rateLimit: { limit: 2, window: '1h' } });
    const me = () => bySocket(emulator).get('/v1/me').set('authorization', 'Bearer the key of ada');
    emulator.clock.advance('1d');
    emulator.fail('POST /v1/vals', { times: 1 });
    await me().expect(200);

    const { body } = await bySocket(emulator).post(`${DB}/runs`).send({ valId: HELLO }).expect(201);

    expect(body.runStartAt).toBe('2024-06-12T22:05:12.585Z');
    expect(emulator.faults()).toMatchObject([{ route: 'POST /v1/vals', remaining: 1 }]);
    expect((await me().expect(200)).headers['x-ratelimit-remaining']).toBe('0');
    await me().expect(429);
  });

  test('accepts writes without a socket, but reads over HTTP only', async () => {
    const { fetch } = await emulate(fixtures);
    const read = await fetch(`${DB}/vals`);
    expect([read.status, await read.json()]).toEqual([
      404,
      notFound(expect.stringMatching(/json-server.* over HTTP only/)),
    ]);
    const response = await fetch(`${DB}/vals/${HELLO}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ readme: null }),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({ ...hello, readme: null });
  });
});

describe('safety', () => {
  test('allows PATCH from a page of a trusted origin', async () => {
    const emulator = await emulate(fixtures);
    const { headers } = await bySocket(emulator)
      .options(`${DB}/vals/${HELLO}`)
      .set('origin', 'http://localhost:3000')
      .expect(204);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
  });

  test('onRequest receives each request with its response', async () => {
    const onRequest = vi.fn();
    const emulator = await emulate(fixtures, { onRequest });
    await bySocket(emulator).get(`${DB}/vals/nothing`).expect(404);
    expect(onRequest).toHaveBeenCalledExactlyOnceWith({
      method: 'GET',
      target: `${DB}/vals/nothing`,
      route: 'GET /_emulator/db',
      status: 404,
      duration: expect.any(Number),
      outcome: 'sent',
      sandbox: '',
      // Requests to the control API are not in the journal.
      id: null,
      user: null,
      hasToken: false,
      fault: null,
      message: null,
      suggestion: null,
      reason: null,
      changes: [],
      trace: null,
      host: new URL(emulator.url).host,
    });
  });
});

test('json-server receives method, path and query of a read, and nothing else of the client', async () => {
  const emulator = await emulate(fixtures);
  const seen: { method: string; url: string; headers: object; body: unknown }[] = [];
  const { create } = jsonServer;
  vi.spyOn(jsonServer, 'create').mockImplementation(() => {
    const server = create();
    server.use((request, _response, next) => {
      const { method, url, headers, body } = request;
      seen.push({ method, url, headers, body });
      next();
    });
    return server;
  });
  onTestFinished(() => void vi.restoreAllMocks());

  const headers = { 'X-HTTP-Method-Override': 'DELETE', Cookie: 'a=b', 'X-Forwarded-For': '10.0.0.1' };
  const read = await bySocket(emulator).get(`/_emulator/db/vals/${HELLO}?x=1`).set(headers).send({ name: 'taken' });
  const written = await bySocket(emulator).patch(`/_emulator/db/vals/${HELLO}`).set(headers).send({ readme: 'new' });

  expect([read.status, written.status]).toEqual([200, 200]);
  const { host } = new URL(emulator.url);
  expect(seen).toEqual([{ method: 'GET', url: `/vals/${HELLO}?x=1`, headers: { host }, body: undefined }]);
});
