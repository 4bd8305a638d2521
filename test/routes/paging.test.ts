import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid } from '../support/errors.js';
import { parametersOf, readPage, readPages } from '../support/pages.js';

const HUB = '40b00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000002';
const SIZE = 25;
const upwards = Array.from({ length: SIZE }, (_, i) => i);
const downwards = upwards.toReversed();
const minute = (i: number) => `2024-06-01T00:${String(i).padStart(2, '0')}:00.000Z`;

/** In every list of Ada's there are 25 items, one a minute; between them come Bob's, which she must not see. */
const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob', id: BOB }],
  vals: [
    { author: 'ada', name: 'hub', id: HUB, privacy: 'public', createdAt: minute(0) },
    ...upwards.map((i) => ({
      author: 'bob',
      name: `fan${i}`,
      code: "import 'https://esm.town/v/ada/hub';",
      createdAt: minute(i),
    })),
  ],
  versions: upwards.map((i) => ({ val: 'ada/hub', code: `${i}`, createdAt: minute(i) })),
  runs: upwards.flatMap((i) => [
    { val: 'ada/hub', runStartAt: minute(i) },
    { val: 'bob/fan0', runStartAt: minute(i) },
  ]),
  likes: upwards.map((i) => ({ user: 'ada', val: `bob/fan${i}`, createdAt: minute(i) })),
  comments: upwards.flatMap((i) => [
    { author: 'bob', val: 'ada/hub', comment: `comment ${i}`, createdAt: minute(i) },
    { author: 'bob', val: 'bob/fan0', comment: 'to himself', createdAt: minute(i) },
  ]),
};

/** Each list of the API and, newest first, what tells its items apart. */
const LISTS = [
  { path: '/v1/me/runs', items: downwards.map((i) => ({ runStartAt: minute(i) })) },
  { path: '/v1/me/likes', items: downwards.map((i) => ({ name: `fan${i}` })) },
  { path: '/v1/me/comments', items: downwards.map((i) => ({ comment: `comment ${i}` })) },
  { path: '/v1/me/references', items: downwards.map((i) => ({ reference: { name: `fan${i}` } })) },
  { path: `/v1/vals/${HUB}/versions`, items: downwards.map((version) => ({ version })) },
  { path: `/v1/vals/${HUB}/runs`, items: downwards.map((i) => ({ runStartAt: minute(i) })) },
  { path: `/v1/users/${BOB}/vals`, items: downwards.map((i) => ({ name: `fan${i}` })) },
];

