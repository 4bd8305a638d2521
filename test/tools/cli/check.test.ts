import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { verdict } from '../../engine/fixtures/verdict.js';
import { emulate } from '../../support/emulate.js';
import { run } from './cli.js';

const GOOD = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: '2' }],
  versions: [{ val: 'ada/hello', code: '1' }],
  runs: [{ val: 'ada/hello' }],
};
const BAD = { users: [{ username: 'ada', tier: 'gold' }], runs: [{ val: 'ada/helo' }] };
const HOLDS = {
  ...{
    users: 2,
    organizations: 0,
    memberships: 0,
    projects: 0,
    branches: 0,
    commits: 0,
    environment: 0,
    responses: 0,
    clients: 0,
    grants: 0,
    tokens: 0,
  },
  ...{ vals: 1, versions: 2, runs: 1, likes: 0, comments: 0, emails: 0, blobs: 0, sqlite: 0 },
};

test('a file, a folder and a name have a line each with their records', async () => {
  const cwd = folderOf({ 'good.json': GOOD, 'mine/users.json': GOOD.users });

  const { stdout, stderr, code } = await run(['check', './good.json', 'mine', 'empty'], { cwd });

  expect(stdout).toBe('./good.json: 2 users, 1 val, 2 versions, 1 run.\nmine: 2 users.\nempty: 1 user.\n');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('empty fixtures are valid', async () => {
  const { stdout, code } = await run(['check', 'none.json'], { cwd: folderOf({ 'none.json': {} }) });
  expect({ stdout, code }).toEqual({ stdout: 'none.json: no records.\n', code: 0 });
});

test('every mistake in every argument is printed with its place, and the exit code is 1', async () => {
  const cwd = folderOf({ 'good.json': GOOD, 'bad.json': BAD, 'mine/users.json': '[{"username": "ada" "tier"}]' });

  const { stdout, stderr, code } = await run(['check', 'bad.json', 'good.json', 'mine'], { cwd });

  expect(stdout.split('\n')).toEqual([
    'bad.json users[0].tier: found "gold"; expected "free", "pro" or null.',
    'bad.json runs[0].val: there is no val "ada/helo". Name it "author/name" or by its id.',
    'bad.json: 2 problems.',
    'good.json: 2 users, 1 val, 2 versions, 1 run.',
    'mine/users.json line 1, column 21: not valid JSON: found "tier"; expected "," or a closing bracket.',
    'mine: 1 problem.',
    '',
  ]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 1 });
});

test('a missing file ends with exit code 2, after the report on the others', async () => {
  const cwd = folderOf({ 'bad.json': BAD, 'nothing/README.md': '' });

  const { stdout, stderr, code } = await run(['check', 'emty', 'bad.json', 'nothing'], { cwd });

  expect(stdout).toMatch(/\nbad\.json: 2 problems\.\n$/);
  expect(stderr).toMatch(
    /^val-emulator: emty: no such file, folder or built-in dataset.* Did you mean "empty"\?\nnothing: no JSON files/,
  );
  expect(code).toBe(2);
});

test('--json prints the same report for a program', async () => {
  const cwd = folderOf({ 'good.json': GOOD, 'bad.json': { users: [{}] } });

  const { stdout, code } = await run(['check', 'good.json', 'bad.json', '--json'], { cwd });

  expect(JSON.parse(stdout)).toEqual([
    { fixtures: 'good.json', isSession: false, problems: [], counts: HOLDS },
    {
      fixtures: 'bad.json',
      isSession: false,
      problems: [{ path: 'bad.json users[0].username', message: expect.stringMatching(/^missing; expected a name/) }],
      counts: null,
    },
  ]);
  expect(stdout).toMatch(/^[^\n]*\n$/);
  expect(code).toBe(1);
});

test('a session is opened, and a damaged one is a problem', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  emulator.add.val({ author: 'ada', name: 'hello', code: '1' });
  const cwd = folderOf({});
  const session = await (await fetch(`${emulator.url}/_emulator/session`)).text();
  writeFileSync(join(cwd, 'bug.ndjson'), session);
  writeFileSync(join(cwd, 'torn.ndjson'), session.slice(0, -20));

  expect(await run(['check', 'bug.ndjson', 'empty'], { cwd })).toEqual({
    stdout: 'bug.ndjson: a session, at its end with 1 user, 1 val, 1 version.\nempty: 1 user.\n',
    stderr: '',
    code: 0,
  });
  const { stdout, code } = await run(['check', 'torn.ndjson'], { cwd });
  expect(stdout).toMatch(/^torn\.ndjson: (?!torn).+\ntorn\.ndjson: a session, at its end with 1 problem\.\n$/);
  expect(code).toBe(1);
  expect((await run(['start', '--fixtures', 'bug.ndjson'], { cwd })).stderr).toContain(
    'bug.ndjson: a session; open it by --session (option session).',
  );
});

test('check without an argument is refused', async () => {
  const { stderr, code } = await run(['check']);
  expect(stderr).toBe('val-emulator: Missing argument: <fixture..>.\nSee val-emulator check --help.\n');
  expect(code).toBe(2);
});

const HOUR_AGO = { author: 'ada', name: 'hello', code: '1', createdAt: '-1h' };

test.each([
  ['an end before the start', { runs: [{ val: 'ada/hello', runStartAt: '-1m', runEndAt: '-2m' }] }],
  ['a next version that is not above the latest', { vals: [{ ...HOUR_AGO, version: 4, nextVersion: 4 }] }],
  ['a time more than a hundred years ago', { vals: [{ ...HOUR_AGO, createdAt: '-36526d' }] }],
])('check finds %s, which the schema accepts', async (_what, fixtures) => {
  const demo = { users: GOOD.users, vals: [HOUR_AGO], ...fixtures };
  const path = join(folderOf({ 'demo.json': demo }), 'demo.json');

  expect(verdict(demo)).toBeUndefined();
  expect((await run(['check', path])).code).toBe(1);
});

test('- is what stdin has', async () => {
  const check = (input: string, ...others: string[]) => run(['check', ...others, '-'], { input });
  expect(await check(JSON.stringify(GOOD), 'empty')).toEqual({
    stdout: 'empty: 1 user.\nstdin: 2 users, 1 val, 2 versions, 1 run.\n',
    stderr: '',
    code: 0,
  });
  expect(await check('garbage')).toMatchObject({
    stdout: expect.stringMatching(/^stdin line 1, column 1: not valid JSON: .*\nstdin: 1 problem\.\n$/),
    code: 1,
  });
  const { stdout, code } = await check(JSON.stringify(BAD), '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([
    { fixtures: '-', counts: null, problems: [{ path: 'stdin users[0].tier' }, { path: 'stdin runs[0].val' }] },
  ]);
});

test.skipIf(process.platform === 'win32')('a pipe is read once', async () => {
  const cwd = folderOf({ 'good.json': GOOD });
  const pipe = join(cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  spawn('sh', ['-c', 'cat good.json > pipe'], { cwd });
  const { stdout, code } = await run(['check', pipe]);
  expect({ stdout, code }).toEqual({ stdout: `${pipe}: 2 users, 1 val, 2 versions, 1 run.\n`, code: 0 });
});
