import { ApiError, MissingError } from '#engine/lib/errors.js';

/** A val that is missing, deleted or invisible to the caller. One error for all three, so that it reveals nothing. */
export const valNotFound = (reference: string) => new MissingError('The val was not found', 'vals', reference);
export const versionNotFound = () => new ApiError(404, 'Val or version not found');
export const userNotFound = (reference: string) => new MissingError('The user was not found', 'users', reference);
export const runNotFound = (id: string) => new MissingError('The run was not found', 'runs', id);
export const nameTaken = (name: string) => new ApiError(409, `Conflict: a val named "${name}" already exists`);

/** A project that is missing, deleted or invisible to the caller. Clients of the service look for its words. */
export const projectNotFound = (reference: string) => new MissingError('Project not found', 'projects', reference);
/** A project that the caller may read, but not change: its command-line tool looks for the first two words. */
export const notAuthorized = () => new ApiError(404, 'Not authorized: the project has another owner');
export const branchNotFound = () => new ApiError(404, 'Branch not found');
export const branchVersionNotFound = () => new ApiError(404, 'Version not found');
export const fileNotFound = () => new ApiError(404, 'File not found');
export const organizationNotFound = (reference: string) =>
  new MissingError('Organization not found', 'organizations', reference);
export const variableNotFound = () => new ApiError(404, 'Environment variable or project not found');
export const projectNameTaken = () => new ApiError(409, 'Conflict: Project name already exists');
export const branchNameTaken = () => new ApiError(409, 'Conflict: Branch name already exists in this project');
export const pathTaken = () => new ApiError(409, 'File or directory already exists at this path');
export const keyTaken = () => new ApiError(409, 'Key already exists');
