import { describe, expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { definitions } from '#vals/service/service.collection.js';
import { FixtureError, type Fixtures } from '../../../src/index.js';
import { as, emulate, isShared, NOW, UUID } from '../../support/emulate.js';
import { hand } from '../../support/hands.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const NOBODY = '0b0d0000-0000-4000-8000-000000000002';
const HELLO = '4e110000-0000-4000-8000-000000000003';
const QUIET = '90e70000-0000-4000-8000-000000000004';
const FRESH = 'f4e50000-0000-4000-8000-000000000005';

const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob' }, { username: null, id: NOBODY }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: 'one', createdAt: '2024-01-01T00:00:00Z' },
    { author: NOBODY, name: 'quiet', id: QUIET, code: '1' },
  ],
  versions: [{ val: 'ada/hello', code: 'zero' }],
  likes: [{ user: 'bob', val: 'ada/hello' }],
};

const COLLECTIONS = definitions.all.filter(({ adder }) => adder !== undefined).map(({ name }) => name);
const UUIDS = expect.stringMatching(UUID);
const user = { username: 'eve', id: FRESH, bio: null, profileImageUrl: null, tier: 'free' };
const val = {
  ...{ author: 'ada', name: 'fresh', id: FRESH, code: '1', version: 0, nextVersion: 1, readme: null },
  ...{ privacy: 'public', type: 'script', createdAt: NOW, versionCreatedAt: NOW },
};
const run = {
  ...{ id: FRESH, val: 'ada/hello', version: 1, error: null, source: 'ui', parentId: FRESH, emails: [], logs: [] },
  ...{ returnValue: null, args: [], runStartAt: NOW, runEndAt: '2024-06-11T22:05:12.685Z' },
};

