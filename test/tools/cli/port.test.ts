import { realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askLsof, findListeningProcess } from '#engine/http/listening-process.js';
import { packageVersion } from '#engine/platform/package.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { createEmulator, emulate } from '../../support/emulate.js';
import { busyPort, takePort } from '../../support/ports.js';
import { Command, launch, ready, run, serve } from './cli.js';

const version = packageVersion();

/** Takes a port, unless somebody else has it. */
const occupy = (port: number) => takePort(port).catch(() => port);

/** Returns the port of an emulator that has responded already: its first response takes longer in a busy process. */
async function serveEmulator(): Promise<string> {
  const { url } = await emulate({});
  await fetch(`${url}/_emulator/health`);
  return new URL(url).port;
}

test('start without a port takes the next free one and prints it on stderr', async () => {
  await occupy(4010);
  await occupy(4011);

  const { command, url } = await ready(launch(['start', '--fixtures', 'empty']));

  const port = Number(new URL(url).port);
  expect(port).toBeGreaterThan(4011);
  expect(port).toBeLessThan(4020);
  expect(command.stderr).toMatch(/^val-emulator: Port 4010 on 127\.0\.0\.1 is in use by .+\. Listening /);
  expect(command.stderr).toContain(
    ` Listening on port ${port} instead; choose one by --port. Other commands reach it by VAL_EMULATOR_URL=http://127.0.0.1:${port}, or --url.\n`,
  );
  expect((await fetch(url)).status).toBe(200);
});

test('start without a port fails when ten are in use', async () => {
  for (let port = 4010; port < 4020; port++) await occupy(port);

  const { stderr, code } = await run(['start', '--fixtures', 'empty']);

  expect(stderr).toMatch(/^val-emulator: --port: 4019 on 127\.0\.0\.1 is in use/);
  expect(code).toBe(2);
});

test.each([
  ['start', []],
  ['exec', ['--', 'true']],
])('%s on the port of a val-emulator names the flag and its version', async (name, rest) => {
  const port = await serveEmulator();
  const message = busyPort(port, `val-emulator ${version}`).source;

  expect((await run([name, '--port', port, ...rest])).stderr).toMatch(
    new RegExp(`^val-emulator: --port: ${message}\n$`),
  );
  const { stderr, code } = await run([name, ...rest], { env: { VAL_EMULATOR_PORT: port } });
  expect(stderr).toMatch(new RegExp(`^val-emulator: --port \\(or VAL_EMULATOR_PORT\\): ${message}\n$`));
  expect(code).toBe(2);
});

test('createEmulator on the port of a val-emulator names the option', async () => {
  const port = Number(await serveEmulator());

  await expect(createEmulator({ port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: expect.stringMatching(busyPort(port, `val-emulator ${version}`)),
  });
});

test.each([
  ['does not respond', () => {}],
  [
    'responds with something else',
    (_: unknown, response: { end(text: string): void }) => response.end('{"status":"ok"}'),
  ],
  ['responds with a long text', (_: unknown, response: { end(text: string): void }) => response.end('x'.repeat(5_000))],
])('a server that %s is not reported as a val-emulator', async (_, listener) => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const { stderr } = await run(['start', '--port', `${port}`]);

  expect(stderr).toMatch(busyPort(port));
  expect(stderr).not.toContain('by val-emulator');
});

test('the line of a 401 names a token, and other lines do not', async () => {
  const { command, url } = await serve(['--fixtures', 'empty']);
  await fetch(`${url}/v1/me`);
  await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });

  await command.prints(/GET {4}\/v1\/me 200/);
  expect(command.stdout).toMatch(
    /GET {4}\/v1\/me 401 [\d.]+ ms - Unauthorized - [\w ]+ - Try the token ada-token, or --auth lenient\nGET {4}\/v1\/me 200 [\d.]+ ms\n/,
  );
});

const LISTEN = "server.listen(process.argv[1] || 0, '127.0.0.1', () => console.log('port ' + server.address().port))";

test('a port of another program has its command, process and folder, and status lists it', async () => {
  const cwd = realpathSync(folderOf({}));
  const script = `const server = require('node:net').createServer(); ${LISTEN}`;
  const other = new Command(process.execPath, ['-e', script], { cwd });
  const [, port = ''] = await other.prints(/port (\d+)/);
  const { stderr } = await run(['start', '--port', port]);
  // Without the code, since other words may be secret.
  expect(stderr).toContain(`in use by ${basename(process.execPath)} (pid ${other.child.pid} in ${cwd}). Choose`);
  expect(askLsof(Number(port))).toEqual({ pid: other.child.pid, command: expect.stringMatching(/./), folder: cwd });
  // The port of the same number of another address.
  expect(findListeningProcess('127.0.0.2', Number(port))).toBeUndefined();

  const taken = await Promise.all(
    Array.from({ length: 10 }, (_, i) => new Command(process.execPath, ['-e', script, `${4010 + i}`], { cwd })),
  );
  await expect
    .poll(async () => {
      const { stdout } = await run(['status'], { env: { XDG_STATE_HOME: cwd, LOCALAPPDATA: cwd } });
      return stdout
        .split('\n')
        .filter((line) => /^Port 40\d\d on 127\.0\.0\.1 is in use by .+ \(pid \d+ in .+\)\.$/.test(line));
    })
    .toHaveLength(10);
  for (const each of taken) each.child.kill();
});

test('status lists an emulator of a terminal', async () => {
  const { command } = await ready(launch(['start', '--fixtures', 'empty']));
  const base = folderOf({});
  const { stdout } = await run(['status'], { env: { XDG_STATE_HOME: base, LOCALAPPDATA: base } });
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(command.stdout) ?? [];
  expect(stdout).toMatch(
    new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use by val-emulator ${version} \\(pid ${process.pid} in /`, 'm'),
  );
});
