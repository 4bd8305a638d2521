import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createListener, listen } from '#engine/http/node.js';
import type { RequestLog } from '#engine/options/callbacks.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }] };

/** Serves an emulator as the real host of the API does: with no other part of the emulator. */
async function serve(emulator: Emulator) {
  const server = await listen(createListener(emulator.pipeline, true), '127.0.0.1', 0);
  onTestFinished(() => server.close());
  return async (path: string, init?: RequestInit) => {
    const response = await fetch(server.url + path, init);
    return { status: response.status, message: Object(await response.json()).message };
  };
}

const ROUTES = ['/', '/_emulator', '/_emulator/health', '/_emulator/ui/', '/_sandbox/one/v1/me', '/_sandbox/one', '/x'];

test.each(ROUTES)('%s is an unknown route, in the journal and in the log', async (path) => {
  const logged: RequestLog[] = [];
  const emulator = await emulate(fixtures, { onRequest: (request) => logged.push(request) });
  const request = await serve(emulator);

  expect(await request(path)).toEqual({ status: 404, message: `Route GET:${path} not found` });
  expect(emulator.requests()).toMatchObject([{ method: 'GET', path, route: null, status: 404 }]);
  await expect.poll(() => logged).toMatchObject([{ target: path, status: 404, id: 'r1' }]);
  expect(emulator.sandboxes()).toEqual([]);
});

test('a part of the service that is not emulated is a 501, and a fault applies to it', async () => {
  const emulator = await emulate(fixtures);
  const request = await serve(emulator);
  emulator.fail('*', { status: 503, times: 1 });

  expect((await request('/v2/me')).status).toBe(503);
  expect(await request('/v2/me', { method: 'POST', body: '{}' })).toEqual({
    status: 501,
    message: 'The emulator does not implement this part of version 2 of the API: /v2/me is not implemented',
  });
  expect(emulator.requests().map(({ path, status, fault }) => ({ path, status, fault }))).toEqual([
    { path: '/v2/me', status: 503, fault: expect.any(String) },
    { path: '/v2/me', status: 501, fault: null },
  ]);
  expect(emulator.unhandled()).toHaveLength(2);
});

test.each([
  ['GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417],
])('a request that HTTP does not allow is in the log: %j', async (text, status) => {
  const logged: RequestLog[] = [];
  const emulator = await emulate(fixtures, { onRequest: (request) => logged.push(request), listen: true });
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1', () => socket.write(text));
  onTestFinished(() => void socket.destroy());

  await expect.poll(() => logged).toMatchObject([{ target: '/v1/me', status, id: null }]);
});
