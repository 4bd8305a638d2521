// Import this module dynamically: few starts save, and it loads a parser.

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { writeFile } from 'atomically';
import type { Sandbox } from '../control/sandbox.js';
import { FixtureDocuments, readTexts, type Texts } from '../fixtures/documents.js';
import { reasonFor } from '../lib/errors.js';
import type { State } from '../model/state.js';
import { quoteName } from './io.js';

const POLL_INTERVAL_MS = 200;
/** Milliseconds without a change before a save. */
const QUIET_MS = 1_000;
/** Maximum milliseconds between a change and its save, while other changes follow. */
const MAX_DELAY_MS = 10_000;

export interface SaverOutput {
  /** Shows a line about a save. */
  print(line: string): void;
  printError(error: Error): void;
}

/** Saves the records of a sandbox to the fixtures that it was loaded from. */
export class Saver {
  readonly #path: string;
  readonly #sandbox: Sandbox;
  readonly #output: SaverOutput;
  readonly #timer: NodeJS.Timeout;
  #documents: FixtureDocuments;
  /** The seed that was loaded from the fixtures. */
  #seed: Sandbox['seed'];
  /** The texts that were read or written last. */
  #texts: Texts;
  /** The last state that was seen, that a save was tried of, and that is saved. */
  #seen: State;
  #tried: State;
  #saved: State;
  #changedAt = 0;
  #waitsSince: number | undefined;
  /** Where changes are saved since the fixtures were changed by another program. */
  #aside: string | undefined;
  #saving: Promise<void> = Promise.resolve();

  /**
   * @param path a fixture file or folder, which was loaded just now
   * @param sandbox its current state is the one that was loaded
   */
  constructor(path: string, sandbox: Sandbox, output: SaverOutput) {
    const { state } = sandbox.store;
    this.#path = path.replace(/(.)[\\/]+$/, '$1');
    this.#sandbox = sandbox;
    this.#seed = sandbox.seed;
    this.#output = output;
    this.#texts = readTexts(this.#path);
    this.#documents = new FixtureDocuments(this.#path, this.#texts, state);
    [this.#seen, this.#tried, this.#saved] = [state, state, state];
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
  }

  /** Whether the files are as this saver wrote or read them last. */
  async isCurrent(): Promise<boolean> {
    await this.#saving;
    return this.#isCurrent();
  }

  /** Begins again after the fixtures were loaded anew. */
  reopen(): void {
    const { state } = this.#sandbox.store;
    this.#seed = this.#sandbox.seed;
    this.#texts = readTexts(this.#path);
    this.#documents = new FixtureDocuments(this.#path, this.#texts, state);
    [this.#seen, this.#tried, this.#saved] = [state, state, state];
    [this.#aside, this.#waitsSince] = [undefined, undefined];
  }

  /** Saves changes that are not saved yet. Resolves to whether they are in the fixtures. */
  async finish(): Promise<boolean> {
    clearInterval(this.#timer);
    await this.#saving;
    const { state } = this.#sandbox.store;
    if (state !== this.#saved) await this.#save(state);
    if (state === this.#saved) return this.#aside === undefined;
    // The files cannot be written.
    await this.#saveAside(state, [dirname(this.#path), tmpdir()]);
    return false;
  }

  /** Saves changes that are not saved yet next to the fixtures, before those of another program are loaded. */
  async keepAside(): Promise<void> {
    await this.#saving;
    const { state } = this.#sandbox.store;
    const hasChanges = !isSame(this.#documents.render(state), this.#texts);
    if (state !== this.#saved && hasChanges) await this.#saveAside(state);
  }

  #poll(): void {
    const { state } = this.#sandbox.store;
    const now = performance.now();
    if (state !== this.#seen) {
      this.#seen = state;
      this.#changedAt = now;
      this.#waitsSince ??= now;
    }
    const isDue = now - this.#changedAt >= QUIET_MS || now - (this.#waitsSince ?? now) >= MAX_DELAY_MS;
    if (state === this.#tried || !isDue) return;
    this.#tried = state;
    this.#waitsSince = undefined;
    this.#saving = this.#saving.then(() => this.#save(state));
  }

  /** Saves a state. An error is printed, and the next change or the end tries again. */
  async #save(state: State): Promise<void> {
    if (this.#aside !== undefined) return this.#saveAside(state);
    const texts = this.#documents.render(state);
    const changed = [...texts].filter(([file, text]) => this.#texts.get(file) !== text);
    if (changed.length === 0) {
      this.#saved = state;
      return;
    }
    const isReplaced = this.#sandbox.seed !== this.#seed;
    if (isReplaced || !this.#isCurrent()) {
      const cause = isReplaced ? 'has other data than the new seed' : 'was changed by another program';
      const reason = `${cause}, and is not overwritten.`;
      this.#output.printError(new Error(`--save: ${quoteName(this.#path)} ${reason}`));
      return this.#saveAside(state);
    }
    try {
      for (const [file, text] of changed) {
        await writeFile(file, text);
        this.#texts = new Map([...this.#texts, [file, text]]);
      }
      this.#saved = state;
      this.#output.print(`Saved ${quoteName(this.#path)}.`);
    } catch (error) {
      const advice = 'The changes are in memory; the next change and the end try again.';
      this.#output.printError(
        new Error(`--save: cannot write ${quoteName(this.#path)} (${reasonFor(error)}). ${advice}`),
      );
    }
  }

  /** Saves a state to new files with similar names, in the first folder that can be written. */
  async #saveAside(state: State, folders: readonly string[] = [dirname(this.#path)]): Promise<void> {
    const texts = this.#documents.render(state);
    const errors: unknown[] = [];
    for (const folder of folders) {
      const aside = this.#aside ?? findFreeName(folder, basename(this.#path));
      try {
        for (const [file, text] of texts)
          await writeFile(file === this.#path ? aside : join(aside, basename(file)), text);
        if (this.#aside === undefined) this.#output.print(`Saved the changes to ${quoteName(aside)}.`);
        this.#aside = aside;
        this.#saved = state;
        return;
      } catch (error) {
        errors.push(error);
      }
    }
    this.#output.printError(new Error(`--save: cannot write the changes (${errors.map(reasonFor).join('; ')}).`));
  }

  #isCurrent(): boolean {
    try {
      return isSame(readTexts(this.#path), this.#texts);
    } catch {
      // The files were removed.
      return false;
    }
  }
}

const isSame = (a: Texts, b: Texts): boolean =>
  a.size === b.size && [...a].every(([file, text]) => b.get(file) === text);

/** Finds a name without a file: `acme.saved.json`, `acme.saved-2.json`. */
function findFreeName(folder: string, name: string): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.json)?$/i.exec(name) ?? [];
  for (let number = 1; ; number++) {
    const path = join(folder, `${stem}.saved${number === 1 ? '' : `-${number}`}${extension}`);
    if (!existsSync(path)) return path;
  }
}
