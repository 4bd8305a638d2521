import { toCallCriteria, toToolRoute } from '../api/tool-route.js';
import { expectNoOther, expectRequest, expectSequence, listRequests } from '../journal/assertions.js';
import type { EndCriteria, RequestExpectation, RequestFilter, RequestStep } from '../journal/expectations.js';
import { type RequestRecord, toRequestRecord } from '../journal/request-record.js';
import { showCallers } from '../lib/caller-stack.js';
import { toOptions } from '../lib/second-argument.js';
import { finish } from '../lib/steps.js';
import { formatSession } from '../persistence/session.js';
import { exportState } from '../seed/export.js';
import { type ExportOptions, exportFixtures } from '../seed/export-options.js';
import { type CallerRecord, listCallerRecords } from '../state/callers.js';
import { armChaos, type ChaosOptions } from './chaos.js';
import type { ChaosName } from './chaos-presets.js';
import { SandboxCore, type SandboxDeps, type SandboxInit } from './core.js';
import { armFault, disarmFaults, type FaultOptions, type FaultRecord, listFaults } from './faults.js';
import type { HistoryEntry, HistoryOptions, SnapshotRecord } from './history.js';
import { getCommit, getSnapshot, listHistory, takeSnapshot, toSnapshotRecord } from './history.js';
import { type MakeTestOptions, type NewTest, parseNewTest, type WrittenTest } from './make-test.js';
import type { Replaced } from './replacement.js';
import { explainRequest, type RequestExplanation } from './request-explanation.js';
import { checkGenerated, type GeneratedSource, isGenerated, type SeedLoader, type SeedSource } from './seed-loader.js';
import type { SandboxTypes } from './types.js';

/** What creates and closes the sandboxes of an emulator, and responds to their requests. */
export interface SandboxHost<T extends SandboxTypes = SandboxTypes> extends SandboxDeps {
  url(): string;
  /** Creates a `fetch` that reaches a sandbox. @param base returns the URL to which a path alone is appended */
  createFetch(sandbox: Sandbox, base: () => string): typeof fetch;
  fork(source: Sandbox, name?: string, at?: string, owner?: string): SandboxOf<T>;
  makeTest(source: Sandbox, test: NewTest): Promise<WrittenTest>;
  close(sandbox: Sandbox): void;
}

export const sandboxUrl = (origin: string, name: string): string =>
  name === '' ? origin : `${origin}/_sandbox/${name}`;

/** A sandbox with the methods that its service adds. */
export type SandboxOf<T extends SandboxTypes> = Sandbox<T> & T['members'];

/** A step whose assertion needs no promise. */
type WithoutEnd<S> = S extends object ? S & { readonly [K in 'outcome' | 'duration']?: undefined } : S;

/** An expectation of at least one request. */
interface AnyTimes {
  readonly times?: undefined;
}

/** An isolated copy of the emulator's data, ids, clock, faults, journal and history. */
export class Sandbox<T extends SandboxTypes = SandboxTypes> extends SandboxCore<T> {
  static {
    showCallers(Sandbox.prototype);
  }

  readonly #host: SandboxHost<T>;
  #fetch: typeof fetch | undefined;

  /** @internal Use `emulator.sandbox()`. */
  constructor(init: SandboxInit, host: SandboxHost<T>) {
    super(init, host);
    this.#host = host;
  }

  /** The current users, in the order of the fixtures. */
  get users(): CallerRecord[] {
    return listCallerRecords(this.store.state);
  }

  /**
   * Goes back to the seed data: records, ids, clock, faults, rate limits, journal and history. Keeps snapshots. Relative
   * times count from now, to the second. O(1), unless such times are older.
   */
  reset(): void {
    this.act(() => this.resetTo());
  }

  /**
   * Loads other seed data and resets to it.
   * @throws FixtureError with all errors of the fixtures; nothing has changed then
   */
  reseed(fixtures: string | T['fixtures']): void;
  /** Generates a dataset and resets to it. Rejects with an OptionsError; nothing has changed then. */
  reseed(seed: GeneratedSource<T['generate']>): Promise<void>;
  /** @internal */
  reseed(source: SeedSource): void | Promise<void>;
  reseed(source: SeedSource): void | Promise<void> {
    if (isGenerated(source)) return this.regenerate(source).then(() => {});
    const seed = this.#host.loader.load(source);
    this.act(() => this.resetTo(seed));
  }

  /** @internal */
  async regenerate(source: GeneratedSource, run?: Parameters<SeedLoader['generate']>[1]): Promise<Replaced> {
    const seed = await this.#host.loader.generate(checkGenerated(source, this.#host.loader.generator), run);
    const replaced = this.touch().resetTo(seed);
    await this.store.waiting;
    return replaced;
  }

