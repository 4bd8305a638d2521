import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmulator } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { emulate } from '../../support/emulate.js';
import { run, spawnCli } from './cli.js';

const print = (expression: string) => ['--', process.execPath, '-e', `console.log(${expression})`];

/** Runs `exec` with a script that sets `result`, and returns that as well. */
async function exec(flags: readonly string[], script: string, args: readonly string[] = []) {
  const file = join(folderOf({}), 'result.json');
  const source = `(async () => { ${script}; fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify(result)); })()`;
  const ended = await run(['exec', ...flags, '--', process.execPath, '-e', source, ...args]);
  return { ...ended, result: JSON.parse(readFileSync(file, 'utf8')) };
}

/** A URL where nothing listens: a port that was free a moment ago. */
async function deadUrl(): Promise<string> {
  const emulator = await createEmulator({ fixtures: 'empty' });
  await emulator.close();
  return emulator.url;
}

/** The URL of a server that accepts connections and sends nothing. */
async function silentUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

describe('exec', () => {
  test('gives the command an emulator that responds, and its address', async () => {
    const script = `
      const { VAL_EMULATOR_URL: url, VAL_EMULATOR_TOKEN: token } = process.env;
      const response = await fetch(url + '/v1/me', { headers: { authorization: 'Bearer ' + token } });
      const result = await response.json()`;

    expect(await exec([], script)).toMatchObject({
      stdout: '',
      stderr: '',
      code: 0,
      result: { username: 'ada' },
    });
  });

  test('uses a running emulator, or a sandbox of it, and starts none', async () => {
    const emulator = await emulate({ users: [{ username: 'grace' }], vals: [] });
    const { url: sandboxUrl } = emulator.sandbox('one');
    emulator.sandbox('one').reseed({ users: [{ username: 'ada' }] });
    const script = `
      const { VAL_EMULATOR_URL: url, VAL_EMULATOR_TOKEN: token } = process.env;
      const headers = { authorization: 'Bearer ' + token };
      await fetch(url + '/v1/blob/a', { method: 'POST', headers, body: 'b' });
      const result = { url, username: (await (await fetch(url + '/v1/me', { headers })).json()).username }`;

    const whole = await exec(['--url', emulator.url], script);
    const sandbox = await exec(['--url', sandboxUrl], script);

    expect(whole).toMatchObject({ stderr: '', code: 0, result: { url: emulator.url, username: 'grace' } });
    expect(sandbox).toMatchObject({ stderr: '', code: 0, result: { url: sandboxUrl, username: 'ada' } });
    expect(emulator.requests().map(({ path }) => path)).toEqual(['/v1/blob/a', '/v1/me']);
  });

  test('a folder that is a project is named', async () => {
    const emulator = await emulate({ users: [{ username: 'ada' }] });
    const flags = ['--url', emulator.url, '--project', 'ada/site=/work/site'];

    const { result } = await exec(flags, 'const result = process.env.VAL_EMULATOR_PROJECTS');

    expect(result).toBe('{"file:///work/site/":"ada/site"}');
  });

  test.each([
    [['--fixtures', 'empty'], '--url: cannot be used with --fixtures: the emulator at http://127.0.0.1:9 has its'],
    [['--now', '2024-01-01'], '--url: cannot be used with --now'],
    [['--intercept'], '--url: cannot be used with --intercept, which needs a new emulator.'],
    [['--log', 'text'], '--url: cannot be used with --log'],
    [[], 'http://127.0.0.1:9'],
  ])('with a running emulator, %j is an error', async (flags, message) => {
    const { stderr, code } = await run(['exec', '--url', 'http://127.0.0.1:9', ...flags, '--', 'node', '-v']);
    expect(stderr).toContain(message);
    expect(code).toBe(flags.length === 0 ? 3 : 2);
  });

  test('says so if no request arrives', async () => {
    const line =
      'val-emulator: No request reached the emulator. A program with a fixed address, such as https://api.val.town, needs --intercept.\n';
    expect((await exec([], 'const result = 1')).stderr).toBe(line);
  });

  test('fills address and token into variables of other names', async () => {
    const { result } = await exec(['--env', 'API={url}/v1?t={token}'], 'const result = process.env.API');

    expect(result).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\?t=ada-token$/);
  });

  describe('gives the SDK of the service its variables', () => {
    const script = 'const { VAL_TOWN_BASE_URL: url, VAL_TOWN_API_KEY: key } = process.env; const result = { url, key }';

    test.each<[flags: string[], expected: object]>([
      [[], { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), key: 'ada-token' }],
      // The program reaches the emulator by the host of the service.
      [['--intercept'], { url: 'https://api.val.town', key: 'ada-token' }],
      [
        ['--env', 'VAL_TOWN_API_KEY=x-{token}', '--env', 'VAL_TOWN_BASE_URL={url}/v1'],
        { url: expect.stringMatching(/:\d+\/v1$/), key: 'x-ada-token' },
      ],
    ])('with %j, in place of inherited ones', async (flags, expected) => {
      vi.stubEnv('VAL_TOWN_BASE_URL', 'https://api.val.town');
      vi.stubEnv('VAL_TOWN_API_KEY', 'real');
      onTestFinished(() => void vi.unstubAllEnvs());

      expect(await exec(flags, script)).toMatchObject({ code: 0, result: expected });
    });
  });

  describe('after the command', () => {
    const send = (...tokens: string[]) => `
      const url = process.env.VAL_EMULATOR_URL;
      const sent = ${JSON.stringify(tokens)}.map((token) =>
        fetch(url + '/v1/me', { headers: token === '' ? {} : { authorization: 'Bearer ' + token } }));
      const result = (await Promise.all(sent)).map(({ status }) => status)`;
    const advice =
      "VAL_TOWN_API_KEY has the first; --env 'NAME={token}' sets another variable, --auth lenient accepts any.\n";

    test('prints once which tokens there are, if it sent others', async () => {
      const fixtures = join(
        folderOf({
          'a.json': {
            users: [{ username: 'ada' }, { username: null, id: '3fa85f64-5717-4562-b3fc-2c963f66afa6', token: 't' }],
          },
        }),
        'a.json',
      );

      expect(await exec(['--fixtures', fixtures], send('real', 'ada-token', 'real', ''))).toMatchObject({
        stdout: '',
        stderr: `val-emulator: 2 requests with an unknown token got a 401. Tokens: ada-token (ada), t (no username). ${advice}`,
        code: 0,
        result: [401, 200, 401, 401],
      });
    });

    test.each<[users: object[], text: string]>([
      [[], `No user exists. ${advice}`],
      [
        ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((username) => ({ username })),
        `Tokens: a-token (a), b-token (b), c-token (c), d-token (d), e-token (e), and 2 more. ${advice}`,
      ],
    ])('lists the tokens of %j', async (users, text) => {
      const fixtures = join(folderOf({ 'a.json': { users } }), 'a.json');
      const { stderr } = await exec(['--fixtures', fixtures], send('real'));
      expect(stderr).toBe(`val-emulator: 1 request with an unknown token got a 401. ${text}`);
    });

    test('prints what it sent wrong, each reason once', async () => {
      const script = `
        const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
        const url = process.env.VAL_EMULATOR_URL;
        const post = (body, more) =>
          fetch(url + '/v1/vals', { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
        await post({ cod: '1' });
        await post({ cod: '1' });
        await fetch(url + '/v1/mee', { headers });
        // What a program may expect: no such record, and a fault.
        await fetch(url + '/v1/alias/nobody', { headers });
        await post({ code: '1' }, { 'x-emulator-fault': '400' });
        const result = null`;
      const { stderr, code } = await exec([], script);
      expect(code).toBe(0);
      expect(stderr).toBe(
        'val-emulator: 3 requests refused:\n' +
          '  400 POST /v1/vals: body must have required property \'code\' - Found "cod" in the body. Did you mean "code"? (2 times)\n' +
          '  404 GET /v1/mee: Route GET:/v1/mee not found - Did you mean "GET /v1/me"?\n',
      );
    });

    test('lists five reasons, and counts the others', async () => {
      const script = `
        const headers = { authorization: 'Bearer ada-token' };
        for (let limit = 101; limit < 109; limit++)
          await fetch(process.env.VAL_EMULATOR_URL + '/v1/me/runs?limit=' + limit, { headers });
        const result = null`;
      const lines = (await exec([], script)).stderr.split('\n');
      expect(lines).toHaveLength(8);
      expect(lines[0]).toBe('val-emulator: 8 requests refused:');
      expect(lines[1]).toContain('  400 GET /v1/me/runs?limit=101: querystring/limit must be <= 100');
      expect(lines[6]).toBe('  and 3 more (exec --log text prints every request)');
    });

    test('prints nothing after requests without a token, and after an injected 401', async () => {
      const script = `${send('')}; await fetch(url + '/v1/me', {
        headers: { authorization: 'Bearer ada-token', 'x-emulator-fault': '401' } })`;
      expect(await exec([], script)).toMatchObject({ stderr: '', code: 0 });
    });
  });

  test('takes the flags of start, and passes those after -- to the command', async () => {
    const script = 'const result = [process.env.VAL_EMULATOR_TOKEN, process.argv.slice(1)]';

    const { result } = await exec(['--fixtures', 'empty'], script, ['--', '--port', 'x y']);

    expect(result).toEqual(['ada-token', ['--port', 'x y']]);
  });

  test('everything from the first word on belongs to the command, without --', async () => {
    const file = join(folderOf({}), 'words.json');
    const source = `fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.argv.slice(1)))`;

    const { code } = await run([
      'exec',
      '--fixtures',
      'empty',
      process.execPath,
      '-e',
      source,
      '--',
      '5.0',
      '--port',
      '1',
      '--help',
    ]);

    expect({ code, words: JSON.parse(readFileSync(file, 'utf8')) }).toEqual({
      code: 0,
      words: ['5.0', '--port', '1', '--help'],
    });
  });

  test('one argument with spaces is run by the shell', async () => {
    const file = join(folderOf({}), 'line.txt');

    const { code } = await run(['exec', `echo $VAL_EMULATOR_TOKEN > ${file} && exit 7`]);

    expect(code).toBe(7);
    expect(readFileSync(file, 'utf8')).toBe('ada-token\n');
  });

  test('a program that is a path with spaces is run without a shell', async () => {
    const program = join(folderOf({ 'my tool': '#!/bin/sh\nexit 9\n' }), 'my tool');
    chmodSync(program, 0o755);

    expect(await run(['exec', program])).toMatchObject({ code: 9 });
  });

  test.each([
    ['no-such-program', 127],
    [join(import.meta.dirname, 'cli.ts'), 126],
  ])('%s cannot be run and ends with the exit code of shells', async (program, code) => {
    const ended = await run(['exec', program]);

    expect(ended).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^val-emulator: Cannot run ".*Check its name/),
      code,
    });
  });

  test('passes the exit code on', async () => {
    const args = ['exec', '--', process.execPath, '-e', 'process.exit(7)'];

    expect([(await run(args)).code, (await spawnCli(args).end()).code]).toEqual([7, 7]);
  });

  test('passes signals on, and ends with the command', async () => {
    const script = "process.on('SIGTERM', () => process.exit(5)); console.log('ready'); setInterval(() => {}, 1000)";
    const command = spawnCli(['exec', '--', process.execPath, '-e', script]);
    await command.prints(/ready/);

    expect((await command.kill('SIGTERM')).code).toBe(5);
  });

  test('a command that a signal ends has the exit code of shells', async () => {
    const { code } = await run(['exec', '--', process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")']);

    expect(code).toBe(137);
  });

  test.each([
    [['exec'], /^val-emulator: Missing command\. Usage: val-emulator exec npm test\n$/],
    [
      ['exec', '--env', 'API={ulr}', ...print('1')],
      /^val-emulator: --env: found {ulr}; expected {url} or {token}\. Did you mean "{url}"\?\n$/,
    ],
    [['exec', '--prot', '5', 'npm'], /^val-emulator: Unknown argument: --prot\. Did you mean "--port"\?\n/],
    [['exec', '--env', 'x', ...print('1')], /^val-emulator: --env: found "x"; expected a name and a value/],
    [['exec', '--fixtures', 'defalt', ...print('1')], /Did you mean "default"\?\n$/],
  ])('%j ends with a sentence and exit code 2', async (args, message) => {
    const { stdout, stderr, code } = await run(args);

    expect({ stdout, code }).toStrictEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(message);
  });
});

