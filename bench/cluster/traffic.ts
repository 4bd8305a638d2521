/** Requests as tests and people send them to a cluster, each with its part of the traffic. */
import { headers } from '../http/contenders.js';
import { valId } from '../http/fixture.js';

export interface Traffic {
  readonly name: string;
  readonly weight: number;
  readonly isRead: boolean;
  readonly request: (n: number) => readonly [path: string, body?: object];
}

const FANS = Array.from({ length: 50 }, (_, n) => ({ username: `fan_${n}` }));
const vals = 1_000;

export const traffic: readonly Traffic[] = [
  { name: 'a val by id', weight: 60, isRead: true, request: (n) => [`/v1/vals/${valId(n % vals)}`] },
  {
    name: 'a page of 20 runs',
    weight: 20,
    isRead: true,
    request: (n) => [`/v1/me/runs?limit=20&offset=${n % (vals - 20)}`],
  },
  {
    name: 'create a val',
    weight: 10,
    isRead: false,
    request: (n) => ['/v1/vals', { name: `made_${n}`, code: `export const made = ${n};`, privacy: 'public' }],
  },
  {
    name: 'add a like',
    weight: 4,
    isRead: false,
    request: (n) => {
      const { username } = FANS[Math.floor(n / vals) % FANS.length] ?? {};
      return ['/_emulator/likes', { user: username, val: valId(n % vals) }];
    },
  },
  {
    name: 'add a comment',
    weight: 3,
    isRead: false,
    request: (n) => ['/_emulator/comments', { author: 'fan_1', val: valId(n % vals), comment: `Nice: ${n}` }],
  },
  {
    name: 'add a run',
    weight: 3,
    isRead: false,
    request: (n) => ['/_emulator/runs', { val: valId(n % vals), runStartAt: '-10m' }],
  },
];

/** Sends one request. @throws Error unless it succeeds */
export async function sendTo(url: string, [path, body]: ReturnType<Traffic['request']>): Promise<void> {
  const init = body && {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  };
  const response = await fetch(`${url}${path}`, init ?? { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
}

/** Adds the users that like and comment. */
export const prepare = (url: string): Promise<void> => sendTo(url, ['/_emulator/users', FANS]);
