import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '#tools/cli/processes.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { busyPort, takePort } from '../../support/ports.js';
import { run, spawnCli } from './cli.js';

/** Starts an emulator in the background, with a state folder of its own. */
async function detach(args: readonly string[] = ['--port', '0'], base = folderOf({})) {
  // Below npm, whose end it survives.
  const env = { XDG_STATE_HOME: base, LOCALAPPDATA: base, npm_command: 'exec' };
  const ended = await spawnCli(['start', '--fixtures', 'empty', ...args, '--detach'], { env }).end();
  const ready = ended.code === 0 ? JSON.parse(ended.stdout) : { pid: undefined };
  onTestFinished(() => {
    if (ready.pid !== undefined && isAlive(ready.pid)) process.kill(ready.pid, 'SIGKILL');
  });
  return { ...ended, ready, env, base, folder: join(base, 'val-emulator') };
}

/** Lists the emulators in the background, without the ports that other tests use. */
async function status(env: { readonly XDG_STATE_HOME: string }) {
  const ended = await run(['status'], { env });
  return { ...ended, stdout: ended.stdout.replace(/^Port .*\n/gm, '') };
}

test('start --detach prints the ready line and ends, and stop ends the emulator', async () => {
  const { stderr, ready, env, folder } = await detach();
  expect({ stderr, ready }).toEqual({
    stderr: '',
    ready: {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      users: [expect.objectContaining({ token: 'ada-token' })],
      pid: expect.any(Number),
      log: expect.stringMatching(/\.log$/),
    },
  });
  const { url, pid, log } = ready;
  expect((await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } })).status).toBe(200);
  for (const file of [log, join(folder, `${pid}.json`)]) expect(statSync(file).mode & 0o777).toBe(0o600);

  const listed = JSON.parse((await run(['status', '--json'], { env })).stdout);
  const { instance } = JSON.parse(await (await fetch(`${url}/_emulator/health`)).text());
  expect(listed).toEqual([{ url, pid, instance, log, cwd: process.cwd(), startedAt: expect.any(String) }]);
  expect(await run(['stop', '--port', '1'], { env })).toMatchObject({ code: 3 });
  expect(await run(['stop'], { env })).toEqual({ stdout: `Stopped ${url} (pid ${pid}).\n`, stderr: '', code: 0 });
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(readdirSync(folder)).toEqual([]);
  expect(await run(['stop'], { env })).toMatchObject({
    stderr: expect.stringMatching(/^val-emulator: No emulator runs in the background\./),
    code: 3,
  });
});

test('an emulator that cannot start in the background prints its error, with its exit code', async () => {
  const port = await takePort();
  const { stdout, stderr, code, folder } = await detach(['--port', `${port}`]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toMatch(busyPort(port));
  expect(readdirSync(folder)).toEqual([]);
});

test('status names the log of a killed emulator once, and then forgets it', async () => {
  const { ready, env, folder } = await detach();
  const { url, pid, log } = ready;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);

  const { stdout, code } = await status(env);
  expect(code).toBe(0);
  expect(stdout).toContain('No emulator runs in the background.\n');
  expect(stdout).toContain(`${url} (pid ${pid}) has ended without a stop; its log: ${log}\n`);
  expect(await status(env)).toMatchObject({ stdout: 'No emulator runs in the background.\n' });
  expect(readdirSync(folder)).toHaveLength(1);
});

/** Describes a program that has the process id and the address of an emulator that has ended. */
async function impersonate(server: Server) {
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const base = folderOf({});
  const folder = join(base, 'val-emulator');
  mkdirSync(folder);
  const log = join(folder, 'kept.log');
  writeFileSync(log, 'kept');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const instance = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
  const emulator = { url, pid: stranger.pid, instance, cwd: '/', log, startedAt: '2026-01-05T09:30:00.000Z' };
  writeFileSync(join(folder, `${stranger.pid}.json`), JSON.stringify(emulator));
  onTestFinished(() => {
    stranger.kill('SIGKILL');
    server.close();
  });
  return { stranger, url, log, env: { XDG_STATE_HOME: base, LOCALAPPDATA: base }, folder };
}

const respond = (status: number, body: string) => createServer((_, response) => response.writeHead(status).end(body));

