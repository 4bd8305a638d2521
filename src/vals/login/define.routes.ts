import { Type } from 'typebox';
import type { Explained, Plan } from '#engine/api/plan.js';
import type { ApiContext, Route } from '#engine/api/route.js';
import { RouteResponse } from '#engine/api/route-response.js';
import { decodeText } from '#engine/lib/base64.js';
import { parseJsonIfValid } from '#engine/lib/json.js';
import type { Instant } from '#engine/lib/time.js';
import { type Draft, type State, toValsState } from '#vals/lib/state.collection.js';
import { toIssuer } from './addresses.rules.js';
import { invalidRequest, LoginError } from './errors.rules.js';
import { type Parameters, readParameters } from './parameters.rules.js';

/** A request for a login. */
export interface LoginRequest extends Pick<ApiContext, 'header' | 'links'> {
  readonly now: Instant;
  readonly base: string;
  /** The identity of the server, which is the base of its endpoints. */
  readonly issuer: string;
  readonly body: Uint8Array;
}

/** A response, with what the journal says in addition. */
type Made = RouteResponse | Explained<RouteResponse>;
type Handler =
  | { read(request: LoginRequest, state: State): Made }
  | { write(request: LoginRequest, draft: Draft): Made };

export const toJson = (value: object, status = 200, headers: Readonly<Record<string, string>> = {}): RouteResponse =>
  new RouteResponse(status, { 'cache-control': 'no-store', ...headers }, JSON.stringify(value));

export const toErrorJson = ({ error, message, status }: LoginError, headers = {}): RouteResponse =>
  toJson({ error, ...(message !== '' && { error_description: message }) }, status, headers);

/** The end of a path to which clients append the path of a resource, or of an issuer. */
const REST = '/{rest}';
type WithoutRest<P extends string> = P extends `${infer Start}/{rest}` ? Start : P;

/**
 * Defines a route of the login. Its errors are responses, since some change something. Its name is without the rest of a path.
 * @param secretNames the parameters and keys whose values no record has
 */
export function loginRoute<const M extends 'GET' | 'POST', const P extends string>(
  method: M,
  path: P,
  id: string,
  summary: string,
  secretNames: readonly string[],
  handler: Handler,
): Route & { readonly name: `${M} ${WithoutRest<P>}` };
export function loginRoute(
  method: 'GET' | 'POST',
  path: string,
  id: string,
  summary: string,
  secretNames: readonly string[],
  handler: Handler,
): Route {
  const takesRest = path.endsWith(REST);
  return {
    ...{ name: `${method} ${path.replace(REST, '')}`, id, method, path, summary, auth: 'none', validators: {} },
    ...{ response: Type.Unknown(), status: 200, errors: [400], bodyType: 'bytes', plans: true, unofficial: true },
    ...(secretNames.length > 0 && { secretNames }),
    ...(takesRest && { takesRest, params: Type.Object({ rest: Type.String() }) }),
    handle({ state, body, links, now, header }): Plan {
      const { base } = links;
      const request: LoginRequest = {
        ...{ links, now, header, base, issuer: toIssuer(base) },
        body: body instanceof Uint8Array ? body : new Uint8Array(),
      };
      if ('read' in handler) return { read: attempt(() => handler.read(request, toValsState(state)), request) };
      return { write: (draft) => attempt(() => handler.write(request, toValsState(draft)), request) };
    },
  };
}

function attempt(act: () => Made, { header, issuer }: LoginRequest): Explained<RouteResponse> {
  try {
    const made = act();
    return made instanceof RouteResponse ? { value: made } : made;
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    const isBasic = error.status === 401 && header('authorization') !== undefined;
    const challenge = `Basic realm="${issuer}", error="${error.error}", error_description="${error.message}"`;
    return { value: toErrorJson(error, isBasic ? { 'www-authenticate': challenge } : {}), reason: error.reason };
  }
}

/** Bytes of a form or of the metadata of a client at most. Source: oidc-provider. */
const MAX_BODY = 56 * 1_024;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Reads a body of a type. @throws LoginError for another type, and for one that is too large */
function readBody({ body, header, links: { path } }: LoginRequest, type: string): string {
  const sent = header('content-type');
  if (sent === undefined) return '';
  if (sent.split(';')[0]?.trim().toLowerCase() !== type) {
    const place = path.replace(/^\/oauth/, '').replace(/\/$/, '');
    throw invalidRequest(`only ${type} content-type bodies are supported on POST ${place}`);
  }
  const text = body.byteLength > MAX_BODY ? undefined : decodeText(body);
  if (text === undefined) {
    const reason = body.byteLength > MAX_BODY ? `more than ${MAX_BODY} bytes` : 'not UTF-8';
    throw invalidRequest('failed to parse the request body', reason);
  }
  return text;
}

export const readForm = (request: LoginRequest): Parameters =>
  readParameters(new URLSearchParams(readBody(request, FORM)));

export function readJsonBody(request: LoginRequest): unknown {
  const text = readBody(request, JSON_TYPE);
  if (text === '' && request.header('content-type') === undefined) return {};
  const value = parseJsonIfValid(text);
  if (value === undefined) throw invalidRequest('failed to parse the request body', 'the body is not JSON');
  return value;
}
