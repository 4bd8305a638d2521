import { routeNotFound } from '../api/errors.js';
import type { HttpRequest } from '../api/http-request.js';
import type { Route } from '../api/route.js';
import type { Match } from '../api/router.js';
import type { Caller, Credential } from '../definition/define.js';
import { decode } from '../lib/target.js';
import type { Service } from '../service.js';
import { findCredentialOf, hasScope, hasToken, identify, nameScopes } from '../state/callers.js';
import { missingScope, notBearer, unauthorized } from '../state/errors.js';
import type { State } from '../state/state.js';
import { readRouteBody, WIRE_INPUT } from './input.js';

/**
 * Returns the match of a request that may go on to its route.
 * @throws ApiError 401 for a missing or unknown token, 403 without the scope of the route. For an unknown route 404 or 501, or 400 or 413 for its body
 */
export function authorize(
  request: HttpRequest,
  token: string | undefined,
  caller: Caller | undefined,
  credential: Credential | undefined,
  state: State,
  service: Pick<Service, 'findNotImplemented'>,
): Match<Route> {
  const { match } = request;
  if (!match) {
    const error =
      service.findNotImplemented?.(request.method, request.path) ?? routeNotFound(request.method, request.target);
    if (error.status === 404 && decode(request.path) !== undefined) readRouteBody(request, undefined, WIRE_INPUT.parse);
    throw error;
  }
  const isUnknownToken = token !== undefined && !caller;
  if (isUnknownToken) assertBearer(request.header('authorization') ?? '', state);
  if (isUnknownToken || (match.route.auth === 'required' && !caller)) throw unauthorized(isUnknownToken);
  assertScope(state, credential, match.route.scope);
  return match;
}

/** Asserts that a header with an unknown token has the word that precedes one. @throws RefusalError 401 */
function assertBearer(authorization: string, state: State): void {
  if (/^bearer\b/i.test(authorization)) return;
  const words = [authorization, authorization.slice(authorization.lastIndexOf(' ') + 1)];
  // An unknown one may be a token of the real service.
  throw notBearer(words.find((each) => hasToken(state, each)));
}

/**
 * Asserts that a token has a scope.
 * @param credential undefined for a token that may do all, and for a request without one
 * @throws ApiError 403
 */
export function assertScope(state: State, credential: Credential | undefined, scope: string | undefined): void {
  if (scope !== undefined && !hasScope(state, credential, scope)) throw missingScope(nameScopes(state, scope));
}

/** Whether a token is that of a caller, and has a scope. */
export function isAllowed(state: State, token: string | undefined, scope: string | undefined): boolean {
  const caller = identify(state, token);
  return caller !== undefined && hasScope(state, findCredentialOf(state, token, caller), scope);
}
