import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { busyPort, takePort } from '../../support/ports.js';
import { waitFor } from '../../support/wait.js';
import { Command, launch, MAIN, refusal, run, serve, serveProcess, spawnCli } from './cli.js';

test('the process ends with the exit code of the command', async () => {
  expect(await spawnCli(['strat']).end()).toEqual(
    refusal('Unknown command "strat". Did you mean "start"?\nSee val-emulator --help.'),
  );
});

test('a taken port ends with a sentence on stderr and exit code 2', async () => {
  const port = await takePort();
  expect(await run(['start', '--port', `${port}`])).toEqual(refusal(busyPort(port)));
});

test.each<[args: string[], message: RegExp | string]>([
  [['--port', 'abc'], '--port: found "abc"; expected a port from 0 to 65535.'],
  [['--port', '70000'], '--port: found 70000; expected a port from 0 to 65535.'],
  [['--port', '-1'], '--port: found -1; expected a port from 0 to 65535.'],
  [['--port', '80.5'], '--port: found 80.5; expected a port from 0 to 65535.'],
  [['--port='], '--port: found ""; expected a port from 0 to 65535.'],
  [['--port'], /^val-emulator: --port: missing; expected a value: Port to listen on .*\nSee/],
  [['--fixtures'], /^val-emulator: --fixtures: missing; expected a value: Folder, file or dataset.*\nSee/],
  [['--auth'], /^val-emulator: --auth: missing; expected a value: .*\nSee/],
  [['--auth', 'none'], /^val-emulator: --auth: found "none"; expected strict or lenient\.\n/],
  [
    ['--default-privacy', 'Public'],
    /^val-emulator: --default-privacy: found "Public"; expected .*unlisted.* Did you mean "public"\?\n/,
  ],
  [['--now', 'today'], /^val-emulator: --now: found "today"; expected .*"2024-06-11T22:05:12Z"/],
  [['--host', ''], /^val-emulator: --host: found ""; expected an address/],
  [
    ['--host', '192.0.2.1'],
    '--host: 192.0.2.1 is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.',
  ],
  ...['*', '*.svc.cluster.local', 'http://emulator.test', 'emulator.test:4010'].map((host): [string[], string] => [
    ['--allowed-host', host],
    `--allowed-host: found "${host}"; expected a host name without a port, or ".example.test" for example.test and all names below it.`,
  ]),
  [
    ['--prot', '5'],
    /^val-emulator: Unknown argument: --prot\. Did you mean "--port"\?\nSee val-emulator start --help\.\n$/,
  ],
  [['start', '8080'], /Unknown argument: 8080\. Did you mean --port 8080\?\n/],
  [['8080'], /Unknown argument: 8080\. Did you mean --port 8080\?\n/],
  [['demo.json'], /Unknown argument: demo\.json\. Did you mean --fixtures demo\.json\?\n/],
  [['start', 'here'], /^val-emulator: Unknown argument: here\.\nSee val-emulator (?:start )?--help\.\n$/],
  [['strat'], /^val-emulator: Unknown command "strat"\. Did you mean "start"\?\nSee val-emulator --help\.\n$/],
])('%j ends with a message on stderr and exit code 2', async (args, message) => {
  const ended = await run(args);
  expect(ended).toEqual(refusal(message));
  expect(ended.stderr).not.toMatch(/^ +at |node:internal|file:\/\//m);
});

test('all errors of the flags are reported at once', async () => {
  expect(await run(['--now', 'today', '--port', '70000'])).toEqual(
    refusal(/^val-emulator: --port: found 70000; .*\n--now: found "today"; .*\n$/),
  );
});

test('the error of an environment variable has its name', async () => {
  expect(await run([], { env: { VAL_EMULATOR_PORT: 'abc' } })).toEqual(
    refusal('--port (or VAL_EMULATOR_PORT): found "abc"; expected a port from 0 to 65535.'),
  );
  expect(await run([], { env: { VAL_EMULATOR_CONTROL: 'maybe' } })).toEqual(
    refusal('VAL_EMULATOR_CONTROL: found "maybe"; expected true or false.'),
  );
  expect(await run([], { env: { VAL_EMULATOR_AUTH: 'none' } })).toEqual(
    refusal(/--auth \(or VAL_EMULATOR_AUTH\): found "none"; expected strict or lenient\./),
  );
});

test('messages are in English in every locale', async () => {
  // yargs reads the environment of the process.
  for (const name of ['LANG', 'LC_ALL', 'LANGUAGE']) vi.stubEnv(name, 'de_DE.UTF-8');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await run(['--prot'])).toEqual(refusal(/^val-emulator: Unknown argument: --prot\./));
});

