import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { FolderRules } from '../definition/define.js';
import { decodeText } from '../lib/base64.js';
import type { Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';

/** The files of a folder by path: text, or an empty directory. */
export type FolderFiles = Record<string, string | { readonly type: 'directory' }>;

export interface FolderSummary {
  /** As messages show it. */
  readonly path: string;
  /** Number of files. */
  readonly count: number;
  /** Names of files and folders that were skipped, by their paths in the folder. */
  readonly skipped: readonly string[];
}

/** Whether a path is outside a folder. Both have no links. */
const isOutside = (folder: string, path: string): boolean => {
  const shortened = relative(folder, path);
  return shortened === '..' || shortened.startsWith(`..${sep}`) || isAbsolute(shortened);
};

/**
 * Finds a file or a folder below a folder, links resolved: a fixture of others must not read the files of the user.
 * @throws Error for one that is elsewhere, or does not exist
 */
export function findBelow(folder: string, name: string): string {
  const path = realpathSync(join(folder, name));
  if (isOutside(realpathSync(folder), path)) throw new Error('outside the folder of the fixture file; copy it there');
  return path;
}

/**
 * Reads a folder as texts. Names with a leading dot, `node_modules` and what the ignore file names are skipped.
 * @param folder without links
 * @param problems what is wrong, by the path of the file
 */
export function readFolder(folder: string, rules: FolderRules, format: (path: string) => string, problems: Problem[]) {
  const files: FolderFiles = {};
  const skipped: string[] = [];
  const isIgnored = readIgnoreFile(join(folder, rules.ignoreFile), format, problems);
  let count = 0;
  const report = (path: string, message: string) => void problems.push({ path: format(path), message });
  /** Returns whether a directory has anything. */
  const readDirectory = (directory: string, prefix: string): boolean => {
    let isEmpty = true;
    for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      const path = prefix + name;
      if (name.startsWith('.') || name === 'node_modules' || isIgnored(path, entry.isDirectory())) {
        skipped.push(path);
        continue;
      }
      isEmpty = false;
      const full = join(directory, name);
      if (entry.isDirectory()) {
        if (!readDirectory(full, `${path}/`)) files[path] = { type: 'directory' };
      } else if (++count <= rules.mostFiles) {
        const text = readText(full, folder, rules, (message) => report(full, message));
        if (text !== undefined) files[path] = text;
      }
    }
    return !isEmpty;
  };
  readDirectory(folder, '');
  if (count > rules.mostFiles) report(folder, `has ${count} files; expected at most ${rules.mostFiles}.`);
  return { files, count, skipped };
}

function readText(
  path: string,
  folder: string,
  { longestText, ignoreFile }: FolderRules,
  report: (message: string) => void,
): string | undefined {
  try {
    const found = realpathSync(path);
    if (isOutside(folder, found)) return void report('a link that leaves the folder; expected the file itself.');
    const stats = statSync(found);
    if (!stats.isFile()) return void report('neither a file nor a directory; expected one of them.');
    const text = stats.size > 4 * longestText ? '' : decodeText(readFileSync(found));
    if (text === undefined || text.includes('\0')) {
      return void report(`binary; expected text in UTF-8, or a line in ${ignoreFile}.`);
    }
    if (text.length <= longestText && stats.size <= 4 * longestText) return text;
    const size = text === '' ? `${stats.size} bytes` : `${text.length} characters`;
    return void report(`${size}; expected at most ${longestText} characters, or a line in ${ignoreFile}.`);
  } catch (error) {
    return void report(`could not be read (${error instanceof Error ? error.message : error}).`);
  }
}

/** Reads the names of files that are skipped, one a line: `notes.md`, `*.log`, `build/`, `docs/*.png`. */
function readIgnoreFile(file: string, format: (path: string) => string, problems: Problem[]) {
  const patterns: { readonly pattern: RegExp; readonly isDirectory: boolean }[] = [];
  const text = statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : '';
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const rule = line.trim();
    if (rule === '' || rule.startsWith('#')) continue;
    if (/^!|[[\]\\]/.test(rule)) {
      const message = `found ${formatValue(rule)}; expected a name or a path, with * for any characters.`;
      problems.push({ path: `${format(file)} line ${i + 1}`, message });
      continue;
    }
    const name = rule.replace(/\/$/, '');
    const isPath = name.includes('/');
    patterns.push({ pattern: toPattern(name.replace(/^\//, ''), isPath), isDirectory: rule.endsWith('/') });
  }
  return (path: string, isDirectory: boolean): boolean =>
    patterns.some((each) => (isDirectory || !each.isDirectory) && each.pattern.test(path));
}

/** @param isPath whether the pattern begins at the folder. A name is anywhere below it */
function toPattern(glob: string, isPath: boolean): RegExp {
  const parts = glob.split(/(\*\*\/?|\*|\?)/).map((part) => {
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[.+^${}()|]/g, '\\$&');
  });
  return new RegExp(`^${isPath ? '' : '(?:.*/)?'}${parts.join('')}$`);
}
