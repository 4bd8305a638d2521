import { toCallCriteria, toToolRoute } from '#engine/api/tool-route.js';
import type { SandboxClock } from '#engine/clock/clock.js';
import { ControlError, loadedFetch, sendControl } from '#engine/control/send.js';
import type { ChaosOptions } from '#engine/faults/chaos.js';
import type { FaultOptions, FaultRecord } from '#engine/faults/faults.js';
import type { ChaosName } from '#engine/faults/presets.js';
import type { ExportOptions } from '#engine/fixtures/export-options.js';
import type { RequestRecord } from '#engine/journal/request-record.js';
import { ExpectationError } from '#engine/lib/errors.js';
import { showCallers } from '#engine/platform/caller-stack.js';
import type { RateLimitSetting, RateLimitStatus } from '#engine/rate-limit/rate-limit.js';
import type { Adder } from '#engine/sandbox/adder.js';
import { Closable } from '#engine/sandbox/closable.js';
import type { DiffOptions, ScoreOptions, StateDiff } from '#engine/sandbox/comparison.js';
import type { HistoryEntry, HistoryOptions } from '#engine/sandbox/history-entries.js';
import type { MakeTestOptions, WrittenTest } from '#engine/sandbox/make-test.js';
import type { SandboxMembers } from '#engine/sandbox/members.js';
import type { RequestExplanation } from '#engine/sandbox/request-explanation.js';
import type { OpenOptions } from '#engine/sandbox/sandboxes.js';
import type { Score } from '#engine/sandbox/score.js';
import { toOptions } from '#engine/sandbox/second-argument.js';
import type { SnapshotRecord } from '#engine/sandbox/snapshots.js';
import type { StateReference } from '#engine/sandbox/state-reference.js';
import type { EmailExpectation, EmailFilter, EmailRecord } from '#vals/emails/outbox-schemas.sandbox.js';
import type { LoginOptions } from '#vals/login/login.sandbox.js';
import type { Fixtures } from '#vals/service/service.collection.js';
import type { RouteReference } from '#vals/service/service.routes.js';
import type {
  EmulatorUser,
  ExportedFixtures,
  GeneratedSource,
  RequestExpectation,
  RequestFilter,
  RequestStep,
  Types,
} from '#vals/service/types.js';
import type { Row, RowsOptions, SqlArguments } from '#vals/sqlite/rows.sandbox.js';
import { type ControlClient, controlClient } from './control-client.js';
import { ADDERS } from './operations.js';
import { toQueryTexts, toRequestQuery, toTime } from './queries.js';

export interface ConnectOptions {
  /** The `controlToken` of the emulator. Needed from another machine, unless its network is allowed. */
  readonly controlToken?: string | undefined;
}

/** Fixtures, the name of a built-in dataset, or options of a generated one. Read files first: no path is sent. */
export type RemoteSeed = Fixtures | string | GeneratedSource;

export interface ConfirmOptions {
  /** Needed for the default sandbox of a shared store, which others use. Default: false */
  readonly confirm?: boolean | undefined;
}

/** An expectation of at least one request or email. */
interface AnyTimes {
  readonly times?: undefined;
}

/** A method that adds a record or a list, as a promise. */
type RemoteAdder<A> = A extends Adder<infer I, infer T> ? Adder<I, Promise<T>, Promise<T[]>> : never;

/** A member as a promise: of a method, its result. */
type Remote<M> = M extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : Promise<M>;
type RemotePart<O> = { readonly [K in keyof O]: Remote<O[K]> };
type RemoteAdd = { readonly [A in keyof Types['add']]: RemoteAdder<Types['add'][A]> };

type Members = SandboxMembers<Types> & Omit<Types['members'], 'expectEmail'>;
/** The members of a sandbox in the same process, of which four are the same here. Over all keys, which keeps their documentation. */
type RemoteMembers = {
  readonly [K in keyof Members]: K extends 'name' | 'url' | 'headers' | 'fetch'
    ? Members[K]
    : K extends 'add'
      ? RemoteAdd
      : K extends 'clock' | 'rateLimit'
        ? RemotePart<Members[K]>
        : Remote<Members[K]>;
};

/**
 * A sandbox of a running emulator. It has the members of a sandbox in the same process, as promises. A method
 * rejects with a {@link ControlError} if the emulator refuses the request, and with an Error if no emulator responds. A matcher of a
 * test runner is a TypeError.
 */
export class RemoteSandbox extends Closable implements RemoteMembers {
  static {
    showCallers(RemoteSandbox.prototype);
  }

  readonly name: string;
  readonly url: string;
  readonly #base: string;
  readonly #options: ConnectOptions;
  readonly #control: ControlClient;

  /** @internal Use `connect`. */
  constructor(base: string, name: string, options: ConnectOptions) {
    super();
    this.name = name;
    this.url = name === '' ? base : `${base}/_sandbox/${name}`;
    this.#base = base;
    this.#options = options;
    this.#control = controlClient(base, { sandbox: name, token: options.controlToken });
  }

