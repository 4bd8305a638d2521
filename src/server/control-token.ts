import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../lib/errors.js';
import type { Instant } from '../lib/time.js';
import type { HttpRequest } from './http.js';

/** Wrong control tokens that an address may send within the window. */
export const MAX_ATTEMPTS = 10;
/** Milliseconds from the first wrong token of an address. */
const WINDOW_MS = 60_000;
/** Addresses that are remembered; the oldest is forgotten. */
const MAX_ADDRESSES = 1_000;
const NONE = { count: 0, end: 0 };

const COOKIE = 'val-emulator-session';
/** Seconds after which a browser sends the token again. */
const SESSION_SECONDS = 12 * 3_600;
const SESSION = new RegExp(`^${COOKIE}=(\\d+)\\.([\\da-f]{32})\\.([\\da-f]{64})$`);

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
  refuse({ remoteAddress = '' }: HttpRequest): ApiError | undefined {
    const now = this.#systemTime();
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    if (count < MAX_ATTEMPTS || now >= end) return undefined;
    const seconds = Math.ceil((end - now) / 1_000);
    const message = `Too many wrong control tokens (${MAX_ATTEMPTS} a minute). Try again in ${seconds} seconds.`;
    return new ApiError(429, message, undefined, seconds);
  }

  /** Whether a text is the token, which resets the count of the address. Another text is counted. */
  accepts(text: unknown, request: HttpRequest): boolean {
    // Other requests may have come while the form was read.
    if (this.refuse(request)) return false;
    const { remoteAddress = '' } = request;
    const isRight = typeof text === 'string' && isSame(text, this.#token);
    const { count, end } = this.#failures.get(remoteAddress) ?? NONE;
    this.#failures.delete(remoteAddress);
    if (isRight) return true;
    const now = this.#systemTime();
    this.#failures.set(remoteAddress, now < end ? { count: count + 1, end } : { count: 1, end: now + WINDOW_MS });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest);
    return false;
  }

  #sign(end: string, nonce: string): string {
    return createHmac('sha256', this.#token).update(`${end}.${nonce}`).digest('hex');
  }

  /** Makes the cookie of a browser that has sent the token: its end and a nonce, signed by the token. */
  makeCookie(): string {
    const end = String(this.#systemTime() + SESSION_SECONDS * 1_000);
    const nonce = randomBytes(16).toString('hex');
    const value = `${end}.${nonce}.${this.#sign(end, nonce)}`;
    return `${COOKIE}=${value}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict`;
  }

  /**
   * Whether a request comes from a page of this emulator, in a browser that has sent the token. A browser sends a cookie by
   * itself, also for pages of other ports of this host, so the origin of the page must be that of the request.
   */
  hasSession(request: HttpRequest): boolean {
    const cookies = request.header('cookie')?.split(/; */) ?? [];
    const isCurrent = cookies.some((cookie) => {
      const [, end = '', nonce = '', signature = ''] = SESSION.exec(cookie) ?? [];
      return Number(end) > this.#systemTime() && isSame(signature, this.#sign(end, nonce));
    });
    if (!isCurrent) return false;
    const [host, origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) => request.header(name));
    const isSameOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
    return isSameOrigin && (site === undefined || site === 'same-origin' || site === 'none');
  }
}
