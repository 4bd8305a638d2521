import type { Route } from './route.js';

export interface Match<R> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds routes by method and path. Literal segments win over parameters; a trailing slash is ignored. */
export class Router<R extends Pick<Route, 'method' | 'path' | 'name'>> {
  readonly routes: readonly R[];
  readonly #patterns: readonly { readonly route: R; readonly pattern: RegExp }[];

  constructor(routes: readonly R[]) {
    this.routes = routes;
    // A brace sorts after letters, and so a parameter after a literal segment.
    const sorted = [...routes].sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#patterns = sorted.map((route) => ({ route, pattern: toPattern(route.path) }));
  }

  /** HEAD is routed like GET. */
  match(method: string, path: string): Match<R> | undefined {
    const routed = method === 'HEAD' ? 'GET' : method;
    for (const { route, pattern } of this.#patterns) {
      const found = route.method === routed ? pattern.exec(path) : null;
      if (!found) continue;
      const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeSegment(value)]);
      return { route, params: Object.fromEntries(params) };
    }
    return undefined;
  }
}

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]*)')}/?$`);

/** Malformed percent-encoding stays encoded, so that the schema of the parameter rejects it. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
