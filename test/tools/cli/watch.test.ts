import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { launch, run, serve } from './cli.js';

const worldOf = (...usernames: string[]) => JSON.stringify({ users: usersOf(...usernames) });
const usersOf = (...usernames: string[]) => usernames.map((username) => ({ username }));

/** An emulator that watches `fixtures` in a new folder with these files. */
async function watching(fixtures: string, files: Readonly<Record<string, unknown>>, ...flags: string[]) {
  const cwd = folderOf(files);
  const { command, url } = await serve(['--watch', '--fixtures', fixtures, ...flags], { cwd });
  return { command, url, path: (name: string) => join(cwd, name) };
}

async function usersAt(url: string): Promise<string[]> {
  const response = await fetch(`${url}/_emulator/users`);
  const users: { username: string }[] = JSON.parse(await response.text());
  return users.map(({ username }) => username);
}

test('a saved file is loaded, and a line lists its records', async () => {
  const { command, url, path } = await watching('./demo.json', { 'demo.json': worldOf('ada') });

  writeFileSync(path('demo.json'), worldOf('ada', 'grace'));

  await command.prints(/\nReloaded \.\/demo\.json: 2 users\.\n/);
  expect(await usersAt(url)).toEqual(['ada', 'grace']);
  expect(command.stderr).toBe('');
});

test('a file that replaces the watched one is loaded, as many editors save', async () => {
  const { command, url, path } = await watching('demo.json', { 'demo.json': worldOf('ada') });

  for (const names of [['grace'], ['edsger', 'barbara', 'ken']]) {
    writeFileSync(path('.demo.json.swp'), worldOf(...names));
    renameSync(path('.demo.json.swp'), path('demo.json'));
    await command.prints(new RegExp(`Reloaded demo\\.json: ${names.length} user`));
    expect(await usersAt(url)).toEqual(names);
  }
});

test('of several saves in a row the last one is loaded', async () => {
  const { command, url, path } = await watching('demo.json', { 'demo.json': worldOf('ada') });

  for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c']]) writeFileSync(path('demo.json'), worldOf(...names));

  await command.prints(/Reloaded demo\.json: 3 users\./);
  expect(await usersAt(url)).toEqual(['a', 'b', 'c']);
});

test('a mistake is printed with its place and changes nothing; the next save without one is loaded', async () => {
  const { command, url, path } = await watching('demo.json', { 'demo.json': worldOf('ada') });
  await fetch(`${url}/_emulator/records/users`, {
    method: 'POST',
    body: '{"username":"hopper"}',
    headers: { 'content-type': 'application/json' },
  });

  writeFileSync(path('demo.json'), '{"users": [{"username": "ada", "tier": "gold"}]}');
  await command.printsError(
    /demo\.json users\[0\]\.tier: found "gold"; expected "free", "pro" or null\.\nKeeping the previously/,
  );
  expect(await usersAt(url)).toEqual(['ada', 'hopper']);

  writeFileSync(path('demo.json'), '{"users": [');
  await command.printsError(/demo\.json line 1, column 12: not valid JSON: found the end of the file/);
  expect(await usersAt(url)).toEqual(['ada', 'hopper']);

  writeFileSync(path('demo.json'), worldOf('grace'));
  await command.prints(
    /Reloaded demo\.json: 1 user\. Take it back: val-emulator snapshot restore before-reset --url http:.*\n1 commit taken back; users: 1 added, 2 removed\n/,
  );
  expect(await usersAt(url)).toEqual(['grace']);
  await fetch(`${url}/_emulator/snapshots/before-reset/restore`, { method: 'POST' });
  expect(await usersAt(url)).toEqual(['ada', 'hopper']);
});

