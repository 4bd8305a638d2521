import { ApiError, reasonFor } from '../lib/errors.js';
import type { Timer } from '../platform/system-timers.js';
import type { Line } from './lines.js';
import type { Lock } from './lock.js';
import type { SyncMode } from './sync-modes.js';
import { LineFile } from './write-files.js';

/** Milliseconds until lines are synced in the mode `lazy`. */
const DELAY_MS = 100;

/** A file is rewritten once it has grown by its own length, and by this many bytes. */
const MIN_GROWTH = 16 * 1024 * 1024;

interface Waiting {
  readonly texts: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** The new file that lacks these lines. */
  readonly rewrite: Rewrite | undefined;
}

/** A new file that replaces the old one. */
interface Rewrite {
  /** The lines that were written to the old file meanwhile. */
  readonly copied: string[];
  /** The new file, once it is written. */
  file?: LineFile;
}

export interface LogOptions {
  readonly sync: SyncMode;
  /** Called when nothing can be written any more. */
  readonly onFailure: (error: Error) => void;
  /** Bytes by which the file grows at least before it is rewritten. Default: 16 MiB */
  readonly growth?: number | undefined;
}

/** A file of lines that is appended to. Lines that wait together are written and synced together. */
export class Log {
  readonly #lock: Lock;
  readonly #options: LogOptions;
  #file: LineFile;
  /** Bytes that are synced. */
  #durable: number;
  /** Bytes of the lines whose writers have a response. */
  #kept: number;
  #rewriteAt: number;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #timer: Timer | undefined;
  #failure: ApiError | undefined;
  #rewrite: Rewrite | undefined;
  /** Work alongside the groups of lines: a late sync, and a new file. */
  #syncing: Promise<void> | undefined;
  #rewriting: Promise<void> | undefined;
  #isClosing = false;

  /** @param begin bytes of the file that were written at once, before the changes */
  constructor(file: LineFile, begin: number, lock: Lock, options: LogOptions) {
    this.#lock = lock;
    this.#file = file;
    this.#durable = file.length;
    this.#kept = file.length;
    this.#options = options;
    this.#rewriteAt = this.#growFrom(begin);
  }

  get path(): string {
    return this.#file.path;
  }

  /** Why nothing can be written any more. */
  get failure(): ApiError | undefined {
    return this.#lock.loss ?? this.#failure;
  }

