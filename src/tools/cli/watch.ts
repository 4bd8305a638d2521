import { once } from 'node:events';
import { basename, dirname, resolve, sep } from 'node:path';
import type { ChokidarOptions } from 'chokidar';
import { isFixtureFile } from '#engine/fixtures/file-names.js';

/** Milliseconds without a change that complete a save: editors write in several steps. */
const SAVE_DELAY_MS = 100;

/** Watches paths, and calls back with the last one that changed once nothing has changed for a while. */
async function watchPaths(
  paths: readonly string[],
  options: ChokidarOptions,
  onSave: (path: string) => void,
  onError: (error: unknown) => void,
  isWanted: (path: string) => boolean = () => true,
): Promise<AsyncDisposable> {
  const { watch } = await import('chokidar');
  const watcher = watch([...paths], { ignoreInitial: true, ...options });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', (_event, path) => {
    if (!isWanted(path)) return;
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

/**
 * Calls back after each save of a file, or of the fixture files in a folder, also after it was deleted and came back.
 * @returns once the watcher is ready, what stops it
 */
export async function watchFixtures(
  path: string,
  onSave: (path: string) => void,
  onError: (error: unknown) => void,
): Promise<AsyncDisposable> {
  const target = resolve(path);
  // Only its parent folder shows when the target is replaced or comes back.
  const parent = dirname(target);
  const isPart = (part: string) =>
    part === parent || part === target || (dirname(part) === target && isFixtureFile(basename(part)));
  const options = { depth: 1, ignored: (part: string) => !isPart(part) };
  return await watchPaths([parent], options, () => onSave(path), onError);
}

/**
 * Calls back after each change below the folders of projects, with the folder, also after it was deleted and came back. What a project
 * skips by default does not count.
 */
export class FolderWatcher implements AsyncDisposable {
  readonly #onSave: (folder: string) => void;
  readonly #onError: (error: unknown) => void;
  readonly #isWanted: (path: string) => boolean;
  /** As messages show them, by their paths. */
  #folders: ReadonlyMap<string, string> = new Map();
  #watching: AsyncDisposable | undefined;

  /** @param isWanted whether a file counts. Default: all do */
  constructor(
    onSave: (folder: string) => void,
    onError: (error: unknown) => void,
    isWanted: (path: string) => boolean = () => true,
  ) {
    this.#isWanted = isWanted;
    this.#onSave = onSave;
    this.#onError = onError;
  }

  /** Replaces the watched folders. @param folders as messages show them */
  async follow(folders: readonly string[]): Promise<void> {
    const next = new Map(folders.map((folder) => [resolve(folder), folder]));
    if ([...next.keys()].join('\0') === [...this.#folders.keys()].join('\0')) return;
    await this.#watching?.[Symbol.asyncDispose]();
    this.#folders = next;
    const find = (part: string) => [...next.keys()].find((each) => part === each || part.startsWith(each + sep));
    const parents = new Set([...next.keys()].map(dirname));
    const isSkipped = (part: string, folder: string) =>
      part
        .slice(folder.length)
        .split(sep)
        .some((name) => name === 'node_modules' || (name.startsWith('.') && !name.endsWith('ignore')));
    const ignored = (part: string) => {
      const folder = find(part);
      return folder === undefined ? !parents.has(part) : isSkipped(part, folder);
    };
    const save = (part: string) => this.#onSave(next.get(find(part) ?? '') ?? part);
    this.#watching = await watchPaths([...parents], { ignored }, save, this.#onError, this.#isWanted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watching?.[Symbol.asyncDispose]();
  }
}
