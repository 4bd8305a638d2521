import { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { raw } from 'body-parser';
import type { HttpRequest } from '../api/http-request.js';
import type { RequestInput, Route } from '../api/route.js';
import type { Match } from '../api/router.js';
import { decodeText, toBytes } from '../lib/base64.js';
import { ApiError, reasonFor, UnreadBodyError } from '../lib/errors.js';
import { isDeeperThan, MAX_JSON_DEPTH } from '../lib/objects.js';
import { parseQuery } from '../lib/target.js';
import type { SchemaError } from '../schema/validator.js';
import { badRequest } from '../state/errors.js';
import { getBodyLimit, isControlPath } from './paths.js';
import type { WaitingBytes } from './waiting.js';

// What a request has sent: how its body is read, parsed, and validated with the parameters of its path and its query.

export interface BodyPlan {
  /** Bytes at most. */
  readonly limit: number;
  /** Whether the body stays bytes. */
  readonly isBytes?: boolean;
}

/**
 * Returns how the body of a request is read. Undefined for a large body of a token that is unknown or lacks the scope, which is not worth the memory.
 * @param mayPass whether the token may pass; throws for a wrong name of a sandbox, of which the response says more
 */
export function planBody({ target, match }: HttpRequest, mayPass: () => boolean): BodyPlan | undefined {
  const route = match?.route;
  if (route?.bodyLimit === undefined) return { limit: getBodyLimit(target) };
  const isBytes = route.bodyType === 'bytes';
  try {
    return mayPass() ? { limit: route.bodyLimit, isBytes } : undefined;
  } catch {
    // Another node may open the sandbox before the request has its turn.
    return { limit: getBodyLimit(target), isBytes };
  }
}

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

/** Reads a body without a socket, as it would be read from one. */
export function readBytes(bytes: Buffer, target: string, plan: BodyPlan | undefined): HttpRequest['body'] {
  // As a server sees none in a `content-length` of 0.
  if (!plan || bytes.length === 0) return undefined;
  return bytes.length > plan.limit ? bodyTooLarge(target, plan.limit) : toBody(bytes, plan);
}

/** Reads a compressed body as {@link readBytes} does. */
export async function unzipBytes(
  bytes: Buffer,
  headers: Headers,
  target: string,
  plan: BodyPlan | undefined,
): Promise<HttpRequest['body']> {
  if (!plan) return undefined;
  const message = new IncomingMessage(new Socket());
  message.headers = { ...Object.fromEntries(headers), 'content-length': String(bytes.length) };
  message.push(bytes);
  message.push(null);
  return await new BodyReader().read(message, new ServerResponse(message), target, plan);
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
function bodyTooLarge(target: string, limit: number): ApiError {
  const hint = isControlPath(target) ? `: send at most ${limit} bytes.` : '';
  return new ApiError(413, `Request body is too large${hint}`, 'FST_ERR_CTP_BODY_TOO_LARGE');
}

/** How an API reads what a request has sent: how it parses JSON, and the error for input that its schemas refuse. */
export interface InputFormat {
  /** @throws Error with the message of the response */
  readonly parse: (text: string) => unknown;
  readonly makeError: (name: string, errors: readonly SchemaError[]) => Error;
}

/** The real service: a body is parsed without keys that reach a prototype, and the error is an ApiError 400. */
export const WIRE_INPUT: InputFormat = {
  parse: parseSafely,
  makeError: (name, errors) => badRequest(toSentences(name, errors), 'FST_ERR_VALIDATION'),
};

/** Joins errors as Fastify does: `body/code must be string`. */
export const toSentences = (name: string, errors: readonly SchemaError[] | null = []): string =>
  (errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`).join(', ');

/** In the order in which Fastify validates them, with the names that its messages have. */
const PARTS = [
  ['params', 'params'],
  ['body', 'body'],
  ['query', 'querystring'],
] as const;

/** Reads what a route receives: parsed, validated, and coerced. @throws the error of the format, or what {@link readRouteBody} throws */
export function readInput<C>(
  request: HttpRequest,
  { route, params }: Match<Pick<Route<C>, 'body' | 'bodyType' | 'validators'>>,
  { parse, makeError }: InputFormat,
): RequestInput {
  const input = { params, query: parseQuery(request.query), body: readRouteBody(request, route, parse) };
  // Ajv cannot replace a root value by its default.
  if (route.body && 'default' in route.body) input.body ??= route.body.default;
  for (const [part, name] of PARTS) {
    const validate = route.validators[part];
    if (validate && !validate(input[part])) throw makeError(name, validate.errors ?? []);
  }
  return input;
}

/** The methods whose bodies Fastify 4 parses. */
const WITH_BODY = /^(?:POST|PUT|PATCH|DELETE|TRACE|SEARCH|PROPFIND|PROPPATCH|LOCK|COPY|MOVE|MKCOL|REPORT|MKCALENDAR)$/;

/**
 * Reads the body of a request. One that the route does not need may be absent, and without a type in a DELETE.
 * @param route undefined if there is none: Fastify 4 parses JSON before it responds with a 404
 */
export function readRouteBody(
  request: HttpRequest,
  route: Pick<Route<never>, 'body' | 'bodyType'> | undefined,
  parse: InputFormat['parse'],
): unknown {
  const { method, body } = request;
  const type = request.header('content-type');
  // Its client has left, or has sent something else: it must change nothing.
  if (WITH_BODY.test(method) && body instanceof UnreadBodyError) throw body;
  if (route?.bodyType === 'bytes') {
    if (body instanceof ApiError) throw body;
    return typeof body === 'string' ? toBytes(Buffer.from(body)) : (body ?? new Uint8Array());
  }
  const isDelete = method === 'DELETE';
  const isAbsent = body === undefined || (isDelete && type === undefined);
  const isOptional = isDelete || (route && (!route.body || 'default' in route.body));
  const isIgnored =
    !WITH_BODY.test(method) || (isAbsent && isOptional) || (!route && !JSON_MEDIA_TYPE.test(type ?? ''));
  return isIgnored ? undefined : readJson(request, parse, route?.bodyType === 'any-json');
}

/** Types that contain this one, with well-formed parameters. Source: the content type parser of Fastify 4. */
const JSON_MEDIA_TYPE =
  /^\s*[!#$%&'*+.^\w|~-]*application\/json[!#$%&'*+.^\w|~-]*\s*(?:; *[!#$%&'*+.^\w`|~-]+=(?:"(?:[^"\\]|\\.)*"|[!#$%&'*+.^\w`|~-]+) *)*$/i;

/** Reads a JSON body as Fastify 4 does. @throws ApiError 400 or 415 for a body that is not JSON */
export function readJson(request: HttpRequest, parse: InputFormat['parse'] = JSON.parse, isOfAnyType = false): unknown {
  const { body } = request;
  const type = request.header('content-type');
  if (type === undefined && body === undefined) return undefined;
  if (!isOfAnyType && !JSON_MEDIA_TYPE.test(type ?? '')) {
    throw new ApiError(415, `Unsupported Media Type: ${type || undefined}`, 'FST_ERR_CTP_INVALID_MEDIA_TYPE');
  }
  if (body instanceof ApiError) throw body;
  if (body === undefined) {
    const message = "Body cannot be empty when content-type is set to 'application/json'";
    throw badRequest(message, 'FST_ERR_CTP_EMPTY_JSON_BODY');
  }
  let value: unknown;
  try {
    value = parse(typeof body === 'string' ? body : (decodeText(body) ?? ''));
  } catch (error) {
    throw badRequest(reasonFor(error));
  }
  if (isDeeperThan(MAX_JSON_DEPTH, value)) throw badRequest(`Body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  return value;
}

/** Parses JSON whose keys cannot reach a prototype. Source: secure-json-parse, by which Fastify 4 reads bodies. */
function parseSafely(text: string): unknown {
  const values: unknown[] = [JSON.parse(text)];
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    // The constructor is any JSON value. As in the source, a constructor of null is a TypeError.
    const isForbidden =
      Object.hasOwn(value, '__proto__') ||
      (Object.hasOwn(value, 'constructor') && Object.hasOwn(value.constructor, 'prototype'));
    if (isForbidden) throw new SyntaxError('Object contains forbidden prototype property');
    for (const child of Object.values(value)) values.push(child);
  }
  return values[0];
}
