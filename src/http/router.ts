import type { Route } from '../contract/route.js';

/** A route and the path parameters that led to it. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** One segment further along the paths of the routes. */
interface Step {
  readonly fixed: Map<string, Step>;
  /** Where a parameter stands in this place. */
  free: Step | undefined;
  readonly routes: Map<string, Route>;
}

const step = (): Step => ({ fixed: new Map(), free: undefined, routes: new Map() });
const segmentsOf = (path: string) => path.split('/').slice(1);
const isParameter = (segment: string) => segment.startsWith('{');

/** Finds routes by method and path. A fixed segment goes before a parameter; a slash at the end makes no difference. */
export class Router {
  readonly #root = step();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      let at = this.#root;
      for (const segment of segmentsOf(route.path)) {
        const next = (isParameter(segment) ? at.free : at.fixed.get(segment)) ?? step();
        if (isParameter(segment)) at.free = next;
        else at.fixed.set(segment, next);
        at = next;
      }
      at.routes.set(route.method, route);
    }
  }

  /** @throws URIError when a parameter is not properly percent-encoded */
  match(method: string, path: string): Match | undefined {
    const values: string[] = [];
    let at: Step | undefined = this.#root;
    for (const segment of segmentsOf(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)) {
      const fixed: Step | undefined = at.fixed.get(segment);
      if (!fixed) values.push(decodeURIComponent(segment));
      at = fixed ?? at.free;
      if (!at) return undefined;
    }
    const route = at.routes.get(method);
    if (!route) return undefined;
    const names = segmentsOf(route.path).filter(isParameter);
    return { route, params: Object.fromEntries(names.map((name, i) => [name.slice(1, -1), values[i] ?? ''])) };
  }
}
