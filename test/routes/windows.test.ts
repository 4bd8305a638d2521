import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid } from '../support/errors.js';

const HUB = '40b00000-0000-4000-8000-000000000001';

/** In every list one item in each of three milliseconds that follow each other, and one exactly on the next minute. */
const TIMES = {
  a: '2024-06-11T22:05:12.584Z',
  b: '2024-06-11T22:05:12.585Z',
  c: '2024-06-11T22:05:12.586Z',
  d: '2024-06-11T22:06:00.000Z',
};
const items = Object.entries(TIMES);
const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hub', id: HUB, code: '1' },
    ...items.map(([name, createdAt]) => ({
      author: 'bob',
      name,
      code: "import 'https://esm.town/v/ada/hub';",
      createdAt,
    })),
  ],
  runs: items.map(([error, runStartAt]) => ({ val: 'ada/hub', runStartAt, error })),
  comments: items.map(([comment, createdAt]) => ({ author: 'bob', val: 'ada/hub', comment, createdAt })),
};

/** Each list with a window, and an item of it as the name stands in there. */
const LISTS: { path: string; show: (name: string) => object }[] = [
  { path: '/v1/me/runs', show: (error) => ({ error }) },
  { path: `/v1/vals/${HUB}/runs`, show: (error) => ({ error }) },
  { path: '/v1/me/comments', show: (comment) => ({ comment }) },
  { path: '/v1/me/references', show: (name) => ({ reference: { name } }) },
];

describe.each(LISTS)('GET $path', ({ path, show }) => {
  test.each([
    ['all', '', 'dcba'],
    ['since is exclusive', 'since=2024-06-11T22:05:12.585Z', 'dc'],
    ['since a millisecond before', 'since=2024-06-11T22:05:12.584Z', 'dcb'],
    ['until is inclusive', 'until=2024-06-11T22:05:12.585Z', 'ba'],
    ['until a millisecond before', 'until=2024-06-11T22:05:12.584Z', 'a'],
    ['both', 'since=2024-06-11T22:05:12.584Z&until=2024-06-11T22:05:12.586Z', 'cb'],
    ['percent-encoded', 'since=2024-06-11T22%3A05%3A12.584Z&until=2024-06-11T22%3A05%3A12.585Z', 'b'],
    ['without a fraction', 'since=2024-06-11T22:05:13Z', 'd'],
    ['until without a fraction', 'until=2024-06-11T22:06:00Z', 'dcba'],
    ['with more digits than milliseconds', 'since=2024-06-11T22:05:12.585999Z', 'dc'],
    ['with one digit', 'since=2024-06-11T22:05:12.5Z', 'dcba'],
    ['east of Greenwich', 'since=2024-06-12T00:05:12.585%2B02:00', 'dc'],
    ['west of Greenwich', 'until=2024-06-11T17:35:12.585-04:30', 'ba'],
    ['in small letters', 'since=2024-06-11t22:05:12.585z', 'dc'],
    ['before everything', 'until=1999-12-31T23:59:59Z', ''],
    ['after everything', 'since=2030-01-01T00:00:00Z', ''],
    ['since equal to until', 'since=2024-06-11T22:05:12.585Z&until=2024-06-11T22:05:12.585Z', ''],
    ['since after until', 'since=2024-06-11T22:05:12.586Z&until=2024-06-11T22:05:12.584Z', ''],
    ['with a limit and an offset', 'since=2024-06-11T22:05:12.584Z&limit=1&offset=1', 'c'],
  ])('%s: ?%s', async (_, query, expected) => {
    const response = await as(await emulate(fixtures), 'ada').get(`${path}?${query}`);

    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject([...expected].map(show));
  });

  test('an empty window is one page without next and prev', async () => {
    const emulator = await emulate(fixtures);
    const query = 'since=2024-06-12T00%3A00%3A00Z&until=2024-06-11T00%3A00%3A00Z';

    const response = await as(emulator, 'ada').get(`${path}?${query}`);

    expect(response.body).toStrictEqual({
      data: [],
      links: { self: `${emulator.url}${path}?${query}&limit=20&offset=0` },
    });
  });

  test.each([
    ['since', 'yesterday'],
    ['until', 'yesterday'],
    ['since', ''],
    ['since', '2024-06-11'],
    ['since', '2024-06-11T22:05:12'],
    ['since', '2024-06-11T22:05Z'],
    ['since', '1718143512585'],
    ['until', '2024-02-30T00:00:00Z'],
    ['until', '2024-06-11T25:00:00Z'],
    ['since', '2024-06-11T22:05:12 02:00'],
  ])('%s=%s is no timestamp', async (name, value) => {
    const query = new URLSearchParams({ [name]: value });

    const response = await as(await emulate(fixtures), 'ada').get(`${path}?${query}`);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(invalid(`querystring/${name} must match format "date-time"`));
  });
});
