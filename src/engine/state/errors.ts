import { ApiError } from '../lib/errors.js';

export const badRequest = (message: string, code?: string) => new ApiError(400, message, code);
/** A missing token on a route that requires one, or an unknown token on any route. */
export const unauthorized = () => new ApiError(401, 'Unauthorized');
/** A val that is missing, deleted or invisible to the caller. One error for all three, so that it reveals nothing. */
export const valNotFound = () => new ApiError(404, 'The val was not found');
export const versionNotFound = () => new ApiError(404, 'Val or version not found');
export const userNotFound = () => new ApiError(404, 'The user was not found');
export const runNotFound = () => new ApiError(404, 'The run was not found');
export const nameTaken = (name: string) => new ApiError(409, `Conflict: a val named "${name}" already exists`);
