import type { FolderSummary } from '../fixtures/folder.js';
import { FixtureError } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';
import type { SeedInfo } from '../persistence/lines.js';
import type { SeedData } from '../persistence/storage.js';
import type { State } from '../state/state.js';

/** A state is fresh for at least this many milliseconds. */
const MIN_FRESH_MS = 1_000;
/** A state is fresh for this many times as long as it took to make, so that making states takes at most 1 % of the time. */
const FRESH_PER_COST = 100;

interface StateSource {
  /** Makes the state, with relative times that count from `now`. @throws FixtureError */
  readonly makeState: (now: Instant) => State;
  readonly systemTime: () => Instant;
  /** When the first state was made. */
  readonly madeAt: Instant;
}

const UNKNOWN: SeedInfo = { name: '', fingerprint: '', loadedAt: 0 };

/** Seed data, from which sandboxes begin. Relative times count from when its state was made. */
export class Seed {
  /** Where it comes from. Used by data folders and sessions only. */
  readonly info: SeedInfo;
  /** The folders that were read for its records. */
  readonly folders: readonly FolderSummary[];
  readonly #source: StateSource | undefined;
  #state: State;
  #madeAt = 0;
  #freshFor = 0;

  /** @param source makes later states; undefined for a state that never becomes old */
  constructor(state: State, source?: StateSource, info: SeedInfo = UNKNOWN, folders: readonly FolderSummary[] = []) {
    this.#state = state;
    this.info = info;
    this.folders = folders;
    this.#source = source;
    if (source) this.#setMadeAt(source.madeAt, source.systemTime());
  }

  /** Makes a seed whose state stays the same: a data folder or a session stored it. */
  static withFixedTimes({ state, info }: SeedData, folders?: readonly FolderSummary[]): Seed {
    return new Seed(state, undefined, info, folders);
  }

  /** The last state that was made. Its relative times may be old. */
  get current(): State {
    return this.#state;
  }

  /**
   * Returns the state to begin with. It is the same one while it is fresh, in O(1): for a second, or for a hundred times
   * as long as it took to make, if that is longer. A state without relative times is always fresh.
   */
  getState(): State {
    if (!this.#source) return this.#state;
    const { makeState, systemTime } = this.#source;
    const now = systemTime();
    const age = now - this.#madeAt;
    // A clock that went back, as fake timers do, leaves records in the future.
    if (age >= 0 && age < this.#freshFor) return this.#state;
    try {
      this.#state = makeState(now);
    } catch (error) {
      // Fixed and relative times may no longer fit together: a run ends before it starts. The data keep their times then.
      if (!(error instanceof FixtureError)) throw error;
    }
    this.#setMadeAt(now, systemTime());
    return this.#state;
  }

  #setMadeAt(start: Instant, end: Instant): void {
    this.#madeAt = start;
    this.#freshFor = Math.max(MIN_FRESH_MS, FRESH_PER_COST * (end - start));
  }
}
