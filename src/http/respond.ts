import { errorBody } from '../contract/errors.js';
import { Json } from '../contract/json.js';
import type { Instant } from '../domain/clock.js';
import { corsHeaders } from './cors.js';
import type { WireResponse } from './wire.js';

/** An answer of the API: `value` as JSON, if it is not that already, or nothing for a status that has no body. */
export function respond(status: number, value: unknown, now: Instant): WireResponse {
  const isEmpty = status === 204 || status === 304;
  const source = value instanceof Json ? value : undefined;
  const body = isEmpty ? undefined : (source?.text ?? JSON.stringify(value));
  return { status, headers: headersFor(body, 'application/json; charset=utf-8', now), body, source };
}

/** The headers that every answer has, and those that tell of its body. */
export function headersFor(body: string | undefined, type: string, now: Instant): Record<string, string> {
  const date = new Date(now).toUTCString();
  if (body === undefined) return { date, ...corsHeaders };
  return { 'content-type': type, date, ...corsHeaders, 'content-length': String(Buffer.byteLength(body)) };
}

export function respondWithError(error: unknown, now: Instant): WireResponse {
  const body = errorBody(error);
  return respond(body.statusCode, body, now);
}
