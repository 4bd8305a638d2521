import { basename, dirname, resolve } from 'node:path';
import { watch } from 'chokidar';
import { isFixtureFile } from '../fixtures/read.js';
import { complain } from './exit.js';

/** Milliseconds without a change after which a save counts as done: editors write in several steps. */
const PAUSE = 100;

/**
 * Calls back after each save of a file, or of the fixture files in a folder, also when it was gone in between. Resolves
 * when no save is missed any more.
 */
export async function watchFixtures(path: string, onSave: () => void): Promise<void> {
  const target = resolve(path);
  // The folder around it sees what is put in its place, and when it comes back.
  const around = dirname(target);
  const isPart = (part: string) =>
    part === around || part === target || (dirname(part) === target && isFixtureFile(basename(part)));
  const watcher = watch(around, { depth: 1, ignoreInitial: true, ignored: (part) => !isPart(part) });
  const ready = new Promise<void>((done) => watcher.once('ready', done));
  let pause: NodeJS.Timeout | undefined;
  watcher.on('all', () => {
    clearTimeout(pause);
    pause = setTimeout(onSave, PAUSE);
  });
  watcher.on('error', (error) => complain(`--watch: ${error instanceof Error ? error.message : error}`));
  await ready;
}
