import type { Fields, Loading, Row } from '#engine/definition/context.js';
import { formatValue } from '#engine/lib/messages.js';
import { inSteps, type Steps } from '#engine/lib/steps.js';
import { getHandle } from '#vals/users/users.collection.js';
import { expectOwner, type ProjectBuilder, splitBranch, splitProject } from './names.collection.js';
import {
  addBranch,
  addCommit,
  makeBranches,
  type PendingBranch,
  type PendingProject,
  putProject,
  startProject,
} from './pending.collection.js';
import type { FilledBranch, FilledCommit, FilledProject } from './project-fixtures.collection.js';

/** Loads projects, and all that belongs to them. */
export interface ProjectLoading extends Omit<Loading, 'sets' | 'find' | 'rows'>, ProjectBuilder {
  rows(collection: 'projects'): Iterable<Row<FilledProject>>;
  rows(collection: 'branches'): Iterable<Row<FilledBranch>>;
  rows(collection: 'commits'): Iterable<Row<FilledCommit>>;
}

interface RecordLoading<I> extends Omit<Loading, 'sets' | 'find' | 'rows'>, ProjectBuilder {
  rows(collection: string): Iterable<Row<I>>;
}

/** Returns what loads records of a collection one after another. @param getId the id of a record */
export const loadEach = <I extends Fields, R>(
  collection: string,
  insert: (builder: ProjectBuilder, row: Row<I>) => R | undefined,
  getId: (record: R) => string,
) =>
  function* load(loading: RecordLoading<I>): Steps<void> {
    yield* inSteps(loading.rows(collection), (row) => {
      const made = insert(loading, row);
      if (made) loading.onRecord(row.path, getId(made));
      else loading.markInvalid(collection, row.record);
    });
  };

/** Loads projects with their branches and commits: each may give defaults of the others. */
export function* loadProjects(loading: ProjectLoading): Steps<void> {
  const { sets } = loading;
  const projects = new Map<string, PendingProject>();
  const branches = new Map<string, readonly [PendingProject, PendingBranch]>();
  const all: PendingProject[] = [];
  const mayOwnerBeInvalid = loading.hasInvalid('users') || loading.hasInvalid('organizations');
  yield* inSteps(loading.rows('projects'), (row) => {
    const { record, path } = row;
    const owner = expectOwner(loading, record.owner, `${path}.owner`, mayOwnerBeInvalid);
    const pending = owner && startProject(loading, row, owner, (at, id) => loading.onRecord(at, id));
    const user = pending && sets.users.get(pending.id);
    if (user) {
      const problem = `the id ${formatValue(pending.id)} is taken by the user ${getHandle(user)}; expected another one.`;
      loading.report(`${path}.id`, problem);
    }
    const isUnique =
      pending &&
      !user &&
      loading.reserve(`${path}.name`, 'project', pending.name.toLowerCase()) &&
      loading.reserve(`${path}.id`, 'id', pending.id);
    if (!isUnique) return loading.markInvalid('projects', { name: record.name, id: record.id });
    projects.set(`${pending.ownerId}/${record.name.toLowerCase()}`, pending).set(pending.id, pending);
    all.push(pending);
  });
  const findPending = (reference: string) => projects.get(splitProject(sets, reference).join('/'));
  /** Reports the references that nothing is found for, when all is loaded. */
  const reports: (() => void)[] = [];
  yield* inSteps(loading.rows('branches'), ({ record, path }) => {
    const project = findPending(record.project);
    if (!project) reports.push(() => void loading.find('projects', record.project, `${path}.project`));
    else addBranch(loading, project, { record, path }, ({ id }) => loading.onRecord(path, id));
  });
  for (const project of all) {
    for (const branch of project.branches.values()) branches.set(branch.id, [project, branch]);
  }
  const findPendingBranch = (reference: string) => {
    const [first, name] = splitBranch(reference);
    if (name === undefined) return branches.get(first.toLowerCase());
    const project = findPending(first);
    const branch = project?.branches.get(name);
    return project && branch && ([project, branch] as const);
  };
  yield* inSteps(loading.rows('commits'), ({ record, path }) => {
    const found = findPendingBranch(record.branch);
    if (!found) {
      reports.push(() => {
        const [project, name] = splitBranch(record.branch);
        if (name !== undefined && !loading.find('projects', project, `${path}.branch`)) return;
        loading.find('branches', record.branch, `${path}.branch`);
      });
      return;
    }
    addCommit(loading, ...found, { record, path }, ({ branchId, version }) => {
      loading.onRecord(path, `${branchId}:${version}`);
    });
  });
  // What follows a record with errors would have further ones.
  const isPartial = loading.hasInvalid('branches') || loading.hasInvalid('commits');
  yield* inSteps(all, (pending) => {
    const project = putProject(loading, pending);
    loading.onRecord(pending.row.path, project.id);
    if (!isPartial) makeBranches(loading, project, pending);
  });
  if (!isPartial) for (const report of reports) report();
}
