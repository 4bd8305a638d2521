import type { Sandbox } from '../control/sandbox.js';

/**
 * Answers a request that was meant for the API at `apiUrl` from a sandbox. Links in the answer lead to `apiUrl`, as the
 * program under test knows it.
 */
export function forward(sandbox: Sandbox, apiUrl: string, url: string, init: RequestInit): Promise<Response> {
  const { origin, pathname } = new URL(apiUrl);
  const prefix = pathname.replace(/\/$/, '');
  const headers = new Headers(init.headers);
  if (prefix !== '') headers.set('x-forwarded-prefix', prefix);
  headers.delete('host');
  return sandbox.fetch(`${origin}${url.slice(origin.length + prefix.length)}`, { ...init, headers });
}
