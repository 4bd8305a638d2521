import { METHODS } from 'node:http';
import type { Route } from '../contract/route.js';
import { Router } from '../contract/router.js';
import type { State } from '../domain/state.js';
import { findUserByRef } from '../fixtures/find.js';
import { type Problem, show, suggest } from '../fixtures/problems.js';

/** Which requests are meant, by names of what there may not be. */
interface Target {
  readonly route?: string | undefined;
  readonly method?: string | undefined;
  /** Username or id of the caller. */
  readonly user?: string | undefined;
}

/** The routes, methods and users that do not exist. */
export function problemsOfTarget({ route, method, user }: Target, state: State, routes: readonly Route[]): Problem[] {
  const problems: Problem[] = [];
  if (route !== undefined && !routes.some(({ name }) => name === route)) {
    problems.push({ place: 'route', message: `there is no route ${show(route)}.${suggestRoute(route, routes)}` });
  }
  if (method !== undefined && !METHODS.includes(method)) {
    problems.push({ place: 'method', message: `there is no method ${show(method)}.${suggest(method, METHODS)}` });
  }
  if (user !== undefined && !findUserByRef(state, user)) {
    const usernames = [...state.users].flatMap(({ username }) => username ?? []);
    problems.push({ place: 'user', message: `there is no user ${show(user)}.${suggest(user, usernames)}` });
  }
  return problems;
}

/** The route that a path leads to, with or without a method; else the one that is spelt alike; else all. */
function suggestRoute(text: string, routes: readonly Route[]): string {
  const [, method, path = ''] = /^(?:(\w+) )?(\/[^?]*)/.exec(text) ?? [];
  const router = new Router(routes);
  const methods = method === undefined ? routes.map((route) => route.method) : [method.toUpperCase()];
  for (const each of methods) {
    const match = router.match(each, path);
    if (match) return ` Did you mean ${show(match.route.name)}?`;
  }
  const names = routes.map(({ name }) => name);
  return suggest(text, names) || ` Routes: ${names.join(', ')}.`;
}
