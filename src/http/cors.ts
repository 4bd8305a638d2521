import type { Instant } from '../domain/clock.js';
import { httpDate } from './date.js';
import type { WireRequest, WireResponse } from './wire.js';

/** Pages of any origin may read answers. Source: what the real service documents for its http vals. */
export const corsHeaders = { 'access-control-allow-origin': '*' } as const;

/** The answer to OPTIONS on any path: the browser's question whether a page of another origin may send a request. */
export function preflight(request: WireRequest, now: Instant): WireResponse {
  const wanted = request.header('access-control-request-headers');
  return {
    status: 204,
    headers: {
      date: httpDate(now),
      ...corsHeaders,
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      vary: 'Access-Control-Request-Headers',
      ...(wanted === undefined ? {} : { 'access-control-allow-headers': wanted }),
    },
    body: undefined,
  };
}
