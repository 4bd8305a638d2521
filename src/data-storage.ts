import type { FixtureSource } from './fixtures/read.js';
import type { Exchange } from './journal/exchange.js';
import { JOURNAL_LENGTH } from './journal/journal.js';
import { toExchanges, toStoredRequest } from './journal/session.js';
import type { Instant } from './lib/time.js';
import type { ParsedOptions } from './options.js';
import type { Sandbox } from './sandbox/sandbox.js';
import type { Sandboxes } from './sandbox/sandboxes.js';
import { Seed } from './sandbox/seed.js';
import type { GeneratedSource, SeedLoader } from './sandbox/seed-loader.js';
import type { DataStatus, Storage } from './sandbox/storage.js';
import type { DataFolder } from './storage/data-folder.js';
import type { JournalFile } from './storage/journal-file.js';
import type { StoredSandbox, StoredSeed } from './storage/replay.js';

/** A seed and the contents to begin with; undefined for those of the seed. */
export interface Beginning {
  readonly name: string;
  readonly seed: Seed;
  readonly contents?: StoredSandbox['contents'] | undefined;
  /** Default: made now, without an owner. */
  readonly origin?: StoredSandbox['origin'];
  /** The requests of a session, or of a journal that was kept. Default: none. */
  readonly exchanges?: readonly Exchange[] | undefined;
}

/** Keeps the sandboxes of an emulator in a data folder. */
export class DataStorage implements Storage {
  readonly #folder: DataFolder;
  readonly #beginnings: readonly Beginning[];
  readonly #hasOtherSeed: boolean;
  readonly #kept = new Set<Sandbox>();
  #journal: JournalFile | undefined;
  #default: Sandbox | undefined;
  #closing: Promise<void> | undefined;

  private constructor(folder: DataFolder, beginnings: readonly Beginning[], hasOtherSeed: boolean) {
    this.#folder = folder;
    this.#beginnings = beginnings;
    this.#hasOtherSeed = hasOtherSeed;
  }

  /**
   * @param source seed data that were asked for, if any
   * @throws DataError for a folder that cannot be used, is in use, or whose data are damaged
   */
  static async open(
    path: string,
    options: ParsedOptions,
    loader: SeedLoader,
    source: FixtureSource | GeneratedSource | undefined,
    systemTime: () => Instant,
  ): Promise<DataStorage> {
    const { auth, defaultPrivacy, rateLimit, reseed } = options;
    const { dataSync: sync, dataGrowth: growth, dataLock: lockTimes, onDataError: onFailure } = options;
    // Imported late: without a data folder, no code that writes is loaded.
    const { DataFolder } = await import('./storage/data-folder.js');
    const settings = { auth, defaultPrivacy, ...(rateLimit && { rateLimit }) };
    const folder = await DataFolder.open(path, { sync, systemTime, settings, onFailure, growth, lockTimes });
    try {
      const beginnings = reseed ? [] : toBeginnings(folder.found);
      const [first] = beginnings;
      const hasOtherSeed = first !== undefined && source !== undefined && !loader.isFrom(first.seed.info, source);
      const storage = new DataStorage(folder, beginnings, hasOtherSeed);
      if (options.keepJournal) await storage.#openJournal();
      return storage;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async #openJournal(): Promise<void> {
    const { JournalFile } = await import('./storage/journal-file.js');
    this.#journal = await JournalFile.open(this.#folder.lock, this.#beginnings.length === 0, () =>
      [...this.#kept].map(({ name, observed }) => [name, observed.journal.exchanges.map(toStoredRequest)] as const),
    );
  }

  /** The sandboxes that the folder has kept, the default one first. Empty if the folder begins anew. */
  get beginnings(): readonly Beginning[] {
    return this.#beginnings.map((beginning) => {
      const requests = this.#journal?.found.get(beginning.name)?.slice(-JOURNAL_LENGTH) ?? [];
      return { ...beginning, exchanges: toExchanges(requests, beginning.name) };
    });
  }

  get path(): string {
    return this.#folder.path;
  }

  get failure(): Error | undefined {
    return this.#folder.failure;
  }

  /** What the folder had when it was opened. Undefined until {@link attach}. */
  get status(): DataStatus | undefined {
    const { path, torn } = this.#folder;
    const seed = this.#default?.seed.info;
    return seed && { path, isOpened: this.#beginnings.length > 0, seed, hasOtherSeed: this.#hasOtherSeed, torn };
  }

  /** Goes on with the sandboxes of the folder, or begins with the default one. */
  async attach(sandboxes: Sandboxes<Sandbox>): Promise<void> {
    const { default: defaultSandbox, all: others } = sandboxes;
    this.#default = defaultSandbox;
    for (const sandbox of [defaultSandbox, ...others]) this.#follow(sandbox);
    if (this.#beginnings.length === 0) {
      await this.#folder.begin(defaultSandbox);
      return;
    }
    const { found, clockLag } = this.#folder;
    for (const sandbox of [defaultSandbox, ...others]) {
      const stored = found.get(sandbox.name);
      if (stored) this.#folder.resume(sandbox, stored);
      // A running clock never goes back.
      if (clockLag > 0 && !sandbox.clock.read().frozen) sandbox.clock.advance(clockLag);
    }
  }

  saved(): Promise<void> {
    return this.#folder.saved();
  }

  /** A folder keeps only sandboxes that are kept on request. */
  add(): void {}

  keep(sandbox: Sandbox): void {
    this.#follow(sandbox);
    this.#folder.keep(sandbox);
  }

  /** Keeps the requests of a sandbox from now on. */
  #follow(sandbox: Sandbox): void {
    const { name, observed } = sandbox;
    sandbox.isKept = true;
    this.#kept.add(sandbox);
    const journal = this.#journal;
    if (!journal) return;
    observed.journal.follow({
      recorded() {},
      ended: (exchange) => journal.append(name, toStoredRequest(exchange)),
      cleared: () => journal.clear(name),
    });
  }

  drop(sandbox: Sandbox): void {
    if (!this.#kept.delete(sandbox)) return;
    sandbox.observed.journal.clear();
    this.#folder.drop(sandbox.name);
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#closeFiles();
    return this.#closing;
  }

  async #closeFiles(): Promise<void> {
    try {
      await this.#journal?.close();
    } finally {
      await this.#folder.close();
    }
  }
}

/** The default sandbox comes first. Sandboxes that began with the same seed share it. */
function toBeginnings(found: DataFolder['found']): Beginning[] {
  const seeds = new Map<StoredSeed, Seed>();
  const toSeed = (stored: StoredSeed): Seed => {
    const seed = seeds.get(stored) ?? Seed.withFixedTimes(stored);
    seeds.set(stored, seed);
    return seed;
  };
  const all = [...found].map(([name, { seed, contents, origin }]) => ({ name, seed: toSeed(seed), contents, origin }));
  return all.sort((a, b) => a.name.length - b.name.length);
}
