import { Files } from './file-records.collection.js';
import { type Branch, type Commit, listHashes, type Projects, readTree } from './project-records.collection.js';

// What belongs to projects goes with them.

/** Deletes a branch with its commits. Its forks keep their files. */
export function dropBranch(sets: Projects, branch: Branch): void {
  const commits = [...sets.commits.range(branch.id)];
  sets.commits = sets.commits.deleteAll(commits);
  sets.branches = sets.branches.delete(branch);
  detachForks(sets, branch.id);
  dropTexts(sets, commits);
}

/** Deletes what only deleted commits had, after the forks of their branches have what they need of it. */
export function clearCommits(sets: Projects, commits: readonly Commit[]): void {
  for (const id of new Set(commits.map(({ branchId }) => branchId))) detachForks(sets, id);
  dropTexts(sets, commits);
}

/** Gives the forks of a branch a version 0 with all files that they have of it, and lets merges of it stand alone. */
export function detachForks(sets: Projects, branchId: string): void {
  for (const { commit } of sets.commits.by.merged.range([branchId])) {
    const { merged: _, ...rest } = commit;
    sets.commits = sets.commits.put(rest);
  }
  for (const { commit } of sets.commits.by.fork.range([branchId])) {
    const fork = sets.branches.get(commit.branchId);
    if (!fork) continue;
    const { tree } = fork.files;
    const changes = Array.from(readTree(sets, fork, 0), (after) => ({ before: null, after }));
    sets.commits = sets.commits.put({ ...commit, base: null, changes });
    sets.branches = sets.branches.put({ ...fork, forkedBranchId: null, files: new Files(tree) });
  }
}

/** Deletes the texts of deleted commits that no other commit names. */
export function dropTexts(sets: Projects, commits: readonly Commit[]): void {
  const hashes = listHashes({ changes: commits.flatMap(({ changes }) => changes) });
  const unused = [...hashes].filter((hash) => !sets.commits.by.text.get([hash]));
  sets.texts = sets.texts.deleteAll(unused.map((hash) => ({ hash, text: '' })));
}
