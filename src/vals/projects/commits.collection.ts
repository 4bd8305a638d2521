import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import type { Fields, Names, Row, Writing } from '#engine/definition/context.js';
import { defineCollection, type Replacing, type StoredSet } from '#engine/definition/define.js';
import { nullable, oneOf } from '#engine/definition/parts.js';
import { ApiError } from '#engine/lib/errors.js';
import { toTimestamp } from '#engine/lib/time.js';
import { compile } from '#engine/schema/validator.js';
import { asc, Collection, index } from '#engine/store/collection.js';
import { nameFile } from './changes.collection.js';
import { clearCommits, dropTexts } from './delete.collection.js';
import {
  applyFileChanges,
  type FileFields,
  Files,
  type FileText,
  getFields,
  getText,
  ProjectFile,
} from './file-records.collection.js';
import { findType } from './files.collection.js';
import { type ProjectBuilder, writeBranch } from './names.collection.js';
import { checkMerged, makeCommit } from './pending.collection.js';
import { commitSchema, type FilledCommit } from './project-fixtures.collection.js';
import {
  type Branch,
  COMMIT_KINDS,
  type Commit,
  commitIndexes,
  type Projects,
  type VersionOfBranch,
} from './project-records.collection.js';

const textSpec = { identity: index<FileText>(asc((record) => record.hash)), indexes: {} };

/** The texts of files, once for each content. */
export const texts = {
  name: 'texts',
  collect: (records: readonly FileText[]) => Collection.from(textSpec, records),
  validateRecord: compile(Type.Object({ hash: Type.String(), text: Type.String() }), 'strict'),
} satisfies StoredSet<FileText>;

type ProjectNames = Names & { readonly sets: Projects };

export interface WrittenFile extends Partial<FileFields> {
  readonly id?: string;
  readonly text?: string;
  readonly version?: number;
  readonly updatedAt?: string;
}
export type WrittenFiles = Readonly<Record<string, WrittenFile | string | null>>;

/** Writes what a commit changes, by path. A moved file has its id under another path, and its text only if that is new. */
function writeFiles(commit: Commit, toText: (file: ProjectFile) => object): Record<string, WrittenFile | null> {
  const files: Record<string, WrittenFile | null> = {};
  for (const { before, after } of commit.changes) if (before && !after) files[before.path] = null;
  for (const { before, after } of commit.changes) {
    if (!after) continue;
    const { id, path, hash, version, updatedAt } = after;
    files[path] = {
      ...{ id, ...getFields(after) },
      ...(hash !== null && hash !== before?.hash && toText(after)),
      ...(version !== commit.version && { version }),
      ...(updatedAt !== commit.createdAt && { updatedAt: toTimestamp(updatedAt) }),
    };
  }
  return files;
}

const writeMerged = ({ branches }: Readonly<Projects>, { branchId, version }: VersionOfBranch) => ({
  branch: branches.get(branchId)?.name ?? branchId,
  version,
});

const writeCommit = (names: ProjectNames, commit: Commit, toText: (file: ProjectFile) => object) => ({
  branch: names.of('branches', commit.branchId),
  version: commit.version,
  kind: commit.kind,
  createdAt: toTimestamp(commit.createdAt),
  files: writeFiles(commit, toText),
  ...(commit.merged && { merged: writeMerged(names.sets, commit.merged) }),
});

/** Shows a commit with the sizes of texts, in characters, in place of them. */
const showCommit = (names: ProjectNames, commit: Commit) =>
  writeCommit(names, commit, (file) => ({ size: getText(names.sets, file).length }));

function insert(builder: ProjectBuilder, { record, path }: Row<FilledCommit>): Commit | undefined {
  const { sets } = builder;
  const found = builder.find('branches', record.branch, `${path}.branch`);
  const branch = found && sets.branches.get(found.id);
  if (!branch) return undefined;
  if (!checkMerged(builder, branch, record.merged, path)) return undefined;
  const pending = { record, path, filesPath: `${path}.files`, serial: builder.drawSerial() };
  const made = makeCommit(builder, branch, writeBranch(sets, branch), pending);
  return made && sets.commits.get(made.id, record.version === 0 ? 0 : made.version);
}

function getBranch({ branches }: Readonly<Projects>, { branchId }: Commit): Branch {
  const branch = branches.get(branchId);
  if (!branch) throw new Error(`no branch ${branchId}`);
  return branch;
}

/** Takes back the latest commit of a branch. @throws ApiError 400 for another one, and for the start of a fork */
function remove(sets: Projects, commit: Commit): void {
  const branch = getBranch(sets, commit);
  const { version } = commit;
  if (version !== branch.version || version === 0) {
    throw new ApiError(400, 'Cannot delete a commit other than the latest one of its branch');
  }
  for (const { base } of sets.commits.by.fork.range([branch.id])) {
    if (base.version === version) throw new ApiError(400, 'Cannot delete a commit that a branch starts from');
  }
  for (const { merged } of sets.commits.by.merged.range([branch.id])) {
    if (merged.version === version) throw new ApiError(400, 'Cannot delete a commit that another branch has merged');
  }
  sets.commits = sets.commits.delete(commit);
  dropTexts(sets, [commit]);
  const last = version > 1 ? sets.commits.get(branch.id, version - 1) : undefined;
  const files = new Files(applyFileChanges(branch.files.tree, commit.changes, 'back'));
  const updatedAt = last?.createdAt ?? branch.createdAt;
  sets.branches = sets.branches.put({ ...branch, version: version - 1, updatedAt, files });
}

