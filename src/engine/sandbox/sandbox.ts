import type { ApiRouter } from '../api/router.js';
import { toCallCriteria, toToolRoute } from '../api/tool-route.js';
import { type Act, SandboxClock } from '../clock/clock.js';
import type { ChaosOptions } from '../faults/chaos.js';
import * as lateChaos from '../faults/chaos.js';
import type { FaultOptions, FaultRecord } from '../faults/faults.js';
import * as lateFaults from '../faults/faults.js';
import type { ChaosName } from '../faults/presets.js';
import { exportState } from '../fixtures/export.js';
import type { ExportOptions } from '../fixtures/export-options.js';
import * as lateExport from '../fixtures/export-options.js';
import type { Asserted } from '../journal/assertions.js';
import * as lateAssertions from '../journal/assertions.js';
import type { Exchange } from '../journal/exchange.js';
import type { EndCriteria, RequestExpectation, RequestFilter, RequestStep } from '../journal/expectations.js';
import type { Journal } from '../journal/journal.js';
import type { RequestRecord } from '../journal/request-record.js';
import * as lateRecord from '../journal/request-record.js';
import { finish } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import type { SandboxOrigin } from '../persistence/lines.js';
import type { Storage } from '../persistence/storage.js';
import { showCallers } from '../platform/caller-stack.js';
import { SandboxRateLimit } from '../rate-limit/rate-limit.js';
import * as lateSession from '../session/session.js';
import { type CallerRecord, listCallerRecords } from '../state/callers.js';
import { createStore, type Draft, type State, type StateStore } from '../state/state.js';
import { type Contents, initialContents } from '../store/store.js';
import { makeAdders } from './adder.js';
import { Closable } from './closable.js';
import type { DiffOptions, ScoreOptions, StateDiff } from './comparison.js';
import * as lateComparison from './comparison.js';
import type { HistoryEntry, HistoryOptions } from './history-entries.js';
import * as lateHistory from './history-entries.js';
import type { MakeTestOptions, NewTest, WrittenTest } from './make-test.js';
import * as lateTest from './make-test.js';
import type { SandboxMembers } from './members.js';
import type { Replaced } from './replacement.js';
import type { RequestExplanation } from './request-explanation.js';
import * as lateExplanation from './request-explanation.js';
import type { Score } from './score.js';
import { toOptions } from './second-argument.js';
import type { Seed } from './seed.js';
import { checkGenerated, type GeneratedSource, isGenerated, type SeedLoader, type SeedSource } from './seed-loader.js';
import type { SnapshotRecord } from './snapshots.js';
import * as lateSnapshots from './snapshots.js';
import type { StateReference, StateSources } from './state-reference.js';
import type { StoredBytes } from './stored-bytes.js';
import type { SandboxTypes } from './types.js';

/** What is known of a sandbox apart from its contents. It is replaced as a whole. */
export interface SandboxMeta {
  /** Seed data, to which a reset goes back. */
  readonly seed: Seed;
  /** The state of its seed with which it began, before later requests made relative times count from later. */
  readonly start: State;
  readonly origin: SandboxOrigin;
  /** Time of the machine at the last request or method call. */
  readonly lastUse: Instant;
  /** When its time to live ends; undefined for never. */
  readonly expiresAt: Instant | undefined;
  /** Why the sandbox was closed; undefined while it is open. A closed one responds to no request. */
  readonly closed: string | undefined;
  /** Whether a data folder keeps it on request. */
  readonly kept: boolean;
}

export interface SandboxInit {
  /** 1–64 of `A–Z a–z 0–9 . _ -`; empty for the default sandbox. */
  readonly name: string;
  readonly seed: Seed;
  /** Default: the contents of the seed. */
  readonly contents?: Contents<State> | undefined;
  /** The state of the seed of which its contents are made. Default: the current one of the seed */
  readonly start?: State | undefined;
  /** Default: made now, without an owner. */
  readonly origin?: Partial<SandboxOrigin> | undefined;
  /** Milliseconds after which it is closed. Default: never. */
  readonly lifetime?: number | undefined;
  /** The requests of a session, or of a journal that was stored. Default: none. */
  readonly exchanges?: readonly Exchange[] | undefined;
  /** The last number of requests that is taken. Default: by the contents. */
  readonly lastRequest?: number | undefined;
}