describe.each(LISTS)('GET $path', ({ path, items }) => {
  test.each([
    [1, 25],
    [5, 5],
    [7, 4],
    [24, 2],
    [25, 1],
    [26, 1],
    [100, 1],
  ])('limit %i: following next gives every item once, in order, on %i pages', async (limit, count) => {
    const emulator = await emulate(fixtures);

    const pages = await readPages(emulator, 'ada', `${path}?limit=${limit}`);

    expect(pages).toHaveLength(count);
    expect(pages.flatMap(({ data }) => data)).toMatchObject(items);
    for (const { data } of pages.slice(0, -1)) expect(data).toHaveLength(limit);
    expect(pages.map(({ links }) => Object.keys(links).sort().join(' '))).toStrictEqual(
      count === 1 ? ['self'] : ['next self', ...Array(count - 2).fill('next prev self'), 'prev self'],
    );
  });

  test.each([1, 5, 7])('limit %i: following prev leads back by the same pages', async (limit) => {
    const emulator = await emulate(fixtures);
    const pages = await readPages(emulator, 'ada', `${path}?limit=${limit}`);

    const back = await readPages(emulator, 'ada', pages.at(-1)?.links.self ?? '', 'prev');

    expect(back.toReversed()).toStrictEqual(pages);
  });

  test('without limit and offset it gives the first 20', async () => {
    const emulator = await emulate(fixtures);

    const { data, links } = await readPage(emulator, 'ada', path);

    expect(data).toMatchObject(items.slice(0, 20));
    expect(links).toStrictEqual({
      self: `${emulator.url}${path}?limit=20&offset=0`,
      next: `${emulator.url}${path}?limit=20&offset=20`,
    });
  });

  test('an offset that is no multiple of the limit skips just as many', async () => {
    const emulator = await emulate(fixtures);

    const { data, links } = await readPage(emulator, 'ada', `${path}?limit=5&offset=3`);

    expect(data).toMatchObject(items.slice(3, 8));
    expect(links).toStrictEqual({
      self: `${emulator.url}${path}?limit=5&offset=3`,
      next: `${emulator.url}${path}?limit=5&offset=8`,
      prev: `${emulator.url}${path}?limit=5&offset=0`,
    });
  });

  test.each([25, 26, 1000, 2 ** 40])('past the end, at offset %i, there is nothing and no next', async (offset) => {
    const { data, links } = await readPage(await emulate(fixtures), 'ada', `${path}?limit=10&offset=${offset}`);

    expect(data).toStrictEqual([]);
    expect(links).not.toHaveProperty('next');
    expect(parametersOf(links.self)).toStrictEqual({ limit: ['10'], offset: [String(offset)] });
  });

  test.each([
    ['limit=0', 'querystring/limit must be >= 1'],
    ['limit=-1', 'querystring/limit must be >= 1'],
    ['limit=101', 'querystring/limit must be <= 100'],
    ['limit=abc', 'querystring/limit must be integer'],
    ['limit=1.5', 'querystring/limit must be integer'],
    ['limit=', 'querystring/limit must be integer'],
    ['limit=5&limit=6', 'querystring/limit must be integer'],
    ['offset=-1', 'querystring/offset must be >= 0'],
    ['offset=abc', 'querystring/offset must be integer'],
    ['offset=1&offset=1', 'querystring/offset must be integer'],
  ])('?%s is refused', async (query, message) => {
    const response = await as(await emulate(fixtures), 'ada').get(`${path}?${query}`);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(invalid(message));
  });

  test('links keep parameters that are unknown, repeated ones as well', async () => {
    const emulator = await emulate(fixtures);

    const { links } = await readPage(emulator, 'ada', `${path}?limit=2&offset=2&trace=a%26b&trace=%C3%A9&empty=`);

    const unknown = { trace: ['a&b', 'é'], empty: [''] };
    expect(parametersOf(links.self)).toStrictEqual({ ...unknown, limit: ['2'], offset: ['2'] });
    expect(parametersOf(links.next)).toStrictEqual({ ...unknown, limit: ['2'], offset: ['4'] });
    expect(parametersOf(links.prev)).toStrictEqual({ ...unknown, limit: ['2'], offset: ['0'] });
  });
});

const FILTERED: [path: string, filters: Record<string, string>][] = [
  ['/v1/me/runs', { error: 'false', source: 'ui,api', since: minute(2), until: minute(22) }],
  [`/v1/vals/${HUB}/runs`, { error: 'false', since: '2024-06-01T02:02:00+02:00', until: minute(22) }],
  ['/v1/me/comments', { relationship: 'received', since: minute(2), until: minute(22) }],
  ['/v1/me/references', { since: minute(2), until: minute(22) }],
];

test.each(FILTERED)('links of %s keep its filters, so that following them stays in the list', async (path, filters) => {
  const emulator = await emulate(fixtures);

  const pages = await readPages(emulator, 'ada', `${path}?${new URLSearchParams(filters)}&limit=10`);

  expect(pages.map(({ data }) => data.length)).toStrictEqual([10, 10]);
  const kept = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [value]]));
  expect(parametersOf(pages[0]?.links.next)).toStrictEqual({ ...kept, limit: ['10'], offset: ['10'] });
  expect(parametersOf(pages[1]?.links.prev)).toStrictEqual({ ...kept, limit: ['10'], offset: ['0'] });
});

test('a limit of 100 gives 100 of 101 items', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }],
    vals: [{ author: 'ada', name: 'hub', id: HUB, code: '1' }],
    runs: Array.from({ length: 101 }, () => ({ val: 'ada/hub' })),
  });

  const pages = await readPages(emulator, 'ada', '/v1/me/runs?limit=100');

  expect(pages.map(({ data }) => data.length)).toStrictEqual([100, 1]);
});
