import { type Branch, type Commit, Files, type Projects, readTree } from './records.js';

// What belongs to projects goes with them.

/** Deletes a branch with its commits. Its forks keep their files. */
export function deleteBranch(sets: Projects, branch: Branch): void {
  detachForks(sets, branch.id);
  for (const commit of sets.commits.range(branch.id)) {
    dropTexts(sets, commit);
    sets.commits = sets.commits.delete(commit);
  }
  sets.branches = sets.branches.delete(branch);
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

/** Deletes the texts that no commit but this one names. */
export function dropTexts(sets: Projects, commit: Commit): void {
  for (const { before, after } of commit.changes) {
    for (const file of [before, after]) {
      if (file?.hash == null || sets.commits.by.text.range([file.hash]).length > 1) continue;
      const text = sets.texts.get(file.hash);
      if (text) sets.texts = sets.texts.delete(text);
    }
  }
}
