import type { Template } from './template.js';

/** Importable helpers for network requests. */
export const plumbing: readonly Template[] = [
  {
    type: 'script',
    provides: 'retry',
    names: ['retry', 'withRetry', 'tryAgain', 'retryAsync', 'persist'],
    params: { times: '3..5', wait: '100|200|250|500' },
    tweaks: ['wait'],
    stages: 3,
    popularity: 4,
    code: `
  chatty|/** Tries a task until it works, at most %times% times. */
     <3|export async function %self%<T>(task: () => Promise<T>, times = %times%): Promise<T> {
     3+|export async function %self%<T>(
     3+|  task: () => Promise<T>,
     3+|  times = %times%,
     3+|  isFinal: (error: unknown) => boolean = () => false,
     3+|): Promise<T> {
       |  for (let attempt = 1; ; attempt++) {
       |    try {
  !bug |      return await task();
   bug |      return await task().then((result: any) => result.data.value);
       |    } catch (error) {
     <3|      if (attempt >= times) throw error;
     3+|      if (attempt >= times || isFinal(error)) throw error;
     1+|      console.log(~attempt #{attempt} failed: #{error}~);
     <2|      await new Promise((resolve) => setTimeout(resolve, %wait%));
     2+|      await new Promise((resolve) => setTimeout(resolve, %wait% * 2 ** attempt));
       |    }
       |  }
       |}
    `,
    readme: `
      |# %self%
      |
      |~~~ts
      |import { %self% } from "https://esm.town/v/%user%/%self%";
      |
      |const page = await %self%(() => fetch("https://example.com"));
      |~~~
      |
      |Tries up to %times% times, waiting %wait% ms and longer in between.
     3+|
     3+|The third argument says which errors are not worth another attempt.
    `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'value')" },
    runs: [
      { when: '1+', ms: '180..900', logs: ['attempt 1 failed: TypeError: fetch failed'], returns: 'ok' },
      { ms: '1..5', returns: 'ok' },
      { ms: '1..5', returns: 42 },
    ],
    praise: ['Should be in the language.', 'Exactly the eight lines I write in every project.'],
    wishes: [
      {
        stage: 2,
        wish: 'Could it wait longer after each attempt?',
        reply: 'It doubles now, as of version %version%.',
      },
      {
        stage: 3,
        wish: 'Retrying a 404 five times is a bit much. Can I tell it to stop?',
        reply: 'There is an `isFinal` argument in version %version%.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'fetchJson',
    names: ['fetchJson', 'getJSON', 'fetchJSON', 'json', 'loadJson'],
    params: { agent: 'val-town|my-vals|%user%-vals' },
    tweaks: ['agent'],
    uses: ['retry'],
    stages: 2,
    popularity: 3,
    code: `
  retry|import { %retry% } from "%retry.url%";
       |
     1+|/** Fetches JSON and throws on anything but a 2xx. */
       |export async function %self%<T = any>(url: string | URL, init: RequestInit = {}): Promise<T> {
     2+|  const headers = { accept: "application/json", "user-agent": "%agent%", ...init.headers };
  retry <2|  const response = await %retry%(() => fetch(url, init));
  retry 2+|  const response = await %retry%(() => fetch(url, { ...init, headers }));
 !retry <2|  const response = await fetch(url, init);
 !retry 2+|  const response = await fetch(url, { ...init, headers });
     1+|  if (!response.ok) throw new Error(~#{response.status} #{response.statusText} from #{new URL(url).host}~);
  !bug |  return (await response.json()) as T;
   bug |  return JSON.parse(response.body as any) as T;
       |}
    `,
    readme: `
      |~fetch~, then ~json()~, then the check for ~response.ok~ that I always forget.
      |
      |~~~ts
      |const repo = await %self%("https://api.github.com/repos/denoland/deno");
      |console.log(repo.stargazers_count);
      |~~~
    `,
    bug: { error: 'SyntaxError: Unexpected token \'o\', "[object ReadableStream]" is not valid JSON' },
    errors: ['404 Not Found from api.github.com'],
    runs: [
      {
        params: { repo: '@repo', s: '1200..98000' },
        ms: '90..480',
        args: ['https://api.github.com/repos/%repo%'],
        returns: { full_name: '%repo%', stargazers_count: '%s%' },
      },
    ],
    praise: ['That missing `response.ok` has cost me whole evenings.'],
    wishes: [
      {
        stage: 1,
        wish: 'It happily parses error pages. Could it throw on a 500?',
        reply: 'Version %version% throws on anything that is not 2xx.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'cached',
    names: ['cached', 'remember', 'withCache', 'cache', 'memo'],
    needs: ['blob'],
    params: { prefix: 'cache|memo|tmp' },
    tweaks: ['prefix'],
    stages: 2,
    popularity: 2.5,
    code: `
       |import { %blob% } from "%blob.url%";
       |
  chatty|// Keeps what a slow function returned, for some minutes.
       |export async function %self%<T>(key: string, minutes: number, make: () => Promise<T>): Promise<T> {
       |  const name = ~%prefix%:#{key}~;
       |  const found = await %blob%.getJSON(name);
  !bug <1|  if (found && Date.now() - found.at < minutes * 60_000) return found.value;
  !bug 1+|  if (found && minutes > 0 && Date.now() - found.at < minutes * 60_000) return found.value;
   bug |  if (Date.now() - found.at < minutes * 60_000) return found.value;
     <2|  const value = await make();
     2+|  let value: T;
     2+|  try {
     2+|    value = await make();
     2+|  } catch (error) {
     2+|    if (found) return found.value;
     2+|    throw error;
     2+|  }
       |  await %blob%.setJSON(name, { at: Date.now(), value });
       |  return value;
       |}
    `,
    readme: `
      |# %self%
      |
      |Asks the slow thing once, then remembers the answer in a blob.
      |
      |~~~ts
      |const stars = await %self%("stars", 60, () => countStars("denoland/deno"));
      |~~~
      |
     2+|When the slow thing fails, you get the old answer rather than an error.
    `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'at')" },
    runs: [{ ms: '70..190', args: ['stars', 60], returns: 95213 }],
    praise: ['My page went from two seconds to 100 ms.'],
    wishes: [
      { stage: 1, wish: 'How do I force a refresh?', reply: 'Pass 0 minutes, since version %version%.' },
      {
        stage: 2,
        wish: "When the API is down I would rather have yesterday's value.",
        reply: 'Good idea. Version %version% falls back to it.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'rateLimit',
    names: ['rateLimit', 'allow', 'throttle', 'tooMany', 'limiter'],
    needs: ['blob'],
    params: { max: '10|20|30|60|100' },
    tweaks: ['max'],
    stages: 1,
    popularity: 1.2,
    code: `
       |import { %blob% } from "%blob.url%";
       |
       |const MINUTE = 60_000;
       |
       |/** Whether the caller may go on: at most %max% times a minute. */
       |export async function %self%(caller: string, max = %max%): Promise<boolean> {
       |  const key = ~limit:#{caller}~;
  !bug |  const hits: number[] = (await %blob%.getJSON(key)) ?? [];
   bug |  const hits: number[] = await %blob%.getJSON(key);
       |  const recent = hits.filter((time) => time > Date.now() - MINUTE);
     1+|  if (recent.length >= max) return false;
       |  await %blob%.setJSON(key, [...recent, Date.now()]);
     <1|  return recent.length < max;
     1+|  return true;
       |}
    `,
    readme: `
      |Not exact, not fast, good enough against the bot that found my guestbook.
    `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'filter')" },
    runs: [{ ms: '80..220', params: { n: '2..250' }, args: ['203.0.113.%n%'], returns: true }],
    praise: ['Stopped the spam within the hour. Thanks!'],
  },
];
