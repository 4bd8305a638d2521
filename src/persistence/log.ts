import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import timers from 'node:timers';
import { ApiError } from '../lib/errors.js';
import { formatLine, type Line } from './lines.js';
import type { SyncMode } from './sync-modes.js';

/** Milliseconds until changes that are not urgent are written, and until lazy ones are synced. */
const DELAY_MS = 100;

/** Taken before a test runner replaces them: disks have real time. */
const { setImmediate, setTimeout, clearTimeout } = timers;

/** A file is written anew once it has grown by its own length, and by this many bytes. */
const MIN_GROWTH = 16 * 1024 * 1024;

const growFrom = (length: number): number => length + Math.max(MIN_GROWTH, length);

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
}

/** A file of lines that is appended to. Lines that wait together are written and synced together. */
export class Log {
  readonly #path: string;
  readonly #options: LogOptions;
  #file: FileHandle;
  /** Bytes that are written, and those of them that are synced. */
  #length: number;
  #durable: number;
  #rewriteAt: number;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: ApiError | undefined;
  #rewrite: Rewrite | undefined;

  private constructor(path: string, file: FileHandle, { length, begin }: FileLengths, options: LogOptions) {
    this.#path = path;
    this.#file = file;
    this.#length = length;
    this.#durable = length;
    this.#rewriteAt = growFrom(begin);
    this.#options = options;
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
    const texts = Array.from(lines, (line) => JSON.stringify(line));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ texts, resolve, reject });
      // Later, so that the requests that arrive together are written together.
      this.#running ??= new Promise<void>((start) => setImmediate(start)).then(() => this.#run());
    });
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
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#fail(error, group);
      }
    }
    this.#running = undefined;
  }

  async #write(texts: readonly string[]): Promise<void> {
    const bytes = Buffer.from(texts.map((text) => formatLine(text, this.#durable)).join(''));
    await writeAll(this.#file, bytes, this.#length);
    this.#length += bytes.length;
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
    this.#sync().catch((error) => this.#fail(error));
  }

  /** A disk that failed once may have lost what it accepted, so nothing is tried again. */
  #fail(cause: unknown, group: readonly Waiting[] = []): void {
    const refused = [...group, ...this.#waiting];
    this.#waiting = [];
    const isFirst = !this.#failure;
    this.#failure ??= new ApiError(
      503,
      `Nothing can be written to ${this.#path}: ${toMessage(cause)}. Reads go on. Start the emulator again when the disk is in order.`,
    );
    for (const { reject } of refused) reject(this.#failure);
    if (!isFirst) return;
    this.#options.onFailure(this.#failure);
    try {
      // Changes whose clients got an error must not come back.
      ftruncateSync(this.#file.fd, this.#durable);
    } catch {
      // Incomplete lines at the end are left out when the file is read.
    }
  }

  /** Writes the file anew, in the background. The next group of lines replaces it. */
  #beginRewrite(): void {
    const rewrite: Rewrite = { copied: [] };
    this.#rewrite = rewrite;
    this.#rewriteAt = Number.POSITIVE_INFINITY;
    writeFile(`${this.#path}.new`, this.#options.describe()).then(
      (length) => {
        rewrite.length = length;
      },
      (error) => this.#fail(error),
    );
  }

  /** Appends to the new file what came meanwhile, and goes on with it. */
  async #replace({ copied }: Rewrite, length: number): Promise<void> {
    this.#rewrite = undefined;
    const path = `${this.#path}.new`;
    try {
      const bytes = Buffer.from(copied.map((text) => formatLine(text, length)).join(''));
      const file = await open(path, 'r+');
      await writeAll(file, bytes, length);
      await file.sync();
      await file.close();
      // Windows renames no open files.
      await this.#file.close();
      await rename(path, this.#path);
      syncFolder(dirname(this.#path));
      this.#file = await open(this.#path, 'r+');
      this.#length = length + bytes.length;
      this.#durable = this.#length;
      this.#rewriteAt = growFrom(length);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes what waits, syncs it and closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (!this.#failure) await this.#sync();
    await this.#file.close();
  }
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

const WRITE_SIZE = 1024 * 1024;

/** Writes lines to a file, which is new or replaced, and returns its length. It is durable, its name is not yet. */
export async function writeFile(path: string, lines: Iterable<Line>): Promise<number> {
  const file = await open(path, 'w');
  try {
    let length = 0;
    let text = '';
    const flush = async () => {
      const bytes = Buffer.from(text);
      await writeAll(file, bytes, length);
      length += bytes.length;
      text = '';
    };
    for (const line of lines) {
      text += formatLine(JSON.stringify(line), length);
      if (text.length >= WRITE_SIZE) await flush();
    }
    await flush();
    await file.sync();
    return length;
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder, and needs no sync of it.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
