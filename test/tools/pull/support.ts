import { onTestFinished } from 'vitest';
import { pull } from '#tools/pull/index.js';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.js';
import { PATIENCE } from '../../support/patience.js';
import { serve } from '../conformance/target.js';

/** Starts an emulator as the service. */
export const start = async (options: EmulatorOptions = {}): Promise<Emulator> => {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
};

type PullOptions = Parameters<typeof pull>[0];

/** Pulls the account of ada, with everything. */
export const pullFrom = (
  { url }: { readonly url: string },
  { scope, ...options }: Partial<Omit<PullOptions, 'scope'>> & { readonly scope?: Partial<PullOptions['scope']> } = {},
) =>
  pull({
    ...{ url, token: 'ada-token', timeout: PATIENCE, keepAddresses: true, projects: [], ignore: [], ...options },
    scope: { private: true, runDetails: true, history: true, ...scope },
  });

/** Starts an emulator with the fixtures of a pull, and lists the requests of the pull, and more, to which it responds otherwise. */
export async function findUnlike(
  emulator: Emulator,
  { fixtures }: { readonly fixtures: object },
  token = 'ada-token',
  more: readonly string[] = [],
): Promise<object[]> {
  const second = await start({ fixtures });
  const read = async (from: Emulator, path: string) => {
    const { username } = emulator.users.find((user) => user.token === token) ?? {};
    const own = from === emulator ? token : from.users.find((user) => user.username === username)?.token;
    const response = await fetch(from.url + path, { headers: { authorization: `Bearer ${own}` } });
    const body = (await response.text()).replaceAll(from.url, '');
    // Fixtures have no token.
    return { status: response.status, body: body.replaceAll(token, '(removed)') };
  };
  const paths = new Set([...emulator.requests({ limit: 100_000 }).map(({ path }) => path), ...more]);
  const unlike: object[] = [];
  for (const path of paths) {
    const [theirs, ours] = [await read(emulator, path), await read(second, path)];
    if (theirs.status !== ours.status || theirs.body !== ours.body) unlike.push({ path, theirs, ours });
  }
  return unlike;
}

/** Starts a service. @param respond returns JSON, HTML as text, or undefined for a 404 */
export const serveJson = async (respond: (path: string, base: string) => unknown): Promise<string> => {
  const { url, close } = await serve(async (request, response) => {
    const body = await respond(request.url ?? '', `http://${request.headers.host}`);
    const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  onTestFinished(close);
  return url;
};
export const ME = { id: '3fa85f64-5717-4562-b3fc-2c963f66afa6', username: 'ada', bio: null, profileImageUrl: null };
