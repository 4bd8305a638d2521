import type { Definitions } from '../definition/definitions.js';
import { DataError, hasCode, reasonFor } from '../lib/errors.js';
import { describeSandbox, describeSeed, withoutSurplus } from './describe.js';
import { type Disk, systemDisk } from './disk.js';
import { findFile } from './file-names.js';
import { damaged, type Line, makeHeader } from './lines.js';
import { Lock } from './lock.js';
import { openFile } from './open-file.js';
import { type ReadResult, readLines } from './read-lines.js';
import { type DescribedSandbox, Replay } from './replay.js';

export type NamedSandbox = DescribedSandbox & { readonly name: string };

/** Describes sandboxes by the lines that a log begins with. */
export function* describeAll(sandboxes: readonly NamedSandbox[]): Generator<Line> {
  yield makeHeader();
  for (const seed of new Set(sandboxes.map((sandbox) => sandbox.seed))) yield* describeSeed(seed);
  for (const sandbox of sandboxes) yield* describeSandbox(sandbox.name, sandbox);
  yield { type: 'begin' };
}

/** Reads a log. @throws DataError for damaged data */
function readLog(path: string, replay: Replay, disk: Disk): ReadResult {
  const result = readLines(path, (line) => replay.add(line), disk);
  if (result.begin === 0 || !replay.sandboxes.has(''))
    throw damaged(path, 'the lines that it began with are incomplete');
  return result;
}

/** Reads a folder, also while an emulator uses it. @throws DataError for a folder without data, or with damaged ones */
export function readFolder(folder: string, definitions: Definitions, disk = systemDisk): Replay['sandboxes'] {
  const replay = new Replay(definitions);
  const found = findFile(folder, 'log', disk);
  if (!found) throw new DataError(`${folder} has no data. val-emulator start --data begins a folder.`);
  readLog(found, replay, disk);
  return replay.sandboxes;
}

/** Opens the log of a folder. Undefined for one without a log. @throws DataError for damaged data */
export function openLog(lock: Lock, replay: Replay, isCompacted = false) {
  const describe = () =>
    describeAll(
      Array.from(replay.sandboxes, ([name, stored]) => ({
        ...stored,
        name,
        contents: withoutSurplus(stored.contents),
      })),
    );
  return openFile(lock, 'log', (path) => readLog(path, replay, lock.disk), isCompacted ? describe : undefined);
}

/** Rewrites the data of a folder without unreachable data. @throws DataError as for opening it */
export async function compactFolder(folder: string, definitions: Definitions, disk = systemDisk) {
  // Before the lock, which is a file of the folder.
  readFolder(folder, definitions, disk);
  const lock = await Lock.take(folder, disk);
  try {
    const opened = await openLog(lock, new Replay(definitions), true);
    await opened?.file.handle.close();
    return { before: opened?.before ?? 0, after: opened?.file.length ?? 0 };
  } catch (error) {
    throw toDataError(`${folder} cannot be written to`, error);
  } finally {
    lock.release();
  }
}

export function toDataError(problem: string, error: unknown): DataError {
  if (error instanceof DataError) return error;
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
    return new DataError(
      `${problem}: it is not writable (${reasonFor(error)}). val-emulator data export --data can read it.`,
    );
  }
  return new DataError(`${problem}: ${reasonFor(error)}`);
}
