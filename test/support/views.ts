import * as z from 'zod';
import type { Sandbox } from '../../src/index.js';
import { sized } from './soak.js';

/** The `fetch` of one sandbox. */
export type Fetch = Sandbox['fetch'];

/** Sends a request and formats it with everything that a client sees of the response, without times that vary. */
export async function sendAndFormat(
  fetch: Fetch,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const request = `${token} ${method} ${path} ${JSON.stringify(body)}`;
  try {
    const response = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const shown = ['date', 'retry-after', 'x-ratelimit-remaining', 'x-why'].map((name) => response.headers.get(name));
    const text = (await response.text()).replace(
      /"duration":(?:[\d.e-]+|null),"outcome":(?:"\w+"|null)/g,
      '"duration":0',
    );
    return `${request} -> ${response.status} ${shown} ${text}`;
  } catch (error) {
    return `${request} -> ${error}`;
  }
}

const CONTROL = ['state', 'users', 'requests', 'history', 'faults', 'clock', 'snapshots'];
const LISTS = [
  'runs?limit=100',
  'runs?limit=100&error=true',
  'runs?limit=7&offset=3&error=false',
  'likes?limit=100',
  'comments?limit=100',
  'comments?limit=100&relationship=given',
  'comments?limit=100&relationship=received',
  'references?limit=100',
];

const Users = z.array(z.object({ token: z.string() }));
const State = z.object({
  vals: z.array(z.object({ id: z.string() })),
  versions: z.array(z.object({ version: z.number() })),
  runs: z.array(z.object({ id: z.string() })),
});

/** Reads everything that the control API shows of a sandbox. */
export async function controlView(fetch: Fetch): Promise<string[]> {
  const lines = [];
  for (const name of CONTROL) lines.push(await sendAndFormat(fetch, undefined, 'GET', `/_emulator/${name}`));
  return lines;
}

/** Reads everything that the API shows each user (`npm test`: one of them), and a caller without a token. Disarms all faults and moves the clock. */
export async function apiView(fetch: Fetch): Promise<string[]> {
  const read = async (path: string): Promise<unknown> => (await fetch(path)).json();
  const users = Users.parse(await read('/_emulator/users'));
  const { vals, versions } = State.parse(await read('/_emulator/state'));
  const highest = Math.max(0, ...versions.map(({ version }) => version)) + 1;
  await fetch('/_emulator/faults', { method: 'DELETE' });
  const lines: string[] = [];
  for (const token of [undefined, ...users.slice(0, sized(1, users.length)).map((user) => user.token)]) {
    const get = async (path: string) => {
      // Past any rate limit.
      if (lines.length % 100 === 0) await sendAndFormat(fetch, undefined, 'PUT', '/_emulator/clock', { advance: '1d' });
      lines.push(await sendAndFormat(fetch, token, 'GET', path));
    };
    await get('/v1/me');
    for (const list of LISTS) await get(`/v1/me/${list}`);
    for (const { id } of vals) {
      for (const rest of ['', '/versions?limit=100', '/runs?limit=100']) await get(`/v1/vals/${id}${rest}`);
      for (let version = 0; version <= Math.min(highest, sized(2, 5)); version++)
        await get(`/v1/vals/${id}/versions/${version}`);
    }
  }
  return lines;
}
