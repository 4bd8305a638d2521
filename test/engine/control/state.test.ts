import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';
import { badRequest, malformed } from '../../support/errors.js';
import { hand } from '../../support/hands.js';
import { NO_PROJECTS } from '../../support/no-projects.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const NOBODY = '0b0d0000-0000-4000-8000-000000000002';
const HELLO = '4e110000-0000-4000-8000-000000000003';
const RUN = '41000000-0000-4000-8000-000000000004';
const COMMENT = 'c0000000-0000-4000-8000-000000000005';

const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: ADA, token: 'vtwn_ada' },
    { username: null, id: NOBODY, bio: 'Quiet' },
  ],
  vals: [{ author: NOBODY, name: 'hello', id: HELLO, code: 'two', version: 5, createdAt: '-1d' }],
  versions: [
    { val: HELLO, version: 3, code: 'one', createdAt: '-1h' },
    { val: HELLO, version: 4, code: 'one and a half' },
  ],
  runs: [{ val: HELLO, id: RUN, error: { message: 'boom' }, duration: '1s' }],
  likes: [{ user: 'ada', val: HELLO }],
  comments: [{ author: 'ada', val: HELLO, comment: 'Nice', id: COMMENT }],
};

const user = { username: 'ada', id: ADA, email: 'ada@example.com', bio: null, profileImageUrl: null, tier: 'free' };
const nobody = {
  username: null,
  id: NOBODY,
  email: `${NOBODY}@example.com`,
  bio: 'Quiet',
  profileImageUrl: null,
  tier: 'free',
};
const state = {
  tokens: [],
  vals: [
    {
      author: NOBODY,
      name: 'hello',
      id: HELLO,
      code: 'two',
      version: 5,
      nextVersion: 6,
      readme: null,
      privacy: 'public',
      type: 'script',
      createdAt: '2024-06-10T22:05:12.585Z',
      versionCreatedAt: '2024-06-11T21:05:12.585Z',
    },
  ],
  versions: [
    { val: HELLO, version: 3, code: 'one', createdAt: '2024-06-11T21:05:12.585Z' },
    { val: HELLO, version: 4, code: 'one and a half', createdAt: '2024-06-11T21:05:12.585Z' },
  ],
  runs: [
    {
      id: RUN,
      val: HELLO,
      version: 5,
      runStartAt: NOW,
      runEndAt: '2024-06-11T22:05:13.585Z',
      error: { message: 'boom' },
      source: 'ui',
      parentId: RUN,
      emails: [],
      logs: [],
      returnValue: null,
      args: [],
    },
  ],
  likes: [{ user: 'ada', val: HELLO, createdAt: NOW }],
  comments: [{ id: COMMENT, author: 'ada', val: HELLO, comment: 'Nice', createdAt: NOW }],
  emails: [],
  blobs: [],
  sqlite: [],
  ...NO_PROJECTS,
};

test('the state is all records in the fixture format, every default filled in', async () => {
  const emulator = await emulate(fixtures);

  const exported = emulator.state();

  expect(exported).toStrictEqual({
    users: [
      { ...user, token: 'vtwn_ada' },
      { ...nobody, token: `${NOBODY}-token` },
    ],
    ...state,
  });
  expect(emulator.state()).toStrictEqual(exported);
});

test('GET /_emulator/state returns the same, without tokens on request', async () => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator).get('/_emulator/state');

  expect(response.status).toBe(200);
  expect(response.body).toStrictEqual(emulator.state());
  const { body } = await as(emulator).get('/_emulator/state?tokens=false');
  expect(body).toStrictEqual({ users: [user, nobody], ...state });
});

test('the returned state is a copy', async () => {
  const emulator = await emulate(fixtures);
  const exported = emulator.state();

  exported.vals.length = 0;
  exported.runs[0]?.logs.push('mine');

  expect(emulator.state()).toMatchObject({ vals: [{ name: 'hello' }], runs: [{ logs: [] }] });
});

describe('reseed by the client', () => {
  test('loads other seed data and resets', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.fail('*', { status: 503 });
    await control.advance('1d');
    await as(emulator, 'ada').get('/v1/me');

    await control.reseed({ users: [{ username: 'eve' }], vals: [{ author: 'eve', name: 'x', code: '1' }] });

    expect(emulator.users.map(({ username }) => username)).toStrictEqual(['eve']);
    expect(emulator.state().vals).toMatchObject([{ author: 'eve', name: 'x', createdAt: NOW }]);
    expect(await control.clock()).toStrictEqual({ now: NOW, frozen: true });
    expect([await control.faults(), await control.requests(), await control.history()]).toStrictEqual([[], [], []]);
    expect((await as(emulator, 'eve').get('/v1/me')).status).toBe(200);
    expect((await control.requests()).map(({ id }) => id)).toStrictEqual(['r1']);
  });

  test('changes the data of later resets', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.reseed({ users: [{ username: 'eve' }] });
    await control.add('users', { username: 'zoe' });

    await control.reset();

    expect(emulator.users.map(({ username }) => username)).toStrictEqual(['eve']);
  });

  test('with an empty object removes all records', async () => {
    const emulator = await emulate(fixtures);

    await hand(emulator).reseed({});

    expect(Object.values(emulator.state())).toStrictEqual(Array.from({ length: 19 }, () => []));
  });

  test.each([
    [
      { users: [{ username: 'ada' }], vals: [{ author: 'adda', name: 'x', code: '1', privacy: 'publik' }], runs: 1 },
      `3 problems in the fixtures:
  vals[0].privacy: found "publik"; expected "public", "unlisted" or "private". Did you mean "public"?
  runs: found 1; expected an array of runs.
  vals[0].author: there is no user "adda". Did you mean "ada"?`,
    ],
    [
      { user: [] },
      `1 problem in the fixtures:
  user: unknown collection "user"; expected users, organizations, memberships, projects, branches, commits, environment, responses, clients, grants, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite. Did you mean "users"?`,
    ],
  ])('with %j is refused and changes nothing', async (source, message) => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.fail('*', { status: 503 });
    await control.add('users', { username: 'zoe' });
    await control.advance('1d');
    const before = [emulator.state(), emulator.history(), emulator.faults(), emulator.clock.read()];

    await expect(control.reseed(source)).rejects.toHaveProperty('message', message);

    expect([emulator.state(), emulator.history(), emulator.faults(), emulator.clock.read()]).toStrictEqual(before);
    await control.reset();
    expect(emulator.users.map(({ username }) => username)).toStrictEqual(['ada', null]);
  });
});

