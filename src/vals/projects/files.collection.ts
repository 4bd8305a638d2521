import { type Static, type TSchema, Type } from 'typebox';
import { content, Id, key, record, Text, Time } from '#engine/definition/parts.js';
import { decodeText } from '#engine/lib/base64.js';
import { formatValue } from '#engine/lib/messages.js';
import { mapOf } from '#engine/schema/schema.js';
import type { Range } from '#engine/store/collection.js';
import {
  type FileFields,
  type FileTree,
  type FileType,
  fileFields,
  type ProjectFile,
} from './file-records.collection.js';
import { BranchVersion, type ProjectBuilder } from './names.collection.js';

/** Files of a branch, directories not counted. Source: the service's page of limitations. */
export const MOST_FILES = 1_000;
/** Directories of a branch. Chosen. */
export const MOST_DIRECTORIES = 1_000;
/** Characters of a file. Source: the service's OpenAPI document. */
export const LONGEST_FILE = 80_000;
/** Characters of a path. Chosen. */
export const LONGEST_PATH = 1_024;

const PART = /^[a-zA-Z0-9$[\]()\-_.]{1,48}$/;
const PART_EXPECTED = '1 to 48 letters, digits and $[]().-_';

/** Finds what is wrong with the path of a file: `src/main.ts`. Undefined for a right one. */
export function findPathProblem(path: string): string | undefined {
  if (path.length > LONGEST_PATH) return `a path of ${path.length} characters; expected at most ${LONGEST_PATH}.`;
  for (const part of path.split('/')) {
    if (part === '')
      return `found ${formatValue(path)}, which has an empty part; expected a path such as "src/main.ts".`;
    if (part === '.' || part === '..') return `found the part ${formatValue(part)}; expected the name of a directory.`;
    if (!PART.test(part)) return `found the part ${formatValue(part)}; expected ${PART_EXPECTED}.`;
  }
  return undefined;
}

/** Greater than each character of a path. */
const LAST = '\uffff';

/** Returns what is below a directory, by path: the tree is sorted so. */
export const rangeBelow = (tree: FileTree, directory: string): Range<ProjectFile> =>
  directory === '' ? tree.range() : tree.within({ after: `${directory}/`, until: `${directory}/${LAST}` });

/** The types by a word in the name of a file. */
const WORDS: readonly (readonly [word: string, type: FileType])[] = [
  ['http', 'http'],
  ['cron', 'interval'],
  ['interval', 'interval'],
  ['email', 'email'],
];

/**
 * Returns the type of a file by its name. Code is an `http`, `interval` or `email` file if one part of its name between dots,
 * `-` and `_` says so: `main.http.ts`, `daily.cron.tsx`. Else it is a script, and all else is a file.
 */
export function findType(path: string): FileType {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (!/\.[jt]sx?$/.test(name)) return 'file';
  const parts = name.split(/[.\-_]/).slice(0, -1);
  const types = new Set(WORDS.flatMap(([word, type]) => (parts.includes(word) ? [type] : [])));
  const [type] = types;
  return types.size === 1 && type ? type : 'script';
}

/** Returns the directories of a path, the outermost first. */
export const listParents = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
};

const keys = {
  type: Type.Optional(key(fileFields.type, 'Default: by the name of the file')),
} satisfies Record<keyof FileFields, TSchema>;

const FileRecord = record('A file or a directory', {
  ...keys,
  ...content,
  id: Type.Optional(key(Id, 'UUID. That of a file with another path moves it here. Default: derived')),
  version: Type.Optional(key(BranchVersion, 'Version of its last change. Default: that of the commit')),
  updatedAt: Type.Optional(key(Time, 'Time of its last change. Default: that of the commit')),
});
type FileRecord = Static<typeof FileRecord>;

const FileInput = Type.Unsafe<Text | FileRecord | null>(
  Type.Union([Text, FileRecord, Type.Null()], {
    expected: 'a text, its lines, { "text": … }, { "type": "directory" }, or null for no file',
  }),
);
/** The files that a commit changes, by path. */
export const FilesInput = mapOf(FileInput);
export type FilesInput = Static<typeof FilesInput>;

const isLines = (input: Text | FileRecord): input is Text => typeof input === 'string' || Array.isArray(input);

export const toFileRecord = (input: Text | FileRecord): FileRecord => (isLines(input) ? { text: input } : input);

/** Reads the text of a file. Undefined if it has none, or a wrong one, which is reported. */
export function readText(builder: ProjectBuilder, file: FileRecord, path: string): string | undefined {
  const { text, base64, file: named } = file;
  if (text === undefined && base64 === undefined && named === undefined) return undefined;
  if (file.type === 'directory')
    return builder.report(path, 'a directory has no text; expected none, or another type.');
  const isText = text !== undefined && base64 === undefined && named === undefined;
  const read = isText
    ? builder.toText(text, `${path}.text`)
    : decodeText(builder.toBytes({ text, base64, file: named }, path));
  if (read === undefined || read.includes('\0'))
    return builder.report(path, 'found bytes that are no text; expected text in UTF-8.');
  // Of two code units, a character counts once, as in requests.
  const { length } = read.length > LONGEST_FILE ? [...read] : read;
  if (length <= LONGEST_FILE) return read;
  return builder.report(path, `${length} characters; expected at most ${LONGEST_FILE}.`);
}
