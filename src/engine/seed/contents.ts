import { readFileSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { FolderRules } from '../definition/define.js';
import type { Definitions } from '../definition/definitions.js';
import { mapPath } from '../definition/file-path.js';
import { encodeBase64 } from '../lib/base64.js';
import { type Problem, reasonFor } from '../lib/errors.js';
import { isObject } from '../lib/objects.js';
import { type FolderFiles, type FolderSummary, findBelow, readFolder } from './folder.js';

// Records may name files and folders, whose content takes the place of the path.

/** What was read, and what could not be. */
export interface ReadContents {
  readonly problems: Problem[];
  readonly folders: FolderSummary[];
  /** What was read before, which takes the place of what the disk has now. Default: nothing */
  readonly kept?: KeptContents | undefined;
}

/** The content of files and folders as it was first read, by their names in a fixture file. */
export class KeptContents {
  /** In base64. */
  readonly files = new Map<string, string>();
  readonly folders = new Map<string, { readonly files: FolderFiles; readonly summary: FolderSummary }>();
}

/** Whether the text of a fixture file may name files or folders. */
export const namesContents = (text: string): boolean => /"(?:file|folder)"/.test(text);

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
  found: ReadContents,
): void {
  const keys = fileKeys[name] ?? [];
  const rules = folders[name];
  if ((keys.length === 0 && !rules) || !Array.isArray(value)) return;
  const read = (named: unknown, at: string): unknown => {
    // A record with both is reported when it is validated.
    if (!isObject(named) || typeof named.file !== 'string' || named.base64 !== undefined) return named;
    const { file: _, ...others } = named;
    try {
      const base64 = found.kept?.files.get(named.file) ?? encodeBase64(readFileSync(findFile(folder, named.file)));
      found.kept?.files.set(named.file, base64);
      return { ...others, base64 };
    } catch (error) {
      found.problems.push(couldNotBeRead(`${at}.file`, error));
      return others;
    }
  };
  for (const [i, record] of value.entries()) {
    const at = `${path}[${i}]`;
    if (rules) value[i] = withFiles(record, at, rules, (named) => findBelow(folder, named), found);
    for (const key of keys) value[i] = mapPath(value[i], key, at, read);
  }
}

/** Returns a record with the files of the folder that it names, in place of the folder. @param locate finds the folder */
export function withFiles(
  record: unknown,
  at: string,
  rules: FolderRules,
  locate: (folder: string) => string,
  found: ReadContents,
): unknown {
  if (!hasFolder(record)) return record;
  const { folder, ...others } = record;
  const kept = found.kept?.folders.get(folder);
  if (kept) {
    found.folders.push(kept.summary);
    // A load fills in defaults.
    return { ...others, files: structuredClone(kept.files) };
  }
  try {
    const files = readInto(found.folders, locate(folder), rules, found.problems);
    const summary = found.folders.at(-1);
    if (summary) found.kept?.folders.set(folder, { files: structuredClone(files), summary });
    return { ...others, files };
  } catch (error) {
    found.problems.push(couldNotBeRead(`${at}.folder`, error));
    return others;
  }
}

/** Whether a record names a folder. One with files as well is reported when it is made. */
const hasFolder = (record: unknown): record is Record<string, unknown> & { folder: string } =>
  isObject(record) && typeof record.folder === 'string' && record.files === undefined;

/** Reads the files of a folder, and adds a summary of them. @throws Error for a path that is not a folder */
export function readInto(found: FolderSummary[], folder: string, rules: FolderRules, problems: Problem[]) {
  if (!statSync(folder).isDirectory()) throw new Error('not a folder');
  const { files, ...summary } = readFolder(folder, rules, formatPath, problems);
  found.push({ path: formatPath(folder) || '.', ...summary });
  return files;
}

/** Finds a file below a folder. @throws Error */
function findFile(folder: string, file: string): string {
  const path = findBelow(folder, file);
  // A pipe or a device would never end.
  if (!statSync(path).isFile()) throw new Error('not a file');
  return path;
}

/** Shortens a path below the working directory. */
export function formatPath(path: string): string {
  const shortened = relative(process.cwd(), path);
  return shortened.startsWith(`..${sep}`) ? path : shortened;
}
