import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { Datasets, Definitions } from '../definition/definitions.js';
import { FixtureError, MissingFixturesError, type Problem } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { formatPath, type KeptContents, readContents } from './contents.js';
import { isFixtureFile, isModuleFile } from './file-names.js';
import type { FolderSummary } from './folder.js';
import { parseText, readText } from './read-json.js';

/** The progress of loading seed data. */
export interface Progress {
  /** Files are read or a dataset is generated, then the records are loaded. */
  readonly step: 'reading' | 'generating' | 'loading';
  /** Files read, runs generated or records loaded so far, and in all. */
  readonly done: number;
  readonly total: number;
  readonly unit: 'files' | 'runs' | 'records';
}

export type OnProgress = (progress: Progress) => void;

export interface AddedRecord {
  readonly collection: string;
  readonly record: object;
  readonly path: string;
}

export interface RawCollection {
  readonly name: string;
  /** The path before the index of a record: `vals.json `. */
  readonly path: string;
  /** An array of records, if it is valid. */
  readonly value: unknown;
}

/** Fixtures before validation. */
export interface RawFixtures {
  readonly collections: readonly RawCollection[];
  /** Files that could not be read. */
  readonly problems: readonly Problem[];
  /** The folders that were read for records. Default: none */
  readonly folders?: readonly FolderSummary[];
  /** Records that do not come from the fixtures. Default: none */
  readonly added?: readonly AddedRecord[];
  /** Whether the caller keeps the records, so that they must not be changed. */
  readonly isShared: boolean;
  /** Whether the records are of this package, whose tests validate them. Default: false */
  readonly isTrusted?: boolean;
}

/** What reading depends on of the collections of a service. */
export type Read = Pick<Definitions, 'names' | 'fileKeys' | 'folders' | 'datasets'>;

/** The file of a folder that has all collections, in place of one file for each. */
const WHOLE_FILE = 'fixtures.json';

/**
 * Reads a dataset, a file or a folder. A file of a folder that cannot be read is listed in the problems.
 * @throws FixtureError when there is nothing to validate
 */
export function readFiles(source: string, definitions: Read, onProgress?: OnProgress): RawFixtures {
  const found: RawCollection[] = [];
  const problems: Problem[] = [];
  const folders: FolderSummary[] = [];
  if (definitions.datasets.names.includes(source)) return readDataset(source, definitions.datasets, onProgress);
  const located = locate(source, definitions.datasets);
  const isFolder = statSync(located).isDirectory();
  if (!isFolder && isModuleFile(located)) {
    const message = 'a module is code, which --fixtures-module runs (option fixturesModule); expected JSON.';
    throw new FixtureError([{ path: formatPath(located), message }]);
  }
  const files = isFolder ? listFiles(located, definitions) : [located];
  assertFits(files);
  for (const [index, file] of files.entries()) {
    const path = formatPath(file);
    try {
      const collection = isFolder ? basename(file).replace(/\.jsonc?$/i, '') : undefined;
      const raw = readFixtureText(readText(file, path), file, definitions, collection);
      problems.push(...raw.problems);
      folders.push(...(raw.folders ?? []));
      found.push(...raw.collections);
    } catch (error) {
      if (!isFolder || !(error instanceof FixtureError)) throw error;
      problems.push(...error.problems);
    }
    onProgress?.({ step: 'reading', done: index + 1, total: files.length, unit: 'files' });
  }
  return { collections: found, problems, folders, isShared: false };
}

/**
 * Reads the text of a fixture file.
 * @param collection the one that the file has. Default: all, by name
 * @param kept the content of what it names, as read before. What it lacks is read, and added
 * @throws FixtureError for text that is not JSON
 */
export function readFixtureText(
  text: string,
  file: string,
  definitions: Read,
  collection?: string,
  kept?: KeptContents,
): RawFixtures {
  const path = formatPath(file);
  const value = parseText(text, path);
  const collections =
    collection === undefined
      ? splitCollections(value, definitions, path, `${path} `)
      : [{ name: collection, path: `${path} `, value }];
  const read = { problems: [], folders: [], kept };
  for (const each of collections) readContents(each, definitions, dirname(file), read);
  return { collections, problems: read.problems, folders: read.folders, isShared: false };
}

function readDataset(dataset: string, { read, isTrusted = false }: Datasets, onProgress?: OnProgress): RawFixtures {
  const records = Object.entries(read(dataset));
  const total = records.length;
  onProgress?.({ step: 'reading', done: total, total, unit: 'files' });
  const collections = records.map(([name, value]) => ({ name, path: `${dataset} ${name} `, value }));
  return { collections, problems: [], isShared: !isTrusted, isTrusted };
}

/** Reads files as one object. @throws FixtureError with every file that cannot be read */
export function readCollections(source: string, definitions: Read): Record<string, unknown> {
  const { collections, problems } = readFiles(source, definitions);
  if (problems.length > 0) throw new FixtureError(problems);
  return Object.fromEntries(collections.map(({ name, value }) => [name, value]));
}

function listFiles(folder: string, { names: collections }: Read): string[] {
  const names = readdirSync(folder).filter(isFixtureFile).sort();
  if (names.length > 0) return names.map((name) => join(folder, name));
  const expected = collections.map((name) => `${name}.json`).join(', ');
  const message = `no JSON files in this folder; expected any of ${expected}.`;
  throw new MissingFixturesError([{ path: formatPath(folder), message }]);
}

/** Refuses files that would end the process: records need at least twice the size of their text. @throws FixtureError */
function assertFits(files: readonly string[]): void {
  const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const limit = getHeapStatistics().heap_size_limit;
  if (2 * total <= limit) return;
  const path = formatPath(files[sizes.indexOf(Math.max(...sizes))] ?? '');
  const inMb = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;
  const advice = 'load fewer records, or allow more by NODE_OPTIONS=--max-old-space-size=<megabytes>';
  throw new FixtureError([
    { path, message: `${inMb(total)} of JSON need more than the heap of ${inMb(limit)}; ${advice}.` },
  ]);
}

/** Splits an object into its collections. @param prefix of the path of a collection */
export function splitCollections(value: unknown, { names }: Read, path: string, prefix: string): RawCollection[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const expected = `an object with any of the keys ${names.join(', ')}`;
    throw new FixtureError([{ path, message: `found ${formatValue(value)}; expected ${expected}.` }]);
  }
  return Object.entries(value)
    .filter(([name, records]) => name !== '$schema' && records !== undefined)
    .map(([name, records]) => ({ name, path: prefix + name, value: records }));
}

/** Finds a file or folder. @throws MissingFixturesError */
function locate(source: string, { names }: Datasets): string {
  // All collections in one file, as val-emulator pull writes them.
  const whole = join(source, WHOLE_FILE);
  if (existsSync(whole)) return whole;
  if (existsSync(source)) return source;
  const message = `no such file, folder or built-in dataset (${names.join(', ')}).${didYouMean(source, names)}`;
  throw new MissingFixturesError([{ path: source || '""', message }]);
}
