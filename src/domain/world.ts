import type { State } from './state.js';

/** A seed and what has become of it. */
export class World {
  #seed: State;
  #state: State;

  constructor(seed: State) {
    this.#seed = seed;
    this.#state = seed.fork();
  }

  /** What there is now. Not to be written to: see {@link write}. */
  get state(): State {
    return this.#state;
  }

  /** Runs `change` on a fork that takes the state's place when it returns. If it throws, nothing has happened. */
  write<T>(change: (state: State) => T): T {
    const draft = this.#state.fork();
    const result = change(draft);
    this.#state = draft;
    return result;
  }

  /** Back to the seed. O(1). */
  reset(): void {
    this.#state = this.#seed.fork();
  }

  /** Another seed, and back to it. */
  reseed(seed: State): void {
    this.#seed = seed;
    this.reset();
  }
}