test('a deleted file changes nothing until it is back', async () => {
  const { command, url, path } = await watching('demo.json', { 'demo.json': worldOf('ada') });

  rmSync(path('demo.json'));
  await command.printsError(/demo\.json: no such file, folder or built-in dataset/);
  expect(await usersAt(url)).toEqual(['ada']);

  writeFileSync(path('demo.json'), worldOf('ada', 'grace'));
  await command.prints(/Reloaded demo\.json: 2 users\./);
  expect(await usersAt(url)).toEqual(['ada', 'grace']);
});

test('every file of a folder is watched, also a new one, and the folder may be gone for a while', async () => {
  const { command, url, path } = await watching('mine', { 'mine/users.json': usersOf('ada') });

  writeFileSync(path('mine/users.json'), JSON.stringify(usersOf('ada', 'grace')));
  await command.prints(/Reloaded mine: 2 users\./);

  writeFileSync(path('mine/vals.json'), JSON.stringify([{ author: 'ada', name: 'hello', code: '1' }]));
  await command.prints(/Reloaded mine: 2 users, 1 val, 1 version\./);

  rmSync(path('mine'), { recursive: true });
  await command.printsError(/mine: no (?:such file, folder or built-in dataset|JSON files)/);
  expect(await usersAt(url)).toEqual(['ada', 'grace']);

  mkdirSync(path('mine'));
  writeFileSync(path('mine/users.json'), JSON.stringify(usersOf('ken', 'barbara', 'edsger')));
  await command.prints(/Reloaded mine: 3 users\./);
  expect(await usersAt(url)).toEqual(['ken', 'barbara', 'edsger']);
});

const filesAt = async (url: string): Promise<unknown> => {
  const state = JSON.parse(await (await fetch(`${url}/_emulator/state?brief=true`)).text());
  return state.commits[0].files;
};

test('the folder of a project of the fixtures is watched, also a folder that a saved file names', async () => {
  const fixtureOf = (folder: string) =>
    JSON.stringify({ users: usersOf('ada'), projects: [{ owner: 'ada', name: 'site', folder }] });
  const { command, url, path } = await watching('demo.json', {
    'demo.json': fixtureOf('./one'),
    'one/main.ts': '1',
    'two/main.ts': '2',
  });

  mkdirSync(path('one/lib/node_modules'), { recursive: true });
  writeFileSync(path('one/lib/a.ts'), 'a');
  await command.prints(/Reloaded one: 1 user, 1 project/);
  expect(await filesAt(url)).toMatchObject({ 'main.ts': '1', 'lib/a.ts': 'a' });

  writeFileSync(path('one/lib/a.ts'), Buffer.from([0xff, 0x00]));
  await command.printsError(/one\/lib\/a\.ts: binary; expected text in UTF-8.*\nKeeping the previously loaded data/);
  expect(await filesAt(url)).toMatchObject({ 'main.ts': '1', 'lib/a.ts': 'a' });

  writeFileSync(path('demo.json'), fixtureOf('./two'));
  await command.prints(/Reloaded demo\.json: 1 user, 1 project/);
  writeFileSync(path('two/main.ts'), '3');
  await command.prints(/Reloaded two: 1 user, 1 project/);
  expect(await filesAt(url)).toEqual({ 'main.ts': '3' });
});

test('a folder of --project is watched, with built-in fixtures as well, and may be gone for a while', async () => {
  const cwd = folderOf({ 'site/main.ts': '1' });
  const { command, url } = await serve(['--watch', '--fixtures', 'empty', '--project', 'ada/site=./site'], { cwd });
  expect(await filesAt(url)).toEqual({ 'main.ts': '1' });

  writeFileSync(join(cwd, 'site/main.ts'), '2');
  await command.prints(/Reloaded site: /);
  expect(await filesAt(url)).toEqual({ 'main.ts': '2' });

  rmSync(join(cwd, 'site'), { recursive: true });
  await command.printsError(/site.*\nKeeping the previously loaded data/s);
  mkdirSync(join(cwd, 'site'));
  writeFileSync(join(cwd, 'site/main.ts'), '3');
  await expect.poll(() => filesAt(url), { timeout: 10_000 }).toEqual({ 'main.ts': '3' });
});

