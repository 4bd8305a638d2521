import { once } from 'node:events';
import { basename, dirname, resolve } from 'node:path';
import { isFixtureFile } from '#engine/seed/file-names.js';

/** Milliseconds without a change that complete a save: editors write in several steps. */
const SAVE_DELAY_MS = 100;

/**
 * Calls back after each save of a file, or of the fixture files in a folder, also after it was deleted and came back.
 * @returns once the watcher is ready, what stops it
 */
export async function watchFixtures(
  path: string,
  onSave: (path: string) => void,
  onError: (error: unknown) => void,
): Promise<AsyncDisposable> {
  const { watch } = await import('chokidar');
  const target = resolve(path);
  // Only its parent folder shows when the target is replaced or comes back.
  const parent = dirname(target);
  const isPart = (part: string) =>
    part === parent || part === target || (dirname(part) === target && isFixtureFile(basename(part)));
  const watcher = watch(parent, { depth: 1, ignoreInitial: true, ignored: (part) => !isPart(part) });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(onSave, SAVE_DELAY_MS, path);
  });
  watcher.on('error', onError);
  await once(watcher, 'ready');
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
