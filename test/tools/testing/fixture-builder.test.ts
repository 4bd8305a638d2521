import { expect, expectTypeOf, test } from 'vitest';
import { createEmulator, FixtureBuilderError, type Fixtures, fixture } from '../../../src/index.js';
import { LOADED_AT, listProblems, load } from '../../engine/seed/loading.js';

const before = (milliseconds: number) => Date.parse(LOADED_AT) - milliseconds;
const MINUTE = 60_000;

test('fixtures are built in one expression', () => {
  const built = fixture()
    .user('ada', { bio: 'Hello' })
    .val('hello', { code: 'export const hello = 1;', privacy: 'private', ago: '2d' })
    .run({ error: 'boom', ago: '5m' })
    .run({ duration: '2s', source: 'api' })
    .user('grace')
    .val('bye')
    .like('ada', { ago: '1m' })
    .comment('ada', 'Nice', { ago: '90s' })
    .build();
  expect(built).toStrictEqual({
    users: [{ username: 'ada', bio: 'Hello' }, { username: 'grace' }],
    tokens: [],
    ...{ organizations: [], memberships: [], projects: [], branches: [], commits: [], environment: [], responses: [] },
    vals: [
      { author: 'ada', name: 'hello', code: 'export const hello = 1;', privacy: 'private', createdAt: '-2d' },
      { author: 'grace', name: 'bye', code: 'export const value = 1;' },
    ],
    versions: [],
    runs: [
      { val: 'ada/hello', error: 'boom', runStartAt: '-5m' },
      { val: 'ada/hello', duration: '2s', source: 'api' },
    ],
    likes: [{ user: 'ada', val: 'grace/bye', createdAt: '-1m' }],
    comments: [{ author: 'ada', val: 'grace/bye', comment: 'Nice', createdAt: '-90s' }],
    emails: [],
    blobs: [],
    sqlite: [],
  });
  expectTypeOf(built).toExtend<Fixtures>();
});

test('each step can be loaded', () => {
  const user = fixture().user('ada');
  expectTypeOf(user).toExtend<Fixtures>();
  expect([...load(user).users].map(({ username }) => username)).toEqual(['ada']);
  const run = user.val('hello').run({ ago: '5m' });
  expect([...load(run).runs].map(({ runStartAt }) => runStartAt)).toEqual([before(5 * MINUTE)]);
  expect(listProblems(fixture())).toEqual([]);
});

