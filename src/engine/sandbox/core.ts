import type { ApiRouter } from '../api/router.js';
import type { Asserted } from '../journal/assertions.js';
import type { Exchange } from '../journal/exchange.js';
import type { Journal } from '../journal/journal.js';
import { atCaller } from '../lib/caller-stack.js';
import { Closable } from '../lib/closable.js';
import { finish } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import type { SandboxOrigin } from '../persistence/lines.js';
import type { Storage } from '../persistence/storage.js';
import { createStore, type Draft, type State, type StateStore } from '../state/state.js';
import { type Contents, initialContents } from '../store/store.js';
import { makeAdders } from './adder.js';
import { type Act, SandboxClock } from './clock.js';
import { type DiffOptions, diffReferences, type ScoreOptions, type StateDiff, scoreReferences } from './comparison.js';
import { SandboxRateLimit } from './rate-limit.js';
import type { Replaced } from './replacement.js';
import type { Score } from './score.js';
import type { Seed } from './seed.js';
import type { SeedLoader } from './seed-loader.js';
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

/** The state of a sandbox, and what the emulator does with it. */
export abstract class SandboxCore<T extends SandboxTypes> extends Closable {
  /** 1–64 of `A–Z a–z 0–9 . _ -`; empty for the default sandbox. */
  readonly name: string;
  /** @internal */
  meta: SandboxMeta;
  /** Its clock, which a reset restores. */
  readonly clock: SandboxClock;
  /** @internal */
  readonly store: StateStore;
  /** @internal */
  readonly journal: Journal;
  readonly #deps: SandboxDeps;

  constructor(
    { name, seed, contents, start, origin, lifetime, exchanges, lastRequest = 0 }: SandboxInit,
    deps: SandboxDeps,
  ) {
    super();
    const begun = contents ?? initialContents(seed.getState());
    const now = deps.systemTime();
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
    this.clock = new SandboxClock(this.store, deps.systemTime, this.act);
    const clock = new SandboxClock(this.store, deps.systemTime);
    this.held = { clock, rateLimit: new SandboxRateLimit(this) };
    this.#deps = deps;
    this.journal = deps.createJournal(name, Math.max(begun.numbers.requests, lastRequest), exchanges);
  }

  /** @internal Runs a change by a method: it marks the use, and requests read it at once. */
  readonly act: Act = (change) => {
    this.touch();
    const result = change();
    this.store.publish();
    return result;
  };

  /** The rate limit, which a reset restores. */
  readonly rateLimit = new SandboxRateLimit(this, this.act);

  /** @internal The parts for requests, which read a change once it is durable. */
  readonly held: { readonly clock: SandboxClock; readonly rateLimit: SandboxRateLimit };

  /** @internal Remembers a use: a request, or a method call. */
  touch(): this {
    const lastUse = this.#deps.systemTime();
    if (lastUse !== this.meta.lastUse) this.meta = { ...this.meta, lastUse };
    return this;
  }

  /** @internal What assertions read. */
  get asserted(): Asserted {
    return { journal: this.journal, state: this.store.state, router: this.#deps.router };
  }

  /** @internal Replaces the contents by the contents of another process. */
  show(seed: Seed, contents: Contents<State>): void {
    this.meta = { ...this.meta, seed, start: seed.current };
    this.store.replace(contents);
  }

  /**
   * Adds a record, or a list of records, in fixture format and returns what was added with all defaults filled in.
   * Each method throws a FixtureError with all errors of all records and then adds nothing.
   */
  readonly add: T['add'];

  /** @internal Commits a change that was not made through the /v1 API. */
  update<T>(operation: string, change: (draft: Draft) => T): T {
    const before = this.store.state;
    const checked = (draft: Draft) => {
      const value = change(draft);
      this.#deps.storedBytes.assertRoom(before, draft);
      return value;
    };
    return this.store.update(checked, { id: this.store.nextUpdateId, operation, at: this.now });
  }

  /** @internal Where references to states are looked up. @param readsFiles whether one may be the path of a file */
  sources(readsFiles: boolean): StateSources {
    const { loader, findSandbox } = this.#deps;
    return { store: this.touch().store, loader, findSandbox, readsFiles };
  }

  /**
   * Compares two states: `sandbox:NAME`, `snapshot:NAME`, `commit:r17`, `commit:start`, `fixture:PATH`, a name alone that fits one of
   * them, or fixtures as an object. Costs in proportion to the records that they do not share.
   * @param before default: `commit:start`
   * @param after default: the current state
   * @throws NotFoundError for an unknown state. OptionsError for a name that fits several, and for wrong options. FixtureError
   */
  diff(before?: StateReference, after?: StateReference, options: DiffOptions = {}): StateDiff {
    return atCaller(this.diff, () => finish(diffReferences(this.sources(true), { ...options, before, after })));
  }

  /**
   * Scores the difference of two states: matched / (expected + unexpected), and 1 if both are 0.
   * @throws OptionsError for expectations that cannot match, otherwise as {@link diff} does. ApiError for more than 100,000 changes
   */
  score(options: ScoreOptions): Score {
    return atCaller(this.score, () => finish(scoreReferences(this.sources(true), options)));
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

  /** Clears the journal. */
  clearRequests(): void {
    this.touch().#clearJournal(false);
  }

  #clearJournal(isReset: boolean): void {
    if (isReset) this.journal.reset();
    else this.journal.clear();
    if (this.store.isRecorded) void this.#deps.storage?.append(this.name, { type: 'clear', isReset });
  }
}
