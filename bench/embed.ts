/**
 * Measures a request to an embedded emulator, in turn: in-process fetch, supertest, fetch over a loopback socket, fetch
 * through msw; and a test with a sandbox.
 *
 *   npm run bench -- embed            a table and the bounds (exit code 1 if one is missed)
 *   npm run bench -- embed --json  the same as JSON
 */

import { setupServer } from 'msw/node';
import supertest from 'supertest';
import { handlers } from '#tools/testing/msw.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { countLikes } from '#vals/reactions/reactions.rules.js';
import { countReferences } from '#vals/vals/references.rules.js';
import { getAuthor } from '#vals/vals/val-records.collection.js';
import { getVisibleVal } from '#vals/vals/vals.rules.js';
import { createEmulator, type Sandbox } from '../src/index.js';
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
  { name: 'model functions', requests: 20_000, send: readModel },
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
  { name: 'a test in-process', requests: 300, send: () => runTest(emulator.sandbox(), (sandbox) => sandbox.fetch) },
  { name: 'a test over HTTP', requests: 60, send: () => runTest(emulator.sandbox(), () => fetch) },
];

/** Reads a val by id, its author and its counts, without a request. */
function readModel(): unknown {
  const state = toValsState(emulator.store.state);
  const val = getVisibleVal(state, id, state.users.by.token.get(['ada-token']));
  const author = getAuthor(state, val);
  return [val, author, countLikes(state, val), countReferences(state, val, author)];
}

/** Runs a typical test: five requests and an assertion. */
async function runTest(sandbox: Sandbox, selectFetch: (sandbox: Sandbox) => typeof fetch): Promise<void> {
  const send = selectFetch(sandbox);
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
  await sandbox.close();
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
  // 40 µs on a machine where a fetch over loopback takes 150.
  { what: 'emulator.fetch relative to fetch over loopback', value: own / cost('fetch, loopback'), bound: 0.27 },
  { what: 'emulator.fetch relative to supertest(app)', value: own / cost('supertest(app)'), bound: 0.1 },
];

if (process.argv.includes('--json')) {
  const rows = contenders.map(({ name }) => ({ name, microseconds: cost(name) }));
  console.log(JSON.stringify({ rows, checks: checks.map((check) => ({ ...check, ok: check.value <= check.bound })) }));
} else {
  for (const { name } of contenders) {
    console.log(
      `${name.padEnd(20)} ${cost(name).toFixed(1).padStart(9)} µs   ${(cost(name) / own).toFixed(2).padStart(8)} × emulator.fetch`,
    );
  }
  for (const { what, value, bound } of checks) {
    console.log(`${what}: ${value.toFixed(3)} (at most ${bound}) ${value <= bound ? 'ok' : 'MISSED'}`);
  }
}
if (checks.some(({ value, bound }) => value > bound)) process.exitCode = 1;