  /**
   * Returns all records in fixture format. Loaded again, they give the same responses byte for byte. Values of environment
   * variables are null: the option `secrets` includes them.
   */
  state(): T['exported'];
  /** Returns all records in the form that the options ask for. @throws OptionsError */
  state(options: ExportOptions): T['written'];
  state(options?: ExportOptions): T['exported'] | T['written'] {
    const { state } = this.touch().store;
    return options === undefined
      ? exportState<T['exported']>(state)
      : exportFixtures<T['written']>(state, this.now, options);
  }

  /**
   * Takes a snapshot to {@link restore} and returns its name. O(1).
   * @param name default: a new one. A snapshot of the same name is replaced.
   * @param at of the state after this commit of the {@link history}; `start` for the oldest state. Default: the current state
   * @throws ApiError when there are 1,000 snapshots
   * @throws NotFoundError when the history has no such commit
   */
  snapshot(name?: string, at?: string): string {
    return this.act(() => takeSnapshot(this.store, this.now, name, at));
  }

  /** Goes back to a snapshot and keeps it. O(1). @throws NotFoundError */
  restore(name: string): void {
    this.act(() => this.store.restore(getSnapshot(this.store, name)));
  }

  /** @throws NotFoundError */
  dropSnapshot(name: string): void {
    this.act(() => this.store.dropSnapshot(getSnapshot(this.store, name).name));
  }

  snapshots(): SnapshotRecord[] {
    return this.touch().store.snapshots.map(toSnapshotRecord);
  }

  /**
   * Returns the last 1,000 requests to the API since the start or the last reset, oldest first.
   * @throws OptionsError for an unknown key, route, method or user, or a wrong value; ApiError 409 without a journal
   */
  requests(filter: RequestFilter<T['route']> = {}): RequestRecord[] {
    return listRequests(this.touch().asserted, filter);
  }

  /**
   * Explains a request of the journal, `r3`: why it got its response, the most similar request that was accepted, and what
   * to change.
   * @throws NotFoundError; ApiError 409 without a journal
   */
  explain(id: string): RequestExplanation {
    const { asserted, store } = this.touch();
    return finish(explainRequest(asserted, store, id));
  }

