import type { Problem } from '../lib/errors.js';
import type { Route } from './route.js';

type Checked = Pick<Route, 'name' | 'id' | 'method' | 'path' | 'params'>;

/** Finds routes that match the same requests, or have the same id. */
export function* findTwins(routes: readonly Checked[]): Generator<Problem> {
  const byPath = new Map<string, string>();
  const byId = new Map<string, string>();
  for (const { name, id, method, path } of routes) {
    const pattern = `${method} ${path.replaceAll(/\{[^/}]*\}/g, '{}')}`;
    const twin = byPath.get(pattern);
    const other = byId.get(id);
    const problem = twin ? `matches the same requests as ${twin}` : other && `has the id of ${other}, ${id}`;
    if (problem) yield { path: `route ${name}`, message: `${problem}; expected one of them to change.` };
    byPath.set(pattern, name);
    byId.set(id, name);
  }
}

/** Finds what is wrong with the routes of an API. */
export function* checkRoutes(routes: readonly Checked[]): Generator<Problem> {
  yield* findTwins(routes);
  for (const { name, path, params } of routes) {
    const at = `route ${name}`;
    if (!/^\/(?!_emulator(?:\/|$)|_sandbox(?:\/|$))/.test(path))
      yield { path: at, message: 'expected a path that begins with / and is not below /_emulator or /_sandbox.' };
    const described = params && 'properties' in params ? Object.keys(Object(params.properties)) : [];
    for (const [, parameter = ''] of path.matchAll(/\{([^/}]*)\}/g)) {
      if (!described.includes(parameter))
        yield { path: at, message: `the schema params lacks the parameter ${parameter} of the path.` };
    }
  }
}
