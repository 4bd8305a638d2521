import * as z from 'zod';
import type { Emulator } from '../../src/index.js';

/** An emulator in this process, or the URL and users of another one. */
type Server = Pick<Emulator, 'url' | 'users'> & Partial<Pick<Emulator, 'fetch'>>;

/** Replaces host and port, which differ between servers. */
const HOST = 'emulator.test';

export interface SentResponse {
  readonly status: number;
  readonly text: string;
  /** The request and its response in one line. */
  readonly line: string;
}

/** Sends a request with a token. Links in the response have the same host on all servers. */
export async function send(
  server: Server,
  token: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<SentResponse> {
  const response = await (server.fetch ?? fetch)(server.url + path, {
    method,
    headers: {
      'x-forwarded-host': HOST,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status } = response;
  return { status, text, line: `${token} ${method} ${path} ${JSON.stringify(body)} -> ${status} ${text}` };
}

const Links = z.object({ links: z.object({ next: z.url().optional() }) });
const Versions = Links.extend({ data: z.array(z.object({ version: z.int() })) });

const LISTS = [
  '/v1/me/runs?limit=7',
  '/v1/me/runs?limit=7&error=true',
  '/v1/me/runs?limit=7&error=false',
  '/v1/me/likes?limit=7',
  '/v1/me/comments?limit=7',
  '/v1/me/comments?limit=7&relationship=given',
  '/v1/me/comments?limit=7&relationship=received',
  '/v1/me/references?limit=7',
];

/**
 * Reads everything that GET returns, one line per response: for each user and without a token, the profile, all pages of all
 * lists, and the vals of these ids. The API has no list of all vals, hence the ids.
 */
export async function dump(server: Server, valIds: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const token of [undefined, ...server.users.map((user) => user.token)]) {
    const get = async (path: string): Promise<SentResponse> => {
      const response = await send(server, token, 'GET', path);
      lines.push(response.line);
      return response;
    };
    const list = async (path: string): Promise<SentResponse[]> => {
      const pages: SentResponse[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const response: SentResponse = await get(next);
        pages.push(response);
        next = response.status === 200 ? Links.parse(JSON.parse(response.text)).links.next : undefined;
        next &&= next.slice(new URL(next).origin.length);
      }
      return pages;
    };
    await get('/v1/me');
    for (const path of LISTS) await list(path);
    for (const id of valIds) {
      await get(`/v1/vals/${id}`);
      await list(`/v1/vals/${id}/runs?limit=7`);
      for (const page of await list(`/v1/vals/${id}/versions?limit=3`)) {
        if (page.status !== 200) continue;
        for (const { version } of Versions.parse(JSON.parse(page.text)).data) {
          await get(`/v1/vals/${id}/versions/${version}`);
        }
      }
    }
  }
  return lines;
}
