import { routeNotFound } from '../api/errors.js';
import type { HttpRequest } from '../api/http-request.js';
import type { Route } from '../api/route.js';
import type { Match } from '../api/router.js';
import type { Caller } from '../definition/define.js';
import { parseSafely } from '../lib/json.js';
import { decode } from '../lib/target.js';
import type { Service } from '../service.js';
import { unauthorized } from '../state/errors.js';
import { readRouteBody } from './http.js';

/**
 * Returns the match of a request that may go on to its route.
 * @throws ApiError 401 for a missing or unknown token; for an unknown route 404 or 501, or 400 or 413 for its body
 */
export function authorize(
  request: HttpRequest,
  token: string | undefined,
  caller: Caller | undefined,
  service: Pick<Service, 'findNotImplemented'>,
): Match<Route> {
  const { match } = request;
  if (!match) {
    const error =
      service.findNotImplemented?.(request.method, request.path) ?? routeNotFound(request.method, request.target);
    if (error.status === 404 && decode(request.path) !== undefined) readRouteBody(request, undefined, parseSafely);
    throw error;
  }
  const isUnknownToken = token !== undefined && !caller;
  if (isUnknownToken || (match.route.auth === 'required' && !caller)) throw unauthorized();
  return match;
}
