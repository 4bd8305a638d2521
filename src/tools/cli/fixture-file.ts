import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { type CliIo, fail } from './command.js';
import { quoteName } from './io.js';
import { writeFiles } from './output.js';
import type { AnyEmulator } from './start-service.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A fixture file that was loaded, to which the changes can be written back. */
export class FixtureFile {
  readonly path: string;
  /** The hash of the text that was loaded, or written since. */
  #hash: string;
  #hasWritten = false;

  private constructor(path: string) {
    this.path = path;
    this.#hash = hash(readFileSync(path, 'utf8'));
  }

  /** Opens a file before it is loaded. Undefined for a folder, and for what the loader reports. */
  static open(path: string): FixtureFile | undefined {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? new FixtureFile(path) : undefined;
  }

  /** Whether the file is as this object wrote it. */
  get isOwnWrite(): boolean {
    return this.#hasWritten && this.#read() !== undefined;
  }

  /** Writes the records of the default sandbox. Returns whether the text has changed. @throws CliError for a changed file */
  async write(io: CliIo, { store, clock }: AnyEmulator): Promise<boolean> {
    const text = this.#read();
    if (text === undefined) {
      const advice = 'Write another file by val-emulator state --relative --brief --out FILE.';
      fail(`${quoteName(this.path)} was changed since it was loaded, so nothing is written. ${advice}`);
    }
    const { writeBack } = await import('#engine/seed/write-back.js');
    const written = writeBack(text, this.path, store.state, clock.now.getTime());
    if (written === text) return false;
    await writeFiles(io, [{ path: this.path, chunks: [written] }], { label: 'w', isInterruptible: false });
    this.#hash = hash(written);
    this.#hasWritten = true;
    return true;
  }

  /** Returns the text. Undefined if it has changed, or the file is gone. */
  #read(): string | undefined {
    try {
      const text = readFileSync(this.path, 'utf8');
      return hash(text) === this.#hash ? text : undefined;
    } catch {
      return undefined;
    }
  }
}
