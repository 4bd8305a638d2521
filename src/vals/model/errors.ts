import { ApiError } from '#engine/lib/errors.js';

/** A val that is missing, deleted or invisible to the caller. One error for all three, so that it reveals nothing. */
export const valNotFound = () => new ApiError(404, 'The val was not found');
export const versionNotFound = () => new ApiError(404, 'Val or version not found');
export const userNotFound = () => new ApiError(404, 'The user was not found');
export const runNotFound = () => new ApiError(404, 'The run was not found');
export const nameTaken = (name: string) => new ApiError(409, `Conflict: a val named "${name}" already exists`);
