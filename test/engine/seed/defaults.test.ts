import { describe, expect, test } from 'vitest';
import type { Fixtures } from '#vals/service/service.collection.js';
import { LOADED_AT, load, untyped } from './loading.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '00000000-0000-4000-8000-000000000001';
const users = [{ username: 'ada', id: ADA }];
const vals = [{ author: 'ada', name: 'hello', code: 'one', id: HELLO }];
const NOW = Date.parse(LOADED_AT);
const MINUTE = 60_000;
const DAY = 86_400_000;

/** The only val of the fixtures, and its versions from the first to the last. */
function loadVal(val: object, more: Fixtures = {}) {
  const state = load({ users, vals: [{ author: 'ada', name: 'hello', ...val }], ...more });
  const [first] = state.vals;
  if (!first) throw new Error('no val');
  const versions = [...state.versions].map(({ version, code, createdAt }) => ({ version, code, createdAt })).reverse();
  return { ...first, versions };
}

describe('fields and their defaults', () => {
  test('a user needs only a username', () => {
    expect([...load({ users: [{ username: 'Ada', id: ADA }] }).users]).toStrictEqual([
      {
        id: ADA,
        username: 'Ada',
        email: 'ada@example.com',
        bio: null,
        profileImageUrl: null,
        tier: 'free',
        token: 'Ada-token',
        serial: 0,
      },
    ]);
  });

  test('the id names a user without a username', () => {
    const state = load({
      users: [{ username: null, id: ADA.toUpperCase() }],
      vals: [{ author: ADA, name: 'hello', code: '1', id: HELLO }],
      versions: [{ val: `${ADA}/hello`, code: '0' }],
      runs: [{ val: `@${ADA}/Hello` }],
      likes: [{ user: ADA, val: HELLO }],
    });
    expect([...state.users]).toMatchObject([
      { id: ADA, username: null, email: `${ADA}@example.com`, token: `${ADA}-token` },
    ]);
    expect([...state.vals]).toMatchObject([{ authorId: ADA, latest: { version: 1 } }]);
    expect([...state.runs]).toMatchObject([{ valId: HELLO, authorId: ADA, version: 1 }]);
    expect([...state.likes]).toMatchObject([{ valId: HELLO, userId: ADA }]);
  });

  test('loads every field of a user', () => {
    const user = {
      username: 'ada',
      id: ADA,
      email: 'a@b.c',
      bio: 'One\nTwo',
      profileImageUrl: 'https://example.com/ada.png',
      tier: null,
      token: "two words & it's",
    };
    expect([...load({ users: [user] }).users]).toStrictEqual([{ ...user, serial: 0 }]);
  });

  test('a val needs only author, name and code', () => {
    expect([...load({ users, vals }).vals]).toStrictEqual([
      {
        id: HELLO,
        authorId: ADA,
        name: 'hello',
        privacy: 'public',
        type: 'script',
        readme: null,
        createdAt: NOW,
        nextVersion: 1,
        latest: { valId: HELLO, version: 0, code: 'one', imports: [], createdAt: NOW },
        serial: 1,
      },
    ]);
  });

  test('a run needs only its val', () => {
    const [run] = load({ users, vals, runs: [{ val: 'ada/hello' }] }).runs;
    expect(run).toStrictEqual({
      id: run?.id,
      valId: HELLO,
      authorId: ADA,
      version: 0,
      error: null,
      parentId: run?.id,
      runStartAt: NOW,
      runEndAt: NOW + 100,
      source: 'ui',
      emails: [],
      logs: [],
      returnValue: null,
      args: [],
      serial: 2,
    });
  });

  test('loads every field of a run', () => {
    const run = {
      id: '00000000-0000-4000-8000-000000000002',
      version: 7,
      error: { message: 'boom', line: 3 },
      parentId: '00000000-0000-4000-8000-000000000003',
      source: 'interval',
      emails: [{ to: 'x@example.com' }],
      logs: ['a', { b: [1, null] }],
      returnValue: { deep: [[[true]]] },
      args: [-0.5, '', [], {}],
    };
    const state = load(untyped({ users, vals, runs: [{ val: 'ada/hello', ...run }] }));
    expect([...state.runs]).toMatchObject([run]);
  });

  test('a like needs only user and val, a comment author, val and text', () => {
    const state = load({
      users,
      vals,
      likes: [{ user: 'ada', val: 'ada/hello' }],
      comments: [{ author: 'ada', val: 'ada/hello', comment: 'Hm.' }],
    });
    const [comment] = state.comments;
    expect([...state.likes]).toStrictEqual([{ userId: ADA, valId: HELLO, createdAt: NOW }]);
    expect(comment).toStrictEqual({
      id: comment?.id,
      authorId: ADA,
      valId: HELLO,
      valAuthorId: ADA,
      comment: 'Hm.',
      createdAt: NOW,
      serial: 2,
    });
  });

  test('code, readme and comment may be written as lines', () => {
    const state = load({
      users,
      vals: [{ author: 'ada', name: 'hello', code: ['one', '', 'three'], readme: ['# Hi', ''] }],
      versions: [{ val: 'ada/hello', code: ['only'] }],
      comments: [{ author: 'ada', val: 'ada/hello', comment: ['a', 'b'] }],
    });
    expect([...state.versions].map(({ code }) => code)).toEqual(['one\n\nthree', 'only']);
    expect([...state.vals]).toMatchObject([{ readme: '# Hi\n' }]);
    expect([...state.comments]).toMatchObject([{ comment: 'a\nb' }]);
  });
});

