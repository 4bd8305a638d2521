import type { Route } from '#engine/api/route.js';
import { HTML, NDJSON } from '#engine/lib/json.js';
import { TYPESCRIPT } from '#engine/lib/media-types.js';
import { PROMETHEUS_TEXT } from '#engine/lib/metrics.js';
import { isObject } from '#engine/lib/objects.js';
import type { Example } from '#engine/openapi/types.js';
import { packageVersion } from '#engine/platform/package.js';
import { toValsState } from '#vals/lib/state.collection.js';
import type { Emulator } from '../../src/emulator.js';
import { createEmulator, type Sandbox } from '../../src/index.js';
import { addProject } from './example-project.js';
import {
  EXAMPLE_CLIENT,
  EXAMPLE_EMAIL,
  type ExampleRequest,
  exampleRequests,
  LIMITED_TOKEN,
} from './example-requests.js';

/** Base URL of the emulator in the examples. */
export const EXAMPLE_SERVER = 'http://127.0.0.1:4010';
/** The time of the examples. */
const NOW = '2024-06-11T22:05:12.585Z';

const BYTES_TYPE = 'application/octet-stream';

/** Lines of an example by the media type of text: the first record of a session, and the first metric. */
const SHOWN_LINES: Readonly<Record<string, number>> = { [NDJSON]: 1, [PROMETHEUS_TEXT]: 3, [HTML]: 1, [TYPESCRIPT]: 1 };

/** Examples by name of the route and status. */
export type Examples = ReadonlyMap<string, ReadonlyMap<number, Example>>;

/** Sends each route a valid and many invalid requests, and keeps the first response of each status. */
export async function collectExamples(routes: readonly Route<never>[]): Promise<Examples> {
  // The sandboxes `demo`, `example` and `full` reach the limit, so that another one is a 503. The fork
  // `copy` takes the place of `full`, and so does the one of `forks`.
  const emulator = await createEmulator({ listen: false, now: NOW, maxSandboxes: 3, controlToken: 'a-long-secret' });
  const page = { 'x-emulator-page': '1', origin: EXAMPLE_SERVER };
  emulator.pipeline.process.interception = INTERCEPTION;
  const limited = await createEmulator({ listen: false, now: NOW, rateLimit: { limit: 1, window: '1m' } });
  await limited.fetch('/v1/me');
  const shared = await createSharedEmulator();
  const examples = new Map<string, Map<number, Example>>();
  // An example of a document would contain itself, or another one that is made at the same time.
  for (const route of routes.filter(({ path }) => !/\/openapi.*\.json$/.test(path))) {
    const found = new Map<number, Example>(route.path === '/_emulator/cluster' ? [[200, CLUSTER]] : []);
    const add = (example: Example) => found.has(example.status) || found.set(example.status, example);
    for (const request of exampleRequests(route, toValsState(emulator.store.state))) {
      emulator.sandbox('demo');
      if (!isFork(request)) emulator.sandbox('full');
      const sandbox = emulator.sandbox('example');
      if (isControl(route)) await arrange(sandbox);
      else if (request.token === LIMITED_TOKEN.token) sandbox.add.token(LIMITED_TOKEN);
      if (/^\/v2\/|^\/_emulator\/records\/.*\/files$/.test(route.path)) addProject(sandbox);
      if (route.path === '/_emulator/login') sandbox.add.client(EXAMPLE_CLIENT);
      if (route.path.includes('/emails')) sandbox.add.email(EMAIL);
      if (/\/(?:v[12]|_emulator)\/blob/.test(route.path) && route.id !== 'addBlob')
        sandbox.add.blob({ user: 'ada', key: 'report.json', json: { ready: true } });
      if (route.path.startsWith('/_emulator/sqlite/')) sandbox.add.sqlite({ user: 'ada', sql: READINGS });
      if (/^\/_emulator\/(?:memberships|branches|commits|environment|responses)$/.test(route.path)) {
        sandbox.add.organization(ORGANIZATION);
        sandbox.add.project(PROJECT);
      }
      for (let i = 1; i < (request.snapshots ?? 0); i++) sandbox.snapshot(`s${i}`);
      if (request.isSandboxClosed) await sandbox.close();
      add(
        await send(emulator, route, {
          ...request,
          headers: {
            ...(route.path === '/_emulator/sign-in' ? page : {}),
            ...(route.id === 'getModule' ? { accept: 'application/typescript' } : {}),
            ...request.headers,
            'x-emulator-sandbox': request.sandbox ?? sandbox.name,
          },
        }),
      );
      emulator.closeSandboxes();
    }
    if (!isControl(route)) add(await send(limited, route, { request: {} }));
    else if (route.errors.includes(409)) {
      const [valid] = exampleRequests(route, toValsState(shared.store.state));
      if (valid) add(await send(shared, route, valid));
    }
    examples.set(route.name, found);
  }
  return examples;
}

