import type { ControlClient } from '#tools/client/control-client.js';
import { RemoteSandbox } from '#tools/client/index.js';
import { collections } from '#vals/service/service.collection.js';
import type { Sandbox } from '../../src/index.js';

type Fields = Readonly<Record<string, unknown>>;
/** A sandbox of this process or of the client, whose methods are the same. */
type Methods = Sandbox | RemoteSandbox;

/** Calls a method with untyped arguments, as a program in JavaScript does. */
const call = (target: unknown, name: string, ...args: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(Object(target), name), target, args);

/** How a method does what an operation of the control API does. */
export interface Method {
  run(sandbox: Methods, input: Fields): unknown;
  /** Selects what the method returns from the body of the response. Default: all of it */
  select?(body: unknown): unknown;
  /** Whether the method returns a record, and the request nothing. */
  readonly returnsMore?: true;
  /** Keys that only the request takes. */
  readonly without?: readonly string[];
}

const adders: ReadonlyMap<string | undefined, Method> = new Map(
  Object.values(collections).map(({ name, adder = '' }) => [
    name,
    { run: ({ add }, input) => call(add, adder, input[name]), select: (body) => Object(body)[name] },
  ]),
);

/** Only the response of the route says what a replacement of the state changed. */
const returnsNothing = (): undefined => undefined;

/** The methods by the id of their operation. */
const BY_ID: { readonly [I in keyof ControlClient]?: Method } = {
  reset: {
    run: (sandbox) => call(sandbox, 'reset', ...(sandbox instanceof RemoteSandbox ? [{ confirm: true }] : [])),
    select: returnsNothing,
  },
  reseed: { run: (sandbox, seed) => call(sandbox, 'reseed', seed, { confirm: true }), select: returnsNothing },
  getState: { run: (sandbox, options) => call(sandbox, 'state', options), without: ['at'] },
  listUsers: { run: ({ users }) => users },
  takeSnapshot: {
    run: (sandbox, { name, at }) => call(sandbox, 'snapshot', name, at),
    select: (body) => Object(body).name,
  },
  listSnapshots: { run: (sandbox) => sandbox.snapshots() },
  restoreSnapshot: { run: (sandbox, { name }) => call(sandbox, 'restore', name), select: returnsNothing },
  dropSnapshot: { run: (sandbox, { name }) => call(sandbox, 'dropSnapshot', name) },
  listUnhandledRequests: { run: (sandbox) => sandbox.unhandled() },
  explain: { run: (sandbox, { id }) => call(sandbox, 'explain', id) },
  clearRequests: { run: (sandbox) => sandbox.clearRequests() },
  expectRequest: {
    run: (sandbox, { route, ...expectation }) => call(sandbox, 'expectRequest', route, expectation),
    returnsMore: true,
  },
  expectSequence: { run: (sandbox, { steps }) => call(sandbox, 'expectSequence', steps) },
  expectNoOther: { run: (sandbox, { allowed }) => call(sandbox, 'expectNoOther', allowed) },
  expectEmail: { run: (sandbox, expectation) => call(sandbox, 'expectEmail', expectation), returnsMore: true },
  listHistory: { run: (sandbox, options) => call(sandbox, 'history', options) },
  rewind: { run: (sandbox, { steps, before }) => call(sandbox, 'rewind', steps ?? before), select: returnsNothing },
  getRateLimit: { run: ({ rateLimit }) => rateLimit.read() },
  setRateLimit: { run: ({ rateLimit }, setting) => call(rateLimit, 'set', setting) },
  listFaults: { run: (sandbox) => sandbox.faults(), without: ['at'] },
  armFault: { run: (sandbox, { route = '*', ...fault }) => call(sandbox, 'fail', route, fault) },
  disarmAllFaults: { run: (sandbox) => sandbox.disarm() },
  disarmFault: { run: (sandbox, { id }) => call(sandbox, 'disarm', id) },
  getClock: { run: ({ clock }) => clock.read() },
  changeClock: {
    run({ clock }, { freeze, set, advance }) {
      if (freeze !== undefined) return call(clock, 'freeze', ...(freeze === true ? [] : [freeze]));
      return set === undefined ? call(clock, 'advance', advance) : call(clock, 'set', set);
    },
  },
  diffStates: { run: (sandbox, { before, after, ...options }) => call(sandbox, 'diff', before, after, options) },
};

/** Finds the method that does the same as an operation of the control API. */
export const findMethod = ({ id, adds }: { id: string; adds?: string }): Method | undefined =>
  Object.hasOwn(BY_ID, id) ? Reflect.get(BY_ID, id) : adders.get(adds);
