import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { readJson } from '../../support/read-json.js';

const HELLO = '00000000-0000-4000-8000-000000000001';
const ADA = { authorization: 'Bearer ada-token' };
const JSON_ADA = { ...ADA, 'content-type': 'application/json' };
const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1', id: HELLO }] };

/** Sends bytes as they are, and returns what comes back until the connection ends. */
async function send(emulator: Emulator, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
  socket.end(bytes);
  return await text(socket);
}

const bodyOf = (response: string): unknown => JSON.parse(response.slice(response.indexOf('\r\n\r\n')));

test.each(['/v1/vals', `/v1/vals/${HELLO}`, `/v1/vals/${HELLO}/versions`])(
  'a request with an empty Authorization header has no caller: %s',
  async (path) => {
    const emulator = await emulate(fixtures);
    const headers = { authorization: '' };
    const isOpen = path !== '/v1/vals';

    for (const send of [emulator.fetch, (target: string, init: RequestInit) => fetch(emulator.url + target, init)]) {
      const response = await send(path, { headers, ...(!isOpen && { method: 'POST', body: '{}' }) });
      expect(response.status).toBe(isOpen ? 200 : 401);
    }
  },
);

test.each<[what: string, headers: Record<string, string>, body: string | Uint8Array, status: number]>([
  ['of two megabytes', JSON_ADA, 'x'.repeat(2_000_000), 413],
  ['of text', { ...ADA, 'content-type': 'text/plain' }, 'x', 415],
  ['that is not the gzip it says', { ...JSON_ADA, 'content-encoding': 'gzip' }, 'x', 400],
  ['that is not JSON', JSON_ADA, '{', 400],
  ['of JSON', JSON_ADA, '{}', 204],
  ['of JSON by gzip', { ...JSON_ADA, 'content-encoding': 'gzip' }, gzipSync('{}'), 204],
])('the body of a DELETE is checked: one %s', async (_what, headers, body, status) => {
  for (const isInProcess of [true, false]) {
    const emulator = await emulate(fixtures);
    const path = `/v1/vals/${HELLO}`;
    const init = { method: 'DELETE', headers, body: typeof body === 'string' ? body : new Uint8Array(body) };

    const response = await (isInProcess ? emulator.fetch(path, init) : fetch(emulator.url + path, init));

    expect(response.status).toBe(status);
    expect((await emulator.fetch(path)).status).toBe(status === 204 ? 404 : 200);
  }
});

test('a pipelined GET returns the state after its PUT', async () => {
  const emulator = await emulate(fixtures);
  const head = 'HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada-token\r\n';
  for (let i = 0; i < 20; i++) {
    const body = JSON.stringify({ name: 'hello', code: `version ${i}` });
    const put = `PUT /v1/vals ${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const get = `GET /v1/vals/${HELLO} ${head}Connection: close\r\n\r\n`;

    const [, first, second] = (await send(emulator, put + get)).split('HTTP/1.1 200 OK');

    expect(first).toContain(`"code":"version ${i}"`);
    expect(second).toContain(`"code":"version ${i}"`);
  }
});

test.each<[what: string, request: string, status: number]>([
  ['a target of 20 KB', `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
  ['no HTTP', 'garbage\r\n\r\n', 400],
  ['an unknown expectation', 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417],
  ['HTTP/1.1 without a Host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two lengths', 'POST /v1/vals HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400],
])('a request that Node refuses gets an error body: %s', async (_what, request, status) => {
  const emulator = await emulate(fixtures);

  const response = await send(emulator, request);

  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  expect(response.toLowerCase()).toContain('\r\naccess-control-allow-origin: *\r\n');
  expect(bodyOf(response)).toEqual({
    message: expect.any(String),
    error: expect.any(String),
    statusCode: status,
  });
});

test('HTTP/1.0 needs no Host', async () => {
  const emulator = await emulate(fixtures);

  expect(await send(emulator, `GET /v1/vals/${HELLO} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test.each<[headers: Record<string, string>, base: string]>([
  [{ 'x-forwarded-port': '8443' }, 'http://127.0.0.1:8443'],
  [{ 'x-forwarded-port': '443', 'x-forwarded-proto': 'HTTPS' }, 'https://127.0.0.1'],
  [{ 'x-forwarded-port': '8443', 'x-forwarded-host': 'vals.test' }, 'http://vals.test:8443'],
  [{ forwarded: 'for=192.0.2.1;proto=https;host=vals.test' }, 'https://vals.test'],
  [{ forwarded: 'host="vals.test:8443", host=other.test' }, 'http://vals.test:8443'],
  [{ forwarded: 'host=one.test', 'x-forwarded-host': 'two.test' }, 'http://two.test'],
])('links have the address of a proxy that sends %j', async (headers, base) => {
  const emulator = await emulate(fixtures);

  const { links } = await readJson(await emulator.fetch('/v1/me/runs', { headers: { ...ADA, ...headers } }));

  expect(links.self).toBe(`${base}/v1/me/runs?limit=20&offset=0`);
});

test('pages of other origins may read the headers of the rate limit', async () => {
  const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window: '1m' } });
  await emulator.fetch('/v1/me', { headers: ADA });

  const { status, headers } = await emulator.fetch('/v1/me', { headers: { ...ADA, origin: 'https://app.example' } });

  const exposed = headers.get('access-control-expose-headers')?.split(',') ?? [];
  expect(status).toBe(429);
  expect(exposed).toEqual(['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']);
  for (const name of exposed) expect(headers.get(name), name).toMatch(/^\d+$/);
});

test('a 501 and a 409 have the header that stops the SDK from trying again', async () => {
  const emulator = await emulate(fixtures);
  const body = JSON.stringify({ name: 'hello', code: '1' });

  const missing = await emulator.fetch('/v1/projects/x', { headers: ADA });
  const conflict = await emulator.fetch('/v1/vals', { method: 'POST', headers: JSON_ADA, body });
  const unknown = await emulator.fetch('/v1/nothing', { headers: ADA });

  const seen = [missing, conflict, unknown].map(({ status, headers }) => [status, headers.get('x-should-retry')]);
  expect(seen).toEqual([
    [501, 'false'],
    [409, 'false'],
    [404, null],
  ]);
});

test('a request target in absolute form is routed by its path', async () => {
  const emulator = await emulate(fixtures);
  const response = await send(
    emulator,
    `GET ${emulator.url}/v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada-token\r\nConnection: close\r\n\r\n`,
  );

  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a connection outlasts a pause of the program that keeps it', async () => {
  const { url } = await emulate(fixtures);
  const { headers } = await fetch(`${url}/v1/vals/${HELLO}`);
  expect(headers.get('keep-alive')).toBe('timeout=600');
});
