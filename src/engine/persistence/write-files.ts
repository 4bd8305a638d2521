import { constants } from 'node:fs';
import { type Disk, type DiskFile, syncFolder } from './disk.js';
import { epochOf } from './file-names.js';
import { formatLines, type Line, NO_LINE } from './lines.js';
import type { Lock } from './lock.js';

const WRITE_SIZE = 1024 * 1024;

/** A file is never made by accident: another process may have renamed it. */
const APPEND = constants.O_RDWR | constants.O_APPEND;
const CREATE = constants.O_CREAT | constants.O_TRUNC | APPEND;

/** A process that takes the folder removes it: then no other one can put it in place any more. */
const draftOf = (path: string, { id }: Lock): string => `${path}.${id}.new`;

/** A file that one process appends lines to, in one epoch. */
export class LineFile {
  readonly path: string;
  handle: DiskFile;
  /** Bytes that it has, as far as this process knows. */
  length: number;
  /** Checksum of the last line. */
  last = NO_LINE;
  readonly #disk: Disk;

  private constructor(path: string, handle: DiskFile, disk: Disk) {
    this.path = path;
    this.handle = handle;
    this.length = disk.fstatSync(handle.fd).size;
    this.#disk = disk;
  }

  /** Opens a file to append to it. */
  static async open(path: string, disk: Disk): Promise<LineFile> {
    return new LineFile(path, await disk.promises.open(path, APPEND), disk);
  }

  /** Writes lines to a new file that is to replace another one, if there is one. It is durable. */
  static async create(path: string, lock: Lock, lines: Iterable<Line>): Promise<LineFile> {
    const file = new LineFile(path, await lock.disk.promises.open(draftOf(path, lock), CREATE), lock.disk);
    try {
      await file.append(toJson(lines), 0);
      await file.handle.sync();
      return file;
    } catch (error) {
      await file.discard(lock);
      throw error;
    }
  }

  /** Appends lines, in pieces. @param durable length of the file that is synced */
  async append(jsons: Iterable<string>, durable: number): Promise<void> {
    // They never continue a line that was torn.
    let text = this.length === 0 ? '' : '\n';
    for (const line of formatLines(jsons, durable, epochOf(this.path), this.last)) {
      this.last = line.slice(0, NO_LINE.length);
      text += line;
      if (text.length < WRITE_SIZE) continue;
      await this.#write(text);
      text = '';
    }
    await this.#write(text);
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    let { bytesWritten: written } = await this.handle.write(bytes);
    this.length += written;
    while (written < bytes.length) {
      // At once: the rest of a line must not come after what another process appends.
      if (!this.#isAtEnd) throw new Error('another process has appended to the file');
      const more = this.#disk.writeSync(this.handle.fd, bytes, written);
      written += more;
      this.length += more;
    }
  }

  /** Whether nothing has come after what this process has written. */
  get #isAtEnd(): boolean {
    return this.#disk.fstatSync(this.handle.fd).size === this.length;
  }

  /** @throws Error for a file that is not as this process has left it, except for what others have appended */
  assertIntact(): void {
    const { ino, size } = this.#disk.fstatSync(this.handle.fd);
    const named = this.#disk.statSync(this.path, { throwIfNoEntry: false });
    if (!named) throw new Error('the file was deleted');
    if (named.ino !== ino) throw new Error('the file was replaced');
    if (size < this.length) throw new Error(`the file was cut to ${size} of its ${this.length} bytes`);
    this.length = size;
  }

  /**
   * Cuts off what was written last, unless another process may have read it or appended to it.
   * @returns whether it was cut, durably
   */
  cut(length: number, lock: Lock): boolean {
    try {
      if (!lock.isHeld || !this.#isAtEnd) return false;
      this.#disk.ftruncateSync(this.handle.fd, length);
      this.length = length;
      // What was cut must not come back after a power cut.
      this.#disk.fsyncSync(this.handle.fd);
      return true;
    } catch {
      return false;
    }
  }

  /** Puts a new file in place of the one at its path. @throws ApiError when another process has the folder */
  async replace(lock: Lock): Promise<this> {
    // Windows renames no open files.
    await this.handle.close();
    lock.assertHeld();
    this.#disk.renameSync(draftOf(this.path, lock), this.path);
    await syncFolder(lock.folder, this.#disk);
    this.handle = await this.#disk.promises.open(this.path, APPEND);
    return this;
  }

  /** Removes a new file that has not replaced another one. */
  async discard(lock: Lock): Promise<void> {
    await this.handle.close();
    if (lock.isHeld) this.#disk.rmSync(draftOf(this.path, lock), { force: true });
  }
}

function* toJson(lines: Iterable<Line>): Generator<string> {
  for (const line of lines) yield JSON.stringify(line);
}