describe('by the client', () => {
  const whole = {
    ...{ username: 'eve', id: FRESH, email: 'eve@evil.test', bio: 'Überall 🎉', token: 'two words', tier: 'pro' },
    profileImageUrl: 'https://img.test/eve.png',
  };
  test.each([
    [{ username: 'Eve' }, { ...user, username: 'Eve', id: UUIDS, email: 'eve@example.com', token: 'Eve-token' }],
    [
      { username: null, id: FRESH.toUpperCase() },
      { ...user, username: null, email: `${FRESH}@example.com`, token: `${FRESH}-token` },
    ],
    [whole, whole],
  ])('a user: %j', async (given, expected) => {
    const emulator = await emulate(fixtures);

    const record = await hand(emulator).add('users', given);

    expect(record).toStrictEqual(expected);
    const { username, id, token } = expected;
    expect(emulator.users.slice(3)).toStrictEqual([{ username, id, token }]);
    const me = await as(emulator).get('/v1/me').set('Authorization', `Bearer ${token}`);
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ username, bio: expected.bio, tier: expected.tier, email: expected.email });
  });

  test.each([
    [
      { author: 'ADA', name: 'fresh', code: ['one', 'two'] },
      { ...val, id: UUIDS, code: 'one\ntwo' },
    ],
    [
      {
        ...{
          ...val,
          author: NOBODY,
          code: '// ünïcode 🎉\u2028',
          version: 7,
          nextVersion: 12,
          readme: ['# Fresh', ''],
        },
        ...{ privacy: 'unlisted', type: 'interval' },
        ...{ createdAt: '2020-01-01T01:00:00+01:00', versionCreatedAt: '-10m' },
      },
      {
        ...{ ...val, author: NOBODY, code: '// ünïcode 🎉\u2028', version: 7, nextVersion: 12, readme: '# Fresh\n' },
        ...{ privacy: 'unlisted', type: 'interval' },
        ...{ createdAt: '2020-01-01T00:00:00.000Z', versionCreatedAt: '2024-06-11T21:55:12.585Z' },
      },
    ],
    [
      { author: 'ada', name: 'fresh', id: FRESH, code: '1', versionCreatedAt: '-10m' },
      { ...val, createdAt: '2024-06-11T21:55:12.585Z', versionCreatedAt: '2024-06-11T21:55:12.585Z' },
    ],
  ])('a val: %j', async (given, expected) => {
    const emulator = await emulate(fixtures);

    const record = await hand(emulator).add('vals', given);

    expect(record).toStrictEqual(expected);
    const { id } = emulator.state().vals[2] ?? {};
    const { author: _, nextVersion, ...shown } = expected;
    const read = await as(emulator).get(`/v1/vals/${id}`);
    expect(read.body).toMatchObject(shown);
    const token = given.author === NOBODY ? NOBODY : 'ada';
    const next = await as(emulator, token).post(`/v1/vals/${id}/versions`).send({ code: '2' });
    expect(next.body.version).toBe(nextVersion);
  });

  const details = {
    ...{ error: { message: 'boom', val: 'ada.hello' }, version: 0, source: 'interval', parentId: HELLO },
    ...{ emails: [{ to: 'bob' }], logs: ['one', { two: [2] }], returnValue: { a: [null] }, args: [1, 'two'] },
  };
  test.each([
    [{ val: 'ada/hello' }, { ...run, id: UUIDS, parentId: UUIDS }],
    [
      { ...details, val: '@ada/hello', id: FRESH, runStartAt: '-10m', duration: '1m30s' },
      { ...run, ...details, runStartAt: '2024-06-11T21:55:12.585Z', runEndAt: '2024-06-11T21:56:42.585Z' },
    ],
    [
      { val: HELLO, id: FRESH, runStartAt: '2024-06-01T00:00:00Z', runEndAt: null, error: 'boom' },
      { ...run, runStartAt: '2024-06-01T00:00:00.000Z', runEndAt: null, error: 'boom' },
    ],
  ])('a run: %j', async (given, expected) => {
    const emulator = await emulate(fixtures);

    const record = await hand(emulator).add('runs', given);

    expect(record).toStrictEqual(expected);
    const { body } = await as(emulator, 'ada').get('/v1/me/runs');
    const { id, parentId, error, runStartAt, runEndAt, version } = expected;
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ id, parentId, error, runStartAt, runEndAt, val: { id: HELLO, version } });
  });

  test.each([
    [
      { user: 'ada', val: 'ada/hello' },
      { user: 'ada', val: 'ada/hello', createdAt: NOW },
    ],
    [
      { user: NOBODY, val: QUIET, createdAt: '-1d' },
      { user: NOBODY, val: QUIET, createdAt: '2024-06-10T22:05:12.585Z' },
    ],
  ])('a like: %j', async (like, expected) => {
    const emulator = await emulate(fixtures);

    expect(await hand(emulator).add('likes', like)).toStrictEqual(expected);

    const { body } = await as(emulator, like.user).get('/v1/me/likes');
    expect(body.data).toMatchObject([{ id: like.val === QUIET ? QUIET : HELLO }]);
  });

  test.each([
    [
      { author: 'bob', val: 'ada/hello', comment: ['Nice', 'one'] },
      { id: UUIDS, author: 'bob', val: 'ada/hello', comment: 'Nice\none', createdAt: NOW },
    ],
    [
      { author: NOBODY, val: 'ADA/HELLO', comment: '', createdAt: '+1m', id: FRESH },
      { id: FRESH, author: NOBODY, val: 'ada/hello', comment: '', createdAt: '2024-06-11T22:06:12.585Z' },
    ],
  ])('a comment: %j', async (comment, expected) => {
    const emulator = await emulate(fixtures);

    expect(await hand(emulator).add('comments', comment)).toStrictEqual(expected);

    const { body } = await as(emulator, 'ada').get('/v1/me/comments?relationship=received');
    expect(body.data).toMatchObject([{ comment: expected.comment, createdAt: expected.createdAt, val: { id: HELLO } }]);
  });

  const noUser = (ref: string, hint: string) => `there is no user "${ref}".${hint}`;

  test.each([
    ['users', { username: 'ADA' }, ['user.username: "ADA" is taken; expected another one.']],
    ['users', { username: 'eve', id: ADA }, [`user.id: "${ADA}" is taken; expected another one.`]],
    ['users', { username: 'eve', token: 'bob-token' }, ['user.token: "bob-token" is taken; expected another one.']],
    ['users', { username: null }, ['user.id: missing; a user without a username needs an id to be named by.']],
    [
      'users',
      { username: 'Bob', id: ADA, token: 'ada-token' },
      [
        'user.username: "Bob" is taken; expected another one.',
        `user.id: "${ADA}" is taken; expected another one.`,
        'user.token: "ada-token" is taken; expected another one.',
      ],
    ],
    [
      'users',
      { username: 'e-v-e', tier: 'gold', bio: 1 },
      [
        'user.username: found "e-v-e"; expected a name of 1 to 48 letters, digits and _ that begins with a letter.',
        'user.bio: found 1; expected a string.',
        'user.tier: found "gold"; expected "free", "pro" or null.',
      ],
    ],
    ['vals', { author: 'ada', name: 'HELLO', code: '1' }, ['val.name: "HELLO" is taken; expected another one.']],
    [
      'vals',
      { author: 'ada', name: 'fresh', code: '1', id: QUIET },
      [`val.id: "${QUIET}" is taken; expected another one.`],
    ],
    ['vals', { author: 'adda', name: 'fresh', code: '1' }, [`val.author: ${noUser('adda', ' Did you mean "ada"?')}`]],
    ['vals', { author: 'eve', name: 'fresh', code: '1' }, [`val.author: ${noUser('eve', ' Users: ada, bob.')}`]],
    ['runs', { val: 'ada/helo' }, ['run.val: there is no val "ada/helo". Did you mean "ada/hello"?']],
    ['runs', { val: 'ada' }, ['run.val: there is no val "ada". Name it "author/name" or by its id.']],
    [
      'runs',
      { val: 'ada/hello', runEndAt: '-1m' },
      ['run.runEndAt: lies before runStartAt; a run ends after it starts.'],
    ],
    ['likes', { user: 'bob', val: 'ada/hello' }, ['like: "bob likes ada/hello" is taken; expected another one.']],
    [
      'likes',
      { user: 'eve', val: 'ada/bye' },
      [
        `like.user: ${noUser('eve', ' Users: ada, bob.')}`,
        'like.val: there is no val "ada/bye". Name it "author/name" or by its id.',
      ],
    ],
    [
      'comments',
      { author: 'ada', val: 'ada/hello' },
      ['comment.comment: missing; expected a string or an array of lines.'],
    ],
  ] as const)('refuses %s and adds nothing: %j', async (collection, record, problems) => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    const before = emulator.state();
    const noun = collection.slice(0, -1);
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;

    const attempt = control.add(collection, record);

    await expect(attempt).rejects.toHaveProperty(
      'message',
      [`${count} in the ${noun}:`, ...problems.map((problem) => `  ${problem}`)].join('\n'),
    );
    expect(emulator.state()).toStrictEqual(before);
    expect(await control.history()).toStrictEqual([]);
  });

  test('a refused record uses no id', async () => {
    const [emulator, untroubled] = [await emulate(fixtures), await emulate(fixtures)];
    await expect(hand(emulator).add('vals', { author: 'ada', name: 'hello', code: '1' })).rejects.toThrow();
    await expect(hand(emulator).add('runs', { val: 'ada/hello', runEndAt: '-1m' })).rejects.toThrow();

    const record = await hand(emulator).add('runs', { val: 'ada/hello' });

    expect(record).toStrictEqual(await hand(untroubled).add('runs', { val: 'ada/hello' }));
  });

  test('added records can be referred to at once', async () => {
    const emulator = await emulate({});
    const control = hand(emulator);

    await control.add('users', { username: 'eve' });
    await control.add('vals', { author: 'eve', name: 'fresh', code: "import 'https://esm.town/v/eve/other';" });
    await control.add('vals', { author: 'eve', name: 'other', code: '1' });
    await control.add('likes', { user: 'eve', val: 'eve/fresh' });

    const { body } = await as(emulator, 'eve').get('/v1/me/references');
    expect(body.data).toMatchObject([{ reference: { name: 'fresh' }, dependsOn: { name: 'other' } }]);
    const likes = await as(emulator, 'eve').get('/v1/me/likes');
    expect(likes.body.data).toMatchObject([{ name: 'fresh' }]);
  });
});

