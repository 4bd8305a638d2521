import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../src/create-engine.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { todo } from '../../engine/todo.js';
import { emulate } from '../../support/emulate.js';
import { run } from './cli.js';

const ADA = { users: [{ username: 'ada' }] };

test('users prints names, ids and tokens', async () => {
  const nameless = '0b6f2f0a-5c4f-4a3e-9a51-3f6a6d1f7c11';
  const emulator = await emulate({ users: [{ username: 'ada' }, { id: nameless, username: null, token: 'secret' }] });
  const [ada] = emulator.users.map(({ id }) => id);
  const { stdout, code } = await run(['users', '--url', emulator.url]);
  expect({
    cells: stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/)),
    code,
  }).toEqual({
    cells: [
      ['username', 'id', 'token'],
      ['ada', ada, 'ada-token'],
      ['-', nameless, 'secret'],
    ],
    code: 0,
  });
  const json = await run(['users', '--json', '--url', emulator.url]);
  expect(JSON.parse(json.stdout)).toEqual(emulator.users);
});

test('add prints the record with all defaults', async () => {
  const emulator = await emulate(ADA);
  const { stdout, stderr, code } = await run(['add', 'user', '{"username":"eve"}', '--url', emulator.url]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(JSON.parse(stdout)).toEqual(emulator.state().users.find(({ username }) => username === 'eve'));
  expect(stdout.split('\n').length).toBeGreaterThan(3);
});

test('add finds the kinds of records of another service, and other commands name what it lacks', async () => {
  const engine = await createEngine(todo, { port: 0 });
  onTestFinished(() => engine.close());
  const { url } = engine;

  const added = await run(['add', 'todo', '{"owner":"ada","title":"New"}', '--url', url]);
  expect(added).toMatchObject({ stderr: '', code: 0 });
  expect(JSON.parse(added.stdout)).toMatchObject({ owner: 'ada', title: 'New', done: false });
  expect((await run(['add', 'todos', '[{"owner":"ada","title":"Newer"}]', '--url', url])).code).toBe(0);
  expect(engine.state().todos.map(({ title }) => title)).toEqual(['Rest', 'New', 'Newer']);
  expect(await run(['add', 'tood', '{}', '--url', url])).toMatchObject({
    stderr: expect.stringContaining('<kind>: found "tood"; expected user or todo. Did you mean "todo"?'),
    code: 2,
  });
  expect(await run(['emails', '--url', url])).toMatchObject({
    stderr: expect.stringContaining(
      `The service at ${url} does not have GET /_emulator/emails. Its collections: users, todos.`,
    ),
    code: 4,
  });
});

test('add takes a list, from a file or from stdin', async () => {
  const emulator = await emulate(ADA);
  const { url } = emulator;
  const vals = [
    { author: 'ada', name: 'one', code: '1' },
    { author: 'ada', name: 'two', code: '2' },
  ];
  const cwd = folderOf({ 'vals.json': vals });
  const added = await run(['add', 'val', './vals.json', '--json', '--url', url], { cwd });
  expect(JSON.parse(added.stdout)).toMatchObject(vals);
  const input = JSON.stringify([{ val: 'ada/one', error: 'boom' }]);
  expect(await run(['add', 'run', '-', '--url', url], { input })).toMatchObject({ code: 0 });
  expect(await run(['add', 'like', '{"user":"ada","val":"ada/one"}', '--url', url])).toMatchObject({ code: 0 });
  const comment = '{"author":"ada","val":"ada/two","comment":"Nice"}';
  expect(await run(['add', 'comment', comment, '--url', url])).toMatchObject({ code: 0 });
  const { runs, likes, comments } = emulator.state();
  expect({ runs, likes, comments }).toMatchObject({
    runs: [{ val: 'ada/one', error: 'boom' }],
    likes: [{ user: 'ada', val: 'ada/one' }],
    comments: [{ author: 'ada', val: 'ada/two', comment: 'Nice' }],
  });
});

test('an invalid record in a list adds none, and each problem is listed', async () => {
  const emulator = await emulate(ADA);
  const records = JSON.stringify([{ username: 'eve' }, { username: 'ada' }, { username: 3 }]);
  const { stdout, stderr, code } = await run(['add', 'user', records, '--json', '--url', emulator.url]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
  const paths: string[] = JSON.parse(stderr).error.problems.map(({ path }: { path: string }) => path);
  expect(paths).toContainEqual(expect.stringMatching(/\[2\]\.?username/));
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
});

test('edit changes fields of a record by its name, and delete removes what refers to it', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }, { username: 'mira' }],
    vals: [{ author: 'mira', name: 'report', code: '1' }],
    likes: [{ user: 'ada', val: 'mira/report' }],
    sqlite: [{ user: 'ada', sql: 'CREATE TABLE a (b)' }],
  });
  const ask = (...args: string[]) => run([...args, '--url', emulator.url], { input: '{"readme":"Hi"}' });
  const edited = await ask('edit', 'val', 'mira/report', '{"privacy":"private"}');
  expect(edited).toMatchObject({ stderr: '', code: 0 });
  expect(JSON.parse(edited.stdout)).toMatchObject({ author: 'mira', name: 'report', code: '1', privacy: 'private' });
  expect(await ask('edit', 'vals', 'mira/report', '-')).toMatchObject({ code: 0 });
  expect(emulator.state().vals).toMatchObject([{ privacy: 'private', readme: 'Hi' }]);
  expect(emulator.history().map(({ request }) => request)).toEqual(Array(2).fill('PATCH /_emulator/records/vals/{id}'));

  expect((await ask('delete', 'sqlite', 'ada')).stdout).toBe(
    `Deleted sqlite ada of ${emulator.url}, and what refers to it.\n`,
  );
  expect(JSON.parse((await ask('delete', 'val', 'mira/report', '--json')).stdout)).toEqual({ ok: true });
  const [id = ''] = emulator.users.map((user) => user.id);
  expect(await ask('delete', 'user', id)).toMatchObject({ code: 0 });
  const { users, vals, likes, sqlite } = emulator.state();
  expect({ users, vals, likes, sqlite }).toMatchObject({
    users: [{ username: 'mira' }],
    vals: [],
    likes: [],
    sqlite: [],
  });
});

