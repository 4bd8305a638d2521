import { expect, test } from 'vitest';
import { FixtureError } from '#engine/lib/errors.js';
import { listProblems, load, untyped } from './loading.js';

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const users = [{ username: 'ada' }, { username: 'grace' }];
const vals = [{ author: 'ada', name: 'hello', code: '1' }];
const likes = [{ user: 'grace', val: 'ada/hello' }];
const LARGEST = 2_147_483_647;
const LONG = 'k'.repeat(49);

const NAME = 'a name of 1 to 48 letters, digits and _ that begins with a letter';
const TIME = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z", or a time before now such as "-10m" or "-2d"';
const DURATION = '"90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w)';
const UUID = 'a UUID such as "3fa85f64-5717-4562-b3fc-2c963f66afa6"';
const TEXT = 'a string or an array of lines';
const VERSION = `a whole number from 0 to ${LARGEST}`;
const TOKEN = 'printable ASCII without spaces at its ends';
const USER = 'a username such as "ada", or a user id';
const VAL = 'a val such as "ada/hello", or a val id';

/** A valid record of each collection. */
const VALID = {
  users: { username: 'ken' },
  vals: { author: 'ada', name: 'x', code: '1' },
  versions: { val: 'ada/hello', code: '0' },
  runs: { val: 'ada/hello' },
  likes: { user: 'ada', val: 'ada/hello' },
  comments: { author: 'ada', val: 'ada/hello', comment: 'x' },
} as const;