test.skipIf(isShared)('arguments and results of methods that add are typed', async () => {
  const { add } = await emulate(fixtures);

  const { token } = add.user({ username: 'eve', tier: null });
  const { version } = add.val({ author: 'eve', name: 'fresh', code: '1' });
  // @ts-expect-error -- there is no such privacy
  expect(() => add.val({ author: 'eve', name: 'other', code: '1', privacy: 'open' })).toThrow(FixtureError);

  expect(token.toUpperCase()).toBe('EVE-TOKEN');
  expect(version + 1).toBe(1);
});

test('a refused record returns 422 over HTTP with every problem', async () => {
  const response = await as(await emulate(fixtures))
    .post('/_emulator/records/likes')
    .send({ user: 'bop', val: 'ada/hello', createdAt: 0 });

  expect(response.status).toBe(422);
  expect(response.body).toStrictEqual({
    message:
      '1 problem in the like:\n  like.createdAt: found 0; expected an RFC 3339 timestamp such as "2024-06-11T22:05:12Z", or a time before now such as "-10m" or "-2d".',
    error: 'Unprocessable Entity',
    statusCode: 422,
    problems: [
      {
        path: 'like.createdAt',
        message:
          'found 0; expected an RFC 3339 timestamp such as "2024-06-11T22:05:12Z", or a time before now such as "-10m" or "-2d".',
      },
    ],
  });
});

