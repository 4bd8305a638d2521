import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { as, emulate } from '../../support/emulate.js';
import { refusal, run, says } from './cli.js';

const ADA = { users: [{ username: 'ada' }] };

async function emulateWrites() {
  const emulator = await emulate(ADA);
  const { body } = await as(emulator, 'ada').post('/v1/vals').send({ name: 'one', code: '1' });
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'ada').post(`/v1/vals/${body.id}/versions`).send({ code: '2' });
  emulator.add.user({ username: 'eve' });
  return emulator;
}

test('history prints commits with the names of what they changed', async () => {
  const { url } = await emulateWrites();
  const { stdout, code } = await run(['history', '--url', url]);
  expect({ lines: stdout.split('\n'), code }).toEqual({
    lines: [
      'id  time                      request                          user  changes',
      'r1  2024-06-11T22:05:12.585Z  POST /v1/vals                    ada   + ada/one',
      'r3  2024-06-11T22:05:12.585Z  POST /v1/vals/{val_id}/versions  ada   ada/one: code',
      'w1  2024-06-11T22:05:12.585Z  POST /_emulator/records          -     + eve',
      '',
    ],
    code: 0,
  });
  const json = await run(['history', '--json', '--url', url]);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { id: 'r1' },
    { id: 'r3' },
    { changes: [{ collection: 'users', name: 'eve' }] },
  ]);
  await run(['reset', '--url', url]);
  expect(await run(['history', '--url', url])).toEqual(says('No commits.'));
});

test('history --record prints the commits that changed a record, with their users', async () => {
  const emulator = await emulateWrites();
  await as(emulator, 'ada').put('/v1/vals').send({ name: 'one', code: '3' });
  emulator.rewind(1);
  const { stdout, code } = await run(['history', '--record', 'ada/one', '--url', emulator.url]);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'r3 POST /v1/vals/{val_id}/versions 2024-06-11T22:05:12.585Z by ada: ada/one: code',
    '  - code: "1"',
    '  + code: "2"',
  ]);
  expect(stdout).toContain('r1 POST /v1/vals 2024-06-11T22:05:12.585Z by ada: + ada/one');
  expect(code).toBe(0);
  const both = await run(['history', 'r1', '--record', 'ada/one', '--url', emulator.url]);
  expect(both).toMatchObject({ stdout: '', code: 2 });
});

test('rewind takes back a number of commits, or those since an id', async () => {
  const emulator = await emulateWrites();
  const { url } = emulator;
  expect(await run(['rewind', '1', '--url', url])).toEqual(
    says(`Took back the last commit at ${url}.\n1 commit taken back; users: 1 removed\n- eve`),
  );
  expect(emulator.users).toHaveLength(1);
  expect(emulator.state().vals).toHaveLength(1);
  const { stdout } = await run(['rewind', 'r1', '--json', '--url', url]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, commits: 2, changes: [{ type: 'removed', name: 'ada/one' }] });
  expect(emulator.state().vals).toEqual([]);
  expect(await run(['rewind', '2', '--url', url])).toEqual(
    refusal('Cannot take back 2 commits: nothing was written yet.', 4),
  );
});

test('rewind rejects zero commits and unknown ids', async () => {
  const { url } = await emulateWrites();
  expect(await run(['rewind', '0', '--url', url])).toEqual(
    refusal('<to>: found "0"; expected a number of commits from 1, or an id such as r17.', 2),
  );
  expect(await run(['rewind', 'r2', '--url', url])).toEqual(
    refusal('There is no commit "r2": the history has the last 3. The last one before it is r1.', 4),
  );
});

test('history of a commit prints its changes as a diff', async () => {
  const emulator = await emulateWrites();
  const { url } = emulator;
  const [val] = emulator.state().vals;
  const late = emulator.add.user({ username: 'lin', bio: null });

  const changed = await run(['history', 'r3', '--url', url]);
  expect(await run(['history', '3', '--url', url])).toEqual(changed);
  const added = await run(['history', 'w2', '--url', url]);

  expect(changed.stdout.split('\n')).toEqual([
    'r3 POST /v1/vals/{val_id}/versions 2024-06-11T22:05:12.585Z',
    `~ vals ada/one (${val?.id})`,
    '  - code: "1"',
    '  + code: "2"',
    '  - version: 0',
    '  + version: 1',
    '  - nextVersion: 1',
    '  + nextVersion: 2',
    `+ versions ada/one version 1 (${val?.id}:1)`,
    '  + val: "ada/one"',
    '  + version: 1',
    '  + code: "2"',
    '  + createdAt: "2024-06-11T22:05:12.585Z"',
    `  + valId: "${val?.id}"`,
    '',
  ]);
  expect(added.stdout.split('\n').slice(1, 4)).toEqual([
    `+ users lin (${late.id})`,
    '  + username: "lin"',
    '  + email: "lin@example.com"',
  ]);
  expect(JSON.parse((await run(['history', 'w2', '--json', '--url', url])).stdout)).toMatchObject({
    id: 'w2',
    total: 1,
  });
  expect(await run(['history', 'r9', '--url', url])).toEqual(
    refusal('There is no commit "r9": the history has the last 4. The last one before it is r3.', 4),
  );
});

