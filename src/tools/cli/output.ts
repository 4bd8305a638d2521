import { constants, createWriteStream } from 'node:fs';
import {
  access,
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reasonFor } from '#engine/lib/errors.js';
import { isSession, removeComments } from '#engine/lib/json.js';
import { syncParents } from '#engine/persistence/disk.js';
import { type CliIo, fail, InterruptedError, switchFlag } from './command.js';
import { ask, onSignals, quoteName } from './io.js';
import { isAlive } from './processes.js';

/** What a command writes. It replaces no file of another kind. */
export interface FileKind {
  /** In the plural: `fixtures`. */
  readonly title: string;
  /**
   * Default: no existing file may be replaced, since people edit files of this kind.
   * @param start the first characters of a file
   */
  matches?(start: string): boolean;
}

/** Characters at the start of a file by which its kind is known. */
const START_LENGTH = 65_536;

const findFirst = (pattern: RegExp, start: string): string | undefined =>
  pattern.exec(removeComments(start.replace(/^\uFEFF/, '')))?.[1];

/** A file of fixtures: its first key, other than `$schema`, is a collection. */
export const fixtureFile = (collections: readonly string[]): FileKind => ({
  title: 'fixtures',
  matches(start) {
    const key = findFirst(/^\s*\{\s*(?:"\$schema"\s*:\s*"[^"]*"\s*,?\s*)?(?:"([^"]*)"\s*:\s*\[|\})/, start);
    return key === undefined ? /^\s*\{\s*\}/.test(start) : collections.includes(key);
  },
});

/** A file of a folder of fixtures, and what a pull notes next to them. */
export const jsonList: FileKind = { title: 'records', matches: (start) => /^\s*\[/.test(start) };

export const sessionFile: FileKind = { title: 'sessions', matches: isSession };

export const forceFlag = { force: switchFlag('Replace a file of another kind as well') } as const;

export interface OutputFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly chunks: Iterable<string>;
}

interface ReplaceOptions {
  /** The flag that names the files, for messages. Default: `--out` */
  readonly label?: string;
  /** Replaces files of another kind. Default: false */
  readonly force?: boolean | undefined;
}

interface WriteOptions extends ReplaceOptions {
  /** The folder to write the files into, which is created if necessary. Its other files stay. */
  readonly folder?: string;
  /** Whether a signal ends it. False for what a signal has asked for. Default: true */
  readonly isInterruptible?: boolean;
}

/**
 * Writes all files of a flag or none, by temporary files that are synced, and renamed once the last one is complete. A file that
 * is replaced keeps its mode.
 * @throws CliError for an existing file that is read-only, or must not be replaced
 * @throws InterruptedError after a signal
 */
export async function writeFiles(
  io: CliIo,
  files: readonly OutputFile[],
  { folder, label = '--out', isInterruptible = true, force }: WriteOptions = {},
): Promise<void> {
  const outputs: (OutputFile & Located)[] = [];
  for (const file of files) {
    const path = folder === undefined ? file.path : join(folder, file.path);
    const located = await locate(path);
    await confirmReplace(io, { ...file, path }, located, { label, force });
    outputs.push({ ...file, ...located, path });
  }
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
    for (const { path, from, to, replaced, chunks } of outputs) {
      if (from !== to) {
        temporary.push({ path, from, to });
        await removeAbandoned(to);
      }
      const mode = replaced && { mode: replaced.mode & 0o600 };
      const stream = createWriteStream(from, { flush: from !== to, ...mode });
      await attempt({ path, from, to }, pipeline(Readable.from(chunks), stream, { signal }));
      if (replaced) await copyMode(from, replaced);
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

interface Located {
  /** The temporary file, or the device itself. */
  readonly from: string;
  readonly to: string;
  /** What the file that is replaced has. Undefined for a new one, and for a device. */
  readonly replaced:
    | { readonly mode: number; readonly uid: number; readonly gid: number; readonly size: number }
    | undefined;
}

/** Finds the file to write, and a temporary one next to it. Both are the same for a device. */
async function locate(path: string): Promise<Located> {
  // A link stays a link: its target is replaced.
  const to = await realpath(path).catch(() => path);
  const found = await stat(to).catch(() => undefined);
  const isDevice = found !== undefined && !found.isFile() && !found.isDirectory();
  const from = isDevice ? to : join(dirname(to), `.${basename(to)}.${process.pid}.tmp`);
  return { from, to, replaced: found?.isFile() ? found : undefined };
}

/** @throws CliError for an existing file that is read-only, or must not be replaced, which a person at the terminal may allow */
async function confirmReplace(
  io: CliIo,
  { path, kind }: Omit<OutputFile, 'chunks'>,
  { to, replaced }: Located,
  { label, force }: ReplaceOptions,
): Promise<void> {
  if (!replaced) return;
  // The rename needs the right of the folder only, and root has every right.
  const canWrite = (replaced.mode & 0o222) !== 0 && (await isWritable(to));
  if (!canWrite) fail(`${label}: ${quoteName(path)} is read-only. Make it writable, or name another file.`);
  if (force || replaced.size === 0 || kind.matches?.(await readStart(to).catch(() => ''))) return;
  const problem = `${label}: ${quoteName(path)} exists${kind.matches ? `, and has no ${kind.title}` : ''}`;
  if (!io.isInteractive) fail(`${problem}. Name another file, or replace it by --force.`);
  if (!(await ask(io, `${problem}. It would be replaced.`))) fail(`${label}: Cancelled. Nothing changed.`);
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

async function readStart(path: string): Promise<string> {
  // `await using` would add a kilobyte of helpers to the bundle.
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(START_LENGTH) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Gives a new file the owner and the mode of the one that it replaces. */
async function copyMode(path: string, { mode, uid, gid }: NonNullable<Located['replaced']>): Promise<void> {
  const own = await stat(path);
  // Only root may give a file away.
  if (own.uid !== uid || own.gid !== gid) await chown(path, uid, gid).catch(() => {});
  await chmod(path, mode & 0o7777);
}

/** Removes the temporary files that processes which were killed have left next to a file. */
async function removeAbandoned(file: string): Promise<void> {
  const prefix = `.${basename(file)}.`;
  for (const name of await readdir(dirname(file)).catch(() => [])) {
    const [, pid] = (name.startsWith(prefix) && /^(\d+)\.tmp$/.exec(name.slice(prefix.length))) || [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dirname(file), name), { force: true });
  }
}

/**
 * Checks at the start that files can be written at the end.
 * @throws CliError if one cannot
 */
export async function assertWritable(
  io: CliIo,
  files: readonly Omit<OutputFile, 'chunks'>[],
  { label = '--out', force }: ReplaceOptions,
): Promise<void> {
  for (const file of files) {
    const { path } = file;
    const located = await locate(path);
    const { from, to } = located;
    if ((await stat(to).catch(() => undefined))?.isDirectory()) fail(`${label}: ${quoteName(path)} is a folder.`);
    if (from === to) continue;
    await confirmReplace(io, file, located, { label, force });
    await writeFile(from, '').catch((error: unknown) => {
      fail(`${label}: cannot write ${path} (${reasonFor(error).replace(from, to)}).`);
    });
    await rm(from, { force: true });
  }
}
