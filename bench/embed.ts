/**
 * What one request costs by each way of reaching an embedded emulator, side by side in one run: in-process fetch,
 * supertest, fetch over a loopback socket, fetch intercepted by msw; and what a test with a sandbox of its own costs.
 *
 *   npm run bench:embed            a table, then whether the bounds hold (exit code 1 if not)
 *   npm run bench:embed -- --json  the same for machines
 */
import { setupServer } from 'msw/node';
import supertest from 'supertest';
import { countLikes } from '../src/domain/likes.js';
import { countReferences } from '../src/domain/references.js';
import { authorOf, findCaller } from '../src/domain/users.js';
import { findVal } from '../src/domain/vals.js';
import { createEmulator, type Sandbox } from '../src/index.js';
import { handlers } from '../src/testing/msw.js';
import { median } from './measure.js';

const ROUNDS = 9;
const id = '4e110000-0000-4000-8000-000000000001';
const emulator = await createEmulator({
  fixtures: {
    users: [{ username: 'ada' }],
    vals: [{ author: 'ada', name: 'hello', id, code: 'export const hello = 1;', readme: '# Hello' }],
  },
});
const { app, url } = emulator;
const headers = { authorization: 'Bearer ada-token' };
const path = `/v1/vals/${id}`;
const mocked = setupServer(...handlers(emulator, 'https://api.example.test'));

interface Contender {
  readonly name: string;
  readonly requests: number;
  readonly before?: () => void;
  readonly after?: () => void;
  readonly send: () => unknown;
}

const read = async (response: Response) => response.text();

const contenders: readonly Contender[] = [
  { name: 'domain functions', requests: 20_000, send: askDomain },
  { name: 'emulator.fetch', requests: 20_000, send: async () => read(await emulator.fetch(path, { headers })) },
  { name: 'supertest(app)', requests: 100, send: () => supertest(app).get(path).set(headers) },
  { name: 'fetch, loopback', requests: 300, send: async () => read(await fetch(url + path, { headers })) },
  {
    name: 'fetch, msw',
    requests: 300,
    before: () => mocked.listen({ onUnhandledRequest: 'bypass' }),
    after: () => mocked.close(),
    send: async () => read(await fetch(`https://api.example.test${path}`, { headers })),
  },
  { name: 'a test in-process', requests: 300, send: () => aTest(emulator.sandbox(), (sandbox) => sandbox.fetch) },
  { name: 'a test over HTTP', requests: 60, send: () => aTest(emulator.sandbox(), () => fetch) },
];

/** What a val by its id takes of the domain, without a request: the val, who wrote it, how it is liked and imported. */
function askDomain(): unknown {
  const { state } = emulator.world;
  const val = findVal(state, id, findCaller(state, 'ada-token'));
  const author = authorOf(state, val);
  return [val, author, countLikes(state, val), countReferences(state, val, author)];
}

/** What a test does: a sandbox, five calls, an assertion. */
async function aTest(sandbox: Sandbox, fetchOf: (sandbox: Sandbox) => typeof fetch): Promise<void> {
  const send = fetchOf(sandbox);
  const body = JSON.stringify({ name: 'counter', code: 'export const count = 1;' });
  const json = { ...headers, 'content-type': 'application/json' };
  await read(await send(`${sandbox.url}/v1/me`, { headers }));
  const created: { id: string } = JSON.parse(
    await read(await send(`${sandbox.url}/v1/vals`, { method: 'POST', headers: json, body })),
  );
  await read(await send(`${sandbox.url}/v1/vals/${created.id}`, { headers }));
  await read(await send(`${sandbox.url}/v1/vals/${created.id}/versions`, { method: 'POST', headers: json, body }));
  await send(`${sandbox.url}/v1/vals/${created.id}`, { method: 'DELETE', headers });
  sandbox.expectRequest('POST /v1/vals', { times: 1, body: { name: 'counter' } });
  sandbox.close();
}

const samples = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const { name, requests, before, after, send } of contenders) {
    before?.();
    const start = performance.now();
    for (let i = 0; i < requests; i++) await send();
    const each = ((performance.now() - start) * 1_000) / requests;
    after?.();
    // The first round warms up.
    if (round > 0) samples.get(name)?.push(each);
  }
}
await emulator.close();

const cost = (name: string): number => median(samples.get(name) ?? []);
const own = cost('emulator.fetch');
const checks = [
  { what: 'emulator.fetch against supertest(app)', ratio: own / cost('supertest(app)'), bound: 0.1 },
  { what: 'emulator.fetch against the domain functions', ratio: own / cost('domain functions'), bound: 15 },
];

if (process.argv.includes('--json')) {
  const rows = contenders.map(({ name }) => ({ name, microseconds: cost(name) }));
  console.log(JSON.stringify({ rows, checks: checks.map((check) => ({ ...check, ok: check.ratio <= check.bound })) }));
} else {
  for (const { name } of contenders) {
    console.log(
      `${name.padEnd(20)} ${cost(name).toFixed(1).padStart(9)} µs   ${(cost(name) / own).toFixed(2).padStart(8)} × emulator.fetch`,
    );
  }
  for (const { what, ratio, bound } of checks) {
    console.log(`${what}: ${ratio.toFixed(3)} (bound ${bound}) ${ratio <= bound ? 'ok' : 'MISSED'}`);
  }
}
if (checks.some(({ ratio, bound }) => ratio > bound)) process.exitCode = 1;