/** Writes the kind of a commit in place of that of `old`. All else of a commit is fixed. */
function replace(
  { insert: insertIn, sets }: Replacing<Commit, FilledCommit> & { readonly sets: Projects },
  fixture: Fields,
  old: Commit,
): Commit {
  const { files, ...rest } = fixture;
  const shown = writeFiles(old, (file) => ({ size: getText(sets, file).length }));
  const fixed = { branch: writeBranch(sets, getBranch(sets, old)), version: old.version };
  return insertIn(
    { ...fixed, createdAt: toTimestamp(old.createdAt), ...rest },
    {
      insert(builder: ProjectBuilder, { record, path }) {
        const branch = builder.find('branches', record.branch, `${path}.branch`);
        if (branch && branch.id !== old.branchId) builder.report(`${path}.branch`, 'a commit stays on its branch.');
        if (record.version !== old.version) builder.report(`${path}.version`, 'a commit keeps its version.');
        if (builder.toInstant(record.createdAt, old.createdAt) !== old.createdAt) {
          builder.report(`${path}.createdAt`, 'a commit keeps its time.');
        }
        if (files !== undefined && !isDeepStrictEqual(files, shown)) {
          builder.report(`${path}.files`, 'a commit keeps its files; add another commit.');
        }
        const merged = old.merged && writeMerged(sets, old.merged);
        if (record.merged !== undefined && !isDeepStrictEqual(record.merged, merged)) {
          builder.report(`${path}.merged`, 'a commit keeps what it has merged.');
        }
        const commit = { ...old, kind: record.kind };
        sets.commits = sets.commits.put(commit);
        return commit;
      },
    },
  );
}

/** Identity: branch and version. */
const StoredVersion = Type.Object({ branchId: Type.String(), version: Type.Integer() });
const validateRecord = compile(
  Type.Object({
    ...{ branchId: Type.String(), version: Type.Integer({ minimum: 0 }), kind: oneOf(...COMMIT_KINDS) },
    ...{ createdAt: Type.Integer(), serial: Type.Integer() },
    changes: Type.Array(Type.Object({ before: nullable(ProjectFile), after: nullable(ProjectFile) })),
    base: nullable(StoredVersion),
    merged: Type.Optional(StoredVersion),
  }),
  'strict',
);

export const commits = defineCollection(
  {
    name: 'commits',
    title: 'The commits of the branches, each with the files that it changes',
    adder: 'commit',
    identity: index<Commit>(
      asc((record) => record.branchId),
      asc((record) => record.version),
    ),
    indexes: commitIndexes,
    schema: commitSchema,
  },
  {
    references: {
      branch: { to: 'branches', id: ({ branchId }) => branchId, find: (commits, id) => commits.range(id) },
    },
    parseKey: ([branchId = '', version]) => [branchId, Number(version)],
    validateRecord,
    /** With the projects. */
    *load() {},
    insert,
    replace,
    remove,
    clear: clearCommits,
    parts: [texts],
    write: (names: ProjectNames, commit): Omit<ReturnType<typeof writeCommit>, 'files'> & { files: WrittenFiles } =>
      writeCommit(names, commit, (file) => ({ text: getText(names.sets, file) })),
    show: showCommit,
    abridge(writing: Writing & { readonly sets: Projects }) {
      return {
        abridge: (commit, fields) => ({
          fields: { ...fields, files: abridgeFiles(writing, commit, fields) },
          defaults: commit.version === 0 ? {} : { version: commit.version },
        }),
      };
    },
    /** Oldest first, without the starts of forks: their branches have them. */
    *select(commits) {
      // The files of a branch whose parent is gone come before its commits, whose serials a fixture has drawn earlier.
      const getAge = ({ branchId, version, serial }: Commit) =>
        version === 0 ? Math.min(serial, (commits.get(branchId, 1)?.serial ?? serial) - 0.5) : serial;
      return [...commits].filter(({ base }) => base === null).sort((a, b) => getAge(a) - getAge(b));
    },
    isPart: ({ base, version }) => version === 0 && base !== null,
    related: (sets: Projects, { branchId }) => {
      const branch = sets.branches.get(branchId);
      return branch ? [['branches', branch]] : [];
    },
    example: { branch: 'ada/site@main', files: { 'main.ts': 'export const limit = 43;', 'old.ts': null } },
    display: (names, { branchId, version }) => `${names.of('branches', branchId)} version ${version}`,
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
  },
);

/** Writes the files of a commit without ids and types that follow from their names. */
function abridgeFiles(
  writing: Writing,
  { version, changes }: Commit,
  { branch, files }: { readonly branch: string; readonly files: WrittenFiles },
): WrittenFiles {
  const abridged: Record<string, WrittenFile | string | null> = { ...files };
  for (const { before, after } of changes) {
    const file = after && files[after.path];
    if (!after || !file || typeof file === 'string') continue;
    const { id, type, ...rest } = file;
    const isDerived = before
      ? before.path === after.path
      : id === writing.deriveId(nameFile(branch, version, after.path));
    const isTyped = type !== (before?.type ?? findType(after.path));
    const { text, ...others } = rest;
    const isText = isDerived && !isTyped && text !== undefined && Object.keys(others).length === 0;
    abridged[after.path] = isText ? text : { ...(!isDerived && { id }), ...(isTyped && { type }), ...rest };
  }
  return abridged;
}
