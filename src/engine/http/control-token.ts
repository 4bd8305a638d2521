import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest } from '../api/http-request.js';
import { ApiError } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';

/** Wrong control tokens that an address may send within the window. */
export const MAX_ATTEMPTS = 10;
/** Milliseconds from the first wrong token of an address. */
const WINDOW_MS = 60_000;
/** Addresses that are remembered; the oldest is forgotten. */
const MAX_ADDRESSES = 1_000;
const NONE = { count: 0, end: 0 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, so that the time does not reveal a part of the token. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Checks who has sent the control token, and limits the attempts at it by the address of the client. */
export class ControlToken {
  readonly #token: string;
  readonly #systemTime: () => Instant;
  readonly #failures = new Map<string, { readonly count: number; readonly end: Instant }>();

  constructor(token: string, systemTime: () => Instant) {
    this.#token = token;
    this.#systemTime = systemTime;
  }

  /** Returns the error for an address with too many wrong tokens. Undefined for any other. */
  refuse({ remoteAddress = '' }: Pick<HttpRequest, 'remoteAddress'>): ApiError | undefined {
    const now = this.#systemTime();
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    if (count < MAX_ATTEMPTS || now >= end) return undefined;
    const seconds = Math.ceil((end - now) / 1_000);
    const message = `Too many wrong control tokens (${MAX_ATTEMPTS} a minute). Try again in ${seconds} seconds.`;
    return new ApiError(429, message, undefined, seconds);
  }

  /** @throws ApiError 403 for another text than the token, 429 after too many of them */
  assert(text: string, request: Pick<HttpRequest, 'remoteAddress'>): void {
    const limit = this.refuse(request);
    if (limit) throw limit;
    if (!this.accepts(text, request)) throw new ApiError(403, 'This is not the control token of the emulator.');
  }

  /** Whether a text is the token, which resets the count of the address. Another text is counted. */
  accepts(text: string, { remoteAddress = '' }: Pick<HttpRequest, 'remoteAddress'>): boolean {
    const isRight = isSame(text, this.#token);
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    this.#failures.delete(remoteAddress);
    if (isRight) return true;
    const now = this.#systemTime();
    this.#failures.set(remoteAddress, now < end ? { count: count + 1, end } : { count: 1, end: now + WINDOW_MS });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest);
    return false;
  }
}