  /** Appends lines, all or none. Resolves once they are durable; in the mode `lazy`, once they are written. */
  append(lines: readonly Line[]): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    if (this.#isClosing) return Promise.reject(new ApiError(503, `${this.path} is closed.`));
    const texts = lines.map((line, i) => JSON.stringify(i < lines.length - 1 ? { ...line, more: true } : line));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ texts, resolve, reject, rewrite: this.#rewrite });
      // Later, so that the requests that arrive together are written together.
      this.#running ??= new Promise<void>((start) => this.#lock.timers.setImmediate(start)).then(() => this.#run());
    });
  }

  /** Resolves once all lines so far are durable, in the mode `lazy` too. */
  async synced(): Promise<void> {
    while (this.#running) await this.#running;
    if (this.#options.sync === 'lazy' && !this.failure) {
      this.#timer?.cancel();
      this.#syncLater();
      await this.#syncing;
    }
    if (this.failure) throw this.failure;
  }

  #growFrom(length: number): number {
    return length + Math.max(this.#options.growth ?? MIN_GROWTH, length);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One that was begun before the end may be incomplete.
      if (this.#rewrite?.file && !this.#isClosing) await this.#replace(this.#rewrite, this.#rewrite.file);
      const group = this.#waiting;
      this.#waiting = [];
      for (const { rewrite, texts } of group) if (rewrite === this.#rewrite) rewrite?.copied.push(...texts);
      try {
        if (this.failure) throw this.failure;
        await this.#write(group.flatMap(({ texts }) => texts));
        // A sync of earlier lines may have failed meanwhile.
        if (this.#failure) throw this.#failure;
        this.#kept = this.#file.length;
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.fail(error, group);
      }
    }
    this.#running = undefined;
  }

  async #write(texts: readonly string[]): Promise<void> {
    // This also reads the length of the file, without which a refused write could not be cut off.
    this.#assertOwn();
    await this.#file.append(texts, this.#durable);
    if (this.#options.sync === 'full') await this.#sync();
    else this.#timer ??= this.#lock.timers.setTimeout(() => this.#syncLater(), DELAY_MS);
    // The next process takes the lock before it reads, so it reads what was written while the lock was held.
    this.#assertOwn();
  }

  /** @throws Error when another process has the folder, or has changed the file */
  #assertOwn(): void {
    this.#lock.assertHeld();
    this.#file.assertIntact();
  }

  async #sync(): Promise<void> {
    const { length } = this.#file;
    await this.#file.handle.datasync();
    this.#durable = length;
  }

  #syncLater(): void {
    this.#timer = undefined;
    this.#syncing = this.#sync().catch((error) => this.fail(error));
  }

  /** Writes nothing any more: a disk that failed once may have lost what it accepted, so nothing is tried again. */
  fail(cause: unknown, group: readonly Waiting[] = []): void {
    const refused = [...group, ...this.#waiting];
    this.#waiting = [];
    const isFirst = !this.#failure;
    this.#failure ??=
      this.#lock.loss ??
      new ApiError(
        503,
        `Cannot write to ${this.path}: ${reasonFor(cause)}. The emulator is read-only now. Fix the disk and restart it.`,
      );
    for (const { reject } of refused) reject(this.#failure);
    // Changes whose clients got an error must not come back.
    this.#file.cut(this.#kept, this.#lock);
    if (isFirst) this.#options.onFailure(this.#failure);
  }

  /** Whether the file has grown so much that it is worth to write it again. */
  get isLarge(): boolean {
    return this.#file.length > this.#rewriteAt;
  }

  /**
   * Writes the file again, in the background. The next group of lines replaces it.
   * @param lines say all that the lines so far say. What they say must not depend on later ones
   */
  compact(lines: Iterable<Line>): Promise<void> {
    if (this.#rewrite) return Promise.resolve();
    const rewrite: Rewrite = { copied: [] };
    this.#rewrite = rewrite;
    this.#rewriteAt = Number.POSITIVE_INFINITY;
    const wanted = takeUntil(lines, () => this.#isClosing || this.failure !== undefined);
    this.#rewriting = LineFile.create(this.path, this.#lock, wanted).then(
      (file) => {
        rewrite.file = file;
      },
      () => this.#dropRewrite(),
    );
    return this.#rewriting;
  }

  /** Continues with the old file, which is as good as a new one. */
  #dropRewrite(): void {
    this.#rewrite = undefined;
    this.#rewriteAt = this.#growFrom(this.#file.length);
  }

  /** Appends the lines that came meanwhile to the new file, and continues with it. */
  async #replace({ copied }: Rewrite, file: LineFile): Promise<void> {
    const begin = file.length;
    try {
      await file.append(copied, begin);
      await file.handle.sync();
    } catch {
      await file.discard(this.#lock);
      this.#dropRewrite();
      return;
    }
    this.#rewrite = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#syncing;
    if (this.#failure) return;
    try {
      await this.#file.handle.close();
      await file.replace(this.#lock);
      this.#file = file;
      this.#durable = file.length;
      this.#kept = file.length;
      this.#rewriteAt = this.#growFrom(begin);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Writes what waits, syncs it and closes the file. A new file that is not complete is dropped. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#running) await this.#running;
    this.#timer?.cancel();
    await this.#syncing;
    await this.#rewriting;
    try {
      if (!this.#failure) await this.#sync();
    } catch (error) {
      this.fail(error);
    }
    await this.#file.handle.close();
    await this.#rewrite?.file?.discard(this.#lock);
  }
}

function* takeUntil<T>(items: Iterable<T>, isOver: () => boolean): Generator<T> {
  for (const item of items) {
    if (isOver()) return;
    yield item;
  }
}
