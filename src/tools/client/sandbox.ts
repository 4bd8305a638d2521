import { toCallCriteria, toToolRoute } from '#engine/api/tool-route.js';
import { ControlError, loadedFetch, sendControl } from '#engine/control/send.js';
import type { RequestRecord } from '#engine/journal/request-record.js';
import { showCallers } from '#engine/lib/caller-stack.js';
import { Closable } from '#engine/lib/closable.js';
import { ExpectationError } from '#engine/lib/errors.js';
import { toOptions } from '#engine/lib/second-argument.js';
import type { Adder } from '#engine/sandbox/adder.js';
import type { ChaosOptions } from '#engine/sandbox/chaos.js';
import type { ChaosName } from '#engine/sandbox/chaos-presets.js';
import type { SandboxClock } from '#engine/sandbox/clock.js';
import type { DiffOptions, ScoreOptions, StateDiff } from '#engine/sandbox/comparison.js';
import type { FaultOptions, FaultRecord } from '#engine/sandbox/faults.js';
import type { HistoryEntry, HistoryOptions, SnapshotRecord } from '#engine/sandbox/history.js';
import type { MakeTestOptions, WrittenTest } from '#engine/sandbox/make-test.js';
import type { RateLimitSetting, RateLimitStatus } from '#engine/sandbox/rate-limit.js';
import type { RequestExplanation } from '#engine/sandbox/request-explanation.js';
import type { OpenOptions } from '#engine/sandbox/sandboxes.js';
import type { Score } from '#engine/sandbox/score.js';
import type { StateReference } from '#engine/sandbox/state-reference.js';
import type { ExportOptions } from '#engine/seed/export-options.js';
import type { Fixtures } from '#vals/collections/index.js';
import type { RouteReference } from '#vals/routes/index.js';
import type { EmailExpectation, EmailFilter, EmailRecord } from '#vals/sandbox/outbox.js';
import type { Row, RowsOptions, SqlArguments } from '#vals/sandbox/row-methods.js';
import type {
  EmulatorUser,
  ExportedFixtures,
  GeneratedSource,
  RequestExpectation,
  RequestFilter,
  RequestStep,
  Types,
} from '#vals/service/types.js';
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

type RemoteClock = {
  readonly [M in keyof SandboxClock]: SandboxClock[M] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<R>
    : Promise<SandboxClock[M]>;
};

/**
 * A sandbox of a running emulator. It has the members of a sandbox in the same process, as promises. Each one rejects with
 * a {@link ControlError} if the emulator refuses the request, and with an Error if none responds.
 */
export class RemoteSandbox extends Closable {
  static {
    showCallers(RemoteSandbox.prototype);
  }

  /** Empty for the default sandbox. */
  readonly name: string;
  /** The base URL of this sandbox. */
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

  /** Headers that select this sandbox on requests to the emulator's own base URL. */
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

  /** The current users with their tokens, in the order of the fixtures. */
  get users(): Promise<EmulatorUser[]> {
    return this.#control.listUsers();
  }

  /** Adds a record, or a list of records, in fixture format and returns what was added with all defaults filled in. */
  readonly add = this.#makeAdders();

  #makeAdders(): { readonly [A in keyof Types['add']]: RemoteAdder<Types['add'][A]> } {
    const adders = Object.entries(ADDERS).map(([adder, collection]) => [
      adder,
      async (input: unknown = null) => {
        const settings = { token: this.#options.controlToken, body: { [collection]: input } };
        return (await sendControl(this.url, 'POST', '/_emulator/records', settings))[collection];
      },
    ]);
    return showCallers(Object.assign(Object.create(null), Object.fromEntries(adders)));
  }

