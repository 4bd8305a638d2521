import { mkdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DataError, hasCode, reasonFor } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';
import type { Settings } from '../model/state.js';
import { assertOwn, findFile, LOCK_FILE } from './file-names.js';
import { damaged, type Line, makeHeader } from './lines.js';
import { Lock, type LockTimes } from './lock.js';
import { Log, type LogOptions } from './log.js';
import { openFile } from './open-file.js';
import { type ReadResult, readLines } from './read-lines.js';
import { type RecordedSandbox, SandboxRecorder, type SeedData } from './recorder.js';
import { describeSandbox, describeSeed, Replay, type StoredSandbox, type StoredSeed } from './replay.js';

import { LineFile } from './write-files.js';

export interface DataFolderOptions extends Omit<LogOptions, 'describe'> {
  /** The time of the machine. */
  readonly systemTime: () => Instant;
  /** Settings that replace the stored ones. */
  readonly settings: Partial<Settings>;
  readonly lockTimes?: LockTimes | undefined;
}

/** A folder that keeps sandboxes. Only this process uses it. */
export class DataFolder {
  readonly path: string;
  readonly lock: Lock;
  /** The sandboxes that were in the folder when it was opened, by name. Empty for a new folder. */
  readonly found: ReadonlyMap<string, StoredSandbox>;
  /** Bytes of an incomplete write that were left out. */
  readonly torn: number;
  /** Milliseconds by which the clock of the machine is behind its time at the last sign of use. */
  readonly clockLag: number;
  readonly #options: DataFolderOptions;
  readonly #recorders = new Map<string, SandboxRecorder>();
  readonly #seeds = new WeakMap<SeedData, StoredSeed>();
  #nextSeed = 1;
  #log: Log | undefined;
  /** The last write. */
  #written: Promise<void> = Promise.resolve();

  private constructor(lock: Lock, options: DataFolderOptions, replay: Replay, torn: number, lastUse: Instant) {
    this.path = lock.folder;
    this.lock = lock;
    this.found = replay.sandboxes;
    this.torn = torn;
    this.clockLag = Math.max(0, lastUse - options.systemTime());
    this.#options = options;
    for (const { id } of replay.seeds) this.#nextSeed = Math.max(this.#nextSeed, Number(id) + 1);
    lock.onLoss = (loss) => this.#log?.fail(loss);
  }