test.each<[program: string, server: () => Server]>([
  ['responds 404', () => respond(404, 'Not Found')],
  ['has a health of its own', () => respond(200, '{"status":"ok"}')],
  [
    'is another val-emulator',
    () => respond(200, JSON.stringify({ status: 'ok', version: '0.2.0', instance: 'other' })),
  ],
  ['sends a long page', () => respond(200, 'x'.repeat(100_000))],
  ['does not use HTTP', () => createTcpServer((socket) => socket.end('220 mail\r\n'))],
])('stop and status leave a program alone that %s', async (_, server) => {
  const { stranger, log, env, url, folder } = await impersonate(server());
  const copy = readFileSync(join(folder, `${stranger.pid}.json`));

  expect(await run(['stop'], { env })).toMatchObject({ code: 3, stdout: '' });
  writeFileSync(join(folder, `${stranger.pid}.json`), copy);
  expect(await status(env)).toMatchObject({
    stdout: `No emulator runs in the background.\n${url} (pid ${stranger.pid}) has ended without a stop; its log: ${log}\n`,
  });
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  expect(readdirSync(folder)).toEqual(['kept.log']);
});

test('a program that does not respond is left alone, and stays in the list', async () => {
  const { stranger, env, url, folder } = await impersonate(createTcpServer());
  const line = `${url} (pid ${stranger.pid}) does not respond. End it by its process id, unless another program has that by now.\n`;

  const [listed, stop] = await Promise.all([status(env), run(['stop'], { env })]);
  expect(listed).toMatchObject({ code: 0, stdout: `No emulator runs in the background.\n${line}` });
  expect(stop).toMatchObject({ code: 3, stderr: `val-emulator: ${line}` });
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  expect(readdirSync(folder)).toHaveLength(2);
});

test.each([
  '',
  '{"url":"http://127.0.0.1:1","pid":',
  '{}',
  '[]',
  '{"url":"http://127.0.0.1:1","pid":1,"cwd":"/","log":"/","startedAt":""}',
])('the file of an emulator with the text %j is removed with a warning', async (text) => {
  const base = folderOf({ 'val-emulator/12.json': text });
  const env = { XDG_STATE_HOME: base, LOCALAPPDATA: base };

  expect(await status(env)).toEqual({
    stdout: 'No emulator runs in the background.\n',
    stderr: `val-emulator: Removed ${join(base, 'val-emulator', '12.json')}, which does not describe an emulator. If one still runs, end it by the process id in that name.\n`,
    code: 0,
  });
  expect(readdirSync(join(base, 'val-emulator'))).toEqual([]);
});

test.each(['12.json', 'old.log', 'old.tmp'])(
  'a file %s that is gone once it is read is an emulator that is gone',
  async (name) => {
    const { env, folder, base } = await detach();
    // What is listed, but cannot be opened: as a file between the two steps of another command.
    symlinkSync('nothing', join(folder, name));

    const second = await detach(['--port', '0'], base);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    const { port } = new URL(second.ready.url);
    expect(await status(env)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(second.ready.url) });
    expect(await run(['stop', '--port', port], { env })).toMatchObject({ code: 0, stderr: '' });
  },
);

test('stop needs the port if several emulators run', async () => {
  const { env, base, ready: first } = await detach();
  const { ready: second } = await detach(['--port', '0'], base);
  expect(await run(['stop'], { env })).toMatchObject({
    stderr: expect.stringMatching(
      /^val-emulator: Several emulators run: http.*, http.*\. Choose one by --url or --port\.\n$/,
    ),
    code: 2,
  });
  const elsewhere = { ...env, VAL_EMULATOR_URL: 'http://127.0.0.1:1' };
  expect(await run(['stop'], { env: elsewhere })).toMatchObject({
    stderr: expect.stringContaining('No emulator at http://127.0.0.1:1 runs in the background.'),
    code: 3,
  });
  expect(await run(['stop', '--url', first.url], { env: elsewhere })).toMatchObject({
    stdout: expect.stringContaining(`Stopped ${first.url} `),
    code: 0,
  });
  expect(await run(['stop', '--port', new URL(second.url).port], { env: elsewhere })).toMatchObject({ code: 0 });
});
