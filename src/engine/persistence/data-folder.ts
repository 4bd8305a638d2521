import { join } from 'node:path';
import { readClock, setClock } from '../clock/clock.state.js';
import type { Definitions } from '../definition/definitions.js';
import type { Exchange } from '../journal/exchange.js';
import { JOURNAL_LENGTH } from '../journal/journal.js';
import { DataError } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';
import type { Timers } from '../platform/system-timers.js';
import type { Settings, State } from '../state/state.js';
import { countSurplus, describeChange, describeCommit, describeSandbox, describeSeed } from './describe.js';
import { type Disk, syncParents, systemDisk } from './disk.js';
import { assertOwn, findFile, LOCK_FILE } from './file-names.js';
import { describeAll, type NamedSandbox, openLog, toDataError } from './folder-log.js';
import { JournalFile } from './journal-file.js';
import type { Line } from './lines.js';
import { Lock, type LockTimes } from './lock.js';
import { Log, type LogOptions } from './log.js';
import { Replay, type StoredSeed } from './replay.js';
import { toExchanges, toStoredRequest } from './requests.js';
import type { ListSandboxes, SandboxChange, SeedData, Storage, StoredSandbox } from './storage.js';
import { LineFile } from './write-files.js';

/** Milliseconds until changes that are not urgent are written. */
const DELAY_MS = 100;

export interface DataFolderOptions extends LogOptions {
  readonly systemTime: () => Instant;
  readonly definitions: Definitions;
  /** Settings that replace the stored ones. */
  readonly settings: Partial<Settings>;
  readonly keepJournal?: boolean;
  /** Whether it begins again: what it has is lost then. */
  readonly reseed?: boolean;
  readonly lockTimes?: LockTimes | undefined;
  /** Default: the disk of the system */
  readonly disk?: Disk | undefined;
  /** Default: the time of the system */
  readonly timers?: Timers | undefined;
}

