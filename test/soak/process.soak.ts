import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/index.js';
import { folderOf } from '../engine/fixtures/loading.js';
import { busyPort } from '../support/ports.js';
import { scaled, watchdog } from '../support/soak.js';
import { Command, MAIN, ready, serveProcess, spawnCli } from '../tools/cli/cli.js';

const quote = (word: string) => `'${word}'`;
const COMMAND = [process.execPath, MAIN].map(quote).join(' ');
const ROUNDS = Math.max(2, scaled(12));

/** Sends one request after the other until the server is gone. Counts the responses by status. */
async function load(url: string, path: string): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (;;) {
    try {
      const response = await fetch(url + path, { headers: { authorization: 'Bearer ada-token' } });
      await response.text();
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    } catch {
      return counts;
    }
  }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s under load ends the emulator, with exit code 0 and no error',
  async (signal) => {
    let responses = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { command, url } = await serveProcess(['--quiet']);
      const paths = [
        '/v1/me',
        '/v1/me/runs?limit=100',
        '/_emulator/state',
        '/_emulator/db/vals',
        '/_emulator/requests',
        '/v1/none',
      ];
      const clients = [...paths, ...paths].map((path) => load(url, path));
      await new Promise((resolve) => setTimeout(resolve, 150 + 37 * round));
      const ended = await watchdog(signal, command.kill(signal));
      expect(ended).toMatchObject({ stderr: '', code: 0 });
      for (const counts of await Promise.all(clients)) {
        for (const [status, count] of counts) {
          expect([200, 401, 404]).toContain(status);
          responses += count;
        }
      }
    }
    console.log(`${signal}: ${ROUNDS} times, ${responses} responses before it`);
    expect(responses).toBeGreaterThan(ROUNDS);
  },
);

test.each([
  ['stdout', ['stdout']],
  ['stderr', ['stderr']],
  ['stdout and stderr', ['stdout', 'stderr']],
] as const)('continues when %s is closed', async (_, streams) => {
  const folder = folderOf({ 'users.json': [{ username: 'ada' }] });
  const { command, url } = await serveProcess(['--fixtures', folder, '--watch']);
  for (const stream of streams) command.child[stream]?.destroy();
  for (let i = 0; i < 200; i++) {
    // An error in a saved file is reported on stderr, a request on stdout.
    if (i % 50 === 0) writeFileSync(join(folder, 'users.json'), i % 100 === 0 ? '{' : '[]');
    expect((await fetch(`${url}/v1/none?${'x'.repeat(1_000)}`)).status).toBe(404);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await watchdog('SIGTERM', command.kill('SIGTERM'))).code).toBe(0);
});

test('reports a taken port in one line, with exit code 2', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = Object(server.address()) satisfies AddressInfo;
  const ended = await watchdog('start', spawnCli(['start', '--port', String(port)]).end());
  expect(ended).toEqual({
    stdout: '',
    stderr: expect.stringMatching(busyPort(port)),
    code: 2,
  });
});

