import { ApiError } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import { drawId } from '#engine/state/state.js';
import { fileNotFound, pathNotFound, pathTaken } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { User } from '#vals/users/users.collection.js';
import {
  type FileChange,
  type FileTree,
  type FileType,
  isSameFile,
  type ProjectFile,
  putText,
} from './file-records.collection.js';
import { listParents, MOST_DIRECTORIES, MOST_FILES, rangeBelow } from './files.collection.js';
import { basename, checkPath, dirname, isBelow, join, toDirectory } from './paths.rules.js';
import {
  type Branch,
  type Commit,
  type CommitKind,
  MAIN,
  type Project,
  putCommit,
} from './project-records.collection.js';
import { isReadable } from './projects.rules.js';

/** The path of a request. */
const PATH = 'querystring/path';

/** Returns a file or directory. @throws ApiError 404, and 400 for a path that none can have */
export function getFile(tree: FileTree, path: string): ProjectFile {
  checkPath(path, PATH);
  const file = tree.get(path);
  if (!file)
    throw pathNotFound(
      path,
      Array.from(tree, (each) => each.path),
    );
  return file;
}

/**
 * Lists what a directory has, by path: also what its directories have if recursive. The path of a file gives a list of one.
 * @throws ApiError 404
 */
export function listFiles(tree: FileTree, directory: string, recursive: boolean): Iterable<ProjectFile> {
  const path = toDirectory(directory);
  if (path !== '') {
    const file = getFile(tree, path);
    if (file.type !== 'directory') return [file];
  }
  const below = rangeBelow(tree, path);
  return recursive ? below : listDirect(below, path === '' ? 0 : path.length + 1);
}

/** Lists the files without a slash in the rest of their path. */
function* listDirect(files: Iterable<ProjectFile>, start: number): Generator<ProjectFile> {
  for (const file of files) if (!file.path.includes('/', start)) yield file;
}

export interface FoundFile {
  readonly project: Project;
  readonly branch: Branch;
  readonly file: ProjectFile;
}

/** Finds a file by its id, which branches share: on `main`, else on the oldest branch that has it. @throws ApiError 404 */
export function findFile(state: State, id: string, caller: User | undefined): FoundFile {
  const key = id.toLowerCase();
  for (const { commit } of state.commits.by.created.range([key])) {
    const origin = state.branches.get(commit.branchId);
    const project = origin && state.projects.get(origin.projectId);
    if (!project || !isReadable(state, project, caller)) continue;
    const branches = [...state.branches.by.project.range([project.id])];
    const found = branches.flatMap((branch) => {
      const file = branch.files.tree.by.id.get([key]);
      return file ? [{ project, branch, file }] : [];
    });
    const best = found.find(({ branch }) => branch.name === MAIN) ?? found[0];
    if (best) return best;
  }
  throw fileNotFound(id);
}

/**
 * Adds a commit to a branch, if there are changes. Nothing changes after an error.
 * @param merged the version that it merges: such a commit is made without changes as well
 * @throws ApiError 400 for too many files
 */
export function commitChanges(
  draft: Draft,
  branch: Branch,
  kind: CommitKind,
  changes: readonly FileChange[],
  now: Instant,
  merged?: Commit['merged'],
): Branch {
  if (changes.length === 0 && !merged) return branch;
  assertRoom(branch.files.tree, changes);
  const serial = draft.nextSerial++;
  return putCommit(draft, branch, { kind, createdAt: now, changes, serial, ...(merged && { merged }) });
}

export const isDirectory = (file: ProjectFile | null): boolean => file?.type === 'directory';

function assertRoom(tree: FileTree, changes: readonly FileChange[]): void {
  const added = changes.filter(({ before }) => before === null).length;
  if (added === 0 || tree.size + added <= Math.min(MOST_FILES, MOST_DIRECTORIES)) return;
  const directories = count(tree, changes, isDirectory);
  const all = count(tree, changes, (file) => file !== null);
  if (all - directories > MOST_FILES) throw badRequest(`A project has at most ${MOST_FILES} files`);
  if (directories > MOST_DIRECTORIES) throw badRequest(`A project has at most ${MOST_DIRECTORIES} directories`);
}

/** Counts the files that a tree has after changes. */
const count = (
  tree: FileTree,
  changes: readonly FileChange[],
  isCounted: (file: ProjectFile | null) => boolean,
): number =>
  [...tree].filter(isCounted).length +
  changes.filter(({ after }) => isCounted(after)).length -
  changes.filter(({ before }) => isCounted(before)).length;

/** Stores a text as the bytes in which it is read: half a character becomes U+FFFD. @throws ApiError 400 for binary content */
function storeText(draft: Draft, text: string): string {
  if (text.includes('\0')) throw badRequest('body/content must be text, without NUL');
  return putText(draft, Buffer.from(text).toString());
}

