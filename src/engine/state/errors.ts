import { ApiError } from '../lib/errors.js';

export const badRequest = (message: string, code?: string) => new ApiError(400, message, code);
/** A missing token on a route that requires one, or an unknown token on any route. */
export const unauthorized = () => new ApiError(401, 'Unauthorized');