test('history prints texts with several lines, and files, by line', async () => {
  const fixtures = {
    ...ADA,
    vals: [{ author: 'ada', name: 'two', code: 'a\nb\nc' }],
    projects: [{ owner: 'ada', name: 'site', files: { 'main.ts': 'one\ntwo\n', 'old.ts': 'x' } }],
  };
  const emulator = await emulate(fixtures);
  const { url } = emulator;
  const { id } = emulator.state().vals[0] ?? {};
  await as(emulator, 'ada').post(`/v1/vals/${id}/versions`).send({ code: 'a\nB\u001b\nc' });
  emulator.add.commit({ branch: 'ada/site@main', files: { 'main.ts': 'one\n2\n', 'old.ts': null, 'lib/x.ts': 'y' } });

  const val = await run(['history', '--record', 'ada/two', '--url', url]);
  expect(val.stdout.split('\n').slice(5, -2)).toEqual(
    ['--- code', '+++ code', '@@ -1,3 +1,3 @@', ' a', '-b', '+B\\u001b', ' c', '\\ No newline at end of file'].map(
      (line) => `  ${line}`,
    ),
  );
  const files = (await run(['history', 'w1', '--url', url])).stdout.split('\n');
  const start = files.findIndex((line) => line.startsWith('~ branches '));
  expect(files.slice(start + 1, start + 17)).toEqual(
    [
      ...['--- /dev/null', '+++ lib/x.ts', '@@ -0,0 +1,1 @@', '+y', '\\ No newline at end of file'],
      ...['--- main.ts', '+++ main.ts', '@@ -1,2 +1,2 @@', ' one', '-two', '+2'],
      ...['--- old.ts', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-x', '\\ No newline at end of file'],
    ].map((line) => `  ${line}`),
  );
  const branch = await run(['history', '--record', 'ada/site@main', '--url', url]);
  expect(branch.stdout).toContain('  -two\n  +2\n');
});

test('history prints rows of SQL before and after, of a commit and of a database', async () => {
  const emulator = await emulate({ ...ADA, sqlite: [{ user: 'ada', rows: { todos: [{ id: 1, done: 0 }] } }] });
  const { url } = emulator;
  const execute = (sql: string) => as(emulator, 'ada').post('/v1/sqlite/execute').send({ statement: sql });
  await execute('UPDATE todos\n  SET done = 1');
  await execute(
    'WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n LIMIT 101) INSERT INTO todos SELECT i, 0 FROM n',
  );

  const updated = [
    'sqlite/ada: UPDATE todos SET done = 1',
    '  - todos {"id":1,"done":0}',
    '  + todos {"id":1,"done":1}',
  ];
  const one = await run(['history', 'r1', '--url', url]);
  expect(one.stdout.trimEnd().split('\n').slice(-3)).toEqual(updated);
  const inserted = (await run(['history', 'r2', '--url', url])).stdout.trimEnd().split('\n');
  expect(inserted.slice(-2)).toEqual(['  + todos {"id":101,"done":0}', '  and 1 more row']);
  const all = await run(['history', 'sqlite/ada', '--url', url]);
  expect(all.stdout).toContain(`\n${updated.join('\n')}\nolder: before r1\n`);
  const record = await run(['requests', 'r1', '--url', url]);
  expect(JSON.parse(record.stdout)).toMatchObject({
    rows: [{ record: 'sqlite/ada', changes: [{ table: 'todos', before: { done: 0 }, after: { done: 1 } }], more: 0 }],
  });
});

test('diff prints the difference of two states, and exits with 1 if they differ', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const diff = (...args: string[]) => run(['diff', ...args, '--url', emulator.url]);
  expect(await diff()).toMatchObject({ code: 0, stdout: 'No differences.\n' });
  await emulator.fork('copy').add.val({ author: 'ada', name: 'hello', code: '1' });
  const { code, stdout } = await diff('sandbox:', 'copy', '--ignore', 'versions');
  expect({ code, first: stdout.split('\n')[0] }).toEqual({
    code: 1,
    first: expect.stringMatching(/^\+ vals ada\/hello \(/),
  });
  emulator.snapshot('copy');
  expect(await diff('copy')).toMatchObject({ code: 4, stderr: expect.stringContaining('fits several states') });
  const cwd = folderOf({ start: '{}' });
  expect(await run(['diff', 'start', '--url', emulator.url], { cwd })).toMatchObject({
    code: 2,
    stderr: 'val-emulator: "start" fits several states; use commit:start or fixture:start.\n',
  });
});
