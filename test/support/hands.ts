import supertest from 'supertest';
import type {
  ClockStatus,
  FaultOptions,
  FaultRecord,
  HistoryEntry,
  RequestFilter,
  RequestRecord,
  Sandbox,
  SnapshotRecord,
} from '../../src/index.js';

type Collection = 'users' | 'vals' | 'runs' | 'likes' | 'comments';

/** What tests do to a world, whichever way: a refusal rejects with the message that people get. */
interface Hand {
  reset(): Promise<void>;
  reseed(fixtures: unknown): Promise<void>;
  add(collection: Collection, record: unknown): Promise<unknown>;
  snapshot(name?: string): Promise<string>;
  restore(name: string): Promise<void>;
  dropSnapshot(name: string): Promise<void>;
  snapshots(): Promise<SnapshotRecord[]>;
  requests(filter?: RequestFilter): Promise<RequestRecord[]>;
  clearRequests(): Promise<void>;
  history(): Promise<HistoryEntry[]>;
  rewind(to: number | string): Promise<void>;
  fail(route: string, options?: FaultOptions): Promise<FaultRecord>;
  faults(): Promise<FaultRecord[]>;
  disarm(id?: string): Promise<void>;
  clock(): Promise<ClockStatus>;
  freeze(moment?: string): Promise<ClockStatus>;
  set(moment: string): Promise<ClockStatus>;
  advance(by: string | number): Promise<ClockStatus>;
  resume(): Promise<ClockStatus>;
}

/** By the methods of the package. */
function byMethod(sandbox: Sandbox): Hand {
  const { add } = sandbox;
  // What comes out of JSON.parse has no type, as what a program in JavaScript hands over.
  const untyped = (value: unknown) => JSON.parse(JSON.stringify(value));
  const adders = {
    users: (record: unknown) => add.user(untyped(record)),
    vals: (record: unknown) => add.val(untyped(record)),
    runs: (record: unknown) => add.run(untyped(record)),
    likes: (record: unknown) => add.like(untyped(record)),
    comments: (record: unknown) => add.comment(untyped(record)),
  };
  return {
    reset: async () => sandbox.reset(),
    reseed: async (fixtures) => sandbox.reseed(untyped(fixtures)),
    add: async (collection, record) => adders[collection](record),
    snapshot: async (name) => sandbox.snapshot(name),
    restore: async (name) => sandbox.restore(name),
    dropSnapshot: async (name) => sandbox.dropSnapshot(name),
    snapshots: async () => sandbox.snapshots(),
    requests: async (filter) => sandbox.requests(filter),
    clearRequests: async () => sandbox.clearRequests(),
    history: async () => sandbox.history(),
    rewind: async (to) => sandbox.rewind(to),
    fail: async (route, options) => sandbox.fail(route, options),
    faults: async () => sandbox.faults(),
    disarm: async (id) => sandbox.disarm(id),
    clock: async () => sandbox.clock.read(),
    freeze: async (moment) => sandbox.clock.freeze(moment),
    set: async (moment) => sandbox.clock.set(moment),
    advance: async (by) => sandbox.clock.advance(by),
    resume: async () => sandbox.clock.resume(),
  };
}

/** By requests to the control plane, as a test in another language would. */
function overHttp(sandbox: Sandbox): Hand {
  const send = async (status: number, method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
    const response = await supertest(sandbox.url)[method](`/_emulator${path}`).send(body);
    if (response.status >= 400) throw new Error(response.body.message);
    if (response.status !== status) throw new Error(`expected a ${status}, found a ${response.status}`);
    if (status === 204 && response.text !== '') throw new Error(`a 204 with a body: ${response.text}`);
    return response.body;
  };
  const done = async (...request: Parameters<typeof send>) => {
    await send(...request);
  };
  const segment = encodeURIComponent;
  return {
    reset: () => done(204, 'post', '/reset', { confirm: true }),
    reseed: (fixtures) =>
      done(204, 'put', '/seed?confirm=true', typeof fixtures === 'object' ? { ...fixtures } : { fixtures }),
    add: (collection, record) => send(201, 'post', `/${collection}`, Object(record)),
    snapshot: async (name) => (await send(201, 'post', '/snapshots', name === undefined ? undefined : { name })).name,
    restore: (name) => done(204, 'post', `/snapshots/${segment(name)}/restore`),
    dropSnapshot: (name) => done(204, 'delete', `/snapshots/${segment(name)}`),
    snapshots: () => send(200, 'get', '/snapshots'),
    requests: (filter = {}) => {
      const facts = Object.entries(filter).map(([key, value]): [string, string] => [key, String(value)]);
      return send(200, 'get', `/requests?${new URLSearchParams(facts)}`);
    },
    clearRequests: () => done(204, 'delete', '/requests'),
    history: () => send(200, 'get', '/history'),
    rewind: (to) => done(204, 'post', '/rewind', typeof to === 'number' ? { steps: to } : { before: to }),
    fail: (route, options) => send(201, 'post', '/faults', { ...options, ...(route === '*' ? {} : { route }) }),
    faults: () => send(200, 'get', '/faults'),
    disarm: (id) => done(204, 'delete', id === undefined ? '/faults' : `/faults/${segment(id)}`),
    clock: () => send(200, 'get', '/clock'),
    freeze: (moment) => send(200, 'put', '/clock', { freeze: moment ?? true }),
    set: (moment) => send(200, 'put', '/clock', { set: moment }),
    advance: (by) => send(200, 'put', '/clock', { advance: by }),
    resume: () => send(200, 'put', '/clock', { resume: true }),
  };
}

/** The ways of doing everything; for `describe.each`. */
export const HANDS = [
  ['by a method', byMethod],
  ['over HTTP', overHttp],
] as const;