test('existing sandboxes keep their data until a reset loads the saved file, and new ones begin with it', async () => {
  const { command, url, path } = await watching('demo.json', { 'demo.json': worldOf('ada') });
  const [old, own] = [`${url}/_sandbox/old`, `${url}/_sandbox/own`];
  await usersAt(old);
  const headers = { 'content-type': 'application/json' };
  await fetch(`${own}/_emulator/seed`, { method: 'PUT', body: worldOf('edsger'), headers });
  const reset = (sandbox: string) => fetch(`${sandbox}/_emulator/reset`, { method: 'POST' });

  for (const names of [['grace'], ['grace', 'ken']]) {
    writeFileSync(path('demo.json'), worldOf(...names));
    await command.prints(new RegExp(`Reloaded demo\\.json: ${names.length} user`));
  }

  expect(await usersAt(old)).toEqual(['ada']);
  await reset(old);
  expect(await usersAt(old)).toEqual(['grace', 'ken']);
  expect(await usersAt(`${url}/_sandbox/new`)).toEqual(['grace', 'ken']);
  await reset(own);
  expect(await usersAt(own)).toEqual(['edsger']);
});

test('with --json a save is loaded without output', async () => {
  const { command, url, path } = await watching('demo.json', { 'demo.json': worldOf('ada') }, '--json');

  writeFileSync(path('demo.json'), worldOf('grace'));

  await expect.poll(() => usersAt(url)).toContain('grace');
  const { stdout, code } = await command.kill('SIGTERM');
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(code).toBe(0);
});

test('VAL_EMULATOR_WATCH watches the fixtures', async () => {
  const cwd = folderOf({ 'demo.json': worldOf('ada') });
  const env = { VAL_EMULATOR_WATCH: '1', VAL_EMULATOR_QUIET: '1' };
  const { command } = await serve(['--fixtures', 'demo.json'], { cwd, env });

  writeFileSync(join(cwd, 'demo.json'), worldOf('ada', 'grace'));

  await command.prints(/Reloaded demo\.json: 2 users\./);
});

test.each<[flags: string[], found: string]>([
  [[], 'built-in fixtures "default"'],
  [['--fixtures', 'empty'], 'built-in fixtures "empty"'],
  [['--generate', 'users=2'], 'generated data'],
])('fixtures that are not files are not watched: %j', async (flags, found) => {
  const { stderr, code } = await run(['start', '--port', '0', '--watch', ...flags]);
  expect(stderr).toBe(
    `val-emulator: --watch: cannot watch ${found}. Use --fixtures with a file or folder of yours, or --project.\n`,
  );
  expect(code).toBe(2);
});

test.each([
  ['a reload', worldOf('ada', 'eve'), 'Reloaded demo.json: 2 users.'],
  ['a refused reload', '{', 'Keeping the previously loaded data.'],
])('%s is printed after the answer to a question, not on its line', async (_, saved, line) => {
  const cwd = folderOf({ 'demo.json': worldOf('ada') });
  const command = launch(['start', '--port', '0', '--watch', '--fixtures', 'demo.json'], { cwd, terminal: 100 });
  await command.prints(/Press h to list the keys/);
  command.stdin.emit('data', 'w');
  await command.prints(/Write the changes back to demo\.json\? \[y\/N\] $/);
  writeFileSync(join(cwd, 'demo.json'), saved);
  await sleep(1_000);
  expect(command.stdout + command.stderr).toMatch(/\[y\/N\] $/);

  command.stdin.emit('data', 'n');
  await expect.poll(() => command.stdout + command.stderr, { timeout: 5_000 }).toContain(line);
  expect(command.stdout).toMatch(/\[y\/N\] n\n/);
  await command.kill('SIGTERM');
});
