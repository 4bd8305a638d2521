import { loadFixtures } from '../fixtures/load.js';
import { type FixtureSource, type RawFixtures, readFixtures } from '../fixtures/read.js';
import type { GenerateOptions } from '../generator/options.js';
import type { OnProgress } from '../lib/progress.js';
import type { Instant } from '../lib/time.js';
import { readClock, systemClock } from '../model/clock.js';
import type { Settings, State } from '../model/state.js';

interface SeedOptions extends Settings {
  /** The time at which the clock is frozen; undefined for the system clock. */
  readonly now?: Instant | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Loads or generates the states that sandboxes begin with. */
export class SeedLoader {
  readonly #options: SeedOptions;
  readonly #systemTime: () => Instant;

  constructor(options: SeedOptions, systemTime: () => Instant) {
    this.#options = options;
    this.#systemTime = systemTime;
  }

  /** @throws FixtureError for fixtures that cannot be loaded */
  load(source: FixtureSource): State {
    return this.#load(readFixtures(source, this.#options.onProgress));
  }

  /** @throws OptionsError for invalid options */
  async generate(options: GenerateOptions): Promise<State> {
    const { generate, toCollections } = await import('../generator/index.js');
    const dataset = generate(options, {
      onRuns: (count) => this.#options.onProgress?.({ step: 'generating', fraction: count / dataset.size.runs }),
    });
    return this.#load({ collections: toCollections(dataset), problems: [], isShared: false });
  }

  #load(fixtures: RawFixtures): State {
    const { auth, defaultPrivacy, idSeed, rateLimit, now, onProgress } = this.#options;
    const settings = { auth, defaultPrivacy, idSeed, rateLimit };
    const clock = now === undefined ? systemClock : { frozenAt: now };
    return { ...loadFixtures(fixtures, settings, readClock(clock, this.#systemTime()), onProgress), clock };
  }
}