/** Draws an id that no file has, also after a seed with the files of an export. */
export function drawFileId(draft: Draft): string {
  for (;;) {
    const id = drawId(draft);
    if (!draft.commits.by.created.get([id])) return id;
  }
}

export interface NewFile {
  readonly type: FileType;
  /** Of a directory: null or absent. */
  readonly content?: string | null | undefined;
}

/** Creates a file or a directory, with the directories above it. @throws ApiError 409 for a path in use */
export function createFile(draft: Draft, branch: Branch, path: string, file: NewFile, now: Instant): ProjectFile {
  const { type, content } = file;
  checkPath(path, PATH);
  const { tree } = branch.files;
  const taken = path === '' ? 'directory' : tree.get(path)?.type;
  if (taken) throw pathTaken(path, taken);
  const parents = listParents(path).filter((parent) => !hasDirectory(tree, parent));
  const common = { version: branch.version + 1, updatedAt: now };
  const make = (at: string, hash: string | null): ProjectFile => ({
    id: drawFileId(draft),
    path: at,
    type: at === path ? type : 'directory',
    hash,
    ...common,
  });
  const created = make(path, type === 'directory' ? null : storeText(draft, content ?? ''));
  const all = [...parents.map((parent) => make(parent, null)), created];
  const changes = all.map((after) => ({ before: null, after }));
  commitChanges(draft, branch, 'single', changes, now);
  return created;
}

/** Whether a directory exists. @throws ApiError 409 for a file in its place */
function hasDirectory(tree: FileTree, path: string): boolean {
  const found = tree.get(path);
  if (found && found.type !== 'directory') throw new ApiError(409, `Conflict: ${path} is a file, not a directory`);
  return path === '' || found !== undefined;
}

export interface FileUpdate {
  readonly content?: string | undefined;
  readonly type?: FileType | undefined;
  readonly name?: string | undefined;
  /** The directory to which it moves. Null or empty: the root. */
  readonly parent_path?: string | null | undefined;
}

/**
 * Changes a file, or moves a file or directory with what is below it. Its id stays. Without a difference, nothing changes.
 * @throws ApiError 404 for an unknown path or directory, 409 for a path in use, 400 for what a directory cannot do
 */
export function updateFile(draft: Draft, branch: Branch, path: string, update: FileUpdate, now: Instant): ProjectFile {
  const { tree } = branch.files;
  const file = getFile(tree, path);
  const target = findTarget(tree, file, update);
  const { type, content } = update;
  const isFolder = isDirectory(file);
  if (type !== undefined && (type === 'directory') !== isFolder)
    throw badRequest(
      isFolder
        ? `body/type must be "directory": ${path} is a directory`
        : `body/type must be a type of files: ${path} is a file`,
    );
  if (content !== undefined && isFolder) throw badRequest(`body/content must be absent: ${path} is a directory`);
  const hash = content === undefined ? file.hash : storeText(draft, content);
  const changed = { ...file, path: target, type: type ?? file.type, hash };
  if (isSameFile(changed, file)) return file;
  const below = isFolder && target !== path ? [...rangeBelow(tree, path)] : [];
  const stamp = { version: branch.version + 1, updatedAt: now };
  const changes = [
    { before: file, after: { ...changed, ...stamp } },
    ...below.map((before) => ({
      before,
      after: { ...before, path: target + before.path.slice(path.length), ...stamp },
    })),
  ];
  for (const { after } of changes) checkPath(after.path, 'the new path');
  commitChanges(draft, branch, 'single', changes, now);
  return { ...changed, ...stamp };
}

function findTarget(tree: FileTree, { path }: ProjectFile, { name, parent_path }: FileUpdate): string {
  const directory = parent_path === undefined ? dirname(path) : toDirectory(parent_path ?? '');
  checkPath(directory, 'body/parent_path');
  if (name !== undefined) checkPath(name, 'body/name');
  const target = join(directory, name ?? basename(path));
  if (target === path) return path;
  if (!hasDirectory(tree, directory))
    throw new ApiError(404, `File not found: the directory ${directory} does not exist`);
  if (isBelow(target, path)) throw badRequest('body/parent_path must NOT be in the directory that moves');
  const taken = tree.get(target);
  if (taken) throw pathTaken(target, taken.type);
  return target;
}

/**
 * Deletes a file, or a directory with all that is in it if recursive. The empty path means all files.
 * @throws ApiError 404, and 409 for a directory that has files
 */
export function deleteFile(draft: Draft, branch: Branch, name: string, recursive: boolean, now: Instant): void {
  const path = toDirectory(name);
  const { tree } = branch.files;
  const below = [...rangeBelow(tree, path)];
  const deleted = path === '' ? below : [getFile(tree, path), ...below];
  if (!recursive && below.length > 0)
    throw new ApiError(409, `Conflict: ${path || 'the root'} is not empty, and recursive is false`);
  const changes = deleted.map((before) => ({ before, after: null }));
  commitChanges(draft, branch, 'single', changes, now);
}
