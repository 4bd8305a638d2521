import { once } from 'node:events';
import { createServer, type RequestOptions, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { FaultError, type FaultOptions, type Fixtures } from '../../../src/index.js';
import { createEmulator, emulate, NOW } from '../../support/emulate.js';
import { folderOf } from '../fixtures/loading.js';

const ADA = { authorization: 'Bearer ada-token' };
const fixtures: Fixtures = { users: [{ username: 'ada' }] };

const FRAMING = ['Connection', 'Content-Length', 'Keep-Alive', 'Trailer', 'Transfer-Encoding', 'Upgrade'];
const EFFECTS = [{}, { delay: 1 }, { truncate: 5 }, { status: 503 }, { status: 204 }, { body: 'text' }];

test.each(FRAMING)('a fault with the header %s is refused, whatever its effect', async (name) => {
  const emulator = await emulate(fixtures);

  for (const effect of EFFECTS) {
    for (const value of ['', 'x', 'close', '7']) {
      const arm = () => emulator.fail('GET /v1/me', { ...effect, headers: { [name.toLowerCase()]: value } });
      expect(arm).toThrow(FaultError);
    }
  }
  expect(emulator.faults()).toEqual([]);
});

test('POST /_emulator/faults returns 422 for a fault that the server cannot send', async () => {
  const emulator = await emulate(fixtures);
  const arm = async (fault: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await emulator.fetch('/_emulator/faults', {
      method: 'POST',
      headers,
      body: JSON.stringify(fault),
    });
    return response.status;
  };

  expect(await arm({ status: 503, headers: { Trailer: 'x' } })).toBe(422);
  expect(await arm({ status: 503, headers: { 'x-a': 'one\r\ntwo' } })).toBe(422);
  expect(await arm({ status: 503, headers: { 'x a': 'one' } })).toBe(422);
  expect(await arm({ status: 205 })).toBe(422);
  expect(await arm({ method: 'options' })).toBe(422);
});

/** Headers of the message that are not the server's own. */
const HEADERS = [
  'Allow,Content-Encoding,Content-Language,Content-Location,Content-Range,Content-Type,Date,ETag,Expect,Host,HTTP2-Settings',
  'Location,Proxy-Authenticate,Range,Retry-After,Server,Set-Cookie,TE,Vary,Via,Warning,X-Long',
].flatMap((names) => names.split(','));

test('every fault that can be armed reaches the client with its status', async () => {
  const emulator = await createEmulator({ fixtures, now: NOW });
  onTestFinished(() => emulator.close());
  const { port } = new URL(emulator.url);
  const statuses = [200, 201, 204, 206, 226, 299, 300, 301, 304, 400, 401, 407, 416, 426, 451, 499, 500, 511, 599];
  const faults = [
    ...statuses.flatMap((status) => [{ status }, { status, truncate: 3 }, { status, body: { a: 1 } }]),
    ...HEADERS.map((name) => ({ status: 503, headers: { [name]: '\u00e9x; y=1' } })),
  ];

  for (const fault of faults) {
    const { id } = emulator.fail('GET /v1/me', fault);
    const inside = await emulator.fetch('/v1/me', { headers: ADA });
    await inside.arrayBuffer().catch(() => undefined);
    const outside = await send({ port, path: '/v1/me', headers: ADA });
    expect([fault, inside.status, outside]).toEqual([fault, fault.status, fault.status]);
    emulator.disarm(id);
  }
  expect((await fetch(`${emulator.url}/v1/me`, { headers: ADA })).status).toBe(200);
});

/** Sends a request and returns its status, or the code of its error. */
const send = (options: RequestOptions) =>
  new Promise<number | string | undefined>((resolve) => {
    const sent = request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      const end = () => resolve(response.statusCode);
      text(response).then(end, end);
    });
    sent.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    sent.end();
  });

const BREAKS: readonly FaultOptions[] = [{ reset: true }, { reset: true, delay: 5 }, { truncate: 3, delay: 5 }];

test.each(BREAKS)('the fault %j breaks one response where the emulator is mounted on a socket file', async (fault) => {
  const emulator = await emulate(fixtures, { listen: false });
  const socketPath = join(folderOf({}), 'emulator.sock');
  const server = createServer(emulator.app).listen(socketPath);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  emulator.fail('GET /v1/me', { ...fault, times: 1 });

  const broken = await send({ socketPath, path: '/v1/me', headers: ADA });
  const after = await send({ socketPath, path: '/v1/me', headers: ADA });

  expect([broken, after]).toEqual(['truncate' in fault ? 200 : 'ECONNRESET', 200]);
});

test.each<[truncate: number, outcome: 'truncated' | 'sent']>([
  [5, 'truncated'],
  [6, 'sent'],
  [99, 'sent'],
])('a body of six bytes that is cut after %i is %s, in this process and over a socket', async (truncate, outcome) => {
  const emulator = await emulate(fixtures);
  emulator.fail('GET /v1/me', { truncate, status: 502, body: 'abcdef' });
  const attempt = (response: Response) =>
    response.text().then(
      () => 'sent',
      () => 'truncated',
    );

  const read = [await attempt(await emulator.fetch('/v1/me')), await attempt(await fetch(`${emulator.url}/v1/me`))];

  expect(read).toEqual([outcome, outcome]);
  await emulator.expectRequest('GET /v1/me', { outcome, times: 2 });
});

/** A shared key in place of a certificate. */
const PSK = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;
const KEY = Buffer.alloc(32, 7);

test.each(BREAKS)('the fault %j breaks one response where the emulator is mounted on TLS', async (fault) => {
  const emulator = await emulate(fixtures, { listen: false });
  const server = createTlsServer({ ...PSK, pskCallback: () => KEY }, emulator.app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const get = async () => {
    const options = { ...PSK, port, host: '127.0.0.1', checkServerIdentity: () => undefined };
    const socket = connect({ ...options, pskCallback: () => ({ psk: KEY, identity: 'ada' }) });
    socket.write('GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ada-token\r\nConnection: close\r\n\r\n');
    return await text(socket).catch(() => 'broken');
  };
  emulator.fail('GET /v1/me', { ...fault, times: 1 });

  const broken = await get();
  const after = await get();

  expect(broken).not.toContain('"username":"ada"');
  expect(after).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"username":"ada"/);
});

test('the body of a fault may have the key __proto__, and fixtures may not', async () => {
  const emulator = await emulate(fixtures);
  const headers = { 'content-type': 'application/json' };

  const body = '{"route":"GET /v1/me","status":503,"body":{"__proto__":{"a":1},"b":2}}';
  const armed = await emulator.fetch('/_emulator/faults', { method: 'POST', headers, body });
  const seeded = await emulator.fetch('/_emulator/seed', {
    method: 'PUT',
    headers,
    body: '{"__proto__":{"users":[]}}',
  });

  expect(armed.status).toBe(201);
  expect(await (await emulator.fetch('/v1/me', { headers: ADA })).text()).toBe('{"__proto__":{"a":1},"b":2}');
  expect(seeded.status).toBe(422);
});

test('a fault whose method contradicts its route is refused', async () => {
  const emulator = await emulate(fixtures);

  expect(() => emulator.fail('GET /v1/me', { method: 'POST' })).toThrow('the route GET /v1/me has another one');
  expect(emulator.fail('GET /v1/me', { method: 'head' }).method).toBe('HEAD');
});
