import timers from 'node:timers';
import type { State, StateStore } from '../model/state.js';
import type { Change, Contents, Recorder } from '../store/store.js';
import type { Line, SeedInfo } from './lines.js';
import { describeChange, describeSeed, type StoredSeed } from './replay.js';

/** Milliseconds until changes that are not urgent are written. */
const DELAY_MS = 100;

/** Taken before a test runner replaces it: disks have real time. */
const { setTimeout } = timers;

/** Seed data of a sandbox. Their state never changes. */
export interface Seeding {
  readonly info: SeedInfo;
  getState(): State;
}

/** What a recorder needs of the folder that it writes to. */
interface Target {
  readonly failure: Error | undefined;
  append(lines: readonly Line[]): Promise<void>;
  /** Returns the stored form of seed data: a new one for those that are not stored yet. */
  storeSeed(seeding: Seeding): StoredSeed;
}

/** Describes the changes of one sandbox, line by line. */
export class SandboxRecorder implements Recorder<State> {
  readonly #name: string;
  readonly #store: StateStore;
  readonly #getSeeding: () => Seeding;
  readonly #target: Target;
  #seed: StoredSeed;
  /** Changes of counters that wait to be written as one. */
  #delayed: { readonly before: State; after: State } | undefined;
  #isClosed = false;

  constructor(name: string, store: StateStore, getSeeding: () => Seeding, target: Target) {
    this.#name = name;
    this.#store = store;
    this.#getSeeding = getSeeding;
    this.#target = target;
    this.#seed = target.storeSeed(getSeeding());
  }

  /** The sandbox with its current contents. */
  get sandbox() {
    return { name: this.#name, seed: this.#seed, contents: this.#store.contents };
  }

  get failure(): Error | undefined {
    return this.#target.failure;
  }

  record(change: Change<State>, contents: Contents<State>, isUrgent: boolean): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (!isUrgent && change.type === 'commit') return this.#delay(change.before, change.after);
    this.flush();
    const seed = this.#target.storeSeed(this.#getSeeding());
    const seedLines = seed === this.#seed ? [] : describeSeed(seed);
    const saved = this.#target.append([...seedLines, ...describeChange(this.#name, seed, change, contents)]);
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
    return this.#target.append(describeChange(this.#name, this.#seed, change, this.#store.contents));
  }
}
