import type { Route } from './route.js';

/** A route and the path parameters that led to it. */
export interface Match<Reach = unknown> {
  readonly route: Route<Reach>;
  readonly params: Readonly<Record<string, string>>;
}

/** One segment further along the paths of the routes. */
interface Step<Reach> {
  readonly fixed: Map<string, Step<Reach>>;
  /** Where a parameter stands in this place. */
  free: Step<Reach> | undefined;
  readonly routes: Map<string, { readonly route: Route<Reach>; readonly names: readonly string[] }>;
}

const step = <Reach>(): Step<Reach> => ({ fixed: new Map(), free: undefined, routes: new Map() });
/** The first is what stands before the first slash: nothing. */
const segmentsOf = (path: string) => path.split('/');
const isParameter = (segment: string) => segment.startsWith('{');

/** Finds routes by method and path. A fixed segment goes before a parameter; a slash at the end makes no difference. */
export class Router<Reach = unknown> {
  readonly #root = step<Reach>();

  constructor(routes: readonly Route<Reach>[]) {
    for (const route of routes) {
      let at = this.#root;
      const names: string[] = [];
      for (const segment of segmentsOf(route.path)) {
        const next = (isParameter(segment) ? at.free : at.fixed.get(segment)) ?? step<Reach>();
        if (isParameter(segment)) {
          names.push(segment.slice(1, -1));
          at.free = next;
        } else at.fixed.set(segment, next);
        at = next;
      }
      at.routes.set(route.method, { route, names });
    }
  }

  /** Whatever answers GET answers HEAD. */
  match(method: string, path: string): Match<Reach> | undefined {
    const values: string[] = [];
    let at: Step<Reach> | undefined = this.#root;
    for (const segment of segmentsOf(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)) {
      const fixed: Step<Reach> | undefined = at.fixed.get(segment);
      if (!fixed) values.push(decode(segment));
      at = fixed ?? at.free;
      if (!at) return undefined;
    }
    const found = at.routes.get(method === 'HEAD' ? 'GET' : method);
    if (!found) return undefined;
    const params: Record<string, string> = {};
    for (const [i, name] of found.names.entries()) params[name] = values[i] ?? '';
    return { route: found.route, params };
  }
}

/** A segment that is not properly percent-encoded is left as it is: what it stands for will be refused by its schema. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