describe('times', () => {
  test.each<[time: string, instant: number]>([
    ['-10m', NOW - 10 * MINUTE],
    ['+5m', NOW + 5 * MINUTE],
    ['2024-06-12T00:05:12+02:00', NOW],
    ['1969-12-31T23:59:59Z', -1000],
  ])('parses the time %s', (time, instant) => {
    const state = load({ users, vals: [{ author: 'ada', name: 'hello', code: '1', createdAt: time }] });
    expect([...state.vals]).toMatchObject([{ createdAt: instant }]);
  });

  test.each<[run: object, start: number, end: number | null]>([
    [{ runStartAt: '-10m' }, NOW - 10 * MINUTE, NOW - 10 * MINUTE + 100],
    [{ runStartAt: '-10m', duration: '1m30s' }, NOW - 10 * MINUTE, NOW - 8.5 * MINUTE],
    [{ runStartAt: '-10m', duration: '0ms' }, NOW - 10 * MINUTE, NOW - 10 * MINUTE],
    [{ runStartAt: '-10m', runEndAt: '-9m' }, NOW - 10 * MINUTE, NOW - 9 * MINUTE],
    [{ runStartAt: '-10m', runEndAt: '-10m' }, NOW - 10 * MINUTE, NOW - 10 * MINUTE],
    [{ runStartAt: '-10m', runEndAt: null }, NOW - 10 * MINUTE, null],
  ])('loads the times of a run with %j', (run, runStartAt, runEndAt) => {
    expect([...load({ users, vals, runs: [{ val: 'ada/hello', ...run }] }).runs]).toMatchObject([
      { runStartAt, runEndAt },
    ]);
  });

  test.each<[mention: string, more: Fixtures]>([
    ['a version', { versions: [{ val: '@ADA/hello', code: '0', createdAt: '-3d' }] }],
    ['a run', { runs: [{ val: `${ADA}/hello`, runStartAt: '-3d' }] }],
    ['a like', { likes: [{ user: 'ada', val: 'ada/Hello', createdAt: '-3d' }] }],
    ['a comment', { comments: [{ author: 'ada', val: 'ada/hello', comment: 'x', createdAt: '-3d' }] }],
  ])('a val is as old as the earliest %s that refers to it', (_, more) => {
    expect(loadVal({ code: '1' }, more).createdAt).toBe(NOW - 3 * DAY);
    expect(loadVal({ code: '1', createdAt: '-1d' }, more).createdAt).toBe(NOW - DAY);
  });

  test.each(['ada', 'ADA', ADA])('a val is as old as its version, with an author named %s', (author) => {
    expect(loadVal({ author, code: '1', versionCreatedAt: '-3d' })).toMatchObject({
      createdAt: NOW - 3 * DAY,
      latest: { createdAt: NOW - 3 * DAY },
    });
  });

  test('a val with only future references is as old as the load', () => {
    expect(loadVal({ code: '1' }, { runs: [{ val: 'ada/hello', runStartAt: '+1h' }] }).createdAt).toBe(NOW);
  });
});

