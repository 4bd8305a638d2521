import { ApiError, ScopeError } from '../lib/errors.js';

export const badRequest = (message: string, code?: string) => new ApiError(400, message, code);
/** A missing token on a route that requires one, or an unknown token on any route. */
export const unauthorized = () => new ApiError(401, 'Unauthorized');
/**
 * A token without the scope of a route.
 * Source of the sentence: it is what clients of the service print, github.com/val-town/vt/issues/60.
 */
export const missingScope = (scope: string) =>
  new ScopeError(403, 'Token does not have the required permissions', `the token lacks the scope ${scope}`);
