import { getHeapStatistics } from 'node:v8';
import { countRecords } from '../fixtures/export.js';
import { type LoadedFixtures, loadFixtures, RECORD_MEMORY } from '../fixtures/load.js';
import { type FixtureSource, type RawFixtures, readFixtures } from '../fixtures/read.js';
import type { GenerateOptions } from '../generator/options.js';
import type { OnProgress } from '../lib/progress.js';
import type { Instant } from '../lib/time.js';
import type { Settings } from '../model/state.js';
import { Seed } from './seed.js';

interface SeedOptions extends Settings {
  /** The time at which the clock is frozen; undefined for the system clock. */
  readonly now?: Instant | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Loads or generates the seeds that sandboxes begin with. */
export class SeedLoader {
  readonly #options: SeedOptions;
  readonly #systemTime: () => Instant;

  constructor(options: SeedOptions, systemTime: () => Instant) {
    this.#options = options;
    this.#systemTime = systemTime;
  }

  /** @throws FixtureError for fixtures that cannot be loaded */
  load(source: FixtureSource): Seed {
    const { onProgress } = this.#options;
    const fixtures = readFixtures(source, onProgress);
    return this.#makeSeed((now) => this.#load(fixtures, now, onProgress));
  }

  /** @throws OptionsError for invalid options */
  async generate(options: GenerateOptions): Promise<Seed> {
    const { generate, toCollections } = await import('../generator/index.js');
    const given = { ...options };
    const load = (now: Instant, onProgress?: OnProgress) => {
      const dataset = generate(given, {
        onRuns: (count) => onProgress?.({ step: 'generating', fraction: count / dataset.size.runs }),
      });
      return this.#load({ collections: toCollections(dataset), problems: [], isShared: false }, now, onProgress);
    };
    return this.#makeSeed((now) => {
      const { state } = load(now, this.#options.onProgress);
      // Generated again rather than kept, since the options take less memory than the records.
      return { state, loadAgain: (later) => load(later).state };
    });
  }

  #makeSeed(load: (now: Instant) => LoadedFixtures): Seed {
    const { now } = this.#options;
    if (now !== undefined) return new Seed({ ...load(now).state, clock: { frozenAt: now } });
    const madeAt = this.#systemTime();
    const { state, loadAgain } = load(madeAt);
    // While records are loaded again, both states are in memory.
    const count = Object.values(countRecords(state)).reduce((sum, size) => sum + size, 0);
    if (!loadAgain || 2 * count * RECORD_MEMORY > getHeapStatistics().heap_size_limit) return new Seed(state);
    return new Seed(state, { makeState: loadAgain, systemTime: this.#systemTime, madeAt });
  }

  #load(fixtures: RawFixtures, now: Instant, onProgress?: OnProgress): LoadedFixtures {
    const { auth, defaultPrivacy, idSeed, rateLimit } = this.#options;
    return loadFixtures(fixtures, { auth, defaultPrivacy, idSeed, rateLimit }, now, onProgress);
  }
}
