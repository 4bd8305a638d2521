import { HttpResponse, http, passthrough, type RequestHandler } from 'msw';
import { RemoteSandbox } from '../client/index.js';
import { forward, type Reachable, readApiUrl, SERVICE_URL } from './forward.js';

/**
 * Creates msw handlers for programs with a fixed base URL. They forward every request for the API to a sandbox, in this
 * process or of a running emulator: `setupServer(...handlers(emulator))`. Requests to the address of a running emulator
 * pass through.
 * @param apiUrl the base URL that the program uses, with or without a path. Default: `'https://api.val.town'`
 * @throws TypeError for an invalid URL
 */
export function handlers(emulator: Reachable, apiUrl: string = SERVICE_URL): RequestHandler[] {
  const baseUrl = readApiUrl(apiUrl);
  const resolve = async ({ request }: { request: Request }) => {
    const { method, url } = request;
    // As entries: the headers of an intercepted request lose some when they are copied as a whole.
    const headers = Object.fromEntries(request.headers);
    const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
    // An injected fault that closes the connection rejects.
    return forward(emulator, baseUrl, url, { method, headers, body }).catch(() => HttpResponse.error());
  };
  const forwarded = http.all(isBelow(baseUrl), resolve);
  if (!(emulator instanceof RemoteSandbox)) return [forwarded];
  return [forwarded, http.all(isBelow(new URL(emulator.url).origin), () => passthrough())];
}

/** Not as a pattern of msw, which fails for malformed percent-encoding. */
const isBelow = (url: string): RegExp => new RegExp(`^${url.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/`);
