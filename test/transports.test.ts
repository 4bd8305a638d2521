import { createServer, type RequestListener } from 'node:http';
import { inspect, isDeepStrictEqual } from 'node:util';
import express from 'express';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../src/index.js';
import { cases, type Sent } from './model-based/odd-requests.js';
import { SEED, START } from './model-based/seed.js';

/*
 * One property for all transports: the socket, the Express application by itself and mounted in another one, and the
 * in-process fetch give the same response to the same requests. `SEED=7` draws others.
 */

const CASES = 120;
/** What belongs to a connection, or to the machine. */
const OF_THE_CONNECTION = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

interface Transport {
  readonly name: string;
  readonly emulator: Emulator;
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
  const [one, two, three, four] = [await create(true), await create(false), await create(false), await create(false)];
  const host = express().disable('x-powered-by').use('/fake', three.app);
  transports = [
    { name: 'in-process fetch', emulator: four, base: one.url, fetch: four.fetch },
    { name: 'socket', emulator: one, base: one.url, fetch },
    { name: 'Express application', emulator: two, base: await serve(two.app), fetch },
    { name: 'Express application, mounted', emulator: three, base: `${await serve(host)}/fake`, fetch },
  ];
});
afterAll(() => Promise.all(closing.map((close) => close())));

/** What a client sees, with the base of addresses blanked; a failed fetch by its name and message. */
async function observe({ base, fetch: send }: Transport, { method: verb, target, headers: given, body: make }: Sent) {
  const made = make?.();
  // A known difference: the platform refuses even an empty body with GET, which the in-process fetch lets through.
  const text = made === '' && /^(get|head)$/i.test(verb) ? undefined : made;
  const stream = text instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const init: RequestInit = { method: verb, headers: given, ...(text !== undefined && { body: text }), ...stream };
  try {
    const response = await send(base + target, init);
    const { status } = response;
    const seen = new Map([...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
    const content = await response.text().catch((error: unknown) => `failed: ${error}`);
    const length = seen.get('content-length');
    // The mounted one has longer addresses, so that the length is that of the body or, without one, left out.
    if (length === undefined || content.startsWith('failed')) seen.delete('content-length');
    else if (content === '') seen.set('content-length', 'some');
    else seen.set('content-length', length === String(Buffer.byteLength(content)) ? 'that of the body' : length);
    return {
      status,
      headers: Object.fromEntries(seen),
      content: content.replaceAll(new URL(base).origin, 'ORIGIN').replaceAll('/fake', ''),
    };
  } catch (error) {
    return { failed: `${error}` };
  }
}

test('every transport gives the same response to the same requests', async () => {
  let count = 0;
  const property = fc.asyncProperty(cases, async ({ fault: armed, requests }) => {
    for (const { emulator } of transports) {
      for (const name of ['one', 'two']) emulator.sandbox(name).reset();
      emulator.reset();
      if (armed) emulator.fail('*', { ...armed, times: 1 });
    }
    for (const request of requests) {
      count++;
      const [first, ...others] = await Promise.all(
        transports.map(async (each) => ({ name: each.name, seen: await observe(each, request) })),
      );
      for (const other of others) {
        if (isDeepStrictEqual(other.seen, first?.seen)) continue;
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