/** What all sandboxes of an emulator share. */
export interface SandboxDeps {
  /** The routes of the /v1 API, against which filters and faults are checked. */
  readonly router: ApiRouter;
  readonly loader: SeedLoader;
  readonly systemTime: () => Instant;
  /** Creates a journal. @param count the last number that is taken. @param exchanges those to begin with */
  createJournal(sandbox: string, count: number, exchanges?: readonly Exchange[]): Journal;
  /** Finds an open sandbox. @param name empty for the default one */
  findSandbox(name: string): { readonly store: StateStore } | undefined;
  /** Bounds the bytes that changes add. */
  readonly storedBytes: StoredBytes;
  /** Where sandboxes survive. Undefined if they are in memory only. */
  readonly storage?: Storage | undefined;
}

/** What creates and closes the sandboxes of an emulator, and responds to their requests. */
export interface SandboxHost<T extends SandboxTypes = SandboxTypes> extends SandboxDeps {
  url(): string;
  touch(sandbox: Sandbox): void;
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
export class Sandbox<T extends SandboxTypes = SandboxTypes> extends Closable implements SandboxMembers<T> {
  static {
    showCallers(Sandbox.prototype);
  }

  readonly name: string;
  /** @internal */
  meta: SandboxMeta;
  readonly add: T['add'];
  readonly clock: SandboxClock;
  /** @internal */
  readonly store: StateStore;
  /** @internal */
  readonly journal: Journal;

  readonly #host: SandboxHost<T>;
  #fetch: typeof fetch | undefined;

  /** @internal Use `emulator.sandbox()`. */
  constructor(
    { name, seed, contents, start, origin, lifetime, exchanges, lastRequest = 0 }: SandboxInit,
    host: SandboxHost<T>,
  ) {
    super();
    this.#host = host;
    const begun = contents ?? initialContents(seed.getState());
    const now = host.systemTime();
    this.name = name;
    const expiresAt = lifetime && now + lifetime;
    this.meta = {
      seed,
      start: contents ? (start ?? seed.current) : begun.state,
      origin: { owner: null, createdAt: now, ...origin },
      lastUse: now,
      expiresAt,
      closed: undefined,
      kept: false,
    };
    this.store = createStore(begun);
    this.add = makeAdders<T['add']>(begun.state.definitions, this, this.act);
    this.clock = new SandboxClock(this.store, host.systemTime, this.act);
    const clock = new SandboxClock(this.store, host.systemTime);
    this.held = { clock, rateLimit: new SandboxRateLimit(this) };
    this.journal = host.createJournal(name, Math.max(begun.numbers.requests, lastRequest), exchanges);
  }

  /** @internal Runs a change by a method: it marks the use, and requests read it at once. */
  readonly act: Act = (change) => {
    this.touch();
    const result = change();
    this.store.publish();
    return result;
  };

  readonly rateLimit = new SandboxRateLimit(this, this.act);

  /** @internal The parts for requests, which read a change once it is durable. */
  readonly held: { readonly clock: SandboxClock; readonly rateLimit: SandboxRateLimit };

  /** @internal Remembers a use: a request, or a method call. */
  touch(): this {
    this.#host.touch(this);
    return this;
  }

  /** @internal What assertions read. */
  get asserted(): Asserted {
    return { journal: this.journal, state: this.store.state, router: this.#host.router };
  }

  /** @internal Replaces the contents by the contents of another process. */
  show(seed: Seed, contents: Contents<State>): void {
    this.meta = { ...this.meta, seed, start: seed.current };
    this.store.replace(contents);
  }

  /** @internal Commits a change that was not made through the /v1 API. */
  update<T>(operation: string, change: (draft: Draft) => T): T {
    const before = this.store.state;
    const checked = (draft: Draft) => {
      const value = change(draft);
      this.#host.storedBytes.assertRoom(before, draft);
      return value;
    };
    return this.store.update(checked, { id: this.store.nextUpdateId, operation, at: this.now });
  }

  /** @internal Where references to states are looked up. @param readsFiles whether one may be the path of a file */
  sources(readsFiles: boolean): StateSources {
    const { loader, findSandbox } = this.#host;
    return { store: this.touch().store, loader, findSandbox, readsFiles };
  }

  /** @internal The time by its clock. */
  get now(): Instant {
    return this.clock.now.getTime();
  }

  /** @internal Resets it, to other seed data if they are given. */
  resetTo(seed: Seed = this.meta.seed): Replaced {
    this.store.assertWritable();
    const { seed: last, start } = this.meta;
    const replaced = this.replace(() => {
      const state = seed.getState();
      this.meta = { ...this.meta, seed, start: state };
      this.store.reset(state);
      this.#clearJournal(true);
    });
    // Relative times that count from now are no change of the records.
    return seed === last ? { ...replaced, after: start } : replaced;
  }

  /** @internal Replaces the state. Returns what a summary of the change compares. */
  replace(change: () => void): Replaced {
    const { state: before, commits } = this.store;
    change();
    return { before, after: this.store.state, commits: Math.max(0, commits - this.store.commits) };
  }

  get users(): CallerRecord[] {
    return listCallerRecords(this.store.state);
  }

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
      : lateExport.exportFixtures<T['written']>(state, this.now, options);
  }

