import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '#engine/http/node.js';
import { emulate } from '../../support/emulate.js';

/** Longer than a test may take: what waits for it fails. */
const LONG_MS = 600_000;

const readAll = async (response: IncomingMessage): Promise<number> => {
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  return length;
};

test('with a grace period, idle and silent connections are closed at once', async () => {
  const emulator = await emulate({});
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = await once(get(`${emulator.url}/v1/me`, { agent }), 'response');
  await readAll(response);
  const silent = connect(Number(new URL(emulator.url).port), '127.0.0.1');
  await once(silent, 'connect');

  await emulator.close({ grace: LONG_MS });
});

test('a delayed response ends within the grace period, and new connections are refused', async () => {
  const emulator = await emulate({});
  emulator.fail('*', { delay: 300, status: 418 });
  const response = fetch(`${emulator.url}/v1/me`);
  await expect.poll(() => emulator.requests()).toHaveLength(1);

  const closed = emulator.close({ grace: LONG_MS });

  await expect(fetch(`${emulator.url}/_emulator/health`)).rejects.toThrow('fetch failed');
  expect((await response).status).toBe(418);
  await closed;
});

test('a response that is read slowly is complete', async () => {
  const length = 32 * 2 ** 20;
  const server = await listen((_, response) => void response.end(Buffer.alloc(length)), '127.0.0.1', 0);
  onTestFinished(() => server.close());
  const [response] = await once(get(server.url), 'response');

  const closed = server.close(LONG_MS);
  await new Promise((resume) => setTimeout(resume, 100));

  expect(await readAll(response)).toBe(length);
  await closed;
});

test('active requests are cut off at the end of the grace period, or by a second close', async () => {
  for (const end of ['time', 'close']) {
    const emulator = await emulate({});
    emulator.fail('*', { delay: LONG_MS });
    const sent = request(`${emulator.url}/v1/me`).end();
    const cutOff = once(sent, 'error');
    await expect.poll(() => emulator.requests()).toHaveLength(1);

    const closed = emulator.close({ grace: end === 'time' ? 100 : LONG_MS });
    if (end === 'close') await emulator.close();

    await closed;
    expect(await cutOff).toMatchObject([{ message: 'socket hang up' }]);
  }
});

test('a request is active once its head is complete', async () => {
  const emulator = await emulate({});
  const open = async (text: string) => {
    const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(text);
    await once(socket, 'connect');
    return socket;
  };
  const head = 'POST /v1/vals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3\r\n';
  const halfHead = await open(head);
  const another = await open(`GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/me HT`);
  const halfBody = await open(`${head}\r\n{`);
  await expect.poll(() => emulator.requests()).toHaveLength(1);

  const closed = emulator.close({ grace: LONG_MS });
  const [data] = await Promise.all([
    once(another, 'data'),
    ...[another, halfHead].map((socket) => once(socket.resume(), 'close')),
  ]);
  halfBody.write('}}');
  const [response] = await once(halfBody, 'data');

  expect(String(data)).toContain('HTTP/1.1 401 ');
  expect(String(response)).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nConnection: close\r\n/);
  await closed;
});

test('after the start of a stop each response closes its connection, also a delayed one, an error and a page', async () => {
  const emulator = await emulate({});
  emulator.fail('GET /v1/me', { delay: 1_500, status: 418 });
  const delayed = fetch(`${emulator.url}/v1/me`);
  await expect.poll(() => emulator.requests()).toHaveLength(1);

  emulator.startClosing();
  // A pause of this process may outlast the delay.
  const isDelayed = emulator.requests()[0]?.outcome === null;

  const paths = ['/v1/me/likes', '/_emulator/health', '/_emulator/ui/', '/_emulator/ui/none'];
  const responses = await Promise.all([delayed, ...paths.map((path) => fetch(emulator.url + path))]);
  expect(responses.map(({ status }) => status)).toEqual([418, 401, 200, 200, 404]);
  const connections = responses.map(({ headers }) => headers.get('connection'));
  expect(connections).toEqual([isDelayed ? 'close' : 'keep-alive', ...paths.map(() => 'close')]);
});

test('a stop breaks no connection of a client that sends one request after another', async () => {
  const emulator = await emulate({});
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  onTestFinished(() => agent.destroy());
  const errors: unknown[] = [];
  let count = 0;
  const isRefused = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  const send = async (): Promise<void> => {
    try {
      const [response] = await once(get(`${emulator.url}/v1/me`, { agent }), 'response');
      await readAll(response);
      count++;
    } catch (error) {
      if (!isRefused(error)) errors.push(error);
      return;
    }
    await send();
  };
  const clients = Array.from({ length: 8 }, send);
  await expect.poll(() => count).toBeGreaterThan(100);

  await emulator.close({ grace: LONG_MS });

  await Promise.all(clients);
  expect(errors).toEqual([]);
});
