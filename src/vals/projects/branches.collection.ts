import type { Fields, Names, Row, Writing } from '#engine/definition/context.js';
import { defineCollection, type Replacing } from '#engine/definition/define.js';
import { ApiError } from '#engine/lib/errors.js';
import { didYouMean } from '#engine/lib/messages.js';
import { toTimestamp } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';
import { detachForks, dropBranch } from './delete.collection.js';
import { Files, type FileTree, getFields, getText } from './file-records.collection.js';
import { findBranch, findBranchByName, type ProjectBuilder, writeBranch, writeProject } from './names.collection.js';
import { MOST_BRANCHES, makeBranch, nameBranch } from './pending.collection.js';
import { branchSchema, type FilledBranch } from './project-fixtures.collection.js';
import { type Branch, branchIndexes, MAIN, type Projects, readTree, replayTree } from './project-records.collection.js';

/** A branch without its tree, which follows from its commits. */
type StoredBranch = Omit<Branch, 'files'>;

/** Names the version that a branch starts from. */
function writeBase({ branches, commits }: Readonly<Projects>, { id }: Branch) {
  const base = commits.get(id, 0)?.base;
  return { from: (base && branches.get(base.branchId)?.name) ?? null, version: base?.version ?? null };
}

function insert(builder: ProjectBuilder, { record, path }: Row<FilledBranch>): Branch | undefined {
  const { sets } = builder;
  const project = builder.find('projects', record.project, `${path}.project`);
  if (!project) return undefined;
  const { project: _, ...fields } = record;
  if (findBranchByName(sets, project.id, record.name)) return builder.reportTaken(`${path}.name`, record.name);
  const count = sets.branches.by.project.range([project.id]).length;
  if (count >= MOST_BRANCHES) {
    return builder.report(`${path}.project`, `has ${count} branches; expected fewer than ${MOST_BRANCHES}.`);
  }
  const name = writeProject(sets, project);
  const id = builder.toId(record.id, nameBranch(name, record.name));
  const serial = builder.drawSerial();
  return makeBranch(builder, project, name, { record: fields, path, id, serial, commits: [], state: 'pending' });
}

/** Writes the name and the time of a branch in place of those of `old`. All else of a branch is fixed. */
function replace(
  { sets, insert: insertIn }: Replacing<Branch, FilledBranch> & { readonly sets: Projects },
  fixture: Fields,
  old: Branch,
): Branch {
  const base = writeBase(sets, old);
  return insertIn(
    { ...base, createdAt: toTimestamp(old.createdAt), ...fixture },
    {
      insert(builder: ProjectBuilder, { record, path }) {
        const project = builder.find('projects', record.project, `${path}.project`);
        const { name } = record;
        if (project && project.id !== old.projectId)
          builder.report(`${path}.project`, 'a branch stays in its project.');
        for (const key of ['from', 'version'] as const) {
          if (record[key] !== base[key]) builder.report(`${path}.${key}`, 'the start of a branch cannot change.');
        }
        if (name !== old.name) {
          if (old.name === MAIN) builder.report(`${path}.name`, 'the branch main keeps its name.');
          if (findBranchByName(sets, old.projectId, name)) builder.reportTaken(`${path}.name`, name);
        }
        const createdAt = builder.toInstant(record.createdAt, old.createdAt, `${path}.createdAt`);
        const branch = { ...old, name, createdAt, updatedAt: old.version === 0 ? createdAt : old.updatedAt };
        sets.branches = sets.branches.put(branch);
        return branch;
      },
    },
  );
}

const listFiles = (sets: Projects, tree: FileTree) =>
  Array.from(tree, (file) => ({
    ...{ id: file.id, path: file.path, fields: { ...getFields(file) } },
    text: file.hash === null ? null : getText(sets, file),
  }));

