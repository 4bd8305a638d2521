import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_WAITING_BYTES } from '#engine/http/waiting.js';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
/** A page of them has 24 MB. */
const vals = Array.from({ length: 100 }, (_, i) => ({
  author: 'ada',
  name: `v${i}`,
  privacy: 'public' as const,
  code: 'x'.repeat(240_000),
}));
const PAGE = `/v1/users/${ADA}/vals?limit=100`;
const PAGES_BEYOND = Math.ceil(MAX_WAITING_BYTES / 24_000_000);
const TOO_MANY = { status: 503, retryAfter: '1', message: expect.stringMatching(/^Too many bytes wait for clients/) };

/** Without the checks of other tests, which would take most of the time. */
async function serve(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await createEmulator({ fixtures: { users: [{ username: 'ada', id: ADA }], vals }, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

/** Connects, and reads nothing until it is resumed. */
function open({ url }: Emulator, text = ''): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(text);
  return socket;
}

const toGet = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function send({ url }: Emulator, path: string, init?: RequestInit) {
  const response = await fetch(url + path, init);
  const text = await response.text();
  const { message } = text === '' ? { message: '' } : JSON.parse(text);
  return { status: response.status, retryAfter: response.headers.get('retry-after'), message };
}

/** Sends requests whose responses nobody reads, until others are refused. */
async function fill(emulator: Emulator): Promise<Socket[]> {
  const sockets = Array.from({ length: PAGES_BEYOND }, () => open(emulator, toGet(PAGE)));
  await expect.poll(() => emulator.requests()).toHaveLength(PAGES_BEYOND);
  return sockets;
}

const create = {
  method: 'POST',
  body: '{"code":"1"}',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ada-token' },
};

test('while many bytes of responses are not read, new requests get a 503 and change nothing', async () => {
  const emulator = await serve();
  const sockets = await fill(emulator);
  const { commits } = emulator.store;

  expect(await send(emulator, '/v1/vals', create)).toEqual(TOO_MANY);
  expect(await send(emulator, '/v1/me')).toEqual(TOO_MANY);
  expect(await send(emulator, '/_emulator/users')).toEqual(TOO_MANY);
  expect((await send(emulator, '/_emulator/health')).status).toBe(200);
  expect((await send(emulator, '/_emulator/ready')).status).toBe(200);
  expect(emulator.store.commits).toBe(commits);
  expect(emulator.requests()).toHaveLength(PAGES_BEYOND);

  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send(emulator, '/v1/vals', create)).status).toBe(200);
});

test('requests on one connection that reads nothing do not pass the bound together', async () => {
  const emulator = await serve();
  open(emulator, toGet(PAGE).repeat(100));
  await expect.poll(async () => (await send(emulator, '/v1/me')).status).toBe(503);
  expect(emulator.requests({ route: 'GET /v1/users/{user_id}/vals' })).toHaveLength(PAGES_BEYOND);
});

test('a response that is larger than the bound is complete', async () => {
  const emulator = await serve();
  emulator.fail('GET /v1/me', { status: 200, body: 'x'.repeat(MAX_WAITING_BYTES + 1), times: 1 });
  const response = await fetch(`${emulator.url}/v1/me`);
  expect((await response.arrayBuffer()).byteLength).toBe(MAX_WAITING_BYTES + 1);
  expect((await send(emulator, '/v1/me')).status).toBe(401);
});

test('a stream of events stays open longer than the time limit for unread responses', async () => {
  const emulator = await serve({ unreadTimeout: 100 });
  const [response]: IncomingMessage[] = await once(get(`${emulator.url}/_emulator/events`), 'response');
  let text = '';
  response?.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await sleep(500);
  await send(emulator, '/v1/me');
  await expect.poll(() => text).toContain('event: request');
  expect(response?.destroyed).toBe(false);
  response?.destroy();
});

test('a connection that reads nothing is closed after the time limit, and one that reads slowly stays open', async () => {
  const emulator = await serve({ unreadTimeout: 1_000 });
  const silent = open(emulator, toGet(PAGE));
  const [slow]: IncomingMessage[] = await once(get(emulator.url + PAGE), 'response');
  let length = 0;
  const start = performance.now();
  for await (const chunk of slow ?? []) {
    length += chunk.length;
    await sleep(4);
  }
  // Else it was not slow.
  expect(performance.now() - start).toBeGreaterThan(1_000);
  expect(length).toBe(Number(slow?.headers['content-length']));

  let received = 0;
  silent.on('data', (data) => {
    received += data.length;
  });
  silent.resume();
  await once(silent, 'close');
  expect(received).toBeLessThan(length);
});

const toPost = (length: number, headers = '') =>
  `POST /v1/vals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n`;

test.each([
  ['plain', Buffer.alloc(1_000_000), ''],
  ['zipped', gzipSync(Buffer.alloc(1_000_000)).subarray(0, -20), 'Content-Encoding: gzip\r\n'],
])('bodies that never end count toward the bound: %s ones', async (_, body, headers) => {
  const emulator = await serve();
  const sockets = Array.from({ length: 80 }, () => {
    const socket = open(emulator, toPost(1_040_000, headers));
    socket.write(body);
    return socket;
  });
  await expect.poll(async () => (await send(emulator, '/v1/me')).status).toBe(503);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send(emulator, '/v1/me')).status).toBe(401);
});
