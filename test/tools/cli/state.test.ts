import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { as, emulate } from '../../support/emulate.js';
import { refusal, run, says } from './cli.js';

const ADA = { users: [{ username: 'ada' }] };
const HELLO = { ...ADA, vals: [{ author: 'ada', name: 'hello', code: '1' }] };

/** What the loss of the val says. */
const HELLO_GONE = 'vals: 1 removed; versions: 1 removed\n- ada/hello';

test('reset restores the seed data', async () => {
  const emulator = await emulate(HELLO);
  emulator.add.user({ username: 'bob' });
  emulator.fail('GET /v1/me');
  emulator.clock.advance('1h');
  const undo = `val-emulator snapshot restore before-reset --url ${emulator.url}`;
  expect(await run(['reset', '--url', emulator.url])).toEqual(
    says(
      `Reset ${emulator.url} to its seed data. Take it back: ${undo}\n1 commit taken back; users: 1 removed; faults changed; clock changed\n- bob`,
    ),
  );
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
  expect(emulator.faults()).toEqual([]);
  expect(emulator.clock.read().now).toBe('2024-06-11T22:05:12.585Z');
});

test('reset and seed keep what was written, as one snapshot', async () => {
  const emulator = await emulate(HELLO);
  const { url } = emulator;
  const names = () => emulator.users.map(({ username }) => username);
  emulator.add.user({ username: 'bob' });
  await run(['reset', '--url', url]);
  // Nothing was written since: the snapshot stays.
  expect((await run(['reset', '--json', '--url', url])).stdout).toBe(
    '{"ok":true,"commits":0,"total":0,"counts":{},"changes":[],"others":[]}\n',
  );
  expect((await run(['reset', '--url', url])).stdout).toBe(`Reset ${url} to its seed data.\nNothing changed.\n`);
  await run(['snapshot', 'restore', 'before-reset', '--url', url]);
  expect(names()).toEqual(['ada', 'bob']);
  emulator.add.user({ username: 'cleo' });
  expect(JSON.parse((await run(['seed', 'empty', '--json', '--url', url])).stdout)).toEqual({
    ok: true,
    ...{ snapshot: 'before-reset', commits: 2, others: [] },
    counts: {
      users: { added: 0, changed: 0, removed: 2 },
      vals: { added: 0, changed: 0, removed: 1 },
      versions: { added: 0, changed: 0, removed: 1 },
    },
    total: 4,
    changes: ['cleo', 'bob', 'ada/hello'].map((name) => expect.objectContaining({ type: 'removed', name })),
  });
  await run(['snapshot', 'restore', 'before-reset', '--url', url]);
  expect(names()).toEqual(['ada', 'bob', 'cleo']);
  expect(emulator.snapshots()).toHaveLength(1);
});

test('seed loads fixtures that ship, by name', async () => {
  const emulator = await emulate(HELLO);
  expect(await run(['seed', 'empty', '--url', emulator.url])).toEqual(
    says(`Loaded empty into ${emulator.url}.\n${HELLO_GONE}`),
  );
  expect(emulator.state().vals).toEqual([]);
  expect(emulator.users).toHaveLength(1);
});

test('seed loads a file or a folder, read where the command runs', async () => {
  const cwd = folderOf({ 'demo.json': HELLO, 'town/users.json': [{ username: 'bob' }], 'town/notes.txt': 'no data' });
  const emulator = await emulate({});
  const { url } = emulator;
  expect(await run(['seed', 'demo.json', '--url', url], { cwd })).toEqual(
    says(`Loaded demo.json into ${url}.\nusers: 1 added; vals: 1 added; versions: 1 added\n+ ada, + ada/hello`),
  );
  expect(emulator.state().vals).toMatchObject([{ author: 'ada', name: 'hello', code: '1' }]);
  expect(await run(['seed', './town', '--url', url], { cwd })).toEqual(
    says(`Loaded ./town into ${url}.\nusers: 1 added, 1 removed; vals: 1 removed; versions: 1 removed\n- ada, + bob`),
  );
  expect(emulator.users.map(({ username }) => username)).toEqual(['bob']);
  await run(['reset', '--url', url]);
  expect(emulator.users.map(({ username }) => username)).toEqual(['bob']);
});