/** Creates an emulator without journals, and with a shared store without nodes. */
async function createSharedEmulator(): Promise<Emulator> {
  const emulator = await createEmulator({ listen: false, now: NOW, journal: false });
  const nodes = { list: () => Promise.reject(new Error('this emulator has no nodes')), metrics: () => [] };
  const storage = { path: 'redis://127.0.0.1:6379/0', nodes, saved: async () => {} };
  Object.assign(emulator.pipeline.control.emulator, { storage });
  return emulator;
}

/** The interception of the command, which the library has not. */
const INTERCEPTION = {
  names: ['api.val.town'],
  port: 41_001,
  proxy: 'http://val-emulator:secret@127.0.0.1:41002',
  javaPort: 41_003,
  folder: '/tmp/val-emulator-Xq3v9b',
  only: false,
};

/** Written by hand: it takes a Redis. */
const CLUSTER: Example = {
  request: {},
  status: 200,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', date: new Date(NOW).toUTCString() }),
  body: {
    node: '1f0c7a52',
    store: 'redis://redis:6379/0',
    entries: 1_024,
    nodes: [
      {
        id: '1f0c7a52',
        host: 'val-emulator-6d8f9c-x2x7k',
        pid: 1,
        version: packageVersion(),
        startedAt: '2024-06-11T20:00:00.000Z',
        lastSeen: NOW,
        last: '1718143512580-0',
        lag: 0,
      },
    ],
  },
};

const READINGS = "CREATE TABLE readings (station TEXT, celsius REAL); INSERT INTO readings VALUES ('Oslo', 10.6);";
const EMAIL = {
  ...{ id: EXAMPLE_EMAIL, user: 'ada', to: 'grace@example.com', subject: 'The report' },
  ...{ text: 'It is ready.', html: '<p>It is ready.</p>' },
};

const ORGANIZATION = { username: 'analysts' };
const PROJECT = { owner: 'ada', name: 'site', files: { 'main.ts': 'export const limit = 42;', 'old.ts': '' } };

const isFork = ({ request: { body }, sandbox }: ExampleRequest): boolean =>
  sandbox === undefined && isObject(body) && (body.name === 'copy' || body.count === 1);

const isControl = ({ path }: Route<never>) => path.startsWith('/_emulator/');

/** Creates a record to list and to take back, a snapshot to restore and a fault to disarm. */
async function arrange(sandbox: Sandbox): Promise<void> {
  await sandbox.fetch('/v1/vals', {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'greeting', code: "export const greeting = 'Hello';" }),
  });
  await sandbox.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
  sandbox.snapshot('before');
  sandbox.fail('POST /v1/vals', { status: 503, times: 2 });
}

async function send(
  { fetch }: Pick<Sandbox, 'fetch'>,
  route: Route<never>,
  { request, token, contentType, server = EXAMPLE_SERVER, headers = {} }: ExampleRequest,
): Promise<Example> {
  const { params = {}, query = {}, body } = request;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? name));
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${server}${path}${search && `?${search}`}`, {
    method: route.method,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || contentType === undefined ? {} : { 'content-type': contentType }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers: received } = response;
  if (received.get('content-type')?.startsWith('text/event-stream')) {
    return { request, status, headers: received, body: await readEvents(response) };
  }
  const text = await response.text();
  // Bytes have no example.
  if (received.get('content-type') === BYTES_TYPE) return { request, status, headers: received, body: undefined };
  const shown = SHOWN_LINES[received.get('content-type') ?? ''];
  if (shown !== undefined) {
    return { request, status, headers: received, body: [...text.split('\n').slice(0, shown), '…'].join('\n') };
  }
  return { request, status, headers: received, body: text === '' ? undefined : JSON.parse(text, truncateLists) };
}

/** In the place of random ids. */
const RANDOM_ID = '0a1b2c3d-4e5f-4a7b-8c9d-0e1f2a3b4c5d';

/** Truncates lists to two items and fixes what the machine measures, so that the document is short and stable. */
function truncateLists(key: string, value: unknown): unknown {
  if (['duration', 'time', 'wait'].includes(key) && typeof value === 'number') return 0.4;
  if (key === 'instance') return RANDOM_ID;
  if (typeof value === 'string') return value.replace(/(?<=\/esm\/)[\da-f-]{36}/, RANDOM_ID);
  if (isObject(value) && 'lastUse' in value) return { ...value, createdAt: NOW, lastUse: NOW };
  return Array.isArray(value) ? value.slice(0, 2) : value;
}

/** Reads the first events of a stream, and fixes their ids. */
async function readEvents({ body }: Response): Promise<string> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('event: sandboxes')) break;
  }
  const events = text.replace(/^id: [^.]+/gm, 'id: 0a1b2c3d-4e5f-0').split(/(?<=\n\n)/);
  return events.slice(0, 3).join('');
}