/** Posts over a connection that is open; returns the status. */
async function postOver(socket: Socket, path: string): Promise<number> {
  const headers =
    'Host: localhost\r\nAuthorization: Bearer ada-token\r\nContent-Type: application/json\r\nContent-Length: 12';
  const received = once(socket, 'data');
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n{"code":"1"}`);
  const [data] = await received;
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(data))?.[1]);
}

/** Linux and macOS have `ulimit`. */
const hasLimits = process.platform !== 'win32';

test.runIf(hasLimits)('requests fail while file descriptors are used up, and work afterwards', async () => {
  const line = `ulimit -n 64; exec ${COMMAND} start --port 0 --quiet`;
  const { command, url } = await ready(new Command('sh', ['-c', line]));
  const port = Number(new URL(url).port);
  const post = (path: string) =>
    new Promise<number>((resolve) => {
      const sent = request(url + path, {
        method: 'POST',
        agent: false,
        timeout: 1_000,
        headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
      });
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      sent.on('timeout', () => sent.destroy()).on('error', () => resolve(0));
      sent.end('{"code":"1"}');
    });
  const counts = new Map<string, number>();
  let opened = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const idle = Array.from({ length: 100 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => {}));
    opened += idle.length;
    await Promise.all(idle.map((socket) => (socket.connecting ? once(socket, 'connect').catch(() => {}) : undefined)));
    // Requests that load a module for the first time, over accepted connections.
    const paths = ['/v1/vals', '/_emulator/snapshots', '/_emulator/db/vals', '/_emulator/seed'];
    for (const [index, path] of paths.entries()) {
      const status = await watchdog(`POST ${path}`, postOver(idle[index] ?? connect({ port }), path));
      expect([200, 201, 400, 404, 422, 503], path).toContain(status);
      counts.set(`${path} ${status}`, (counts.get(`${path} ${status}`) ?? 0) + 1);
    }
    for (const socket of idle) socket.destroy();
    // The descriptors come back once the server sees that the connections are closed.
    for (let tries = 0; (await post('/v1/vals')) !== 200; tries++) {
      if (tries > 50) throw new Error('does not respond with all descriptors back');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await post('/_emulator/snapshots')).not.toBe(0);
    expect((await fetch(`${url}/_emulator/db/users`, { headers: { connection: 'close' } })).status).toBe(200);
    expect((await fetch(`${url}/_emulator/openapi.json`, { headers: { connection: 'close' } })).status).toBe(200);
  }
  console.log(`descriptors: ${opened} idle connections, statuses beside them: ${JSON.stringify([...counts])}`);
  expect(await watchdog('SIGTERM', command.kill('SIGTERM'))).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['start --port 0', 2],
  ['check', 1],
] as const)(
  '%s with a fixture too large for the heap prints one clear line',
  async (subcommand, status) => {
    const folder = folderOf({ 'users.json': [{ username: 'ada' }] });
    const val = JSON.stringify({ author: 'ada', name: 'one', code: 'export default 1;', readme: 'x'.repeat(100) });
    writeFileSync(join(folder, 'vals.json'), `[${Array(600_000).fill(val).join(',')}]`);
    const [verb = '', ...flags] = subcommand.split(' ');
    const args = verb === 'check' ? [verb, folder] : [verb, ...flags, '--fixtures', folder];
    const command = new Command(process.execPath, ['--max-old-space-size=64', MAIN, ...args]);
    const { stdout, stderr, code } = await watchdog('start', command.end(), 60_000);
    expect(code).toBe(status);
    const lines = `${stdout}${stderr}`
      .trimEnd()
      .split('\n')
      .filter((line) => !/: ?$|: 1 problem\.$/.test(line));
    expect(lines).toEqual([expect.stringMatching(/vals\.json: \d+ MB of JSON need more than the heap of \d+ MB/)]);
  },
  120_000,
);

test('times continue when the clock of the machine is set back', async () => {
  const { now } = Date;
  onTestFinished(() => void Object.assign(Date, { now }));
  let shift = 0;
  Object.assign(Date, { now: () => now() + shift });
  await using emulator = await createEmulator({
    fixtures: 'default',
    listen: false,
    rateLimit: { limit: 1_000_000, window: '1m' },
  });
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const count = scaled(3_000);
  for (let i = 0; i < count; i++) {
    shift = (i % 5) * -3_600_000 + (i % 7) * 86_400_000 * (i % 2 === 0 ? -1 : 1);
    const { status } = await emulator.fetch('/v1/vals', { method: 'POST', headers, body: '{"code":"1"}' });
    expect(status).toBe(200);
    expect((await emulator.fetch('/v1/me/runs', { headers })).status).toBe(200);
    expect((await emulator.fetch('/v1/me', { headers })).status).toBe(200);
    if (i % 10 === 0) emulator.rewind(1);
    if (i % 100 === 0) emulator.reset();
  }
  const state = emulator.state();
  emulator.reseed(state);
  expect(emulator.state().vals).toHaveLength(state.vals.length);
  console.log(`clock: ${count * 3} requests while it is set back and forth`);
});
