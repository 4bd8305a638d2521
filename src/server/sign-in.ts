import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../lib/time.js';
import type { HttpRequest } from './http.js';

// A browser on another machine cannot send a header with a page. It gets a form for the control token, and then a cookie.

const COOKIE = 'val-emulator-session';

/** The form that a browser gets in place of a page. */
export const SIGN_IN_FORM = `<p>This emulator runs on another machine. Its dashboard needs the control token.</p>
<form method="post" action="sign-in">
<p><label>Control token <input type="password" name="token" required autofocus></label>
<button>Open the dashboard</button></p>
</form>
`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, so that the time does not reveal a part of the token. */
export const isSameToken = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Seconds after which a browser sends the token again. */
const SESSION_SECONDS = 12 * 3_600;
const SESSION = new RegExp(`^${COOKIE}=(\\d+)\\.([\\da-f]{32})\\.([\\da-f]{64})$`);

const sign = (end: string, nonce: string, token: string): string =>
  createHmac('sha256', token).update(`${end}.${nonce}`).digest('hex');

/** Makes the cookie of a browser that has sent the token: its end and a nonce, signed by the token. */
export function makeSessionCookie(token: string, now: Instant): string {
  const end = String(now + SESSION_SECONDS * 1_000);
  const nonce = randomBytes(16).toString('hex');
  const value = `${end}.${nonce}.${sign(end, nonce, token)}`;
  return `${COOKIE}=${value}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict`;
}

/**
 * Whether a request comes from a page of this emulator, in a browser that has sent the token. A browser sends a cookie by
 * itself, also for pages of other ports of this host, so the origin of the page must be that of the request.
 */
export function hasSession(request: HttpRequest, token: string, now: Instant): boolean {
  const cookies = request.header('cookie')?.split(/; */) ?? [];
  const isCurrent = cookies.some((cookie) => {
    const [, end = '', nonce = '', signature = ''] = SESSION.exec(cookie) ?? [];
    return Number(end) > now && isSameToken(signature, sign(end, nonce, token));
  });
  if (!isCurrent) return false;
  const [host, origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) => request.header(name));
  const isSameOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  return isSameOrigin && (site === undefined || site === 'same-origin' || site === 'none');
}
