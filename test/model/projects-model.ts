// A naive model of projects: a map of maps for each version of each branch, all of it copied for each write. It imports nothing of
// src, so that a defect there cannot hide here.

export interface File {
  readonly id: string;
  readonly type: string;
  /** Null for a directory. */
  readonly text: string | null;
  readonly version: number;
}
/** By path. */
export type Tree = ReadonlyMap<string, File>;

export interface Branch {
  readonly id: string;
  readonly name: string;
  from: string | null;
  /** The files of each version. Those of version 0 are those of the parent. */
  readonly trees: Tree[];
  /** What it has had in common with its parent last, and the versions of both, by id, right after that. */
  met: { readonly base: Tree; readonly versions: Readonly<Record<string, number>> };
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  /** The oldest first, which is `main`. */
  branches: Branch[];
}

/** A file with its path. */
type Placed = File & { readonly path: string };

/** A response without its body. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}
export const refuse = (status: number): never => {
  throw new Refused(status);
};

export const versionOf = ({ trees }: Branch): number => trees.length - 1;
export const treeOf = (branch: Branch, version = versionOf(branch)): Tree => branch.trees[version] ?? refuse(404);

const dirname = (path: string): string => path.split('/').slice(0, -1).join('/');
const basename = (path: string): string => path.split('/').at(-1) ?? '';
const isBelow = (path: string, directory: string): boolean => directory === '' || path.startsWith(`${directory}/`);

function check(path: string): void {
  if (path !== '' && path.split('/').some((part) => part === '' || part === '..')) refuse(400);
}

function find(tree: Tree, path: string): File {
  check(path);
  return tree.get(path) ?? refuse(404);
}

/** Lists files by path, as a list of the API does. */
export function list(tree: Tree, path: string, recursive: boolean): [path: string, file: File][] {
  if (path !== '' && find(tree, path).type !== 'directory') return [[path, find(tree, path)]];
  const found = [...tree].filter(([each]) => (recursive ? isBelow(each, path) : dirname(each) === path));
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Adds a version, unless it is the same as the last one. */
function commit(branch: Branch, next: Tree): void {
  const before = treeOf(branch);
  const [old, now] = [byId(before), byId(next)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((id) => !isSame(old.get(id), now.get(id)));
  if (changed.length === 0) return;
  branch.trees.push(next);
}

function isDirectory(tree: Tree, path: string): boolean {
  const found = tree.get(path);
  if (found && found.type !== 'directory') refuse(409);
  return path === '' || found !== undefined;
}

/** @param ids of the file, and of the directories above it, which the emulator draws */
export function create(branch: Branch, path: string, type: string, text: string | null, ids: (path: string) => string) {
  const tree = treeOf(branch);
  check(path);
  if (path === '' || tree.has(path)) refuse(409);
  const parts = path.split('/');
  const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
  const missing = above.filter((directory) => !isDirectory(tree, directory));
  const version = versionOf(branch) + 1;
  const made = missing.map((each) => [each, { id: ids(each), type: 'directory', text: null, version }] as const);
  commit(branch, new Map([...tree, ...made, [path, { id: ids(path), type, text, version }]]));
}

export interface Update {
  readonly content?: string;
  readonly type?: string;
  readonly name?: string;
  readonly parent_path?: string | null;
}

/** Returns the path of the file after the change. */
export function update(branch: Branch, path: string, { content, type, name, parent_path }: Update): string {
  const tree = treeOf(branch);
  const file = find(tree, path);
  const directory = parent_path === undefined ? dirname(path) : (parent_path ?? '');
  check(directory);
  const base = name ?? basename(path);
  const target = directory === '' ? base : `${directory}/${base}`;
  if (target !== path) {
    if (!isDirectory(tree, directory)) refuse(404);
    if (isBelow(target, path)) refuse(400);
    if (tree.has(target)) refuse(409);
  }
  const isFolder = file.type === 'directory';
  if (type !== undefined && (type === 'directory') !== isFolder) refuse(400);
  if (content !== undefined && isFolder) refuse(400);
  const version = versionOf(branch) + 1;
  const changed = { ...file, type: type ?? file.type, text: content ?? file.text, version };
  if (target === path && changed.type === file.type && changed.text === file.text) return path;
  const entries = Array.from(tree, ([each, old]): [string, File] => {
    if (each === path) return [target, changed];
    return target !== path && isBelow(each, path)
      ? [target + each.slice(path.length), { ...old, version }]
      : [each, old];
  });
  commit(branch, new Map(entries));
  return target;
}

export function remove(branch: Branch, path: string, recursive: boolean): void {
  const tree = treeOf(branch);
  if (path !== '') find(tree, path);
  const below = [...tree.keys()].filter((each) => isBelow(each, path));
  if (!recursive && below.length > 0) refuse(409);
  commit(branch, new Map([...tree].filter(([each]) => each !== path && !below.includes(each))));
}

export function fork({ branches }: Project, from: Branch, name: string, id: string): void {
  if (branches.some((each) => each.name === name)) refuse(409);
  const tree = treeOf(from);
  branches.push({
    id,
    name,
    from: from.id,
    trees: [tree],
    met: { base: tree, versions: { [from.id]: versionOf(from) } },
  });
}

export function removeBranch(project: Project, branch: Branch): void {
  if (branch.name === 'main') refuse(400);
  project.branches = project.branches.filter((each) => each !== branch);
  for (const each of project.branches) if (each.from === branch.id) each.from = null;
}

// Merges and reverts, file by file.

const byId = (tree: Tree): Map<string, Placed> =>
  new Map(Array.from(tree, ([path, file]) => [file.id, { ...file, path }]));

const isSame = (a: Placed | undefined, b: Placed | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.path === b.path && a.type === b.type && a.text === b.text);

/** Brings a branch back to one of its versions. */
export function revert(branch: Branch, version: number): void {
  const [now, wanted] = [byId(treeOf(branch)), byId(treeOf(branch, version))];
  const next = versionOf(branch) + 1;
  const files = [...wanted.values()].map((file) => {
    const current = now.get(file.id);
    return current && isSame(current, file) ? current : { ...file, version: next };
  });
  commit(branch, toTree(files));
}

const toTree = (files: readonly Placed[]): Tree => new Map(files.map(({ path, ...file }) => [path, file]));

/** Whether two entries at one path are alike, whatever their ids. */
const isAlike = (a: File | undefined, b: File | undefined): boolean => a?.type === b?.type && a?.text === b?.text;
const isFolder = (file: File | undefined): boolean => file?.type === 'directory';

/**
 * Merges a branch into its parent, or into a fork of it, path by path. Nothing changes if both have changed the same path.
 * @param ids of the files of the target after the merge, for those that the emulator draws
 */
export function merge(
  { branches }: Project,
  source: Branch,
  ids: (path: string) => string,
  target = branches.find(({ id }) => id === source.from) ?? refuse(400),
): void {
  const fork = [source, target].find(({ from }) => [source.id, target.id].includes(from ?? '')) ?? refuse(400);
  const { base, versions } = fork.met;
  const [ours, theirs] = [treeOf(source), treeOf(target)];
  const isNew = (file: File | undefined, was: File | undefined) =>
    file !== undefined && file.id !== was?.id && file.version > (versions[target.id] ?? 0);
  const paths = [...new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])].sort();
  const isUnchanged = (path: string) =>
    isAlike(ours.get(path), base.get(path)) && ours.get(path)?.id === base.get(path)?.id;
  if (paths.every(isUnchanged)) return;
  const kept = new Map<string, File>();
  const brought: [path: string, file: File, id: string | undefined][] = [];
  for (const path of paths) {
    const [was, our, their] = [base.get(path), ours.get(path), theirs.get(path)];
    const isRemade = was !== undefined && isAlike(our, was) && our?.id !== was.id;
    if (!isFolder(was)) {
      // What stays deleted, although the other has made it again.
      if (isRemade && !their) refuse(409);
      if (was && !our && isAlike(their, was) && isNew(their, was)) refuse(409);
    }
    const isOurs = !isAlike(our, was);
    const isTheirs = !isAlike(their, was);
    if (isOurs && isTheirs && !isAlike(our, their)) refuse(409);
    const takesOurs = isOurs ? !isTheirs : isRemade && !isTheirs && !isNew(their, was);
    if (!takesOurs && their) kept.set(path, their);
    if (takesOurs && our) brought.push([path, our, was?.id === our.id ? their?.id : undefined]);
  }
  const merged = new Map(kept);
  const put = (path: string, file: File, id = file.id) => {
    const used = new Set(Array.from(merged.values(), (each) => each.id));
    merged.set(path, { ...file, id: [id, file.id].find((each) => !used.has(each)) ?? ids(path) });
  };
  for (const [path, file, id] of brought) {
    put(path, file, id);
  }
  for (const path of paths.filter((each) => isFolder(theirs.get(each)))) {
    if ([...merged.keys()].every((each) => !isBelow(each, path))) continue;
    if (!merged.has(path)) put(path, theirs.get(path) ?? refuse(500));
    if (!isFolder(merged.get(path))) refuse(409);
  }
  for (const [path] of brought) {
    const parts = path.split('/').slice(0, -1);
    for (const directory of parts.map((_, i) => parts.slice(0, i + 1).join('/'))) {
      if (!merged.has(directory)) put(directory, ours.get(directory) ?? refuse(500));
      if (!isFolder(merged.get(directory))) refuse(409);
    }
  }
  const before = byId(theirs);
  const version = versionOf(target) + 1;
  const files = Array.from(merged, ([path, file]) => {
    const old = before.get(file.id);
    return old && isSame(old, { ...file, path }) ? old : { ...file, path, version };
  });
  target.trees.push(toTree(files));
  fork.met = { base: ours, versions: { [source.id]: versionOf(source), [target.id]: version } };
}
