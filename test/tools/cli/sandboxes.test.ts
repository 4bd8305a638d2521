import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';
import { refusal, run, says } from './cli.js';

const ADA = { users: [{ username: 'ada' }] };

async function emulateJobs() {
  const emulator = await emulate(ADA);
  for (const name of ['job7-a', 'job7-b', 'checkout']) emulator.sandbox(name);
  return emulator;
}

test('sandboxes lists names, owners, age, requests and journal size', async () => {
  const emulator = await emulate(ADA);
  expect(await run(['sandboxes', '--url', emulator.url])).toEqual(says('No sandboxes.'));
  emulator.sandbox('checkout', { owner: 'job-17' });
  await as(emulator, 'ada').get('/v1/me').set('X-Emulator-Sandbox', 'checkout');
  const [{ createdAt = '', lastUse = '', journalSize = 0 } = {}] = emulator.sandboxes();
  const { stdout, code } = await run(['sandboxes', '--url', emulator.url]);
  expect({
    cells: stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    code,
  }).toEqual({
    cells: [
      ['name', 'owner', 'created', 'last use', 'expires', 'requests', 'journal', 'kept', 'url'],
      [
        ...['checkout', 'job-17', createdAt, lastUse, 'never', '1', String(journalSize), 'no'],
        `${emulator.url}/_sandbox/checkout`,
      ],
    ],
    code: 0,
  });
});

test('sandboxes --prefix lists the sandboxes of a job, and --clear closes them', async () => {
  const emulator = await emulateJobs();
  const { url } = emulator;
  const names = () => emulator.sandboxes().map(({ name }) => name);
  const listed = await run(['sandboxes', '--prefix', 'job7-', '--json', '--url', url]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'job7-a' }, { name: 'job7-b' }]);
  expect(await run(['sandboxes', '--clear', '--prefix', 'job7-', '--url', url])).toEqual(
    says(`Closed 2 sandboxes of ${url}.`),
  );
  expect(names()).toEqual(['checkout']);
  expect(await run(['sandboxes', '--clear', '--json', '--url', url])).toEqual(says('{"closed":1}'));
  expect(names()).toEqual([]);
});

test('sandboxes opens one by name, or with a new name, and closes one', async () => {
  const { url } = await emulate(ADA);
  const ask = (...flags: string[]) => run(['sandboxes', ...flags, '--url', url]);
  expect(await ask('--open', 'checkout')).toEqual(says(`Opened sandbox checkout: ${url}/_sandbox/checkout`));
  expect(await ask('--close', 'checkout')).toEqual(says(`Closed sandbox checkout of ${url}.`));
  expect(await ask('--close', 'checkout')).toEqual(refusal('There is no sandbox "checkout".', 4));
  expect(await ask('--open', 'checkout')).toMatchObject({ code: 0 });
  const opened = await ask('--open', '--json');
  expect(JSON.parse(opened.stdout).url).toMatch(new RegExp(`^${url}/_sandbox/.+`));
});

test('sandboxes and fork set the owner of a new sandbox', async () => {
  const emulator = await emulate(ADA);
  const { url } = emulator;
  await run(['sandboxes', '--open', 'one', '--owner', 'job-17', '--url', url]);
  await run(['fork', 'two', '--owner', 'ada', '--url', url]);
  expect(emulator.sandboxes()).toMatchObject([
    { name: 'one', owner: 'job-17' },
    { name: 'two', owner: 'ada' },
  ]);
});

test('sandboxes acts on the whole emulator, whichever sandbox is selected', async () => {
  const { url } = await emulateJobs();
  const ways = [
    run(['sandboxes', '--json', '--url', `${url}/_sandbox/unknown`]),
    run(['sandboxes', '--json', '--url', url], { env: { VAL_EMULATOR_SANDBOX: 'unknown' } }),
  ];
  for (const { stdout, code } of await Promise.all(ways)) {
    expect({ length: JSON.parse(stdout).length, code }).toEqual({ length: 3, code: 0 });
  }
});

test.each<[flags: string[], message: string]>([
  [['--clear', '--close', 'a'], 'Use either --close or --clear, not both.'],
  [['--open', 'a', '--prefix', 'b'], 'Use either --open or --prefix, not both.'],
  [['--clear', '--prefix', ''], '--prefix: found ""; expected the start of a name such as job7-.'],
  [['--owner', 'a', '--clear'], '--owner: use it with --open.'],
  [['--sandbox', 'a', '--clear'], 'Unknown argument: --sandbox.\nSee val-emulator sandboxes --help.'],
])('sandboxes %j ends with an error and closes nothing', async (flags, message) => {
  const emulator = await emulateJobs();
  expect(await run(['sandboxes', ...flags, '--url', emulator.url])).toEqual(refusal(message));
  expect(emulator.sandboxes()).toHaveLength(3);
});

test('fork copies a sandbox in its current state or in the state after a commit', async () => {
  const emulator = await emulate(ADA);
  const { url } = emulator;
  const source = emulator.sandbox('source');
  source.add.user({ username: 'eve' });
  source.add.user({ username: 'mia' });
  const users = (name: string) => emulator.sandbox(name).users.map(({ username }) => username);

  const words = await run(['fork', 'copy', '--sandbox', 'source', '--url', url]);
  const json = await run(['fork', 'past', '--at', 'w1', '--sandbox', 'source', '--json', '--url', url]);

  expect(words).toEqual(says(`Forked sandbox copy: ${url}/_sandbox/copy`));
  expect(json).toEqual(says(`{"name":"past","url":"${url}/_sandbox/past"}`));
  expect(users('copy')).toEqual(['ada', 'eve', 'mia']);
  expect(users('past')).toEqual(['ada', 'eve']);
  expect(await run(['fork', 'more', '--at', 'w9', '--sandbox', 'source', '--url', url])).toEqual(
    refusal('There is no commit "w9": the history has the last 2. The last one before it is w2.', 4),
  );
});

test('snapshot save --at takes the state after a commit', async () => {
  const emulator = await emulate(ADA);
  emulator.add.user({ username: 'eve' });
  emulator.add.user({ username: 'mia' });

  const taken = await run(['snapshot', 'save', 'past', '--at', 'w1', '--url', emulator.url]);
  emulator.restore('past');

  expect(taken).toEqual(says(`Took snapshot past of ${emulator.url}.`));
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada', 'eve']);
});
