import type { Row } from '#engine/definition/context.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import type { Instant } from '#engine/lib/time.js';
import { buildChanges } from './changes.collection.js';
import { applyFileChanges, Files, makeTree, sortChanges } from './file-records.collection.js';
import { findBranchByName, getOwnerHandle, type ProjectBuilder } from './names.collection.js';
import type { FilledBranch, FilledCommit, FilledProject } from './project-fixtures.collection.js';
import {
  type Branch,
  type Commit,
  MAIN,
  type Owner,
  type Project,
  putCommit,
  readTree,
} from './project-records.collection.js';

// How projects of fixtures are made, with their branches and commits.

/** Branches of a project, main included. Source: the service's page of limitations. */
export const MOST_BRANCHES = 100;

export interface PendingCommit {
  readonly record: Omit<FilledCommit, 'branch'>;
  readonly path: string;
  readonly filesPath: string;
  readonly serial: number;
  readonly onMade?: ((commit: Commit) => void) | undefined;
}

/** A branch that is not made yet, with its commits. */
export interface PendingBranch {
  readonly record: Omit<FilledBranch, 'project'>;
  readonly path: string;
  readonly id: string;
  readonly serial: number;
  readonly commits: PendingCommit[];
  readonly onMade?: ((branch: Branch) => void) | undefined;
  state: 'pending' | 'started' | 'made';
}

/** A project that is not made yet, with its branches by name. */
export interface PendingProject {
  readonly row: Row<FilledProject>;
  readonly id: string;
  /** As fixtures name it: `ada/site`. */
  readonly name: string;
  readonly ownerId: string;
  readonly serial: number;
  /** Earliest time of a record that belongs to it. */
  earliest: Instant;
  readonly branches: Map<string, PendingBranch>;
}

export const nameProject = (name: string): string => `project:${name}`;
export const nameBranch = (project: string, branch: string): string => `branch:${project}@${branch}`;

/**
 * Prepares a project with what its record has of branches and commits.
 * @param onRecord called with the path and the id of each of them
 */
export function startProject(
  builder: ProjectBuilder,
  row: Row<FilledProject>,
  owner: Owner,
  onRecord: (path: string, id: string) => void = () => {},
): PendingProject {
  const { record, path } = row;
  const name = `${getOwnerHandle(owner)}/${record.name}`;
  const id = builder.toId(record.id, nameProject(name));
  const project: PendingProject = {
    ...{ row, id, name, ownerId: owner.id },
    serial: builder.drawSerial(),
    earliest: builder.now,
    branches: new Map(),
  };
  const main = addBranch(builder, project, { record: { name: MAIN }, path });
  if (record.folder !== undefined) {
    const message = record.files
      ? 'expected one of folder and files.'
      : 'expected in fixtures of a file or of a program only, since a path has no meaning elsewhere; use files.';
    builder.report(`${path}.folder`, message);
  }
  if (record.files) {
    addCommit(builder, project, main, { record: { kind: 'multiple', files: record.files }, path });
  }
  for (const [i, { commits = [], ...branch }] of (record.branches ?? []).entries()) {
    const branchPath = `${path}.branches[${i}]`;
    const added = addBranch(builder, project, { record: branch, path: branchPath }, ({ id }) =>
      onRecord(branchPath, id),
    );
    for (const [j, commit] of commits.entries()) {
      const { kind = 'multiple', files = {}, ...others } = commit;
      const commitPath = `${branchPath}.commits[${j}]`;
      const filled = { record: { ...others, kind, files }, path: commitPath };
      addCommit(builder, project, added, filled, (made) => onRecord(commitPath, `${made.branchId}:${made.version}`));
    }
  }
  return project;
}

/** Adds a branch to a project that is not made yet. The branch main takes the place of the one that each project has. */
export function addBranch(
  builder: ProjectBuilder,
  project: PendingProject,
  { record, path }: Row<Omit<FilledBranch, 'project'>>,
  onMade?: (branch: Branch) => void,
): PendingBranch {
  project.earliest = Math.min(project.earliest, builder.toInstant(record.createdAt, builder.now));
  const first = project.branches.get(record.name);
  const isMain = record.name === MAIN && first?.path === project.row.path;
  if (first && !isMain) {
    const message = `the branch ${formatValue(record.name)} is taken by ${first.path}; expected another name.`;
    builder.report(`${path}.name`, message);
    return first;
  }
  const branch: PendingBranch = {
    ...{ record, path, onMade, state: 'pending' },
    id: builder.toId(record.id, nameBranch(project.name, record.name)),
    serial: builder.drawSerial(),
    commits: first?.commits ?? [],
  };
  project.branches.set(record.name, branch);
  return branch;
}

