import { formatValue, joinPath } from '#engine/lib/messages.js';
import type { Instant } from '#engine/lib/time.js';
import { type FileChange, type FileTree, type ProjectFile, putText } from './file-records.collection.js';
import {
  type FilesInput,
  findPathProblem,
  findType,
  listParents,
  MOST_DIRECTORIES,
  MOST_FILES,
  rangeBelow,
  readText,
  toFileRecord,
} from './files.collection.js';
import type { ProjectBuilder } from './names.collection.js';

interface CommitInput {
  readonly files: FilesInput;
  /** Where to report its files. */
  readonly path: string;
  readonly version: number;
  readonly createdAt: Instant;
  /** The branch as fixtures name it: `ada/site@main`. */
  readonly branch: string;
  readonly projectId: string;
}

/** Names a file that a commit creates, for its derived id. */
export const nameFile = (branch: string, version: number, path: string): string => `file:${branch}:${version}/${path}`;

/** Finds what a commit changes in a tree: moves come first, then deletions, then all other files. */
export function buildChanges(builder: ProjectBuilder, tree: FileTree, commit: CommitInput): FileChange[] {
  return new ChangeBuilder(builder, tree, commit).build();
}

type Entry = ReturnType<typeof toFileRecord>;

class ChangeBuilder {
  readonly #builder: ProjectBuilder;
  readonly #before: FileTree;
  readonly #commit: CommitInput;
  #tree: FileTree;
  /** The ids of the files that change. */
  readonly #touched = new Set<string>();

  constructor(builder: ProjectBuilder, tree: FileTree, commit: CommitInput) {
    this.#builder = builder;
    this.#before = tree;
    this.#commit = commit;
    this.#tree = tree;
  }

  build(): FileChange[] {
    const { path } = this.#commit;
    const entries: [name: string, entry: Entry][] = [];
    const deleted: string[] = [];
    for (const [name, input] of Object.entries(this.#commit.files)) {
      const problem = findPathProblem(name);
      if (problem !== undefined) this.#builder.report(joinPath(path, name), problem);
      else if (input === null) deleted.push(name);
      else entries.push([name, toFileRecord(input)]);
    }
    this.#takeMoved(entries, deleted);
    for (const name of deleted) this.#delete(name);
    // Directories before what they have.
    for (const [name, entry] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) this.#put(name, entry);
    this.#checkSize();
    return [...this.#touched].flatMap((id) => {
      const [before = null, after = null] = [this.#before.by.id.get([id]), this.#tree.by.id.get([id])];
      return before || after ? [{ before, after }] : [];
    });
  }

  /**
   * Takes the files away that have another path after the commit. A directory moves with all that is below it, unless another
   * directory takes its place.
   */
  #takeMoved(entries: [name: string, entry: Entry][], deleted: readonly string[]): void {
    const named = new Set(entries.flatMap(([, { id }]) => id?.toLowerCase() ?? []));
    const paths = new Set(entries.map(([name]) => name));
    for (const [name, { id }] of [...entries]) {
      const file = id === undefined ? undefined : this.#before.by.id.get([id.toLowerCase()]);
      if (!file || file.path === name) continue;
      this.#remove(file);
      if (file.type !== 'directory' || paths.has(file.path)) continue;
      for (const below of rangeBelow(this.#before, file.path)) {
        if (named.has(below.id) || deleted.includes(below.path)) continue;
        this.#remove(below);
        entries.push([name + below.path.slice(file.path.length), { id: below.id }]);
      }
    }
  }

  #delete(name: string): void {
    const file = this.#tree.get(name);
    if (file) this.#removeAll(file);
    else if (!this.#before.get(name)) {
      this.#builder.report(joinPath(this.#commit.path, name), 'there is no file or directory to delete.');
    }
  }

  #remove(file: ProjectFile): void {
    this.#touched.add(file.id);
    this.#tree = this.#tree.delete(file);
  }

  #removeAll(file: ProjectFile): void {
    this.#remove(file);
    if (file.type !== 'directory') return;
    for (const below of rangeBelow(this.#tree, file.path)) this.#remove(below);
  }

  #put(name: string, entry: Entry): void {
    const { createdAt, version } = this.#commit;
    const path = joinPath(this.#commit.path, name);
    const id = entry.id?.toLowerCase();
    const atPath = this.#tree.get(name);
    const isReplaced = atPath !== undefined && id !== undefined && atPath.id !== id;
    const before = (id === undefined ? undefined : this.#before.by.id.get([id])) ?? (isReplaced ? undefined : atPath);
    const text = readText(this.#builder, entry, path);
    const isNewText = before?.type === 'directory' && text !== undefined;
    const type = entry.type ?? (isNewText ? undefined : before?.type) ?? findType(name);
    if (before && (before.type === 'directory') !== (type === 'directory')) {
      const found = before.type === 'directory' ? 'a directory' : 'a file';
      this.#builder.report(path, `is ${found} already; delete it in a commit before.`);
      return;
    }
    if (isReplaced) {
      if (type === 'directory' && atPath.type === 'directory') this.#remove(atPath);
      else this.#removeAll(atPath);
    }
    if (!this.#makeParents(name, path)) return;
    const isDirectory = type === 'directory';
    this.#touch({
      id: id === undefined && before ? before.id : this.#toId(id, name, path),
      path: name,
      type,
      hash: isDirectory ? null : text === undefined && before ? before.hash : putText(this.#builder.sets, text ?? ''),
      version: entry.version ?? version,
      updatedAt: this.#builder.toInstant(entry.updatedAt, createdAt, `${path}.updatedAt`),
    });
  }

  #touch(file: ProjectFile): void {
    this.#touched.add(file.id);
    this.#tree = this.#tree.put(file);
  }

  /** Returns the id of a file, which no other project may have. */
  #toId(given: string | undefined, name: string, path: string): string {
    const { branch, version, projectId } = this.#commit;
    const { commits, branches } = this.#builder.sets;
    const id = this.#builder.toId(given, nameFile(branch, version, name));
    if (given === undefined) return id;
    const creation = commits.by.created.get([id])?.commit;
    const isOfOther = creation && branches.get(creation.branchId)?.projectId !== projectId;
    const isTwice = this.#tree.by.id.get([id]) !== undefined && this.#touched.has(id);
    if (isOfOther || isTwice) this.#builder.reportTaken(`${path}.id`, id);
    return id;
  }

  /** Makes the directories of a file. Returns false when one of them is a file, which is reported. */
  #makeParents(name: string, path: string): boolean {
    const { createdAt: updatedAt, version } = this.#commit;
    for (const parent of listParents(name)) {
      const found = this.#tree.get(parent);
      if (found && found.type !== 'directory') {
        this.#builder.report(path, `${formatValue(parent)} is a file; expected a directory.`);
        return false;
      }
      if (found) continue;
      const id = this.#toId(undefined, parent, path);
      this.#touch({ id, path: parent, type: 'directory', hash: null, version, updatedAt });
    }
    return true;
  }

  #checkSize(): void {
    if (this.#tree.size <= Math.min(MOST_FILES, MOST_DIRECTORIES)) return;
    let files = 0;
    for (const { type } of this.#tree) if (type !== 'directory') files++;
    const directories = this.#tree.size - files;
    const { path } = this.#commit;
    if (files > MOST_FILES) {
      this.#builder.report(path, `make ${files} files of the project; expected at most ${MOST_FILES}.`);
    }
    if (directories > MOST_DIRECTORIES) {
      const message = `make ${directories} directories of the project; expected at most ${MOST_DIRECTORIES}.`;
      this.#builder.report(path, message);
    }
  }
}