test('seed creates a missing sandbox, and does not change others', async () => {
  const emulator = await emulate(HELLO);
  const { url } = emulator;
  const place = `${url}/_sandbox/checkout`;
  expect(await run(['seed', 'empty', '--url', url, '--sandbox', 'checkout'])).toEqual(
    says(`Loaded empty into ${place}.\n${HELLO_GONE}`),
  );
  expect(emulator.sandbox('checkout').state().vals).toEqual([]);
  expect(emulator.state().vals).toHaveLength(1);
  expect(await run(['seed', 'empty', '--url', url, '--sandbox', 'a b'])).toEqual(
    refusal('--sandbox: found "a b"; expected 1–64 of A–Z a–z 0–9 . _ -.'),
  );
});

test('seed reports all errors, and changes nothing', async () => {
  const cwd = folderOf({
    'demo.json': { ...ADA, vals: [{ author: 'ada', name: 'x', code: '1', privacy: 'publik' }, { author: 'bob' }] },
    'broken.json': '{ "users": [ }',
  });
  const emulator = await emulate(HELLO);
  const seed = (name: string) => run(['seed', name, '--url', emulator.url], { cwd });
  expect(await seed('demo.json')).toEqual(
    refusal(
      [
        '3 problems in the fixtures:',
        '  vals[0].privacy: found "publik"; expected "public", "unlisted" or "private". Did you mean "public"?',
        '  vals[1].name: missing; expected a name of 1 to 48 letters, digits and _ that begins with a letter.',
        '  vals[1].author: there is no user "bob". Users: ada.',
      ].join('\n'),
      4,
    ),
  );
  expect(await seed('broken.json')).toEqual(
    refusal(
      '1 problem in the fixtures:\n  broken.json line 1, column 14: not valid JSON: found "}"; expected a value.',
    ),
  );
  expect((await seed('emtpy')).stderr).toMatch(
    /emtpy: no such file, folder or built-in dataset .* Did you mean "empty"\?\n$/,
  );
  expect(emulator.state().vals).toHaveLength(1);
});

test('snapshot keeps a state, and restore returns to it', async () => {
  const emulator = await emulate(HELLO);
  const ask = (...args: string[]) => run([...args, '--url', emulator.url]);
  expect(await ask('snapshot', 'list')).toEqual(says('No snapshots.'));
  expect(await ask('snapshot', 'save', 'before checkout')).toEqual(
    says(`Took snapshot "before checkout" of ${emulator.url}.`),
  );
  emulator.add.val({ author: 'ada', name: 'second', code: '2' });
  expect(await ask('snapshot', 'save')).toEqual(says(`Took snapshot snapshot-2 of ${emulator.url}.`));
  expect(await ask('snapshot', 'list')).toEqual(
    says(
      [
        'name               time',
        '"before checkout"  2024-06-11T22:05:12.585Z',
        'snapshot-2         2024-06-11T22:05:12.585Z',
      ].join('\n'),
    ),
  );
  expect(await ask('snapshot', 'restore', 'before checkout')).toEqual(
    says(
      `Restored snapshot "before checkout" of ${emulator.url}.\n1 commit taken back; vals: 1 removed; versions: 1 removed\n- ada/second`,
    ),
  );
  expect(emulator.state().vals).toHaveLength(1);
  expect(await ask('snapshot', 'restore', 'snapshot-2')).toMatchObject({ code: 0 });
  expect(emulator.state().vals).toHaveLength(2);
});

test('a failed snapshot or restore ends with a sentence, and exit code 4 if the emulator refuses it', async () => {
  const emulator = await emulate(ADA);
  emulator.snapshot('one');
  const ask = (...args: string[]) => run([...args, '--url', emulator.url]);
  expect(await ask('snapshot', 'restore', 'onee')).toEqual(
    refusal('There is no snapshot "onee". Did you mean "one"?', 4),
  );
  expect(await ask('snapshot', 'restore', '..')).toEqual(refusal('Invalid name "..": a URL cannot contain it.'));
});

