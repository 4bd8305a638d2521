import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import type { HttpRequest } from '../api/http-request.js';
import type { HttpResponse } from '../control/http-response.js';
import { findCut } from '../faults/faults.http.js';
import type { Outcome } from '../journal/outcomes.js';
import { ApiError } from '../lib/errors.js';
import { isFake, systemTimers } from '../platform/system-timers.js';
import { badRequest } from '../state/errors.js';
import { explainListenError, formatAddress, toReachableHost } from './address.js';
import * as lateEncode from './encode.js';
import { BodyReader, hasBody, type ReadableRequest, toBody } from './input.js';
import { locate } from './paths.js';
import type { Pipeline } from './pipeline.js';
import { errorResponse } from './response.js';
import { LoopTurns, UNREAD_TIMEOUT_MS, type WaitingBytes } from './waiting.js';

interface MountedRequest extends ReadableRequest {
  /** The path under which a host application has mounted the emulator. */
  readonly baseUrl?: string;
}

/**
 * Creates a listener for a node:http server, or for a host application that mounts it.
 * @param apiOnly whether every path is of the API
 */
export function createListener(pipeline: Pipeline, apiOnly = false): RequestListener {
  const { waiting } = pipeline;
  const bodies = new BodyReader(waiting);
  const turns = new LoopTurns();
  const warnOfFakeTimers = makeFakeTimersWarning();
  const serve = (request: HttpRequest): HttpResponse | Promise<HttpResponse> => {
    const made = pipeline.serve(request);
    return request.area === 'control' ? Promise.resolve(made).then((late) => lateEncode.encode(request, late)) : made;
  };
  const respond = (message: MountedRequest, response: ServerResponse) => {
    const request = toHttpRequest(pipeline, message, apiOnly);
    // First, since the body-parser of Express 4 makes an empty object of no body.
    if (!hasBody(message)) return serve(request);
    const plan = pipeline.planBody(request);
    if (message.body !== undefined || !plan) return serve({ ...request, body: toBody(message.body, plan) });
    return bodies.read(message, response, request.target, plan).then((body) => {
      const isGone = () => response.destroyed;
      return turns.run(() => serve({ ...request, body }), isGone);
    });
  };
  // Pipelined requests take effect in their order. Source: RFC 9112, section 9.3.2.
  const pending = new WeakMap<Socket, Promise<void>>();
  return function listener(message: MountedRequest, response) {
    warnOfFakeTimers();
    const { socket } = message;
    const earlier = pending.get(socket);
    const made = earlier ? earlier.then(() => respond(message, response)) : respond(message, response);
    if (!(made instanceof Promise)) return send(response, made, waiting);
    const done = made
      .then((late) => send(response, late, waiting))
      .catch((error) => sendFailure(pipeline, message, response, error))
      .finally(() => {
        if (pending.get(socket) === done) pending.delete(socket);
      });
    pending.set(socket, done);
  };
}

const FAKE_TIMERS_WARNING =
  'val-emulator: a request arrived over a socket while timers are faked in this process. Advancing the time does not wait for a socket: use emulator.fetch, as in docs/recipes/fake-timers.md.';

/** Returns a function that warns, once, while fake timers of vitest, Jest, sinon or node:test are installed. */
function makeFakeTimersWarning(): () => void {
  let hasWarned = false;
  let checked: unknown;
  return () => {
    const { setTimeout } = globalThis;
    if (hasWarned || setTimeout === checked) return;
    checked = setTimeout;
    if (!isFake(setTimeout)) return;
    hasWarned = true;
    console.warn(FAKE_TIMERS_WARNING);
  };
}

/** Responds to a request that could not be handled, such as when a module cannot be loaded. */
export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else sendNow(response, errorResponse(error));
}

/** Responds as {@link sendError} does, and reports an error that is a defect. */
export function sendFailure(
  pipeline: Pipeline,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  const { method = 'GET', url = '/' } = request;
  pipeline.reportError(error, { method, target: locate(method, url).target });
  sendError(response, error);
}