test('POST /_emulator/records adds records of every collection in one commit, all or none', async () => {
  const emulator = await emulate(fixtures);
  const post = (body: object) => as(emulator).post('/_emulator/records').send(body);
  const added = {
    users: [{ username: 'eve' }],
    vals: [{ author: 'eve', name: 'fresh', code: '1' }],
    runs: [{ val: 'eve/fresh', error: 'boom' }],
    likes: [{ user: 'bob', val: 'eve/fresh' }],
    comments: [{ author: 'bob', val: 'eve/fresh', comment: 'Nice' }],
    emails: [{ user: 'eve', to: ['bob@example.com'], subject: 'The report' }],
    blobs: [{ user: 'eve', key: 'a/b', base64: '/wA=' }],
    sqlite: [{ user: 'eve', sql: ['CREATE TABLE todo (title);'] }],
  };

  const refused = await post({ ...added, blobs: [...added.blobs, { user: 'eve', key: 'a/b' }] });
  expect([refused.status, refused.body.problems]).toStrictEqual([
    422,
    [{ path: 'blobs[1].key', message: '"a/b" is taken; expected another one.' }],
  ]);
  expect(emulator.history()).toHaveLength(0);
  const { status, body } = await post(added);

  expect(status).toBe(201);
  expect(body).toMatchObject(added);
  expect(emulator.history()).toHaveLength(1);
  const blob = await emulator.fetch('/v1/blob/a%2Fb', { headers: { authorization: 'Bearer eve-token' } });
  expect(new Uint8Array(await blob.arrayBuffer())).toEqual(new Uint8Array([0xff, 0]));
  expect(emulator.emails().map(({ user, subject }) => [user, subject])).toEqual([['eve', 'The report']]);
});

