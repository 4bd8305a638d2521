import { errorBody } from '../contract/errors.js';
import { Links } from '../contract/links.js';
import type { RequestParts } from '../contract/route.js';
import { type Instant, readClock } from '../domain/clock.js';
import { ApiError, badRequest } from '../domain/errors.js';
import { findCaller } from '../domain/users.js';
import type { World } from '../domain/world.js';
import { corsHeaders, preflight } from './cors.js';
import type { Match, Router } from './router.js';
import type { WireRequest, WireResponse } from './wire.js';

export interface HandlerOptions {
  readonly world: World;
  readonly router: Router;
  /** Checks each answer against its schema; a mismatch is a 500. */
  readonly checkAnswers: boolean;
  /** The machine's clock. */
  readonly machineTime: () => Instant;
  /** Told of each request after it was answered. */
  readonly onRequest?: ((request: RequestLog) => void) | undefined;
}

/** What is told of a request after it was answered. */
export interface RequestLog {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** Milliseconds that answering took. */
  readonly duration: number;
}

export type Handler = (request: WireRequest) => WireResponse;

/** What answers every request, whatever transport brought it. */
export function createHandler(options: HandlerOptions): Handler {
  const { world, machineTime, onRequest } = options;
  const respondTo = (request: WireRequest): WireResponse => {
    const now = readClock(world.state.clock, machineTime());
    if (request.method === 'OPTIONS') return preflight(request, now);
    try {
      return answer(request, now, options);
    } catch (error) {
      const body = errorBody(error);
      return respond(body.statusCode, body, now);
    }
  };
  if (!onRequest) return respondTo;
  return (request) => {
    const start = performance.now();
    const response = respondTo(request);
    const { method, target } = request;
    onRequest({ method, target, status: response.status, duration: performance.now() - start });
    return response;
  };
}

function answer(request: WireRequest, now: Instant, { world, router, checkAnswers }: HandlerOptions): WireResponse {
  const [path = '', search = ''] = splitOnce(request.target, '?');
  const { route, params } = findRoute(router, request.method, path);
  const query = new URLSearchParams(search);
  const caller = findCaller(world.state, tokenOf(request.header('authorization')));
  const links = new Links(request.base, path.replace(/\/$/, ''), query);
  const parts = (): RequestParts => ({
    params,
    query: collect(query),
    body: route.request.body ? readJson(request) : undefined,
  });
  const value = route.writes
    ? world.write((state) => route.answerTo({ state, caller, now, links }, parts))
    : route.answerTo({ state: world.state, caller, now, links }, parts);
  if (checkAnswers) route.answer.parse(value);
  return respond(route.status, value, now);
}

function findRoute(router: Router, method: string, path: string): Match {
  let match: Match | undefined;
  try {
    match = router.match(method === 'HEAD' ? 'GET' : method, path);
  } catch {
    throw badRequest(`'${path}' is not a valid url component`);
  }
  if (!match) throw new ApiError(404, `Route ${method}:${path} not found`);
  return match;
}

/** Everything after `Bearer `, spaces included. Another scheme is taken for a token that nobody holds. */
function tokenOf(authorization: string | undefined): string | undefined {
  return authorization?.replace(/^bearer /i, '');
}

/** A parameter that is repeated becomes a list. */
function collect(query: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      const [only] = values;
      return [name, only !== undefined && values.length === 1 ? only : values];
    }),
  );
}

function readJson(request: WireRequest): unknown {
  const body = request.readBody();
  const type = request.header('content-type');
  const isJson = type !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
  if (body === undefined) {
    if (isJson) throw badRequest("Body cannot be empty when content-type is set to 'application/json'");
    return undefined;
  }
  if (!isJson) throw new ApiError(415, `Unsupported Media Type: ${type ?? 'none'}; the body must be application/json`);
  try {
    return JSON.parse(body);
  } catch (error) {
    throw badRequest(`Body is not valid JSON but content-type is set to 'application/json': ${describe(error)}`);
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function respond(status: number, value: unknown, now: Instant): WireResponse {
  const headers: Record<string, string> = { date: new Date(now).toUTCString(), ...corsHeaders };
  if (status === 204) return { status, headers, body: undefined };
  const body = JSON.stringify(value);
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
