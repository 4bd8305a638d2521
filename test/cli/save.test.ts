import fs, { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { folderOf } from '../fixtures/loading.js';
import { run, serve } from './cli.js';

const send = (url: string, method: string, path: string, token: string, body?: object) =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

test('changes of a demo are there after the next start, with the tokens and the schema', async () => {
  const cwd = folderOf({});
  const path = join(cwd, 'acme.json');
  await run(['generate', '--users', '8', '--vals', '30', '--seed', '7', '--out', path]);
  const generated = readFileSync(path, 'utf8');
  const name = /"username":"(\w+)"/.exec(generated)?.[1] ?? '';
  const edited = generated
    .replaceAll(name, 'acme_robotics')
    .replace('{"username":"acme_robotics"', '{"username":"acme_robotics","token":"demo-secret-1"')
    .replace('{\n', '{\n  "$schema": "./fixtures.schema.json",\n');
  writeFileSync(path, edited);

  const first = await serve(['--fixtures', 'acme.json', '--save'], { cwd });
  const state = JSON.parse(await (await fetch(`${first.url}/_emulator/state`)).text());
  const val = state.vals.find(({ author }: { author: string }) => author === 'acme_robotics');
  expect((await send(first.url, 'PUT', `/v1/vals/${val.id}`, 'demo-secret-1', { readme: '# Edited' })).status).toBe(
    204,
  );
  const created = await send(first.url, 'POST', '/v1/vals', 'demo-secret-1', {
    name: 'fresh',
    code: 'export const a = 1;',
  });
  const { id } = JSON.parse(await created.text());
  expect(await first.command.kill('SIGINT')).toMatchObject({ code: 0, stderr: '' });

  const kept = readFileSync(path, 'utf8');
  expect(kept).toMatch(/^\{\n {2}"\$schema": "\.\/fixtures\.schema\.json",\n {2}"users": \[\n {4}\{"username":"/);
  expect(kept.split('\n').filter((line) => line.includes('"fresh"'))).toHaveLength(1);
  expect(kept.endsWith('\n}\n')).toBe(true);

  const second = await serve(['--fixtures', 'acme.json'], { cwd });
  const again = await send(second.url, 'GET', `/v1/vals/${id}`, 'demo-secret-1');
  expect(await again.json()).toMatchObject({ name: 'fresh', code: 'export const a = 1;' });
  expect(await (await send(second.url, 'GET', `/v1/vals/${val.id}`, 'demo-secret-1')).json()).toMatchObject({
    readme: '# Edited',
  });
});

const DEMO = `{
  "users": [
    { "username": "ada", "token": "secret" }
  ]
}
`;

/** Starts an emulator that saves to a file with one user. */
async function saving(flags: readonly string[] = ['--save'], files: Record<string, unknown> = { 'demo.json': DEMO }) {
  const cwd = folderOf(files);
  const started = await serve(['--fixtures', 'demo.json', ...flags], { cwd });
  const add = (username: string) => send(started.url, 'POST', '/_emulator/users', 'secret', { username });
  return {
    ...started,
    add,
    read: (name = 'demo.json') => readFileSync(join(cwd, name), 'utf8'),
    path: join(cwd, 'demo.json'),
  };
}

test('changes are saved after a second without one, as `state --relative --brief` prints them', async () => {
  const { command, url, add, read } = await saving();
  await add('bob');
  expect(read()).toBe(DEMO);
  await command.prints(/Saved demo\.json\./);
  expect(JSON.parse(read()).users).toMatchObject([{ username: 'ada' }, { username: 'bob' }]);

  expect((await run(['state', '--relative', '--brief', '--url', url])).stdout).toBe(read());

  await fetch(`${url}/_emulator/reset`, { method: 'POST' });
  await command.prints(/Saved demo\.json\.\n[\s\S]*Saved demo\.json\./);
  expect(JSON.parse(read()).users).toEqual(JSON.parse(DEMO).users);
  expect(await command.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});

test('a save does not reload a watched file, and a change by hand does', async () => {
  const { command, url, add, path } = await saving(['--save', '--watch']);
  await add('bob');
  await command.prints(/Saved demo\.json\./);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(command.stdout).not.toContain('Reloaded');

  writeFileSync(path, DEMO.replace('ada', 'grace'));
  await command.prints(/Reloaded demo\.json: 1 user\./);
  await send(url, 'POST', '/_emulator/users', 'secret', { username: 'ken' });
  await command.kill('SIGINT');
  expect(JSON.parse(readFileSync(path, 'utf8')).users).toMatchObject([{ username: 'grace' }, { username: 'ken' }]);
});

test('a file that is changed by hand is not overwritten: the changes are saved beside it', async () => {
  const { command, add, read, path } = await saving();
  const edited = DEMO.replace('ada', 'lovelace');
  writeFileSync(path, edited);
  await add('bob');
  const { stderr, stdout, code } = await command.kill('SIGINT');
  expect(stderr).toBe('val-emulator: --save: demo.json was changed by another program, and is not overwritten.\n');
  expect(stdout).toContain('Saved the changes to demo.saved.json.\n');
  expect(code).toBe(1);
  expect(read()).toBe(edited);
  expect(JSON.parse(read('demo.saved.json')).users).toMatchObject([{ username: 'ada' }, { username: 'bob' }]);
});

const COMMENTED = `// ours\n${DEMO.replace('{', '{ "$schema": "./fixtures.schema.json",')}`;

test('a file with comments, which a save would remove, is refused', async () => {
  const cwd = folderOf({ 'demo.json': COMMENTED });
  expect(await run(['start', '--fixtures', 'demo.json', '--save', '--port', '0'], { cwd })).toEqual({
    stdout: '',
    stderr:
      'val-emulator: --save: demo.json has comments or trailing commas, which a save would remove. Remove them, or use --data.\n',
    code: 2,
  });
});

test('a file that got comments is not overwritten: the changes are saved beside it', async () => {
  const { command, add, read, path } = await saving(['--save', '--watch']);
  writeFileSync(path, COMMENTED);
  await command.prints(/Reloaded demo\.json: 1 user\./);
  await add('bob');
  const { stderr, stdout, code } = await command.kill('SIGINT');
  expect({ stderr, code }).toEqual({
    stderr:
      'val-emulator: --save: demo.json has comments or trailing commas, which a save would remove, and is not overwritten.\n',
    code: 1,
  });
  expect(stdout).toContain('Saved the changes to demo.saved.json.\n');
  expect(read()).toBe(COMMENTED);
  expect(JSON.parse(read('demo.saved.json'))).toMatchObject({
    $schema: './fixtures.schema.json',
    users: [{ username: 'ada' }, { username: 'bob' }],
  });
});

test('a reload of a watched file keeps unsaved changes beside it', async () => {
  const { command, add, read, path } = await saving(['--save', '--watch'], {
    'demo.json': DEMO,
    'demo.saved.json': '{}',
  });
  await add('bob');
  writeFileSync(path, DEMO.replace('ada', 'grace'));
  await command.prints(/Saved the changes to demo\.saved-2\.json\.\n[\s\S]*Reloaded/);
  expect(JSON.parse(read('demo.saved-2.json')).users).toMatchObject([{ username: 'ada' }, { username: 'bob' }]);
  expect(read('demo.saved.json')).toBe('{}');
});

test('the last line has the number of lost changes', async () => {
  const { command, add, read } = await saving([]);
  await add('bob');
  await add('ken');
  const { stdout } = await command.kill('SIGINT');
  expect(stdout).toMatch(/\n2 changes not kept \(--save keeps them\)\.\n$/);
  expect(read()).toBe(DEMO);
});

test.each([['--json'], ['--quiet']])('with %s the last line does not mention changes', async (flag) => {
  const { command, add } = await saving([flag]);
  await add('bob');
  expect((await command.kill('SIGINT')).stdout).not.toContain('kept');
});

test('after a reset the last line does not mention changes', async () => {
  const { command, url, add } = await saving([]);
  await add('bob');
  await fetch(`${url}/_emulator/reset`, { method: 'POST' });
  expect((await command.kill('SIGINT')).stdout).not.toContain('kept');
});

test.each([
  [[], 'built-in fixtures "default"'],
  [['--generate', 'users=2'], 'generated data'],
])('start %s --save is refused for lack of a file to save to', async (flags, found) => {
  expect(await run(['start', ...flags, '--save', '--port', '0'])).toEqual({
    stdout: '',
    stderr: `val-emulator: --save: cannot save ${found}. Use --fixtures with a file or folder of yours. val-emulator generate --out demo.json writes one.\n`,
    code: 2,
  });
});

test('a folder is refused before it is loaded, with the command that writes one file', async () => {
  const cwd = folderOf({ 'demo/users.json': '[{"username":"ada"}]' });
  expect(await run(['start', '--fixtures', 'demo/', '--save', '--port', '0'], { cwd })).toEqual({
    stdout: '',
    stderr:
      'val-emulator: --save: demo/ is a folder; expected one file. Start without --save, then write it by: val-emulator state --relative --brief --out demo.json\n',
    code: 2,
  });
});

test('other seed data do not replace the file', async () => {
  const cwd = folderOf({ 'demo.json': DEMO });
  const { command, url } = await serve(['--fixtures', 'demo.json', '--save'], { cwd });

  expect((await run(['seed', 'empty', '--url', url])).code).toBe(0);
  const ended = await command.kill('SIGINT');

  expect(ended.stdout).toContain('Changes are saved to demo.json\n');
  expect(readFileSync(join(cwd, 'demo.json'), 'utf8')).toBe(DEMO);
  expect(JSON.parse(readFileSync(join(cwd, 'demo.saved.json'), 'utf8')).users).toHaveLength(1);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('--save: demo.json has other data than the new seed, and is not overwritten.');
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
