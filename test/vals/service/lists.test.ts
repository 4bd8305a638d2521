import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { parametersOf, readPage, readPages } from '../../support/pages.js';

const HUB = '40b00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000002';
const SIZE = 25;
const upwards = Array.from({ length: SIZE }, (_, i) => i);
const downwards = upwards.toReversed();
const minute = (i: number) => `2024-06-01T00:${String(i).padStart(2, '0')}:00.000Z`;

/** Each list of Ada has 25 items, one a minute. Between them are items of Bob that she must not see. */
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

/** The lists with what identifies their items, newest first. */
const LISTS = [
  { path: '/v1/me/runs', items: downwards.map((i) => ({ runStartAt: minute(i) })) },
  { path: '/v1/me/likes', items: downwards.map((i) => ({ name: `fan${i}` })) },
  { path: '/v1/me/comments', items: downwards.map((i) => ({ comment: `comment ${i}` })) },
  { path: '/v1/me/references', items: downwards.map((i) => ({ reference: { name: `fan${i}` } })) },
  { path: `/v1/vals/${HUB}/versions`, items: downwards.map((version) => ({ version })) },
  { path: `/v1/vals/${HUB}/runs`, items: downwards.map((i) => ({ runStartAt: minute(i) })) },
  { path: `/v1/users/${BOB}/vals`, items: downwards.map((i) => ({ name: `fan${i}` })) },
  { path: '/v1/search/vals?query=fan&', items: downwards.map((i) => ({ name: `fan${i}` })) },
].map(({ path, items }) => ({ path: path.includes('?') ? path : `${path}?`, items }));

describe.each(LISTS)('GET $path', ({ path, items }) => {
  test.each([
    [1, 25],
    [7, 4],
    [24, 2],
    [25, 1],
    [100, 1],
  ])('limit=%i: the links lead through all items on %i pages, and back', async (limit, count) => {
    const emulator = await emulate(fixtures);

    const pages = await readPages(emulator, 'ada', `${path}limit=${limit}`);
    const back = await readPages(emulator, 'ada', pages.at(-1)?.links.self ?? '', 'prev');

    expect(pages).toHaveLength(count);
    expect(pages.flatMap(({ data }) => data)).toMatchObject(items);
    for (const { data } of pages.slice(0, -1)) expect(data).toHaveLength(limit);
    expect(pages.map(({ links }) => Object.keys(links).sort().join(' '))).toStrictEqual(
      count === 1 ? ['self'] : ['next self', ...Array(count - 2).fill('next prev self'), 'prev self'],
    );
    expect(back.toReversed()).toStrictEqual(pages);
  });

  test('links keep unknown and repeated parameters', async () => {
    const emulator = await emulate(fixtures);

    const { links } = await readPage(emulator, 'ada', `${path}limit=2&offset=2&trace=a%26b&trace=%C3%A9&empty=`);

    const kept = { trace: ['a&b', 'é'], empty: [''] };
    expect(parametersOf(links.self)).toMatchObject({ ...kept, limit: ['2'], offset: ['2'] });
    expect(parametersOf(links.next)).toMatchObject({ ...kept, limit: ['2'], offset: ['4'] });
    expect(parametersOf(links.prev)).toMatchObject({ ...kept, limit: ['2'], offset: ['0'] });
  });
});

describe('since and until', () => {
  /** Items in three milliseconds that follow each other, and on the next minute. */
  const TIMES = {
    a: '2024-06-11T22:05:12.584Z',
    b: '2024-06-11T22:05:12.585Z',
    c: '2024-06-11T22:05:12.586Z',
    d: '2024-06-11T22:06:00.000Z',
  };
  const times = Object.entries(TIMES);
  const code = "import 'https://esm.town/v/ada/hub';";
  const windowed: Fixtures = {
    users: [{ username: 'ada' }, { username: 'bob' }],
    vals: [
      { author: 'ada', name: 'hub', id: HUB, code: '1' },
      ...times.map(([name, createdAt]) => ({ author: 'bob', name, code, createdAt })),
    ],
    runs: times.map(([error, runStartAt]) => ({ val: 'ada/hub', runStartAt, error })),
    comments: times.map(([comment, createdAt]) => ({ author: 'bob', val: 'ada/hub', comment, createdAt })),
  };

  test.each<{ path: string; show: (name: string) => object }>([
    { path: '/v1/me/runs', show: (error) => ({ error }) },
    { path: `/v1/vals/${HUB}/runs`, show: (error) => ({ error }) },
    { path: '/v1/me/comments', show: (comment) => ({ comment }) },
    { path: '/v1/me/references', show: (name) => ({ reference: { name } }) },
  ])('select items of $path', async ({ path, show }) => {
    const emulator = await emulate(windowed);
    const expected = {
      'since=2024-06-11T22:05:12.585Z': 'dc',
      'since=2024-06-11T22:05:12.584Z': 'dcb',
      'until=2024-06-11T22:05:12.585Z': 'ba',
      'until=2024-06-11T22:05:12.584Z': 'a',
      'since=2024-06-11T22:05:12.584Z&until=2024-06-11T22:05:12.586Z': 'cb',
      'since=2024-06-11T22%3A05%3A12.584Z&until=2024-06-11T22%3A05%3A12.585Z': 'b',
      'since=2024-06-11T22:05:13Z': 'd',
      'until=2024-06-11T22:06:00Z': 'dcba',
      'since=2024-06-11T22:05:12.585999Z': 'dc',
      'since=2024-06-11T22:05:12.5Z': 'dcba',
      'since=2024-06-12T00:05:12.585%2B02:00': 'dc',
      'until=2024-06-11T17:35:12.585-04:30': 'ba',
      'since=2024-06-11t22:05:12.585z': 'dc',
      'until=1999-12-31T23:59:59Z': '',
      'since=2030-01-01T00:00:00Z': '',
      'since=2024-06-11T22:05:12.585Z&until=2024-06-11T22:05:12.585Z': '',
      'since=2024-06-11T22:05:12.584Z&limit=1&offset=1': 'c',
    };
    for (const [query, names] of Object.entries(expected)) {
      const { data } = await readPage(emulator, 'ada', `${path}?${query}`);
      expect(data, query).toMatchObject([...names].map(show));
      expect(data, query).toHaveLength(names.length);
    }
  });
});