  snapshot(name?: string, at?: string): string {
    return this.act(() => lateSnapshots.takeSnapshot(this.store, this.now, name, at));
  }

  restore(name: string): void {
    this.act(() => this.store.restore(lateSnapshots.getSnapshot(this.store, name)));
  }

  dropSnapshot(name: string): void {
    this.act(() => this.store.dropSnapshot(lateSnapshots.getSnapshot(this.store, name).name));
  }

  snapshots(): SnapshotRecord[] {
    return this.touch().store.snapshots.map(lateSnapshots.toSnapshotRecord);
  }

  requests(filter: RequestFilter<T['route']> = {}): RequestRecord[] {
    return lateAssertions.listRequests(this.touch().asserted, filter);
  }

  explain(id: string): RequestExplanation {
    const { asserted, store } = this.touch();
    return finish(lateExplanation.explainRequest(asserted, store, id));
  }

  unhandled(): RequestRecord[] {
    return this.touch()
      .journal.read()
      .unhandled.map((each) => lateRecord.toRequestRecord(each, this.#host.router));
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
    return lateAssertions.expectRequest(this.touch().asserted, { ...toOptions(expectation, route), route });
  }

  expectToolCall(tool: string, args?: object, times?: number): void {
    void lateAssertions.expectRequest(this.touch().asserted, {
      route: toToolRoute(tool),
      ...toCallCriteria(args),
      times,
    });
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
    return lateAssertions.expectSequence(this.touch().asserted, steps);
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
    return lateAssertions.expectNoOther(this.touch().asserted, allowed);
  }

  session(): string {
    return [...lateSession.formatSession(this.touch(), this.now)].join('');
  }

  async makeTest(requests?: string | readonly string[], options: MakeTestOptions = {}): Promise<WrittenTest> {
    const test = lateTest.parseNewTest({ ...options, requests: typeof requests === 'string' ? [requests] : requests });
    return await this.#host.makeTest(this.touch(), test);
  }

  clearRequests(): void {
    this.touch().#clearJournal(false);
  }

  #clearJournal(isReset: boolean): void {
    if (isReset) this.journal.reset();
    else this.journal.clear();
    if (this.store.isRecorded) void this.#host.storage?.append(this.name, { type: 'clear', isReset });
  }

  history(options: HistoryOptions = {}): HistoryEntry[] {
    return finish(lateHistory.listHistory(this.touch().store, options, (id) => this.journal.find(id)));
  }

  rewind(to: number | string): void {
    this.act(() => this.store.rewind(lateHistory.getCommit(this.store, to)));
  }

  diff(before?: StateReference, after?: StateReference, options: DiffOptions = {}): StateDiff {
    return finish(lateComparison.diffReferences(this.sources(true), { ...options, before, after }));
  }

  score(options: ScoreOptions): Score {
    return finish(lateComparison.scoreReferences(this.sources(true), options));
  }

  fail(route: T['route'] | '*', options: FaultOptions = {}): FaultRecord {
    return this.act(() =>
      lateFaults.armFault(this.store, { ...toOptions(options, route), route }, this.#host.router, this.now),
    );
  }

  chaos(name: ChaosName, options: ChaosOptions = {}): FaultRecord[] {
    return this.act(() =>
      lateChaos.armChaos(this.store, { ...toOptions(options, name), name }, this.#host.router, this.now),
    );
  }

  faults(): FaultRecord[] {
    return lateFaults.listFaults(this.touch().store.state);
  }

  disarm(id?: string): void {
    this.act(() => this.store.update((draft) => lateFaults.disarmFaults(draft, id)));
  }

  get url(): string {
    return sandboxUrl(this.#host.url(), this.name);
  }

  get headers(): Readonly<Record<string, string>> {
    return this.name === '' ? {} : { 'X-Emulator-Sandbox': this.name };
  }

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
