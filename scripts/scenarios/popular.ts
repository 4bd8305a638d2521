import { generate } from '#vals/generator/index.js';
import { callersOf } from './popular-callers.js';
import type { Scenario } from './scenario.js';

const VAL = 'ada/fetchJson';
const FANS = 248;

/** One val of Ada's that everybody likes and builds on. */
export function popular(): Scenario {
  const fans = generate({ users: FANS, vals: 0, runs: 0, seed: 11 }).users.map(({ username, bio, tier }) => ({
    username,
    ...(bio && { bio }),
    ...(tier === 'pro' && { tier }),
  }));
  const names = fans.map(({ username }) => username ?? '');
  const callers = callersOf(names);
  return {
    users: [{ username: 'ada', tier: 'pro', bio: 'I wrote a function of nine lines, and now this.' }, ...fans],
    vals: [fetchJson, ...callers],
    versions,
    runs: [...runsOf(callers.map(({ author, name }) => `${author}/${name}`))],
    // All but every twelfth; those who came late are many.
    likes: names.flatMap((user, index) =>
      index % 12 === 5 ? [] : { user, val: VAL, createdAt: `-${daysAgo(index, names.length)}d${(index * 7) % 24}h` },
    ),
    comments: comments.map(([comment, days], index) => ({
      author: index % 5 === 4 ? 'ada' : (names[index * 9] ?? ''),
      val: VAL,
      createdAt: `-${days}d${(index * 5) % 24}h`,
      comment,
    })),
  };
}

/** Fewer and fewer days apart, over a year. */
const daysAgo = (index: number, count: number) => Math.round(360 * (1 - index / count) ** 2);

const fetchJson = {
  author: 'ada',
  name: 'fetchJson',
  createdAt: '-400d',
  versionCreatedAt: '-40d',
  version: 4,
  readme: [
    '# fetchJson',
    '',
    'JSON of an address, or an error that tells what went wrong.',
    '',
    '```ts',
    'import { fetchJson } from "https://esm.town/v/ada/fetchJson";',
    '',
    'const { name } = await fetchJson("https://api.github.com/repos/denoland/deno");',
    '```',
    '',
    'It tries three times when a service answers 429 or 5xx.',
  ],
  code: [
    '/** The JSON that an address answers with. Tries again when the service is busy. */',
    'export async function fetchJson(url: string | URL, init: RequestInit = {}, tries = 3): Promise<any> {',
    '  const headers = { accept: "application/json", ...init.headers };',
    '  const response = await fetch(url, { ...init, headers });',
    '  if (response.ok) return await response.json();',
    '  const isBusy = response.status === 429 || response.status >= 500;',
    '  if (!isBusy || tries <= 1) throw new Error(`${response.status} ${response.statusText} from ${new URL(url).host}`);',
    '  await new Promise((done) => setTimeout(done, 500));',
    '  return await fetchJson(url, init, tries - 1);',
    '}',
  ],
};

const versions: Scenario['versions'] = [
  ['-400d', 'export const fetchJson = (url) => fetch(url).then((r) => r.json());'],
  ['-380d', 'export const fetchJson = async (url: string) => (await fetch(url)).json();'],
  [
    '-290d',
    [
      'export async function fetchJson(url: string): Promise<any> {',
      '  const response = await fetch(url);',
      '  if (!response.ok) throw new Error(`${response.status} from ${url}`);',
      '  return await response.json();',
      '}',
    ].join('\n'),
  ],
  [
    '-120d',
    [
      'export async function fetchJson(url: string | URL, init: RequestInit = {}): Promise<any> {',
      '  const response = await fetch(url, { ...init, headers: { accept: "application/json", ...init.headers } });',
      '  if (!response.ok) throw new Error(`${response.status} ${response.statusText} from ${new URL(url).host}`);',
      '  return await response.json();',
      '}',
    ].join('\n'),
  ],
].map(([createdAt = '', code = ''], version) => ({ val: VAL, version, createdAt, code }));

/** Ada's own tries of it, and calls from the vals of others, up to a minute ago. */
function* runsOf(callers: readonly string[]): Generator<Scenario['runs'][number]> {
  for (let index = 0; index < 150; index++) {
    const caller = callers[(index * 37) % callers.length] ?? VAL;
    const minutes = Math.round(1 + index ** 1.9 / 2);
    const start = { source: 'api', runStartAt: `-${minutes}m`, duration: `${90 + ((index * 53) % 700)}ms` } as const;
    if (index % 29 === 11)
      yield {
        val: VAL,
        ...start,
        error: { message: '503 Service Unavailable from api.example.com', val: 'ada.fetchJson' },
      };
    else yield { val: index % 3 === 0 ? VAL : caller, ...start };
  }
}

/** What people say, and how many days ago; every fifth is an answer of Ada's. */
const comments: readonly (readonly [comment: string, daysAgo: number])[] = [
  ['I had written this eleven times. Now I import it.', 395],
  ['Could it throw when the answer is a 404? I got an error page as JSON once.', 300],
  ['+1 for errors', 298],
  ['Nine lines. I counted.', 295],
  ['It throws now, from version 2 on.', 290],
  ['Thank you!', 289],
  ['Used it for the bus times of my village: every morning at 6:40 since March.', 230],
  ['Does it work with POST?', 150],
  ['I would like to pass headers, some services want a User-Agent.', 140],
  ['Both work in version 3: `fetchJson(url, { method: "POST", headers })`.', 120],
  ['Exactly what I needed.', 118],
  ['Types would be lovely: `fetchJson<Weather>(url)`', 100],
  ['The types would be a promise that nobody keeps. `any` is honest.', 99],
  ['I pinned `?v=3`, just in case. It has never been a case.', 90],
  ['I thought about it, and `any` stays: what comes over the wire is anything.', 88],
  ['My whole home page is four of these.', 80],
  ['GitHub answered 503 for an hour today and all my vals failed at once.', 46],
  ['Same here.', 46],
  ['Maybe try again on 5xx?', 45],
  ['Version 4 does: three times, half a second apart.', 40],
  ['You are quick.', 40],
  ['Ten stars out of five.', 31],
  ['How is this not in the standard library?', 22],
  ['It is the first import of every val I write.', 9],
  ['It is yours as much as mine by now.', 2],
  ['Saved me again today.', 1],
];
