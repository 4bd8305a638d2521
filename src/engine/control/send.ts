import { ApiError, type Problem } from '../lib/errors.js';
import { HTML, NDJSON } from '../lib/json.js';
import { describeNetworkError } from '../lib/network-errors.js';
import { isAsymmetricMatcher, isObject } from '../lib/objects.js';
import { isDotSegment } from '../lib/target.js';

export interface TransportRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal | null;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The global `fetch` of load time, since tests and mocks replace it. A later one where a runtime had none. */
const found = globalThis.fetch;
export const loadedFetch: typeof fetch = (input, init) => (found ?? globalThis.fetch)(input, init);

/** Sends a request, and rejects without a response. The global `fetch` is one. */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

export interface RequestSettings {
  /** The query of a request with a body. */
  readonly query?: object;
  readonly signal?: AbortSignal | undefined;
}

export interface ControlSettings {
  /** The `controlToken` of the emulator. */
  readonly token?: string | undefined;
  /** Name of the sandbox to act on. Default: the default sandbox */
  readonly sandbox?: string | undefined;
  /** Milliseconds to wait for each response. Default: without limit */
  readonly timeout?: number | undefined;
  /** Sends the requests. Default: the global `fetch` of load time */
  readonly fetch?: Transport | undefined;
}

/** The control API of a running emulator refused a request. Nothing has changed then. */
export class ControlError extends ApiError {
  override name = 'ControlError';
  /** All errors of the input, with their paths; empty if the input is not the reason. */
  readonly problems: readonly Problem[];

  constructor(status: number, message: string, problems: readonly Problem[] = []) {
    super(status, message);
    this.problems = problems;
  }
}

/** An emulator without a control API, or whose service does not have the operation. */
export class MissingOperationError extends ControlError {
  /** Method and path: `GET /_emulator/emails`. */
  readonly operation: string;

  constructor(operation: string, message: string) {
    super(404, message);
    this.operation = operation;
  }
}

/** No emulator responded. */
export class NoEmulatorError extends Error {
  override name = 'NoEmulatorError';
}

/**
 * Sends the request of an operation, without types. Rejects as {@link sendControl} does.
 * @param operation method and path, with parameters in braces
 * @param input the parameters of the path, and the body; without a body, the query
 */
export async function sendOperation(
  url: string,
  operation: string,
  input: object | undefined,
  { sandbox, query, ...settings }: ControlSettings & RequestSettings,
): Promise<unknown> {
  const { base, method, target, body } = addressOperation(url, operation, input, { sandbox, query });
  return await sendControl(base, method, target, { ...settings, body });
}

export function addressOperation(
  origin: string,
  operation: string,
  input: object | undefined,
  { sandbox = '', query }: Pick<ControlSettings, 'sandbox'> & { readonly query?: object | undefined },
) {
  const base = sandbox === '' ? origin : `${origin}/_sandbox/${encodeName(sandbox)}`;
  const [method = '', template = ''] = operation.split(' ');
  const { path, rest } = fillPath(template, input);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const target = path + toQuery(hasBody ? query : rest);
  return { base, method, target, body: hasBody ? rest : undefined };
}

/** Fills in the parameters of a path, and returns the other values; undefined for none. @throws TypeError for a missing parameter */
function fillPath(template: string, input?: object): { readonly path: string; readonly rest: object | undefined } {
  if (!template.includes('{')) return { path: template, rest: input };
  const rest: Record<string, unknown> = { ...input };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (value === undefined || value === null) throw new TypeError(`${name}: missing; expected a text.`);
    delete rest[name];
    return encodeName(String(value));
  });
  return { path, rest };
}

/** Encodes a part of a path. @throws TypeError for the two names that a URL resolves away */
export function encodeName(name: string): string {
  if (isDotSegment(name)) throw new TypeError(`Invalid name ${JSON.stringify(name)}: a URL cannot contain it.`);
  return encodeURIComponent(name);
}

function toQuery(values: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, typeof value === 'string' ? value : toJson(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Writes JSON. @throws TypeError for a matcher of a test runner, which is a function of this process */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (key, field: unknown) => {
    if (!isAsymmetricMatcher(field) && !(field instanceof RegExp)) return field;
    const where = key === '' ? '' : `${key}: `;
    const what = field instanceof RegExp ? 'a regular expression' : 'an asymmetric matcher';
    throw new TypeError(`${where}found ${what}; expected JSON, since the emulator runs elsewhere.`);
  });

interface SendOptions extends Pick<ControlSettings, 'token' | 'timeout' | 'fetch'> {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request to the control API, and resolves to the body of the response: JSON, text, or undefined for none.
 * @param base URL of an emulator or a sandbox
 * @param target path and query
 * @throws ControlError with the status and the message of the emulator
 * @throws TypeError for a body that is not JSON
 * @throws NoEmulatorError if no val-emulator responds
 */
export async function sendControl(base: string, method: string, target: string, options: SendOptions) {
  const { status, type, text } = await request(base, method, target, options);
  if (status < 300 && (text === '' || [NDJSON, HTML, 'text/plain; version'].some((text) => type.startsWith(text)))) {
    return text === '' ? undefined : text;
  }
  try {
    const value = JSON.parse(text);
    if (status < 300) return value;
    if (isErrorBody(value)) throw toError(base, `${method} ${target}`, status, value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new NoEmulatorError(`${base} is not a val-emulator: ${method} ${target} responded ${status}.`);
}

async function request(
  base: string,
  method: string,
  target: string,
  { token, timeout, body, signal: abortSignal, fetch = loadedFetch }: SendOptions,
) {
  const headers: Record<string, string> = {
    // Most emulators run on the machine of the client. A browser leaves this header out, and asks for compression.
    'accept-encoding': 'identity',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { 'x-emulator-control-token': token }),
  };
  const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const init = {
    method,
    headers,
    body: body === undefined ? null : toJson(body),
    signal: abortSignal ?? limit ?? null,
  };
  try {
    const response = await fetch(base + target, init);
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
    };
  } catch (error) {
    if (abortSignal?.aborted) throw error;
    const problem = limit?.aborted
      ? `No response from ${base} within ${timeout} ms. Check the URL, or set a longer time limit.`
      : `No emulator at ${base}: ${describeNetworkError(error)}. Start one (val-emulator start), or correct the URL.`;
    throw new NoEmulatorError(problem, { cause: error });
  }
}

interface ErrorBody {
  readonly message: string;
  readonly problems?: readonly Problem[];
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  isObject(value) && typeof value.message === 'string' && typeof value.statusCode === 'number';

function toError(base: string, operation: string, status: number, { message, problems }: ErrorBody): ControlError {
  const isMissing = status === 404 && /^Route \S+ not found(?:\. |$)/.test(message);
  const advice = 'Start the emulator without --no-control, or correct the URL.';
  return isMissing
    ? new MissingOperationError(operation, `No control API at ${base}. ${advice}`)
    : new ControlError(status, message, problems);
}
