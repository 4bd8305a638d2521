import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { controlRoutes } from '#vals/service/service.control.js';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { sized } from '../../support/soak.js';

/*
 * Each operation of the control API on a large dataset, and the health of the emulator beside it. The full size, the
 * largest that HTTP generates, is that of `npm test -- soak`.
 */

const SIZE = {
  users: sized(10, 50),
  vals: sized(1_000, 10_000),
  runs: sized(20_000, 200_000),
  people: ['ada', 'grace'],
};
/** Milliseconds of a response that no test takes for slow, since other work shares the machine. */
const FLOOR_MS = 250;
const JSON_ADA = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

let emulator: Emulator;
beforeAll(async () => {
  emulator = await createEmulator({ fixtures: 'default', port: 0 });
  // The first reads load the generator and json-server.
  await send('GET', '/_emulator/db/users');
  await send('PUT', '/_emulator/seed', { generate: SIZE });
});
afterAll(() => emulator.close());

/** Sends a request and reads its response. Returns the milliseconds that it took, and the status. */
async function send(method: string, path: string, body?: unknown, signal?: AbortSignal) {
  const start = performance.now();
  const init = { method, headers: JSON_ADA, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(emulator.url + path, { ...init, ...(signal && { signal }) });
  const text = await response.text();
  return { ms: performance.now() - start, status: response.status, text };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const measureHealth = async () => (await send('GET', '/_emulator/health')).ms;

/** Sends a request, and expects the health beside it to respond nearly as fast as alone. */
async function expectShort(what: string, run: (signal: AbortSignal) => Promise<{ status: number; text: string }>) {
  const alone: number[] = [];
  for (let i = 0; i < 5; i++) alone.push(await measureHealth());
  const beside: number[] = [];
  const abort = new AbortController();
  let isDone = false;
  const result = run(abort.signal).finally(() => {
    isDone = true;
  });
  do beside.push(await measureHealth());
  while (!isDone && !(what === 'streamEvents' && beside.length > 3));
  if (!isDone) abort.abort();
  const limit = Math.max(FLOOR_MS, 10 * median(alone));
  const times = `${what}: ${median(beside).toFixed(0)} ms beside it, ${median(alone).toFixed(0)} ms alone`;
  expect(median(beside), times).toBeLessThan(limit);
  return result;
}

const Rows = z.object({ records: z.array(z.object({ id: z.string() })) });
const idOf = async (collection: string) =>
  Rows.parse(JSON.parse((await send('GET', `/_emulator/records/${collection}?limit=1`)).text)).records[0]?.id ?? '';

/** What is sent, with names of what each sandbox has; by default the path of the route and the body of its example. */
interface Sent {
  readonly query?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** @default 2xx */
  readonly status?: number;
}

/** A request of each operation at least, by its id. VAL, RUN and USER stand for ids. */
const REQUESTS: Readonly<Record<string, readonly Sent[]>> = {
  getHealth: [{}],
  listRecordFiles: [{ params: { collection: 'branches', id: 'none' }, status: 404 }],
  getReadiness: [{}],
  getCluster: [{ status: 404 }],
  getInterception: [{ status: 404 }],
  getMetrics: [{}],
  signIn: [{ status: 404 }],
  signOut: [{ status: 404 }],
  listCollections: [{}],
  nameRecords: [{ query: 'ids=VAL' }],
  findRecords: [{ query: 'q=hello' }],
  reset: [{}],
  reseed: [{}, { body: { generate: SIZE } }],
  getState: [{}, { query: 'at=r1' }, { query: 'relative=true' }, { query: 'relative=true&brief=true&tokens=true' }],
  listUsers: [{}],
  addRecords: [
    {},
    { body: { memberships: [{ organization: 'acme', user: 'ada' }], projects: { owner: 'acme', name: 'other' } } },
    { body: { branches: { project: 'acme/site', name: 'draft' } } },
    { body: { commits: { branch: 'acme/site@main', files: { 'main.ts': '1' } } } },
    { body: { vals: { author: 'ada', name: 'added', code: '1' }, runs: { val: 'VAL' } } },
    { body: { likes: { user: 'ada', val: 'ada/own' }, comments: { author: 'grace', val: 'VAL', comment: 'Yes' } } },
    { body: { blobs: [{ user: 'ada', key: 'a', text: 'b' }], emails: { user: 'ada' } } },
  ],
  getBlobContent: [{ params: { id: 'r1' }, status: 404 }],
  getDatabase: [{ params: { id: 'r1' }, status: 404 }],
  listRows: [{ params: { id: 'r1' }, query: 'table=t', status: 404 }],
  selectRows: [{}],
  queryRows: [{ params: { id: 'r1' }, body: { table: 't' }, status: 404 }],
  listEmails: [{}],
  getEmail: [{ params: { id: 'r1' }, status: 404 }],
  showEmail: [{ params: { id: 'r1' }, status: 404 }],
  expectEmail: [{}],
  listSnapshots: [{}],
  takeSnapshot: [{}],
  restoreSnapshot: [{ params: { name: 's' } }],
  dropSnapshot: [{ params: { name: 's' } }],
  summarizeRequests: [{}, { query: 'q=hello' }],
  listRequests: [{}, { query: 'body={"code":"1"}' }],
  listUnhandledRequests: [{}],
  getRequest: [{ params: { id: 'r1' } }],
  explain: [{ params: { id: 'r1' } }],
  // A client that is not registered here.
  login: [{ status: 400 }],
  makeTest: [{ body: { requests: ['last'] } }, { body: { runner: 'pytest' } }],
  expectRequest: [{ body: { route: 'POST /v1/vals', body: { code: '1' } } }],
  expectSequence: [{ body: { steps: [{ route: 'POST /v1/vals' }] } }],
  expectNoOther: [{ body: { allowed: [{ route: 'POST /v1/vals' }] } }],
  clearRequests: [{}],
  listHistory: [{}],
  rewind: [{}],
  getRateLimit: [{}],
  setRateLimit: [{}],
  listFaults: [{}],
  armFault: [{}],
  armChaos: [{ body: { name: 'slow-api', for: 1 } }],
  disarmAllFaults: [{}],
  disarmFault: [{ params: { id: 'FAULT' } }],
  streamEvents: [{}],
  recordSession: [{}],
  exportHar: [{}],
  getClock: [{}],
  changeClock: [{}],
  listSandboxes: [{}],
  diffStates: [{}, { body: { before: 'fixture:busy', limit: 0 } }],
  openSandbox: [{ body: { name: 'opened' } }, { body: { fixtures: { users: [{ username: 'ada' }] } } }],
  forkSandbox: [{ body: { name: 'forked' } }],
  forkSandboxes: [{ body: { count: 100, prefix: 'many' } }],
  scoreForks: [{ body: { prefix: 'many-', allow: ['*'] } }],
  closeSandboxes: [{ query: 'prefix=nothing' }],
  closeSandbox: [{ params: { name: 'SANDBOX' } }],
  getOpenApi: [{}],
  getControlOpenApi: [{}],
  getSummary: [{}, { query: 'at=r1' }],
  getCommit: [{ params: { id: 'r1' } }],
  getImportMap: [{}],
  getModule: [
    { params: { path: 'v%2Fada%2Fnone' }, status: 404 },
    { params: { path: 'v/ada/site/main.ts' }, status: 404 },
  ],
  listRecords: [
    { params: { collection: 'runs' } },
    { params: { collection: 'runs' }, query: 'q=rror' },
    { params: { collection: 'runs' }, query: 'sort=runStartAt' },
    { params: { collection: 'runs' }, query: 'where={"source":"api"}' },
    { params: { collection: 'vals' }, query: 'q=import&sort=code&order=desc' },
    { params: { collection: 'versions' }, query: 'at=r1&sort=createdAt' },
  ],
  getRecord: [{ params: { collection: 'users', id: 'USER' } }, { params: { collection: 'vals', id: 'VAL' } }],
  createRecord: [{ params: { collection: 'vals' }, body: { author: 'ada', name: 'limit', code: '1' } }],
  replaceRecord: [{ params: { collection: 'vals', id: 'VAL' }, body: { author: 'ada', name: 'replaced', code: '1' } }],
  changeRecord: [{ params: { collection: 'vals', id: 'VAL' }, body: { privacy: 'private' } }],
  deleteRecord: [{ params: { collection: 'runs', id: 'RUN' } }, { params: { collection: 'users', id: 'USER' } }],
  exportRecords: [{ body: { users: ['USER'], vals: ['VAL'] } }],
};

test('these tests have a request for every operation of the control API', () => {
  expect(Object.keys(REQUESTS).toSorted()).toEqual(controlRoutes.map(({ id }) => id).toSorted());
});

test.each(controlRoutes.map((route) => [route.name, route] as const))(
  'another client gets its response while %s works on a large dataset',
  async (_, { id, method, path, example = {} }) => {
    const requests = REQUESTS[id] ?? [];
    expect(requests).not.toEqual([]);
    for (const [i, { query, params = {}, body = example.body, status }] of requests.entries()) {
      const name = `${id}-${i}`;
      const base = `/_sandbox/${name}`;
      await send('POST', '/_emulator/fork', { name });
      await send('POST', `${base}/v1/vals`, { code: '1', name: 'own' });
      await send('POST', `${base}/_emulator/records/organizations`, { username: 'acme' });
      await send('POST', `${base}/_emulator/records/projects`, { owner: 'acme', name: 'site' });
      await send('POST', `${base}/_emulator/snapshots`, { name: 's' });
      const fault = await send('POST', `${base}/_emulator/faults`, { route: '*', delay: 1, times: 1 });
      const words = new Map([
        ['VAL', await idOf('vals')],
        ['RUN', await idOf('runs')],
        ['USER', await idOf('users')],
        ['FAULT', z.object({ id: z.string() }).parse(JSON.parse(fault.text)).id],
        ['SANDBOX', name],
      ]);
      const fill = (text: string) =>
        text.replaceAll(/\b(?:VAL|RUN|USER|FAULT|SANDBOX)\b/g, (word) => words.get(word) ?? '');
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, key) => fill(params[key] ?? ''));
      const search = query ?? new URLSearchParams(example.query).toString();
      const content = method === 'GET' || body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body)));
      const prefix = id === 'closeSandbox' ? '' : base;

      const result = await expectShort(id, (signal) =>
        send(method, `${prefix}${filled}?${search}`, content, signal),
      ).catch((error: unknown) => {
        if (id === 'streamEvents' && Object(error).name === 'AbortError') return { status: 200, text: '' };
        throw error;
      });

      expect([result.status, result.status < 300 ? '' : result.text]).toEqual(
        status === undefined
          ? [expect.toSatisfy((found) => found >= 200 && found < 300), '']
          : [status, expect.anything()],
      );
      await send('DELETE', `/_emulator/sandboxes?prefix=${name}`);
    }
  },
  600_000,
);

