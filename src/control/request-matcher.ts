import { METHODS } from 'node:http';
import type { Route } from '../api/route.js';
import type { Router } from '../api/router.js';
import { findUserByReference } from '../fixtures/references.js';
import type { Problem } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import type { State } from '../model/state.js';

/** The router of the /v1 API. */
export type ApiRouter = Router<Route>;

/** Selects requests by route, method and caller. */
export interface RequestMatcher {
  readonly route?: string | undefined;
  readonly method?: string | undefined;
  /** Username or id of the caller. */
  readonly user?: string | undefined;
}

/** Checks that the route, the method and the user exist: a misspelt name would match nothing. */
export function validateMatcher({ route, method, user }: RequestMatcher, state: State, router: ApiRouter): Problem[] {
  const problems: Problem[] = [];
  if (route !== undefined && !router.routes.some(({ name }) => name === route)) {
    problems.push({ path: 'route', message: `there is no route ${formatValue(route)}.${suggestRoute(route, router)}` });
  }
  if (method !== undefined && !METHODS.includes(method)) {
    const hint = didYouMean(method, METHODS);
    problems.push({ path: 'method', message: `there is no method ${formatValue(method)}.${hint}` });
  }
  if (user !== undefined && !findUserByReference(state, user)) {
    const usernames = [...state.users].flatMap(({ username }) => username ?? []);
    const hint = didYouMean(user, usernames);
    problems.push({ path: 'user', message: `there is no user ${formatValue(user)}.${hint}` });
  }
  return problems;
}

/** Suggests the route of a path with or without a method, else a similar name, else lists all routes. */
function suggestRoute(text: string, router: ApiRouter): string {
  const [, method, path = ''] = /^(?:(\w+) )?(\/[^?]*)/.exec(text) ?? [];
  const methods = method === undefined ? router.routes.map((route) => route.method) : [method.toUpperCase()];
  const match = methods.map((each) => router.match(each, path)).find((found) => found !== undefined);
  if (match) return ` Did you mean ${formatValue(match.route.name)}?`;
  const names = router.routes.map(({ name }) => name);
  return didYouMean(text, names) || ` Routes: ${names.join(', ')}.`;
}
