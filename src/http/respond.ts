import { errorBody } from '../contract/errors.js';
import { Json } from '../contract/json.js';
import type { Instant } from '../domain/clock.js';
import { corsHeaders } from './cors.js';
import { httpDate } from './date.js';
import type { WireResponse } from './wire.js';

/** An answer of the API: `value` as JSON, if it is not that already, or nothing for a status that has no body. */
export function respond(status: number, value: unknown, now: Instant): WireResponse {
  if (status === 204 || status === 304) return { status, headers: headersFor(now), body: undefined };
  const { text, byteLength } = value instanceof Json ? value : Json.of(value);
  return { status, headers: headersFor(now, 'application/json; charset=utf-8', byteLength), body: text };
}

/** The headers that every answer has, and those that tell of its body: its media type and how many bytes it has. */
export function headersFor(now: Instant, type?: string, length?: number): Record<string, string> {
  const date = httpDate(now);
  if (type === undefined) return { date, ...corsHeaders };
  return { 'content-type': type, date, ...corsHeaders, 'content-length': String(length) };
}

export function respondWithError(error: unknown, now: Instant): WireResponse {
  const body = errorBody(error);
  return respond(body.statusCode, body, now);
}