  get headers(): Readonly<Record<string, string>> {
    return this.name === '' ? {} : { 'X-Emulator-Sandbox': this.name };
  }

  /**
   * A drop-in `fetch` that reaches this sandbox, whatever the origin of the URL is. The links of a response have the origin
   * of its request. Accepts a path alone: `/v1/me`.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(typeof input === 'string' && input.startsWith('/') ? this.url + input : input, init);
    const headers = new Headers([...request.headers, ...Object.entries(this.headers)]);
    const { method, signal } = request;
    const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
    const { origin, host, protocol, pathname, search } = new URL(request.url);
    if (origin === new URL(this.url).origin) return loadedFetch(request.url, { method, headers, body, signal });
    headers.set('x-forwarded-host', host);
    headers.set('x-forwarded-proto', protocol.slice(0, -1));
    return loadedFetch(this.#base + pathname + search, { method, headers, body, signal });
  };

  get users(): Promise<EmulatorUser[]> {
    return this.#control.listUsers();
  }

  readonly add = this.#makeAdders();

  #makeAdders(): RemoteAdd {
    const adders = Object.entries(ADDERS).map(([adder, collection]) => [
      adder,
      async (input: unknown = null) => {
        const settings = { token: this.#options.controlToken, body: { [collection]: input } };
        return (await sendControl(this.url, 'POST', '/_emulator/records', settings))[collection];
      },
    ]);
    return showCallers(Object.assign(Object.create(null), Object.fromEntries(adders)));
  }

  get clock(): RemotePart<SandboxClock> {
    const { getClock: read, changeClock: change } = this.#control;
    return showCallers({
      get now() {
        return read().then(({ now }) => new Date(now));
      },
      read: () => read(),
      freeze: (at) => change({ freeze: at === undefined ? true : toTime(at) }),
      set: (time) => change({ set: toTime(time) }),
      advance: (by) => change({ advance: by }),
      resume: () => change({ resume: true }),
    });
  }

  readonly rateLimit = showCallers({
    /** Returns the limit, and the requests that are counted. */
    read: (): Promise<RateLimitStatus> => this.#control.getRateLimit(),
    /** Sets the limit, or switches it off: `{ limit: 100, window: '1m' }`, `{ limit: null }`. */
    set: (setting: RateLimitSetting): Promise<RateLimitStatus> => this.#control.setRateLimit(setting),
  });

  async reset({ confirm }: ConfirmOptions = {}): Promise<void> {
    await this.#control.reset(confirm === undefined ? undefined : { confirm });
  }

  /** Loads other seed data and resets to it. */
  async reseed(source: RemoteSeed, { confirm }: ConfirmOptions = {}): Promise<void> {
    const seed: object = typeof source === 'string' ? { fixtures: source } : source;
    await this.#control.reseed(seed, { query: { confirm } });
  }

  /** Returns all records in fixture format. */
  state(options: ExportOptions = {}): Promise<ExportedFixtures> {
    return this.#control.getState(options);
  }

  async snapshot(name?: string, at?: string): Promise<string> {
    return (await this.#control.takeSnapshot({ name, at })).name;
  }

  async restore(name: string): Promise<void> {
    await this.#control.restoreSnapshot({ name });
  }

  dropSnapshot(name: string): Promise<void> {
    return this.#control.dropSnapshot({ name });
  }

  snapshots(): Promise<SnapshotRecord[]> {
    return this.#control.listSnapshots();
  }

  async requests(filter: RequestFilter = {}): Promise<RequestRecord[]> {
    return await this.#control.listRequests(toRequestQuery(filter));
  }

  explain(id: string): Promise<RequestExplanation> {
    return this.#control.explain({ id });
  }

  unhandled(): Promise<RequestRecord[]> {
    return this.#control.listUnhandledRequests();
  }

  /**
   * Asserts that a route was called, and returns the last request that matches. Undefined for `times: 0`.
   * @throws ExpectationError with the near misses and their differences
   * @throws TypeError for a matcher of a test runner
   */
  expectRequest(route: RouteReference, expectation?: RequestExpectation & AnyTimes): Promise<RequestRecord>;
  expectRequest(route: RouteReference, expectation?: RequestExpectation): Promise<RequestRecord | undefined>;
  async expectRequest(route: RouteReference, expectation: RequestExpectation = {}): Promise<RequestRecord | undefined> {
    const { times: _, ...filter } = toOptions(expectation, route);
    await this.#control.expectRequest({ ...expectation, route }).catch(rethrowFailure);
    return (await this.requests({ ...filter, route, limit: 1 }))[0];
  }

  expectToolCall(tool: string, args?: object, times?: number): Promise<void> {
    const expectation = { route: toToolRoute(tool), ...toCallCriteria(args), ...(times !== undefined && { times }) };
    return this.#control.expectRequest(expectation).catch(rethrowFailure);
  }

  /**
   * Asserts that requests were received in this order. Others may lie between them.
   * @param steps at most 100 routes, or criteria: `['PUT /v1/vals', { route: 'GET /v1/me', status: 200 }]`
   * @throws ExpectationError with the first step that was not received, and its near misses
   * @throws TypeError for a matcher of a test runner
   */
  expectSequence(steps: readonly RequestStep[]): Promise<void> {
    // A program without types may leave it out: the emulator says so.
    return this.#control.expectSequence({ steps: steps?.slice() }).catch(rethrowFailure);
  }

  /**
   * Asserts that there were no requests other than those that earlier expectations matched, among the last 1,000.
   * @param allowed at most 100 routes, or criteria, of requests that are allowed as well
   * @throws ExpectationError with the other requests
   * @throws TypeError for a matcher of a test runner
   */
  expectNoOther(allowed: readonly RequestStep[] = []): Promise<void> {
    return this.#control.expectNoOther({ allowed: [...allowed] }).catch(rethrowFailure);
  }

  async emails(filter: EmailFilter = {}): Promise<EmailRecord[]> {
    return await this.#control.listEmails(toQueryTexts(filter));
  }

  /**
   * Asserts that an email was sent, and returns the last one that matches. Undefined for `times: 0`.
   * @throws ExpectationError with the near misses and their differences
   * @throws TypeError for a matcher of a test runner
   */
  expectEmail(expectation?: EmailExpectation & AnyTimes): Promise<EmailRecord>;
  expectEmail(expectation: EmailExpectation): Promise<EmailRecord | undefined>;
  async expectEmail(expectation: EmailExpectation = {}): Promise<EmailRecord | undefined> {
    const { times: _, ...filter } = expectation;
    await this.#control.expectEmail(expectation).catch(rethrowFailure);
    return (await this.emails({ ...filter, limit: 1 }))[0];
  }

  async login(url: string | URL, options: LoginOptions): Promise<string> {
    const { url: location } = await this.#control.login({ ...options, url: String(url) });
    return location ?? '';
  }

  async approve(userCode: string, options: LoginOptions): Promise<void> {
    await this.#control.login({ ...options, userCode });
  }

  rows(sql: string, args?: SqlArguments, options: RowsOptions = {}): Promise<Row[]> {
    return this.#control.selectRows({ ...options, sql, args });
  }

  session(): Promise<string> {
    return this.#control.recordSession();
  }

  makeTest(requests?: string | readonly string[], options: MakeTestOptions = {}): Promise<WrittenTest> {
    return this.#control.makeTest({ ...options, requests: typeof requests === 'string' ? [requests] : requests });
  }

  clearRequests(): Promise<void> {
    return this.#control.clearRequests();
  }

  history(options: HistoryOptions = {}): Promise<HistoryEntry[]> {
    return this.#control.listHistory(options);
  }

  async rewind(to: number | string): Promise<void> {
    await this.#control.rewind(typeof to === 'number' ? { steps: to } : { before: to });
  }

  diff(before?: StateReference, after?: StateReference, options: DiffOptions = {}): Promise<StateDiff> {
    return this.#control.diffStates({ ...options, before, after });
  }

  async score(options: ScoreOptions): Promise<Score> {
    const { score } = await this.#control.diffStates({ expect: [], ...options, limit: 0 });
    if (!score) throw new TypeError('The response has no score.');
    return score;
  }

  async fail(route: RouteReference | '*', options: FaultOptions = {}): Promise<FaultRecord> {
    return this.#control.armFault({ ...toOptions(options, route), route });
  }

  async chaos(name: ChaosName, options: ChaosOptions = {}): Promise<FaultRecord[]> {
    return this.#control.armChaos({ ...toOptions(options, name), name });
  }

  faults(): Promise<FaultRecord[]> {
    return this.#control.listFaults();
  }

  disarm(id?: string): Promise<void> {
    return id === undefined ? this.#control.disarmAllFaults() : this.#control.disarmFault({ id });
  }

  /**
   * Creates a sandbox with a state of this one and its seed. Its journal and history are empty.
   * @param name default: a new one
   * @param at the state after this commit of the {@link history}; `start` for the oldest state. Default: the current state
   * @param options.owner who the new sandbox is for: 1 to 100 characters. Default: none
   * @throws ControlError for an invalid name or owner, for the name of a sandbox, for an unknown commit, and at the limit of sandboxes
   */
  async fork(name?: string, at?: string, { owner }: Pick<OpenOptions, 'owner'> = {}): Promise<RemoteSandbox> {
    const created = await this.#control.forkSandbox({ name, at, owner });
    return new RemoteSandbox(this.#base, created.name, this.#options);
  }

  /** Closes the sandbox and drops its data. Idempotent. The default sandbox stays open. */
  async close(): Promise<void> {
    if (this.name === '') return;
    // Not by the URL of the sandbox, which would create it.
    const { closeSandbox } = controlClient(this.#base, { token: this.#options.controlToken });
    await closeSandbox({ name: this.name }).catch(ignoreMissing);
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof ControlError && error.status === 404)) throw error;
}

/** Throws a failed assertion as such. Other responses with the same status list the wrong values. */
function rethrowFailure(error: unknown): never {
  const isFailure = error instanceof ControlError && error.status === 422 && error.problems.length === 0;
  throw isFailure ? new ExpectationError(error.message) : error;
}
