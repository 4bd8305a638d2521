import { errorBody } from '../contract/errors.js';
import { Json } from '../contract/json.js';
import type { Instant } from '../domain/clock.js';
import { corsHeaders } from './cors.js';
import type { WireResponse } from './wire.js';

/** An answer of the API: `value` as JSON, if it is not that already, or nothing for a status that has no body. */
export function respond(status: number, value: unknown, now: Instant): WireResponse {
  const headers: Record<string, string> = { date: new Date(now).toUTCString(), ...corsHeaders };
  if (status === 204 || status === 304) return { status, headers, body: undefined };
  return withBody(
    status,
    headers,
    value instanceof Json ? value.text : JSON.stringify(value),
    'application/json; charset=utf-8',
  );
}

export function withBody(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  type: string,
): WireResponse {
  const length = String(Buffer.byteLength(body));
  return { status, headers: { 'content-type': type, ...headers, 'content-length': length }, body };
}

export function respondWithError(error: unknown, now: Instant): WireResponse {
  const body = errorBody(error);
  return respond(body.statusCode, body, now);
}