/** Describes a request without its body. */
export function toHttpRequest(pipeline: Pipeline, request: MountedRequest, apiOnly = false): HttpRequest {
  const start = performance.now();
  const { headers, socket, method = 'GET', url = '/', baseUrl = '' } = request;
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return pipeline.accept({
    start,
    method,
    url,
    apiOnly,
    scheme: 'encrypted' in socket ? 'https' : 'http',
    host: headers.host,
    ownHost: () => `${formatAddress(socket.localAddress ?? '127.0.0.1')}:${socket.localPort ?? 80}`,
    mount: baseUrl,
    refusal: findHttpError(request),
    header,
    headers: request.rawHeaders,
    remoteAddress: socket.remoteAddress,
  });
}

/** Finds why HTTP/1.1 does not allow a request. */
function findHttpError({
  httpVersion,
  headers: { host, expect = '100-continue' },
}: IncomingMessage): ApiError | undefined {
  if (httpVersion !== '1.1') return undefined;
  // Source: RFC 9112, section 3.2.
  if (host === undefined) return badRequest('Bad Request: the header Host is missing');
  // Source: RFC 9110, section 10.1.1.
  if (/^100-continue$/i.test(expect)) return undefined;
  return new ApiError(417, 'Expectation Failed: only 100-continue is supported');
}

/** Sends a response, after the delay of its fault. */
function send(response: ServerResponse, made: HttpResponse, waiting: WaitingBytes): void {
  const { fault, ended } = made;
  const delay = fault?.delay ?? 0;
  let outcome: Outcome = 'aborted';
  const end = () => ended?.(response.writableFinished && outcome === 'aborted' ? 'sent' : outcome);
  // The client may have gone while the response was made.
  if (response.destroyed) end();
  else response.on('close', end);
  const sendAndWatch = () => {
    if (fault?.reset) outcome = 'reset';
    else if (fault && findCut(made, response.req.method ?? '') !== undefined) outcome = 'truncated';
    // Before its listener has sent a response, nothing waits.
    if (made.listener) response.once('prefinish', () => waiting.watch(response));
    sendNow(response, made);
    // What is still being made is not written as a whole, and has bounds for a client that does not read.
    if (!made.stream && !made.chunks) waiting.watch(response);
  };
  if (delay <= 0) return void sendAndWatch();
  const timer = setTimeout(sendAndWatch, delay);
  // Unreferenced, so that a delayed response does not keep the process alive. In jsdom a timer is a number.
  if (typeof timer === 'object') timer.unref();
}

/** Sends a response at once. One that node:http refuses becomes an error. */
export function sendNow(response: ServerResponse, made: HttpResponse): void {
  const { status, headers, body, listener, stream, chunks, fault } = made;
  const { method = '' } = response.req;
  try {
    if (fault?.reset) return void resetConnection(response.socket);
    if (listener) return void listener(response.req, response.setHeaders(new Map(Object.entries(headers))));
    response.writeHead(status, headers);
    if (stream && method !== 'HEAD') return void sendStream(response, stream);
    if (chunks && method !== 'HEAD') {
      // Made as fast as the client reads it.
      response.setTimeout(UNREAD_TIMEOUT_MS, () => void response.destroy());
      return void pipeline(Readable.from(chunks, { highWaterMark: 1 }), response, () => {});
    }
    const cut = fault && findCut(made, method);
    if (body === undefined || cut === undefined) return void response.end(body);
    response.write(Buffer.from(body).subarray(0, cut), () => response.socket?.destroy());
  } catch (error) {
    sendError(response, error);
  }
}

/** Bytes that wait for a client before it is disconnected. */
export const MAX_UNREAD_BYTES = 1_048_576;

function sendStream(response: ServerResponse, stream: NonNullable<HttpResponse['stream']>): void {
  const send = (text: string) => {
    response.write(text);
    // The client does not read.
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  };
  const stop = stream(send, () => void response.end());
  if (response.destroyed) stop();
  else response.once('close', stop);
}

/** Only a TCP socket can be reset; others, of TLS or of a file, throw and are closed. */
function resetConnection(socket: Socket | null): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    socket?.destroy();
  }
}

