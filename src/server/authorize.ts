import { routeNotFound } from '../api/errors.js';
import type { Route } from '../api/route.js';
import type { Match } from '../api/router.js';
import type { ApiError } from '../lib/errors.js';
import { parseSafely } from '../lib/json.js';
import { decode, parseTarget } from '../lib/target.js';
import { unauthorized } from '../model/errors.js';
import type { User } from '../model/schema.js';
import { type HttpRequest, readRouteBody } from './http.js';

/**
 * Returns the match of a request that may go on to its route.
 * @param findNotImplemented returns the error for a part of the real service that is not emulated
 * @throws ApiError 401 for a missing or unknown token; for an unknown route 404 or 501, or 400 or 413 for its body
 */
export function authorize(
  match: Match<Route> | undefined,
  request: HttpRequest,
  token: string | undefined,
  caller: User | undefined,
  findNotImplemented: (method: string, path: string) => ApiError | undefined,
): Match<Route> {
  if (!match) {
    const { path } = parseTarget(request.target);
    const error = findNotImplemented(request.method, path) ?? routeNotFound(request.method, request.target);
    if (error.status === 404 && decode(path) !== undefined) readRouteBody(request, undefined, parseSafely);
    throw error;
  }
  const isUnknownToken = token !== undefined && !caller;
  if (isUnknownToken || (match.route.auth === 'required' && !caller)) throw unauthorized();
  return match;
}
