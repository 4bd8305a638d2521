import { createServer, type RequestListener } from 'node:http';
import { inspect, isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import express from 'express';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { handlers } from '#tools/testing/msw.js';
import { createEmulator, type Emulator, type FaultOptions } from '../src/index.js';
import { NOW } from './support/emulate.js';
import { express4 } from './support/express4.js';
import { SEED, sized } from './support/soak.js';
import { wireFixtures } from './support/wire-fixtures.js';
import { type WireRequest, WireRequests } from './support/wire-requests.js';

/*
 * One property for all transports: the socket, the Express application by itself and mounted in another one (Express 4
 * and 5), the in-process fetch of an emulator and of a sandbox, and msw give the same response to the same requests.
 * `SEED=7` draws others.
 */

const CASES = sized(60, 400);
/** What belongs to a connection, or to the machine. */
const OF_THE_CONNECTION = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** The fetch of the platform, which msw replaces. */
const { fetch: platformFetch } = globalThis;
const msw = setupServer();
/** Express 4 gives a mounted application another path than was sent. */
const CHANGED_BY_EXPRESS_4 = /^(?:\/\/|\?|$)/;

interface Transport {
  readonly name: string;
  readonly emulator: Emulator;
  /** What the requests reach, if it is not the emulator. */
  readonly sandbox?: Pick<Emulator, 'reset' | 'fail'>;
  /** What addresses of requests and links begin with. */
  readonly base: string;
  readonly fetch: typeof fetch;
}

let transports: Transport[] = [];
const closing: (() => Promise<unknown>)[] = [];

/** A server for a listener, on a port of its own. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

beforeAll(async () => {
  const create = async (listen: boolean) => {
    const emulator = await createEmulator({ fixtures: wireFixtures, now: NOW, listen });
    closing.push(() => emulator.close());
    return emulator;
  };
  const one = await create(true);
  const [app, mounted, mounted4, inProcess, parent, intercepted] = await Promise.all(
    Array.from({ length: 6 }, () => create(false)),
  );
  if (!app || !mounted || !mounted4 || !inProcess || !parent || !intercepted) throw new Error('too few emulators');
  const sandbox = parent.sandbox('three');
  const mount = async (host: typeof express, { app: listener }: Emulator) =>
    `${await serve(host().disable('x-powered-by').use('/fake', listener))}/fake`;
  // Nothing listens there.
  const nowhere = 'http://127.0.0.1:9';
  msw.listen({ onUnhandledRequest: 'error' });
  msw.use(...handlers(intercepted, nowhere));
  closing.push(async () => msw.close());
  transports = [
    { name: 'in-process fetch', emulator: inProcess, base: one.url, fetch: inProcess.fetch },
    { name: 'in-process fetch of a sandbox', emulator: parent, sandbox, base: one.url, fetch: sandbox.fetch },
    { name: 'socket', emulator: one, base: one.url, fetch: platformFetch },
    { name: 'Express application', emulator: app, base: await serve(app.app), fetch: platformFetch },
    { name: 'mounted in Express 5', emulator: mounted, base: await mount(express, mounted), fetch: platformFetch },
    { name: 'mounted in Express 4', emulator: mounted4, base: await mount(express4, mounted4), fetch: platformFetch },
    { name: 'msw', emulator: intercepted, base: nowhere, fetch: interceptedFetch },
  ];
});
afterAll(() => Promise.all(closing.map((close) => close())));

/** The fetch that msw puts in place of that of the platform. Unlike the latter, it drops the body of a GET. */
const interceptedFetch: typeof fetch = async (input, init) => {
  if (/^(get|head)$/i.test(init?.method ?? '') && init?.body !== undefined) new Request(input, init);
  return globalThis.fetch(input, init);
};

type Body = NonNullable<RequestInit['body']>;

/** A request. Its body is made for each transport, since a stream can be read once. */
interface Sent extends Pick<WireRequest, 'method' | 'target' | 'headers'> {
  readonly body: (() => Body) | undefined;
}

/** The bodies that fetch accepts, of the same bytes. */
const BODIES: readonly ((bytes: Uint8Array<ArrayBuffer>) => Body)[] = [
  (bytes) => bytes,
  (bytes) => bytes.buffer,
  (bytes) => new DataView(bytes.buffer),
  (bytes) => new Blob([bytes]),
  (bytes) => new Blob([bytes], { type: 'application/json' }),
  (bytes) => new Blob([bytes]).stream(),
  (bytes) => Buffer.from(bytes).toString(),
  (bytes) => new URLSearchParams({ code: Buffer.from(bytes).toString() }),
  (bytes) => {
    const form = new FormData();
    form.set('code', Buffer.from(bytes).toString());
    return form;
  },
];
const ENCODINGS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  identity: (bytes) => bytes,
  rot13: (bytes) => bytes,
  'gzip, gzip': (bytes) => gzipSync(bytes).subarray(0, 30),
};
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'x-emulator-sandbox': ['two', 'a b', ''],
  'x-forwarded-proto': ['https', 'ftp', 'https, http'],
  'x-forwarded-host': ['vals.example.test', 'a b', 'one.test, two.test', '[::1]:80'],
  'x-forwarded-prefix': ['/outer', '/outer/', 'outer', '/a b'],
  'x-forwarded-port': ['8443', '443', 'x'],
  forwarded: ['proto=https;host=vals.example.test', 'host="a b"', 'for=1.2.3.4'],
  'access-control-request-headers': ['authorization', 'x-one, x-two'],
  origin: ['http://localhost:3000', 'https://example.com', 'null'],
  authorization: ['Bearer', 'Bearer ', 'Basic eA==', 'Bearer caf\u00e9', 'Bearer  ada token ', 'ada token'],
  'if-none-match': ['*'],
  range: ['bytes=0-3'],
  accept: ['text/html', '*/*'],
};
/** Paths that WireRequests does not draw. */
const TARGETS = [
  ...['//', '//v1/me', '/v1/./me', '/v1/x/../me', '/v1/alias/é', "/v1/alias/'|^", '/v1/alias/a\\b'],
  ...['/_sandbox/one/v1/me', '/_sandbox/one', '/_sandbox/a%20b/v1/me', '/_sandbox//v1/me', '/_sandbox/..x/v1/vals'],
  ...['/_emulator/clock', '/_emulator/users', '/_emulator/none', '/_sandbox/one/_emulator/history'],
];
const FAULTS: readonly FaultOptions[] = [
  ...[{ status: 503 }, { status: 418, body: 'é' }, { status: 204 }, { headers: { 'x-why': 'a fault' } }],
  ...[{ reset: true as const }, { truncate: 10 }, { truncate: 0 }, { delay: 1 }],
];