describe('versions', () => {
  test('versions are numbered in order, the latest last', () => {
    const versions = [
      { val: 'ada/hello', code: 'a' },
      { val: 'ada/hello', code: 'b' },
    ];
    expect(loadVal({ code: 'c' }, { versions })).toMatchObject({
      nextVersion: 3,
      latest: { version: 2, code: 'c' },
      versions: [
        { version: 0, code: 'a' },
        { version: 1, code: 'b' },
        { version: 2, code: 'c' },
      ],
    });
  });

  test('numbers of versions may have gaps', () => {
    const versions = [
      { val: 'ada/hello', code: 'a', version: 2 },
      { val: 'ada/hello', code: 'b' },
      { val: 'ada/hello', code: 'c', version: 7 },
    ];
    expect(loadVal({ code: 'd' }, { versions }).versions.map(({ version }) => version)).toEqual([2, 3, 7, 8]);
    expect(loadVal({ code: 'd', version: 12 }, { versions }).versions.map(({ version }) => version)).toEqual([
      2, 3, 7, 12,
    ]);
    expect(loadVal({ code: 'd', version: 12 }, { versions }).nextVersion).toBe(13);
  });

  test('versions may be in any order, among versions of other vals', () => {
    const other = { author: 'ada', name: 'other', code: 'o' };
    const state = load({
      users,
      vals: [...vals, other],
      versions: [
        { val: 'ada/hello', code: 'late', version: 5 },
        { val: 'ada/other', code: 'x' },
        { val: 'ada/hello', code: 'early', version: 1 },
      ],
    });
    expect([...state.versions.range(HELLO)].map(({ version, code }) => [version, code])).toEqual([
      [6, 'one'],
      [5, 'late'],
      [1, 'early'],
    ]);
  });

  test('nextVersion counts deleted versions', () => {
    expect(loadVal({ code: 'a', version: 3, nextVersion: 10 })).toMatchObject({
      nextVersion: 10,
      latest: { version: 3 },
    });
  });

  test('a val without code has the code of its latest version', () => {
    const versions = [
      { val: 'ada/hello', code: 'b', version: 4 },
      { val: 'ada/hello', code: 'a', version: 0 },
    ];
    expect(loadVal({}, { versions })).toMatchObject({ nextVersion: 5, latest: { version: 4, code: 'b' } });
    expect(loadVal({ version: 4 }, { versions })).toMatchObject({ nextVersion: 5, latest: { version: 4, code: 'b' } });
  });

  test('a version is by default as old as the one before it', () => {
    const versions = [
      { val: 'ada/hello', code: 'a' },
      { val: 'ada/hello', code: 'b', createdAt: '-3d' },
      { val: 'ada/hello', code: 'c' },
    ];
    const { versions: loaded } = loadVal({ code: 'd', createdAt: '-5d' }, { versions });
    expect(loaded.map(({ createdAt }) => (createdAt - NOW) / DAY)).toEqual([-5, -3, -3, -3]);
    const { latest } = loadVal({ code: 'd', createdAt: '-5d', versionCreatedAt: '-1d' }, { versions });
    expect(latest.createdAt).toBe(NOW - DAY);
  });

  test('a run is by default of the latest version', () => {
    const more = {
      versions: [{ val: 'ada/hello', code: 'a' }],
      runs: [{ val: 'ada/hello' }, { val: 'ada/hello', version: 0 }],
    };
    const state = load({ users, vals, ...more });
    expect([...state.runs.by.val.range([HELLO])].map(({ version }) => version)).toEqual([0, 1]);
  });

  test('loads the largest version number', () => {
    expect(loadVal({ code: '1', version: 2_147_483_646 }).nextVersion).toBe(2_147_483_647);
  });
});

describe('references by name and id', () => {
  test.each([
    'ada/hello',
    'ADA/HELLO',
    '@ada/hello',
    '@Ada/Hello',
    `${ADA}/hello`,
    `${ADA.toUpperCase()}/hello`,
    HELLO,
    HELLO.toUpperCase(),
  ])('finds a val as %s', (val) => {
    const state = load({
      users,
      vals,
      versions: [{ val, code: '0' }],
      runs: [{ val }],
      likes: [{ user: 'ada', val }],
      comments: [{ author: 'ada', val, comment: 'x' }],
    });
    expect([...state.versions].map(({ valId, version }) => [valId, version])).toEqual([
      [HELLO, 1],
      [HELLO, 0],
    ]);
    for (const [record] of [state.runs, state.likes, state.comments]) expect(record).toMatchObject({ valId: HELLO });
  });

  test('finds a val by its default id', () => {
    const [hello] = load({ users, vals: [{ author: 'ada', name: 'hello', code: '1' }] }).vals;
    const val = hello?.id ?? '';
    const state = load({
      users,
      vals: [{ author: 'ada', name: 'hello', code: '1' }],
      versions: [{ val, code: '0' }],
      runs: [{ val }],
    });
    expect([...state.versions].map(({ version }) => version)).toEqual([1, 0]);
    expect(state.runs.size).toBe(1);
  });

  test.each(['ada', 'ADA', 'Ada', ADA, ADA.toUpperCase()])('finds a user as %s', (user) => {
    const state = load({
      users,
      vals: [{ author: user, name: 'hello', code: '1', id: HELLO }],
      likes: [{ user, val: 'ada/hello' }],
      comments: [{ author: user, val: 'ada/hello', comment: 'x' }],
    });
    expect([...state.vals]).toMatchObject([{ authorId: ADA }]);
    expect([...state.likes]).toMatchObject([{ userId: ADA }]);
    expect([...state.comments]).toMatchObject([{ authorId: ADA }]);
  });

  test('names keep their case', () => {
    const state = load({ users: [{ username: 'AdaL' }], vals: [{ author: 'adal', name: 'helloWorld', code: '1' }] });
    expect([...state.users]).toMatchObject([{ username: 'AdaL' }]);
    expect([...state.vals]).toMatchObject([{ name: 'helloWorld' }]);
  });

  test('two authors may use the same name', () => {
    const both = [{ username: 'ada' }, { username: 'grace' }];
    const state = load({
      users: both,
      vals: both.map(({ username }) => ({ author: username, name: 'hello', code: '1' })),
    });
    expect(state.vals.size).toBe(2);
  });

  test('users are in the order of the file', () => {
    const names = ['zoe', 'ada', 'mike', 'bob'];
    const state = load({ users: names.map((username) => ({ username })) });
    expect([...state.users.by.serial.range()].map(({ username }) => username)).toEqual(names);
  });
});