  get clock(): RemoteClock {
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

  /** The rate limit, which {@link reset} restores. */
  readonly rateLimit = showCallers({
    /** Returns the limit, and the requests that are counted. */
    read: (): Promise<RateLimitStatus> => this.#control.getRateLimit(),
    /** Sets the limit, or switches it off: `{ limit: 100, window: '1m' }`, `{ limit: null }`. */
    set: (setting: RateLimitSetting): Promise<RateLimitStatus> => this.#control.setRateLimit(setting),
  });

  /** Goes back to the seed data: records, ids, clock, faults, rate limits, journal and history. Keeps snapshots. */
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

  /**
   * Takes a snapshot to {@link restore} and returns its name.
   * @param name default: a new one. A snapshot of the same name is replaced.
   * @param at of the state after this commit of the {@link history}; `start` for the oldest state. Default: the current state
   */
  async snapshot(name?: string, at?: string): Promise<string> {
    return (await this.#control.takeSnapshot({ name, at })).name;
  }

  /** Goes back to a snapshot and keeps it. */
  async restore(name: string): Promise<void> {
    await this.#control.restoreSnapshot({ name });
  }

  dropSnapshot(name: string): Promise<void> {
    return this.#control.dropSnapshot({ name });
  }

  snapshots(): Promise<SnapshotRecord[]> {
    return this.#control.listSnapshots();
  }

  /** Returns the last requests to the API, oldest first. @throws TypeError for a matcher of a test runner */
  async requests(filter: RequestFilter = {}): Promise<RequestRecord[]> {
    return await this.#control.listRequests(toRequestQuery(filter));
  }

  /** Explains a request, `r3`: why it got its response, the most similar request that was accepted, and what to change. */
  explain(id: string): Promise<RequestExplanation> {
    return this.#control.explain({ id });
  }

  /** Returns the requests to routes that do not exist, and calls of unknown tools. */
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

  /**
   * Asserts that a tool of the service's MCP server was called: `expectToolCall('create_file', { path: 'main.ts' })`.
   * @param args some of its arguments. Default: any
   * @param times exact number of these calls, 0 for none. Default: at least one
   * @throws ExpectationError with the near misses
   */
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

  /** Returns the emails that programs have sent, oldest first. @throws TypeError for a matcher of a test runner */
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

  /**
   * Runs a statement that reads on a SQLite database of the sandbox, and returns its rows. A database that nothing was written
   * to is empty. No request is recorded.
   * @param args parameter values: a list, or an object by name. Default: none
   * @param options.owner user or project: `ada`, `ada/site`, or an id. Default: the first user
   * @throws ControlError for a wrong statement, for a statement that writes, and for an unknown owner
   */
  rows(sql: string, args?: SqlArguments, options: RowsOptions = {}): Promise<Row[]> {
    return this.#control.selectRows({ ...options, sql, args });
  }

  /** Returns the sandbox as a session file: seed data, history, snapshots and journal, without tokens. */
  session(): Promise<string> {
    return this.#control.recordSession();
  }

  /**
   * Writes a test of requests of the journal: with the data that they found, and what they got. Tokens and other secrets are
   * replaced, as in a session.
   * @param requests such as `r3` or `last`, at most 100. Default: all
   * @throws ControlError for an unknown request, too many requests, and requests before the oldest state of the history
   */
  makeTest(requests?: string | readonly string[], options: MakeTestOptions = {}): Promise<WrittenTest> {
    return this.#control.makeTest({ ...options, requests: typeof requests === 'string' ? [requests] : requests });
  }

  /** Clears the journal. */
  clearRequests(): Promise<void> {
    return this.#control.clearRequests();
  }

  /** Returns the last commits, oldest first, with what they changed. */
  history(options: HistoryOptions = {}): Promise<HistoryEntry[]> {
    return this.#control.listHistory(options);
  }

  /**
   * Goes back to just before a commit. That commit and all later ones are dropped.
   * @param to number of commits to take back, or the id of a commit in {@link history}
   */
  async rewind(to: number | string): Promise<void> {
    await this.#control.rewind(typeof to === 'number' ? { steps: to } : { before: to });
  }

  /**
   * Compares two states: `sandbox:NAME`, `snapshot:NAME`, `commit:r17`, `commit:start`, `fixture:NAME`, a name alone that fits one of
   * them, or fixtures as an object.
   * @param before default: `commit:start`
   * @param after default: the current state
   * @throws ControlError for an unknown state, for a name that fits several, for wrong fixtures and options
   */
  diff(before?: StateReference, after?: StateReference, options: DiffOptions = {}): Promise<StateDiff> {
    return this.#control.diffStates({ ...options, before, after });
  }

  /**
   * Scores the difference of two states: matched / (expected + unexpected), and 1 if both are 0.
   * @throws ControlError as {@link diff} does, for expectations that cannot match, and for more than 100,000 changes
   * @throws TypeError for a matcher of a test runner
   */
  async score(options: ScoreOptions): Promise<Score> {
    const { score } = await this.#control.diffStates({ expect: [], ...options, limit: 0 });
    if (!score) throw new TypeError('The response has no score.');
    return score;
  }

  /** Arms a fault. @param route as in `POST /v1/vals`; `*` for any */
  async fail(route: RouteReference | '*', options: FaultOptions = {}): Promise<FaultRecord> {
    return this.#control.armFault({ ...toOptions(options, route), route });
  }

  /** Arms the faults of a name, which end after a time: `slow-api`, `flaky`, `offline` or `rate-limited`. */
  async chaos(name: ChaosName, options: ChaosOptions = {}): Promise<FaultRecord[]> {
    return this.#control.armChaos({ ...toOptions(options, name), name });
  }

  /** Returns the armed faults with their counters, in the order of arming. */
  faults(): Promise<FaultRecord[]> {
    return this.#control.listFaults();
  }

  /** Disarms one fault, or all. */
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
