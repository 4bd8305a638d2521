import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS } from '../contract/fields.js';
import { ApiError, badRequest, bodyTooLarge } from '../domain/errors.js';
import { memoizeLast } from '../domain/memoize-last.js';
import { CONTROL_PREFIX } from './control.js';
import { pathOf, type WireRequest } from './wire.js';

/** Bytes that the body of a request to this address may have. */
export const limitFor = (target: string): number =>
  pathOf({ target }).includes(`${CONTROL_PREFIX}/`) ? LIMITS.controlBody : LIMITS.body;

/** Source: RFC 9112, section 6.3. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Loaded late, as most programs that embed the emulator never send a body over a socket. */
const parserFor = memoizeLast(async (limit: number) =>
  (await import('body-parser')).default.raw({ type: () => true, limit }),
);

/** The text of a body, decoded and within its limit, or the error that says why it could not be read. */
export async function readBody(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
): Promise<WireRequest['body']> {
  const read = await parserFor(limitFor(request.url ?? ''));
  return new Promise((resolve) => {
    read(request, response, (error?: unknown) =>
      resolve(error === undefined ? textOf(request.body) : bodyError(error)),
    );
  });
}

/** The body as text. An application that mounts this one may have parsed it already. */
export function textOf(body: unknown): string | undefined {
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