/** Draws a request in one of the ways in which fetch can be called. */
function draw(rng: Rng, requests: WireRequests): Sent {
  const { method, target, headers, body } = requests.next();
  const [name, values] = rng.pick(Object.entries(HEADERS));
  const isEncoded = body !== undefined && rng.bool(0.06);
  const [encoding, encode] = rng.pick(Object.entries(ENCODINGS));
  const bytes = body && Uint8Array.from(isEncoded ? encode(body) : body);
  const make = rng.bool(0.4) ? rng.pick(BODIES) : BODIES[0];
  return {
    ...{ method: rng.bool(0.03) ? rng.pick(['get', 'post', 'HEAD', 'OPTIONS', 'PURGE']) : method },
    target: rng.bool(0.15) ? rng.pick(TARGETS) : target,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([each]) => each !== 'transfer-encoding')),
      ...(rng.bool(0.3) && { [name]: rng.pick(values) }),
      ...(isEncoded && { 'content-encoding': encoding }),
    },
    body: bytes && make && (() => make(Uint8Array.from(bytes))),
  };
}

/** What a client sees, with the base of addresses blanked; a failed fetch by its name and message. */
async function observe({ base, fetch: send }: Transport, { method: verb, target, headers: given, body: make }: Sent) {
  const withoutBase = (part: string) =>
    part.replaceAll(new URL(base).host, 'HOST').replaceAll(/\/fake|\/_sandbox\/three/g, '');
  const text = make?.();
  const stream = text instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const init: RequestInit = { method: verb, headers: given, ...(text !== undefined && { body: text }), ...stream };
  try {
    const response = await send(base + target, init);
    const { status, statusText, type } = response;
    const seen = new Map([...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
    const content = await response.text().catch((error: unknown) => `failed: ${error}`);
    const length = seen.get('content-length');
    // The mounted one has longer addresses, so that the length is that of the body or, without one, left out.
    if (length === undefined || content.startsWith('failed')) seen.delete('content-length');
    else if (content === '') seen.set('content-length', 'some');
    else seen.set('content-length', length === String(Buffer.byteLength(content)) ? 'that of the body' : length);
    return {
      status,
      statusText,
      // A response of msw is a constructed one.
      type: type === 'default' ? 'basic' : type,
      headers: Object.fromEntries([...seen].map(([name, value]) => [name, withoutBase(value)])),
      content: withoutBase(content).replace(/boundary=[^;]*/, 'boundary'),
    };
  } catch (error) {
    // The words of msw, and those of the platform.
    return { failed: `${error}`.replace('Failed to fetch', 'fetch failed') };
  }
}

test(`every transport gives the same response to the same requests (${CASES} times, seed ${SEED})`, async () => {
  const rng = new Rng(`transports-${SEED}`);
  const [{ emulator: first } = expect.fail()] = transports;
  const wire = new WireRequests(rng, first);
  const statuses = new Set<unknown>();
  for (let index = 0; index < CASES; index++) {
    // Each in turn, so that a small round has all of them.
    const armed = index % 5 === 0 ? FAULTS[(index / 5) % FAULTS.length] : undefined;
    for (const { emulator, sandbox = emulator } of transports) {
      for (const name of ['one', 'two']) emulator.sandbox(name).reset();
      sandbox.reset();
      if (armed) sandbox.fail('*', { ...armed, times: 1 });
    }
    // From then on it has another state: a fault that is left, or a record that another request made.
    let isChanged = false;
    for (let sent = rng.int(1, 5); sent > 0; sent--) {
      const request = draw(rng, wire);
      isChanged ||= CHANGED_BY_EXPRESS_4.test(request.target);
      const [expected, ...others] = await Promise.all(
        transports.map(async (each) => ({ name: each.name, seen: await observe(each, request) })),
      );
      statuses.add(Object(expected?.seen).status ?? 'failed');
      for (const other of others) {
        if (isDeepStrictEqual(other.seen, expected?.seen)) continue;
        if (other.name === 'mounted in Express 4' && isChanged) continue;
        throw new Error(`${request.method} ${request.target}\n${inspect([request, expected, other], { depth: 5 })}`);
      }
    }
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 401, 404, 415, 503, 'failed']));
});
