import { STATUS_CODES } from 'node:http';
import { renderError } from '../api/errors.js';
import type { HttpResponse } from '../control/http-response.js';
import { addHeaders, makeResponse } from '../http/response.js';
import { ApiError } from '../lib/errors.js';
import type { InjectedFault } from './faults.js';

// What a fault does to a response.

/** Finds the number of bytes after which a fault cuts a body; undefined for a response that is sent whole. */
export function findCut({ body, stream, chunks, fault }: HttpResponse, method: string): number | undefined {
  const isWritten = body !== undefined && !stream && !chunks && method !== 'HEAD';
  const length = fault?.truncate ?? undefined;
  return isWritten && length !== undefined && length < Buffer.byteLength(body) ? length : undefined;
}

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
