import type { Route } from './route.js';

/** A route and the path parameters of a request. */
export interface Match<R> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

/** One path segment of the routes. */
interface Node<R> {
  readonly literals: Map<string, Node<R>>;
  /** For a path parameter in this position. */
  param: Node<R> | undefined;
  readonly routes: Map<string, { readonly route: R; readonly names: readonly string[] }>;
}

const createNode = <R>(): Node<R> => ({ literals: new Map(), param: undefined, routes: new Map() });

/** Finds routes by method and path. Literal segments win over parameters; a trailing slash is ignored. */
export class Router<R extends Pick<Route, 'method' | 'path' | 'name'>> {
  readonly routes: readonly R[];
  readonly #root = createNode<R>();

  constructor(routes: readonly R[]) {
    this.routes = routes;
    for (const route of routes) this.#add(route);
  }

  #add(route: R): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of route.path.split('/')) {
      const isParam = segment.startsWith('{');
      const next = (isParam ? node.param : node.literals.get(segment)) ?? createNode<R>();
      if (isParam) {
        names.push(segment.slice(1, -1));
        node.param = next;
      } else node.literals.set(segment, next);
      node = next;
    }
    node.routes.set(route.method, { route, names });
  }

  /** HEAD is routed like GET. */
  match(method: string, path: string): Match<R> | undefined {
    const values: string[] = [];
    let node: Node<R> | undefined = this.#root;
    for (const segment of path.replace(/(?<=.)\/$/, '').split('/')) {
      const literal: Node<R> | undefined = node.literals.get(segment);
      if (!literal) values.push(decodeSegment(segment));
      node = literal ?? node.param;
      if (!node) return undefined;
    }
    const found = node.routes.get(method === 'HEAD' ? 'GET' : method);
    if (!found) return undefined;
    return { route: found.route, params: Object.fromEntries(found.names.map((name, i) => [name, values[i] ?? ''])) };
  }
}

/** Malformed percent-encoding stays encoded, so that the schema of the parameter rejects it. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
