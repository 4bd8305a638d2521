import type { State } from '../domain/state.js';
import { World } from '../domain/world.js';
import { addComment, addLike, addRun, addUser, addVal, type Input } from '../fixtures/add.js';
import { exportState } from '../fixtures/export.js';
import { type GenerateOptions, problemsOfSize } from '../fixtures/generate-options.js';
import { OptionsError } from '../fixtures/problems.js';
import type { FixtureSource } from '../fixtures/read.js';
import type { CollectionName } from '../fixtures/schema.js';
import { SandboxClock } from './clock.js';
import {
  checkExpectation,
  checkFilter,
  expectRequest,
  filterRequests,
  type RequestExpectation,
  type RequestFilter,
} from './expectations.js';
import { armFault, disarmFaults, type FaultOptions, type FaultRecord, faultView } from './faults.js';
import { findWrite, type HistoryEntry, historyOf } from './history.js';
import { Journal, type RequestRecord } from './journal.js';
import { findSnapshot, keepSnapshot, listSnapshots, type SnapshotRecord } from './snapshots.js';
import type { Surroundings } from './surroundings.js';

/** Somebody in whose name requests can be sent. */
export interface EmulatorUser {
  /** Null for an account that has not chosen one. */
  readonly username: string | null;
  readonly id: string;
  /** For the header `Authorization: Bearer <token>`. */
  readonly token: string;
}

/** A world to generate, in place of fixtures. */
export interface GeneratedSource {
  readonly generate: GenerateOptions;
}

const isGenerated = (source: unknown): source is GeneratedSource =>
  typeof source === 'object' && source !== null && 'generate' in source;

/** Where the sandbox of a name is reached, given where the emulator is. */
export const sandboxUrl = (origin: string, name: string): string => `${origin}/_sandbox/${name}`;

/** A world of its own: data, ids, clock, faults, journal and history that no other sandbox sees. */
export class Sandbox {
  /** 1 to 64 of `A-Za-z0-9._-`; empty for the emulator's own. */
  readonly name: string;
  /** What time it is here, and how to change that. */
  readonly clock: SandboxClock;
  /** @internal */
  readonly world: World;
  /** @internal */
  readonly journal: Journal;
  /**
   * A drop-in `fetch` that leads here without a socket: same answers, no port. A path alone (`/v1/me`) will do; an
   * address of any origin is answered as if the emulator were there.
   */
  readonly fetch: typeof fetch;
  readonly #surroundings: Surroundings;

  constructor(name: string, seed: State, surroundings: Surroundings) {
    this.name = name;
    this.world = new World(seed);
    this.clock = new SandboxClock(this.world, surroundings.machineTime);
    this.journal = new Journal(surroundings.readAgain);
    this.#surroundings = surroundings;
    this.fetch = surroundings.fetchInto(this);
  }

  /** The base URL that leads here and nowhere else. */
  get url(): string {
    return this.name === '' ? this.#surroundings.origin : sandboxUrl(this.#surroundings.origin, this.name);
  }

  /** What leads here as well, when sent along with requests to the emulator's own base URL. */
  get headers(): Readonly<Record<string, string>> {
    return this.name === '' ? {} : { 'X-Emulator-Sandbox': this.name };
  }

  /** Drops the sandbox and all that is in it. Safe to call again. */
  close(): void | Promise<void> {
    this.#surroundings.drop(this);
  }

  /** For `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The users there are now, in the order of the fixtures. */
  get users(): readonly EmulatorUser[] {
    return [...this.world.state.users.by.serial.range()].map(({ username, id, token }) => ({ username, id, token }));
  }

  /**
   * Adds single records, in the shape that fixtures have, and gives them back with every default filled in.
   * Each throws a FixtureError with everything that is wrong with the record, and adds nothing then.
   */
  readonly add = {
    user: (user: Input<'users'>) => this.#add('users', (state) => addUser(state, user, this.#now)),
    val: (val: Input<'vals'>) => this.#add('vals', (state) => addVal(state, val, this.#now)),
    run: (run: Input<'runs'>) => this.#add('runs', (state) => addRun(state, run, this.#now)),
    like: (like: Input<'likes'>) => this.#add('likes', (state) => addLike(state, like, this.#now)),
    comment: (comment: Input<'comments'>) => this.#add('comments', (state) => addComment(state, comment, this.#now)),
  };

