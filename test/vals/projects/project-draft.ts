import { emptyState, fork } from '#engine/state/state.js';
import { type Draft, toValsState } from '#vals/lib/state.collection.js';
import { getBranch } from '#vals/projects/branches.rules.js';
import { getText } from '#vals/projects/file-records.collection.js';
import { createFile, deleteFile, updateFile } from '#vals/projects/files.rules.js';
import type { Branch } from '#vals/projects/project-records.collection.js';
import { createProject } from '#vals/projects/projects.rules.js';
import { definitions } from '#vals/service/service.collection.js';
import type { User } from '#vals/users/users.collection.js';

export const TIME = Date.parse('2024-06-11T22:05:12.585Z');

const makeUser = (username: string, serial: number): User => ({
  id: `00000000-0000-4000-8000-00000000000${serial}`,
  username,
  email: `${username}@example.com`,
  bio: null,
  profileImageUrl: null,
  tier: null,
  token: `${username}-token`,
  serial,
});
export const [ADA, BOB, EVE] = [makeUser('ada', 1), makeUser('bob', 2), makeUser('eve', 3)] as const;
const TEAM_ID = '00000000-0000-4000-8000-000000000010';

/** A draft with three users, and the organization team of Ada and Bob. */
function makeDraft(): Draft {
  const settings = { auth: 'strict', idSeed: '', defaultPrivacy: 'private' } as const;
  const draft: Draft = fork(toValsState(emptyState(settings, definitions)));
  for (const user of [ADA, BOB, EVE]) draft.users = draft.users.put(user);
  draft.organizations = draft.organizations.put({ id: TEAM_ID, username: 'team', createdAt: TIME, serial: 4 });
  for (const [{ id }, role, serial] of [
    [BOB, 'member', 6],
    [ADA, 'owner', 5],
  ] as const) {
    const membership = { id: `00000000-0000-4000-8000-00000000002${serial}`, orgId: TEAM_ID, userId: id, role, serial };
    draft.memberships = draft.memberships.put(membership);
  }
  draft.nextSerial = 10;
  return draft;
}

/** A project with some files, and what acts on them: the newest record of a branch is read each time. */
export function makeFiles(files: Readonly<Record<string, string>> = {}) {
  const draft = makeDraft();
  const project = createProject(draft, ADA, { name: 'site', privacy: 'public' }, TIME);
  const current = (branch?: Branch) => getBranch(draft, project, branch?.id);
  const acts = {
    draft,
    project,
    current,
    add: (path: string, content: string, branch?: Branch) =>
      createFile(draft, current(branch), path, { type: 'file', content }, TIME),
    addFolder: (path: string, branch?: Branch) => createFile(draft, current(branch), path, { type: 'directory' }, TIME),
    edit: (path: string, content: string, branch?: Branch) =>
      updateFile(draft, current(branch), path, { content }, TIME + 1_000),
    move: (path: string, parent_path: string | null, name: string | undefined, branch?: Branch) =>
      updateFile(draft, current(branch), path, { parent_path, name }, TIME + 1_000),
    remove: (path: string, branch?: Branch) => deleteFile(draft, current(branch), path, true, TIME),
    /** The files of a branch with their texts, and its directories, which end with a slash. */
    show: (branch?: Branch) =>
      Object.fromEntries(
        Array.from(current(branch).files.tree, (file) =>
          file.type === 'directory' ? [`${file.path}/`, ''] : [file.path, getText(draft, file)],
        ),
      ),
  };
  for (const [path, content] of Object.entries(files)) {
    if (path.endsWith('/')) acts.addFolder(path.slice(0, -1));
    else acts.add(path, content);
  }
  return acts;
}

/** Returns the status and message of the error that an action throws. */
export function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return [Object(error).status, Object(error).message];
  }
  return 'no error';
}
