import { readFileSync, realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { FolderRules } from '../definition/define.js';
import { type Definitions, EACH, type FilePath } from '../definition/definitions.js';
import { encodeBase64 } from '../lib/base64.js';
import { type Problem, reasonFor } from '../lib/errors.js';
import { joinPath } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { type FolderSummary, findBelow, readFolder } from './folder.js';

// Records may name files and folders, whose content takes the place of the path.

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

/** A record in addition to the fixtures. */
export interface AddedRecord {
  readonly collection: string;
  readonly record: object;
  readonly path: string;
}

/** What was read, and what could not be. */
export interface ReadContents {
  readonly problems: Problem[];
  readonly folders: FolderSummary[];
}

type Read = Pick<Definitions, 'fileKeys' | 'folders'>;

/** The records of a collection before validation. */
interface Records {
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

const couldNotBeRead = (path: string, error: unknown): Problem => ({
  path,
  message: `could not be read (${reasonFor(error)}).`,
});

/** Puts the content of files and folders that records of a file name in place of their paths. @param folder of the file */
export function readContents(
  { name, path, value }: Records,
  { fileKeys, folders }: Read,
  folder: string,
  { problems, folders: found }: ReadContents,
): void {
  const keys = fileKeys[name] ?? [];
  const rules = folders[name];
  if ((keys.length === 0 && !rules) || !Array.isArray(value)) return;
  const read = (named: unknown, at: string) => {
    // A record with both is reported when it is validated.
    if (!isObject(named) || typeof named.file !== 'string' || named.base64 !== undefined) return;
    const { file } = named;
    delete named.file;
    try {
      named.base64 = encodeBase64(readFileSync(findFile(folder, file)));
    } catch (error) {
      problems.push(couldNotBeRead(`${at}.file`, error));
    }
  };
  for (const [i, record] of value.entries()) {
    const at = `${path}[${i}]`;
    if (rules && hasFolder(record)) {
      const { folder: named } = record;
      Reflect.deleteProperty(record, 'folder');
      try {
        record.files = readInto(found, findFolder(findBelow(folder, named)), rules, problems);
      } catch (error) {
        problems.push(couldNotBeRead(`${at}.folder`, error));
      }
    }
    for (const key of keys) visit(record, key, at, read);
  }
}

/** Returns the records of a program with the files of folders, by their paths from the working directory. */
export function readFolders(
  { name, path, value }: Records,
  { folders }: Read,
  { problems, folders: found }: ReadContents,
): unknown {
  const rules = folders[name];
  if (!rules || !Array.isArray(value)) return value;
  return value.map((record: unknown, i) => {
    if (!hasFolder(record)) return record;
    const { folder, ...others } = record;
    try {
      return { ...others, files: readInto(found, findFolder(realpathSync(folder)), rules, problems) };
    } catch (error) {
      problems.push(couldNotBeRead(`${path}[${i}].folder`, error));
      return others;
    }
  });
}

/** Reads the folders of records that are added to the fixtures. */
export function readAdded(
  added: readonly FolderRecord[],
  { folders }: Read,
  { problems, folders: found }: ReadContents,
): AddedRecord[] {
  return added.flatMap(({ collection, folder, record, path }) => {
    const rules = folders[collection];
    if (!rules) return [];
    const own: Problem[] = [];
    try {
      const files = readInto(found, findFolder(realpathSync(folder)), rules, own);
      if (own.length === 0) return [{ collection, path, record: { ...record, files } }];
      // Their paths are those of files.
      problems.push(...own.map(({ path: file, message }) => ({ path, message: `${file}: ${message}` })));
    } catch (error) {
      problems.push({ path, message: `${folder}: could not be read (${reasonFor(error)}).` });
    }
    return [];
  });
}

/** Whether a record names a folder. One with files as well is reported when it is made. */
const hasFolder = (record: unknown): record is Record<string, unknown> & { folder: string } =>
  isObject(record) && typeof record.folder === 'string' && record.files === undefined;

function readInto(found: FolderSummary[], folder: string, rules: FolderRules, problems: Problem[]) {
  const { files, ...summary } = readFolder(folder, rules, formatPath, problems);
  found.push({ path: formatPath(folder) || '.', ...summary });
  return files;
}

/** Visits the values at a path, each with the path to it. */
function visit(value: unknown, [key, ...rest]: FilePath, at: string, act: (value: unknown, at: string) => void): void {
  if (key === undefined) act(value, at);
  else if (Array.isArray(value)) {
    if (key === EACH) for (const [i, each] of value.entries()) visit(each, rest, joinPath(at, i), act);
  } else if (isObject(value)) {
    for (const name of key === EACH ? Object.keys(value) : [key]) visit(value[name], rest, joinPath(at, name), act);
  }
}

/** Finds a file below a folder. @throws Error */
function findFile(folder: string, file: string): string {
  const path = findBelow(folder, file);
  // A pipe or a device would never end.
  if (!statSync(path).isFile()) throw new Error('not a file');
  return path;
}

/** Returns the path of a folder. @throws Error for a file */
function findFolder(path: string): string {
  if (!statSync(path).isDirectory()) throw new Error('not a folder');
  return path;
}

/** Shortens a path below the working directory. */
export function formatPath(path: string): string {
  const shortened = relative(process.cwd(), path);
  return shortened.startsWith(`..${sep}`) ? path : shortened;
}
