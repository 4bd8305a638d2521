import { STATUS_CODES } from 'node:http';
import type { ReadableStream } from 'node:stream/web';
import type { HttpRequest } from '../api/http-request.js';
import type { HttpResponse } from '../control/http-response.js';
import { findCut } from '../faults/faults.http.js';
import type { Outcome } from '../journal/outcomes.js';
import { onceFor } from '../lib/once.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { type BodyPlan, readBytes, unzipBytes } from './input.js';
import { MAX_UNREAD_BYTES } from './node.js';
import type { Pipeline } from './pipeline.js';
import { errorResponse, servedOverHttp } from './response.js';
import { extendResponse, getFetchClasses } from './text-response.js';

/** A drop-in `fetch` that also accepts a path alone. */
type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Makes the text responses of an emulator, which have one class. Of the platform's classes at its first request. */
const getResponder = onceFor((_pipeline: Pipeline) => extendResponse(getFetchClasses()));

/**
 * Creates a `fetch` that reaches a sandbox without a socket. It responds for any origin.
 * @param base returns the URL to which a path alone is appended
 */
export function createFetch(pipeline: Pipeline, sandbox: Sandbox, base: () => string): Fetch {
  const plan = (request: HttpRequest) => pipeline.planBody(request, sandbox);
  const toPlainRequest = makePlainReader(pipeline, plan);
  return async (input, init) => {
    const classes = getFetchClasses();
    const isPath = typeof input === 'string' && input.startsWith('/');
    const plain = isPath ? toPlainRequest(base(), input, init) : undefined;
    const { request, url, signal } =
      plain ?? (await acceptRequest(pipeline, new classes.Request(isPath ? base() + input : input, init), plan));
    const responded = await pipeline.serve(request, sandbox);
    const { ended } = responded;
    const made = responded.listener ? errorResponse(servedOverHttp()) : responded;
    const { status, headers, body = null, fault } = made;
    const { delay = 0, reset = false } = fault ?? {};
    if (delay > 0) {
      await sleep(delay, signal).catch((reason) => {
        ended?.('aborted');
        throw reason;
      });
    }
    if (reset) {
      ended?.('reset');
      throw networkError('fetch failed', 'ECONNRESET', 'read ECONNRESET');
    }
    const parts = { status, statusText: STATUS_CODES[status] ?? '', headers };
    const cut = fault && findCut(made, request.method);
    const isWhole = made.stream === undefined && made.chunks === undefined && cut === undefined;
    if (isWhole || request.method === 'HEAD') ended?.('sent');
    if (request.method === 'HEAD') return getResponder(pipeline)(null, url, parts);
    if (isWhole && !(body instanceof Uint8Array)) return getResponder(pipeline)(body, url, parts);
    const content = isWhole && body instanceof Uint8Array ? Buffer.from(body) : toStream(made, cut, signal);
    const response = new classes.Response(content, parts);
    // A constructed response has no URL, and another type.
    return Object.defineProperties(response, { url: { value: url }, type: { value: 'basic' } });
  };
}

type PlanBody = (request: HttpRequest) => BodyPlan | undefined;

/** A request without a connection. HTTP refuses none. */
const IN_PROCESS = { remoteAddress: undefined, refusal: undefined } as const;

/** A request, the URL of its response, and the signal that aborts it. */
interface Fetched {
  readonly request: HttpRequest;
  readonly url: string;
  readonly signal?: AbortSignal;
}

/** The parts of a request that a `Request` of the platform would leave as they are. */
const PLAIN_PATH = /^(?!.*(?:\/\.|%2e|\?$))[\w\-.~!$()*,;=:@&+%/?]*$/i;
const PLAIN_METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
const PLAIN_NAME = /^[\w-]+$/;
const PLAIN_VALUE = /^[!-~](?:[ -~]*[!-~])?$/;

