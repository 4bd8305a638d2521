// Import this module dynamically: few starts save.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeState } from '../fixtures/export-options.js';
import { WHOLE_FILE } from '../fixtures/read.js';
import { COLLECTION_NAMES } from '../fixtures/schema.js';
import { reasonFor } from '../lib/errors.js';
import { parseJsonIfValid, removeComments } from '../lib/json.js';
import { readChunks } from '../lib/steps.js';
import type { State } from '../model/state.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { type CliIo, fail } from './command.js';
import { quoteName } from './io.js';
import { writeFiles } from './output.js';

/** Milliseconds without a change before a save. */
const QUIET_MS = 1_000;
/** Maximum number of these intervals between a change and its save, while other changes follow. */
const MAX_INTERVALS = 10;

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

/** Writes the records of a sandbox as `state --relative --brief` prints them. @param schema as in a fixture */
export const formatSaved = ({ store, clock }: Sandbox, state: State = store.state, schema?: string): string =>
  [...readChunks(writeState(state, clock.now.getTime(), { relative: true, brief: true }, schema))].join('');

/** Saves the records of a sandbox to the fixture file that it was loaded from. */
export class Saver {
  readonly #path: string;
  readonly #sandbox: Sandbox;
  readonly #io: CliIo;
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
  #intervals = 0;
  /** Where changes are saved since the file was changed by another program. */
  #aside: string | undefined;
  #saving: Promise<void> = Promise.resolve();

  /**
   * @param path a fixture file, which was loaded just now
   * @param sandbox its current state is the one that was loaded
   * @throws CliError for a file with comments
   */
  constructor(path: string, sandbox: Sandbox, io: CliIo, output: SaverOutput) {
    const { state } = sandbox.store;
    this.#path = path;
    this.#io = io;
    this.#sandbox = sandbox;
    this.#output = output;
    this.#seed = sandbox.meta.seed;
    this.#text = readFileSync(path, 'utf8');
    if (!isRewritable(this.#text)) fail(`--save: ${quoteName(path)} ${COMMENTED}. Remove them, or use --data.`);
    [this.#seen, this.#tried, this.#saved] = [state, state, state];
    this.#timer = setInterval(() => this.#poll(), QUIET_MS).unref();
  }

  /** Whether the file is as this saver wrote or read it last. */
  async isCurrent(): Promise<boolean> {
    await this.#saving;
    return this.#isCurrent();
  }

  /** Begins with the file as it was loaded just now. */
  reopen(): void {
    const { state } = this.#sandbox.store;
    this.#seed = this.#sandbox.meta.seed;
    this.#text = readFileSync(this.#path, 'utf8');
    this.#aside = undefined;
    [this.#seen, this.#tried, this.#saved] = [state, state, state];
  }

  /** Saves changes that are not saved yet. Resolves to whether they are in the file. */
  async finish(): Promise<boolean> {
    clearInterval(this.#timer);
    await this.#saving;
    const { state } = this.#sandbox.store;
    await this.#save(state);
    return state === this.#saved && this.#aside === undefined;
  }

  /** Saves changes that are not saved yet next to the file, before the file of another program is loaded. */
  async keepAside(): Promise<void> {
    await this.#saving;
    const { state } = this.#sandbox.store;
    if (this.#isChanged(state)) await this.#write(state, findFreeName(this.#path));
  }

  #poll(): void {
    const { state } = this.#sandbox.store;
    const isBusy = state !== this.#seen && this.#intervals++ < MAX_INTERVALS;
    this.#seen = state;
    if (isBusy || state === this.#tried) return;
    this.#intervals = 0;
    this.#tried = state;
    this.#saving = this.#saving.then(() => this.#save(state));
  }

  /** Saves a state. An error is printed, and the next change or the end tries again. */
  async #save(state: State): Promise<void> {
    if (!this.#isChanged(state)) {
      this.#saved = state;
      return;
    }
    const cause = this.#findObstacle();
    if (this.#aside === undefined && cause !== undefined) {
      this.#output.printError(new Error(`--save: ${quoteName(this.#path)} ${cause}, and is not overwritten.`));
      this.#aside = findFreeName(this.#path);
    }
    await this.#write(state, this.#aside ?? this.#path);
  }

  /** Returns why the file cannot be overwritten. Undefined if it can. */
  #findObstacle(): string | undefined {
    if (this.#sandbox.meta.seed !== this.#seed) return 'has other data than the new seed';
    if (!this.#isCurrent()) return 'was changed by another program';
    return isRewritable(this.#text) ? undefined : COMMENTED;
  }

  async #write(state: State, file: string): Promise<void> {
    const schema: unknown = Object(parseJsonIfValid(stripMark(removeComments(this.#text)))).$schema;
    const text = formatSaved(this.#sandbox, state, typeof schema === 'string' ? schema : undefined);
    try {
      await writeFiles(this.#io, [{ path: file, chunks: [text] }], { label: '--save', isInterruptible: false });
      this.#saved = state;
      if (file === this.#path) this.#text = text;
      this.#output.print(`Saved ${file === this.#path ? '' : 'the changes to '}${quoteName(file)}.`);
    } catch (error) {
      const advice = 'The changes are in memory; the next change and the end try again.';
      this.#output.printError(new Error(`${reasonFor(error)} ${advice}`));
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
}

const COMMENTED = 'has comments or trailing commas, which a save would remove';

/** Whether the text of a loaded file is JSON alone. */
const isRewritable = (text: string): boolean => parseJsonIfValid(stripMark(text)) !== undefined;

const stripMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Finds a name without a file: `acme.saved.json`, `acme.saved-2.json`. */
function findFreeName(path: string): string {
  const stem = path.replace(/\.jsonc?$/i, '');
  for (let number = 1; ; number++) {
    const free = `${stem}.saved${number === 1 ? '' : `-${number}`}.json`;
    if (!existsSync(free)) return free;
  }
}
