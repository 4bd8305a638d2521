import { HttpResponse, http, type RequestHandler } from 'msw';
import type { Sandbox } from '../control/sandbox.js';
import { baseUrlOf, forward } from './forward.js';

/**
 * Handlers that answer every request to the API from an emulator or a sandbox of one, for programs whose base URL cannot
 * be changed: `setupServer(...handlers(emulator, 'https://api.example.test'))`.
 * @param apiUrl the base URL that the program uses, with or without a path
 * @throws TypeError for what is no address of a server
 */
export function handlers(emulator: Sandbox, apiUrl: string): RequestHandler[] {
  const baseUrl = baseUrlOf(apiUrl);
  const answer = async ({ request }: { request: Request }) => {
    const { method, headers, url } = request;
    const body = method === 'GET' || method === 'HEAD' ? null : await request.text();
    try {
      return await forward(emulator, baseUrl, url, { method, headers, body });
    } catch {
      // A fault broke the connection off.
      return HttpResponse.error();
    }
  };
  return [http.all(`${baseUrl}/*`, answer)];
}
