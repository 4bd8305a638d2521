import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file to be written, with its text as it is made. */
export interface OutputFile {
  readonly path: string;
  readonly chunks: Iterable<string>;
}

/**
 * Writes a file that `--out` asks for. Whatever happens, it is either what it was or all of the new one.
 * @throws Error that says why it could not be written
 */
export const replaceFile = (path: string, chunks: Iterable<string>): Promise<void> =>
  heedingSignals((signal) => replaceAll([{ path, chunks }], signal));

/** The same for files in a folder, which is made if it is not there. Other files in it stay. */
export const replaceInFolder = (folder: string, files: readonly OutputFile[]): Promise<void> =>
  heedingSignals(async (signal) => {
    const isNew = await mkdir(folder).then(
      () => true,
      () => false,
    );
    try {
      await replaceAll(
        files.map(({ path, chunks }) => ({ path: join(folder, path), chunks })),
        signal,
      );
    } catch (error) {
      if (isNew) await rmdir(folder).catch(() => {});
      throw error;
    }
  });

async function replaceAll(files: readonly OutputFile[], signal: AbortSignal): Promise<void> {
  const drafts: Draft[] = [];
  try {
    for (const { path, chunks } of files) {
      const draft = await Draft.for(path);
      drafts.push(draft);
      await draft.write(chunks, signal);
    }
    for (const draft of drafts) await draft.keep();
  } catch (error) {
    for (const draft of drafts) await draft.drop();
    throw error;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Has a signal to end the process stop the work first, which then leaves nothing half done. */
async function heedingSignals(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => interruption.abort(signal);
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
  if (interruption.signal.aborted) process.kill(process.pid, interruption.signal.reason);
}

/** What becomes a file once it is whole. */
class Draft {
  /** The file as it was asked for. */
  readonly #out: string;
  readonly #target: string;
  readonly #path: string;

  private constructor(out: string, target: string, path: string) {
    this.#out = out;
    this.#target = target;
    this.#path = path;
  }

  static async for(out: string): Promise<Draft> {
    // A link stays one: what it leads to is replaced.
    const target = await realpath(out).catch(() => out);
    const found = await stat(target).catch(() => undefined);
    // A device such as /dev/null cannot be replaced, only written to.
    const isDevice = found !== undefined && !found.isFile() && !found.isDirectory();
    return new Draft(out, target, isDevice ? target : join(dirname(target), `.${basename(target)}.${process.pid}.tmp`));
  }

  get #isTarget(): boolean {
    return this.#path === this.#target;
  }

  write(chunks: Iterable<string>, signal: AbortSignal): Promise<void> {
    const flags = this.#isTarget ? 'w' : 'wx';
    return this.#attempt(() => pipeline(Readable.from(chunks), createWriteStream(this.#path, { flags }), { signal }));
  }

  async keep(): Promise<void> {
    if (!this.#isTarget) await this.#attempt(() => rename(this.#path, this.#target));
  }

  async drop(): Promise<void> {
    if (!this.#isTarget) await rm(this.#path, { force: true }).catch(() => {});
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const reason = String(error instanceof Error ? error.message : error).replace(this.#path, this.#target);
      throw new Error(`--out: ${this.#out} could not be written (${reason}).`);
    }
  }
}
