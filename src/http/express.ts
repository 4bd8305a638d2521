import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { LIMITS } from '../contract/fields.js';
import { ApiError, badRequest, bodyTooLarge } from '../domain/errors.js';
import { baseOf, type Reached } from './base.js';
import { CONTROL_PREFIX } from './control.js';
import type { Handler } from './handler.js';
import type { WireRequest, WireResponse } from './wire.js';

/** The emulator as an Express application, to listen with or to mount in another one. */
export function createApp(handle: Handler): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const bodyOfApi = express.raw({ type: () => true, limit: LIMITS.body });
  const bodyOfControl = express.raw({ type: () => true, limit: LIMITS.controlBody });
  app.use((request, response, next) => {
    const read = request.path.includes(`${CONTROL_PREFIX}/`) ? bodyOfControl : bodyOfApi;
    read(request, response, next);
  });
  const answer = async (request: Request, response: Response, body: WireRequest['body']) => {
    const answered = handle(wireRequest(request, body));
    send(response, answered instanceof Promise ? await answered : answered);
  };
  app.use((request, response) => answer(request, response, textOf(request.body)));
  // Only the reading of the body can have failed: the answer to that is one like any other.
  const onBodyError: ErrorRequestHandler = (error, request, response, _next) =>
    answer(request, response, bodyError(error));
  app.use(onBodyError);
  return app;
}

function wireRequest(request: Request, body: WireRequest['body']): WireRequest {
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const { socket, baseUrl } = request;
  const reached: Reached = {
    scheme: 'encrypted' in socket ? 'https' : 'http',
    host: request.headers.host,
    fallbackHost: () => ownHost(socket),
    mount: baseUrl,
  };
  return { method: request.method, target: request.url, base: baseOf(reached, header), header, body };
}

function send(response: Response, answer: WireResponse): void {
  const { status, headers, body, mishap } = answer;
  if (mishap && mishap.delay > 0) {
    // Unreferenced, so that an answer held back does not hold the process.
    setTimeout(() => send(response, { ...answer, mishap: { ...mishap, delay: 0 } }), mishap.delay).unref();
    return;
  }
  if (mishap?.reset) {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(status, headers);
  if (mishap?.truncate === undefined || body === undefined) {
    response.end(body);
    return;
  }
  response.write(Buffer.from(body).subarray(0, mishap.truncate), () => response.socket?.destroy());
}

function ownHost({ localAddress = '127.0.0.1', localPort = 80 }: Request['socket']): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** The body as text. An application that mounts this one may have parsed it already. */
function textOf(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : typeof body === 'string' ? body : JSON.stringify(body);
  return text === '' ? undefined : text;
}

function bodyError(error: unknown): ApiError {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return bodyTooLarge();
  if (status === 415) return new ApiError(415, `Unsupported Media Type: ${String(error)}`);
  return badRequest(`The body could not be read: ${String(error)}`);
}
