import type { Json } from './records.js';

export const START = Date.parse('2024-06-11T22:05:12.585Z');
export const NAMES = ['alpha', 'Beta', 'gamma_1', 'delta'] as const;
/** The last one has no username. */
export const USERNAMES = ['ada', 'Grace', 'linus'] as const;
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const before = (minutes: number) => new Date(START - minutes * 60_000).toISOString();
export const importing = (user: string, name: string) =>
  `import { x } from "https://esm.town/v/${user}/${name}";\nx();`;

const vals: readonly (readonly [author: string, name: string, privacy: string, type: string, code: string])[] = [
  ['ada', 'alpha', 'public', 'script', importing('grace', 'beta')],
  ['ada', 'Beta', 'private', 'http', 'export const dice = 6;'],
  ['ada', 'gamma_1', 'unlisted', 'email', importing('ada', 'alpha')],
  ['Grace', 'Beta', 'public', 'httpnext', importing('ADA', 'Alpha')],
  ['Grace', 'alpha', 'private', 'interval', importing('ada', 'beta')],
  ['linus', 'delta', 'public', 'express', importing('linus', 'delta')],
  [id(4), 'alpha', 'public', 'rpc', importing('grace', 'Beta')],
];

/** A few records of every kind, each with an id, and with times of which some are the same. */
export const SEED: Readonly<Record<string, readonly Json[]>> = {
  users: [
    { username: 'ada', id: id(1), bio: 'Counts.', token: 'ada-token', tier: 'pro' },
    { username: 'Grace', id: id(2), token: 'a token with spaces', profileImageUrl: 'https://example.com/grace.png' },
    { username: 'linus', id: id(3), email: 'linus@example.org', token: 'linus-token', tier: null },
    { username: null, id: id(4), token: 'nameless-token' },
  ],
  tokens: [
    { id: id(40), user: id(1), token: 'ada reads', scopes: ['val:read', 'user_r'] },
    { id: id(41), user: id(2), token: 'grace-writes', scopes: ['val_rw', 'sqlite_rw', 'blob:read'] },
    { id: id(42), user: id(4), token: 'nothing', scopes: ['openid'] },
  ],
  vals: vals.map(([author, name, privacy, type, code], i) => ({
    ...{ author, name, privacy, type, code, id: id(10 + i), createdAt: before(60 - (i >> 1)) },
    ...(i % 2 === 0 && { readme: '# Dice' }),
    ...(i % 3 === 0 && { version: i, nextVersion: i + 2 }),
  })),
  runs: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
    ...{
      id: id(20 + i),
      val: id(10 + (i % 4)),
      runStartAt: before(30 - (i >> 1)),
      error: i % 3 ? null : { message: 'boom' },
    },
    ...{
      source: ['ui', 'api', 'interval', 'email'][i % 4],
      logs: [i],
      returnValue: i,
      ...(i === 5 && { runEndAt: null }),
    },
  })),
  likes: [0, 1, 2, 3, 4, 5].map((i) => ({ user: id(1 + (i % 4)), val: id(10 + i), createdAt: before(20 - (i >> 1)) })),
  comments: [0, 1, 2, 3, 4, 5].map((i) => ({
    ...{ id: id(30 + i), author: id(1 + (i % 3)), val: id(10 + (i % 5)), comment: `Comment ${i}` },
    createdAt: before(15 - (i >> 1)),
  })),
};
