import type { Sandbox } from '../control/sandbox.js';
import { show } from '../fixtures/problems.js';

/**
 * The base URL of the API, without a slash at the end.
 * @throws TypeError for what is no address of a server
 */
export function baseUrlOf(apiUrl: string): string {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`apiUrl: found ${show(apiUrl)}; expected a base URL such as "https://api.example.com".`);
  }
  return url.origin + url.pathname.replace(/\/$/, '');
}

/**
 * Answers a request that was meant for the API at `baseUrl` from a sandbox. Links in the answer lead to `baseUrl`, as the
 * program under test knows it.
 */
export function forward(sandbox: Sandbox, baseUrl: string, url: string, init: RequestInit): Promise<Response> {
  const { origin } = new URL(baseUrl);
  const headers = new Headers(init.headers);
  if (baseUrl !== origin) headers.set('x-forwarded-prefix', baseUrl.slice(origin.length));
  headers.delete('host');
  return sandbox.fetch(origin + url.slice(baseUrl.length), { ...init, headers });
}