export const branches = defineCollection(
  {
    name: 'branches',
    title: 'The branches of the projects, main included',
    adder: 'branch',
    identity: index<Branch>(asc((record) => record.id)),
    indexes: branchIndexes,
    schema: branchSchema,
  },
  {
    references: {
      project: {
        to: 'projects',
        id: ({ projectId }) => projectId,
        // A fork comes after its parent, and goes before it.
        find: ({ by }, id) => [...by.project.range([id])].reverse(),
      },
    },
    naming: {
      write: (sets: Projects, branch: Branch) => writeBranch(sets, branch),
      find: findBranch,
      usage: ' Name it "owner/project@branch" or by its id.',
      suggest: (sets: Projects, reference) =>
        didYouMean(
          reference,
          Array.from(sets.branches, (branch) => writeBranch(sets, branch)),
        ),
      aliases: (_sets, reference) => [reference.toLowerCase()],
      // The project may be any.
      alias: () => undefined,
    },
    /** With the projects. */
    *load() {},
    insert,
    replace,
    remove(sets: Projects, branch) {
      if (branch.name === MAIN) throw new ApiError(400, 'Cannot delete the branch main of a project');
      dropBranch(sets, branch);
    },
    clear(sets: Projects, branches) {
      for (const { id } of branches) detachForks(sets, id);
    },
    write: (names: Names & { readonly sets: Projects }, branch) => ({
      project: names.of('projects', branch.projectId),
      name: branch.name,
      id: branch.id,
      ...writeBase(names.sets, branch),
      createdAt: toTimestamp(branch.createdAt),
    }),
    abridge: (writing: Writing & { readonly sets: Projects }) => ({
      abridge: ({ projectId }, { project, name, from }) => ({
        defaults: {
          id: writing.deriveId(nameBranch(project, name)),
          from: name === MAIN ? null : MAIN,
          version: from === null ? null : findBranchByName(writing.sets, projectId, from)?.version,
        },
      }),
    }),
    isLast: true,
    stored: {
      encode: ({ files: _, ...branch }): StoredBranch => branch,
      decode: (branch: StoredBranch, { commits }: Projects): Branch => ({
        ...branch,
        files: new Files(() => replayTree(commits, branch.id)),
      }),
    },
    related: (sets: Projects, branch) => {
      const base = sets.commits.get(branch.id, 0)?.base;
      const parent = base && sets.branches.get(base.branchId);
      return [
        ...(parent ? [['branches', parent] as const] : []),
        ...Array.from(sets.commits.range(branch.id), (commit) => ['commits', commit] as const),
      ];
    },
    relations: (sets: Projects, branch) => ({
      parent: ['branches', branch.forkedBranchId === null ? [] : [branch.forkedBranchId]],
      forks: ['branches', Array.from(sets.commits.by.fork.range([branch.id]), ({ commit }) => commit.branchId)],
    }),
    files: {
      list: (sets: Projects, branch, version = branch.version) =>
        version > branch.version ? undefined : listFiles(sets, readTree(sets, branch, version)),
      find(sets: Projects, id) {
        for (const { commit } of sets.commits.by.created.range([id.toLowerCase()])) {
          const record = sets.branches.get(commit.branchId);
          const file = record?.files.tree.by.id.get([id.toLowerCase()]);
          if (record && file) return { record, path: file.path };
        }
        return undefined;
      },
      copied: (sets: Projects, branch) =>
        sets.commits.get(branch.id, 0)?.base ? listFiles(sets, readTree(sets, branch, 0)) : [],
    },
    /** A branch that a commit changed, and the branch main of a new project. */
    isPart({ id, projectId }, before: Readonly<Projects>, after: Readonly<Projects>) {
      const [old, now] = [before.branches.get(id), after.branches.get(id)];
      if (old && now) return old.version !== now.version;
      return now?.name === MAIN && !before.projects.get(projectId);
    },
    example: { project: 'ada/site', name: 'draft' },
    display: (names, { id }) => names.of('branches', id),
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
  },
);
