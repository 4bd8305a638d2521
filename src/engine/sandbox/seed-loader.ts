import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Work } from '../definition/context.js';
import type { Definitions } from '../definition/definitions.js';
import { countRecords } from '../fixtures/export.js';
import type { FolderSummary } from '../fixtures/folder.js';
import type { Generator } from '../fixtures/generator.js';
import { type LoadedFixtures, type LoadOptions, loadFixtures, RECORD_MEMORY } from '../fixtures/load.js';
import type { OnProgress, RawFixtures } from '../fixtures/read.js';
import { FixtureModule, type FixtureSource, type FolderRecord, readAdded, readFixtures } from '../fixtures/source.js';
import { FixtureError, OptionsError, type Problem } from '../lib/errors.js';
import { isObject } from '../lib/objects.js';
import { finish, type RunSteps, type Steps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import type { SeedInfo } from '../persistence/lines.js';
import { prepareIndexes, type Settings } from '../state/state.js';
import { Seed } from './seed.js';

/** A generated dataset in place of fixtures. */
export interface GeneratedSource<G extends object = object> {
  readonly generate: G;
}

export type SeedSource = FixtureSource | FixtureModule | GeneratedSource;

export const isGenerated = (source: SeedSource): source is GeneratedSource => isObject(source) && 'generate' in source;

/** Returns the options of a generated dataset. @throws OptionsError for wrong ones, and for collections as well */
export function checkGenerated({ generate, ...others }: GeneratedSource, generator: Generator | undefined): object {
  const problems = generator
    ? generator.validate(generate, 'generate')
    : [{ path: 'generate', message: 'the service has no generator; expected fixtures.' }];
  const extra = Object.keys(others).join(', ');
  if (extra !== '') problems.push({ path: extra, message: 'expected either generate or collections, not both.' });
  if (problems.length > 0) throw new OptionsError(problems);
  return generate;
}

interface SeedOptions {
  readonly service: { readonly definitions: Definitions; readonly generator?: Generator };
  readonly settings: Settings;
  /** Records of folders that the options add to the seed data of the emulator. */
  readonly folders: readonly FolderRecord[];
  /** The folder that keeps the data. Its seeds are stored, so their times are fixed. */
  readonly data?: string | undefined;
  /** The store that keeps them, likewise. */
  readonly store?: string | undefined;
  /** The time at which the clock is frozen; undefined for the system clock. */
  readonly now?: Instant | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export class SeedLoader {
  readonly #options: SeedOptions;
  readonly #systemTime: () => Instant;
  #generate: Awaited<ReturnType<Generator['load']>> | undefined;

  constructor(options: SeedOptions, systemTime: () => Instant) {
    this.#options = options;
    this.#systemTime = systemTime;
  }

  /**
   * Loads the seed data of the emulator, with the records that the options add.
   * @throws FixtureError for fixtures that cannot be loaded
   * @throws OptionsError for invalid options of the generator, and for a folder that cannot be loaded
   */
  async open(source: SeedSource): Promise<Seed> {
    if (!isGenerated(source)) return this.load(source, this.#options.folders);
    return await this.generate(checkGenerated(source, this.generator), finish, this.#options.folders);
  }

  /** Loads fixtures in place of those that {@link open} loaded. @throws as that does */
  openAgain(source: FixtureSource | FixtureModule): Seed {
    return this.load(source, this.#options.folders);
  }

  /** @throws FixtureError for fixtures that cannot be loaded */
  load(source: FixtureSource | FixtureModule, folders?: readonly FolderRecord[]): Seed {
    return finish(this.loadInSteps(source, undefined, folders));
  }

  /** @param work default: of a program. @param folders default: none. @throws as {@link load} does */
  *loadInSteps(source: FixtureSource | FixtureModule, work?: Work, folders: readonly FolderRecord[] = []): Steps<Seed> {
    const { now, onProgress } = this.#options;
    const fixtures = this.#read(source, folders, work);
    const name = typeof source === 'string' ? source : source instanceof FixtureModule ? source.path : 'an object';
    const info = this.#describe(name, () => hashFixtures(fixtures));
    const loaded = yield* this.#load(fixtures, now ?? info.loadedAt, { onProgress, work });
    return this.#makeSeed(info, loaded, fixtures.folders);
  }

  #read(source: FixtureSource | FixtureModule, folders: readonly FolderRecord[], work?: Work): RawFixtures {
    const { service, onProgress } = this.#options;
    return this.#add(readFixtures(source, service.definitions, onProgress, work?.isRequest), folders);
  }

  /** Adds records of folders to fixtures. @throws OptionsError for a folder that cannot be read */
  #add(fixtures: RawFixtures, folders: readonly FolderRecord[]): RawFixtures {
    const read = { problems: [], folders: [...(fixtures.folders ?? [])] };
    const added = readAdded(folders, this.#options.service.definitions, read);
    if (read.problems.length > 0) throw new OptionsError(read.problems);
    return { ...fixtures, added, folders: read.folders };
  }

  get generator(): Generator | undefined {
    return this.#options.service.generator;
  }

  /** @param options valid ones */
  async generate(options: object, run: RunSteps = finish, folders: readonly FolderRecord[] = []): Promise<Seed> {
    const { generator } = this;
    if (!generator) throw new Error('the service has no generator');
    this.#generate ??= await importLate(() => generator.load());
    const generate = this.#generate;
    const given = { ...options };
    const base = this.#add({ collections: [], problems: [], isShared: false, isTrusted: true }, folders);
    const load = function* (this: SeedLoader, now: Instant, onProgress?: OnProgress) {
      const collections = yield* generate(given, onProgress);
      const loaded = yield* this.#load({ ...base, collections }, now, { onProgress });
      // At once, indexes are better made when they are used.
      if (run !== finish) yield* prepareIndexes(loaded.state);
      return loaded;
    }.bind(this);
    const info = this.#describe('generated', () => hashOptions(options, base));
    const { now = info.loadedAt, onProgress } = this.#options;
    const { state } = await run(load(now, onProgress));
    // Generated again rather than kept, since the options take less memory than the records.
    return this.#makeSeed(info, { state, loadAgain: (later) => finish(load(later)).state }, base.folders);
  }

  /**
   * Whether the seed data of the emulator came from a source: its name does not count, and files may be formatted differently.
   * @throws OptionsError for a folder that cannot be read
   */
  isFrom({ fingerprint }: SeedInfo, source: SeedSource): boolean {
    const { folders } = this.#options;
    if (!isGenerated(source)) return fingerprint === hashFixtures(this.#read(source, folders));
    return (
      fingerprint ===
      hashOptions(source.generate, this.#add({ collections: [], problems: [], isShared: false }, folders))
    );
  }

  get addsRecords(): boolean {
    return this.#options.folders.length > 0;
  }

  /** Describes seed data before they are loaded, which may fill in fields. Only a data folder compares the fingerprint. */
  #describe(name: string, getFingerprint: () => string): SeedInfo {
    const fingerprint = this.#options.data === undefined ? '' : getFingerprint();
    const { service } = this.#options.service.definitions;
    return { name, fingerprint, service, loadedAt: this.#systemTime() };
  }

  #makeSeed(info: SeedInfo, { state, loadAgain }: LoadedFixtures, folders?: readonly FolderSummary[]): Seed {
    const { now, data, store } = this.#options;
    if (now !== undefined) return Seed.withFixedTimes({ state: { ...state, clock: { frozenAt: now } }, info }, folders);
    // While records are loaded again, both states are in memory.
    const count = Object.values(countRecords(state)).reduce((sum, size) => sum + size, 0);
    const isTooLarge = 2 * count * RECORD_MEMORY > getHeapStatistics().heap_size_limit;
    if (data !== undefined || store !== undefined || !loadAgain || isTooLarge)
      return Seed.withFixedTimes({ state, info }, folders);
    return new Seed(
      state,
      { makeState: loadAgain, systemTime: this.#systemTime, madeAt: info.loadedAt },
      info,
      folders,
    );
  }

  /** @throws FixtureError. @throws OptionsError if only the records that options add are wrong */
  *#load(fixtures: RawFixtures, now: Instant, options: LoadOptions): Steps<LoadedFixtures> {
    const { service } = this.#options;
    // New ones, by which the states of a dataset are known.
    const settings = { ...this.#options.settings };
    try {
      return yield* loadFixtures(fixtures, { settings, definitions: service.definitions }, now, options);
    } catch (error) {
      const paths = fixtures.added?.map(({ path }) => path) ?? [];
      const isAdded = ({ path }: Problem) => paths.some((each) => path === each || path.startsWith(`${each}.`));
      if (!(error instanceof FixtureError) || !error.problems.some(isAdded)) throw error;
      const others = error.problems.filter((problem) => !isAdded(problem));
      throw others.length > 0 ? new FixtureError(others) : new OptionsError(error.problems);
    }
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const hashOptions = (options: object, { added = [] }: RawFixtures): string =>
  hash(JSON.stringify(options) + describeAdded(added));

const hashFixtures = ({ collections, added = [] }: RawFixtures): string =>
  hash(JSON.stringify(collections.map(({ name, value }) => [name, value])) + describeAdded(added));

/** Data folders of earlier versions have none. */
const describeAdded = (added: NonNullable<RawFixtures['added']>): string =>
  added.length === 0 ? '' : JSON.stringify(added);

/** Files that a module and its imports have open at a time while they load, with room for connections that arrive meanwhile. */
const NEEDED_FILES = 32;

/**
 * Imports a module that a request needs. Node keeps a failed `import()` until the process ends, so this one waits
 * until enough files can be opened.
 * @throws Error EMFILE, after which the next call tries again
 */
async function importLate<T>(load: () => Promise<T>): Promise<T> {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_FILES) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const file of opened) closeSync(file);
  }
  return await load();
}