/** Each is a valid record with these fields; undefined for none. */
test.each<[collection: keyof typeof VALID, fields: object, ...problems: string[]]>([
  ['users', { username: undefined }, `username: missing; expected ${NAME}.`],
  ['users', { username: 5 }, `username: found 5; expected ${NAME}.`],
  ['users', { username: '' }, `username: found ""; expected ${NAME}.`],
  ['users', { username: 'a-b' }, `username: found "a-b"; expected ${NAME}.`],
  ['users', { username: '@ken' }, `username: found "@ken"; expected ${NAME}.`],
  ['users', { username: '1st' }, `username: found "1st"; expected ${NAME}.`],
  ['users', { username: LONG }, `username: found "${LONG}"; expected ${NAME}.`],
  ['users', { username: null }, 'id: missing; a user without a username needs an id to be named by.'],
  ['users', { id: '7' }, `id: found "7"; expected ${UUID}.`],
  ['users', { id: 7 }, `id: found 7; expected ${UUID}.`],
  ['users', { email: 7 }, 'email: found 7; expected a string.'],
  ['users', { bio: ['a'] }, 'bio: found ["a"]; expected a string.'],
  ['users', { profileImageUrl: 'me.png' }, 'profileImageUrl: found "me.png"; expected a URL.'],
  ['users', { tier: 'gold' }, 'tier: found "gold"; expected "free", "pro" or null.'],
  ['users', { tier: 'Pro' }, 'tier: found "Pro"; expected "free", "pro" or null. Did you mean "pro"?'],
  ['users', { token: ' x' }, `token: found " x"; expected ${TOKEN}.`],
  ['users', { token: '' }, `token: found ""; expected ${TOKEN}.`],
  [
    'users',
    { favourite: 'chess' },
    'favourite: unknown key. Known keys: username, id, email, bio, profileImageUrl, tier, token.',
  ],
  ['users', { emial: 'x' }, 'emial: unknown key. Did you mean "email"?'],
  ['users', { usrename: 'ken', username: undefined }, 'usrename: unknown key. Did you mean "username"?'],
  ['users', { username: 'ADA' }, 'username: the username "ada" is taken by users[0].username; expected another one.'],
  ['users', { token: 'ada-token' }, 'token: the token "ada-token" is taken by users[0].token; expected another one.'],
  ['vals', { author: undefined }, `author: missing; expected ${USER}.`],
  ['vals', { author: 'ken' }, 'author: there is no user "ken". Users: ada, grace.'],
  ['vals', { author: 'grcae' }, 'author: there is no user "grcae". Did you mean "grace"?'],
  ['vals', { author: '@ada' }, 'author: there is no user "@ada". Did you mean "ada"?'],
  ['vals', { author: ID }, `author: there is no user "${ID}". Users: ada, grace.`],
  ['vals', { name: undefined }, `name: missing; expected ${NAME}.`],
  ['vals', { name: 'my-val' }, `name: found "my-val"; expected ${NAME}.`],
  [
    'vals',
    { author: 'ADA', name: 'Hello' },
    'name: the val "ada/hello" is taken by vals[0].name; expected another one.',
  ],
  ['vals', { code: 1 }, `code: found 1; expected ${TEXT}.`],
  ['vals', { code: '' }, 'code: found ""; expected code that is not empty.'],
  ['vals', { code: [] }, 'code: found []; expected code that is not empty.'],
  ['vals', { code: ['1', 2] }, `code: found ["1",2]; expected ${TEXT}.`],
  ['vals', { code: undefined }, 'code: missing; expected the code of the latest version, or records in versions.'],
  ['vals', { version: -1 }, `version: found -1; expected ${VERSION}.`],
  ['vals', { version: 0.5 }, `version: found 0.5; expected ${VERSION}.`],
  ['vals', { version: '1' }, `version: found "1"; expected ${VERSION}.`],
  ['vals', { version: 1e300 }, `version: found 1e+300; expected ${VERSION}.`],
  ['vals', { version: Number.POSITIVE_INFINITY }, `version: found Infinity; expected ${VERSION}.`],
  ['vals', { version: 4, nextVersion: 4 }, "nextVersion: found 4; expected more than the latest version's number."],
  ['vals', { nextVersion: 0 }, 'nextVersion: found 0; expected a whole number from 1 to 2147483648.'],
  ['vals', { readme: 1 }, `readme: found 1; expected ${TEXT}.`],
  ['vals', { privacy: 'secret' }, 'privacy: found "secret"; expected "public", "unlisted" or "private".'],
  [
    'vals',
    { privacy: 'privte' },
    'privacy: found "privte"; expected "public", "unlisted" or "private". Did you mean "private"?',
  ],
  [
    'vals',
    { type: 'cron' },
    'type: found "cron"; expected "interval", "http", "express", "email", "script", "rpc" or "httpnext".',
  ],
  ['vals', { createdAt: '2024-06-11' }, `createdAt: found "2024-06-11"; expected ${TIME}.`],
  ['vals', { createdAt: '10m' }, `createdAt: found "10m"; expected ${TIME}.`],
  ['vals', { createdAt: '-3y' }, `createdAt: found "-3y"; expected ${TIME}.`],
  ['vals', { createdAt: '2023-02-29T00:00:00Z' }, `createdAt: found "2023-02-29T00:00:00Z"; expected ${TIME}.`],
  ['vals', { createdAt: '2024-06-11T22:05:12' }, `createdAt: found "2024-06-11T22:05:12"; expected ${TIME}.`],
  ['vals', { createdAt: 1718143512000 }, `createdAt: found 1718143512000; expected ${TIME}.`],
  [
    'vals',
    { createdAt: '-99999999999999d' },
    'createdAt: found "-99999999999999d"; expected at most 36525d, a hundred years.',
  ],
  ['vals', { versionCreatedAt: 'yesterday' }, `versionCreatedAt: found "yesterday"; expected ${TIME}.`],
  ['vals', { id: 'x' }, `id: found "x"; expected ${UUID}.`],
  ['vals', { private: true }, 'private: unknown key. Did you mean "privacy"?'],
  ['versions', { val: undefined }, `val: missing; expected ${VAL}.`],
  ['versions', { val: 'ada/helo' }, 'val: there is no val "ada/helo". Did you mean "ada/hello"?'],
  ['versions', { val: 'grace/hello' }, 'val: there is no val "grace/hello". Name it "author/name" or by its id.'],
  [
    'versions',
    { val: 'ada/hello/world' },
    'val: there is no val "ada/hello/world". Name it "author/name" or by its id.',
  ],
  ['versions', { code: undefined }, `code: missing; expected ${TEXT}.`],
  ['versions', { code: '' }, 'code: found ""; expected code that is not empty.'],
  ['versions', { version: 2147483648 }, `version: found 2147483648; expected ${VERSION}.`],
  ['versions', { createdAt: '' }, `createdAt: found ""; expected ${TIME}.`],
  ['versions', { readme: 'x' }, 'readme: unknown key. Known keys: val, code, version, createdAt.'],
  ['runs', { val: undefined }, `val: missing; expected ${VAL}.`],
  ['runs', { val: ID }, `val: there is no val "${ID}". Name it "author/name" or by its id.`],
  ['runs', { runStartAt: 'now' }, `runStartAt: found "now"; expected ${TIME}.`],
  ['runs', { runEndAt: 'now' }, `runEndAt: found "now"; expected ${TIME}.`],
  ['runs', { runStartAt: '-5m', runEndAt: '-6m' }, 'runEndAt: lies before runStartAt; a run ends after it starts.'],
  ['runs', { duration: '5' }, `duration: found "5"; expected ${DURATION}.`],
  ['runs', { duration: 5 }, `duration: found 5; expected ${DURATION}.`],
  ['runs', { duration: '-5s' }, `duration: found "-5s"; expected ${DURATION}.`],
  ['runs', { duration: '99999999w' }, 'duration: found "99999999w"; expected at most 36525d, a hundred years.'],
  ['runs', { runEndAt: '+1s', duration: '1s' }, 'duration: expected either duration or runEndAt, not both.'],
  ['runs', { runEndAt: null, duration: '1s' }, 'duration: expected either duration or runEndAt, not both.'],
  ['runs', { error: 5 }, 'error: found 5; expected a string, an object or null.'],
  ['runs', { error: [] }, 'error: found []; expected a string, an object or null.'],
  ['runs', { version: '0' }, `version: found "0"; expected ${VERSION}.`],
  ['runs', { source: 'cron' }, 'source: found "cron"; expected "ui", "api", "interval" or "email".'],
  ['runs', { parentId: 'x' }, `parentId: found "x"; expected ${UUID}.`],
  ['runs', { logs: 'x' }, 'logs: found "x"; expected an array.'],
  [
    'runs',
    { args: [1, { two: Number.POSITIVE_INFINITY }, () => 3] },
    'args[1].two: found Infinity; expected a JSON value.',
    'args[1]: found {"two":null}; expected a JSON value.',
    'args[2]: found () => 3; expected a JSON value.',
  ],
  ['runs', { returnValue: 5n }, 'returnValue: found 5; expected a JSON value.'],
  ['runs', { id: 5 }, `id: found 5; expected ${UUID}.`],
  ['runs', { duraton: '1s' }, 'duraton: unknown key. Did you mean "duration"?'],
  ['likes', { user: undefined }, `user: missing; expected ${USER}.`],
  [
    'likes',
    { user: 'ken', val: 'ken/dice' },
    'user: there is no user "ken". Users: ada, grace.',
    'val: there is no val "ken/dice". Name it "author/name" or by its id.',
  ],
  ['likes', { createdAt: 0 }, `createdAt: found 0; expected ${TIME}.`],
  ['likes', { user: 'Grace', val: '@ADA/Hello' }, ': the same like as likes[0]; expected each like once.'],
  ['likes', { id: ID }, 'id: unknown key. Known keys: user, val, createdAt.'],
  [
    'comments',
    { user: 'ada', author: undefined },
    `author: missing; expected ${USER}.`,
    'user: unknown key. Known keys: author, val, comment, createdAt, id.',
  ],
  ['comments', { author: 'gracE_' }, 'author: there is no user "gracE_". Did you mean "grace"?'],
  ['comments', { comment: undefined }, `comment: missing; expected ${TEXT}.`],
  ['comments', { comment: null }, `comment: found null; expected ${TEXT}.`],
])('of %s, reports a record with %o', (collection, fields, ...problems) => {
  const seed: Record<string, readonly object[]> = { users, vals, likes };
  const before = seed[collection] ?? [];
  const entries = Object.entries({ ...VALID[collection], ...fields }).filter(([, value]) => value !== undefined);
  const found = listProblems(untyped({ ...seed, [collection]: [...before, Object.fromEntries(entries)] }));
  const path = `${collection}[${before.length}]`;
  expect(found).toEqual(problems.map((problem) => (/^[:[]/.test(problem) ? path : `${path}.`) + problem));
});

test.each<[title: string, fixtures: unknown, ...problems: string[]]>([
  [
    'a misspelt collection',
    { like: [] },
    'like: unknown collection "like"; expected users, organizations, memberships, projects, branches, commits, environment, responses, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite. Did you mean "likes"?',
  ],
  [
    'an unknown collection',
    { posts: [] },
    'posts: unknown collection "posts"; expected users, organizations, memberships, projects, branches, commits, environment, responses, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite.',
  ],
  ['a collection that is an object', { users: { ada: {} } }, 'users: found {"ada":{}}; expected an array of users.'],
  ['a collection that is null', { runs: null }, 'runs: found null; expected an array of runs.'],
  ['a record that is a string', { users: ['ada'] }, 'users[0]: found "ada"; expected an object.'],
  ['a record that is null', { vals: [null] }, 'vals[0]: found null; expected an object.'],
  [
    'a collection named like a property of all objects',
    { constructor: [] },
    'constructor: unknown collection "constructor"; expected users, organizations, memberships, projects, branches, commits, environment, responses, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite.',
  ],
])('reports %s', (_, fixtures, ...problems) => {
  expect(listProblems(untyped(fixtures))).toEqual(problems);
});

test.each(['null', '5', '[]'])('reports fixtures that are %s', (fixtures) => {
  expect(listProblems(JSON.parse(fixtures))).toEqual([
    `fixtures: found ${fixtures}; expected an object with any of the keys users, organizations, memberships, projects, branches, commits, environment, responses, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite.`,
  ]);
});

test('reports two records of a collection with the same id', () => {
  const other = '3fa85f64-5717-4562-b3fc-2c963f66afa7';
  const twice = [{ id: ID }, { id: ID.toUpperCase() }];
  const fixtures = {
    users: twice.map((id, i) => ({ username: `user${i}`, ...id })),
    vals: [
      { author: 'user0', name: 'hello', code: '1', id: other },
      ...twice.map((id, i) => ({ author: 'user0', name: `val${i}`, code: '1', ...id })),
    ],
    runs: twice.map((id) => ({ val: other, ...id })),
    comments: twice.map((id) => ({ author: 'user0', val: other, comment: 'x', ...id })),
  };
  expect(listProblems(fixtures)).toEqual([
    `users[1].id: the id "${ID}" is taken by users[0].id; expected another one.`,
    `vals[2].id: the id "${ID}" is taken by vals[1].id; expected another one.`,
    `runs[1].id: the id "${ID}" is taken by runs[0].id; expected another one.`,
    `comments[1].id: the id "${ID}" is taken by comments[0].id; expected another one.`,
  ]);
});

test('reports an id that another val has by default', () => {
  const [hello] = load({ users, vals }).vals;
  const renamed = { author: 'ada', name: 'greet', code: '1', id: hello?.id };
  expect(listProblems({ users, vals: [renamed, ...vals] })).toEqual([
    `vals[1].id: the id "${hello?.id}" is taken by vals[0].id; expected another one.`,
  ]);
});

test('reports versions that contradict each other', () => {
  const named = (name: string, more: object) => ({ author: 'ada', name, ...more });
  const row = (name: string, version?: number) => ({
    val: `ada/${name}`,
    code: '0',
    ...(version !== undefined && { version }),
  });
  const fixtures = {
    users,
    vals: [
      named('twice', { code: '1' }),
      named('counted', { code: '1' }),
      named('below', { code: '1', version: 3 }),
      named('other', { version: 2 }),
      named('missing', { version: 9 }),
      named('late', { versionCreatedAt: '-1d' }),
      named('next', { nextVersion: 3 }),
    ],
    versions: [
      row('twice', 1),
      row('twice', 1),
      row('counted', 1),
      row('counted', 0),
      row('counted'),
      row('below', 3),
      row('other', 2),
      row('other', 3),
      row('missing', 3),
      row('late'),
      row('next', 3),
    ],
  };
  expect(listProblems(untyped(fixtures))).toEqual([
    'versions[1].version: version 1 of this val occurs twice.',
    'versions[4].version: version 1 of this val occurs twice.',
    'vals[2].version: found 3; expected more than 3, the highest in versions.',
    'vals[3].version: found 2; expected 3, the highest in versions, or code for this one.',
    'vals[4].version: found 9; expected 3, the highest in versions, or code for this one.',
    'vals[5].versionCreatedAt: expected only with code; without it the latest version is a record in versions.',
    "vals[6].nextVersion: found 3; expected more than the latest version's number.",
  ]);
});

test('cuts a long value in a message', () => {
  expect(listProblems(untyped({ users: [{ username: 'x'.repeat(1000) }] }))).toEqual([
    `users[0].username: found "${'x'.repeat(56)}...; expected ${NAME}.`,
  ]);
});

test('reports a value that contains itself', () => {
  const loop: { self?: object } = {};
  loop.self = loop;
  expect(listProblems(untyped({ users: [{ username: 'ada', bio: loop }] }))).toEqual([
    'users[0]: nested deeper than 500 levels; expected fewer.',
  ]);
});

test('suggests no name when none is similar', () => {
  const [problem] = listProblems({ users, vals: [{ author: 'margaret', name: 'x', code: '1' }] });
  expect(problem).toBe('vals[0].author: there is no user "margaret". Users: ada, grace.');
});

test('counts the problems and lists them line by line', () => {
  expect(() => load(untyped({ users: [{}], likes: {} }))).toThrow(
    new FixtureError([
      { path: 'users[0].username', message: `missing; expected ${NAME}.` },
      { path: 'likes', message: 'found {}; expected an array of likes.' },
    ]),
  );
  expect(() => load(untyped({ users: [{}], likes: {} }))).toThrow(
    `2 problems in the fixtures:\n  users[0].username: missing; expected ${NAME}.\n  likes: found {}; expected an array of likes.`,
  );
  expect(() => load(untyped({ likes: {} }))).toThrow(/^1 problem in the fixtures:\n {2}likes: [^\n]*$/);
});