/** A folder that keeps sandboxes. Only this process uses it. */
export class DataFolder implements Storage {
  readonly path: string;
  readonly keepsAll = false;
  /** Bytes of an incomplete write that were skipped. */
  readonly torn: number;
  readonly #lock: Lock;
  readonly #options: DataFolderOptions;
  readonly #replay: Replay;
  /** Milliseconds by which the clock of the machine is behind its time at the last sign of use. */
  readonly #clockLag: number;
  /** The names of the sandboxes that it keeps. */
  readonly #names = new Set<string>();
  readonly #seeds = new WeakMap<State, StoredSeed>();
  /** The seeds that lines may refer to. */
  #written = new Set<StoredSeed>();
  #nextSeed = 1;
  /** Changes of counters that wait to be written as one. */
  readonly #delayed = new Map<string, { readonly before: State; after: State }>();
  #isNew: boolean;
  #log: Log | undefined;
  #journal: JournalFile | undefined;
  #saved: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(
    lock: Lock,
    options: DataFolderOptions,
    replay: Replay,
    opened: Awaited<ReturnType<typeof openLog>>,
    lastUse: Instant,
  ) {
    this.path = lock.folder;
    this.torn = opened?.torn ?? 0;
    this.#lock = lock;
    this.#replay = replay;
    this.#clockLag = Math.max(0, lastUse - options.systemTime());
    this.#options = options;
    this.#isNew = !opened || options.reseed === true;
    if (opened) this.#log = new Log(opened.file, opened.begin, lock, options);
    lock.onLoss = (loss) => this.#log?.fail(loss);
  }

  /**
   * Opens a folder, which is created if it is missing.
   * @throws DataError for a folder that cannot be used, is in use, or whose data are damaged; nothing has changed then
   */
  static async open(path: string, options: DataFolderOptions): Promise<DataFolder> {
    let lock: Lock | undefined;
    let folder: DataFolder | undefined;
    const { disk = systemDisk } = options;
    try {
      if (disk.statSync(path, { throwIfNoEntry: false })?.isFile())
        throw new DataError(`${path} is a file. Name a folder.`);
      disk.mkdirSync(path, { recursive: true });
      // Also above a folder that exists: it may be a copy, or a process may have been killed here.
      await syncParents(path, disk);
      assertOwn(path, disk);
      const lastUse = Math.max(
        readTime(findFile(path, 'log', disk) ?? '', disk),
        readTime(join(path, LOCK_FILE), disk),
      );
      lock = await Lock.take(path, disk, options.lockTimes, options.timers);
      const replay = new Replay(options.definitions, options.settings);
      folder = new DataFolder(lock, options, replay, await openLog(lock, replay), lastUse);
      if (options.keepJournal) folder.#journal = await JournalFile.open(lock, folder.#isNew);
      return folder;
    } catch (error) {
      await folder?.close();
      lock?.release();
      throw toDataError(`${path} cannot be opened`, error);
    }
  }

  get failure(): Error | undefined {
    return this.#log?.failure;
  }

  get isLarge(): boolean {
    return this.#log?.isLarge || this.#journal?.isLarge || false;
  }

  async load(): Promise<readonly StoredSandbox[]> {
    const { seeds, sandboxes } = this.#replay;
    for (const { id } of seeds) this.#nextSeed = Math.max(this.#nextSeed, Number(id) + 1);
    if (this.#isNew) return [];
    this.#written = new Set(seeds);
    for (const seed of seeds) this.#seeds.set(seed.state, seed);
    const all = [...sandboxes].map(([name, { contents, ...stored }]): StoredSandbox => {
      this.#names.add(name);
      const requests = this.#journal?.found.get(name)?.slice(-JOURNAL_LENGTH) ?? [];
      return {
        ...{ name, ...stored, contents: this.#catchUp(name, contents), exchanges: toExchanges(requests, name) },
        lastRequest: this.#journal?.lastNumber(name) ?? 0,
      };
    });
    return all.sort((a, b) => a.name.length - b.name.length);
  }

  /** Sets a running clock forward, which never goes back. */
  #catchUp(name: string, contents: StoredSandbox['contents']): StoredSandbox['contents'] {
    const { state } = contents;
    if (this.#clockLag === 0 || 'frozenAt' in state.clock) return contents;
    const now = this.#options.systemTime();
    const clock = setClock(state.clock, now, readClock(state.clock, now) + this.#clockLag);
    void this.#write(describeCommit(name, state, { ...state, clock }));
    return { ...contents, state: { ...state, clock } };
  }

  append(name: string, change: SandboxChange): Promise<void> | undefined {
    if (change.type === 'open') this.#names.add(name);
    if (!this.#names.has(name)) return undefined;
    switch (change.type) {
      case 'open': {
        // An earlier process may have lost a sandbox of this name, but not its requests.
        this.#journal?.clear(name, true);
        const seed = this.#storeSeed(change.sandbox.seed);
        return this.#write([...this.#describeSeed(seed), ...describeSandbox(name, { ...change.sandbox, seed })]);
      }
      case 'contents': {
        const { change: made, before, isUrgent } = change;
        if (!isUrgent && made.type === 'commit') return this.#delay(name, made.before, made.after);
        this.#flush(name);
        const seed = this.#storeSeed(change.seed);
        return this.#write([...this.#describeSeed(seed), ...describeChange(name, seed, made, before)]);
      }
      case 'reseed': {
        const seed = this.#storeSeed(change.seed);
        return this.#write([...this.#describeSeed(seed), { type: 'reseed', sandbox: name, seed: seed.id }]);
      }
      case 'clear':
        this.#journal?.clear(name, change.isReset);
        return undefined;
      case 'close':
        this.#names.delete(name);
        this.#delayed.delete(name);
        this.#journal?.clear(name, true);
        return this.#write([{ type: 'close', sandbox: name }]);
    }
  }

  ended(exchange: Exchange): void {
    if (this.#names.has(exchange.sandbox)) this.#journal?.append(exchange.sandbox, toStoredRequest(exchange));
  }

  async saved(): Promise<void> {
    for (const name of this.#delayed.keys()) this.#flush(name);
    await this.#saved;
  }

  /** Resolves once all changes so far are durable, in the mode `lazy` too. */
  async synced(): Promise<void> {
    await this.saved();
    await this.#log?.synced();
  }

  async compact(list: ListSandboxes): Promise<void> {
    const isLarge = this.#log?.isLarge === true;
    const all = list(isLarge ? countSurplus : undefined).map((stored) => ({
      ...stored,
      seed: this.#storeSeed(stored.seed),
    }));
    if (this.#isNew || isLarge) {
      this.#written = new Set(all.map(({ seed }) => seed));
      await (this.#isNew ? this.#begin(all) : this.#log?.compact(describeAll(all)));
    }
    if (!this.#journal?.isLarge) return;
    const journals = all.map(({ name, exchanges }) => [name, exchanges.map(toStoredRequest)] as const);
    await this.#journal.compact(journals);
  }

  /** Writes the data of a new folder. Existing data are replaced. */
  async #begin(all: readonly NamedSandbox[]): Promise<void> {
    this.#isNew = false;
    for (const { name } of all) this.#names.add(name);
    try {
      const path = this.#log?.path ?? join(this.path, 'log.1.ndjson');
      await this.#log?.close();
      this.#log = undefined;
      const file = await (await LineFile.create(path, this.#lock, describeAll(all))).replace(this.#lock);
      this.#log = new Log(file, file.length, this.#lock, this.#options);
    } catch (error) {
      await this.close();
      throw toDataError(`${this.path} cannot be written to`, error);
    }
  }

  /** Writes what waits, closes the files and lets other processes use the folder. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.saved();
    } catch {
      // The failure was reported when it occurred.
    }
    try {
      await this.#journal?.close();
      await this.#log?.close();
      // The clock of the machine may be set back before the folder is opened again.
      const now = new Date(this.#options.systemTime());
      if (this.#log && this.#lock.isHeld) this.#lock.disk.utimesSync(this.#log.path, now, now);
    } catch {
      // The folder was removed.
    } finally {
      this.#lock.release();
    }
  }

  /** Returns the stored form of seed data: a new one for those that are not stored yet. */
  #storeSeed({ info, state }: SeedData): StoredSeed {
    const known = this.#seeds.get(state);
    if (known) return known;
    const seed = { id: String(this.#nextSeed++), info, state };
    this.#seeds.set(state, seed);
    return seed;
  }

  /** Describes a seed that lines cannot refer to yet. */
  #describeSeed(seed: StoredSeed): Line[] {
    if (this.#written.has(seed)) return [];
    this.#written.add(seed);
    return describeSeed(seed);
  }

  #delay(name: string, before: State, after: State): Promise<void> {
    const delayed = this.#delayed.get(name);
    if (delayed) delayed.after = after;
    else this.#delayed.set(name, { before, after });
    const { timers } = this.#lock;
    return new Promise<void>((resolve) => timers.setTimeout(resolve, DELAY_MS).unref()).then(() => this.#flush(name));
  }

  #flush(name: string): Promise<void> {
    const { before, after } = this.#delayed.get(name) ?? {};
    this.#delayed.delete(name);
    return this.#write(before && after ? describeCommit(name, before, after) : []);
  }

  #write(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0 || !this.#log) return this.#saved;
    this.#saved = this.#log.append(lines);
    // Those who wait for it handle the rejection.
    this.#saved.catch(() => {});
    return this.#saved;
  }
}

/** Returns when a file was last written to, rounded up to a millisecond. 0 for one that is missing. */
const readTime = (path: string, disk: Disk): Instant =>
  Math.ceil(disk.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