describe('wait', () => {
  test('ends once the emulator responds', async () => {
    const { url } = await emulate({});

    const { stdout, code } = await run(['wait', '--url', url]);

    expect(stdout).toBe(`val-emulator 0.2.0 responds at ${url}.\n`);
    expect(code).toBe(0);
  });

  test('gives up after the timeout', async () => {
    const url = await deadUrl();

    const { stderr, code } = await run(['wait', '--url', url, '--timeout', '200ms']);

    expect(stderr).toContain(`val-emulator: No emulator at ${url}: connection refused.`);
    expect(code).toBe(3);
  });

  test('gives up on a port that accepts connections and does not respond', async () => {
    const url = await silentUrl();

    const { stderr, code } = await run(['wait', '--url', url, '--timeout', '300ms']);

    expect(stderr).toMatch(new RegExp(`^val-emulator: No response from ${url} within \\d+ ms\\. Check the URL`));
    expect(code).toBe(3);
  });

  test('refuses an invalid timeout', async () => {
    const { stderr, code } = await run(['wait', '--timeout', 'soon']);

    expect(stderr).toMatch(/--timeout: found "soon"; expected a duration/);
    expect(code).toBe(2);
  });
});

test.each([
  ['reset'],
  ['seed', 'empty'],
  ['snapshot', 'save'],
  ['snapshot', 'restore', 'x'],
  ['state'],
  ['requests'],
  ['fail', '*'],
  ['clock'],
  ['reset', '--sandbox', 'x'],
])('%s %s gives up on a port that accepts connections and does not respond', async (...args) => {
  const url = await silentUrl();

  expect(await run([...args, '--url', url, '--timeout', '100ms'])).toEqual({
    stdout: '',
    stderr: `val-emulator: No response from ${url} within 100 ms. Check the URL, or set a longer time limit.\n`,
    code: 3,
  });
});

test('exec refuses --watch', async () => {
  const ended = await run(['exec', '--watch', '--', process.execPath, '-e', '']);

  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('Unknown argument: --watch')]);
});
