import { realpathSync } from 'node:fs';
import type { Definitions } from '../definition/definitions.js';
import { type Problem, reasonFor } from '../lib/errors.js';
import { type ReadContents, readInto, withFiles } from './contents.js';
import {
  type AddedRecord,
  type OnProgress,
  type RawCollection,
  type RawFixtures,
  type Read,
  readFiles,
  splitCollections,
} from './read.js';

// What programs load. Commands send the content of files only, and load `read.js` alone.

/** Fixtures by name (of a built-in dataset), by path (of a folder or a JSON file), or as an object. */
export type FixtureSource = string | object;

export class FixtureModule {
  readonly path: string;
  readonly fixtures: unknown;

  /** @param path as messages show it */
  constructor(path: string, fixtures: unknown) {
    this.path = path;
    this.fixtures = fixtures;
  }
}

/** A record made of a folder, in addition to the fixtures. */
export interface FolderRecord {
  readonly collection: string;
  /** Path of the folder, from the working directory. */
  readonly folder: string;
  /** The record without its files. */
  readonly record: object;
  /** Where to report it. */
  readonly path: string;
}

/**
 * Reads fixtures.
 * @param isRequest whether the source is an object of a request, which may name no folder of this machine. Default: false
 * @throws FixtureError when there is nothing to validate
 */
export function readFixtures(
  source: FixtureSource | FixtureModule,
  definitions: Read,
  onProgress?: OnProgress,
  isRequest = false,
): RawFixtures {
  if (typeof source === 'string') return readFiles(source, definitions, onProgress);
  const [fixtures, path, prefix] =
    source instanceof FixtureModule ? [source.fixtures, source.path, `${source.path} `] : [source, 'fixtures', ''];
  const split = splitCollections(fixtures, definitions, path, prefix);
  const found = { problems: [], folders: [] };
  const read = (each: RawCollection) => ({ ...each, value: readFolders(each, definitions, found) });
  return { collections: isRequest ? split : split.map(read), ...found, isShared: true };
}

/** Returns the records of a program with the files of folders, by their paths from the working directory. */
function readFolders(
  { name, path, value }: RawCollection,
  { folders }: Pick<Definitions, 'folders'>,
  found: ReadContents,
): unknown {
  const rules = folders[name];
  if (!rules || !Array.isArray(value)) return value;
  return value.map((record: unknown, i) => withFiles(record, `${path}[${i}]`, rules, realpathSync, found));
}

export function readAdded(
  added: readonly FolderRecord[],
  { folders }: Pick<Definitions, 'folders'>,
  { problems, folders: found }: ReadContents,
): AddedRecord[] {
  return added.flatMap(({ collection, folder, record, path }) => {
    const rules = folders[collection];
    if (!rules) return [];
    const own: Problem[] = [];
    try {
      const files = readInto(found, realpathSync(folder), rules, own);
      if (own.length === 0) return [{ collection, path, record: { ...record, files } }];
      // They have the paths of files.
      problems.push(...own.map(({ path: file, message }) => ({ path, message: `${file}: ${message}` })));
    } catch (error) {
      problems.push({ path, message: `${folder}: could not be read (${reasonFor(error)}).` });
    }
    return [];
  });
}
