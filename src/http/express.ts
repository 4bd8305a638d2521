import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { LIMITS } from '../contract/fields.js';
import { ApiError, badRequest } from '../domain/errors.js';
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
    const read = request.url.includes(`${CONTROL_PREFIX}/`) ? bodyOfControl : bodyOfApi;
    read(request, response, next);
  });
  app.use((request, response) => send(response, handle(wireRequest(request, textOf(request.body)))));
  // Only the reading of the body can have failed: the answer to that is one like any other.
  const onBodyError: ErrorRequestHandler = (error, request, response, _next) => {
    send(response, handle(wireRequest(request, bodyError(error))));
  };
  app.use(onBodyError);
  return app;
}

const wireRequest = (request: Request, body: WireRequest['body']): WireRequest => ({
  method: request.method,
  target: request.url,
  base: `${schemeOf(request)}://${hostOf(request)}${request.baseUrl}`,
  header: (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  },
  body,
});

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

/** As the client reached us, which a proxy in between tells in its headers. */
function schemeOf(request: Request): string {
  const forwarded = request.get('x-forwarded-proto')?.split(',')[0]?.trim();
  if (forwarded === 'http' || forwarded === 'https') return forwarded;
  return 'encrypted' in request.socket ? 'https' : 'http';
}

function hostOf(request: Request): string {
  const host = request.get('x-forwarded-host')?.split(',')[0]?.trim() || request.headers.host;
  if (host && /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i.test(host)) return host;
  const { localAddress = '127.0.0.1', localPort = 80 } = request.socket;
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
  if (status === 413) return new ApiError(413, 'Request body is too large');
  if (status === 415) return new ApiError(415, `Unsupported Media Type: ${String(error)}`);
  return badRequest(`The body could not be read: ${String(error)}`);
}
