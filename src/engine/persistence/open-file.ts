import { DataError } from '../lib/errors.js';
import { syncFolder } from './disk.js';
import { findFile, toNextEpoch } from './file-names.js';
import { type Line, makeHeader } from './lines.js';
import type { Lock } from './lock.js';
import type { ReadResult } from './read-lines.js';
import { LineFile } from './write-files.js';

/**
 * Begins the next epoch of a file, and reads it then: what other processes write from now on does not count.
 * @param compacted describes what was read, for a smaller file that replaces this one. Default: none
 * @returns undefined for a file that does not exist
 * @throws DataError as `read` does; the file has not changed then
 */
export async function openFile(
  lock: Lock,
  kind: 'log' | 'journal',
  read: (path: string) => ReadResult,
  compacted?: () => Iterable<Line>,
) {
  const found = findFile(lock.folder, kind, lock.disk);
  if (!found) return undefined;
  const path = toNextEpoch(found);
  lock.assertHeld();
  lock.disk.renameSync(found, path);
  const file = await LineFile.open(path, lock.disk);
  const before = file.length;
  try {
    // First: after a power cut, the name of an epoch must not have lines of the next one.
    await syncFolder(lock.folder, lock.disk);
    await file.append([JSON.stringify(makeHeader())], before);
    await file.handle.sync();
    const { last, begin, torn } = read(path);
    file.last = last;
    lock.assertHeld();
    if (!compacted) return { file, begin, torn, before };
    const smaller = await LineFile.create(path, lock, compacted());
    await file.handle.close();
    await smaller.replace(lock);
    return { file: smaller, begin: smaller.length, torn, before };
  } catch (error) {
    const isUndone = file.cut(before, lock);
    if (isUndone) lock.disk.renameSync(path, found);
    await file.handle.close();
    throw isUndone && error instanceof DataError ? new DataError(error.message.replace(path, found)) : error;
  }
}
