import { expect, test } from 'vitest';
import { pageUrls } from '#engine/api/pagination.js';
import { emulate } from '../../support/emulate.js';
import { readJson } from '../../support/read-json.js';

const HELLO = '00000000-0000-4000-8000-000000000001';
const headers = { authorization: 'Bearer ada-token' };
const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1', id: HELLO }] };

const LISTS = [
  '/v1/me/runs',
  `/v1/vals/${HELLO}/runs`,
  '/v1/me/likes',
  '/v1/me/comments',
  '/v1/me/references',
  `/v1/vals/${HELLO}/versions`,
  '/v1/search/vals?query=hello',
];
const BEYOND = ['9007199254740991', '9007199254740992', '9007199254740993', '1e21', '1e400', `1${'0'.repeat(400)}`];

test.each(LISTS)('an offset beyond 2^53 returns an empty page: %s', async (path) => {
  const emulator = await emulate(fixtures);
  for (const offset of BEYOND) {
    const response = await emulator.fetch(`${path}${path.includes('?') ? '&' : '?'}offset=${offset}`, { headers });

    expect(response.status, offset).toBe(200);
    const { data, links } = await readJson(response);
    expect(data).toEqual([]);
    expect(links.next).toBeUndefined();
    // The links of such a page led nowhere: their offset was Infinity.
    for (const link of [links.self, links.prev]) {
      expect(new URL(link).searchParams.get('offset')).toMatch(/^\d{16}$/);
      expect((await emulator.fetch(link, { headers })).status).toBe(200);
    }
  }
});

test.each(['offset=-1', 'offset=1.5', 'offset=-1e400', 'offset=NaN', 'offset=', 'limit=1e400', 'limit=Infinity'])(
  'a list returns 400 for %s',
  async (query) => {
    const emulator = await emulate(fixtures);

    expect((await emulator.fetch(`/v1/me/runs?${query}`, { headers })).status).toBe(400);
  },
);

test.each(BEYOND)('the version %s, beyond 2^53, returns 404', async (version) => {
  const emulator = await emulate(fixtures);
  for (const method of ['GET', 'DELETE']) {
    const response = await emulator.fetch(`/v1/vals/${HELLO}/versions/${version}`, { method, headers });

    expect(response.status).toBe(404);
    expect(await readJson(response)).toEqual({
      message: 'Val or version not found',
      error: 'Not Found',
      statusCode: 404,
    });
  }
});

test.each<[time: string, status: number]>([
  ['2024-06-11%2022:01:00Z', 200],
  ['2016-12-31T23:59:60Z', 200],
  ['2017-01-01T00:59:60%2B01:00', 200],
  ['2016-12-31T22:59:60Z', 400],
  ['2016-12-31T23:59:61Z', 400],
])('since and until of %s return %i', async (time, status) => {
  const emulator = await emulate(fixtures);
  for (const path of ['/v1/me/runs', '/v1/me/comments', '/v1/me/references']) {
    for (const name of ['since', 'until']) {
      expect((await emulator.fetch(`${path}?${name}=${time}`, { headers })).status, `${path} ${name}`).toBe(status);
    }
  }
});

test('an exported val at the last version number loads, and accepts no further version', async () => {
  const LAST = 2_147_483_647;
  const emulator = await emulate({
    users: fixtures.users,
    vals: [{ ...fixtures.vals[0], code: '1', author: 'ada', name: 'hello', version: LAST - 1 }],
  });
  const save = (code: string) =>
    emulator.fetch('/v1/vals', {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'hello', code }),
    });
  expect((await save('2')).status).toBe(200);

  const state = emulator.state();
  const copy = await emulate(state);

  expect(state.vals).toMatchObject([{ version: LAST, nextVersion: LAST + 1 }]);
  expect(copy.state()).toEqual(state);
  // No version comes after it.
  const refused = await save('3');
  expect([refused.status, (await readJson(refused)).message]).toEqual([400, `The numbers of versions end at ${LAST}`]);
  expect(emulator.state()).toEqual(state);
});

test('a page link has the limit of its own call', () => {
  const links = { base: 'http://localhost', path: '/v1/me/runs', query: new URLSearchParams() };

  expect([pageUrls(links, 5)(0), pageUrls(links, 7)(10)]).toEqual([
    'http://localhost/v1/me/runs?limit=5&offset=0',
    'http://localhost/v1/me/runs?limit=7&offset=10',
  ]);
});
