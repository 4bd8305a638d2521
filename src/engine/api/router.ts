import { decode } from '../lib/target.js';
import type { Route } from './route.js';
import type { ToolServer } from './tool.js';
import { listHandshakeRoutes, toToolRoute } from './tool-route.js';

export interface Match<R> {
  readonly route: R;
  readonly params: Readonly<Record<string, string>>;
}

export type ApiRouter = Router<Route>;

/** The routes below a path, which the first request below it loads. */
export interface Surface<R = Route> {
  /** Without parameters: `/v2`. */
  readonly path: string;
  load(): readonly R[];
}

/** Lists all routes of a service, and loads them. */
export const listRoutes = ({
  routes,
  surfaces = [],
}: {
  readonly routes: readonly Route[];
  readonly surfaces?: readonly Surface[];
}) => [...routes, ...surfaces.flatMap(({ load }) => load())];

/** Whether a path is the path of a surface, or below it. */
const isBelow = (path: string, { path: start }: Pick<Surface, 'path'>): boolean =>
  path.startsWith(start) && (path.length === start.length || path[start.length] === '/');

interface Pattern {
  /** Undefined for a parameter. */
  readonly segments: readonly (string | undefined)[];
  readonly parameters: readonly (readonly [name: string, position: number])[];
}

/** Finds routes by method and path. Literal segments win over parameters; a trailing slash is ignored by all but those that take the rest of a path. */
export class Router<R extends Pick<Route, 'method' | 'path' | 'name' | 'takesRest'>> {
  #routes: readonly R[] = [];
  #late: readonly Surface<R>[];
  readonly #calls: readonly string[];
  /** The names of the routes of a tool server that call no tool. */
  readonly handshake: readonly string[];
  /** The patterns of each method, by their number of segments. */
  readonly #patterns = new Map<string, (Pattern & { readonly route: R })[][]>();
  /** A longer path matches no route but those that take the rest of a path. */
  #mostSegments = 0;
  /** The routes whose last parameter has the rest of a path, which begins after `start`. */
  readonly #rests: { readonly route: R; readonly start: string; readonly parameter: string }[] = [];

  constructor(
    routes: readonly R[],
    tools?: Pick<ToolServer, 'path' | 'names' | 'discovery'>,
    surfaces: readonly Surface<R>[] = [],
  ) {
    this.#late = surfaces;
    this.handshake = tools ? listHandshakeRoutes(tools) : [];
    this.#calls = tools?.names.map(toToolRoute) ?? [];
    this.#add(routes);
  }

  /** All routes. Loads all surfaces. */
  get routes(): readonly R[] {
    this.#load(() => true);
    return this.#routes;
  }

  /** The names of all routes, also of tools. */
  get names(): readonly string[] {
    return [...new Set([...this.routes.map(({ name }) => name), ...this.handshake, ...this.#calls])];
  }

  #load(isWanted: (surface: Surface<R>) => boolean): void {
    const wanted = this.#late.filter(isWanted);
    if (wanted.length === 0) return;
    // A module that cannot be loaded now throws, and is loaded by a later request.
    const loaded = wanted.flatMap((surface) => surface.load());
    this.#late = this.#late.filter((surface) => !wanted.includes(surface));
    this.#add([...this.#routes, ...loaded]);
  }

  #add(routes: readonly R[]): void {
    this.#routes = routes;
    this.#patterns.clear();
    this.#rests.length = 0;
    // A brace sorts after letters, and so a parameter after a literal segment.
    for (const route of [...routes].sort((a, b) => (a.path < b.path ? -1 : 1))) {
      if (route.takesRest) {
        const [, start = '', parameter = ''] = /^(.*)\{(\w+)\}$/.exec(route.path) ?? [];
        this.#rests.push({ route, start, parameter });
        continue;
      }
      const pattern = parsePattern(route.path);
      const patterns = this.#patterns.get(route.method) ?? [];
      this.#patterns.set(route.method, patterns);
      const { length } = pattern.segments;
      this.#mostSegments = Math.max(this.#mostSegments, length);
      patterns[length] = [...(patterns[length] ?? []), { route, ...pattern }];
    }
  }

  /** HEAD is routed like GET. An encoded character is the same as a plain one, and malformed encoding matches no route. */
  match(method: string, path: string): Match<R> | undefined {
    const decoded = decode(path);
    if (decoded === undefined) return undefined;
    if (this.#late.some((surface) => isBelow(decoded, surface))) this.#load((surface) => isBelow(decoded, surface));
    const segments = splitPath(path, this.#mostSegments);
    const routed = method === 'HEAD' ? 'GET' : method;
    const patterns = this.#patterns.get(routed);
    for (const pattern of patterns?.[segments.length] ?? []) {
      if (matches(pattern, segments)) return { route: pattern.route, params: pickParams(pattern, segments) };
    }
    for (const { route, start, parameter } of this.#rests) {
      if (route.method !== routed || !path.startsWith(start) || path.length === start.length) continue;
      return { route, params: { [parameter]: decode(path.slice(start.length)) ?? '' } };
    }
    return undefined;
  }
}

function parsePattern(path: string): Pattern {
  const parts = path.split('/');
  const isParameter = (part: string) => part.startsWith('{');
  return {
    segments: parts.map((part) => (isParameter(part) ? undefined : part)),
    parameters: parts.flatMap((part, i) => (isParameter(part) ? [[part.slice(1, -1), i] as const] : [])),
  };
}

function matches({ segments }: Pattern, found: readonly string[]): boolean {
  for (let i = 0; i < segments.length; i++) {
    if (segments[i] !== undefined && segments[i] !== found[i]) return false;
  }
  return true;
}

/** Reads the parameters of a path that a route matches. @param name of the route: `GET /v1/vals/{val_id}` */
export function readParams(name: string, path: string): Record<string, string> {
  const pattern = parsePattern(name.slice(name.indexOf('/')));
  return pickParams(pattern, splitPath(path, pattern.segments.length));
}

/** Splits a path into its segments, or one more than `most` of them. A trailing slash is ignored. */
function splitPath(path: string, most: number): string[] {
  const segments: string[] = [];
  const isEncoded = path.includes('%');
  for (let start = 0; start < path.length && segments.length <= most; ) {
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    const segment = path.slice(start, end);
    segments.push((isEncoded ? decode(segment) : segment) ?? segment);
    start = end + 1;
  }
  return segments;
}

function pickParams({ parameters }: Pattern, found: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, position] of parameters) params[name] = found[position] ?? '';
  return params;
}

/** Finds the path of the first GET route without parameters. */
export const findExamplePath = (routes: readonly Pick<Route, 'method' | 'path'>[]): string | undefined =>
  routes.find(({ method, path }) => method === 'GET' && !path.includes('{'))?.path;