test('add reads a file by its absolute path, also after a kind that could be a method', async () => {
  const emulator = await emulate(ADA);
  const path = join(folderOf({ 'eve.json': { username: 'eve' } }), 'eve.json');
  expect(await run(['add', 'user', path, '--url', emulator.url])).toMatchObject({ stderr: '', code: 0 });
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada', 'eve']);
});

test.each<[args: string[], message: RegExp, code: number]>([
  [
    ['add', 'usr', '{}'],
    /<kind>: found "usr"; expected user, organization, membership, project, branch, commit, environmentVariable, response, client, token, val, run, like, comment, email, blob or sqlite\. Did you mean "user"\?/,
    2,
  ],
  [['add', 'user', '{"username":eve}'], /JSON line 1, column 13: not valid JSON: found "eve"; expected a value/, 2],
  [['add', 'user', '-'], /stdin line 1, column 1: not valid JSON: found the end of the file/, 2],
  [['add', 'user', './broken.json'], /\.\/broken\.json line 1, column 2: not valid JSON/, 2],
  [
    ['add', 'user', './missing.json'],
    /<records>: found "\.\/missing\.json", and there is no such file; expected JSON such as .*, a JSON file, or - for stdin\.$/m,
    2,
  ],
  [['edit', 'val', 'ada/hello', 'code=1'], /<fields>: found "code=1", and there is no such file; expected JSON/, 2],
  [['edit', 'ada/hello', '{}'], /Missing argument: found 2 of 3: <kind> <id> <fields>\./, 2],
  [['add', 'user'], /Missing argument: found 1 of 2: <kind> <records>\./, 2],
  [['add', 'user', '{"username":"eve","age":3}'], /age/, 4],
  [['edit', 'usr', 'ada', '{"bio":"Hi"}'], /<kind>: found "usr"; expected .*version.*\. Did you mean "user"\?/, 2],
  [['edit', 'user', 'ada'], /Missing argument: found 2 of 3: <kind> <id> <fields>\./, 2],
  [['edit', 'user', 'ada', '[]'], /<fields>: found "\[\]"; expected an object with the fields that change\./, 2],
  [['edit', 'user', 'ada', '{}'], /<fields>: found "{}"; expected an object with the fields that change\./, 2],
  [
    ['edit', 'user', 'ada', '{"id":"a"}'],
    /user\.id: found "a"; expected .*, since the id of a record cannot change/,
    4,
  ],
  [['edit', 'user', '..', '{"bio":"Hi"}'], /Invalid name "\.\.": a URL cannot contain it/, 2],
  [['edit', 'user', 'ada', '{"age":3}'], /user\.age: unknown key/, 4],
  [['edit', 'user', 'ada', '{"tier":"gold"}'], /user\.tier: found "gold"; expected "free"/, 4],
  [['edit', 'user', 'adda', '{"bio":"Hi"}'], /There is no record "adda" in users\. Did you mean "ada"\?/, 4],
  [['delete', 'val', 'hello'], /There is no record "hello" in vals\. Name it "author\/name" or by its id\./, 4],
])('%j ends with an error and changes nothing', async (args, message, code) => {
  const emulator = await emulate(ADA);
  const cwd = folderOf({});
  writeFileSync(join(cwd, 'broken.json'), '{');
  const ended = await run([...args, '--url', emulator.url], { cwd });
  expect(ended).toEqual({ stdout: '', stderr: expect.stringMatching(message), code });
  expect(emulator.users).toHaveLength(1);
});
