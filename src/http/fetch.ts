import { bodyTooLarge } from '../domain/errors.js';
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
  let local: Local | undefined;
  // Nothing is waited for that is there already: each wait costs as much as finding the route.
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const given = input instanceof Request ? input : urlOf(input, base());
    const body = init?.body ?? '';
    const isPlain = given instanceof URL && typeof body === 'string';
    const plain = isPlain ? readPlain(given, init, body) : await readFull(given, init);
    const request = wireRequest(plain, sandbox);
    const answered = handle(request);
    const answer = answered instanceof Promise ? await answered : answered;
    if (answer.mishap && answer.mishap.delay > 0) await pause(answer.mishap.delay, signal);
    if (answer.mishap?.reset) throw failure('fetch failed', 'ECONNRESET', 'read ECONNRESET');
    // Loaded late, as the platform loads all of its fetch with the class that this one extends.
    local ??= await import('./local-response.js');
    return toResponse(answer, request, local);
  };
}

type Local = typeof import('./local-response.js');

/** What a request comes down to. */
interface PlainRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  /** Empty for none. */
  readonly text: string;
}

const urlOf = (input: string | URL, base: string): URL =>
  new URL(typeof input === 'string' && input.startsWith('/') ? base + input : input);

function readPlain(url: URL, init: RequestInit | undefined, text: string): PlainRequest {
  const method = (init?.method ?? 'GET').toUpperCase();
  const headers = new Headers(init?.headers);
  if (text !== '') {
    if (method === 'GET' || method === 'HEAD') throw new TypeError('Request with GET/HEAD method cannot have body.');
    if (!headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
  }
  return { url, method, headers, text };
}

/** Whatever is not plain is left to the platform's own Request to make sense of. */
async function readFull(input: URL | Request, init: RequestInit | undefined): Promise<PlainRequest> {
  const request = new Request(input, init && { duplex: 'half', ...init });
  const { url, method, headers } = request;
  return { url: new URL(url), method: method.toUpperCase(), headers, text: await request.text() };
}

function wireRequest({ url, method, headers, text }: PlainRequest, sandbox: string): WireRequest {
  const target = url.pathname + url.search;
  const header = (name: string) => headers.get(name) ?? implied.get(name);
  const implied = new Map([['host', url.host]]);
  if (sandbox !== '') implied.set('x-emulator-sandbox', sandbox);
  const reached: Reached = {
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    host: url.host,
    fallbackHost: () => url.host,
    mount: '',
  };
  const body = text === '' ? undefined : withinLimit(text, limitFor(target));
  return { method, target, base: baseOf(reached, header), header, body };
}

function withinLimit(text: string, limit: number): WireRequest['body'] {
  return text.length <= limit && Buffer.byteLength(text) <= limit ? text : bodyTooLarge();
}

function toResponse(
  { status, headers, body, mishap }: WireResponse,
  { method, target, base }: WireRequest,
  { LocalResponse }: Local,
): Response {
  const url = base + target;
  const text = method === 'HEAD' ? undefined : body;
  const cut = mishap?.truncate;
  if (text !== undefined && cut === undefined) return new LocalResponse(text, url, status, headers);
  const left = text === undefined || cut === undefined ? null : brokenOff(text, cut);
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
