import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonIfValid } from '#engine/lib/json.js';
import { formatValue } from '#engine/lib/messages.js';
import { describeNetworkError, findNetworkCode } from '#engine/lib/network-errors.js';
import { readMessage } from './message.js';

/** Attempts of a GET while the service is busy or the connection breaks. */
const MAX_ATTEMPTS = 8;
/** Milliseconds before the second attempt, doubled for each further one. */
const FIRST_PAUSE_MS = 250;
/** Longest pause that a service may ask for. */
const MAX_PAUSE_MS = 5 * 60_000;
/** Redirects within the service that a GET follows. */
const MAX_REDIRECTS = 5;
/** The status of a request that the service has not done. */
const BUSY = new Set([429]);
/** Statuses of a service that is busy or down for a moment. */
const AWAY = new Set([429, 502, 503, 504]);

/** A service that cannot be used. The message is one sentence with the problem and the fix. */
export class ServiceError extends Error {
  override name = 'ServiceError';
}

export interface ServiceOptions {
  /** Sent as `Authorization: Bearer`. Undefined for requests without one. */
  readonly token?: string | undefined;
  readonly timeout: number;
  /** Ends reads and pauses. A write ends first, so that its effect is known. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the platform's */
  readonly fetch?: typeof fetch | undefined;
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** In place of the token of the service; null for none. */
  readonly token?: string | null | undefined;
  /** Of the token. Default: `Bearer` */
  readonly scheme?: string | undefined;
}

/** A complete response with its request. */
export interface Reply {
  readonly method: string;
  /** Path and query of the request. */
  readonly target: string;
  readonly sent: { readonly headers: Headers; readonly body: string | Uint8Array };
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was received. */
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The parsed text, or the message in an event stream. Undefined if it is empty or not JSON. */
  readonly json: unknown;
}

function makeReply(reply: Omit<Reply, 'text' | 'json'>): Reply {
  const text = new TextDecoder().decode(reply.bytes);
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  return { ...reply, text, json: isStream ? readMessage(text) : parseJsonIfValid(text) };
}

/** A client of a service at one URL. It sends nothing to any other: a redirect to one is an error. */
export class Service {
  /** Without a slash at the end. */
  readonly base: string;
  readonly #options: ServiceOptions;

  /** @param base as {@link parseServiceUrl} returns it */
  constructor(base: string, options: ServiceOptions) {
    this.base = base;
    this.#options = options;
  }

  /**
   * Sends a request once. Any status is a reply, also a redirect.
   * @param target path and query, or a link to the service
   * @throws ServiceError when there is no response, and for a link to another service
   */
  async send(
    method: string,
    target: string,
    { headers, body, token, scheme = 'Bearer' }: SendOptions = {},
  ): Promise<Reply> {
    const { timeout, signal, token: own, fetch: send = fetch } = this.#options;
    const path = this.#toTarget(target);
    const sent = new Headers(headers);
    const secret = token === undefined ? own : (token ?? undefined);
    if (secret !== undefined) sent.set('authorization', `${scheme} ${secret}`);
    const limit = AbortSignal.timeout(timeout);
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    signal?.throwIfAborted();
    try {
      const response = await send(this.base + path, {
        ...{ method, headers: sent, body: body ?? null, redirect: 'manual' },
        signal: signal && isRead ? AbortSignal.any([signal, limit]) : limit,
      });
      const about = { method, target: path, sent: { headers: sent, body: body ?? '' } };
      const bytes = new Uint8Array(await response.arrayBuffer());
      return makeReply({ ...about, status: response.status, headers: response.headers, bytes });
    } catch (error) {
      if (isRead) signal?.throwIfAborted();
      throw this.#describe(error);
    }
  }

  /**
   * Reads a document. Sends the request again if the service is busy or the connection breaks, and follows redirects within the
   * service.
   * @returns the last reply, whatever its status
   * @throws ServiceError as {@link send} does, and for redirects that do not end or lead elsewhere
   */
  async get(target: string, options: SendOptions = {}): Promise<Reply> {
    let current = target;
    for (let redirects = 0; ; redirects++) {
      const reply = await this.sendPatiently('GET', current, options);
      const location = reply.status >= 300 && reply.status < 400 ? reply.headers.get('location') : null;
      if (location === null) return reply;
      const to = new URL(location, this.base + reply.target).href;
      if (!this.#isOwn(to)) throw new ServiceError(`${this.base} redirects to ${to}. Give that URL in its place.`);
      if (redirects === MAX_REDIRECTS) throw new ServiceError(`${this.base + reply.target} redirects without end.`);
      current = to;
    }
  }

  /**
   * Sends a request again while the service is too busy for it; a GET also while the service is away or the connection breaks.
   * @returns the last reply, whatever its status
   * @throws ServiceError as {@link send} does
   */
  async sendPatiently(method: string, target: string, options: SendOptions = {}): Promise<Reply> {
    const passing = method === 'GET' ? AWAY : BUSY;
    for (let attempt = 1; ; attempt++) {
      const backoff = FIRST_PAUSE_MS * 2 ** (attempt - 1);
      try {
        const reply = await this.send(method, target, options);
        if (!passing.has(reply.status) || attempt === MAX_ATTEMPTS) return reply;
        await this.#pause(readRetryAfter(reply.headers) ?? backoff);
      } catch (error) {
        const mayRepeat = error instanceof BrokenConnectionError && method === 'GET' && attempt < MAX_ATTEMPTS;
        if (!mayRepeat) throw error;
        await this.#pause(backoff);
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#options;
    // The error of a timer is not the reason of the signal.
    const slept = sleep(Math.min(milliseconds, MAX_PAUSE_MS), undefined, signal && { signal });
    await slept.catch(() => signal?.throwIfAborted());
  }

  /** @throws ServiceError for a link to another service */
  #toTarget(target: string): string {
    if (target.startsWith('/')) return target;
    if (this.#isOwn(target)) return target.slice(this.base.length);
    throw new ServiceError(`${this.base} has a link to ${formatValue(target)}, which is not of this service.`);
  }

  #isOwn(link: string): boolean {
    return link === this.base || link.startsWith(`${this.base}/`) || link.startsWith(`${this.base}?`);
  }

  #describe(error: unknown): Error {
    const { timeout } = this.#options;
    if (error instanceof Error && error.name === 'TimeoutError') {
      return new UnreachableError(`${this.base} does not respond within ${timeout} ms. Set a longer --timeout.`);
    }
    const message = `${this.base} does not respond: ${describeNetworkError(error)}.`;
    return BROKEN.has(findNetworkCode(error)) ? new BrokenConnectionError(message) : new UnreachableError(message);
  }
}

export class UnreachableError extends ServiceError {}

/** A connection that broke before the end of the response. */
class BrokenConnectionError extends UnreachableError {}

const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/** Returns the milliseconds of `Retry-After`: seconds, or a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

/** Parses the base URL of a service: without a slash at its end. Undefined for another text. */
export function parseServiceUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (url.search !== '' || url.hash !== '') return undefined;
  return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v1$/, '');
}