  #add<T>(collection: CollectionName, change: (state: State) => T): T {
    return this.write(`POST /_emulator/${collection}`, change);
  }

  /** @internal A write that no request to the API made. */
  write<T>(cause: string, change: (state: State) => T): T {
    return this.world.write({ id: `w${++this.#writes}`, cause, at: this.#now }, change);
  }

  #writes = 0;

  get #now(): number {
    return this.clock.now.getTime();
  }

  /** Back to the seed data: records, ids, clock, faults, rate limits, journal and history. Snapshots stay. O(1). */
  reset(): void {
    this.world.reset();
    this.#forget();
  }

  /**
   * Loads other seed data and resets to it.
   * @throws FixtureError with everything that is wrong with the fixtures; nothing has changed then
   */
  reseed(fixtures: FixtureSource): void;
  /** The same with a generated world. Rejects with an OptionsError, and nothing has changed then. */
  reseed(seed: GeneratedSource): Promise<void>;
  reseed(source: FixtureSource | GeneratedSource): void | Promise<void> {
    if (isGenerated(source)) return this.#regenerate(source);
    this.#restart(this.#surroundings.seeder.load(source));
  }

  async #regenerate({ generate, ...others }: GeneratedSource): Promise<void> {
    const problems = problemsOfSize(generate, 'generate');
    const extra = Object.keys(others).join(', ');
    if (extra !== '') problems.push({ place: extra, message: 'expected either generate or collections, not both.' });
    if (problems.length > 0) throw new OptionsError(problems);
    this.#restart(await this.#surroundings.seeder.generate(generate));
  }

  #restart(seed: State): void {
    this.world.reseed(seed);
    this.#forget();
  }

  #forget(): void {
    this.journal.reset();
    this.#writes = 0;
  }

  /** All records in the fixture format. Loaded again, they give the same answers to the byte. */
  exportState(): ReturnType<typeof exportState> {
    return exportState(this.world.state);
  }

  /**
   * Keeps everything as it is now, to come back to by {@link restore}. Gives the name. O(1).
   * @param name by default a new one; a snapshot of the same name is replaced
   */
  snapshot(name?: string): string {
    return this.keep(name).name;
  }

  /** @internal */
  keep(name?: string): SnapshotRecord {
    return keepSnapshot(this.world, this.#now, name);
  }

  /** Back to a snapshot, as often as wanted. O(1). @throws UnknownNameError */
  restore(name: string): void {
    this.world.restore(findSnapshot(this.world, name));
  }

  /** @throws UnknownNameError */
  dropSnapshot(name: string): void {
    this.world.dropSnapshot(findSnapshot(this.world, name));
  }

  snapshots(): SnapshotRecord[] {
    return listSnapshots(this.world);
  }

  /**
   * The requests to the API since the start or the last reset, at most 1,000, oldest first.
   * @throws OptionsError for a key, route, method or user that does not exist, or a wrong value
   */
  requests(filter: RequestFilter = {}): RequestRecord[] {
    const { state } = this.world;
    return filterRequests(this.journal.read(state), checkFilter(filter, state, this.#surroundings.routes));
  }

  /** Requests to routes that do not exist. */
  unhandled(): RequestRecord[] {
    return this.requests().filter(({ route }) => route === null);
  }

  /**
   * @throws ExpectationError that shows the nearest requests and how they differ
   * @throws OptionsError for a key, route, method or user that does not exist, or a wrong value
   */
  expectRequest(route: string, expectation: RequestExpectation = {}): void {
    const wanted = checkExpectation({ ...expectation, route }, this.world.state, this.#surroundings.routes);
    expectRequest(this.requests(), wanted);
  }

  /** Forgets the requests so far. */
  forgetRequests(): void {
    this.journal.clear();
  }

  /** The last 100 writes, oldest first: what made them and what they changed. */
  history(): HistoryEntry[] {
    return historyOf(this.world);
  }

  /**
   * Back to just before a write; it is forgotten with all that came after it.
   * @param to how many writes to take back, or the id of a write in {@link history}
   * @throws UnknownNameError when the history does not reach so far back
   */
  rewind(to: number | string): void {
    this.world.rewind(findWrite(this.world, to));
  }

  /**
   * Makes requests fail on purpose, in the order of arming: the first fault that strikes a request decides on it.
   * @param route as in `POST /v1/vals`; `*` for any
   * @throws FaultError for a route, user or value that does not exist
   */
  fail(route: string, options: FaultOptions = {}): FaultRecord {
    return this.arm({ ...options, ...(route === '*' ? {} : { route }) });
  }

  /** @internal */
  arm(options: unknown): FaultRecord {
    return this.world.adjust((state) => faultView(state, armFault(state, options, this.#surroundings.routes)));
  }

  /** The armed faults and how often they struck, in the order of arming. */
  faults(): FaultRecord[] {
    const { state } = this.world;
    return state.faults.map((fault) => faultView(state, fault));
  }

  /** Disarms one fault, or all of them. @throws UnknownNameError */
  disarm(id?: string): void {
    this.world.adjust((state) => disarmFaults(state, id));
  }
}
