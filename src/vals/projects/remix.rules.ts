import type { Instant } from '#engine/lib/time.js';
import { drawId } from '#engine/state/state.js';
import type { Draft } from '#vals/lib/state.collection.js';
import type { User } from '#vals/users/users.collection.js';
import { getBranch } from './branches.rules.js';
import { commitChanges } from './files.rules.js';
import type { Project } from './project-records.collection.js';
import { createProject, type NewProject } from './projects.rules.js';

/** Creates a project with the files of another one's branch `main`, by one commit. Its files have new ids. */
export function remixProject(draft: Draft, source: Project, caller: User, settings: NewProject, now: Instant): Project {
  const project = createProject(draft, caller, settings, now);
  const changes = Array.from(getBranch(draft, source).files.tree, (file) => ({
    before: null,
    after: { ...file, id: drawId(draft), version: 1, updatedAt: now },
  }));
  commitChanges(draft, getBranch(draft, project), 'multiple', changes, now);
  return project;
}