test('all errors of fixtures are reported, with file names from the working directory', async () => {
  const cwd = folderOf({
    'town/users.json': [{ username: 'ada', tier: 'gold' }],
    'town/vals.json': '[\n  { "author": }\n]',
    'town/runs.json': [{ val: 'ada/hello', duration: 5 }],
  });
  expect(await run(['--fixtures', 'town'], { cwd })).toEqual(
    refusal(
      [
        '3 problems in the fixtures:',
        '  town/vals.json line 2, column 15: not valid JSON: found "}"; expected a value.',
        '  town/users.json [0].tier: found "gold"; expected "free", "pro" or null.',
        '  town/runs.json [0].duration: found 5; expected "90s", "10m", "2d" or "1d12h" (units ms, s, m, h, d, w).',
      ].join('\n'),
    ),
  );
});

test('the error of missing fixtures lists the built-in ones', async () => {
  expect(await run(['--fixtures', 'defualt'])).toEqual(
    refusal(
      '1 problem in the fixtures:\n  defualt: no such file, folder or built-in dataset (busy, default, edge-cases, empty, failures, popular). Did you mean "default"?',
    ),
  );
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the emulator with exit code 0, whatever is connected',
  async (signal) => {
    const { command, url } = await serveProcess(['--json', '--fixtures', 'empty', '--grace', '1s']);
    const { port, hostname: host } = new URL(url);
    const silent = connect({ port: Number(port), host, allowHalfOpen: true });
    const unfinished = connect({ port: Number(port), host, allowHalfOpen: true });
    for (const socket of [silent, unfinished]) {
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {}).resume();
      await once(socket, 'connect');
    }
    unfinished.write('POST /v1/vals HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{');
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [response] = await once(request(`${url}/v1/me`, { agent }).end(), 'response');
    await once(response.resume(), 'end');

    expect(await command.kill(signal)).toMatchObject({ stderr: '', code: 0 });
  },
);

test('after a signal a delayed response is sent, although a dependency repeats the signal', async () => {
  const { command, url } = await serveProcess(['--json', '--fixtures', 'empty', '--drain', '200ms']);
  await run(['fail', '*', '--delay', '800', '--status', '418', '--url', url]);
  const response = fetch(`${url}/v1/me`);
  await waitFor(async () => expect((await run(['requests', '--url', url])).stdout).toContain('/v1/me'));

  const ended = command.kill('SIGTERM');

  await waitFor(async () => expect((await fetch(`${url}/_emulator/ready`)).status).toBe(503));
  expect((await response).status).toBe(418);
  expect(await ended).toMatchObject({ stderr: '', code: 0 });
});

test('a port is free again after a signal', async () => {
  const { command, url } = await serve(['--json', '--fixtures', 'empty']);
  await command.kill('SIGTERM');
  const again = launch(['--port', new URL(url).port, '--json', '--fixtures', 'empty']);
  const [, same] = await again.prints(/"url":"([^"]+)"/);
  expect(same).toBe(url);
});

test('the emulator continues to respond when nothing reads its output', async () => {
  const { command, url } = await serveProcess(['--fixtures', 'empty']);
  command.child.stdout?.destroy();
  for (let i = 0; i < 5; i++) expect((await fetch(`${url}/v1/me`)).status).toBe(401);
  expect(await command.kill('SIGTERM')).toMatchObject({ stderr: '', code: 0 });
});

/** Starts an emulator whose stdout is a full pipe, and sends requests until some more lines are dropped. */
async function startUnread(format: 'text' | 'json', grace: string) {
  const { command, url } = await serveProcess(['--fixtures', 'empty', '--log', format, '--grace', grace]);
  command.child.stdout?.pause();
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  onTestFinished(() => agent.destroy());
  // Lines of 12 KB: a megabyte and what the pipe takes.
  const path = `/v1/me?q=${'x'.repeat(12_000)}`;
  const send = async () => {
    const [response] = await once(request(url + path, { agent }).end(), 'response');
    await once(response.resume(), 'end');
  };
  for (let i = 0; i < 12; i++) await Promise.all(Array.from({ length: 16 }, send));
  return { command, send };
}

