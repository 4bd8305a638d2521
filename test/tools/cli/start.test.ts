import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { UUID } from '../../support/emulate.js';
import { Command, launch, run, serve } from './cli.js';

const ask = (url: string, path: string, token = 'ada-token', init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });

test('--json prints one line once it answers, and nothing else', async () => {
  const { command, url } = await serve(['--json', '--fixtures', 'empty']);
  expect(JSON.parse(command.stdout)).toStrictEqual({
    url,
    users: [{ username: 'ada', id: expect.stringMatching(UUID), token: 'ada-token' }],
    pid: process.pid,
  });

  expect((await ask(url, '/v1/me')).status).toBe(200);

  const { stdout, stderr, code } = await command.kill('SIGTERM');
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('no command means start', async () => {
  const command = launch(['--port', '0', '--json', '--fixtures', 'empty']);
  const [, url = ''] = await command.prints(/"url":"([^"]+)"/);
  expect((await ask(url, '/v1/me')).status).toBe(200);
});

test('start prints its address, and the users with their tokens', async () => {
  const users = [
    { username: 'ada' },
    { username: 'margaret', token: 'a b' },
    { username: null, id: '3fa85f64-5717-4562-b3fc-2c963f66afa6', token: 'c' },
  ];
  const { command, url } = await serve(['--fixtures', folderOf({ 'users.json': users })]);
  await command.prints(/Ctrl-C/);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const lines = command.stdout.split('\n');
  expect(lines[0]).toBe('Data: in memory');
  expect(lines[1]).toBe(`val-emulator listens on ${url}`);
  expect(lines[2]).toBe(`Dashboard: ${url}/_emulator/ui/`);
  expect(lines).toContain('  ada                                   ada-token');
  expect(lines).toContain('  margaret                              a b');
  expect(lines).toContain('  3fa85f64-5717-4562-b3fc-2c963f66afa6  c');
});

test('start prints a line when there are no users', async () => {
  const { command } = await serve(['--fixtures', folderOf({ 'users.json': [] })]);
  await command.prints(/Ctrl-C/);
  expect(command.stdout).toContain('These fixtures have no users.');
  expect(command.stdout).not.toMatch(/Infinity|undefined|tokens:|curl/);
});

test.each(['ada-token', `it's "$HOME" \\ \`date\` !x`])(
  'the printed curl line works in a shell, with the token %s',
  async (token) => {
    const { command } = await serve(['--fixtures', folderOf({ 'users.json': [{ username: 'ada', token }] })]);
    const [, line = ''] = await command.prints(/^ *(curl .*)\n/m);

    const { stdout, code } = await new Command('sh', ['-c', `${line} --silent --fail`]).end();

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ username: 'ada' });
  },
);

test('start prints a line per request: method, path, status, milliseconds', async () => {
  const { command, url } = await serve(['--fixtures', 'empty']);
  await ask(url, '/v1/me?x=%20y');
  await ask(url, '/v1/me', 'mallory');
  await ask(url, '/v1/vals', 'ada-token', {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  });
  await command.prints(/POST.*\n/);
  const lines = command.stdout.split('\n').filter((line) => / ms\b/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/^GET +\/v1\/me\?x=%20y 200 \d+\.\d ms$/),
    expect.stringMatching(
      /^GET +\/v1\/me 401 \d+\.\d ms - Unauthorized - no user has the token that was sent - Try the token \w/,
    ),
    expect.stringMatching(/^POST +\/v1\/vals 400 \d+\.\d ms - Expected property name/),
  ]);
});

test.each(['--quiet', '-q'])('with %s start prints its address, but no line per request', async (flag) => {
  const { command, url } = await serve([flag, '--fixtures', 'empty']);
  await command.prints(/Ctrl-C/);
  await ask(url, '/v1/me');
  const { stdout } = await command.kill('SIGTERM');
  expect(stdout).toContain(url);
  expect(stdout).not.toContain('GET');
});

