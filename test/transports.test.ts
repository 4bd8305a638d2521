import { createServer, type RequestListener } from 'node:http';
import { inspect, isDeepStrictEqual } from 'node:util';
import express from 'express';
import * as fc from 'fast-check';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../src/index.js';
import { handlers } from '../src/testing/msw.js';
import { cases, type Sent } from './model-based/odd-requests.js';
import { SEED, START } from './model-based/seed.js';
import { express4 } from './support/express4.js';
import { sized } from './support/soak.js';

/*
 * One property for all transports: the socket, the Express application by itself and mounted in another one (Express 4
 * and 5), the in-process fetch of an emulator and of a sandbox, and msw give the same response to the same requests.
 * `SEED=7` draws others.
 */

const CASES = sized(40, 120);
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
    const emulator = await createEmulator({ fixtures: SEED, now: START, listen });
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

/** What a client sees, with the base of addresses blanked; a failed fetch by its name and message. */
async function observe({ base, fetch: send }: Transport, { method: verb, target, headers: given, body: make }: Sent) {
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
      headers: Object.fromEntries(seen),
      content: content
        .replaceAll(new URL(base).origin, 'ORIGIN')
        .replaceAll('/fake', '')
        .replace(/boundary=[^;]*/, 'boundary'),
    };
  } catch (error) {
    // The words of msw, and those of the platform.
    return { failed: `${error}`.replace('Failed to fetch', 'fetch failed') };
  }
}

test('every transport gives the same response to the same requests', async () => {
  let count = 0;
  const property = fc.asyncProperty(cases, async ({ fault: armed, requests }) => {
    for (const { emulator, sandbox = emulator } of transports) {
      for (const name of ['one', 'two']) emulator.sandbox(name).reset();
      sandbox.reset();
      if (armed) sandbox.fail('*', { ...armed, times: 1 });
    }
    for (const request of requests) {
      count++;
      const [first, ...others] = await Promise.all(
        transports.map(async (each) => ({ name: each.name, seen: await observe(each, request) })),
      );
      for (const other of others) {
        if (isDeepStrictEqual(other.seen, first?.seen)) continue;
        if (other.name === 'mounted in Express 4' && CHANGED_BY_EXPRESS_4.test(request.target)) continue;
        throw new Error(`${request.method} ${request.target}\n${inspect([first, other], { depth: 5 })}`);
      }
    }
  });
  const { SEED: seed = '20240611' } = process.env;
  const result = await fc.check(property, { seed: Number(seed), numRuns: CASES });
  const report = `${fc.defaultReportMessage(result)}\n${result.errorInstance}`;
  expect(result.failed ? report : '').toBe('');
  expect(count).toBeGreaterThan(CASES * 2);
});
