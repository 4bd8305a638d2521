import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { runInThisContext } from 'node:vm';
import type { Sandbox } from '../control/sandbox.js';
import { BodyReader, bodyTooLarge, toText } from './body.js';
import { type HttpRequest, type HttpResponse, publicBaseUrl } from './http.js';
import { MAX_UNREAD_BYTES } from './node.js';
import { getBodyLimit } from './paths.js';
import type { Pipeline } from './pipeline.js';

/** A drop-in `fetch` that also accepts a path alone. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a `fetch` that reaches a sandbox without a socket. It responds for any origin.
 * @param base returns the URL to which a path alone is appended
 */
export function createFetch(pipeline: Pipeline, sandbox: Sandbox, base: () => string): Fetch {
  return async (input, init) => {
    const { Request } = getFetchClasses();
    const resolved = typeof input === 'string' && input.startsWith('/') ? base() + input : input;
    const request = new Request(resolved, init);
    request.signal.throwIfAborted();
    const httpRequest = await toHttpRequest(request);
    const response = await pipeline.respond(httpRequest, sandbox);
    const { delay = 0, reset = false } = response.fault ?? {};
    const { signal } = request;
    if (delay > 0) await sleep(delay, signal);
    if (reset) throw networkError('fetch failed', 'ECONNRESET', 'read ECONNRESET');
    return toResponse(response, request);
  };
}

/**
 * Returns the classes of the platform's fetch. Jest's jsdom has none among its globals, so they are those of Node's main
 * context there.
 */
function getFetchClasses(): Pick<typeof globalThis, 'Request' | 'Response'> {
  return 'Request' in globalThis ? globalThis : runInThisContext('globalThis');
}

/**
 * Waits for some milliseconds. Rejects with the reason of an abort. Uses the global timers, which fake timers replace; those of
 * node:timers are always real.
 */
const sleep = (delay: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    // A timer can be cleared only by the functions that it was made with.
    const { setTimeout, clearTimeout } = globalThis;
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, delay);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

async function toHttpRequest(request: Request): Promise<HttpRequest> {
  const { method, headers } = request;
  const { host, protocol, pathname, search } = new URL(request.url);
  const target = pathname + search;
  const header = (name: string) => headers.get(name) ?? (name === 'host' ? host : undefined);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const base = publicBaseUrl({ scheme, host, fallbackHost: host, mount: '' }, header);
  const body = request.body ? await toBody(Buffer.from(await request.arrayBuffer()), headers, target) : undefined;
  return { method: method.toUpperCase(), target, base, header, headers, body };
}

/** Reads a body as it would be read from a socket. */
async function toBody(bytes: Buffer, headers: Headers, target: string): Promise<HttpRequest['body']> {
  if (!headers.has('content-encoding'))
    return bytes.length > getBodyLimit(target) ? bodyTooLarge(target) : toText(bytes);
  const message = new IncomingMessage(new Socket());
  message.url = target;
  message.headers = { ...Object.fromEntries(headers), 'content-length': String(bytes.length) };
  message.push(bytes);
  message.push(null);
  return await new BodyReader().read(message, new ServerResponse(message));
}

function toResponse(made: HttpResponse, { method, url, signal }: Request): Response {
  const { status, headers } = made;
  const { Response } = getFetchClasses();
  const response = new Response(method === 'HEAD' ? null : toResponseBody(made, signal), {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers,
  });
  // A constructed response has no URL, and another type.
  return Object.defineProperties(response, { url: { value: url }, type: { value: 'basic' } });
}

function toResponseBody(
  { body, stream, chunks, fault }: HttpResponse,
  signal: AbortSignal,
): ReadableStream | string | null {
  if (chunks) return ReadableStream.from(toBytes(chunks, signal));
  if (stream) return streamedBody(stream, signal);
  if (body === undefined) return null;
  return typeof fault?.truncate === 'number' ? truncatedBody(body, fault.truncate) : body;
}

async function* toBytes(chunks: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const text of chunks) {
    signal.throwIfAborted();
    yield Buffer.from(text);
  }
}

/** Makes the error by which the platform's fetch reports a broken connection. */
const networkError = (message: string, code: string, reason: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });

/** Returns a body that fails after some bytes, as that of a closed connection does. */
const truncatedBody = (body: string, length: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(body).subarray(0, length));
    },
    pull(controller) {
      controller.error(networkError('terminated', 'UND_ERR_SOCKET', 'other side closed'));
    },
  });

/** Returns a body that goes on until it is cancelled, or the signal of its request aborts. */
function streamedBody(stream: NonNullable<HttpResponse['stream']>, signal: AbortSignal): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream(
    {
      start(controller) {
        const abort = () => fail(signal.reason);
        const fail = (reason: unknown) => {
          stop();
          controller.error(reason);
        };
        const send = (text: string) => {
          controller.enqueue(Buffer.from(text));
          // The client does not read it.
          if ((controller.desiredSize ?? 0) < 0)
            fail(networkError('terminated', 'UND_ERR_SOCKET', 'other side closed'));
        };
        const end = () => {
          signal.removeEventListener('abort', abort);
          controller.close();
        };
        const stopStream = stream(send, end);
        stop = () => {
          signal.removeEventListener('abort', abort);
          stopStream();
        };
        signal.addEventListener('abort', abort, { once: true });
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_UNREAD_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
