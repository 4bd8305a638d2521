import type { Instant } from './clock.js';
import { Ring } from './ring.js';
import type { State } from './state.js';

/** What wrote. */
export interface Cause {
  /** Of the request that wrote. */
  readonly id: string;
  /** As people say it: `POST /v1/vals`. */
  readonly cause: string;
  readonly at: Instant;
}

/**
 * A write that was kept, with the state before and after it. A class, as V8 puts object literals straight into its old
 * generation once many of them have lasted, and there they would hold on to states that nobody needs any more.
 */
export class Past implements Cause {
  readonly id: string;
  readonly cause: string;
  readonly at: Instant;
  readonly before: State;
  readonly after: State;

  constructor({ id, cause, at }: Cause, before: State, after: State) {
    this.id = id;
    this.cause = cause;
    this.at = at;
    this.before = before;
    this.after = after;
  }
}

export interface Snapshot {
  readonly name: string;
  readonly at: Instant;
  readonly state: State;
}

/** How many writes can be taken back. */
const PAST_LENGTH = 100;

/** A seed, what has become of it, and the states on the way that are worth keeping: every one of them a fork. */
export class World {
  #seed: State;
  #state: State;
  readonly #past = new Ring<Past>(PAST_LENGTH);
  readonly #snapshots = new Map<string, Snapshot>();

  constructor(seed: State) {
    this.#seed = seed;
    this.#state = seed.fork();
  }

  get seed(): State {
    return this.#seed;
  }

  /** What there is now. Not to be written to: see {@link write}. */
  get state(): State {
    return this.#state;
  }

  /** The last writes, oldest first. */
  get past(): readonly Past[] {
    return [...this.#past];
  }

  /** In the order in which they were taken. */
  get snapshots(): readonly Snapshot[] {
    return [...this.#snapshots.values()];
  }

  /** Runs `change` on a fork that takes the state's place when it returns. If it throws, nothing has happened. */
  adjust<T>(change: (state: State) => T): T {
    const draft = this.#state.fork();
    const result = change(draft);
    this.#state = draft;
    return result;
  }

  /**
   * The same, and remembers the state before.
   * @param before the state to come back to, if the write began with a smaller change such as the count of a request
   */
  write<T>(cause: Cause, change: (state: State) => T, before = this.#state): T {
    const result = this.adjust(change);
    this.#past.push(new Past(cause, before, this.#state));
    return result;
  }

  /** Back to the seed; snapshots stay. O(1). */
  reset(): void {
    this.#state = this.#seed.fork();
    this.#past.cut(0);
  }

  /** Another seed, and back to it. */
  reseed(seed: State): void {
    this.replant(seed);
    this.reset();
  }

  /** Another seed for later resets; what there is stays. */
  replant(seed: State): void {
    this.#seed = seed;
  }

  /** Back to just before a write, which is forgotten with all that came after it. */
  rewind(to: Past): void {
    const place = this.past.indexOf(to);
    if (place < 0) throw new RangeError('not a write of this world');
    this.#state = to.before.fork();
    this.#past.cut(place);
  }

  /** Keeps the state under a name; a snapshot of that name is replaced. O(1). */
  snapshot(name: string, at: Instant): void {
    this.#snapshots.delete(name);
    this.#snapshots.set(name, { name, at, state: this.#state.fork() });
  }

  /** Back to a snapshot, which stays. O(1). */
  restore({ state }: Snapshot): void {
    this.#state = state.fork();
    this.#past.cut(0);
  }

  dropSnapshot({ name }: Snapshot): void {
    this.#snapshots.delete(name);
  }
}
