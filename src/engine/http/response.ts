import { renderError, toApiError } from '../api/errors.js';
import type { HttpRequest } from '../api/http-request.js';
import { describeRepresentation, isKnown, Representation } from '../api/representation.js';
import type { Route } from '../api/route.js';
import { RouteResponse } from '../api/route-response.js';
import { serialize } from '../api/serialize.js';
import type { HttpResponse } from '../control/http-response.js';
import { ApiError, BodyError } from '../lib/errors.js';

/** Allows pages of any origin. Source: what the real service documents for its HTTP vals. */
const ALLOWED_ORIGIN = '*';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Makes a response with a body of JSON text, of other text or bytes, or without a body for a status that allows none. */
export function makeResponse(
  status: number,
  body: string | Uint8Array | undefined,
  type: string = JSON_TYPE,
): HttpResponse {
  if (body === undefined || status === 204 || status === 304) {
    return { status, headers: { 'access-control-allow-origin': ALLOWED_ORIGIN }, body: undefined };
  }
  const headers = {
    'content-type': type,
    'access-control-allow-origin': ALLOWED_ORIGIN,
    'content-length': String(Buffer.byteLength(body)),
  };
  return { status, headers, body };
}

/** Makes the response of a route from what its handler has returned. @throws ApiError 412 for a condition that is not met */
export function makeRouteResponse(
  request: HttpRequest,
  { status, mediaType }: Pick<Route, 'status' | 'mediaType'>,
  value: unknown,
): HttpResponse {
  if (value instanceof Uint8Array) return makeResponse(status, value, mediaType);
  if (value instanceof RouteResponse) return addHeaders(makeResponse(value.status, value.text), value.headers);
  if (!(value instanceof Representation))
    return makeResponse(status, value === undefined ? undefined : serialize(value));
  const isNew = !isKnown(value, request.header);
  const response = makeResponse(isNew ? status : 304, value.bytes, mediaType);
  return addHeaders(response, describeRepresentation(value));
}

/** Headers that a page of another origin reads only if they are exposed. Other responses do not name them. */
const EXPOSED_HEADERS = [
  ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ['www-authenticate'],
];

/** Lets pages of any origin read the headers that say when to try again, and how to log in. */
export function exposeHeaders(response: HttpResponse): HttpResponse {
  const exposed = EXPOSED_HEADERS.filter((names) => names.some((name) => name in response.headers)).flat();
  return exposed.length === 0 ? response : addHeaders(response, { 'access-control-expose-headers': exposed.join() });
}

/** Whether a client accepts an encoding, which a weight of 0 denies. Source: RFC 9110, section 12.5.3. */
export const accepts = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((each) => {
    const [name, weight = ''] = each.toLowerCase().replaceAll(/\s/g, '').split(';');
    return name === encoding && !/^q=0(?:\.0*)?$/.test(weight);
  });

/** Whether a person reads the response in a browser. */
export const acceptsHtml = (request: HttpRequest): boolean => /\btext\/html\b/i.test(request.header('accept') ?? '');

/** Whether a browser opens an address: tools that wait for a server accept JSON as well. */
export const prefersHtml = (request: HttpRequest): boolean =>
  acceptsHtml(request) && !/\bapplication\/json\b/i.test(request.header('accept') ?? '');

export const redirect = (location: string): HttpResponse =>
  addHeaders(makeResponse(302, undefined), { location, 'content-length': '0' });

/** Serializes a response of the control API: with indentation in a browser. */
export const toControlJson = (request: HttpRequest, value: unknown): string | undefined =>
  JSON.stringify(value, undefined, acceptsHtml(request) ? 2 : undefined);

export function errorResponse(error: unknown): HttpResponse {
  const { status, retryAfter } = toApiError(error);
  const response = makeResponse(status, JSON.stringify(error instanceof BodyError ? error.body : renderError(error)));
  if (retryAfter !== undefined) return addHeaders(response, { 'retry-after': String(retryAfter) });
  // Clients of the service repeat a 409 and a 501 unless told not to. Source: the official SDK.
  const isFinal = status === 409 || status === 501;
  return isFinal ? addHeaders(response, { 'x-should-retry': 'false' }) : response;
}

/** The error for a request without a socket, where the response is sent by Express. */
export const servedOverHttp = (): ApiError =>
  new ApiError(
    404,
    'Pages and json-server are served over HTTP only: by emulator.url, or by emulator.app in a host application.',
  );

export const addHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>>): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

export function preflight(request: HttpRequest): HttpResponse {
  const requested = request.header('access-control-request-headers');
  return addHeaders(makeResponse(204, undefined), {
    'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
    vary: 'Access-Control-Request-Headers',
    ...(requested === undefined ? {} : { 'access-control-allow-headers': requested }),
  });
}
