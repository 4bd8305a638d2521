import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openInBrowser } from '#tools/cli/program.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { emulate } from '../../support/emulate.js';
import { waitFor } from '../../support/wait.js';
import { launch, run, serve } from './cli.js';

const DEAD = 'http://127.0.0.1:9';

/** Runs a command that fails, and returns its exit code and the error in JSON. */
async function failing(args: readonly string[], env = {}) {
  const { stdout, stderr, code } = await run(args, { env });
  expect(stderr).toMatch(/^\{.*\}\n$/);
  return { stdout, code, ...JSON.parse(stderr) };
}

test('with --json an error is one line of JSON on stderr, with the exit code of its kind', async () => {
  const { url } = await emulate({ users: [{ username: 'ada' }] });
  expect(await failing(['reset', '--bogus', '--json'])).toEqual({
    stdout: '',
    code: 2,
    error: { code: 'usage', message: 'Unknown argument: --bogus.\nSee val-emulator reset --help.' },
  });
  expect(await failing(['reset', '--json', '--url', DEAD])).toMatchObject({ code: 3, error: { code: 'unreachable' } });
  expect(await failing(['snapshot', 'restore', 'one', '--json', '--url', url])).toEqual({
    stdout: '',
    code: 4,
    error: { code: 'refused', message: 'There is no snapshot "one".' },
  });
  expect(await failing(['strat', '--json'])).toMatchObject({ code: 2, error: { code: 'usage' } });
  expect(await failing(['exec', '--json', 'no-such-program'])).toMatchObject({
    code: 127,
    error: { code: 'not-found' },
  });
  expect(await failing(['wait', '--timeout', '100ms', '--url', DEAD], { VAL_EMULATOR_JSON: '1' })).toMatchObject({
    code: 3,
    error: { code: 'unreachable' },
  });
});

test('with --json an error has its problems, with the path of each', async () => {
  const { url } = await emulate({});
  const file = join(folderOf({}), 'bad.json');
  writeFileSync(file, '{"users":[{"username":"ada","tier":"gold"}]}');
  const tier = { message: expect.stringMatching(/^found "gold"/) };
  expect(await failing(['start', '--json', '--port', '70000', '--now', 'today'])).toMatchObject({
    code: 2,
    error: { code: 'usage', problems: [{ path: 'port' }, { path: 'now' }] },
  });
  expect(await failing(['start', '--json', '--fixtures', file])).toMatchObject({
    code: 2,
    error: { code: 'fixtures', problems: [{ path: expect.stringMatching(/bad\.json users\[0\]\.tier$/), ...tier }] },
  });
  expect(await failing(['seed', file, '--json', '--url', url])).toMatchObject({
    code: 4,
    error: { code: 'refused', problems: [{ path: 'users[0].tier', ...tier }] },
  });
});

test('--json after the command of exec belongs to that command', async () => {
  const { stderr } = await run(['exec', 'no-such-program', '--json']);
  expect(stderr).toMatch(/^val-emulator: Cannot run/);
});

test('schema, openapi, generate and completion print one line with --json', async () => {
  const out = join(folderOf({}), 'demo.json');
  for (const args of [
    ['print', 'schema'],
    ['print', 'openapi'],
    ['generate', '--users', '1', '--out', out],
    ['print', 'completion'],
  ]) {
    const { stdout, code } = await run([...args, '--json']);
    expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 2 });
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  }
  const { stdout } = await run(['generate', '--users', '1', '--out', out, '--json']);
  expect(JSON.parse(stdout)).toEqual({ out, users: 1, vals: 10, projects: 0, runs: 200, days: 30, seed: 1 });
});