/** Adds a commit to a branch that is not made yet. */
export function addCommit(
  builder: ProjectBuilder,
  project: PendingProject,
  branch: PendingBranch,
  { record, path }: Row<PendingCommit['record']>,
  onMade?: (commit: Commit) => void,
): void {
  project.earliest = Math.min(project.earliest, builder.toInstant(record.createdAt, builder.now));
  branch.commits.push({ record, path, filesPath: `${path}.files`, serial: builder.drawSerial(), onMade });
}

/** Makes a project, and puts it among the others. */
export function putProject(builder: ProjectBuilder, { row, id, ownerId, serial, earliest }: PendingProject): Project {
  const { name, privacy, description, imageUrl, createdAt } = row.record;
  const time = builder.toInstant(createdAt, earliest, `${row.path}.createdAt`);
  builder.noteTime(time);
  const project: Project = { id, ownerId, name, privacy, description, imageUrl, createdAt: time, serial };
  builder.sets.projects = builder.sets.projects.put(project);
  return project;
}

export function makeBranches(builder: ProjectBuilder, project: Project, pending: PendingProject): void {
  const all = [...pending.branches.values()];
  const extra = all[MOST_BRANCHES];
  if (extra) {
    builder.report(`${extra.path}.name`, `makes ${all.length} branches; expected at most ${MOST_BRANCHES}.`);
    return;
  }
  for (const branch of all) makeBranch(builder, project, pending.name, branch, pending.branches);
  for (const { id, commits } of all) {
    const branch = builder.sets.branches.get(id);
    for (const { record, path } of branch ? commits : []) checkMerged(builder, branch, record.merged, path);
  }
}

/** Whether a commit may name a version as merged. A wrong one is reported. */
export function checkMerged(
  builder: ProjectBuilder,
  branch: Branch | undefined,
  merged: FilledCommit['merged'],
  path: string,
): boolean {
  if (!merged || !branch) return true;
  const source = findBranchByName(builder.sets, branch.projectId, merged.branch);
  if (!source) {
    const known = Array.from(builder.sets.branches.by.project.range([branch.projectId]), ({ name }) => name);
    const hint = didYouMean(merged.branch, known);
    builder.report(`${path}.merged.branch`, `there is no branch ${formatValue(merged.branch)} in the project.${hint}`);
  } else if (source.id === branch.id) {
    builder.report(`${path}.merged.branch`, 'found the branch of the commit; expected another one.');
  } else if (merged.version > source.version) {
    const expected = `expected at most ${source.version}, the latest version of ${merged.branch}`;
    builder.report(`${path}.merged.version`, `found ${merged.version}; ${expected}.`);
  } else return true;
  return false;
}

/**
 * Makes a branch with its commits, and puts it among the others.
 * @param name of the project, as fixtures have it
 * @param others that are not made yet, by name
 */
export function makeBranch(
  builder: ProjectBuilder,
  project: Project,
  name: string,
  pending: PendingBranch,
  others: ReadonlyMap<string, PendingBranch> = new Map(),
): Branch | undefined {
  const { sets } = builder;
  if (pending.state !== 'pending') return sets.branches.get(pending.id);
  pending.state = 'started';
  const { record, path, id, serial } = pending;
  const base = findBase(builder, project, name, pending, others);
  if (sets.branches.get(id)) return builder.reportTaken(`${path}.id`, id);
  const byDefault = base ? getTime(builder, base) : project.createdAt;
  const createdAt = builder.toInstant(record.createdAt, byDefault, `${path}.createdAt`);
  const tree = base ? readTree(sets, base.branch, base.version) : makeTree();
  let branch: Branch = {
    ...{ id, projectId: project.id, name: record.name, version: 0, createdAt, updatedAt: createdAt },
    ...{ forkedBranchId: base?.branch.id ?? null, serial, files: new Files(tree) },
  };
  sets.branches = sets.branches.put(branch);
  if (base) {
    sets.commits = sets.commits.put({
      ...{ branchId: id, version: 0, kind: 'multiple', createdAt, changes: [] },
      base: { branchId: base.branch.id, version: base.version },
      serial: builder.drawSerial(),
    });
  }
  const branchName = `${name}@${record.name}`;
  for (const commit of pending.commits) {
    branch = makeCommit(builder, branch, branchName, commit, others) ?? branch;
  }
  pending.state = 'made';
  pending.onMade?.(branch);
  return branch;
}

