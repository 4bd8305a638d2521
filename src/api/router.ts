import { decode } from '../lib/target.js';
import type { Route } from './route.js';

export interface Match<R> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern<R> {
  readonly route: R;
  readonly segments: readonly string[];
}

/** Finds routes by method and path. Literal segments win over parameters; a trailing slash is ignored. */
export class Router<R extends Pick<Route, 'method' | 'path' | 'name'>> {
  readonly routes: readonly R[];
  /** The patterns of each method and number of segments. */
  readonly #patterns = new Map<string, Pattern<R>[]>();

  constructor(routes: readonly R[]) {
    this.routes = routes;
    // A brace sorts after letters, and so a parameter after a literal segment.
    for (const route of [...routes].sort((a, b) => (a.path < b.path ? -1 : 1))) {
      const segments = route.path.split('/');
      const key = `${route.method} ${segments.length}`;
      this.#patterns.set(key, [...(this.#patterns.get(key) ?? []), { route, segments }]);
    }
  }

  /** HEAD is routed like GET. An encoded character is the same as a plain one, and malformed encoding matches no route. */
  match(method: string, path: string): Match<R> | undefined {
    if (decode(path) === undefined) return undefined;
    const segments = splitPath(path);
    const patterns = this.#patterns.get(`${method === 'HEAD' ? 'GET' : method} ${segments.length}`);
    for (const { route, segments: parts } of patterns ?? []) {
      if (matches(parts, segments)) return { route, params: pickParams(parts, segments) };
    }
    return undefined;
  }
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] !== segments[i] && !isParameter(parts[i] ?? '')) return false;
  }
  return true;
}

const isParameter = (part: string): boolean => part.startsWith('{');

/** Reads the parameters of a path that a route matches. @param name of the route: `GET /v1/vals/{val_id}` */
export const readParams = (name: string, path: string): Record<string, string> =>
  pickParams(name.slice(name.indexOf('/')).split('/'), splitPath(path));

/** A trailing slash is ignored. */
function splitPath(path: string): string[] {
  const segments = path.includes('%') ? path.split('/').map((part) => decode(part) ?? part) : path.split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function pickParams(parts: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  parts.forEach((part, i) => {
    if (isParameter(part)) params[part.slice(1, -1)] = segments[i] ?? '';
  });
  return params;
}
