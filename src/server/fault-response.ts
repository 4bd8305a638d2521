import { STATUS_CODES } from 'node:http';
import { renderError } from '../api/errors.js';
import { ApiError } from '../lib/errors.js';
import type { InjectedFault } from '../sandbox/faults.js';
import { addHeaders, type HttpResponse, makeResponse } from './http.js';

/** Makes the response of a fault: a body of text is sent unchanged, any other value as JSON. */
export function faultResponse({ reset, status, body }: InjectedFault): HttpResponse {
  if (reset || status === null) return { status: 0, headers: {}, body: undefined };
  if (typeof body === 'string') return makeResponse(status, body, 'text/plain; charset=utf-8');
  const error = new ApiError(status, STATUS_CODES[status] ?? 'Injected fault');
  return makeResponse(status, JSON.stringify(body === undefined ? renderError(error) : body));
}

/** Adds the headers of a fault, and what the transport has to do. */
export function injectFault(response: HttpResponse, fault: InjectedFault): HttpResponse {
  const headers = Object.entries(fault.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...addHeaders(response, Object.fromEntries(headers)), fault };
}