test('SIGTERM ends an emulator with unread output within the grace period, and a second signal at once', async () => {
  const first = await startUnread('text', '1s');
  first.command.child.kill('SIGTERM');
  await once(first.command.child, 'exit');
  expect(first.command.child.exitCode).toBe(0);

  const second = await startUnread('text', '1h');
  // A signal that follows at once is taken for a repeated one.
  const timer = setInterval(() => second.command.child.kill('SIGTERM'), 200);
  await once(second.command.child, 'exit');
  clearInterval(timer);
  expect(second.command.child.exitCode).toBe(0);
});

test('two signals end an emulator although statements wait that each take their whole time', async () => {
  const { command, url } = await serveProcess(['--fixtures', 'default', '--grace', '1h']);
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
  let responses = 0;
  const send = () =>
    fetch(`${url}/v1/sqlite/execute`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada-token' },
      body: JSON.stringify({ statement: endless }),
    }).then(
      () => responses++,
      // The process has ended.
      () => {},
    );
  const statements = Array.from({ length: 100 }, send);
  await waitFor(async () => expect(responses).toBeGreaterThan(0));
  const before = responses;

  command.child.kill('SIGTERM');
  const timer = setInterval(() => command.child.kill('SIGTERM'), 200);
  await once(command.child, 'exit');
  clearInterval(timer);

  await Promise.all(statements);
  // Those that ran when a signal came.
  expect(responses - before).toBeLessThan(5);
});

test('a signal ends an emulator that still loads its fixtures', async () => {
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;';
  const folder = folderOf({ 'users.json': [{ username: 'ada' }], 'sqlite.json': [{ user: 'ada', sql }] });
  const command = spawnCli(['--fixtures', folder, '--port', '0']);
  await new Promise((resolve) => setTimeout(resolve, 1_000));

  // No exit code: the signal ends it as if nothing listened to it.
  expect(await command.kill('SIGTERM')).toEqual({ stdout: '', stderr: '', code: null });
});

test.each([
  ['text', /\((\d+) lines were dropped: the output was not read\)\n/],
  ['json', /"event":"dropped","lines":(\d+)\}\n/],
] as const)('lines of the log that are not read are dropped and counted: %s', async (format, pattern) => {
  const { command, send } = await startUnread(format, '1s');
  command.child.stdout?.resume();
  const [, dropped] = await command.prints(pattern);
  await send();
  const { stdout, code } = await command.kill('SIGTERM');
  const printed = stdout.match(/\/v1\/me\?q=/g) ?? [];

  expect(code).toBe(0);
  expect(printed.length).toBeGreaterThan(80);
  expect(printed.length + Number(dropped)).toBe(12 * 16 + 1);
});

test.each(['--help', '--version'])('%s continues when nothing reads its output', async (flag) => {
  const piped = `"${process.execPath}" "${MAIN}" ${flag} | true`;
  expect(await new Command('sh', ['-c', piped]).end()).toEqual({ stdout: '', stderr: '', code: 0 });
});

/** Whether a text has colors. A terminal gets other controls as well. */
const hasColor = (text: string) => text.replaceAll('\u001b[?', '').includes('\u001b[');

test('output to a pipe has no colors', async () => {
  const { command, url } = await serve(['--fixtures', 'empty'], {
    env: { FORCE_COLOR: undefined, TERM: 'xterm-256color' },
  });
  await fetch(`${url}/v1/me`);
  await command.prints(/GET/);
  expect(hasColor(command.stdout)).toBe(false);
});

/** `script` of util-linux runs a command as if in a terminal. */
const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

test.runIf(hasTerminal)('output to a terminal has colors', async () => {
  const line = `"${process.execPath}" "${MAIN}" --port 0 --fixtures empty`;
  const command = new Command('script', ['--quiet', '--command', line, '/dev/null'], { env: { TERM: 'xterm' } });
  await command.prints(/Ctrl-C/);
  expect(hasColor(command.stdout)).toBe(true);
  command.child.kill('SIGTERM');
});

test.each<[env: Record<string, string>, hasColors: boolean]>([
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '' }, true],
])('output to a terminal with %j has colors: %s', async (env, hasColors) => {
  const { command } = await serve(['--fixtures', 'empty'], { env, terminal: 80 });
  await command.prints(/Ctrl-C/);
  expect(hasColor(command.stdout)).toBe(hasColors);
});
