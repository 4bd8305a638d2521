import { fstatSync, ftruncateSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import timers from 'node:timers';
import { ApiError, reasonFor } from '../lib/errors.js';
import { newName } from './file-names.js';
import type { Line } from './lines.js';
import type { SyncMode } from './sync-modes.js';
import { removeUnfinished, renameNewFile, writeLines, writeNewFile } from './write-files.js';

/** Milliseconds until lines are synced in the mode `lazy`. */
const DELAY_MS = 100;

/** Taken before a test runner replaces them: disks have real time. */
const { setImmediate, setTimeout, clearTimeout } = timers;

/** A file is written anew once it has grown by its own length, and by this many bytes. */
const MIN_GROWTH = 16 * 1024 * 1024;

export interface FileLengths {
  /** Bytes of the file that are good: the others are cut. */
  readonly length: number;
  /** Bytes of it that were written at once, before the changes. */
  readonly begin: number;
}

interface Waiting {
  readonly texts: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A new file that replaces the old one. */
interface Rewrite {
  /** The lines that were written to the old file meanwhile. */
  readonly copied: string[];
  /** The length of the new file, once it is written. */
  length?: number;
}

export interface LogOptions {
  readonly sync: SyncMode;
  /** Called when nothing can be written any more. */
  readonly onFailure: (error: Error) => void;
  /** Describes all that the lines so far say, shorter than they do. What it yields must not depend on later lines. */
  readonly describe: () => Iterable<Line>;
  /** Bytes by which the file grows at least before it is written anew. Default: 16 MiB */
  readonly growth?: number | undefined;
}

/** A file of lines that is appended to. Lines that wait together are written and synced together. */
export class Log {
  readonly #path: string;
  readonly #options: LogOptions;
  #file: FileHandle;
  /** Bytes that are written, and those of them that are synced. */
  #length: number;
  #durable: number;
  /** Bytes of the lines whose writers have a response. */
  #kept: number;
  #rewriteAt: number;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: ApiError | undefined;
  #rewrite: Rewrite | undefined;
  /** What goes on next to the groups of lines: a late sync, and a new file. */
  #syncing: Promise<void> | undefined;
  #rewriting: Promise<void> | undefined;
  #isClosing = false;

  private constructor(path: string, file: FileHandle, { length, begin }: FileLengths, options: LogOptions) {
    this.#path = path;
    this.#file = file;
    this.#length = length;
    this.#durable = length;
    this.#kept = length;
    this.#options = options;
    this.#rewriteAt = this.#growFrom(begin);
  }

  static async open(path: string, lengths: FileLengths, options: LogOptions): Promise<Log> {
    const file = await open(path, 'r+');
    await file.truncate(lengths.length);
    await file.datasync();
    return new Log(path, file, lengths, options);
  }

  /** Why nothing can be written any more. */
  get failure(): ApiError | undefined {
    return this.#failure;
  }

  /** Appends lines. Resolves once they are durable; in the mode `lazy`, once they are written. */
  append(lines: Iterable<Line>): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#isClosing) return Promise.reject(new ApiError(503, `${this.#path} is closed.`));
    const texts = Array.from(lines, (line) => JSON.stringify(line));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ texts, resolve, reject });
      // Later, so that the requests that arrive together are written together.
      this.#running ??= new Promise<void>((start) => setImmediate(start)).then(() => this.#run());
    });
  }

  #growFrom(length: number): number {
    return length + Math.max(this.#options.growth ?? MIN_GROWTH, length);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#rewrite?.length !== undefined) await this.#replace(this.#rewrite, this.#rewrite.length);
      const group = this.#waiting;
      this.#waiting = [];
      // What the sandboxes are now includes this group, and nothing after it.
      const copied = this.#rewrite?.copied;
      if (this.#length > this.#rewriteAt) this.#beginRewrite();
      try {
        const texts = group.flatMap((each) => each.texts);
        copied?.push(...texts);
        await this.#write(texts);
        // A sync of earlier lines may have failed meanwhile.
        if (this.#failure) throw this.#failure;
        this.#kept = this.#length;
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#fail(error, group);
      }
    }
    this.#running = undefined;
  }

  async #write(texts: readonly string[]): Promise<void> {
    this.#length = await writeLines(this.#file, texts, this.#length, this.#durable);
    if (this.#options.sync === 'full') await this.#sync();
    else this.#timer ??= setTimeout(() => this.#syncLater(), DELAY_MS);
    // A file that was deleted can still be written to.
    if (fstatSync(this.#file.fd).nlink === 0) throw new Error('the file was deleted');
  }

  async #sync(): Promise<void> {
    const length = this.#length;
    await this.#file.datasync();
    this.#durable = length;
  }

  #syncLater(): void {
    this.#timer = undefined;
    this.#syncing = this.#sync().catch((error) => this.#fail(error));
  }

  /** A disk that failed once may have lost what it accepted, so nothing is tried again. */
  #fail(cause: unknown, group: readonly Waiting[] = []): void {
    const refused = [...group, ...this.#waiting];
    this.#waiting = [];
    const isFirst = !this.#failure;
    this.#failure ??= new ApiError(
      503,
      `Nothing can be written to ${this.#path}: ${reasonFor(cause)}. Reads go on. Start the emulator again when the disk is in order.`,
    );
    for (const { reject } of refused) reject(this.#failure);
    try {
      // Changes whose clients got an error must not come back.
      ftruncateSync(this.#file.fd, this.#kept);
    } catch {
      // Incomplete lines at the end are left out when the file is read.
    }
    if (isFirst) this.#options.onFailure(this.#failure);
  }

  /** Writes the file anew, in the background. The next group of lines replaces it. */
  #beginRewrite(): void {
    const rewrite: Rewrite = { copied: [] };
    this.#rewrite = rewrite;
    this.#rewriteAt = Number.POSITIVE_INFINITY;
    const lines = takeUntil(this.#options.describe(), () => this.#isClosing || this.#failure !== undefined);
    this.#rewriting = writeNewFile(this.#path, lines).then(
      (length) => {
        rewrite.length = length;
      },
      () => this.#dropRewrite(),
    );
  }

  /** Goes on with the old file, which is as good as a new one. */
  #dropRewrite(): void {
    this.#rewrite = undefined;
    this.#rewriteAt = this.#growFrom(this.#length);
    removeUnfinished(this.#path);
  }

  /** Appends to the new file what came meanwhile, and goes on with it. */
  async #replace({ copied }: Rewrite, begin: number): Promise<void> {
    let length: number;
    try {
      const file = await open(newName(this.#path), 'r+');
      try {
        length = await writeLines(file, copied, begin, begin);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch {
      this.#dropRewrite();
      return;
    }
    this.#rewrite = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#syncing;
    if (this.#failure) return;
    try {
      // Windows renames no open files.
      await this.#file.close();
      await renameNewFile(this.#path);
      this.#file = await open(this.#path, 'r+');
      this.#length = length;
      this.#durable = length;
      this.#kept = length;
      this.#rewriteAt = this.#growFrom(begin);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes what waits, syncs it and closes the file. A new file that is not complete is dropped. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#running) await this.#running;
    clearTimeout(this.#timer);
    await this.#syncing;
    await this.#rewriting;
    try {
      if (!this.#failure) await this.#sync();
    } catch (error) {
      this.#fail(error);
    }
    await this.#file.close();
    removeUnfinished(this.#path);
  }
}

function* takeUntil<T>(items: Iterable<T>, isOver: () => boolean): Generator<T> {
  for (const item of items) {
    if (isOver()) return;
    yield item;
  }
}
