import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Files that a module and its imports have open at a time while they load, with room for connections that arrive meanwhile. */
const NEEDED_FILES = 32;

/**
 * Imports a module that a request needs. Node keeps a failed `import()` until the process ends, so this one does not begin
 * while too few files can be opened.
 * @throws Error EMFILE, after which the next call tries again
 */
export async function importLate<T>(load: () => Promise<T>): Promise<T> {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_FILES) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const file of opened) closeSync(file);
  }
  return await load();
}