test('one record has the error paths of the method, of the client and of the page, and so has a list', async () => {
  const emulator = await emulate(fixtures);
  const remote = connect(emulator.url);
  const messageOf = async (act: () => unknown) => {
    try {
      return await act();
    } catch (error) {
      return Object(error).message;
    }
  };
  const post = async (path: string, body: object) =>
    (await as(emulator).post(`/_emulator/${path}`).send(body)).body.message;
  const one = { username: 'e-v-e' };
  const list = [{ username: 'eve' }, { username: 'e-v-e' }];
  const expected = 'found "e-v-e"; expected a name of 1 to 48 letters, digits and _ that begins with a letter.';

  for (const [input, message] of [
    [one, `1 problem in the user:\n  user.username: ${expected}`],
    [list, `1 problem in the users:\n  users[1].username: ${expected}`],
  ] as const) {
    expect(await messageOf(() => emulator.add.user(input))).toBe(message);
    expect(await messageOf(() => remote.add.user(input))).toBe(message);
    expect(await post('records', { users: input })).toBe(message);
    expect(await post('records/users', input)).toBe(message);
  }
  expect(await post('db/users', one)).toBe(`1 problem in the user:\n  user.username: ${expected}`);
});

test('a response has what was added in the form of the request, and every one the token of a user', async () => {
  const emulator = await emulate(fixtures);
  const post = async (path: string, body: object) => (await as(emulator).post(`/_emulator/${path}`).send(body)).body;
  const eve = { ...user, id: UUIDS, email: 'eve@example.com', token: 'eve-token' };
  const named = (username: string) => ({ username, token: `${username}-token` });

  expect(await post('records', { users: { username: 'eve' } })).toStrictEqual({ users: eve });
  expect(await post('records', { users: [{ username: 'fay' }] })).toMatchObject({ users: [named('fay')] });
  expect(await post('records/users', { username: 'gil' })).toMatchObject(named('gil'));
  expect(await post('records/users', [{ username: 'hal' }])).toMatchObject([named('hal')]);
  expect(await post('db/users', { username: 'ian' })).toMatchObject(named('ian'));
  expect(await post('records/tokens', { user: 'ada', scopes: [] })).toMatchObject({ token: 'ada-token-1' });
  const listed = await as(emulator).get('/_emulator/records/users');
  expect(listed.text).not.toContain('-token');
});

test('a value that only an export with secrets has is in no response', async () => {
  const emulator = await emulate({ ...fixtures, projects: [{ owner: 'ada', name: 'site' }] });
  const variable = { project: 'ada/site', key: 'KEY', value: 's3cret' };

  const { text } = await as(emulator).post('/_emulator/records/environment').send(variable).expect(201);

  expect(text).toContain('"key":"KEY"');
  expect(text).not.toContain('s3cret');
});

test.each(COLLECTIONS)('POST /_emulator/%s says how records are added now', async (collection) => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator).post(`/_emulator/${collection}`).send({ username: 'eve' });

  expect(response.status).toBe(405);
  expect(response.headers.allow).toBe(['users', 'emails'].includes(collection) ? 'GET, HEAD' : '');
  expect(response.body).toStrictEqual({
    message: `Send POST /_emulator/records with {"${collection}": …} in place of POST /_emulator/${collection}: a record or a list, in fixture format.`,
    error: 'Method Not Allowed',
    statusCode: 405,
  });
  expect(emulator.history()).toStrictEqual([]);
});

test('a collection whose records are not added alone has no such hint', async () => {
  const response = await as(await emulate(fixtures))
    .post('/_emulator/versions')
    .send({});

  expect(response.status).toBe(404);
});

test.each(COLLECTIONS)(
  'POST /_emulator/records accepts a record or a list of records of %s only',
  async (collection) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator)
      .post('/_emulator/records')
      .send({ [collection]: [7] });

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      message: `body.${collection}: found [7]; expected a record, or a list of records.`,
      code: 'FST_ERR_VALIDATION',
    });
  },
);

test('GET /_emulator/users lists users with their tokens', async () => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator).get('/_emulator/users');

  expect(response.status).toBe(200);
  expect(response.body).toStrictEqual([
    { username: 'ada', id: ADA, token: 'ada-token' },
    { username: 'bob', id: emulator.users[1]?.id, token: 'bob-token' },
    { username: null, id: NOBODY, token: `${NOBODY}-token` },
  ]);
});
