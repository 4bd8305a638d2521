import { connect, RemoteSandbox } from '#tools/client/index.js';
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

/** What tests do to a sandbox, whichever way: a refusal rejects with the message that people get. */
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

// What comes out of JSON.parse has no type, as what a program in JavaScript hands over.
const untyped = (value: unknown) => JSON.parse(JSON.stringify(value));
const ADDERS = { users: 'user', vals: 'val', runs: 'run', likes: 'like', comments: 'comment' } as const;

/** By the methods of a sandbox, in this process or of the client. */
function toHand(sandbox: Sandbox | RemoteSandbox): Hand {
  const { clock } = sandbox;
  const confirm = { confirm: true };
  return {
    reset: async () => (sandbox instanceof RemoteSandbox ? sandbox.reset(confirm) : sandbox.reset()),
    reseed: async (fixtures) => sandbox.reseed(untyped(fixtures), confirm),
    add: async (collection, record) =>
      Reflect.apply(Reflect.get(sandbox.add, ADDERS[collection]), sandbox.add, [untyped(record)]),
    snapshot: async (name) => sandbox.snapshot(name),
    restore: async (name) => sandbox.restore(name),
    dropSnapshot: async (name) => sandbox.dropSnapshot(name),
    snapshots: async () => sandbox.snapshots(),
    requests: async (filter) => sandbox.requests(filter),
    clearRequests: async () => sandbox.clearRequests(),
    history: async () => sandbox.history(),
    rewind: async (to) => sandbox.rewind(to),
    fail: async (route, options) => sandbox.fail(untyped(route), options),
    faults: async () => sandbox.faults(),
    disarm: async (id) => sandbox.disarm(id),
    clock: async () => clock.read(),
    freeze: async (moment) => clock.freeze(moment),
    set: async (moment) => clock.set(moment),
    advance: async (by) => clock.advance(by),
    resume: async () => clock.resume(),
  };
}

/**
 * By the client, which sends requests to the control API. Each response is compared with the OpenAPI document. The methods of this
 * process do the same: `test/model/methods.test.ts`.
 */
export const hand = ({ url }: Sandbox): Hand => toHand(connect(url));

/** For what a method does in another way than a request. */
export const HANDS = [
  ['by a method', (sandbox: Sandbox) => toHand(sandbox)],
  ['by the client', hand],
] as const;
