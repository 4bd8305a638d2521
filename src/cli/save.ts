// Import this module dynamically: few starts save.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFile } from 'atomically';
import { writeState } from '../fixtures/export-options.js';
import { WHOLE_FILE } from '../fixtures/read.js';
import { COLLECTION_NAMES } from '../fixtures/schema.js';
import { reasonFor } from '../lib/errors.js';
import type { State } from '../model/state.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { fail } from './command.js';
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

/** Finds the file of fixtures. @throws CliError for a folder with a file per collection */
export function findSavedFile(path: string): string {
  const whole = join(path, WHOLE_FILE);
  if (existsSync(whole)) return whole;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const command = `val-emulator state --relative --brief --out ${quoteName(`${path.replace(/[\\/]+$/, '')}.json`)}`;
  fail(`--save: ${quoteName(path)} is a folder; expected one file. Start without --save, then write it by: ${command}`);
}

/** Saves the records of a sandbox to the fixture file that it was loaded from, as `state --relative --brief` prints them. */
export class Saver {
  readonly #path: string;
  readonly #sandbox: Sandbox;
  readonly #output: SaverOutput;
  readonly #timer: NodeJS.Timeout;
  /** The seed that was loaded from the file. */
  #seed: Sandbox['meta']['seed'];
  /** The text that was read or written last. */
  #text: string;
  /** The last state that was seen, that a save was tried of, and that is saved. */
  #seen: State;
  #tried: State;
  #saved: State;
  #changedAt = 0;
  #waitsSince: number | undefined;
  /** Where changes are saved since the file was changed by another program. */
  #aside: string | undefined;
  #saving: Promise<void> = Promise.resolve();

  /**
   * @param path a fixture file, which was loaded just now
   * @param sandbox its current state is the one that was loaded
   */
  constructor(path: string, sandbox: Sandbox, output: SaverOutput) {
    const { state } = sandbox.store;
    this.#path = path;
    this.#sandbox = sandbox;
    this.#output = output;
    this.#seed = sandbox.meta.seed;
    this.#text = readFileSync(path, 'utf8');
    [this.#seen, this.#tried, this.#saved] = [state, state, state];
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
  }

  /** Whether the file is as this saver wrote or read it last. */
  async isCurrent(): Promise<boolean> {
    await this.#saving;
    return this.#isCurrent();
  }

  /** Begins again after the file was loaded again. */
  reopen(): void {
    const { state } = this.#sandbox.store;
    this.#seed = this.#sandbox.meta.seed;
    this.#text = readFileSync(this.#path, 'utf8');
    [this.#seen, this.#tried, this.#saved] = [state, state, state];
    [this.#aside, this.#waitsSince] = [undefined, undefined];
  }

  /** Saves changes that are not saved yet. Resolves to whether they are in the file. */
  async finish(): Promise<boolean> {
    clearInterval(this.#timer);
    await this.#saving;
    const { state } = this.#sandbox.store;
    await this.#save(state);
    return state === this.#saved && this.#aside === undefined;
  }

  /** Saves changes that are not saved yet next to the file, before that of another program is loaded. */
  async keepAside(): Promise<void> {
    await this.#saving;
    const { state } = this.#sandbox.store;
    if (this.#isChanged(state)) await this.#write(state, this.#findAside());
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
    if (!this.#isChanged(state)) {
      this.#saved = state;
      return;
    }
    const isReplaced = this.#sandbox.meta.seed !== this.#seed;
    if (this.#aside === undefined && (isReplaced || !this.#isCurrent())) {
      const cause = isReplaced ? 'has other data than the new seed' : 'was changed by another program';
      this.#output.printError(new Error(`--save: ${quoteName(this.#path)} ${cause}, and is not overwritten.`));
      this.#aside = this.#findAside();
    }
    await this.#write(state, this.#aside ?? this.#path);
  }

  async #write(state: State, file: string): Promise<void> {
    const now = this.#sandbox.clock.now.getTime();
    const schema: unknown = Object(JSON.parse(this.#text.replace(/^\uFEFF/, ''))).$schema;
    const chunks = writeState(
      state,
      now,
      { relative: true, brief: true },
      typeof schema === 'string' ? schema : undefined,
    );
    const text = [...chunks].join('');
    try {
      await writeFile(file, text);
      this.#saved = state;
      if (file === this.#path) this.#text = text;
      this.#output.print(
        file === this.#path ? `Saved ${quoteName(file)}.` : `Saved the changes to ${quoteName(file)}.`,
      );
    } catch (error) {
      const advice = 'The changes are in memory; the next change and the end try again.';
      this.#output.printError(new Error(`--save: cannot write ${quoteName(file)} (${reasonFor(error)}). ${advice}`));
    }
  }

  /** Whether a record differs from the saved one. */
  #isChanged(state: State): boolean {
    return COLLECTION_NAMES.some((name) => state[name] !== this.#saved[name]);
  }

  #isCurrent(): boolean {
    try {
      return readFileSync(this.#path, 'utf8') === this.#text;
    } catch {
      // The file was removed.
      return false;
    }
  }

  /** Finds a name without a file: `acme.saved.json`, `acme.saved-2.json`. */
  #findAside(): string {
    const stem = this.#path.replace(/\.json$/i, '');
    for (let number = 1; ; number++) {
      const path = `${stem}.saved${number === 1 ? '' : `-${number}`}.json`;
      if (!existsSync(path)) return path;
    }
  }
}
