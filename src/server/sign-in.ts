import { createHash, timingSafeEqual } from 'node:crypto';
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

/** Makes the cookie of a browser that has sent the token. It does not contain the token. */
export const makeSessionCookie = (token: string): string =>
  `${COOKIE}=${digest(token).toString('hex')}; Path=/; HttpOnly; SameSite=Strict`;

/**
 * Whether a request comes from a page of this emulator, in a browser that has sent the token. A browser sends a cookie by
 * itself, also for pages of other ports of this host, so the origin of the page must be that of the request.
 */
export function hasSession(request: HttpRequest, token: string): boolean {
  const cookies = request.header('cookie')?.split(/; */) ?? [];
  const expected = makeSessionCookie(token).replace(/;.*/, '');
  if (!cookies.some((cookie) => isSameToken(cookie, expected))) return false;
  const [host, origin, site] = ['host', 'origin', 'sec-fetch-site'].map((name) => request.header(name));
  const isSameOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  return isSameOrigin && (site === undefined || site === 'same-origin' || site === 'none');
}
