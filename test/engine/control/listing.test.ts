import { describe, expect, test } from 'vitest';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';
import { notFound } from '../../support/errors.js';

const uuid = (kind: string, number: number) => `${kind.repeat(8)}-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ADA = uuid('a', 1);
const BOB = uuid('a', 2);
const HELLO = uuid('b', 1);
const GREET = uuid('b', 2);
const LATE = uuid('b', 3);

const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: ADA, bio: 'Counts things' },
    { username: 'bob', id: BOB, bio: null },
  ],
  vals: [
    {
      author: 'ada',
      name: 'hello',
      id: HELLO,
      code: "import 'https://esm.town/v/bob/greet';",
      createdAt: '-2h',
      privacy: 'public',
    },
    { author: 'bob', name: 'greet', id: GREET, code: '2', createdAt: '-1h', privacy: 'private' },
    { author: 'ada', name: 'Late', id: LATE, code: '3', createdAt: '-3h', privacy: 'unlisted' },
  ],
  versions: [{ val: 'bob/greet', version: 0, code: '1', createdAt: '-1h' }],
  runs: [
    { val: 'ada/hello', id: uuid('c', 1), runStartAt: '-10m', error: 'boom' },
    { val: 'bob/greet', id: uuid('c', 2), runStartAt: '-20m', parentId: uuid('c', 1), logs: [{ deep: ['Needle'] }] },
    { val: 'ada/hello', id: uuid('c', 3), runStartAt: '-5m' },
  ],
  likes: [
    { user: 'ada', val: 'bob/greet', createdAt: '-2m' },
    { user: 'bob', val: 'ada/hello', createdAt: '-1m' },
  ],
  comments: [{ author: 'bob', val: 'ada/hello', id: uuid('d', 1), comment: 'Good', createdAt: '-1m' }],
};

const read = async (emulator: Emulator, path: string, query: Record<string, string> = {}) => {
  const response = await as(emulator).get(`/_emulator/records/${path}`).query(query);
  return { status: response.status, ...response.body };
};
/** The ids of a list, shortened: `b1`. */
const ids = async (...args: Parameters<typeof read>): Promise<string[]> => {
  const { records } = await read(...args);
  return records.map(({ id }: { id: string }) => id.replace(/(\w)\1{7}-0000-4000-8000-0+/g, '$1'));
};

describe('a list', () => {
  test('has the rows of a collection, the newest first', async () => {
    const emulator = await emulate(fixtures);

    expect(await ids(emulator, 'vals')).toStrictEqual(['b2', 'b1', 'b3']);
    expect(await ids(emulator, 'versions')).toStrictEqual(['b2:1', 'b2:0', 'b1:0', 'b3:0']);
    expect(await ids(emulator, 'runs')).toStrictEqual(['c3', 'c1', 'c2']);
    expect(await ids(emulator, 'runs', { order: 'asc', offset: '1', limit: '1' })).toStrictEqual(['c1']);
    expect(await ids(emulator, 'likes')).toStrictEqual(['b1:a2', 'b2:a1']);
    expect(await read(emulator, 'users', { order: 'asc', limit: '1' })).toStrictEqual({
      status: 200,
      total: 2,
      offset: 0,
      records: [
        {
          id: ADA,
          username: 'ada',
          email: 'ada@example.com',
          bio: 'Counts things',
          profileImageUrl: null,
          tier: 'free',
        },
      ],
    });
  });

  test('has a page, and the total', async () => {
    const emulator = await emulate(fixtures);

    const page = await read(emulator, 'runs', { offset: '1', limit: '1' });

    expect(page).toMatchObject({ status: 200, total: 3, offset: 1, records: [{ id: uuid('c', 1), valId: HELLO }] });
    expect(page.records).toHaveLength(1);
    expect(await read(emulator, 'runs', { offset: '9' })).toMatchObject({ total: 3, offset: 9, records: [] });
  });

  test.each([
    ['vals', { sort: 'name' }, ['b2', 'b1', 'b3']],
    ['vals', { sort: 'name', order: 'desc' }, ['b3', 'b1', 'b2']],
    ['vals', { sort: 'createdAt' }, ['b3', 'b1', 'b2']],
    ['vals', { sort: 'version' }, ['b1', 'b3', 'b2']],
    ['vals', { sort: 'version', order: 'desc' }, ['b2', 'b1', 'b3']],
    ['vals', { order: 'asc' }, ['b3', 'b1', 'b2']],
    ['users', { sort: 'bio' }, ['a2', 'a1']],
    ['runs', { sort: 'error', order: 'desc' }, ['c1', 'c3', 'c2']],
  ])('of %s is sorted by %j', async (collection, query, expected) => {
    expect(await ids(await emulate(fixtures), collection, query)).toStrictEqual(expected);
  });

  test.each([
    ['vals', { privacy: 'public' }, ['b1']],
    ['vals', { privacy: 'Public' }, []],
    ['vals', { userId: ADA }, ['b1', 'b3']],
    ['vals', { author: 'ada', privacy: 'unlisted' }, ['b3']],
    ['versions', { valId: GREET }, ['b2:1', 'b2:0']],
    ['runs', { valId: HELLO }, ['c3', 'c1']],
    ['runs', { valId: HELLO, error: null }, ['c3']],
    ['runs', { error: { not: null } }, ['c1']],
    ['vals', { privacy: { not: 'public' } }, ['b2', 'b3']],
    ['runs', { userId: BOB }, ['c2']],
    ['runs', { logs: [{ deep: ['Needle'] }] }, ['c2']],
    ['likes', { userId: ADA }, ['b2:a1']],
    ['likes', { valId: HELLO }, ['b1:a2']],
    ['comments', { userId: BOB }, ['d1']],
    ['comments', { userId: ADA }, []],
    ['comments', { valId: HELLO }, ['d1']],
    ['users', { username: null }, []],
  ])('of %s is filtered by %j', async (collection, where, expected) => {
    expect(await ids(await emulate(fixtures), collection, { where: JSON.stringify(where) })).toStrictEqual(expected);
  });

  test.each([
    ['runs', 'needle', ['c2']],
    ['runs', 'BOB/', ['c2']],
    ['users', 'counts', ['a1']],
    ['users', 'null', []],
    ['users', 'ada-token', []],
    ['vals', 'esm.town', ['b1']],
  ])('of %s with the text %s searches all values', async (collection, q, expected) => {
    expect(await ids(await emulate(fixtures), collection, { q })).toStrictEqual(expected);
  });

  test('is of a past state with at', async () => {
    const emulator = await emulate(fixtures);
    emulator.add.user({ username: 'cleo' });
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);
    emulator.add.user({ username: 'dan' });
    const users = async (at?: string) => {
      const { records } = await read(emulator, 'users', { order: 'asc', ...(at && { at }) });
      return records.map(({ username }: { username: string }) => username);
    };

    expect(await users()).toStrictEqual(['ada', 'bob', 'cleo', 'dan']);
    expect(await users('w1')).toStrictEqual(['ada', 'bob', 'cleo']);
    expect(await users('start')).toStrictEqual(['ada', 'bob']);
    expect(await ids(emulator, 'vals', { at: 'w1' })).toStrictEqual(['b2', 'b1', 'b3']);
    expect(await ids(emulator, 'vals', { at: 'r1' })).toStrictEqual(['b2', 'b3']);
    expect(await read(emulator, 'users', { at: 'r9' })).toStrictEqual({
      status: 404,
      ...notFound('There is no commit "r9": the history has the last 3. The last one before it is r1.'),
    });
  });

  test('shows every later write, also one that changes names of other records', async () => {
    const emulator = await emulate(fixtures);
    const queries = [{}, { q: 'ada/hello' }, { sort: 'val' }, { where: JSON.stringify({ error: null }) }];
    const lists = () => Promise.all(queries.map((query) => ids(emulator, 'runs', query)));
    expect(await lists()).toStrictEqual([
      ['c3', 'c1', 'c2'],
      ['c3', 'c1'],
      ['c3', 'c1', 'c2'],
      ['c3', 'c2'],
    ]);

    emulator.add.run({ val: 'ada/hello', id: uuid('c', 4) });
    expect(await lists()).toStrictEqual([
      ['c4', 'c3', 'c1', 'c2'],
      ['c4', 'c3', 'c1'],
      ['c4', 'c3', 'c1', 'c2'],
      ['c4', 'c3', 'c2'],
    ]);

    await as(emulator)
      .delete(`/_emulator/db/runs/${uuid('c', 3)}`)
      .expect(200);
    await as(emulator)
      .patch(`/_emulator/db/runs/${uuid('c', 2)}`)
      .send({ error: 'late' })
      .expect(200);
    expect(await lists()).toStrictEqual([['c4', 'c1', 'c2'], ['c4', 'c1'], ['c4', 'c1', 'c2'], ['c4']]);

    await as(emulator).patch(`/_emulator/db/vals/${GREET}`).send({ name: 'zzz', author: 'ada' }).expect(200);
    expect((await read(emulator, 'runs', { q: 'ada/zzz' })).total).toBe(1);
    await as(emulator).patch(`/_emulator/db/users/${ADA}`).send({ username: 'zoe' }).expect(200);
    expect((await lists())[1]).toStrictEqual([]);
    expect((await read(emulator, 'runs')).records[0].val).toBe('zoe/hello');

    emulator.reset();
    expect(await lists()).toStrictEqual([
      ['c3', 'c1', 'c2'],
      ['c3', 'c1'],
      ['c3', 'c1', 'c2'],
      ['c3', 'c2'],
    ]);
  });

  test('accepts every field of a row, and no other', async () => {
    const emulator = await emulate(fixtures);
    for (const collection of ['users', 'vals', 'versions', 'runs', 'likes', 'comments']) {
      const { records } = await read(emulator, collection);
      const response = await as(emulator).get(`/_emulator/records/${collection}`).query({ sort: 'nothing-like-it' });
      const [, listed = ''] = / Fields: (.*)\.$/.exec(response.body.problems[0].message) ?? [];
      expect(listed.split(', ').sort()).toStrictEqual(Object.keys(records[0]).sort());
    }
  });
});

test.each([
  ['vals', { sort: 'nam' }, 422, 'sort', 'vals have no field "nam". Did you mean "name"?'],
  ['users', { where: '{"usernam":1}' }, 422, 'where', 'users have no field "usernam". Did you mean "username"?'],
  ['users', { sort: 'token' }, 422, 'sort', expect.stringContaining('users have no field "token".')],
  ['users', { where: '{"token":"ada-token"}' }, 422, 'where', expect.stringContaining('users have no field "token".')],
  ['users', { where: '[1]' }, 422, 'where', 'found "[1]"; expected a JSON object such as {"privacy":"public"}.'],
  ['users', { where: '{' }, 422, 'where', 'found "{"; expected a JSON object such as {"privacy":"public"}.'],
  ['users', { limit: '1001' }, 400, 'querystring.limit', 'found 1001; expected at most 1000.'],
  ['users', { limit: '0' }, 400, 'querystring.limit', 'found 0; expected at least 1.'],
  ['users', { offset: '-1' }, 400, 'querystring.offset', 'found -1; expected at least 0.'],
  ['users', { order: 'down' }, 400, 'querystring.order', 'found "down"; expected "asc" or "desc".'],
  ['users', { srot: 'id' }, 400, 'querystring.srot', 'unknown key. Did you mean "sort"?'],
  [
    'user',
    {},
    400,
    'params.collection',
    'found "user"; expected "users", "organizations", "memberships", "projects", "branches", "commits", "environment", "responses", "clients", "grants", "tokens", "vals", "versions", "runs", "likes", "comments", "emails", "blobs" or "sqlite". Did you mean "users"?',
  ],
])('a list of %s with %j returns %i', async (collection, query, status, path, message) => {
  const response = await read(await emulate(fixtures), collection, query);

  expect(response.status).toBe(status);
  expect(response.problems).toStrictEqual([{ path, message }]);
});

describe('a record', () => {
  const related = async (emulator: Emulator, path: string, query = {}) => {
    const response = await read(emulator, path, query);
    expect(response.status).toBe(200);
    return Object.fromEntries(
      Object.entries<{ collection: string; total: number; records: { id: string }[] }>(response.related).map(
        ([name, { collection, total, records }]) => {
          expect(total).toBe(records.length);
          return [name, [collection, ...records.map(({ id }) => id.replace(/(\w)\1{7}-0000-4000-8000-0+/g, '$1'))]];
        },
      ),
    );
  };

  test('has its row and the records related to it', async () => {
    const emulator = await emulate(fixtures);

    expect((await read(emulator, `likes/${HELLO}:${BOB}`)).record).toStrictEqual({
      id: `${HELLO}:${BOB}`,
      user: 'bob',
      val: 'ada/hello',
      createdAt: '2024-06-11T22:04:12.585Z',
      userId: BOB,
      valId: HELLO,
    });
    expect(NOW).toBe('2024-06-11T22:05:12.585Z');
    expect(await related(emulator, `vals/${HELLO}`)).toStrictEqual({
      author: ['users', 'a1'],
      versions: ['versions', 'b1:0'],
      runs: ['runs', 'c3', 'c1'],
      likes: ['likes', 'b1:a2'],
      comments: ['comments', 'd1'],
      imports: ['vals', 'b2'],
      importers: ['vals'],
    });
    expect((await related(emulator, `vals/${GREET}`)).importers).toStrictEqual(['vals', 'b1']);
    expect(await related(emulator, `users/${BOB}`)).toStrictEqual({
      grants: ['grants'],
      tokens: ['tokens'],
      memberships: ['memberships'],
      projects: ['projects'],
      vals: ['vals', 'b2'],
      runs: ['runs', 'c2'],
      likes: ['likes', 'b1:a2'],
      comments: ['comments', 'd1'],
      emails: ['emails'],
      blobs: ['blobs'],
      sqlite: ['sqlite'],
    });
    expect(await related(emulator, `runs/${uuid('c', 1)}`)).toStrictEqual({
      val: ['vals', 'b1'],
      version: ['versions', 'b1:0'],
      parent: ['runs'],
      children: ['runs', 'c2'],
    });
    expect((await related(emulator, `runs/${uuid('c', 2)}`)).parent).toStrictEqual(['runs', 'c1']);
    expect(await related(emulator, `versions/${GREET}:0`)).toStrictEqual({ val: ['vals', 'b2'] });
    expect(await related(emulator, `likes/${HELLO}:${BOB}`)).toStrictEqual({
      user: ['users', 'a2'],
      val: ['vals', 'b1'],
    });
    expect(await related(emulator, `comments/${uuid('d', 1)}`)).toStrictEqual({
      author: ['users', 'a2'],
      val: ['vals', 'b1'],
    });
  });

  test('of a like has the ids of val and user', async () => {
    const emulator = await emulate(fixtures);

    expect((await read(emulator, `likes/${HELLO}`)).status).toBe(404);
  });

  test('has the first 20 related records, and their total', async () => {
    const emulator = await emulate(fixtures);
    emulator.add.run(Array.from({ length: 30 }, () => ({ val: 'ada/hello' })));

    const { runs } = (await read(emulator, `vals/${HELLO}`)).related;

    expect(runs.total).toBe(32);
    expect(runs.records).toHaveLength(20);
  });

  test('is of a past state with at', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);

    expect(await read(emulator, `vals/${HELLO}`)).toStrictEqual({
      status: 404,
      ...notFound(`There is no record "${HELLO}" in vals. Name it "author/name" or by its id.`),
    });
    expect((await related(emulator, `vals/${HELLO}`, { at: 'start' })).runs).toStrictEqual(['runs', 'c3', 'c1']);
    expect((await read(emulator, `vals/${HELLO}`, { at: 'r1' })).status).toBe(404);
    expect((await read(emulator, `vals/${HELLO}`, { at: 'r9' })).message).toBe(
      'There is no commit "r9": the history has the last 1. The last one before it is r1.',
    );
  });
});

test('ids are named as of now, and as of the history for records that are gone', async () => {
  const emulator = await emulate(fixtures);
  const api = as(emulator, 'ada');
  await api.put(`/v1/vals/${LATE}`).send({ name: 'early' });
  await api.delete(`/v1/vals/${HELLO}`);
  const name = async (ids: string) => (await api.get('/_emulator/names').query({ ids })).body;

  expect(await name([HELLO, LATE, BOB, uuid('c', 1), uuid('e', 1)].join())).toStrictEqual({
    [HELLO]: { collection: 'vals', name: 'ada/hello' },
    [LATE]: { collection: 'vals', name: 'ada/early' },
    [BOB]: { collection: 'users', name: 'bob' },
    [uuid('c', 1)]: { collection: 'runs', name: 'run of ada/hello' },
  });
  expect(await name('')).toStrictEqual({});
});

test('records of all collections are found by id, name and path, the best match first', async () => {
  const emulator = await emulate({
    ...fixtures,
    projects: [{ owner: 'ada', name: 'site', files: { 'lib/hello.ts': '1', 'main.ts': '2' } }],
  });
  const find = async (q: string, query = {}) =>
    (
      await as(emulator)
        .get('/_emulator/find')
        .query({ q, ...query })
    ).body;
  const nameAll = async (q: string, query = {}) =>
    (await find(q, query)).map(({ name, file }: { name: string; file?: string }) => file ?? name);

  expect(await find(HELLO, { limit: 1 })).toStrictEqual([{ collection: 'vals', id: HELLO, name: 'ada/hello' }]);
  expect(await nameAll(HELLO)).toStrictEqual(['ada/hello', 'ada/hello version 0', 'bob likes ada/hello']);
  expect(await find('CCCC', { limit: 1 })).toStrictEqual([
    { collection: 'runs', id: uuid('c', 1), name: 'run of ada/hello' },
  ]);
  expect(await nameAll('ADA/hello')).toStrictEqual([
    'ada/hello',
    ...[
      'ada/hello version 0',
      'run of ada/hello',
      'run of ada/hello',
      'bob likes ada/hello',
      'comment by bob on ada/hello',
    ],
  ]);
  expect(await nameAll('main.ts')).toStrictEqual(['main.ts']);
  expect(await nameAll('hello.ts')).toStrictEqual(['lib/hello.ts']);
  expect(await nameAll('no such')).toStrictEqual([]);
  expect(await nameAll(' ')).toStrictEqual([]);
  await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`);
  expect(await find(HELLO)).toStrictEqual([]);
  expect(await nameAll(HELLO, { at: 'start', limit: 1 })).toStrictEqual(['ada/hello']);
});
