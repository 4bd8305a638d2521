import { ApiError, MissingError, RefusalError } from '#engine/lib/errors.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import type { FileType } from '#vals/projects/file-records.collection.js';

/** A val that is missing, deleted or invisible to the caller. One error for all three, so that it reveals nothing. */
export const valNotFound = (reference: string) => new MissingError('The val was not found', 'vals', reference);
export const versionNotFound = () => new ApiError(404, 'Val or version not found');
export const userNotFound = (reference: string) => new MissingError('The user was not found', 'users', reference);
export const runNotFound = (id: string) => new MissingError('The run was not found', 'runs', id);
export const nameTaken = (name: string) => new ApiError(409, `Conflict: a val named "${name}" already exists`);

/** A project that is missing, deleted or invisible to the caller. Clients of the service look for its words. */
export const projectNotFound = (reference: string) => new MissingError('Project not found', 'projects', reference);
/** A project that the caller may read, but not change: its command-line tool looks for the first two words. */
export const notAuthorized = (reason: string) =>
  new RefusalError(
    404,
    'Not authorized: the project has another owner',
    reason,
    'Send the token of a user who may change it',
  );
export const branchNotFound = (reference: string) => new MissingError('Branch not found', 'branches', reference);
/** A branch that the project of a request does not have. */
export const branchOfOther = () =>
  new RefusalError(404, 'Branch not found', 'the branch is of another project', {
    route: 'GET /v2/vals/{val_id}/branches lists the branches of the project',
    tool: 'list_branches lists the branches of the val',
  });
export const branchVersionNotFound = () => new ApiError(404, 'Version not found');
/** A file that no project has. */
export const fileNotFound = (id: string) => new MissingError('File not found', 'files', id);
/** A directory, which has no content. */
export const notAFile = (path: string) =>
  new RefusalError(404, 'File not found', `${path} is a directory`, {
    route: `GET /v2/vals/{val_id}/files?path=${encodeURI(path)} lists it`,
    tool: 'list_files lists it',
  });
/** A path that a branch does not have. @param paths those that it has */
export function pathNotFound(path: string, paths: readonly string[] = []): RefusalError {
  const shown = paths.slice(0, MOST_SHOWN).join(', ') || 'no files';
  const more = paths.length > MOST_SHOWN ? ` and ${paths.length - MOST_SHOWN} more` : '';
  const reason = `the branch has no ${formatValue(path)}: it has ${shown}${more}`;
  return new RefusalError(404, 'File not found', reason, didYouMean(path, paths).trim() || null);
}
/** Paths that a reason lists. */
const MOST_SHOWN = 5;
export const organizationNotFound = (reference: string) =>
  new MissingError('Organization not found', 'organizations', reference);
export const variableNotFound = () => new ApiError(404, 'Environment variable or project not found');
export const projectNameTaken = () => new ApiError(409, 'Conflict: Project name already exists');
export const branchNameTaken = () => new ApiError(409, 'Conflict: Branch name already exists in this project');
/** @param type of what is at the path */
export function pathTaken(path: string, type: FileType = 'file'): RefusalError {
  const message = 'File or directory already exists at this path';
  if (type === 'directory') return new RefusalError(409, message, `${path || 'the root'} is a directory`);
  return new RefusalError(409, message, `${path} is a file`, {
    route: `PUT /v2/vals/{val_id}/files?path=${encodeURI(path)} changes it`,
    tool: `update_file changes it`,
  });
}
export const keyTaken = (key: string) =>
  new RefusalError(409, 'Key already exists', `the project has the variable ${key}`, {
    route: `PUT /v2/vals/{val_id}/environment_variables/${key} changes it`,
    tool: 'set_env_var changes it',
  });
