import { join } from 'node:path';
import { DataError } from '../lib/errors.js';
import { type Disk, systemDisk } from './disk.js';

/** The process that uses a data folder. Its time is the last sign of life. */
export const LOCK_FILE = 'lock';

/** The data, and the journals, each with its epoch. What ends in `.new` is to replace a file. */
const DATA_FILE = /^(log|journal)\.\d+\.ndjson(\..+\.new)?$/;
/** Locks that are being made, and what systems put into a folder. */
const OTHER_FILE = /^(?:lock(?:\..*)?|\..*|lost\+found)$/;

/** Reads the epoch of `log.7.ndjson`. */
export const epochOf = (path: string): number => Number(/(\d+)\.ndjson$/.exec(path)?.[1] ?? 0);

export const toNextEpoch = (path: string): string => path.replace(/\d+\.ndjson$/, `${epochOf(path) + 1}.ndjson`);

const listNames = (folder: string, disk: Disk): readonly string[] =>
  disk.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? disk.readdirSync(folder) : [];

/** Finds the file of a kind. @throws DataError for several: one was copied into the folder */
export function findFile(folder: string, kind: 'log' | 'journal', disk = systemDisk): string | undefined {
  const names = listNames(folder, disk).map((name) => DATA_FILE.exec(name));
  const [found, other] = names.filter((name) => name?.[1] === kind && name[2] === undefined);
  if (other) throw new DataError(`${folder} has ${found?.[0]} and ${other[0]}. Remove the one that was copied there.`);
  return found ? join(folder, found[0]) : undefined;
}

/** @throws DataError for a folder with other files: it is probably not the intended one */
export function assertOwn(folder: string, disk: Disk): void {
  const other = listNames(folder, disk).find((name) => !DATA_FILE.test(name) && !OTHER_FILE.test(name));
  if (other === undefined) return;
  throw new DataError(`${folder} has other files, such as ${other}. Use an empty folder, or a new one.`);
}

/** Removes the files that have not replaced others. */
export function removeUnfinished(folder: string, disk: Disk): void {
  for (const name of listNames(folder, disk)) {
    if (DATA_FILE.exec(name)?.[2]) disk.rmSync(join(folder, name), { force: true });
  }
}
