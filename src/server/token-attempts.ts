import type { RawHeaders } from '../journal/exchange.js';
import { ApiError } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';
import type { HttpRequest } from './http.js';
import { isSameToken } from './sign-in.js';

/** Wrong control tokens that an address may send within the window. */
export const MAX_ATTEMPTS = 10;
/** Milliseconds from the first wrong token of an address. */
const WINDOW_MS = 60_000;
/** Addresses that are remembered; the oldest is forgotten. */
const MAX_ADDRESSES = 1_000;

const NONE = { count: 0, end: 0 };

type Attempt = Pick<HttpRequest, 'headers' | 'remoteAddress'>;

/** Limits the attempts at the control token by the address of the client. */
export class TokenAttempts {
  readonly #failures = new Map<string, { readonly count: number; readonly end: Instant }>();
  /** Headers of the requests that were counted, since a request is looked at before and after its body is read. */
  readonly #counted = new WeakSet<RawHeaders>();

  /** Returns the error for an address with too many wrong tokens. Undefined for any other. */
  refuse({ headers, remoteAddress = '' }: Attempt, now: Instant): ApiError | undefined {
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    if (count < MAX_ATTEMPTS || now >= end || this.#counted.has(headers)) return undefined;
    const seconds = Math.ceil((end - now) / 1_000);
    const message = `Too many wrong control tokens (${MAX_ATTEMPTS} a minute). Try again in ${seconds} seconds.`;
    return new ApiError(429, message, undefined, seconds);
  }

  /** Whether a token is the right one, which resets the count of the address. A wrong one is counted. */
  isRight(token: unknown, expected: string, attempt: Attempt, now: Instant): boolean {
    const { headers, remoteAddress = '' } = attempt;
    // Other requests may have come while the body of this one was read.
    if (this.refuse(attempt, now)) return false;
    const isRight = typeof token === 'string' && isSameToken(token, expected);
    if (!isRight && this.#counted.has(headers)) return false;
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    this.#failures.delete(remoteAddress);
    if (isRight) return true;
    this.#counted.add(headers);
    this.#failures.set(remoteAddress, now < end ? { count: count + 1, end } : { count: 1, end: now + WINDOW_MS });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest);
    return false;
  }
}
