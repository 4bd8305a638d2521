import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { LIMITS } from '../contract/fields.js';
import { ApiError, badRequest } from '../domain/errors.js';
import type { Handler } from './handler.js';
import type { WireRequest } from './wire.js';

/** The emulator as an Express application, to listen with or to mount in another one. */
export function createApp(handle: Handler): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(express.raw({ type: () => true, limit: LIMITS.body }));
  app.use(answerWith(handle, (request) => textOf(request.body)));
  // Only the reading of the body can have failed: that is an answer like any other.
  const onBodyError: ErrorRequestHandler = (error, request, response, next) => {
    const failed = answerWith(handle, () => {
      throw bodyError(error);
    });
    failed(request, response, next);
  };
  app.use(onBodyError);
  return app;
}

const answerWith =
  (handle: Handler, readBody: (request: Request) => string | undefined): RequestHandler =>
  (request, response) => {
    const { status, headers, body } = handle(wireRequest(request, () => readBody(request)));
    response.writeHead(status, headers);
    response.end(body);
  };

const wireRequest = (request: Request, readBody: () => string | undefined): WireRequest => ({
  method: request.method,
  target: request.url,
  base: `${schemeOf(request)}://${hostOf(request)}${request.baseUrl}`,
  header: (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  },
  readBody,
});

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
