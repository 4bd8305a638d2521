import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../engine/fixtures/loading.js';
import { Command, MAIN, ready } from '../tools/cli/cli.js';

const CONNECTIONS = 300;
const ADA = 'ada00000-0000-4000-8000-000000000001';
const code = 'x'.repeat(250_000);
const vals = Array.from({ length: 100 }, (_, i) => ({ author: 'ada', name: `v${i}`, privacy: 'public', code }));

/** Bytes of the resident memory of a process. */
const measureMemory = (pid = 0): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

test('clients that read nothing do not end the process or block other clients', async () => {
  const fixtures = join(folderOf({ 'demo.json': { users: [{ username: 'ada', id: ADA }], vals } }), 'demo.json');
  const args = ['--max-old-space-size=512', MAIN, 'start', '--port', '0', '--json', '--fixtures', fixtures];
  const { command, url } = await ready(new Command(process.execPath, args));
  const { pid } = command.child;
  const read = async (path: string) => {
    const response = await fetch(url + path, { headers: { authorization: 'Bearer ada-token' } });
    await response.arrayBuffer();
    return response.status;
  };
  // All is loaded and compiled then.
  for (let i = 0; i < 5; i++) expect(await read('/v1/me/likes')).toBe(200);
  expect(await read(`/v1/users/${ADA}/vals?limit=100`)).toBe(200);
  const before = measureMemory(pid);

  const sockets: Socket[] = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    socket.pause();
    socket.write(`GET /v1/users/${ADA}/vals?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  });
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await sleep(2_000);
  const during = measureMemory(pid);
  const start = performance.now();
  expect([await read('/_emulator/health'), await read('/v1/me')]).toEqual([200, 503]);
  expect(performance.now() - start).toBeLessThan(5_000);

  // After 30 seconds the connections that have read nothing are closed, although none of them has left.
  await expect.poll(() => read('/v1/me'), { interval: 1_000 }).toBe(200);
  console.log(`other clients wait ${Math.round((performance.now() - start) / 1_000)} s`);
  for (const socket of sockets) socket.destroy();
  await sleep(1_000);
  // Memory of closed connections is freed when others need it.
  for (let i = 0; i < 20; i++) expect(await read(`/v1/users/${ADA}/vals?limit=100`)).toBe(200);

  const after = measureMemory(pid);
  console.log(`resident memory: ${[before, during, after].map((bytes) => Math.round(bytes / 1e6)).join(', ')} MB`);
  expect(after).toBeLessThan(Math.max(during, before * 1.5));
  expect(command.child.exitCode).toBeNull();
});