  /**
   * Opens a folder, which is created if it is missing.
   * @throws DataError for a folder that cannot be used, is in use, or whose data are damaged; nothing has changed then
   */
  static async open(path: string, options: DataFolderOptions): Promise<DataFolder> {
    let lock: Lock | undefined;
    try {
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) throw new DataError(`${path} is a file. Name a folder.`);
      mkdirSync(path, { recursive: true });
      assertOwn(path);
      const lastUse = Math.max(readTime(findFile(path, 'log') ?? ''), readTime(join(path, LOCK_FILE)));
      lock = await Lock.take(path, options.lockTimes);
      const replay = new Replay(options.settings);
      const opened = await openLog(lock, replay);
      const folder = new DataFolder(lock, options, replay, opened?.torn ?? 0, lastUse);
      if (opened) folder.#log = folder.#makeLog(opened.file, opened.begin);
      return folder;
    } catch (error) {
      lock?.release();
      throw toDataError(`${path} cannot be opened`, error);
    }
  }

  /** Why nothing can be written any more. */
  get failure(): Error | undefined {
    return this.#log?.failure;
  }

  /** Writes the data of a new folder: those of the default sandbox. Existing data are replaced. */
  async begin(sandbox: RecordedSandbox): Promise<void> {
    try {
      const path = this.#log?.path ?? join(this.path, 'log.1.ndjson');
      await this.#log?.close();
      this.#log = undefined;
      for (const recorder of this.#recorders.values()) recorder.close();
      this.#recorders.clear();
      this.#record(sandbox);
      const file = await (await LineFile.create(path, this.lock, this.#describe())).replace(this.lock);
      this.#log = this.#makeLog(file, file.length);
    } catch (error) {
      await this.close();
      throw toDataError(`${this.path} cannot be written to`, error);
    }
  }

  /** Keeps a sandbox that was found in the folder, with the same contents. */
  resume(sandbox: RecordedSandbox, { seed }: StoredSandbox): void {
    this.#seeds.set(sandbox.seed, seed);
    this.#record(sandbox);
  }

  /** Keeps another sandbox from now on. */
  keep(source: RecordedSandbox): void {
    const seed = this.#seeds.get(source.seed);
    // The file may have been written anew without a seed that nothing used.
    const isStored = [...this.#recorders.values()].some(({ sandbox }) => sandbox.seed === seed);
    const { sandbox } = this.#record(source);
    void this.#append([...(isStored ? [] : describeSeed(sandbox.seed)), ...describeSandbox(sandbox.name, sandbox)]);
  }

  /** Drops a sandbox. */
  drop(name: string): void {
    this.#recorders.get(name)?.close();
    if (this.#recorders.delete(name)) void this.#append([{ type: 'close', sandbox: name }]);
  }

  /** Resolves once all changes so far are durable. Rejects if they cannot be. */
  async saved(): Promise<void> {
    for (const recorder of this.#recorders.values()) void recorder.flush();
    await this.#written;
  }

  /** Writes what waits, closes the files and lets other processes use the folder. */
  async close(): Promise<void> {
    try {
      await this.saved();
    } catch {
      // The failure was reported when it occurred.
    }
    try {
      await this.#log?.close();
      // The clock of the machine may be set back before the folder is opened again.
      const now = new Date(this.#options.systemTime());
      if (this.#log && this.lock.isHeld) utimesSync(this.#log.path, now, now);
    } catch {
      // The folder was removed.
    } finally {
      this.lock.release();
    }
  }

  #record(sandbox: RecordedSandbox): SandboxRecorder {
    const folder = this;
    const recorder = new SandboxRecorder(sandbox, {
      get failure() {
        return folder.failure;
      },
      append: (lines) => folder.#append(lines),
      storeSeed: (data) => folder.#storeSeed(data),
    });
    this.#recorders.set(sandbox.name, recorder);
    sandbox.store.recordBy(recorder);
    return recorder;
  }

  #storeSeed(data: SeedData): StoredSeed {
    const known = this.#seeds.get(data);
    if (known) return known;
    const seed = { id: String(this.#nextSeed++), info: data.info, state: data.getState() };
    this.#seeds.set(data, seed);
    return seed;
  }

  #append(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0 || !this.#log) return this.#written;
    this.#written = this.#log.append(lines);
    // Those who wait for it handle the rejection.
    this.#written.catch(() => {});
    return this.#written;
  }

  #makeLog(file: LineFile, begin: number): Log {
    return new Log(file, begin, this.lock, { ...this.#options, describe: () => this.#describe() });
  }

  /** Describes the sandboxes as they are now. */
  #describe(): Iterable<Line> {
    return describeAll([...this.#recorders.values()].map(({ sandbox }) => sandbox));
  }
}

function* describeAll(sandboxes: readonly (StoredSandbox & { readonly name: string })[]): Generator<Line> {
  yield makeHeader();
  for (const seed of new Set(sandboxes.map((sandbox) => sandbox.seed))) yield* describeSeed(seed);
  for (const sandbox of sandboxes) yield* describeSandbox(sandbox.name, sandbox);
  yield { type: 'begin' };
}

/** Reads a log. @throws DataError for damaged data */
function readLog(path: string, replay: Replay): ReadResult {
  const result = readLines(path, (line) => replay.add(line));
  if (result.begin === 0 || !replay.sandboxes.has(''))
    throw damaged(path, 'the lines that it began with are incomplete');
  return result;
}

/** Reads a folder, also while an emulator uses it. @throws DataError for a folder without data, or with damaged ones */
export function readFolder(folder: string): Replay['sandboxes'] {
  const replay = new Replay();
  const found = findFile(folder, 'log');
  if (!found) throw new DataError(`${folder} has no data. val-emulator start --data begins a folder.`);
  readLog(found, replay);
  return replay.sandboxes;
}

const openLog = (lock: Lock, replay: Replay, isCompacted = false) =>
  openFile(
    lock,
    'log',
    (path) => readLog(path, replay),
    () => describeAll([...replay.sandboxes].map(([name, sandbox]) => ({ name, ...sandbox }))),
    isCompacted,
  );

/** Writes the data of a folder anew, without what cannot be reached any more. @throws DataError as for opening it */
export async function compactFolder(folder: string): Promise<{ readonly before: number; readonly after: number }> {
  // Before the lock, which is a file of the folder.
  readFolder(folder);
  const lock = await Lock.take(folder);
  try {
    const opened = await openLog(lock, new Replay(), true);
    await opened?.file.handle.close();
    return { before: opened?.before ?? 0, after: opened?.file.length ?? 0 };
  } catch (error) {
    throw toDataError(`${folder} cannot be written to`, error);
  } finally {
    lock.release();
  }
}

/** Returns when a file was last written to, rounded up to a millisecond. 0 for one that is missing. */
const readTime = (path: string): Instant => Math.ceil(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

function toDataError(problem: string, error: unknown): DataError {
  if (error instanceof DataError) return error;
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
    return new DataError(
      `${problem}: it is not writable (${reasonFor(error)}). val-emulator export --data can read it.`,
    );
  }
  return new DataError(`${problem}: ${reasonFor(error)}`);
}
