import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs, { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createEmulator } from '../../../src/index.js';
import { folderOf, load } from '../../engine/fixtures/loading.js';
import { as, emulate } from '../../support/emulate.js';
import { launch, refusal, run, serve, spawnCli } from './cli.js';

const SMALL = ['generate', '--users', '2', '--vals', '6', '--runs', '20'];
/** More than can be written before a test is done with it. */
const HUGE = ['generate', '--vals', '10', '--runs', '50000000'];
const NOW = '2024-06-11T22:05:12.585Z';

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const countsIn = (path: string) => {
  const { users, vals, runs } = load(path);
  return [users, vals, runs].map((collection) => collection.size);
};
/** All names in a folder, those that begin with a dot as well. */
const namesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe('generate', () => {
  test('writes a fixture to stdout, and nothing else', async () => {
    const { stdout, stderr, code } = await run(SMALL);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const world = JSON.parse(stdout);
    expect([world.users.length, world.vals.length, world.runs.length]).toEqual([2, 6, 20]);
    expect(await run([...SMALL, '--out', '-'])).toEqual({ stdout, stderr, code });
  });

  test('writes a file whose name ends in .json, with the bytes that stdout gets', async () => {
    const cwd = folderOf({});
    const said = { stdout: 'Wrote 2 users, 6 vals, 20 runs to demo.json.\n', stderr: '', code: 0 };
    expect(await run([...SMALL, '--out', 'demo.json'], { cwd })).toEqual(said);
    expect(namesIn(cwd)).toEqual(['demo.json']);
    expect(countsIn(join(cwd, 'demo.json'))).toEqual([2, 6, 20]);
    expect(hashOf(readFileSync(join(cwd, 'demo.json')))).toBe(hashOf((await run(SMALL)).stdout));
  });

  test('writes any other name as a folder, and into an existing one', async () => {
    const cwd = folderOf({ 'there/README.md': '# Ours', 'there/users.json': '[]' });
    mkdirSync(join(cwd, 'odd.json'));
    const files = ['comments.json', 'likes.json', 'runs.json', 'users.json', 'versions.json', 'vals.json'];
    for (const out of ['new', 'there', 'odd.json']) {
      expect(await run([...SMALL, '--out', out, '--quiet'], { cwd })).toEqual({ stdout: '', stderr: '', code: 0 });
      expect(namesIn(join(cwd, out)).filter((name) => name !== 'README.md')).toEqual(files.toSorted());
      expect(countsIn(join(cwd, out))).toEqual([2, 6, 20]);
    }
    expect(readFileSync(join(cwd, 'there/README.md'), 'utf8')).toBe('# Ours');
  });

  test('takes settings as --generate has them, and its help lists them all', async () => {
    const cwd = folderOf({ 'people.json': ['lin'] });
    const flags = ['--users', '2', '--vals', '6', '--runs', '20', '--company', 'Acme, Inc', '--people', 'people.json'];
    const given = await run(['generate', ...flags], { cwd });
    expect(given).toMatchObject({ stderr: '', code: 0 });
    for (const words of [
      ['users=2', 'vals=6', 'runs=20', 'company=Acme, Inc', 'people=people.json'],
      ['users=2,vals=6,runs=20,company=Acme, Inc,people=people.json'],
      ['users=2,vals=6', '--runs', '20', 'company=Acme, Inc', '--people', 'people.json'],
    ]) {
      expect(await run(['generate', ...words], { cwd })).toEqual(given);
    }
    const { users } = JSON.parse(given.stdout);
    expect(users[0]).toMatchObject({ username: 'lin', email: 'lin@acme-inc.example' });
    const { command } = await serve(['--json', '--generate', 'users=2,company=Acme, Inc,people=people.json'], { cwd });
    expect(JSON.parse(command.stdout).users[0].username).toBe('lin');

    const settings = ['users', 'vals', 'runs', 'days', 'seed', 'company', 'people'];
    for (const name of ['start', 'exec', 'seed']) {
      const [, description = ''] = /--generate +([^[]*)\[/.exec((await run([name, '--help'])).stdout) ?? [];
      expect(description.match(/\w+(?=[=,]|\s*$)/g)).toEqual(expect.arrayContaining(settings));
    }
    const { stdout } = await run(['generate', '--help']);
    for (const setting of settings) expect(stdout).toContain(`--${setting} `);
  });

  test.each<[words: string[], message: string]>([
    [['Acme'], '<settings>: found "Acme"; expected settings such as users=50,seed=42.'],
    [['users=2', 'users=3'], '<settings> users: given twice; give it once.'],
    [['users=2', '--users', '3'], '--users: given twice; give it once.'],
    [['user=2'], '--user: unknown key. Did you mean "users"?'],
    [['users=x'], '--users: found "x"; expected a whole number from 0 to 100000.'],
  ])('generate %j ends with a sentence and exit code 2', async (words, message) => {
    expect(await run(['generate', ...words])).toEqual(refusal(message));
  });

  test('missing sizes are in proportion, and a seed gives another world', async () => {
    const [one, again, other] = await Promise.all(
      ['1', '1', '2'].map((seed) => run(['generate', '--users', '3', '--seed', seed])),
    );
    expect(JSON.parse(one?.stdout ?? '').runs).toHaveLength(600);
    expect(again?.stdout).toBe(one?.stdout);
    expect(other?.stdout).not.toBe(one?.stdout);
  });

  test('replaces a file as a whole, also behind a link', async () => {
    const cwd = folderOf({ 'kept/demo.json': `{"runs": [${' '.repeat(100_000)}]}` });
    symlinkSync('kept/demo.json', join(cwd, 'link.json'));
    expect(await run([...SMALL, '--out', 'link.json'], { cwd })).toMatchObject({ code: 0 });
    expect(lstatSync(join(cwd, 'link.json')).isSymbolicLink()).toBe(true);
    expect(countsIn(join(cwd, 'kept/demo.json'))).toEqual([2, 6, 20]);
  });

  test.each<[args: string[], message: string]>([
    [
      ['--users', 'many', '--days', '0'],
      '--users: found "many"; expected a whole number from 0 to 100000.\n--days: found 0; expected a whole number of days from 1 to 3650.',
    ],
    [['--runs', '1e6'], '--runs: found "1e6"; expected a whole number from 0 to 100000000.'],
    [['--users', '0', '--vals', '5'], '--users: found 0; expected at least 1, as author of the 5 vals.'],
    [['--out', 'notes.txt'], '--out: notes.txt is a file. Use a name that ends in .json, or a folder.'],
    [
      ['--out', 'project'],
      '--out: the folder project contains package.json, which does not belong to a fixture. Use a folder without other JSON files.',
    ],
  ])('%j ends with a sentence and exit code 2, and writes nothing', async (args, message) => {
    const cwd = folderOf({ 'notes.txt': 'mine', 'project/package.json': '{}' });
    const command = args[0] === '--out' ? SMALL : ['generate'];
    expect(await run([...command, ...args], { cwd })).toEqual(refusal(message));
    expect(namesIn(cwd)).toEqual(['notes.txt', 'project', 'project/package.json']);
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test.each(['missing/demo.json', 'missing/demo'])(
    '%s in a missing folder ends with a sentence and exit code 2',
    async (out) => {
      const { stdout, stderr, code } = await run([...SMALL, '--out', out], { cwd: folderOf({}) });
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toMatch(/^val-emulator: --out: cannot write missing\/\S+ \(ENOENT.*\)\.\n$/);
    },
  );

  test.skipIf(!existsSync('/dev/full'))('a full disk ends with a sentence and exit code 2', async () => {
    const { stdout, stderr, code } = await run([...SMALL, '--out', '/dev/full']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(/^val-emulator: --out: cannot write \/dev\/full \(ENOSPC.*\)\.\n$/);
  });

  test('ends without an error when its reader ends', async () => {
    const command = spawnCli(HUGE);
    await command.prints(/"users"/);
    command.child.stdout?.destroy();
    const { stderr, code } = await command.end();
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  test.each<[signal: NodeJS.Signals, out: string, temporary: string]>([
    ['SIGINT', 'demo.json', '.demo.json'],
    ['SIGTERM', 'demo', '.runs.json'],
  ])('%s during the write of %s leaves no file', async (signal, out, temporary) => {
    const cwd = folderOf({});
    const command = spawnCli([...HUGE, '--out', out], { cwd });
    const closed = once(command.child, 'close');
    while (!namesIn(cwd).some((name) => name.includes(temporary))) await sleep(20);
    command.child.kill(signal);
    const [code, how] = await closed;
    expect([code, how]).toEqual([null, signal]);
    expect([command.stdout, command.stderr]).toEqual(['', '']);
    expect(namesIn(cwd)).toEqual([]);
  });

  test('an interruption leaves existing files unchanged', async () => {
    const cwd = folderOf({ 'demo/users.json': '[{"username":"ada"}]', 'demo/notes.md': '' });
    const command = launch([...HUGE, '--out', 'demo'], { cwd });
    while (!namesIn(cwd).some((name) => name.includes('.runs.json'))) await sleep(20);
    expect(await command.kill('SIGINT')).toEqual({ stdout: '', stderr: '', code: 130 });
    expect(command.raised).toEqual(['SIGINT']);
    expect(namesIn(cwd)).toEqual(['demo', 'demo/notes.md', 'demo/users.json']);
    expect(countsIn(join(cwd, 'demo'))).toEqual([1, 0, 0]);
  });
});

describe('start --generate', () => {
  test('starts with generated data, also by the variable', async () => {
    await using same = await createEmulator({ generate: { users: 3, seed: 7 }, now: NOW, listen: false });
    for (const way of [
      serve(['--generate', 'users=3, seed=7', '--now', NOW]),
      serve(['--now', NOW], { env: { VAL_EMULATOR_GENERATE: 'users=3,seed=7' } }),
    ]) {
      const { url } = await way;
      const { users: _, ...records } = JSON.parse(await (await fetch(`${url}/_emulator/state`)).text());
      const { users: __, ...expected } = JSON.parse(JSON.stringify(same.state()));
      expect(records).toEqual(expected);
    }
  });

  test('gives the same responses to the byte in any place, under a frozen clock', async () => {
    const ask = `fetch(process.env.VAL_EMULATOR_URL + '/v1/me/runs?limit=100', {
      headers: { authorization: 'Bearer ' + process.env.VAL_EMULATOR_TOKEN },
    }).then((response) => response.text()).then((text) => console.log(text.replaceAll(process.env.VAL_EMULATOR_URL, '')))`;
    const asked = ['Pacific/Auckland', 'America/St_Johns'].map((TZ) =>
      spawnCli(['exec', '--generate', 'users=4,seed=3', '--now', NOW, '--', process.execPath, '-e', ask], {
        env: { TZ },
      }).end(),
    );
    const [first, second] = await Promise.all(asked);
    expect(JSON.parse(first?.stdout ?? '').data).toHaveLength(100);
    expect(second).toEqual(first);
  });

  test('needs no sizes', async () => {
    const { command } = await serve(['--json', '--generate']);
    expect(JSON.parse(command.stdout).users).toHaveLength(20);
  });

  test('prints at most as many users as fit on a page', async () => {
    const { command } = await serve(['--generate', 'users=50']);
    await command.prints(/ {2}and 30 more\n/);
    expect(command.stdout.match(/-token\n/g)).toHaveLength(20);
  });

  test.each<[args: string[], message: string]>([
    [['--generate', '50'], '--generate: found "50"; expected settings such as users=50,seed=42.'],
    [
      ['--generate', 'users=50;seed=1'],
      '--generate users: found "50;seed=1"; expected a whole number from 0 to 100000.',
    ],
    [['--generate', 'user=5'], '--generate user: unknown key. Did you mean "users"?'],
    [['--generate', 'users=2', '--fixtures', 'empty'], '--generate: expected either generate or fixtures, not both.'],
  ])('%j ends with a sentence and exit code 2', async (args, message) => {
    expect(await run(['start', ...args])).toEqual(refusal(message));
  });

  test('a conflict between a flag and a variable names the variable', async () => {
    expect(await run(['start', '--fixtures', 'empty'], { env: { VAL_EMULATOR_GENERATE: 'users=2' } })).toEqual(
      refusal('--generate (or VAL_EMULATOR_GENERATE): expected either generate or fixtures, not both.'),
    );
  });
});

describe('seed --generate', () => {
  test('gives a running emulator generated data', async () => {
    const emulator = await emulate({});
    const ended = await run(['seed', '--generate', 'users=3,vals=9', '--url', emulator.url]);
    const loaded = `Loaded generated data into ${emulator.url}.\nusers: 3 added; vals: 9 added; `;
    expect(ended).toEqual({ stdout: expect.stringContaining(loaded), stderr: '', code: 0 });
    expect([emulator.users.length, emulator.state().vals.length]).toEqual([3, 9]);
    const [first] = emulator.users;
    await as(emulator, first?.username ?? '')
      .get('/v1/me')
      .expect(200);
  });

  test.each<[args: string[], message: string]>([
    [[], 'Missing fixtures. Name them, or use --generate.'],
    [['empty', '--generate'], 'Use either --generate or <fixtures>, not both.'],
    [['--generate', 'runs=200001'], '--generate runs: found 200001; expected a whole number from 0 to 200000.'],
    [['--generate', 'user=5'], '--generate user: unknown key. Did you mean "users"?'],
    [['--generate', 'vals=0,runs=1'], '--generate vals: found 0; expected at least 1, for the 1 runs.'],
    [['--generate', 'users=2;days=1'], '--generate users: found "2;days=1"; expected a whole number from 0 to 1000.'],
  ])('%j ends with a sentence and exit code 2', async (args, message) => {
    const { url } = await emulate({});
    expect(await run(['seed', ...args, '--url', url])).toEqual(refusal(message));
  });
});

test('a file that a command writes is synced before it gets its name, and its folder is synced then', async () => {
  const path = join(folderOf({}), 'fixtures.json');
  const synced: string[] = [];
  const { fsync } = fs;
  const { open } = fs.promises;
  const files = vi.spyOn(fs, 'fsync').mockImplementation((fd, done) => {
    synced.push(`file, ${fs.fstatSync(fd).size > 0}, ${fs.existsSync(path)}`);
    fsync(fd, done);
  });
  const folders = vi.spyOn(fs.promises, 'open').mockImplementation((name, flags) => {
    if (name === dirname(path)) synced.push(`folder, ${fs.existsSync(path)}`);
    return open(name, flags);
  });
  const { code } = await run(['generate', '--users', '2', '--vals', '2', '--out', path]);
  files.mockRestore();
  folders.mockRestore();
  expect({ code, synced }).toEqual({ code: 0, synced: ['file, true, false', 'folder, true'] });
});
