import { formatValue } from '#engine/lib/messages.js';
import { parseBaseUrl } from '#engine/lib/target.js';

/** The base URL of the service, which programs use unless they are configured otherwise. */
export const SERVICE_URL = 'https://api.val.town';

/** Parses the base URL of an API. Returns it without a trailing slash. @throws TypeError for an invalid URL */
export function readApiUrl(apiUrl: string): string {
  const url = parseBaseUrl(apiUrl);
  if (url !== undefined) return url;
  throw new TypeError(`apiUrl: found ${formatValue(apiUrl)}; expected a base URL such as "https://api.example.com".`);
}

/** A sandbox, in this process or of a running emulator. */
export interface Reachable {
  readonly fetch: (input: string, init?: RequestInit) => Promise<Response>;
}

/** Forwards a request for the API at `baseUrl` to a sandbox. The links of the response point to `baseUrl`. */
export function forward(sandbox: Reachable, baseUrl: string, url: string, init: RequestInit): Promise<Response> {
  const { origin } = new URL(baseUrl);
  const headers = new Headers(init.headers);
  if (baseUrl !== origin) headers.set('x-forwarded-prefix', baseUrl.slice(origin.length));
  headers.delete('host');
  return sandbox.fetch(origin + url.slice(baseUrl.length), { ...init, headers });
}
