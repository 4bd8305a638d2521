import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reasonFor } from '#engine/lib/errors.js';
import { syncParents } from '#engine/persistence/disk.js';
import { type CliIo, fail, InterruptedError } from './command.js';
import { onSignals, quoteName } from './io.js';

interface WriteOptions {
  /** The folder to write the files into, which is created if necessary. Its other files stay. */
  readonly folder?: string;
  /** The flag that names the files, for messages. Default: `--out` */
  readonly label?: string;
  /** Whether a signal ends it. False for what a signal has asked for. Default: true */
  readonly isInterruptible?: boolean;
}

/**
 * Writes all files of a flag or none, by temporary files that are synced, and renamed once the last one is complete.
 * @throws InterruptedError after a signal
 */
export async function writeFiles(
  io: CliIo,
  files: readonly { path: string; chunks: Iterable<string> }[],
  { folder, label = '--out', isInterruptible = true }: WriteOptions = {},
): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const off = isInterruptible
    ? onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => interruption.abort(new InterruptedError(name)))
    : () => {};
  const temporary: { path: string; from: string; to: string }[] = [];
  const attempt = ({ path, from, to }: (typeof temporary)[number], step: Promise<void>) =>
    step.catch((error: unknown) => {
      signal.throwIfAborted();
      throw new Error(`${label}: cannot write ${path} (${reasonFor(error).replace(from, to)}).`);
    });
  const newFolder =
    folder === undefined
      ? undefined
      : await mkdir(folder).then(
          () => folder,
          () => undefined,
        );
  try {
    for (const { path: name, chunks } of files) {
      const path = folder === undefined ? name : join(folder, name);
      const { from, to } = await locate(path);
      if (from !== to) temporary.push({ path, from, to });
      const stream = createWriteStream(from, { flush: from !== to });
      await attempt({ path, from, to }, pipeline(Readable.from(chunks), stream, { signal }));
    }
    for (const file of temporary) {
      await attempt(file, rename(file.from, file.to));
      await syncParents(file.to);
    }
  } finally {
    off();
    for (const { from } of temporary) await rm(from, { force: true });
    // Fails once there are files in it.
    if (newFolder !== undefined) await rmdir(newFolder).catch(() => {});
  }
}

/** Finds the file to write, and a temporary one next to it. Both are the same for a device. */
async function locate(path: string) {
  // A link stays a link: its target is replaced.
  const to = await realpath(path).catch(() => path);
  const found = await stat(to).catch(() => undefined);
  const isDevice = found !== undefined && !found.isFile() && !found.isDirectory();
  return { from: isDevice ? to : join(dirname(to), `.${basename(to)}.${process.pid}.tmp`), to };
}

/**
 * Checks at the start that files can be written at the end.
 * @param label the flag that names them
 * @throws CliError if one cannot
 */
export async function assertWritable(paths: readonly string[], label: string): Promise<void> {
  for (const path of paths) {
    const { from, to } = await locate(path);
    if ((await stat(to).catch(() => undefined))?.isDirectory()) fail(`${label}: ${quoteName(path)} is a folder.`);
    if (from === to) continue;
    await writeFile(from, '').catch((error: unknown) => {
      fail(`${label}: cannot write ${path} (${reasonFor(error).replace(from, to)}).`);
    });
    await rm(from, { force: true });
  }
}
