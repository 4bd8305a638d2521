import type { Static, TSchema } from 'typebox';
import { type ControlSettings, type RequestSettings, sendOperation } from '#engine/control/send.js';
import type { Optional } from '#engine/lib/objects.js';
import type { ControlOperation } from '#vals/control/index.js';

type WithoutPrefix<N> = N extends `${infer M} /_emulator/${infer P}` ? `${M} ${P}` : never;
/** The method and the path of each operation, by its id, below `/_emulator/`. The compiler compares them with the routes. */
const OPERATIONS = {
  getHealth: 'GET health',
  getReadiness: 'GET ready',
  getCluster: 'GET cluster',
  getInterception: 'GET interception',
  getMetrics: 'GET metrics',
  signIn: 'POST sign-in',
  signOut: 'POST sign-out',
  reset: 'POST reset',
  reseed: 'PUT seed',
  getState: 'GET state',
  recordSession: 'GET session',
  streamEvents: 'GET events',
  listCollections: 'GET collections',
  listRecords: 'GET records/{collection}',
  getRecord: 'GET records/{collection}/{id}',
  listRecordFiles: 'GET records/{collection}/{id}/files',
  createRecord: 'POST records/{collection}',
  replaceRecord: 'PUT records/{collection}/{id}',
  changeRecord: 'PATCH records/{collection}/{id}',
  deleteRecord: 'DELETE records/{collection}/{id}',
  listUsers: 'GET users',
  addRecords: 'POST records',
  getBlobContent: 'GET blobs/{id}',
  selectRows: 'POST rows',
  getDatabase: 'GET sqlite/{id}',
  listRows: 'GET sqlite/{id}/rows',
  queryRows: 'POST sqlite/{id}/rows',
  listEmails: 'GET emails',
  getEmail: 'GET emails/{id}',
  showEmail: 'GET emails/{id}/html',
  expectEmail: 'POST emails/expect',
  listSnapshots: 'GET snapshots',
  takeSnapshot: 'POST snapshots',
  restoreSnapshot: 'POST snapshots/{name}/restore',
  dropSnapshot: 'DELETE snapshots/{name}',
  summarizeRequests: 'GET requests/summary',
  listRequests: 'GET requests',
  listUnhandledRequests: 'GET requests/unhandled',
  exportHar: 'GET requests.har',
  getRequest: 'GET requests/{id}',
  explain: 'GET requests/{id}/explanation',
  expectRequest: 'POST requests/expect',
  expectSequence: 'POST requests/expect-sequence',
  expectNoOther: 'POST requests/expect-no-other',
  makeTest: 'POST requests/test',
  clearRequests: 'DELETE requests',
  listHistory: 'GET history',
  getCommit: 'GET history/{id}',
  rewind: 'POST rewind',
  getRateLimit: 'GET rate-limit',
  setRateLimit: 'PUT rate-limit',
  listFaults: 'GET faults',
  armFault: 'POST faults',
  armChaos: 'POST chaos',
  disarmAllFaults: 'DELETE faults',
  disarmFault: 'DELETE faults/{id}',
  getClock: 'GET clock',
  changeClock: 'PUT clock',
  listSandboxes: 'GET sandboxes',
  openSandbox: 'POST sandboxes',
  closeSandboxes: 'DELETE sandboxes',
  closeSandbox: 'DELETE sandboxes/{name}',
  forkSandbox: 'POST fork',
  forkSandboxes: 'POST forks',
  scoreForks: 'POST forks/score',
  diffStates: 'POST diff',
  getOpenApi: 'GET openapi.json',
  getControlOpenApi: 'GET openapi-control.json',
} as const satisfies { readonly [O in ControlOperation as O['id']]: WithoutPrefix<O['name']> };

type Operations = { readonly [O in ControlOperation as O['id']]: O };
type OperationId = keyof Operations;

/** The type of a schema; unknown for a route without it. */
type Values<S> = NonNullable<S> extends infer T extends TSchema ? Static<T> : unknown;
/** Objects whose keys may be undefined; lists as they are. */
type Given<V> = V extends readonly unknown[] ? V : V extends object ? Optional<V> : unknown;
type ContentOf<O extends ControlOperation> = Given<
  Values<O['method'] extends 'GET' | 'DELETE' ? O['query'] : O['body']>
>;
/** The parameters of the path, together with the body, or with the query of a request without a body. */
export type ControlInput<I extends OperationId> = Values<Operations[I]['params']> & ContentOf<Operations[I]>;
/** The body of a successful response; undefined for none. */
export type ControlOutput<I extends OperationId> =
  Static<Operations[I]['response']> extends infer R
    ? [Exclude<R, void>] extends [never]
      ? undefined
      : Exclude<R, void>
    : never;

/** A method for each operation of the control API, by its id. Each rejects as {@link sendControl} does. */
export type ControlClient = {
  readonly [I in OperationId]: (
    ...args: object extends ControlInput<I>
      ? [input?: ControlInput<I>, settings?: RequestSettings]
      : [input: ControlInput<I>, settings?: RequestSettings]
  ) => Promise<ControlOutput<I>>;
};

/**
 * Creates a client of the control API.
 * @param url base URL of an emulator, without a slash at the end
 */
export function controlClient(url: string, settings: ControlSettings = {}): ControlClient {
  const methods = Object.entries(OPERATIONS).map(([id, name]) => {
    const operation = name.replace(' ', ' /_emulator/');
    const send = (input?: object, request?: RequestSettings) =>
      sendOperation(url, operation, input, { ...settings, ...request });
    return [id, send] as const;
  });
  return Object.assign(Object.create(null), Object.fromEntries(methods));
}
