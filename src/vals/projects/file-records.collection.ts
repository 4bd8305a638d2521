import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '#engine/definition/parts.js';
import { asc, Collection, index } from '#engine/store/collection.js';

// What a file is. A new field begins in `fileFields`: the compiler names what else has to know it, and all else follows.

/** Types of files that run, and `file`, which does not. */
export const FILE_TYPES = ['file', 'interval', 'http', 'email', 'script'] as const;
export type FileType = (typeof FILE_TYPES)[number] | 'directory';

/** Further fields of a file. Fixtures and `/v2` have the same keys, and differences and the page show them. */
export const fileFields = { type: oneOf(...FILE_TYPES, 'directory') };
const FileFields = Type.Object(fileFields);
export interface FileFields extends Readonly<Static<typeof FileFields>> {}

export const getFields = ({ type }: FileFields): FileFields => ({ type });

/** A stored file or directory. */
export const ProjectFile = Type.Object({
  /** Survives edits, moves and renames. */
  id: Type.String(),
  /** Without a slash at its ends: `src/main.ts`. */
  path: Type.String(),
  ...fileFields,
  /** Of its text. Null for a directory. */
  hash: nullable(Type.String()),
  /** Of its last change. */
  version: Type.Integer(),
  updatedAt: Type.Integer(),
});
/** A file or a directory, as of a version of a branch. */
export interface ProjectFile extends Readonly<Static<typeof ProjectFile>> {}

/** Whether two files differ in their ids and last changes only. */
export const isSameFile = (a: ProjectFile | null, b: ProjectFile | null): boolean =>
  a === b ||
  (a !== null && b !== null && a.path === b.path && a.hash === b.hash && isDeepStrictEqual(getFields(a), getFields(b)));

const fileSpec = {
  identity: index<ProjectFile>(asc((file) => file.path)),
  indexes: { id: index<ProjectFile>(asc((file) => file.id)) },
};
/** The files of a branch, by path. */
export type FileTree = Collection<ProjectFile, (typeof fileSpec)['indexes']>;
export const makeTree = (files: readonly ProjectFile[] = []): FileTree => Collection.from(fileSpec, files);

/** The tree of a branch, which is made when it is read first: stored branches have none. */
export class Files {
  #make: (() => FileTree) | undefined;
  #tree: FileTree | undefined;

  constructor(content: FileTree | (() => FileTree)) {
    if (typeof content === 'function') this.#make = content;
    else this.#tree = content;
  }

  get tree(): FileTree {
    this.#tree ??= this.#make?.() ?? makeTree();
    this.#make = undefined;
    return this.#tree;
  }
}

/** A file before and after a commit. Without `before` it was created, without `after` deleted. Both have the same id. */
export interface FileChange {
  readonly before: ProjectFile | null;
  readonly after: ProjectFile | null;
}

/** The text of files, once for each content. */
export interface FileText {
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
  readonly text: string;
}

export interface Texts {
  texts: Collection<FileText>;
}

/** Applies changes to a tree, or takes them back. */
export function applyFileChanges(
  tree: FileTree,
  changes: readonly FileChange[],
  direction: 'forward' | 'back',
): FileTree {
  const pairs = changes.map(({ before, after }) =>
    direction === 'forward' ? { from: before, to: after } : { from: after, to: before },
  );
  let result = tree;
  // All deletions first, since a file may move to a path that another one leaves.
  for (const { from } of pairs) if (from) result = result.delete(from);
  for (const { to } of pairs) if (to) result = result.put(to);
  return result;
}

/** Hashes a file's text, which is stored by its hash. */
const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Stores a file's text once, and returns its hash. */
export function putText(sets: Texts, text: string): string {
  const hash = hashText(text);
  if (!sets.texts.get(hash)) sets.texts = sets.texts.put({ hash, text });
  return hash;
}

/** Returns the text of a file: empty for a directory. */
export const getText = ({ texts }: Readonly<Texts>, { hash }: ProjectFile): string =>
  hash === null ? '' : (texts.get(hash)?.text ?? '');

const getPath = ({ before, after }: FileChange): string => (after ?? before)?.path ?? '';

/** Sorts the changes of a commit by path, a deletion before what takes its place: the order in which an export has them. */
export const sortChanges = (changes: readonly FileChange[]): FileChange[] =>
  [...changes].sort((a, b) => {
    const [pathA, pathB] = [getPath(a), getPath(b)];
    if (pathA !== pathB) return pathA < pathB ? -1 : 1;
    return Number(a.after !== null) - Number(b.after !== null);
  });
