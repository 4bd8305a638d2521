import { exportState } from '../fixtures/export.js';
import { type ExportedFixtures, type ExportOptions, exportFixtures } from '../fixtures/export-options.js';
import { insertAll } from '../fixtures/insert.js';
import type { FixtureSource } from '../fixtures/read.js';
import type { Exchange } from '../journal/exchange.js';
import type { ApiRouter, RequestExpectation, RequestFilter } from '../journal/expectations.js';
import { expectRequest, filterEntries, parseExpectation, parseFilter } from '../journal/expectations.js';
import { Journal } from '../journal/journal.js';
import type { JournalMemory } from '../journal/journal-memory.js';
import { type RequestRecord, toRequestRecord } from '../journal/request-record.js';
import { formatSession } from '../journal/session.js';
import type { Instant } from '../lib/time.js';
import { createStore, type Draft, type State, type StateStore } from '../model/state.js';
import { type Contents, initialContents } from '../store/store.js';
import { type AddRecord, makeAdders } from './adder.js';
import { SandboxClock } from './clock.js';
import { armFault, disarmFaults, type FaultOptions, type FaultRecord, listFaults, parseFault } from './faults.js';
import type { HistoryEntry, SnapshotRecord } from './history.js';
import {
  assertRoom,
  findLastNumber,
  getCommit,
  getSnapshot,
  getStateAt,
  listHistory,
  newSnapshotName,
  toSnapshotRecord,
} from './history.js';
import { SandboxRateLimit } from './rate-limit.js';
import type { Seed } from './seed.js';
import { checkGenerated, type GeneratedSource, isGenerated, type SeedLoader } from './seed-loader.js';
import { type EmulatorUser, listUsers } from './users.js';

export interface SandboxDeps {
  /** The routes of the /v1 API, against which filters and faults are checked. */
  readonly router: ApiRouter;
  readonly loader: SeedLoader;
  readonly systemTime: () => Instant;
  /** What all journals have; undefined without journals. */
  readonly journalMemory?: JournalMemory | undefined;
  /** Called before each use of a sandbox, with those of its journal, store and clock. */
  readonly onUse?: ((sandbox: Sandbox) => void) | undefined;
}

/** An isolated copy of the emulator's data, ids, clock, faults, journal and history. */
export class Sandbox {
  /** 1–64 of `A–Z a–z 0–9 . _ -`; empty for the default sandbox. */
  readonly name: string;
  /** @internal Seed data, to which a reset goes back. */
  seed: Seed;
  /** @internal Who asked for it, such as a CI job; null for none. */
  owner: string | null = null;
  /** @internal Time of the machine when it was made, and at the last request or method call. */
  createdAt: Instant;
  lastUse: Instant;
  /** @internal Why the sandbox was closed; undefined while it is open. A closed one responds to no request. */
  closed: string | undefined;
  /** @internal Whether a data folder keeps it. */
  isKept = false;
  readonly #clock: SandboxClock;
  readonly #store: StateStore;
  readonly #journal: Journal;
  readonly #deps: SandboxDeps;
  #updates: number;

  constructor(
    name: string,
    seed: Seed,
    deps: SandboxDeps,
    contents = initialContents(seed.getState()),
    exchanges: readonly Exchange[] = [],
  ) {
    this.name = name;
    this.seed = seed;
    this.#store = createStore(contents);
    this.#clock = new SandboxClock(this.#store, deps.systemTime);
    this.#deps = deps;
    this.createdAt = this.lastUse = deps.systemTime();
    this.#journal = new Journal(deps.journalMemory, name, findLastNumber(contents.history, 'r'), exchanges);
    this.#updates = findLastNumber(contents.history, 'w');
  }

