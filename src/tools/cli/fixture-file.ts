import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Definitions } from '#engine/definition/definitions.js';
import { KeptContents, namesContents } from '#engine/fixtures/contents.js';
import { readFixtureText } from '#engine/fixtures/read.js';
import { FixtureError } from '#engine/lib/errors.js';
import type { Service } from '#engine/service.js';
import { type CliIo, fail } from './command.js';
import { quoteName } from './io.js';
import { type FileKind, writeFiles } from './output.js';
import type { AnyEmulator } from './start-service.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** It was loaded as fixtures. */
const LOADED: FileKind = { title: 'fixtures', matches: () => true };

/** A fixture file that was loaded, to which the changes can be written back. */
export class FixtureFile {
  readonly path: string;
  /** The hash of the text that was loaded, or written since. */
  #hash: string;
  #hasWritten = false;
  /** The files and folders that it names, as they are loaded: they are edited meanwhile. */
  readonly #kept = new KeptContents();

  private constructor(path: string, definitions: Definitions) {
    this.path = path;
    const text = readFileSync(path, 'utf8');
    this.#hash = hash(text);
    if (!namesContents(text)) return;
    try {
      readFixtureText(text, path, definitions, undefined, this.#kept);
    } catch (error) {
      // The loader reports it.
      if (!(error instanceof FixtureError)) throw error;
    }
  }

  /** Opens a file before it is loaded. Undefined for a folder, and for what the loader reports. */
  static open(path: string, { definitions }: Pick<Service, 'definitions'>): FixtureFile | undefined {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? new FixtureFile(path, definitions) : undefined;
  }

  /** Whether the file is as this object wrote it. */
  get isOwnWrite(): boolean {
    return this.#hasWritten && this.#read() !== undefined;
  }

  /**
   * Writes the records of the default sandbox. Returns the folders that the file no longer names, undefined if its text is the same.
   * @throws CliError for a changed file
   */
  async write(io: CliIo, { store, clock }: AnyEmulator): Promise<readonly string[] | undefined> {
    const text = this.#read();
    if (text === undefined) {
      const advice = 'Write another file by val-emulator state --relative --brief --out FILE.';
      fail(`${quoteName(this.path)} was changed since it was loaded, so nothing is written. ${advice}`);
    }
    const { writeBack } = await import('#engine/fixtures/write-back.js');
    const { text: written, unlinked } = writeBack(text, this.path, store.state, clock.now.getTime(), this.#kept);
    if (written === text) return undefined;
    const file = { path: this.path, kind: LOADED, chunks: [written] };
    await writeFiles(io, [file], { label: 'w', isInterruptible: false });
    this.#hash = hash(written);
    this.#hasWritten = true;
    return unlinked;
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