test.each(['users', 'vals?_sort=name', 'vals?_expand=user', 'vals?q=import', 'runs?error_like=e', 'runs?_expand=val'])(
  'another client gets its response while the data browser works on a large dataset: %s',
  async (path) => {
    const { status, text } = await expectShort(path, () => send('GET', `/_emulator/db/${path}`));

    expect([200, 400]).toContain(status);
    if (status === 400) expect(text).toMatch(/\/_emulator\/records\/\w+, which reads a page at a time/);
  },
);

test('a large state and session, sent in pieces, can be loaded again', async () => {
  const state = await send('GET', '/_emulator/state?tokens=true');
  const embedded = JSON.stringify(emulator.state({ tokens: true }));
  const brief = await send('GET', '/_emulator/state?brief=true');
  const embeddedBrief = JSON.stringify(emulator.state({ brief: true, tokens: false }));
  const fetched = await (await emulator.fetch('/_emulator/state?tokens=true')).text();
  const session = await send('GET', '/_emulator/session');

  expect(JSON.stringify(JSON.parse(state.text))).toBe(embedded);
  expect(JSON.stringify(JSON.parse(brief.text))).toBe(embeddedBrief);
  expect(fetched).toBe(state.text);
  expect(session.text.replaceAll(/"recordedAt":\d+/g, '').length).toBeGreaterThan(SIZE.runs * 100);
  await using opened = await createEmulator({ fixtures: JSON.parse(state.text), listen: false });
  expect(opened.state().runs).toHaveLength(SIZE.runs);
});

test('a client that disconnects during a large response does not affect others', async () => {
  for (let i = 0; i < 3; i++) {
    // Over a new connection: an idle one may end as it is used.
    const request = get(`${emulator.url}/_emulator/state`, { agent: false });
    await once(request, 'response');
    request.destroy();
    const embedded = await emulator.fetch('/_emulator/state');
    await embedded.body?.cancel();
  }

  expect((await send('GET', '/_emulator/health')).status).toBe(200);
});