test('the flags of start set the options of the emulator', async () => {
  const now = '2024-06-11T22:05:12.585Z';
  const flags = ['--auth', 'lenient', '--default-privacy', 'unlisted', '--now', now, '--fixtures', 'empty'];
  const { url } = await serve(flags);
  const body = JSON.stringify({ code: '1' });
  const created = await ask(url, '/v1/vals', 'anybody', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(created.headers.get('date')).toBe('Tue, 11 Jun 2024 22:05:12 GMT');
  expect(await created.json()).toMatchObject({ privacy: 'unlisted', createdAt: now, author: { username: 'ada' } });
});

test('environment variables set the options of the emulator', async () => {
  const env = {
    VAL_EMULATOR_PORT: '0',
    VAL_EMULATOR_HOST: '127.0.0.1',
    VAL_EMULATOR_FIXTURES: 'empty',
    VAL_EMULATOR_AUTH: 'lenient',
    VAL_EMULATOR_DEFAULT_PRIVACY: 'public',
    VAL_EMULATOR_NOW: '2024-06-11T22:05:12.585Z',
    VAL_EMULATOR_JSON: '1',
  };
  const command = launch([], { env });
  const [, url = ''] = await command.prints(/^\{"url":"([^"]+)"/);
  const body = JSON.stringify({ code: '1' });
  const headers = { 'content-type': 'application/json' };
  const created = await ask(url, '/v1/vals', 'anybody', { method: 'POST', body, headers });
  expect(await created.json()).toMatchObject({ privacy: 'public', createdAt: env.VAL_EMULATOR_NOW });
});

test.each(['1', 'true', 'yes'])('VAL_EMULATOR_QUIET=%s is quiet', async (value) => {
  const { command, url } = await serve(['--fixtures', 'empty'], { env: { VAL_EMULATOR_QUIET: value } });
  await ask(url, '/v1/me');
  expect((await command.kill('SIGTERM')).stdout).not.toContain('GET');
});

test.each(['0', 'false', 'no', 'off', ''])('VAL_EMULATOR_QUIET=%s is not quiet', async (value) => {
  const { command, url } = await serve(['--fixtures', 'empty'], { env: { VAL_EMULATOR_QUIET: value } });
  await ask(url, '/v1/me');
  await command.prints(/GET/);
});

test('flags win over environment variables', async () => {
  const env = {
    VAL_EMULATOR_PORT: '1',
    VAL_EMULATOR_HOST: '192.0.2.1',
    VAL_EMULATOR_FIXTURES: 'nowhere',
    VAL_EMULATOR_AUTH: 'lenient',
    VAL_EMULATOR_QUIET: '1',
    VAL_EMULATOR_JSON: '1',
  };
  const flags = ['--host', '127.0.0.1', '--fixtures', 'empty', '--auth', 'strict', '--no-quiet', '--no-json'];
  const { command, url } = await serve(flags, { env });
  expect((await ask(url, '/v1/me', 'mallory')).status).toBe(401);
  await command.prints(/^Data: in memory\nval-emulator listens on[\s\S]*GET/);
});

test('an unknown environment variable causes a warning with a suggestion, except with --json', async () => {
  const env = {
    VAL_EMULATOR_PROT: '1',
    VAL_EMULATOR_COLOUR: 'blue',
    VAL_EMULATOR_TOKEN: 'x',
    VAL_EMULATOR_URL: 'http://x',
  };
  const { command } = await serve(['--fixtures', 'empty'], { env });
  expect(command.stderr.split('\n')).toEqual([
    'val-emulator: Unknown environment variable VAL_EMULATOR_PROT is ignored. Did you mean "VAL_EMULATOR_PORT"?',
    'val-emulator: Unknown environment variable VAL_EMULATOR_COLOUR is ignored.',
    '',
  ]);
  expect((await serve(['--fixtures', 'empty', '--json'], { env })).command.stderr).toBe('');
});

test('variables that Kubernetes sets for a service named val-emulator cause no warning', async () => {
  const env = { VAL_EMULATOR_SERVICE_HOST: '10.0.0.1', VAL_EMULATOR_PORT_4010_TCP_ADDR: '10.0.0.1' };
  const { command } = await serve(['--fixtures', 'empty'], { env });
  expect(command.stderr).toBe('');
});

test('a path of fixtures is relative to the working directory', async () => {
  const cwd = folderOf({ 'town/users.json': [{ username: 'linus' }], 'db.json': { users: [{ username: 'ken' }] } });
  expect((await serve(['--json', '--fixtures', 'town'], { cwd })).command.stdout).toContain('"linus"');
  expect((await serve(['--json', '--fixtures', './db.json'], { cwd })).command.stdout).toContain('"ken"');
});

test.each(['--help', '-h'])('start %s lists the flags on stdout', async (flag) => {
  const { stdout, stderr, code } = await run(['start', flag]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  for (const name of ['port', 'host', 'fixtures', 'auth', 'default-privacy', 'now', 'json', 'quiet']) {
    expect(stdout).toMatch(new RegExp(`^ *(?:-\\w, )?--${name}\\b`, 'm'));
  }
  expect(stdout).toContain('VAL_EMULATOR_PORT');
  expect(stdout).toMatch(/busy,\s+default,\s+edge-cases,\s+empty,\s+failures,\s+popular/);
});

test.each(['--version', '-v'])('%s prints the version of the package', async (flag) => {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
  expect(await run([flag])).toEqual({ stdout: `${manifest.version}\n`, stderr: '', code: 0 });
});
