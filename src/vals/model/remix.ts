import type { Instant } from '#engine/lib/time.js';
import { drawId } from '#engine/state/state.js';
import type { Project } from '../collections/projects/records.js';
import type { Draft } from '../collections/state.js';
import type { User } from '../collections/users.js';
import { getBranch } from './branches.js';
import { commitChanges } from './files.js';
import { createProject, type NewProject } from './projects.js';

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