test.each([
  ['./fixtures/default', 'found "./fixtures/default"; expected busy, default, edge-cases, empty, failures, popular.'],
  ['defualt', 'found "defualt"; expected busy, default, edge-cases, empty, failures, popular. Did you mean "default"?'],
])('over HTTP, fixtures are the built-in ones: %s is refused', async (name, message) => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator).put('/_emulator/seed?confirm=true').send({ fixtures: name });

  expect(response.status).toBe(422);
  expect(response.body.problems).toStrictEqual([{ path: 'fixtures', message }]);
  expect(emulator.users).toHaveLength(2);
});

test('over HTTP, a body has either a name or collections', async () => {
  const response = await as(await emulate(fixtures))
    .put('/_emulator/seed?confirm=true')
    .send({ fixtures: 'default', users: [] });

  expect(response.status).toBe(422);
  expect(response.body.problems).toStrictEqual([
    { path: 'users', message: 'expected either fixtures or collections, not both.' },
  ]);
});

test('over HTTP, fixtures may be an object, of which no path is read', async () => {
  const emulator = await emulate(fixtures);
  const seed = (body: object) => as(emulator).put('/_emulator/seed?confirm=true').send(body);

  expect((await seed({ fixtures: { users: [{ username: 'eve' }] } })).status).toBe(200);
  expect(emulator.users.map(({ username }) => username)).toEqual(['eve']);
  expect(
    (await seed({ fixtures: { users: [{ username: 'eve' }], blobs: [{ user: 'eve', key: 'a', file: '/etc/hosts' }] } }))
      .status,
  ).toBe(422);
  expect((await seed({ fixtures: { users: [] }, vals: [] })).body.problems).toStrictEqual([
    { path: 'vals', message: 'expected either fixtures or collections, not both.' },
  ]);
});

describe('PUT /_emulator/seed', () => {
  test('responds to invalid fixtures with a 422 and every problem', async () => {
    const response = await as(await emulate(fixtures))
      .put('/_emulator/seed?confirm=true')
      .send({ users: [{ username: 'ada' }, { username: 'Ada' }], likes: [{ user: 'ada', val: 'ada/x' }] });

    expect(response.status).toBe(422);
    expect(response.body).toStrictEqual({
      message: `2 problems in the fixtures:
  users[1].username: the username "ada" is taken by users[0].username; expected another one.
  likes[0].val: there is no val "ada/x". Name it "author/name" or by its id.`,
      error: 'Unprocessable Entity',
      statusCode: 422,
      problems: [
        {
          path: 'users[1].username',
          message: 'the username "ada" is taken by users[0].username; expected another one.',
        },
        { path: 'likes[0].val', message: 'there is no val "ada/x". Name it "author/name" or by its id.' },
      ],
    });
  });

  test.each([
    [[], malformed('body', 'found []; expected an object.')],
    [{ fixtures: 1 }, malformed('body.fixtures', 'found 1; expected the name of a dataset, or an object.')],
  ])('%j returns 400', async (body, answer) => {
    const response = await as(await emulate(fixtures))
      .put('/_emulator/seed?confirm=true')
      .send(body);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(answer);
  });

  test('a key that is twice in the body is a 400 with both positions', async () => {
    const emulator = await emulate(fixtures);
    const { state } = emulator.store;

    const response = await as(emulator)
      .put('/_emulator/seed?confirm=true')
      .type('json')
      .send('{\n  "users": [],\n  "vals": [],\n  "users": [{ "username": "ada" }]\n}');

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(
      badRequest('line 4, column 3: the key "users" is at line 2, column 3 as well; keep one of them.'),
    );
    expect(emulator.store.state).toBe(state);
  });

  test('accepts a body above the limit of the API', async () => {
    const emulator = await emulate(fixtures);
    const vals = Array.from({ length: 3_000 }, (_, i) => ({ author: 'eve', name: `val${i}`, code: 'x'.repeat(1_000) }));

    const response = await as(emulator)
      .put('/_emulator/seed?confirm=true')
      .send({ users: [{ username: 'eve' }], vals });

    expect(response.status).toBe(200);
    expect(emulator.state().vals).toHaveLength(3_000);
  });
});
