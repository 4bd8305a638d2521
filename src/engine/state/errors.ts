import { ApiError, RefusalError, ScopeError } from '../lib/errors.js';
import { joinAlternatives } from '../lib/messages.js';
import { LIST_TOKENS } from '../lib/reasons.js';
import { type Instant, toTimestamp } from '../lib/time.js';

export const badRequest = (message: string, code?: string) => new ApiError(400, message, code);
/** A missing token on a route that requires one, or on any route one that is unknown or has expired. @param expiredAt undefined for an unknown one */
export const unauthorized = (hasToken: boolean, expiredAt?: Instant) => {
  const found = expiredAt === undefined ? 'no user has the token that was sent' : describeExpiry('token', expiredAt);
  return new RefusalError(401, 'Unauthorized', hasToken ? found : 'the request has no token');
};
export const describeExpiry = (what: string, at: Instant): string => `the ${what} expired at ${toTimestamp(at)}`;
/** Credentials that are not a bearer token. @param token the one that was meant, if a caller has it */
export const notBearer = (token = '<token>') =>
  new RefusalError(
    401,
    'Unauthorized',
    'the header Authorization lacks "Bearer"',
    `Send "Authorization: Bearer ${token}"`,
  );
/**
 * A token without the scope of a route. @param scopes each of which is enough, by the names that a token has
 * Source of the sentence: it is what clients of the service print, github.com/val-town/vt/issues/60.
 */
export const missingScope = (scopes: readonly string[]) =>
  new ScopeError(
    'Token does not have the required permissions',
    `the token lacks the scope ${joinAlternatives(scopes)}`,
    `Send a token that has it: ${LIST_TOKENS}`,
    scopes,
  );