/** Makes a function that reads a request without a `Request` of the platform, or returns undefined if it needs one. */
function makePlainReader(pipeline: Pipeline, plan: PlanBody) {
  let parsed = { base: '', origin: '', prefix: '', host: '', scheme: 'http' as 'http' | 'https' };
  return (base: string, path: string, init: RequestInit = {}): Fetched | undefined => {
    const start = performance.now();
    const { method = 'GET', headers: given = {}, body = null, ...others } = init;
    const isBodyPlain = body === null || (typeof body === 'string' && method !== 'GET' && method !== 'HEAD');
    if (!PLAIN_PATH.test(path) || !PLAIN_METHOD.test(method) || !isBodyPlain) return undefined;
    if (Object.keys(others).length > 0 || Object.getPrototypeOf(given) !== Object.prototype) return undefined;
    const headers = new Map<string, string>();
    for (const [name, value] of Object.entries(given)) {
      const isPlain = PLAIN_NAME.test(name) && typeof value === 'string' && PLAIN_VALUE.test(value);
      if (!isPlain || headers.has(name.toLowerCase())) return undefined;
      headers.set(name.toLowerCase(), value);
    }
    if (headers.has('content-encoding')) return undefined;
    if (body !== null && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
    if (parsed.base !== base) {
      const { origin, pathname, host, protocol } = new URL(base);
      const scheme = protocol === 'https:' ? 'https' : 'http';
      parsed = { base, origin, prefix: pathname.replace(/\/$/, ''), host, scheme };
    }
    const { origin, prefix, host, scheme } = parsed;
    const target = prefix + path;
    const header = (name: string) => headers.get(name) ?? (name === 'host' ? host : undefined);
    const connection = { scheme, host, ownHost: () => host, mount: '' };
    const accepted = pipeline.accept({
      ...IN_PROCESS,
      ...connection,
      start,
      method,
      url: target,
      header,
      headers: [...headers].flat(),
    });
    const isSent = typeof body === 'string';
    const request = isSent
      ? { ...accepted, body: readBytes(Buffer.from(body), accepted.target, plan(accepted)) }
      : accepted;
    return { request, url: origin + target };
  };
}

/**
 * Waits for some milliseconds. Rejects with the reason of an abort. Uses the global timers, which fake timers replace, unlike
 * node:timers.
 */
const sleep = (delay: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    // A timer can be cleared only by the functions that it was made with.
    const { setTimeout, clearTimeout } = globalThis;
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delay);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });

async function acceptRequest(pipeline: Pipeline, request: Request, plan: PlanBody): Promise<Fetched> {
  const start = performance.now();
  const { method, headers, signal, url } = request;
  signal.throwIfAborted();
  const { host, protocol, pathname, search } = new URL(url);
  const target = pathname + search;
  const header = (name: string) => headers.get(name) ?? (name === 'host' ? host : undefined);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const connection = { scheme, host, ownHost: () => host, mount: '' } as const;
  const bytes = request.body && Buffer.from(await request.arrayBuffer());
  const sent = { ...IN_PROCESS, ...connection, start, method: method.toUpperCase(), url: target, header, headers };
  const accepted = pipeline.accept(sent);
  if (!bytes) return { request: accepted, url, signal };
  const planned = plan(accepted);
  const body = headers.has('content-encoding')
    ? await unzipBytes(bytes, headers, accepted.target, planned)
    : readBytes(bytes, accepted.target, planned);
  return { request: { ...accepted, body }, url, signal };
}

/** Few responses are streams. */
const streams = () => process.getBuiltinModule('node:stream/web');

/** Returns the body of a response that is made while it is read, or that a fault cuts. */
function toStream(
  { body = '', stream, chunks, ended }: HttpResponse,
  cut: number | undefined,
  signal?: AbortSignal,
): ReadableStream {
  const end: Ended = ended ?? (() => {});
  if (chunks) return streams().ReadableStream.from(toBytes(chunks, signal, end));
  if (stream) return streamedBody(stream, signal, end);
  end('truncated');
  return truncatedBody(body, cut ?? 0);
}

type Ended = NonNullable<HttpResponse['ended']>;

async function* toBytes(
  chunks: AsyncIterable<string>,
  signal: AbortSignal | undefined,
  ended: Ended,
): AsyncGenerator<Uint8Array> {
  let outcome: Outcome = 'aborted';
  try {
    for await (const text of chunks) {
      signal?.throwIfAborted();
      yield Buffer.from(text);
    }
    outcome = 'sent';
  } finally {
    ended(outcome);
  }
}

/** Makes the error by which the platform's fetch reports a broken connection. */
const networkError = (message: string, code: string, reason: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });

/** Returns a body that fails after some bytes, as on a closed connection. */
const truncatedBody = (body: string | Uint8Array, length: number): ReadableStream<Uint8Array> =>
  new (streams().ReadableStream)({
    start(controller) {
      controller.enqueue(Buffer.from(body).subarray(0, length));
    },
    pull(controller) {
      controller.error(networkError('terminated', 'UND_ERR_SOCKET', 'other side closed'));
    },
  });

/** Returns a body without an end: it is cancelled, or the signal of its request aborts. */
function streamedBody(
  stream: NonNullable<HttpResponse['stream']>,
  signal: AbortSignal | undefined,
  ended: Ended,
): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new (streams().ReadableStream)(
    {
      start(controller) {
        const abort = () => fail(signal?.reason);
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
          signal?.removeEventListener('abort', abort);
          controller.close();
          ended('sent');
        };
        const stopStream = stream(send, end);
        stop = () => {
          signal?.removeEventListener('abort', abort);
          stopStream();
          ended('aborted');
        };
        signal?.addEventListener('abort', abort, { once: true });
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_UNREAD_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