test.each(['bash', 'zsh', 'fish'])('the completion script of %s names the command that prints it', async (shell) => {
  vi.stubEnv('SHELL', `/bin/${shell}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stdout } = await run(['print', 'completion']);
  const commands = [...stdout.matchAll(/val-emulator (.+?) >{1,2} ~/g)].map(([, words]) => words);
  expect(new Set(commands)).toEqual(new Set(['print completion']));
});

test('completion prints a script for the shell, which requests the words', async () => {
  vi.stubEnv('SHELL', '/bin/bash');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stdout, code } = await run(['print', 'completion']);
  expect(code).toBe(0);
  expect(stdout).toContain('val-emulator --get-yargs-completions');
  expect(stdout).toMatch(/complete .* val-emulator\n/);

  const words = async (...line: string[]) =>
    (await run(['--get-yargs-completions', 'val-emulator', ...line])).stdout.trim().split('\n').sort();
  expect(await words('st')).toEqual(['start', 'state', 'status', 'stop']);
  expect(await words('start', '--co')).toEqual(['--config', '--control', '--control-from', '--control-token']);
  expect(await words('start', '--auth', '')).toEqual(['lenient', 'strict']);
  expect(await words('snapshot', '')).toEqual(['drop', 'list', 'restore', 'save']);
  expect(await words('snapshot', 'save', '--sa')).toEqual(['--sandbox']);
});

test('the line of a request has its sandbox and its fault', async () => {
  const { command, url } = await serve(['--fixtures', 'empty']);
  await run(['fail', '*', '--url', url]);
  await fetch(`${url}/v1/me`);
  await fetch(`${url}/v1/me`, { headers: { 'x-emulator-sandbox': 'checkout' } });
  await fetch(`${url}/_sandbox/checkout/v1/me`);
  const { stdout } = await command.kill('SIGTERM');
  expect(stdout.split('\n').filter((line) => line.includes('/v1/me '))).toEqual([
    expect.stringMatching(/^GET {4}\/v1\/me 500 \d+\.\d ms - Internal Server Error - fault f1 was injected$/),
    expect.stringMatching(
      /^GET {4}\/v1\/me 401 \d+\.\d ms sandbox checkout - Unauthorized - the request has no token - Try the token ada-token/,
    ),
    expect.stringMatching(
      /^GET {4}\/v1\/me 401 \d+\.\d ms sandbox checkout - Unauthorized - the request has no token - Try the token ada-token/,
    ),
  ]);
});

test('--log off prints no line per request, and --json --log text is refused', async () => {
  const { command, url } = await serve(['--log', 'off', '--fixtures', 'empty']);
  await fetch(`${url}/v1/me`);
  expect((await command.kill('SIGTERM')).stdout).not.toContain('GET');
  expect(await failing(['--json', '--log', 'text'])).toMatchObject({
    code: 2,
    error: { message: '--log: found "text"; expected "json" or "off" with --json.' },
  });
});

async function serveOnTerminal(args: readonly string[] = [], options: { readonly cwd?: string } = {}) {
  const env = { NO_COLOR: '1' };
  const seed = args.includes('--fixtures') ? [] : ['--fixtures', 'empty'];
  const command = launch(['--port', '0', ...seed, ...args], { terminal: 80, env, ...options });
  const [, url = ''] = await command.prints(/listens on (\S+)[\s\S]*Ctrl-C/);
  return { command, url };
}

test('--open opens the dashboard, or the root without a control API', async () => {
  const { command, url } = await serveOnTerminal(['--open']);
  expect(command.opened).toEqual([`${url}/_emulator/ui/`]);
  const bare = await serveOnTerminal(['--open', '--no-control']);
  expect(bare.command.opened).toEqual([bare.url]);
  expect(bare.command.stdout).not.toContain('Dashboard');
});

test('--open without a browser prints a line, and the emulator continues', async () => {
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  await new Promise<void>((resolve) => openInBrowser('http://127.0.0.1:4010', resolve));
  const { command, url } = await serveOnTerminal(['--open']);
  command.failToOpen?.();
  expect(command.stderr).toBe(`val-emulator: No browser could be opened: visit ${url}/_emulator/ui/\n`);
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200);
});

test('keys reset, take a snapshot, open the dashboard and clear the requests while it runs', async () => {
  const { command, url } = await serveOnTerminal();
  const { stdin } = command;
  expect(command.stdout).toContain('Press h to list the keys, Ctrl-C to stop.');
  expect({ isRaw: stdin.isRaw, isPaused: stdin.isPaused }).toEqual({ isRaw: true, isPaused: false });
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const create = () => fetch(`${url}/v1/vals`, { method: 'POST', body: '{"code":"1"}', headers });
  const count = async (path: string) => JSON.parse((await run([path, '--json', '--url', url])).stdout);

  stdin.type('h');
  expect(command.stdout).toMatch(/Keys:\n {2}r {2}reset to the seed data\n[\s\S]* q {2}quit\n/);
  await create();
  stdin.type('c');
  expect(await count('requests')).toEqual([]);
  stdin.type('s');
  await command.prints(/Took snapshot snapshot-1\./);
  stdin.type('r');
  stdin.type('r');
  await command.prints(/Reset to the seed data\./);
  expect((await count('state')).vals).toEqual([]);
  expect(command.opened).toEqual([]);
  stdin.type('x');
  stdin.type('o');
  const dashboard = `${url}/_emulator/ui/`;
  expect(command.opened).toEqual([dashboard]);
  expect(command.stdout).toContain(`\n${dashboard}\n`);
  stdin.type('\r');
  stdin.type('\n');
  expect(command.opened).toEqual([dashboard, dashboard, dashboard]);

  stdin.type('q');
  expect(await command.end()).toMatchObject({ stderr: '', code: 0 });
  expect({ isRaw: stdin.isRaw, isPaused: stdin.isPaused, listeners: stdin.listenerCount('data') }).toEqual({
    isRaw: false,
    isPaused: true,
    listeners: 0,
  });
});

test('r needs a confirmation before it undoes changes of a data folder, and a snapshot keeps them', async () => {
  const cwd = folderOf({});
  const first = await serveOnTerminal(['--data', 'kept'], { cwd });
  await run(['add', 'user', '{"username":"eve"}', '--url', first.url]);
  first.command.stdin.type('q');
  await first.command.end();
  const { command, url } = await serveOnTerminal(['--data', 'kept'], { cwd });
  const { stdin } = command;
  const users = async () => JSON.parse((await run(['users', '--json', '--url', url])).stdout).length;

  stdin.type('r');
  await command.prints(/1 change would be undone\. Press r again to reset; a snapshot keeps them\.\n/);
  // Another key in between.
  stdin.type('h');
  stdin.type('r');
  await command.prints(/undone[\s\S]*undone/);
  expect(await users()).toBe(2);
  stdin.type('r');
  const [, restore = ''] = await command.prints(
    /Reset to the seed data\. Snapshot snapshot-1 has the 1 change: val-emulator (snapshot restore .*)\n/,
  );
  expect(await users()).toBe(1);
  expect(await run(restore.split(' '))).toMatchObject({ code: 0 });
  expect(await users()).toBe(2);
});

test('r without changes resets at once, and takes no snapshot', async () => {
  const { command, url } = await serveOnTerminal();
  command.stdin.type('r');
  await command.prints(/Reset to the seed data\.\n/);
  expect(JSON.parse((await run(['snapshot', 'list', '--json', '--url', url])).stdout)).toEqual([]);
});

test('pasted text presses no key, and answers no question', async () => {
  const cwd = folderOf({ 'fixtures.json': '{}' });
  const { command, url } = await serveOnTerminal([], { cwd });
  const { stdin } = command;
  for (const text of ['rr\n', 'oo', '\u001b[200~r', 'o', '\r', 'x\u0003\u001b[201~', '\u001br', '\u001b[c'])
    stdin.type(text);
  stdin.type('w');
  await command.prints(/replaced/);
  stdin.type('yes\n');
  stdin.type('n');
  stdin.type('h');
  await command.prints(/Keys:/);
  expect(command.opened).toEqual([]);
  expect(command.stdout).not.toMatch(/Reset|Took|Wrote/);
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200);
});

test('the terminal marks pasted text while keys are read', async () => {
  const { command } = await serveOnTerminal();
  const marks = () =>
    command.stdout
      .split('\u001b[?')
      .slice(1)
      .map((text) => text.slice(0, 5));
  expect(marks()).toEqual(['2004h']);
  command.stdin.type('\u001a');
  expect(marks()).toEqual(['2004h', '2004l']);
  command.signal('SIGCONT');
  command.stdin.type('q');
  await command.end();
  expect(marks()).toEqual(['2004h', '2004l', '2004h', '2004l']);
});

test('Ctrl-C prints how to keep changes before it ends the program, and w writes fixtures.json', async () => {
  const cwd = folderOf({ 'fixtures.json': '{}' });
  const { command, url } = await serveOnTerminal([], { cwd });
  const { stdin } = command;
  await run(['add', 'user', '{"username":"eve"}', '--url', url]);
  stdin.type('\u0003');
  expect(command.stdout).toContain('1 change would be lost. Press w to write fixtures.json, Ctrl-C again to stop.\n');

  stdin.type('w');
  await command.prints(/fixtures\.json exists and would be replaced\. Continue\? \[y\/N\] /);
  // At the question it means no.
  stdin.type('\u0003');
  expect(readFileSync(join(cwd, 'fixtures.json'), 'utf8')).toBe('{}');

  stdin.type('w');
  await command.prints(/replaced[\s\S]*replaced/);
  stdin.type('y');
  await command.prints(/Wrote fixtures\.json/);
  const { users } = JSON.parse(readFileSync(join(cwd, 'fixtures.json'), 'utf8'));
  expect(users).toMatchObject([{ username: 'ada' }, { username: 'eve' }]);
  stdin.type('\u0003');
  const { stdout, code } = await command.end();
  expect({ code, isLost: stdout.includes('not kept') }).toEqual({ code: 0, isLost: false });
});

const DEMO = `{
  "users": [
    { "username": "ada", "token": "secret" } // ours
  ]
}
`;

/** Starts on a terminal with a fixture file. */
async function serveFile(args: readonly string[] = []) {
  const cwd = folderOf({ 'demo.json': DEMO });
  const started = await serveOnTerminal(['--fixtures', 'demo.json', ...args], { cwd });
  return {
    ...started,
    path: join(cwd, 'demo.json'),
    read: (name = 'demo.json') => readFileSync(join(cwd, name), 'utf8'),
    add: (username: string) => run(['add', 'user', JSON.stringify({ username }), '--url', started.url]),
    type: (keys: string) => [...keys].forEach((key) => void started.command.stdin.type(key)),
  };
}

test('w writes the changes back to the fixture file after a question, and keeps the text of the other records', async () => {
  const { command, add, read, type } = await serveFile();
  await add('eve');
  type('\u0003');
  expect(command.stdout).toContain('1 change would be lost. Press w to write demo.json, Ctrl-C again to stop.\n');
  type('wn');
  await command.prints(/Write the changes back to demo\.json\? \[y\/N\] n\n/);
  expect(read()).toBe(DEMO);
  type('wy');
  await command.prints(/Wrote the changes to demo\.json\./);
  expect(read()).toMatch(
    /"users": \[\n {4}\{ "username": "ada", "token": "secret" \},\n {4}\{"username":"eve".*\} \/\/ ours\n {2}\]\n\}\n$/,
  );

  type('wy');
  await command.prints(/demo\.json has these records already\./);
  await add('ken');
  type('wy');
  await command.prints(/Wrote[\s\S]*Wrote/);
  expect(read()).toContain('"ken"');
  type('q');
  const { stdout, code } = await command.end();
  expect({ code, isLost: stdout.includes('not kept') }).toEqual({ code: 0, isLost: false });
});

test.each([0o600, 0o640, 0o444])(
  'w keeps the mode %o of the fixture file, and writes to no file that is read-only',
  async (mode) => {
    const { command, add, read, path, type } = await serveFile();
    chmodSync(path, mode);
    await add('eve');
    type('wy');
    if (mode === 0o444) await command.printsError(/^val-emulator: w: .*demo\.json is read-only\./);
    else await command.prints(/Wrote the changes to demo\.json\./);
    expect([read() === DEMO, statSync(path).mode & 0o777]).toEqual([mode === 0o444, mode]);
  },
);

test('w after an edit of a folder that the fixture file names adds one line', async () => {
  const text = `{
  "users": [{ "username": "ada" }],
  "projects": [{ "owner": "ada", "name": "portal", "folder": "./portal" }],
  "vals": [
    { "author": "ada", "name": "one", "code": "1" }
  ]
}
`;
  const cwd = folderOf({ 'demo.json': text, 'portal/main.ts': '1' });
  const { command, url } = await serveOnTerminal(['--fixtures', 'demo.json'], { cwd });
  writeFileSync(join(cwd, 'portal/main.ts'), '2');
  await run(['add', 'val', '{"author":"ada","name":"two","code":"2"}', '--url', url]);
  command.stdin.type('w');
  command.stdin.type('y');
  await command.prints(/Wrote the changes to demo\.json\.\n/);
  const lines = readFileSync(join(cwd, 'demo.json'), 'utf8').split('\n');
  expect(lines.filter((line) => !text.split('\n').includes(line))).toEqual([
    '    { "author": "ada", "name": "one", "code": "1" },',
    expect.stringContaining('"two"'),
  ]);
});

test('w writes nothing to a fixture file that another program has changed', async () => {
  const { command, add, read, path, type } = await serveFile();
  await add('eve');
  const edited = DEMO.replace('ada', 'lovelace');
  writeFileSync(path, edited);
  type('wy');
  await command.printsError(/was changed/);
  expect(command.stderr).toBe(
    'val-emulator: demo.json was changed since it was loaded, so nothing is written. Write another file by val-emulator state --relative --brief --out FILE.\n',
  );
  expect(read()).toBe(edited);
  type('\u0003\u0003');
  expect((await command.end()).stdout).toContain('1 change not kept');
});

test('w with --watch reloads nothing, and a later change by hand is loaded and written back', async () => {
  const { command, add, read, path, type } = await serveFile(['--watch']);
  await add('eve');
  type('wy');
  await command.prints(/Wrote the changes/);
  writeFileSync(path, read().replace('ada', 'grace'));
  await command.prints(/Reloaded demo\.json: 2 users\./);
  expect(command.stdout.match(/Reloaded/g)).toHaveLength(1);
  await add('ken');
  type('wy');
  await command.prints(/Wrote[\s\S]*Wrote/);
  expect(JSON.parse(read().replace('// ours', '')).users).toMatchObject([
    { username: 'grace' },
    { username: 'eve' },
    { username: 'ken' },
  ]);
});

test('w writes other seed data to a new file', async () => {
  const { command, url, read, type } = await serveFile();
  await run(['seed', 'empty', '--url', url]);
  type('h');
  expect(command.stdout).toContain('  w  write the records to fixtures.json\n');
  type('w');
  await command.prints(/Wrote fixtures\.json/);
  expect(JSON.parse(read('fixtures.json')).users).toHaveLength(1);
  expect(read()).toBe(DEMO);
});

test('a second Ctrl-C ends the program without the changes', async () => {
  const { command, url } = await serveOnTerminal();
  await run(['add', 'user', '{"username":"eve"}', '--url', url]);
  command.stdin.type('\u0003\u0003');
  expect((await command.end()).stdout).toContain('1 change not kept (start --data FOLDER keeps them).\n');
});

test('Ctrl-C as a key ends the program, as the signal does', async () => {
  const { command } = await serveOnTerminal();
  command.stdin.type('\u0003');
  expect(await command.end()).toMatchObject({ stderr: '', code: 0 });
  expect(command.stdin.isRaw).toBe(false);
});

test('Ctrl-Z restores the terminal before the program is suspended, and fg takes it again', async () => {
  const { command } = await serveOnTerminal();
  command.stdin.type('\u001a');
  expect({ raised: command.raised, isRaw: command.stdin.isRaw }).toEqual({ raised: ['SIGTSTP'], isRaw: false });
  command.isForeground = false;
  command.signal('SIGCONT');
  expect(command.stdin.isRaw).toBe(false);
  command.isForeground = true;
  command.signal('SIGCONT');
  expect(command.stdin.isRaw).toBe(true);
});

test.each([['--json'], ['--log', 'json']])('with %j the emulator does not change the terminal', async (...flags) => {
  const command = launch(['--port', '0', '--fixtures', 'empty', ...flags], { terminal: 80 });
  await command.prints(/"url"/);
  expect(command.stdin.isRaw).toBe(false);
});

test('the first signal ends the program after a delayed response', async () => {
  const { command, url } = await serve(['--json', '--fixtures', 'empty']);
  await run(['fail', '*', '--delay', '300', '--status', '418', '--url', url]);
  const response = fetch(`${url}/v1/me`);
  await waitFor(async () => expect((await run(['requests', '--url', url])).stdout).toContain('/v1/me'));
  const ended = command.kill('SIGTERM');
  expect((await response).status).toBe(418);
  expect(await ended).toMatchObject({ stderr: '', code: 0 });
});

test.each<[flags: string[], signals: number]>([
  [['--grace', '100ms'], 1],
  [['--grace', '0'], 1],
  [[], 2],
])('with %j, %i signals cut off a response that takes longer', async (flags, signals) => {
  const { command, url } = await serve(['--json', '--fixtures', 'empty', ...flags]);
  await run(['fail', '*', '--delay', '60000', '--url', url]);
  const response = fetch(`${url}/v1/me`).then(
    () => 'responded',
    () => 'cut off',
  );
  await waitFor(async () => expect((await run(['requests', '--url', url])).stdout).toContain('/v1/me'));
  for (let sent = 0; sent < signals; sent++) {
    command.signal('SIGTERM');
    await sleep(150);
  }
  expect(await command.end()).toMatchObject({ stderr: '', code: 0 });
  expect(await response).toBe('cut off');
});

test('an invalid time for active requests is refused', async () => {
  expect((await run(['--grace', 'soon'])).stderr).toMatch(/^val-emulator: --grace: found "soon"; expected a duration/);
});
