import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/server/node.js';
import { emulate } from '../support/emulate.js';

/** Far longer than any of the tests takes. */
const LONG_MS = 60_000;

/** Milliseconds that something takes. */
async function measure(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

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

  expect(await measure(emulator.close({ grace: LONG_MS }))).toBeLessThan(5_000);
});

test('a delayed response ends within the grace period, and new connections are refused', async () => {
  const emulator = await emulate({});
  emulator.fail('*', { delay: 300, status: 418 });
  const response = fetch(`${emulator.url}/v1/me`);
  await expect.poll(() => emulator.requests()).toHaveLength(1);

  const closed = emulator.close({ grace: LONG_MS });

  await expect(fetch(`${emulator.url}/_emulator/health`)).rejects.toThrow('fetch failed');
  expect((await response).status).toBe(418);
  expect(await measure(closed)).toBeLessThan(5_000);
});

test('a response that is read slowly is complete', async () => {
  const length = 32 * 2 ** 20;
  const server = await listen((_, response) => void response.end(Buffer.alloc(length)), '127.0.0.1', 0);
  onTestFinished(() => server.close());
  const [response] = await once(get(server.url), 'response');

  const closed = server.close(LONG_MS);
  await new Promise((resume) => setTimeout(resume, 100));

  expect(await readAll(response)).toBe(length);
  expect(await measure(closed)).toBeLessThan(5_000);
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

    expect(await measure(closed)).toBeLessThan(5_000);
    expect(await cutOff).toMatchObject([{ message: 'socket hang up' }]);
  }
});
