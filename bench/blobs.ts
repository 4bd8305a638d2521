/**
 * Measures blobs: 10 MB in and out over HTTP beside a bare node:http that keeps them in a Map, in turn.
 *
 *   npm run bench -- blobs
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator } from '../src/index.js';
import { median } from './measure.js';
import { report } from './report.js';

const SIZE = 10 * 1_048_576;
const ROUNDS = 15;

const BODY = new Uint8Array(SIZE).map((_, i) => (i * 31) % 251);
const headers = { authorization: 'Bearer ada-token' };

/** Keeps bodies in a Map, and does nothing else. */
async function startBare(): Promise<Server> {
  const kept = new Map<string, Buffer>();
  const server = createServer(async (request: IncomingMessage, response) => {
    const key = request.url ?? '';
    if (request.method === 'GET') return void response.end(kept.get(key));
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    kept.set(key, Buffer.concat(parts));
    response.writeHead(201).end('"ok"');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const isAddress = (address: ReturnType<Server['address']>): address is AddressInfo => typeof address === 'object';

async function time(task: () => Promise<Response>): Promise<number> {
  const start = performance.now();
  const response = await task();
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.status}`);
  return performance.now() - start;
}

const emulator = await createEmulator();
const bare = await startBare();
const address = bare.address();
if (!isAddress(address)) throw new Error('the server has no port');
const targets = { ours: emulator.url, bare: `http://127.0.0.1:${address.port}` };

const times: Record<string, number[]> = {};
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, url] of Object.entries(targets)) {
    const path = `${url}/v1/blob/large`;
    const written = await time(() => fetch(path, { method: 'POST', headers, body: BODY }));
    const read = await time(() => fetch(path, { headers }));
    // The first round warms up.
    if (round === 0) continue;
    times[`${name} in`] = [...(times[`${name} in`] ?? []), written];
    times[`${name} out`] = [...(times[`${name} out`] ?? []), read];
  }
}
for (const way of ['in', 'out']) {
  const [ours, theirs] = [median(times[`ours ${way}`] ?? []), median(times[`bare ${way}`] ?? [])];
  report(`10 MB ${way}, of node:http`, theirs / ours, 'least', 0.5, `${ours.toFixed(1)} ms of ${theirs.toFixed(1)} ms`);
}

bare.close();
bare.closeAllConnections();
await emulator.close();
