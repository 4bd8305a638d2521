import { bodyTooLarge } from '../domain/errors.js';
import { once } from '../domain/once.js';
import { baseOf, type Reached } from './base.js';
import { limitFor } from './body.js';
import type { Handler } from './handler.js';
import type { WireRequest, WireResponse } from './wire.js';

/** A drop-in `fetch`: what the standard one takes and gives, and a path alone as well. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that asks the handler itself: no socket, no port. It answers for any origin, as the one that the address
 * names.
 * @param base what a path alone is appended to
 * @param sandbox where requests go that name no other; empty for the main one
 */
export function createFetch(handle: Handler, base: () => string, sandbox: string): Fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const request = await wireRequest(input, init, base(), sandbox);
    const answer = await handle(request);
    if (answer.mishap && answer.mishap.delay > 0) await pause(answer.mishap.delay, signal);
    if (answer.mishap?.reset) throw failure('fetch failed', 'ECONNRESET', 'read ECONNRESET');
    return toResponse(answer, request, await localResponse());
  };
}

async function wireRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  base: string,
  sandbox: string,
): Promise<WireRequest> {
  const given = input instanceof Request ? input : undefined;
  const url = new URL(given ? given.url : typeof input === 'string' && input.startsWith('/') ? base + input : input);
  const target = url.pathname + url.search;
  const method = (init?.method ?? given?.method ?? 'GET').toUpperCase();
  const simple = !given && (init?.body === undefined || init.body === null || typeof init.body === 'string');
  // Whatever is not plain is left to the platform's own Request to make sense of.
  const full = simple ? undefined : new Request(given ?? url, init && { duplex: 'half', ...init });
  const headers = full?.headers ?? new Headers(init?.headers);
  const text = full ? await full.text() : typeof init?.body === 'string' ? init.body : '';
  if (simple && text !== '' && (method === 'GET' || method === 'HEAD')) {
    throw new TypeError('Request with GET/HEAD method cannot have body.');
  }
  if (simple && text !== '' && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
  const header = (name: string) => headers.get(name) ?? implied.get(name);
  const implied = new Map([['host', url.host]]);
  if (sandbox !== '') implied.set('x-emulator-sandbox', sandbox);
  const reached: Reached = {
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    host: url.host,
    fallbackHost: () => url.host,
    mount: '',
  };
  const sent = text === '' ? undefined : withinLimit(text, limitFor(target));
  return { method, target, base: baseOf(reached, header), header, body: sent };
}

function withinLimit(text: string, limit: number): WireRequest['body'] {
  return text.length <= limit && Buffer.byteLength(text) <= limit ? text : bodyTooLarge();
}

/** Loaded late, as the platform loads all of its fetch with the class that this one extends. */
const localResponse = once(async () => (await import('./local-response.js')).LocalResponse);

function toResponse(
  { status, headers, body, mishap }: WireResponse,
  { method, target, base }: WireRequest,
  LocalResponse: Awaited<ReturnType<typeof localResponse>>,
): Response {
  const url = base + target;
  const isCut = mishap?.truncate !== undefined;
  if (method !== 'HEAD' && body !== undefined && !isCut) return new LocalResponse(body, url, { status, headers });
  const left = method !== 'HEAD' && body !== undefined && isCut ? brokenOff(body, mishap.truncate) : null;
  const response = new Response(left, { status, headers });
  // A response that is made, not received, has no address of its own.
  Object.defineProperty(response, 'url', { value: url });
  return response;
}

/** A body that ends in an error after some bytes, as that of a connection that broke off. */
function brokenOff(body: string, length: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body).subarray(0, length));
    },
    pull(controller) {
      controller.error(failure('terminated', 'UND_ERR_SOCKET', 'other side closed'));
    },
  });
}

/** The error by which the platform's fetch tells of a broken connection. */
const failure = (message: string, code: string, reason: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
