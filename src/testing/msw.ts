import { HttpResponse, http, type RequestHandler } from 'msw';
import type { SandboxApi as Sandbox } from '../emulator.js';
import { forward, parseBaseUrl } from './forward.js';

/**
 * Creates msw handlers that forward every request for the API to an emulator or a sandbox, for programs with a fixed
 * base URL: `setupServer(...handlers(emulator, 'https://api.example.test'))`.
 * @param apiUrl the base URL that the program uses, with or without a path
 * @throws TypeError for an invalid URL
 */
export function handlers(emulator: Sandbox, apiUrl: string): RequestHandler[] {
  const baseUrl = parseBaseUrl(apiUrl);
  const resolve = async ({ request }: { request: Request }) => {
    const { method, url } = request;
    // As entries: the headers of an intercepted request lose some when they are copied as a whole.
    const headers = Object.fromEntries(request.headers);
    const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
    // An injected fault that closes the connection rejects.
    return forward(emulator, baseUrl, url, { method, headers, body }).catch(() => HttpResponse.error());
  };
  // Not as a pattern of msw, which fails for malformed percent-encoding.
  const isBelow = new RegExp(`^${baseUrl.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/`);
  return [http.all(isBelow, resolve)];
}
