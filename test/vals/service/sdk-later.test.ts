import { expect, test } from 'vitest';
import * as z from 'zod';
import { id, SITE, serve } from '../projects/project-fixtures.js';

/*
 * The requests of SDK 3, whose versions after 2.1 are in no registry. Its sources, as of version 3.12, are read, not run. What version
 * 2.1 calls is run: test/package/sdk.test.ts.
 */

const Page = z.object({ data: z.array(z.object({ name: z.string() })), links: z.object({ next: z.url().optional() }) });

/** Statuses after which it sends a request again. Read, not run. */
const isRetried = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500;
const MOST_RETRIES = 2;

/** Sends a request as the SDK does, and collects the responses up to the last retry. Read, not run. */
async function send(url: URL, init: RequestInit = {}): Promise<{ last: Response; waits: (string | null)[] }> {
  const waits: (string | null)[] = [];
  for (let retry = 0; ; retry++) {
    const headers = {
      ...{ authorization: 'Bearer ada-token', accept: 'application/json', 'user-agent': 'ValTown/JS 3.12.0' },
      ...{ 'x-stainless-lang': 'js', 'x-stainless-retry-count': String(retry), 'x-stainless-timeout': '60' },
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await fetch(url, { ...init, headers });
    const wish = response.headers.get('x-should-retry');
    const again = wish === null ? isRetried(response.status) : wish === 'true';
    if (!again || retry === MOST_RETRIES) return { last: response, waits };
    waits.push(response.headers.get('retry-after-ms') ?? response.headers.get('retry-after'));
  }
}

/** Reads a list to its last page: the query of the request goes into `links.next`, whose values win. Read, not run. */
async function readPages(base: string, path: string, query: Readonly<Record<string, string>>): Promise<string[][]> {
  const pages: string[][] = [];
  let url = new URL(`${path}?${new URLSearchParams(query)}`, base);
  for (;;) {
    const { data, links } = Page.parse(await (await send(url)).last.json());
    pages.push(data.map(({ name }) => name));
    if (links.next === undefined) return pages;
    const next = new URL(links.next);
    for (const [key, value] of url.searchParams) if (!next.searchParams.has(key)) next.searchParams.set(key, value);
    url = next;
  }
}

test('a list is read to its last page by links.next', async () => {
  const { emulator, post } = await serve();
  for (const name of ['a', 'b', 'c']) await post(`/v2/vals/${SITE}/branches`, { name });

  const pages = await readPages(emulator.url, `/v2/vals/${SITE}/branches`, { limit: '2', offset: '0' });

  expect(pages).toEqual([
    ['main', 'a'],
    ['b', 'c'],
  ]);
});

test('a list of files keeps its path and its version on each page', async () => {
  const { emulator, post } = await serve();
  await post(`/v2/vals/${SITE}/files?path=late.ts`, { type: 'script', content: '1' });

  const query = { path: '', recursive: 'true', version: '1', limit: '1', offset: '0' };
  const pages = await readPages(emulator.url, `/v2/vals/${SITE}/files`, query);

  expect(pages).toEqual([['main.http.ts'], ['src'], ['a.ts']]);
});

test('the whole links.next as the cursor of all projects leads to the next page', async () => {
  const { emulator } = await serve();
  // Read, not run: its class Cursor takes the link for a cursor.
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const url = new URL('/v2/vals?limit=2', emulator.url);
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    const { data, links } = Page.parse(await (await send(url)).last.json());
    names.push(...data.map(({ name }) => name));
    cursor = links.next;
  } while (cursor !== undefined);

  expect(names).toEqual(['site', 'shared', 'quiet', 'hidden', 'site']);
});

test('the members of an organization are a list without pages', async () => {
  const { emulator } = await serve();

  const { last } = await send(new URL(`/v2/orgs/${id(10)}/memberships`, emulator.url));

  expect(await last.json()).toEqual([
    { id: id(12), role: 'member', user: { id: id(2), username: 'bob' } },
    { id: id(11), role: 'owner', user: { id: id(1), username: 'ada' } },
  ]);
});

test('a request is sent again after a 503, and not after a 404', async () => {
  const { emulator } = await serve();
  emulator.fail('GET /v2/vals/{val_id}', { status: 503, times: 2, headers: { 'Retry-After': '0' } });

  const found = await send(new URL(`/v2/vals/${SITE}`, emulator.url));
  const missing = await send(new URL(`/v2/vals/${id(999)}`, emulator.url));

  expect([found.last.status, found.waits]).toEqual([200, ['0', '0']]);
  expect([missing.last.status, missing.waits]).toEqual([404, []]);
});

test('x-should-retry of a fault decides', async () => {
  const { emulator } = await serve();
  emulator.fail('GET /v2/orgs', { status: 500, times: 1, headers: { 'x-should-retry': 'false' } });
  const failed = await send(new URL('/v2/orgs', emulator.url));
  emulator.fail('GET /v2/orgs', {
    status: 400,
    times: 1,
    headers: { 'x-should-retry': 'true', 'retry-after-ms': '5' },
  });
  const passed = await send(new URL('/v2/orgs', emulator.url));

  expect([failed.last.status, failed.waits]).toEqual([500, []]);
  expect([passed.last.status, passed.waits]).toEqual([200, ['5']]);
});

test('a 429 says when to send the request again', async () => {
  const { emulator } = await serve();
  emulator.rateLimit.set({ limit: 1, window: '1m' });

  const [first, second] = [
    await send(new URL('/v2/orgs', emulator.url)),
    await send(new URL('/v2/orgs', emulator.url)),
  ];

  expect([first.last.status, first.waits]).toEqual([200, []]);
  expect([second.last.status, second.waits]).toEqual([429, ['60', '60']]);
});

test('a conflict is sent once, since its response says that another request would be one too', async () => {
  const { emulator, branch } = await serve();
  const url = new URL(`/v2/vals/${SITE}/files?path=main.http.ts`, emulator.url);

  const { last, waits } = await send(url, { method: 'POST', body: '{"type":"http","content":"new"}' });

  expect([last.status, waits]).toEqual([409, []]);
  expect(await last.json()).toMatchObject({ message: 'File or directory already exists at this path' });
  expect(emulator.requests({ route: 'POST /v2/vals/{val_id}/files' })).toHaveLength(1);
  expect((await branch()).version).toBe(1);
});