  /** Returns the requests to routes that do not exist, and calls of unknown tools. @throws ApiError 409 without a journal */
  unhandled(): RequestRecord[] {
    return this.touch()
      .journal.read()
      .unhandled.map((each) => toRequestRecord(each, this.#host.router));
  }

  /**
   * Asserts that a route was called, and returns the last request that matches. Undefined for `times: 0`.
   * @returns a promise for an expectation with `outcome` or `duration`, which waits up to 1 s for matching responses to end
   * @throws ExpectationError with the near misses and their differences
   * @throws OptionsError for an unknown key, route, method or user, or a wrong value
   */
  expectRequest(route: T['route'], expectation: RequestExpectation & EndCriteria & AnyTimes): Promise<RequestRecord>;
  expectRequest(route: T['route'], expectation: RequestExpectation & EndCriteria): Promise<RequestRecord | undefined>;
  expectRequest(route: T['route'], expectation?: RequestExpectation & AnyTimes): RequestRecord;
  expectRequest(route: T['route'], expectation?: RequestExpectation): RequestRecord | undefined;
  expectRequest(
    route: T['route'],
    expectation: RequestExpectation = {},
  ): RequestRecord | undefined | Promise<RequestRecord | undefined> {
    return expectRequest(this.touch().asserted, { ...toOptions(expectation, route), route });
  }

  /**
   * Asserts that a tool of the service's MCP server was called: `expectToolCall('create_file', { path: 'main.ts' })`.
   * @param args some of its arguments. Default: any
   * @param times exact number of these calls, 0 for none. Default: at least one
   * @throws ExpectationError with the near misses
   * @throws OptionsError for an unknown tool
   */
  expectToolCall(tool: string, args?: object, times?: number): void {
    void expectRequest(this.touch().asserted, { route: toToolRoute(tool), ...toCallCriteria(args), times });
  }

  /**
   * Asserts that requests were received in this order. Others may lie between them.
   * @param steps at most 100 routes, or criteria: `['PUT /v1/vals', { route: 'GET /v1/me', status: 200 }]`
   * @returns a promise for steps with `outcome` or `duration`, which waits as {@link expectRequest} does
   * @throws ExpectationError with the first step that was not received, and its near misses
   * @throws OptionsError for an unknown key, route, method or user, or a wrong value
   */
  expectSequence(steps: readonly WithoutEnd<RequestStep<T['route']>>[]): void;
  expectSequence(steps: readonly RequestStep<T['route']>[]): Promise<void>;
  expectSequence(steps: readonly RequestStep<T['route']>[]): void | Promise<void> {
    return expectSequence(this.touch().asserted, steps);
  }

  /**
   * Asserts that there were no requests other than those that earlier expectations matched, among the last 1,000.
   * @param allowed at most 100 routes, or criteria, of requests that are allowed as well
   * @returns a promise for `outcome` or `duration`, which waits as {@link expectRequest} does
   * @throws ExpectationError with the other requests
   * @throws OptionsError for an unknown key, route, method or user, or a wrong value
   */
  expectNoOther(allowed?: readonly WithoutEnd<RequestStep<T['route']>>[]): void;
  expectNoOther(allowed: readonly RequestStep<T['route']>[]): Promise<void>;
  expectNoOther(allowed: readonly RequestStep<T['route']>[] = []): void | Promise<void> {
    return expectNoOther(this.touch().asserted, allowed);
  }

  /** Returns the sandbox as a session file: seed data, history, snapshots and journal, without tokens. */
  session(): string {
    return [...formatSession(this.touch(), this.now)].join('');
  }

  /**
   * Writes a test of requests of the journal: with the data that they found, and what they got. Another emulator in this process
   * gets them first. Tokens and other secrets are replaced, as in a session.
   * @param requests such as `r3` or `last`, at most 100. Default: all
   * @throws NotFoundError for an unknown request, and for requests before the oldest state of the history
   * @throws OptionsError for an unknown option or a wrong value; ApiError 400 for too many requests, 409 without a journal
   */
  async makeTest(requests?: string | readonly string[], options: MakeTestOptions = {}): Promise<WrittenTest> {
    const test = parseNewTest({ ...options, requests: typeof requests === 'string' ? [requests] : requests });
    return await this.#host.makeTest(this.touch(), test);
  }

  /**
   * Returns the last commits, oldest first, with what they changed.
   * @param options.limit of 2,000. Default: 100, and all of a record
   * @param options.record with the record before and after each commit
   * @throws NotFoundError when no state of the history has the record. OptionsError for a wrong limit
   */
  history(options: HistoryOptions = {}): HistoryEntry[] {
    return finish(listHistory(this.touch().store, options, (id) => this.journal.find(id)));
  }

  /**
   * Goes back to just before a commit. That commit and all later ones are dropped.
   * @param to number of commits to take back, or the id of a commit in {@link history}
   * @throws NotFoundError when the history has no such commit
   */
  rewind(to: number | string): void {
    this.act(() => this.store.rewind(getCommit(this.store, to)));
  }

  /**
   * Arms a fault. Faults are tried in the order of arming; the first that is injected ends the search.
   * @param route as in `POST /v1/vals`; `*` for any
   * @throws FaultError for a wrong value, or an unknown route or user
   */
  fail(route: T['route'] | '*', options: FaultOptions = {}): FaultRecord {
    return this.act(() => armFault(this.store, { ...toOptions(options, route), route }, this.#host.router, this.now));
  }

  /**
   * Arms the faults of a name, which end by the clock of the sandbox: `slow-api` and `flaky` after 5 minutes, `rate-limited`
   * after 1 minute, `offline` after 30 seconds.
   * @param options.for another duration, such as `'10s'`, or milliseconds
   * @param options.seed selects other requests. Default: 0
   * @throws OptionsError for an unknown name, and for a wrong value
   */
  chaos(name: ChaosName, options: ChaosOptions = {}): FaultRecord[] {
    return this.act(() => armChaos(this.store, { ...toOptions(options, name), name }, this.#host.router, this.now));
  }

  /** Returns the armed faults with their counters, in the order of arming. */
  faults(): FaultRecord[] {
    return listFaults(this.touch().store.state);
  }

  /** Disarms one fault, or all. @throws NotFoundError */
  disarm(id?: string): void {
    this.act(() => this.store.update((draft) => disarmFaults(draft, id)));
  }

  /** The base URL of this sandbox. */
  get url(): string {
    return sandboxUrl(this.#host.url(), this.name);
  }

  /** Headers that select this sandbox on requests to the emulator's own base URL. */
  get headers(): Readonly<Record<string, string>> {
    return this.name === '' ? {} : { 'X-Emulator-Sandbox': this.name };
  }

  /** A drop-in `fetch` that reaches this sandbox without a socket. Accepts a path alone: `/v1/me`. */
  get fetch(): typeof fetch {
    this.#fetch ??= this.#host.createFetch(this, () => this.url);
    return this.#fetch;
  }

  /**
   * Creates a sandbox with a state of this one and its seed. Its journal and history are empty. O(1).
   * @param name 1–64 of `A–Z a–z 0–9 . _ -`; default: a new one
   * @param at the state after this commit of the {@link history}; `start` for the oldest state. Default: the current state
   * @param options.owner who the new sandbox is for: 1 to 100 characters. Default: none
   * @throws OptionsError when a sandbox has this name, and for an invalid owner
   * @throws NotFoundError when the history has no such commit
   * @throws ApiError for an invalid name, and when the limit `maxSandboxes` is reached
   */
  fork(name?: string, at?: string, { owner }: { readonly owner?: string | undefined } = {}): SandboxOf<T> {
    return this.#host.fork(this.touch(), name, at, owner);
  }

  /** Closes the sandbox and drops its data. Idempotent. */
  close(): void | Promise<void> {
    this.#host.close(this);
  }
}
