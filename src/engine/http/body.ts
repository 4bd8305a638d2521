import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { raw } from 'body-parser';
import type { HttpRequest } from '../api/http-request.js';
import { toBytes } from '../lib/base64.js';
import { ApiError, UnreadBodyError } from '../lib/errors.js';
import { badRequest } from '../state/errors.js';
import type { BodyPlan } from './body-plan.js';
import { isControlPath } from './paths.js';
import type { WaitingBytes } from './waiting.js';

/** A request, with the body if a host application has read it. */
export interface ReadableRequest extends IncomingMessage {
  readonly body?: unknown;
}

/** Source: RFC 9112, section 6.3. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads the bodies of requests, compressed ones too. */
export class BodyReader {
  readonly #parsers = new Map<number, ReturnType<typeof raw>>();
  readonly #waiting: WaitingBytes | undefined;

  /** @param waiting counts the bytes of bodies that are being read. Default: they are not counted */
  constructor(waiting?: WaitingBytes) {
    this.#waiting = waiting;
  }

  /**
   * Resolves with an error for a body that is too large, cannot be read, or has no room.
   * @param target path and query, without the prefix of a sandbox
   */
  async read(
    request: ReadableRequest,
    response: ServerResponse,
    target: string,
    plan: BodyPlan,
  ): Promise<HttpRequest['body']> {
    const { limit } = plan;
    const parse = this.#getParser(limit);
    return new Promise((resolve) => {
      const end = this.#waiting?.countBody(request, (refusal) => {
        // The connection ends with the response, and with it the body.
        response.shouldKeepAlive = false;
        resolve(refusal);
      });
      parse(request, response, (error?: unknown) => {
        end?.();
        resolve(error === undefined ? toBody(request.body, plan) : toBodyError(error, target, limit));
      });
    });
  }

  #getParser(limit: number): ReturnType<typeof raw> {
    const known = this.#parsers.get(limit);
    if (known) return known;
    // Loaded late: most programs that embed the emulator never send a body over a socket. By require(), which tries again
    // after a failure.
    const bodyParser: typeof import('body-parser') = createRequire(import.meta.url)('body-parser');
    const parser = bodyParser.raw({ type: () => true, limit });
    this.#parsers.set(limit, parser);
    return parser;
  }
}

/** Returns a body as its route reads it. A host application may have parsed it. */
export function toBody(body: unknown, plan: BodyPlan | undefined): HttpRequest['body'] {
  if (!plan?.isBytes) return toText(body);
  if (body === undefined) return undefined;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  // Separate memory, since a small buffer is a part of a large one.
  return bytes.length === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : toBytes(bytes);
}

/**
 * Returns a body as text. A host application may have parsed it. A byte order mark is not part of the text.
 * Source: RFC 8259, section 8.1.
 */
function toText(body: unknown): HttpRequest['body'] {
  if (body === undefined) return undefined;
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : typeof body === 'string' ? body : JSON.stringify(body);
  // Bytes that are not UTF-8 become a character of three bytes.
  if (Buffer.isBuffer(body) && Buffer.byteLength(text) !== body.length) {
    return badRequest('Request body size did not match Content-Length', 'FST_ERR_CTP_INVALID_CONTENT_LENGTH');
  }
  return text === '' ? undefined : text.replace(/^\uFEFF/, '');
}

function toBodyError(error: unknown, target: string, limit: number): ApiError {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return bodyTooLarge(target, limit);
  if (status === 415) return new ApiError(415, `Unsupported Media Type: ${String(error)}`);
  return new UnreadBodyError(400, `The body could not be read: ${String(error)}`);
}

/** The API has the message of the service. */
export function bodyTooLarge(target: string, limit: number): ApiError {
  const hint = isControlPath(target) ? `: send at most ${limit} bytes.` : '';
  return new ApiError(413, `Request body is too large${hint}`, 'FST_ERR_CTP_BODY_TOO_LARGE');
}