test('state prints the records as fixtures, which load again', async () => {
  const emulator = await emulate(HELLO);
  const { stdout, stderr, code } = await run(['state', '--url', emulator.url]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^\{\n {2}"users": \[\n/);
  expect(stdout).toContain('ada-token');
  const cwd = folderOf({ 'state.json': stdout });
  expect(await run(['seed', 'state.json', '--url', emulator.url], { cwd })).toMatchObject({ code: 0 });
  const { body } = await as(emulator).get('/_emulator/state');
  expect(body).toEqual(JSON.parse(stdout));
});

test('state --out replaces a file as a whole, also behind a link, and leaves no other file', async () => {
  const cwd = folderOf({ 'kept/demo.json': `{"users": [${' '.repeat(30_000)}]}` });
  symlinkSync('kept/demo.json', join(cwd, 'link.json'));
  const emulator = await emulate(HELLO);
  const ask = (...args: string[]) => run(['state', ...args, '--url', emulator.url], { cwd });
  expect(await ask('--out', 'link.json')).toEqual(says(`Wrote the records of ${emulator.url} to link.json.`));
  expect(await ask('-o', 'new.json', '--json')).toEqual(says('{"ok":true}'));
  expect(lstatSync(join(cwd, 'link.json')).isSymbolicLink()).toBe(true);
  expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(['kept', 'kept/demo.json', 'link.json', 'new.json']);
  const written = readFileSync(join(cwd, 'kept/demo.json'), 'utf8');
  expect(readFileSync(join(cwd, 'new.json'), 'utf8')).toBe(written);
  expect((await run(['state', '--url', emulator.url])).stdout).toBe(written);
});

test('an unwritable file ends with a sentence and exit code 2, and leaves no other file', async () => {
  const cwd = folderOf({ 'folder/demo.json': '{}' });
  const { url } = await emulate(ADA);
  for (const [out, problem] of [
    ['missing/demo.json', /^val-emulator: --out: cannot write missing\/demo\.json \(E.*\)\.\n$/],
    [
      'folder',
      /^val-emulator: --out: the folder folder contains demo\.json, which does not belong to a fixture\. .*\n$/,
    ],
  ] as const) {
    const { stdout, stderr, code } = await run(['state', '--url', url, '--out', out], { cwd });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(problem);
  }
  expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(['folder', 'folder/demo.json']);
});

test('state --relative --brief prints fixtures as they are written by hand, and --out takes a folder', async () => {
  const cwd = folderOf({});
  const emulator = await emulate({
    users: [{ username: 'ada', token: 'secret' }],
    vals: [{ author: 'ada', name: 'hello', code: '1', createdAt: '-10m' }],
  });
  const flags = ['--relative', '--brief', '--url', emulator.url];
  expect((await run(['state', ...flags])).stdout).toBe(`{
  "users": [
    {"username":"ada","token":"secret"}
  ],
  "organizations": [],
  "memberships": [],
  "projects": [],
  "branches": [],
  "commits": [],
  "environment": [],
  "responses": [],
  "clients": [],
  "grants": [],
  "tokens": [],
  "vals": [
    {"author":"ada","name":"hello","code":"1","createdAt":"-10m"}
  ],
  "versions": [],
  "runs": [],
  "likes": [],
  "comments": [],
  "emails": [],
  "blobs": [],
  "sqlite": []
}
`);
  expect((await run(['state', ...flags, '--out', 'demo/'], { cwd })).stderr).toBe('');
  const names = [
    ...['blobs', 'branches', 'clients', 'comments', 'commits', 'emails', 'environment', 'grants', 'likes'],
    ...[
      'memberships',
      'organizations',
      'projects',
      'responses',
      'runs',
      'sqlite',
      'tokens',
      'users',
      'vals',
      'versions',
    ],
  ];
  expect(readdirSync(join(cwd, 'demo')).sort()).toEqual(names.map((name) => `${name}.json`));
  expect(readFileSync(join(cwd, 'demo/users.json'), 'utf8')).toBe('[\n  {"username":"ada","token":"secret"}\n]\n');
  expect((await run(['state', '--no-tokens', '--url', emulator.url, '--out', 'demo'], { cwd })).stderr).toBe('');
  expect(JSON.parse(readFileSync(join(cwd, 'demo/users.json'), 'utf8'))[0]).not.toHaveProperty('token');
});

test('snapshot drop drops one snapshot', async () => {
  const emulator = await emulate(HELLO);
  const ask = (...args: string[]) => run(['snapshot', 'drop', ...args, '--url', emulator.url]);
  for (const name of ['one', 'two']) emulator.snapshot(name);
  expect(await ask('onee')).toEqual(refusal('There is no snapshot "onee". Did you mean "one"?', 4));
  expect(await ask('one')).toEqual(says(`Dropped snapshot one of ${emulator.url}.`));
  expect(emulator.snapshots()).toMatchObject([{ name: 'two' }]);
});