test('all steps share their records, which later steps do not change in built fixtures', () => {
  const small = fixture();
  const ada = small.user('ada');
  for (const name of ['one', 'two', 'three']) ada.val(name).run();
  const built = small.build();
  ada.val('four');
  expect(built.vals.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  expect(small.vals.map(({ name }) => name)).toEqual(['one', 'two', 'three', 'four']);
});

test('a user and a val can be continued later', () => {
  const { vals, runs } = fixture().user('ada').val('hello').user('grace').val('hello').user('Ada').val('HELLO').run();
  expect(vals).toHaveLength(2);
  expect(runs).toEqual([{ val: 'ada/hello' }]);
});

test('a new version makes the current one an older one', () => {
  const state = load(
    fixture()
      .user('ada')
      .val('hello', { code: 'one', ago: '3h' })
      .version('two', { ago: '2h' })
      .version(['three', '!'], { ago: '1h' })
      .run({ version: 1, ago: '90m' }),
  );
  const [val] = state.vals;
  expect(val?.latest).toMatchObject({ version: 2, code: 'three\n!', createdAt: before(60 * MINUTE) });
  const versions = [...state.versions].map(({ version, code, createdAt }) => [version, code, createdAt]);
  expect(versions).toEqual([
    [2, 'three\n!', before(60 * MINUTE)],
    [1, 'two', before(120 * MINUTE)],
    [0, 'one', before(180 * MINUTE)],
  ]);
});

test('versions can be numbered', () => {
  const val = fixture().user('ada').val('hello', { version: 3 }).version('later').version('last', { version: 9 });
  expect(val.build()).toMatchObject({
    vals: [{ version: 9, code: 'last' }],
    versions: [{ version: 3 }, { version: 4 }],
  });
  expect(() => val.version('again', { version: 9 })).toThrow(
    'version 9 of ada/hello: found 9; expected more than 9, its latest.',
  );
});

test('emails and blobs belong to the user of the step', () => {
  const built = fixture()
    .user('ada')
    .email({ to: 'grace@example.com', subject: 'The report', ago: '5m' })
    .blob('report.json', { json: { ready: true }, ago: '1h' })
    .val('hello')
    .blob('empty')
    .user('grace')
    .email()
    .build();
  expect([built.emails, built.blobs]).toStrictEqual([
    [{ user: 'ada', to: 'grace@example.com', subject: 'The report', createdAt: '-5m' }, { user: 'grace' }],
    [
      { user: 'ada', key: 'report.json', json: { ready: true }, createdAt: '-1h' },
      { user: 'ada', key: 'empty' },
    ],
  ]);
  const { emails, blobs } = load(built);
  expect([...emails].map(({ subject, to, createdAt }) => [subject, to[0]?.email, createdAt]).sort()).toEqual([
    ['', 'grace@example.com', before(0)],
    ['The report', 'grace@example.com', before(5 * MINUTE)],
  ]);
  expect([...blobs].map(({ key, body, createdAt }) => [key, Buffer.from(body).toString(), createdAt])).toEqual([
    ['empty', '', before(0)],
    ['report.json', '{"ready":true}', before(60 * MINUTE)],
  ]);
});

test('a user has one database', () => {
  const rows = { todo: [{ title: 'Write', done: false }] };
  const step = fixture().user('ada').database({ sql: 'CREATE TABLE todo (title, done)', rows, ago: '5m' });
  const built = step.val('hello').user('grace').database({ rows }).build();
  expect(built.sqlite).toStrictEqual([
    { user: 'ada', sql: 'CREATE TABLE todo (title, done)', rows, updatedAt: '-5m' },
    { user: 'grace', rows },
  ]);
  const times = [...load(built).sqlite].map(({ updatedAt }) => updatedAt);
  expect(times.sort()).toEqual([before(5 * MINUTE), before(0)]);
  expect(() => step.database({})).toThrow(
    'database "ada" exists already: pass settings to the first call of database().',
  );
});

test('times can be absolute', () => {
  const { runs, vals } = fixture()
    .user('ada')
    .val('hello', { createdAt: '2024-01-01T00:00:00Z' })
    .run({ runStartAt: '-1h', runEndAt: null })
    .build();
  expect(vals[0]).toMatchObject({ createdAt: '2024-01-01T00:00:00Z' });
  expect(runs[0]).toEqual({ val: 'ada/hello', runStartAt: '-1h', runEndAt: null });
});

test.each([
  ['http', 'new Response'],
  ['httpnext', 'new Response'],
  ['express', 'res.send'],
  ['interval', 'interval: Interval'],
  ['email', 'email: Email'],
  ['script', 'export const'],
  ['rpc', 'export const'],
] as const)('a val of type %s has code of this type', (type, code) => {
  expect(fixture().user('ada').val('hello', { type }).vals[0]?.code).toContain(code);
});

const hello = () => fixture().user('ada').val('hello');

test.each([
  [
    'a user twice',
    () => hello().user('Ada', { bio: 'again' }),
    'user "Ada" exists already: pass settings to the first call of user().',
  ],
  [
    'a val twice',
    () => hello().val('Hello', { code: '2' }),
    'val "ada/Hello" exists already: pass settings to the first call of val().',
  ],
  ['a like of an unknown user', () => hello().like('grace'), 'there is no user "grace". Call .user("grace") first.'],
  ['a comment of a misspelt user', () => hello().comment('adda', 'Hi'), 'there is no user "adda". Did you mean "ada"?'],
  [
    'an unreadable time',
    () => hello().run({ ago: '5 minutes' }),
    'ago: found "5 minutes"; expected a length of time such as "90s"',
  ],
  ['a time with a sign', () => hello().run({ ago: '-5m' }), 'ago: found "-5m"; expected a length of time'],
  ['no time at all', () => hello().run(JSON.parse('{ "ago": 5 }')), 'ago: found 5; expected a length of time'],
  [
    'two times',
    () => hello().run({ ago: '5m', runStartAt: '-5m' }),
    'found both ago and runStartAt; expected one of them.',
  ],
  [
    'two times of a blob',
    () => hello().blob('a', { ago: '5m', createdAt: '-5m' }),
    'found both ago and createdAt; expected one of them.',
  ],
  ['an unreadable time of an email', () => hello().email({ ago: 'soon' }), 'ago: found "soon"; expected a length'],
])('%s is refused', (_, call, message) => {
  expect(call).toThrow(FixtureBuilderError);
  expect(call).toThrow(message);
});

test('the loader reports errors that the builder does not check', () => {
  expect(listProblems(fixture().user('a-b').val('x').run({ version: -1 }))).toEqual([
    expect.stringContaining('users[0].username: found "a-b"'),
    expect.stringContaining('runs[0].version: found -1'),
  ]);
});

test('each step can be passed to an emulator', async () => {
  const fixtures = fixture().user('ada').val('hello').run({ error: 'boom', ago: '5m' });
  await using emulator = await createEmulator({ fixtures, now: LOADED_AT, listen: false });
  expect(emulator.state().runs).toMatchObject([
    { val: 'ada/hello', error: 'boom', runStartAt: '2024-06-11T22:00:12.000Z' },
  ]);
  emulator.reseed(fixtures.user('grace'));
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada', 'grace']);
});

test('projects have branches, commits and variables', async () => {
  const built = fixture()
    .user('ada')
    .project('site', { files: { 'main.http.ts': 'one' }, privacy: 'private', ago: '3d' })
    .env('API_KEY', 's3cret', { description: 'Ours' })
    .commit({ 'main.http.ts': 'two' }, { ago: '2d' })
    .branch('draft', { ago: '1d' })
    .commit({ 'new.ts': '' }, { ago: '2h' })
    .response('main.http.ts', { branch: 'draft', result: 'ok' })
    .branch('main')
    .commit({ 'main.http.ts': null })
    .user('grace')
    .organization('acme', { ago: '9d' })
    .member('ada', { role: 'owner' })
    .member('grace')
    .project('tools')
    .branch('next')
    .commit({ 'a.ts': '' })
    .project('tools')
    .build();
  expect(built).toMatchObject({
    users: [{ username: 'ada' }, { username: 'grace' }],
    organizations: [{ username: 'acme', createdAt: '-9d' }],
    memberships: [
      { organization: 'acme', user: 'ada', role: 'owner' },
      { organization: 'acme', user: 'grace' },
    ],
    projects: [
      { owner: 'ada', name: 'site', files: { 'main.http.ts': 'one' }, privacy: 'private', createdAt: '-3d' },
      { owner: 'acme', name: 'tools' },
    ],
    branches: [
      { project: 'ada/site', name: 'draft', createdAt: '-1d', version: 2 },
      { project: 'acme/tools', name: 'next', version: 0 },
    ],
    commits: [
      { branch: 'ada/site@main', files: { 'main.http.ts': 'two' }, createdAt: '-2d' },
      { branch: 'ada/site@draft', files: { 'new.ts': '' }, createdAt: '-2h' },
      { branch: 'ada/site@main', files: { 'main.http.ts': null } },
      { branch: 'acme/tools@next', files: { 'a.ts': '' } },
    ],
    environment: [{ project: 'ada/site', key: 'API_KEY', value: 's3cret', description: 'Ours' }],
    responses: [{ project: 'ada/site', file: 'main.http.ts', branch: 'draft', result: 'ok' }],
  });
  const state = load(built);
  expect([...state.branches].map(({ name, version }) => [name, version]).sort()).toEqual([
    ...[
      ['draft', 1],
      ['main', 0],
      ['main', 3],
      ['next', 1],
    ],
  ]);
  const draft = [...state.branches].find(({ name }) => name === 'draft');
  expect(Array.from(draft?.files.tree ?? [], ({ path }) => path)).toEqual(['main.http.ts', 'new.ts']);
});

test('a branch of the settings of a project has its latest version as the start of another', () => {
  const branches = [{ name: 'old', commits: [{ files: { 'a.ts': '' } }] }];
  const built = fixture().user('ada').project('site', { branches }).branch('new', { from: 'old' }).build();
  expect(built.branches).toEqual([{ project: 'ada/site', name: 'new', from: 'old' }]);
  expect([...load(built).branches].map(({ files }) => files.tree.size).sort()).toEqual([0, 1, 1]);
});

test.each([
  [
    'the settings of a project twice',
    () => fixture().user('ada').project('site').project('Site', {}),
    'project "ada/Site" exists already: pass settings to the first call of project().',
  ],
  [
    'the settings of main',
    () => fixture().user('ada').project('site').branch('main', {}),
    'branch "ada/site@main" exists already: pass settings to the first call of branch().',
  ],
  [
    'the settings of an organization twice',
    () => fixture().organization('acme').organization('ACME', {}),
    'organization "ACME" exists already: pass settings to the first call of organization().',
  ],
  [
    'an unknown member',
    () => fixture().user('ada').organization('acme').member('adda'),
    'there is no user "adda". Did you mean "ada"?',
  ],
])('%s is an error', (_, build, message) => {
  expect(build).toThrow(new FixtureBuilderError(message));
});
