import type { Instant } from '#engine/lib/time.js';
import { asc, type Collection, desc, index, multiIndex } from '#engine/store/collection.js';
import type {
  Membership,
  membershipIndexes,
  Organization,
  organizationIndexes,
} from '#vals/organizations/organization-records.collection.js';
import type { User, Users } from '#vals/users/users.collection.js';
import type { Privacy } from '#vals/vals/val-records.collection.js';
import {
  applyFileChanges,
  type FileChange,
  Files,
  type FileTree,
  makeTree,
  sortChanges,
  type Texts,
} from './file-records.collection.js';
import type { responseIndexes, SeededResponse } from './response-records.collection.js';

// A project is a val of `/v2`: files in branches. The wire calls it a val; all else calls it a project, since `/v1` has other vals.

export interface Project {
  readonly id: string;
  /** The id of a user or an organization. */
  readonly ownerId: string;
  /** Unique per owner, ignoring case. */
  readonly name: string;
  readonly privacy: Privacy;
  readonly description: string | null;
  readonly imageUrl: string | null;
  readonly createdAt: Instant;
  readonly serial: number;
}

/** The branch that each project has from its creation. */
export const MAIN = 'main';

export interface Branch {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /** Of its last commit: 0 without one. */
  readonly version: number;
  readonly createdAt: Instant;
  /** Of its last commit. */
  readonly updatedAt: Instant;
  readonly forkedBranchId: string | null;
  readonly serial: number;
  readonly files: Files;
}

export const COMMIT_KINDS = ['single', 'multiple', 'merge', 'revert'] as const;
export type CommitKind = (typeof COMMIT_KINDS)[number];

export interface VersionOfBranch {
  readonly branchId: string;
  readonly version: number;
}

export interface Commit {
  readonly branchId: string;
  /** One above that of the commit before: the first is 1. The base of a fork is 0. */
  readonly version: number;
  readonly kind: CommitKind;
  readonly createdAt: Instant;
  readonly changes: readonly FileChange[];
  /** Of version 0: the branch and version from which the branch was forked, where that branch exists. */
  readonly base: VersionOfBranch | null;
  /** Of a merge: what it has merged, where that branch exists. */
  readonly merged?: VersionOfBranch;
  readonly serial: number;
}

export interface EnvironmentVariable {
  readonly projectId: string;
  readonly key: string;
  /** Secret. */
  readonly value: string;
  readonly description: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly serial: number;
}

export const projectIndexes = {
  name: index<Project>(
    asc((project) => project.ownerId),
    asc((project) => project.name.toLowerCase()),
  ),
  age: index<Project>(
    desc((project) => project.createdAt),
    desc((project) => project.serial),
  ),
  owner: index<Project>(
    asc((project) => project.ownerId),
    desc((project) => project.createdAt),
    desc((project) => project.serial),
  ),
};

export const branchIndexes = {
  name: index<Branch>(
    asc((branch) => branch.projectId),
    asc((branch) => branch.name),
  ),
  project: index<Branch>(
    asc((branch) => branch.projectId),
    asc((branch) => branch.serial),
  ),
};

/** Lists the hashes of the texts that a commit names. */
export function listHashes({ changes }: Pick<Commit, 'changes'>): Set<string> {
  const hashes = new Set<string>();
  for (const { before, after } of changes) {
    if (before?.hash != null) hashes.add(before.hash);
    if (after?.hash != null) hashes.add(after.hash);
  }
  return hashes;
}

/** Identity of a commit: branch and version. */
export const commitIndexes = {
  created: multiIndex(
    (commit: Commit) =>
      commit.changes.flatMap(({ before, after }) =>
        before === null && after !== null ? [{ id: after.id, commit }] : [],
      ),
    asc(({ id }) => id),
    asc(({ commit }) => commit.serial),
  ),
  text: multiIndex(
    (commit: Commit) => Array.from(listHashes(commit), (hash) => ({ hash, commit })),
    asc(({ hash }) => hash),
    asc(({ commit }) => commit.serial),
  ),
  /** The bases that are a branch. */
  fork: multiIndex(
    (commit: Commit) => (commit.base === null ? [] : [{ base: commit.base, commit }]),
    asc(({ base }) => base.branchId),
    asc(({ commit }) => commit.branchId),
  ),
  /** The merges of a branch into another one, the last one first. */
  merged: multiIndex(
    (commit: Commit) => (commit.merged ? [{ merged: commit.merged, commit }] : []),
    asc(({ merged }) => merged.branchId),
    asc(({ commit }) => commit.branchId),
    desc(({ commit }) => commit.serial),
  ),
};

/** Identity of a variable: project and key. Projects, and all that belongs to them, of a state or a draft. */
export interface Projects extends Users, Texts {
  organizations: Collection<Organization, typeof organizationIndexes>;
  memberships: Collection<Membership, typeof membershipIndexes>;
  projects: Collection<Project, typeof projectIndexes>;
  branches: Collection<Branch, typeof branchIndexes>;
  commits: Collection<Commit, typeof commitIndexes>;
  environment: Collection<EnvironmentVariable>;
  responses: Collection<SeededResponse, typeof responseIndexes>;
}

export type Owner = ({ readonly type: 'user' } & User) | ({ readonly type: 'org' } & Organization);

export function replayTree(
  commits: Projects['commits'],
  branchId: string,
  version = Number.POSITIVE_INFINITY,
): FileTree {
  let tree = makeTree();
  for (const commit of commits.range(branchId)) {
    if (commit.version > version) break;
    if (commit.base) tree = replayTree(commits, commit.base.branchId, commit.base.version);
    tree = applyFileChanges(tree, commit.changes, 'forward');
  }
  return tree;
}

/** Returns the tree of a branch at one of its versions, from its latest one back. */
export function readTree({ commits }: Readonly<Projects>, branch: Branch, version = branch.version): FileTree {
  let { tree } = branch.files;
  for (let number = branch.version; number > version; number--) {
    const commit = commits.get(branch.id, number);
    if (commit) tree = applyFileChanges(tree, commit.changes, 'back');
  }
  return tree;
}

/** Adds a commit to a branch, whose next version it is. Its texts are stored already. */
export function putCommit(
  sets: Projects,
  branch: Branch,
  commit: Omit<Commit, 'branchId' | 'version' | 'base'>,
): Branch {
  const version = branch.version + 1;
  const files = new Files(applyFileChanges(branch.files.tree, commit.changes, 'forward'));
  const next: Branch = { ...branch, version, updatedAt: commit.createdAt, files };
  const changes = sortChanges(commit.changes);
  sets.commits = sets.commits.put({ ...commit, changes, branchId: branch.id, version, base: null });
  sets.branches = sets.branches.put(next);
  return next;
}
