import timers from 'node:timers';
import type { State, StateStore } from '../model/state.js';
import type { Change, Contents, Recorder } from '../store/store.js';
import type { Line, SandboxOrigin, SeedInfo } from './lines.js';
import { describeChange, describeSeed, type StoredSeed } from './replay.js';

/** Milliseconds until changes that are not urgent are written. */
const DELAY_MS = 100;

/** Taken before a test runner replaces it: disks have real time. */
const { setTimeout } = timers;

/** Seed data of a sandbox. Their state never changes. */
export interface SeedData {
  readonly info: SeedInfo;
  getState(): State;
}

/** A sandbox whose changes are recorded. */
export interface RecordedSandbox extends SandboxOrigin {
  readonly name: string;
  readonly store: StateStore;
  /** Others after a reseed. */
  readonly seed: SeedData;
}

/** What a recorder needs of the folder that it writes to. */
interface Target {
  readonly failure: Error | undefined;
  append(lines: readonly Line[]): Promise<void>;
  /** Returns the stored form of seed data: a new one for those that are not stored yet. */
  storeSeed(seed: SeedData): StoredSeed;
}

/** Describes the changes of one sandbox, line by line. */
export class SandboxRecorder implements Recorder<State> {
  readonly #source: RecordedSandbox;
  readonly #store: StateStore;
  readonly #target: Target;
  #seed: StoredSeed;
  /** Changes of counters that wait to be written as one. */
  #delayed: { readonly before: State; after: State } | undefined;
  #isClosed = false;

  constructor(source: RecordedSandbox, target: Target) {
    this.#source = source;
    this.#store = source.store;
    this.#target = target;
    this.#seed = target.storeSeed(source.seed);
  }

  /** The sandbox with its current contents. */
  get sandbox() {
    const { name, createdAt, owner } = this.#source;
    // The default sandbox has no age, and no owner.
    const origin = name === '' ? undefined : { createdAt, owner };
    return { name, seed: this.#seed, contents: this.#store.contents, origin };
  }

  get failure(): Error | undefined {
    return this.#target.failure;
  }

  record(change: Change<State>, contents: Contents<State>, isUrgent: boolean): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (!isUrgent && change.type === 'commit') return this.#delay(change.before, change.after);
    this.flush();
    const seed = this.#target.storeSeed(this.#source.seed);
    const seedLines = seed === this.#seed ? [] : describeSeed(seed);
    const saved = this.#target.append([...seedLines, ...describeChange(this.#source.name, seed, change, contents)]);
    this.#seed = seed;
    return saved;
  }

  #delay(before: State, after: State): Promise<void> {
    if (this.#delayed) this.#delayed.after = after;
    else this.#delayed = { before, after };
    return new Promise<void>((resolve) => setTimeout(resolve, DELAY_MS).unref()).then(() => this.flush());
  }

  /** Writes no further changes: the sandbox is not kept any more. */
  close(): void {
    this.#isClosed = true;
    this.#delayed = undefined;
  }

  /** Writes the changes that wait. */
  flush(): Promise<void> {
    if (!this.#delayed) return this.#target.append([]);
    const { before, after } = this.#delayed;
    this.#delayed = undefined;
    const change = { type: 'commit', before, after } as const;
    return this.#target.append(describeChange(this.#source.name, this.#seed, change, this.#store.contents));
  }
}
