import { Type } from 'typebox';
import { didYouMean, formatValue } from '../lib/messages.js';
import { compile } from '../lib/validator.js';
import { fail, reasonFor } from './errors.js';

const isSandboxes = compile('cli sandboxes', Type.Array(Type.Object({ name: Type.String() })), 'response');
const isApiError = compile('cli error', Type.Object({ message: Type.String(), statusCode: Type.Number() }), 'response');
/** Checks a response without a body. */
export const isEmpty = (value: unknown): value is undefined => value === undefined;

/** An emulator by its URL without a slash at the end, and the sandbox to act on. */
interface Target {
  readonly base: string;
  /** Default: the default sandbox. */
  readonly sandbox?: string | undefined;
  /** Whether the sandbox may be new. Default: an unknown name is an error, so that a typo does not create one. */
  readonly mayBeNew?: boolean | undefined;
  /** Milliseconds to wait for a response. */
  readonly timeout: number;
}

/** A client of the control API of one sandbox. */
export class ControlClient {
  readonly url: string;
  readonly #target: Target;

  constructor(target: Target) {
    const { base, sandbox } = target;
    this.#target = target;
    this.url = sandbox === undefined ? base : `${base}/_sandbox/${sandbox}`;
  }

  /**
   * Sends a request to a path below `/_emulator`. Resolves to the parsed response, undefined for none.
   * @throws Error with the message of the emulator, or the reason why there is none
   */
  async request<T>(
    method: string,
    path: string,
    isExpected: (value: unknown) => value is T,
    body?: unknown,
  ): Promise<T> {
    const { base, sandbox, mayBeNew, timeout } = this.#target;
    if (sandbox !== undefined && !mayBeNew) await new ControlClient({ base, timeout }).#expectSandbox(sandbox);
    const init = {
      method,
      headers: {
        ...(sandbox === undefined ? {} : { 'x-emulator-sandbox': sandbox }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    };
    const { status, value } = await fetch(`${base}/_emulator${path}`, init)
      .then(async (response) => ({ status: response.status, value: await response.json().catch(ignoreSyntaxError) }))
      .catch((error: unknown) => fail(describeFailure(error, base, timeout)));
    if (status >= 400) fail(this.#errorMessage(`${method} /_emulator${path}`, status, value));
    if (!isExpected(value)) fail(`${this.url} is not a val-emulator, or runs an incompatible version.`);
    return value;
  }

  async #expectSandbox(name: string): Promise<void> {
    const names = (await this.request('GET', '/sandboxes', isSandboxes)).map((sandbox) => sandbox.name);
    if (names.includes(name)) return;
    const similar = didYouMean(name, names);
    const hint = similar || ' The first request to a sandbox creates it, and so does val-emulator seed.';
    fail(`Unknown sandbox ${formatValue(name)} at ${this.url}.${hint}`);
  }

  #errorMessage(route: string, status: number, body: unknown): string {
    if (!isApiError(body)) return `${this.url} is not a val-emulator: ${route} responded ${status}.`;
    const isUnknownRoute = status === 404 && /^Route .* not found$/.test(body.message);
    if (!isUnknownRoute) return body.message;
    return `No control API at ${this.url}. Start the emulator without --no-control, or correct --url.`;
  }
}

/** Makes the value of text that is not JSON, and of none, undefined. */
function ignoreSyntaxError(error: unknown): void {
  if (!(error instanceof SyntaxError)) throw error;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'host lookup failed',
  ECONNRESET: 'connection reset',
  UND_ERR_SOCKET: 'connection reset',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
};

/** Describes why `fetch` failed: the cause of its error says it. */
function describeFailure(error: unknown, base: string, timeout: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `No response from ${base} within ${timeout} ms. Check --url, or set a longer --timeout.`;
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = REASONS[code] ?? (reasonFor(cause) || code);
  return `No emulator at ${base}: ${reason}. Start one (val-emulator start) or set --url.`;
}

/** @throws Error for the two names that a URL resolves away */
export function encodePathSegment(name: string): string {
  if (name === '.' || name === '..') fail(`Invalid name ${formatValue(name)}: a URL cannot contain it.`);
  return encodeURIComponent(name);
}
