import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { countRecords } from '../fixtures/export.js';
import { type LoadedFixtures, loadFixtures, RECORD_MEMORY } from '../fixtures/load.js';
import { type FixtureSource, type RawFixtures, readFixtures } from '../fixtures/read.js';
import { type GenerateOptions, parseGenerateOptions } from '../generator/options.js';
import { OptionsError } from '../lib/errors.js';
import { importLate } from '../lib/import-late.js';
import { isObject } from '../lib/objects.js';
import type { OnProgress } from '../lib/progress.js';
import type { Instant } from '../lib/time.js';
import type { Settings } from '../model/state.js';
import type { SeedInfo } from '../persistence/lines.js';
import { Seed } from './seed.js';

/** A generated dataset in place of fixtures. */
export interface GeneratedSource {
  readonly generate: GenerateOptions;
}

export const isGenerated = (source: FixtureSource | GeneratedSource): source is GeneratedSource =>
  isObject(source) && 'generate' in source;

/** Returns the options of a generated dataset. @throws OptionsError for wrong ones, and for collections as well */
export function checkGenerated({ generate, ...others }: GeneratedSource): GenerateOptions {
  const { problems } = parseGenerateOptions(generate, 'generate');
  const extra = Object.keys(others).join(', ');
  if (extra !== '') problems.push({ path: extra, message: 'expected either generate or collections, not both.' });
  if (problems.length > 0) throw new OptionsError(problems);
  return generate;
}

interface SeedOptions extends Settings {
  /** The folder that keeps the data. Its seeds are stored, so their times are fixed. */
  readonly data?: string | undefined;
  /** The store that keeps them, likewise. */
  readonly store?: string | undefined;
  /** The time at which the clock is frozen; undefined for the system clock. */
  readonly now?: Instant | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Loads or generates the seeds that sandboxes begin with. */
export class SeedLoader {
  readonly #options: SeedOptions;
  readonly #systemTime: () => Instant;
  #generator: typeof import('../generator/index.js') | undefined;

  constructor(options: SeedOptions, systemTime: () => Instant) {
    this.#options = options;
    this.#systemTime = systemTime;
  }

  /** @throws FixtureError for fixtures that cannot be loaded. @throws OptionsError for invalid options of the generator */
  async open(source: FixtureSource | GeneratedSource): Promise<Seed> {
    return isGenerated(source) ? await this.generate(source.generate) : this.load(source);
  }

  /** @throws FixtureError for fixtures that cannot be loaded */
  load(source: FixtureSource): Seed {
    const { onProgress } = this.#options;
    const fixtures = readFixtures(source, onProgress);
    const name = typeof source === 'string' ? source : 'an object';
    return this.#makeSeed(
      name,
      () => hashFixtures(fixtures),
      (now) => this.#load(fixtures, now, onProgress),
    );
  }

  /** @throws OptionsError for invalid options */
  async generate(options: GenerateOptions): Promise<Seed> {
    this.#generator ??= await importLate(() => import('../generator/index.js'));
    const { generate, toCollections } = this.#generator;
    const given = { ...options };
    const load = (now: Instant, onProgress?: OnProgress) => {
      const dataset = generate(given, {
        onRuns: (count) => onProgress?.({ step: 'generating', fraction: count / dataset.size.runs }),
      });
      const collections = toCollections(dataset);
      return this.#load({ collections, problems: [], isShared: false, isTrusted: true }, now, onProgress);
    };
    return this.#makeSeed(
      'generated',
      () => hashOptions(options),
      (now) => {
        const { state } = load(now, this.#options.onProgress);
        // Generated again rather than kept, since the options take less memory than the records.
        return { state, loadAgain: (later) => load(later).state };
      },
    );
  }

  /** Whether seed data are those of a source: its name does not count, and files may be formatted differently. */
  isFrom({ fingerprint }: SeedInfo, source: FixtureSource | GeneratedSource): boolean {
    return fingerprint === (isGenerated(source) ? hashOptions(source.generate) : hashFixtures(readFixtures(source)));
  }

  #makeSeed(name: string, getFingerprint: () => string, load: (now: Instant) => LoadedFixtures): Seed {
    const { now, data, store } = this.#options;
    const madeAt = this.#systemTime();
    // Taken before the fixtures are loaded, which may fill in fields. Only a data folder compares it.
    const info = { name, fingerprint: data === undefined ? '' : getFingerprint(), loadedAt: madeAt };
    if (now !== undefined)
      return Seed.withFixedTimes({ state: { ...load(now).state, clock: { frozenAt: now } }, info });
    const { state, loadAgain } = load(madeAt);
    // While records are loaded again, both states are in memory.
    const count = Object.values(countRecords(state)).reduce((sum, size) => sum + size, 0);
    const isTooLarge = 2 * count * RECORD_MEMORY > getHeapStatistics().heap_size_limit;
    if (data !== undefined || store !== undefined || !loadAgain || isTooLarge)
      return Seed.withFixedTimes({ state, info });
    return new Seed(state, { makeState: loadAgain, systemTime: this.#systemTime, madeAt }, info);
  }

  #load(fixtures: RawFixtures, now: Instant, onProgress?: OnProgress): LoadedFixtures {
    const { auth, defaultPrivacy, idSeed, rateLimit } = this.#options;
    return loadFixtures(fixtures, { auth, defaultPrivacy, idSeed, rateLimit }, now, onProgress);
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const hashOptions = (options: GenerateOptions): string => hash(JSON.stringify(options));

const hashFixtures = ({ collections }: RawFixtures): string =>
  hash(JSON.stringify(collections.map(({ name, value }) => [name, value])));
