import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../src/cli/detached.js';
import { folderOf } from '../fixtures/loading.js';
import { takePort } from '../support/ports.js';
import { run, spawnCli } from './cli.js';

/** Starts an emulator in the background, with a state folder of its own. */
async function detach(args: readonly string[] = ['--port', '0'], base = folderOf({})) {
  const env = { XDG_STATE_HOME: base, LOCALAPPDATA: base };
  const ended = await spawnCli(['start', '--fixtures', 'empty', ...args, '--detach'], { env }).end();
  const ready = ended.code === 0 ? JSON.parse(ended.stdout) : { pid: undefined };
  onTestFinished(() => {
    if (ready.pid !== undefined && isAlive(ready.pid)) process.kill(ready.pid, 'SIGKILL');
  });
  return { ...ended, ready, env, base, folder: join(base, 'val-emulator') };
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
  expect(listed).toEqual([{ url, pid, log, cwd: process.cwd(), startedAt: expect.any(String) }]);
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
  expect(stderr).toBe(
    `val-emulator: --port: ${port} on 127.0.0.1 is in use. Choose another port, or 0 for any free one.\n`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('status names the log of a killed emulator once, and then forgets it', async () => {
  const { ready, env, folder } = await detach();
  const { url, pid, log } = ready;
  process.kill(pid, 'SIGKILL');
  const reused = { url: 'http://127.0.0.1:65533', pid: process.pid, cwd: '/', log: '/tmp/none.log', startedAt: '' };
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(reused));
  await expect.poll(() => isAlive(pid)).toBe(false);

  const { stdout, code } = await run(['status'], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('No emulator runs in the background.\n');
  expect(stdout).toContain(`${url} (pid ${pid}) has ended without a stop; its log: ${log}\n`);
  expect(await run(['status'], { env })).toMatchObject({ stdout: 'No emulator runs in the background.\n' });
  expect(readdirSync(folder)).toHaveLength(1);
});

test('stop needs the port if several emulators run', async () => {
  const { env, base, ready: first } = await detach();
  const { ready: second } = await detach(['--port', '0'], base);
  expect(await run(['stop'], { env })).toMatchObject({
    stderr: expect.stringMatching(/^val-emulator: Several emulators run: http.*, http.*\. Choose one by --port\.\n$/),
    code: 2,
  });
  for (const { url } of [first, second]) {
    expect(await run(['stop', '--port', new URL(url).port], { env })).toMatchObject({ code: 0 });
  }
});
