import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { Command, MAIN, ready, run } from './cli.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }] };

const FILES = 64;

/** Starts the program with at most this many open files. */
const startPoor = (args: readonly string[]) =>
  ready(
    new Command('sh', [
      '-c',
      `ulimit -n ${FILES}; exec "$0" "$@"`,
      process.execPath,
      MAIN,
      'start',
      '--port',
      '0',
      ...args,
    ]),
  );

type Exchange = readonly [method: string, path: string, body: string, status: number];

/** Files that a process has open below its limit, above which are files of its parent. */
const countFiles = (pid: number | undefined) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => Number(fd) < FILES).length;

test.runIf(process.platform === 'linux')(
  'without file descriptors each request that loads a module returns 503, and later succeeds',
  async () => {
    const { command, url } = await startPoor(['--fixtures', 'empty', '--json', '--control-token', 's3cret-token']);
    const { child } = command;
    const port = Number(new URL(url).port);
    // What the second round needs is loaded after the first one.
    const rounds: readonly (readonly Exchange[])[] = [
      [
        ['POST', '/v1/vals', '{"code":"1"}', 401],
        ['POST', '/v2/vals', '{}', 401],
        ['GET', '/_emulator/db/users', '', 200],
        ['GET', '/_emulator/openapi.json', '', 200],
        ['GET', '/_emulator/ui/', '', 200],
      ],
      [
        ['PUT', '/_emulator/seed', '{"generate":{"users":5}}', 200],
        ['PUT', '/_emulator/seed', '{"fixtures":"default"}', 200],
      ],
    ];
    for (const round of rounds) {
      const before = countFiles(child.pid);
      const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1').on('error', () => {}));
      onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
      const listOpen = () => sockets.filter(({ destroyed }) => !destroyed);
      // The emulator has taken as many as it can, and closed the others.
      await expect.poll(() => [countFiles(child.pid), listOpen().length]).toEqual([FILES, FILES - before]);
      const [socket] = listOpen();
      const exchange = async (method: string, path: string, body: string, header: string) => {
        const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`;
        socket?.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
        return await new Promise<string>((resolve) => socket?.once('data', (data) => resolve(String(data))));
      };

      // The control API is loaded before the second round.
      const refused = await exchange('GET', '/_emulator/ui/', '', 'Origin: http://evil.test');
      expect(refused).toMatch(round === rounds[0] ? /^HTTP\/1\.1 503 / : /^HTTP\/1\.1 403 /);
      for (const [method, path, body] of round) {
        const response = await exchange(method, path, body, 'Content-Type: application/json');
        expect(response, path).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n[\s\S]*"Too many open files\./);
        expect(response, path).not.toMatch(/node_modules|\/work|\.js/);
      }
      for (const each of sockets) each.destroy();
      await expect.poll(() => countFiles(child.pid)).toBeLessThanOrEqual(before);
      for (const [method, path, body, status] of round) {
        const headers = { 'content-type': 'application/json', connection: 'close' };
        const init = { method, headers, redirect: 'manual', ...(body && { body }) } as const;
        expect((await fetch(url + path, init)).status, path).toBe(status);
      }
      await expect.poll(() => countFiles(child.pid)).toBeLessThanOrEqual(before);
    }
    expect(child.exitCode).toBeNull();
  },
);

test('--watch continues after invalid files when stderr has no reader', async () => {
  const file = join(folderOf({ 'demo.json': fixtures }), 'demo.json');
  const { command, url } = await ready(
    new Command(process.execPath, [MAIN, 'start', '--port', '0', '--fixtures', file, '--watch']),
  );
  command.child.stderr?.destroy();

  for (const text of ['{', '[]', '{"users":1}']) {
    writeFileSync(file, text);
    await sleep(400);
  }
  writeFileSync(file, '{"users":[{"username":"bob"}]}');
  await command.prints(/Reloaded/);

  const response = await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer bob-token' } });
  expect([response.status, command.child.exitCode]).toEqual([200, null]);
});

test('the error of a deeply nested fixture file names the file and the record', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const runs = `{"users":[{"username":"ada"}],"vals":[{"author":"ada","name":"a","code":"1"}],"runs":[{"val":"ada/a","returnValue":${deep}}]}`;
  const folder = folderOf({ 'runs.json': runs, 'broken.json': '['.repeat(100_000) });

  const valid = await run(['check', join(folder, 'runs.json')]);
  const broken = await run(['check', join(folder, 'broken.json')]);

  expect(valid.stdout + valid.stderr).toMatch(/runs\.json runs\[0\]: nested deeper than 500 levels/);
  expect(broken.stdout + broken.stderr).toMatch(/broken\.json: could not be read/);
});
