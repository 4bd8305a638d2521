import type { RequestParts, Route } from '../contract/route.js';
import { ApiError, badRequest } from '../domain/errors.js';
import type { WireRequest } from './wire.js';

/** The parts of a request that a route checks. Throws the 400 or 415 of a body that is no JSON. */
export const partsOf = (
  route: Route<never>,
  params: RequestParts['params'],
  query: URLSearchParams,
  request: WireRequest,
): RequestParts => ({ params, query: collect(query), body: route.request.body ? readJson(request) : undefined });

/** A parameter that is repeated becomes a list. */
function collect(query: URLSearchParams): RequestParts['query'] {
  // Without a prototype, whose members a name must not be taken for.
  const found: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of query) {
    const before = found[name];
    found[name] = before === undefined ? value : [before, value].flat();
  }
  return found;
}

/** The body as a value, undefined if there is none. Throws the 400 or 415 of one that is no JSON. */
export function readJson(request: WireRequest): unknown {
  const { body } = request;
  if (body instanceof ApiError) throw body;
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
    throw badRequest(`Body is not valid JSON but content-type is set to 'application/json': ${reasonOf(error)}`);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