  /** The rate limit, which {@link reset} restores. */
  readonly rateLimit = new SandboxRateLimit({
    read: () => ({ state: this.store.state, now: this.#now }),
    update: (operation, change) => this.update(operation, change),
  });

  get clock(): SandboxClock {
    return this.touch().#clock;
  }

  /** @internal */
  get store(): StateStore {
    return this.touch().#store;
  }

  /** @internal */
  get journal(): Journal {
    return this.touch().#journal;
  }

  /** @internal Remembers a use. */
  touch(): this {
    this.lastUse = this.#deps.systemTime();
    this.#deps.onUse?.(this);
    return this;
  }

  /** @internal The parts for those who watch it. Reading them does not count as use. */
  get observed() {
    return { journal: this.#journal, store: this.#store, clock: this.#clock };
  }

  /** @internal Shows what another process has made. @param updates number of the last commit of {@link update} */
  show(seed: Seed, contents: Contents<State>, updates: number): void {
    this.seed = seed;
    this.#store.replace(contents);
    this.#updates = updates;
  }

  /** The current users, in the order of the fixtures. */
  get users(): EmulatorUser[] {
    return listUsers(this.store.state);
  }

  /**
   * Adds a record, or a list of records, in fixture format and returns what was added with all defaults filled in.
   * Each method throws a FixtureError with all errors of all records and then adds nothing.
   */
  readonly add = makeAdders(this);

  /** @internal */
  addRecord<T>(collection: string, input: unknown, add: AddRecord<T>): T {
    return this.update(`POST /_emulator/${collection}`, (draft) => add(draft, input, this.#now));
  }

  /** @internal */
  addRecords<T>(collection: string, inputs: readonly unknown[], add: AddRecord<T>): T[] {
    return this.update(`POST /_emulator/${collection}`, (draft) =>
      insertAll(collection, inputs, (input) => add(draft, input, this.#now)),
    );
  }

  /** @internal Commits a change that was not made through the /v1 API. */
  update<T>(operation: string, change: (draft: Draft) => T): T {
    const result = this.store.update(change, { id: `w${this.#updates + 1}`, operation, at: this.#now });
    this.#updates++;
    return result;
  }

  get #now(): Instant {
    return this.clock.now.getTime();
  }

  /**
   * Goes back to the seed data: records, ids, clock, faults, rate limits, journal and history. Keeps snapshots. Relative
   * times count from now, to the second. O(1), unless such times are older.
   */
  reset(): void {
    this.store.reset(this.seed.getState());
    this.journal.reset();
    this.#updates = 0;
  }

  /**
   * Loads other seed data and resets to it.
   * @throws FixtureError with all errors of the fixtures; nothing has changed then
   */
  reseed(fixtures: FixtureSource): void;
  /** Generates a dataset and resets to it. Rejects with an OptionsError; nothing has changed then. */
  reseed(seed: GeneratedSource): Promise<void>;
  /** @internal */
  reseed(source: FixtureSource | GeneratedSource): void | Promise<void>;
  reseed(source: FixtureSource | GeneratedSource): void | Promise<void> {
    if (isGenerated(source)) return this.regenerate(source);
    this.#replaceSeed(this.#deps.loader.load(source));
  }

  /** @internal */
  async regenerate(source: GeneratedSource, run?: Parameters<SeedLoader['generate']>[1]): Promise<void> {
    const seed = await this.#deps.loader.generate(checkGenerated(source), run);
    this.#store.hold(() => this.#replaceSeed(seed));
    await this.#store.waiting;
  }

  #replaceSeed(seed: Seed): void {
    this.store.assertWritable();
    this.seed = seed;
    this.reset();
  }

  /** Returns all records in fixture format. Loaded again, they give the same responses byte for byte. */
  exportState(): ReturnType<typeof exportState>;
  /** Returns all records in the form that the options ask for. @throws OptionsError */
  exportState(options: ExportOptions): ExportedFixtures;
  exportState(options?: ExportOptions): ReturnType<typeof exportState> | ExportedFixtures {
    const { state } = this.store;
    return options === undefined ? exportState(state) : exportFixtures(state, this.#now, options);
  }

  /**
   * Takes a snapshot to {@link restore} and returns its name. O(1).
   * @param name default: a new one. A snapshot of the same name is replaced.
   * @param at of the state after this commit of the {@link history}; `start` for the oldest state. Default: the current state
   * @throws ApiError when there are 1,000 snapshots
   * @throws NotFoundError when the history has no such commit
   */
  snapshot(name: string = newSnapshotName(this.store), at?: string): string {
    assertRoom(this.store, name);
    this.store.takeSnapshot(name, this.#now, getStateAt(this.store, at));
    return name;
  }

  /** Goes back to a snapshot and keeps it. O(1). @throws NotFoundError */
  restore(name: string): void {
    this.store.restore(getSnapshot(this.store, name));
  }

  /** @throws NotFoundError */
  dropSnapshot(name: string): void {
    this.store.dropSnapshot(getSnapshot(this.store, name).name);
  }

  snapshots(): SnapshotRecord[] {
    return this.store.snapshots.map(toSnapshotRecord);
  }

  /**
   * Returns the last 1,000 requests to the API since the start or the last reset, oldest first.
   * @throws OptionsError for an unknown key, route, method or user, or a wrong value; ApiError 409 without a journal
   */
  requests(filter: RequestFilter = {}): RequestRecord[] {
    const { exchanges } = this.journal.read();
    return filterEntries(exchanges, parseFilter(filter, this.store.state, this.#deps.router)).map(toRequestRecord);
  }

  /** Returns the requests to routes that do not exist. @throws ApiError 409 without a journal */
  unhandled(): RequestRecord[] {
    return this.journal.read().unhandled.map(toRequestRecord);
  }

  /**
   * Asserts that a route was called.
   * @throws ExpectationError with the near misses and their differences
   * @throws OptionsError for an unknown key, route, method or user, or a wrong value
   */
  expectRequest(route: string, expectation: RequestExpectation = {}): void {
    const parsed = parseExpectation({ ...expectation, route }, this.store.state, this.#deps.router);
    expectRequest(this.journal.read().exchanges, parsed);
  }

  /** Returns the sandbox as a session file: seed data, history, snapshots and journal. Tokens are left out. */
  session(): string {
    return [...formatSession(this, this.#now)].join('');
  }

  /** Clears the journal. */
  clearRequests(): void {
    this.journal.clear();
  }

  /** Returns the last 100 commits, oldest first, with what they changed. */
  history(): HistoryEntry[] {
    return listHistory(this.store);
  }

  /**
   * Goes back to just before a commit. That commit and all later ones are dropped.
   * @param to number of commits to take back, or the id of a commit in {@link history}
   * @throws NotFoundError when the history has no such commit
   */
  rewind(to: number | string): void {
    this.store.rewind(getCommit(this.store, to));
  }

  /**
   * Arms a fault. Faults are tried in the order of arming; the first that is injected ends the search.
   * @param route as in `POST /v1/vals`; `*` for any
   * @throws FaultError for a wrong value, or an unknown route or user
   */
  fail(route: string, options: FaultOptions = {}): FaultRecord {
    const input = parseFault({ ...options, route });
    return this.store.update((draft) => armFault(draft, input, this.#deps.router));
  }

  /** Returns the armed faults with their counters, in the order of arming. */
  faults(): FaultRecord[] {
    return listFaults(this.store.state);
  }

  /** Disarms one fault, or all. @throws NotFoundError */
  disarm(id?: string): void {
    this.store.update((draft) => disarmFaults(draft, id));
  }
}