export interface ListeningServer {
  /** The base URL: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Lets each connection end with its next response, so that its client connects to another server, if there is one. */
  startClosing(): void;
  /**
   * Closes the server and all connections. Idempotent: a second call without a grace period ends one with it.
   * @param grace milliseconds that active requests have to end, delayed responses included. Default: 0
   */
  close(grace?: number): Promise<void>;
  /** Keeps the process alive no longer, nor does a connection. */
  unref(): void;
}

/** As long as a client of Node keeps a connection at most: a test that a debugger holds for a minute continues with the next request. */
const KEEP_ALIVE_MS = 600_000;

/** Since Node 24.12, a request without a body has no stream to read it from. Its types do not have the option yet. */
const SERVER_OPTIONS: ServerOptions & { readonly optimizeEmptyRequests: boolean } = {
  requireHostHeader: false,
  optimizeEmptyRequests: true,
  keepAliveTimeout: KEEP_ALIVE_MS,
};

/** Creates a server that passes on requests that Node would refuse without a body, and refuses malformed ones as the service does. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(SERVER_OPTIONS, listener);
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server.on('clientError', refuse);
}

/**
 * Resolves once connections are accepted.
 * @throws OptionsError with `code: 'EADDRINUSE'` when the port is in use
 */
export async function listen(listener: RequestListener, host: string, port: number): Promise<ListeningServer> {
  let isClosing = false;
  let isUnref = false;
  /** The last response of each connection: undefined before its first request. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  const server = createHttpServer(listener);
  server.prependListener('request', ({ socket }, response) => {
    connections.set(socket, response);
    if (isClosing) response.shouldKeepAlive = false;
  });
  server.on('connection', (socket) => {
    connections.set(socket, undefined);
    if (isUnref) socket.unref();
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch(async (error) => {
    throw await explainListenError(error, host, port);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no port in address ${address}`);
  let closing: Promise<void> | undefined;
  const startClosing = () => {
    isClosing = true;
    for (const response of connections.values()) if (response) response.shouldKeepAlive = false;
  };
  return {
    url: `http://${toReachableHost(address.address)}:${address.port}`,
    startClosing,
    close: (grace = 0) => {
      startClosing();
      closing ??= new Promise((resolve) => {
        // The close() of node:http also closes connections that are still sending.
        if (grace > 0) NetServer.prototype.close.call(server, () => resolve());
        else server.close(() => resolve());
      });
      if (grace > 0) drain(server, connections, grace, closing);
      else server.closeAllConnections();
      return closing;
    },
    unref: () => {
      isUnref = true;
      server.unref();
      for (const socket of connections.keys()) socket.unref();
    },
  };
}

/** Milliseconds between two checks of the connections of a server that is closing. */
const DRAIN_INTERVAL_MS = 10;
/**
 * Checks until idle connections are closed, since a client that could not know of the end may send its next request. Time
 * would not do: requests can arrive while a busy process does nothing else.
 */
const IDLE_CHECKS = 10;

/** Closes connections without an active request after a moment, and the others when they are idle or at the end of the time. */
function drain(
  server: Server,
  connections: ReadonlyMap<Socket, ServerResponse | undefined>,
  grace: number,
  closed: Promise<void>,
): void {
  // Clients have real time.
  const end = systemTimers.uptime() + grace;
  let checks = 0;
  const timer = systemTimers.setInterval(() => {
    if (systemTimers.uptime() >= end) return server.closeAllConnections();
    if (++checks < IDLE_CHECKS) return;
    for (const [socket, response] of connections) if (!isActive(response)) socket.destroy();
  }, DRAIN_INTERVAL_MS);
  void closed.then(() => timer.cancel());
}

/** Whether a connection has an active request: one whose head has arrived, even if its body has not. */
const isActive = (response: ServerResponse | undefined): boolean =>
  response !== undefined && !(response.writableFinished && response.req.complete);

/** Statuses of requests that Node's parser refuses, by the code of its error. */
const PARSER_STATUSES: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Responds to a request that Node's parser refuses, with the error body of the API. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status = PARSER_STATUSES[error.code ?? ''] ?? 400;
  const message = status === 400 ? `Bad Request: ${error.message}` : (STATUS_CODES[status] ?? '');
  const { headers, body = '' } = errorResponse(new ApiError(status, message));
  const date = new Date().toUTCString();
  const lines = Object.entries({ ...headers, date, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
