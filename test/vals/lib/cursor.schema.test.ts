import { expect, test } from 'vitest';
import { pageByTime } from '#vals/lib/cursor.schema.js';

interface Item {
  readonly name: string;
  readonly time: number;
}
const HOUR = 3_600_000;
const item = (name: string, hour: number): Item => ({ name, time: Date.parse('2024-06-11T00:00:00Z') + hour * HOUR });
/** Newest first. Three have one time. */
const ITEMS = [item('a', 5), item('b', 4), item('c', 4), item('d', 4), item('e', 1)];

const ask = (query: string) => {
  const parameters = new URLSearchParams(query);
  const { text } = pageByTime(
    (until = Number.POSITIVE_INFINITY) => ITEMS.filter(({ time }) => time <= until),
    ({ time }) => time,
    {
      limit: Number(parameters.get('limit') ?? 20),
      cursor: parameters.get('cursor') ?? undefined,
      offset: Number(parameters.get('offset') ?? 0),
    },
    { base: 'http://x', path: '/items/', query: parameters },
    ({ name }) => name,
  );
  return JSON.parse(text);
};

test('all items are on the pages once, also those of one time', () => {
  const pages: unknown[] = [];
  const links: unknown[] = [];
  for (let next = '?limit=2&kind=a'; next !== undefined; ) {
    const page = ask(next.replace(/^.*\?/, ''));
    pages.push(page.data);
    links.push(page.links);
    next = page.links.next;
  }
  expect(pages).toStrictEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(links).toStrictEqual([
    {
      self: 'http://x/items?limit=2&kind=a',
      next: 'http://x/items?limit=2&kind=a&cursor=2024-06-11T04%3A00%3A00.000Z&offset=1',
    },
    {
      self: 'http://x/items?limit=2&kind=a&cursor=2024-06-11T04%3A00%3A00.000Z&offset=1',
      next: 'http://x/items?limit=2&kind=a&cursor=2024-06-11T01%3A00%3A00.000Z',
    },
    { self: 'http://x/items?limit=2&kind=a&cursor=2024-06-11T01%3A00%3A00.000Z' },
  ]);
});

test('pages of one item end, within one time too', () => {
  const seen: unknown[] = [];
  for (let next = '?limit=1'; next !== undefined; ) {
    const page = ask(next.replace(/^.*\?/, ''));
    seen.push(...page.data);
    next = page.links.next;
  }
  expect(seen).toStrictEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a whole link is a cursor', () => {
  const { next } = ask('limit=2').links;

  expect(ask(`limit=2&cursor=${encodeURIComponent(next)}`).data).toStrictEqual(['c', 'd']);
});

test.each([
  'now',
  '',
  '2024-06-11',
  'http://x/items',
  'http://x/?cursor=now',
  'http://x/?cursor=2024-06-11T04:00:00Z&offset=-1',
])('the cursor "%s" is a 400', (cursor) => {
  expect(() => ask(`cursor=${encodeURIComponent(cursor)}`)).toThrow(
    'querystring/cursor must match format "date-time", or be a whole links.next',
  );
});