interface Base {
  readonly branch: Branch;
  readonly version: number;
}

const getTime = ({ sets }: ProjectBuilder, { branch, version }: Base): Instant =>
  (version === 0 ? undefined : sets.commits.get(branch.id, version)?.createdAt) ?? branch.createdAt;

/** Finds the version that a branch starts from. Undefined for none, and for a wrong one, which is reported. */
function findBase(
  builder: ProjectBuilder,
  project: Project,
  name: string,
  { record, path }: PendingBranch,
  others: ReadonlyMap<string, PendingBranch>,
): Base | undefined {
  const isMain = record.name === MAIN;
  const from = record.from === undefined && !isMain ? MAIN : (record.from ?? null);
  if (from === null) {
    if (record.version == null) return undefined;
    return builder.report(`${path}.version`, 'expected only for a branch that starts from another one.');
  }
  if (isMain) return builder.report(`${path}.from`, 'the branch main starts from no other; leave it out.');
  const parent = others.get(from);
  if (parent?.state === 'started') {
    return builder.report(`${path}.from`, `${formatValue(from)} starts from this branch; expected another one.`);
  }
  const branch = parent
    ? makeBranch(builder, project, name, parent, others)
    : findBranchByName(builder.sets, project.id, from);
  if (!branch) {
    if (parent) return undefined;
    const known = [...builder.sets.branches.by.project.range([project.id])].map((each) => each.name);
    const hint = didYouMean(from, [...known, ...others.keys()]);
    return builder.report(`${path}.from`, `there is no branch ${formatValue(from)} in ${name}.${hint}`);
  }
  const version = record.version ?? branch.version;
  if (version <= branch.version) return { branch, version };
  const message = `found ${version}; expected at most ${branch.version}, the latest version of ${name}@${from}.`;
  return builder.report(`${path}.version`, message);
}

/**
 * Makes a commit, and puts it on its branch.
 * @param name of the branch, as fixtures have it
 * @param others branches that are not made yet, by name
 */
export function makeCommit(
  builder: ProjectBuilder,
  branch: Branch,
  name: string,
  { record, path, filesPath, serial, onMade }: PendingCommit,
  others: ReadonlyMap<string, PendingBranch> = new Map(),
): Branch | undefined {
  const { sets } = builder;
  const isStart = record.version === 0;
  const next = branch.version + 1;
  if (isStart) {
    if (branch.version > 0 || branch.name === MAIN || sets.commits.get(branch.id, 0)) {
      const message = `found 0; expected ${next}, since only a branch that starts from no other has a commit 0.`;
      return builder.report(`${path}.version`, message);
    }
  } else if (record.version !== undefined && record.version !== next) {
    return builder.report(`${path}.version`, `found ${record.version}; expected ${next}, the next one of ${name}.`);
  }
  const version = isStart ? 0 : next;
  const createdAt = builder.toInstant(record.createdAt, branch.updatedAt, `${path}.createdAt`);
  const { projectId } = branch;
  const input = { files: record.files, path: filesPath, version, createdAt, branch: name, projectId };
  const changes = sortChanges(buildChanges(builder, branch.files.tree, input));
  const source = record.merged?.branch;
  const sourceId = source && (others.get(source)?.id ?? findBranchByName(sets, projectId, source)?.id);
  const merged = record.merged && sourceId && { branchId: sourceId, version: record.merged.version };
  const commit = { kind: record.kind, createdAt, changes, serial, ...(merged && { merged }) };
  let result: Branch;
  if (isStart) {
    result = { ...branch, files: new Files(applyFileChanges(branch.files.tree, changes, 'forward')) };
    sets.commits = sets.commits.put({ ...commit, branchId: branch.id, version, base: null });
    sets.branches = sets.branches.put(result);
  } else result = putCommit(sets, branch, commit);
  const made = sets.commits.get(branch.id, version);
  if (made) onMade?.(made);
  return result;
}
