import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InterruptedError, reasonFor } from './errors.js';
import { type CliIo, onSignals } from './io.js';

/** A file and its text in parts. */
export interface OutputFile {
  readonly path: string;
  readonly chunks: Iterable<string>;
}

/**
 * Writes all files of `--out` or none, by temporary files that are renamed once the last one is complete. (`atomically`
 * renames each file separately, creates parent folders, and would replace a device such as /dev/null.)
 * @throws InterruptedError after a signal
 */
export async function writeFiles(io: CliIo, files: readonly OutputFile[]): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const off = onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => interruption.abort(new InterruptedError(name)));
  const temporary: { path: string; from: string; to: string }[] = [];
  const attempt = ({ path, from, to }: (typeof temporary)[number], step: Promise<void>) =>
    step.catch((error: unknown) => {
      signal.throwIfAborted();
      throw new Error(`--out: cannot write ${path} (${reasonFor(error).replace(from, to)}).`);
    });
  try {
    for (const { path, chunks } of files) {
      // A link stays a link: its target is replaced.
      const to = await realpath(path).catch(() => path);
      const found = await stat(to).catch(() => undefined);
      const isDevice = found !== undefined && !found.isFile() && !found.isDirectory();
      const from = isDevice ? to : join(dirname(to), `.${basename(to)}.${process.pid}.tmp`);
      if (!isDevice) temporary.push({ path, from, to });
      await attempt({ path, from, to }, pipeline(Readable.from(chunks), createWriteStream(from), { signal }));
    }
    for (const file of temporary) await attempt(file, rename(file.from, file.to));
  } finally {
    off();
    for (const { from } of temporary) await rm(from, { force: true });
  }
}

/** Writes files into a folder, which is created if necessary. Its other files stay. */
export async function writeFolder(io: CliIo, folder: string, files: readonly OutputFile[]): Promise<void> {
  const isNew = await mkdir(folder)
    .then(() => true)
    .catch(() => false);
  try {
    await writeFiles(
      io,
      files.map(({ path, chunks }) => ({ path: join(folder, path), chunks })),
    );
  } catch (error) {
    if (isNew) await rmdir(folder).catch(() => {});
    throw error;
  }
}
