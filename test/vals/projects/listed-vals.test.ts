import { describe, expect, onTestFinished, test } from 'vitest';
import { Range } from '#engine/store/collection.js';
import type { Fixtures } from '../../../src/index.js';
import { as, createEmulator, emulate, NOW } from '../../support/emulate.js';
import { type Page, readPage, readPages } from '../../support/pages.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000001';

const at = (second: number) => `2024-01-01T00:00:0${second}.000Z`;
const val = (author: string, name: string, privacy: 'public' | 'unlisted' | 'private', createdAt: string) => ({
  ...{ author, name, privacy, createdAt, code: '1' },
});
/** Public, unlisted and private vals of two users, some of one time. */
const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: ADA },
    { username: 'bob', id: BOB },
  ],
  vals: [
    val('ada', 'a1', 'private', at(1)),
    val('bob', 'b1', 'public', at(1)),
    val('ada', 'a2', 'public', at(2)),
    val('ada', 'a3', 'unlisted', at(2)),
    val('bob', 'b2', 'private', at(2)),
    val('bob', 'b3', 'public', at(2)),
    val('ada', 'a4', 'private', at(2)),
    val('bob', 'b4', 'unlisted', at(3)),
    val('ada', 'a5', 'private', at(4)),
  ],
};

const names = ({ data }: Page) => data.map((each) => Object(each).name).join(' ');

describe('GET /v1/vals', () => {
  test('lists public vals and those of the caller, the newest first', async () => {
    const emulator = await emulate(fixtures);

    expect(names(await readPage(emulator, 'ada', '/v1/vals'))).toBe('a5 a4 b3 a3 a2 b1 a1');
    expect(names(await readPage(emulator, 'bob', '/v1/vals'))).toBe('b4 b3 b2 a2 b1');
    const { body } = await as(emulator).get('/v1/vals').expect(200);
    expect(names(body)).toBe('b3 a2 b1');
  });

  test('an item is as in other lists', async () => {
    const emulator = await emulate(fixtures);

    const { data } = await readPage(emulator, 'ada', '/v1/vals?limit=1');

    const { data: own } = await readPage(emulator, 'ada', `/v1/users/${ADA}/vals?limit=1`);
    expect(data).toStrictEqual(own);
  });

  test.each([
    ['privacy=public', 'b3 a2 b1'],
    ['privacy=unlisted', 'a3'],
    ['privacy=private', 'a5 a4 a1'],
    [`userId=${ADA}`, 'a5 a4 a3 a2 a1'],
    [`userId=${ADA.toUpperCase()}&privacy=private`, 'a5 a4 a1'],
    [`userId=${BOB}`, 'b3 b1'],
    [`userId=${BOB}&privacy=private`, ''],
    ['userId=99999999-0000-4000-8000-000000000000', ''],
    [`cursor=${at(2)}`, 'a4 b3 a3 a2 b1 a1'],
    [`cursor=${at(2)}&offset=4`, 'b1 a1'],
    ['cursor=2023-01-01T00:00:00Z', ''],
  ])('?%s lists %s', async (query, expected) => {
    const emulator = await emulate(fixtures);

    expect(names(await readPage(emulator, 'ada', `/v1/vals?${query}`))).toBe(expected);
  });

  test.each([1, 2, 3, 7])('limit=%i: the links lead through all vals', async (limit) => {
    const emulator = await emulate(fixtures);

    const pages = await readPages(emulator, 'ada', `/v1/vals?limit=${limit}`);

    expect(pages.map(names).join(' ')).toBe('a5 a4 b3 a3 a2 b1 a1');
    expect(pages).toHaveLength(Math.ceil(7 / limit));
  });

  test('a whole link may be the cursor, and other texts are a 400', async () => {
    const emulator = await emulate(fixtures);
    const { links } = await readPage(emulator, 'ada', '/v1/vals?limit=3');

    const whole = await readPage(emulator, 'ada', `/v1/vals?limit=3&cursor=${encodeURIComponent(links.next ?? '')}`);

    expect(names(whole)).toBe('a3 a2 b1');
    for (const cursor of ['yesterday', encodeURIComponent(`${emulator.url}/v1/vals?offset=1`)]) {
      const response = await as(emulator, 'ada').get(`/v1/vals?cursor=${cursor}`);
      expect([response.status, response.body.message], cursor).toStrictEqual([
        400,
        'querystring/cursor must match format "date-time", or be a whole links.next',
      ]);
    }
  });

  test('follows changes of privacy, new vals and deleted ones', async () => {
    const emulator = await emulate(fixtures);
    const [first] = (await readPage(emulator, 'ada', '/v1/vals?limit=1')).data;

    await as(emulator, 'ada')
      .put(`/v1/vals/${Object(first).id}`)
      .send({ privacy: 'public' })
      .expect(204);
    await as(emulator, 'ada').post('/v1/vals').send({ name: 'new', code: '1', privacy: 'public' }).expect(200);

    expect(names(await readPage(emulator, 'bob', '/v1/vals'))).toBe('new a5 b4 b3 b2 a2 b1');
    await as(emulator, 'ada')
      .delete(`/v1/vals/${Object(first).id}`)
      .expect(204);
    expect(names(await readPage(emulator, 'bob', '/v1/vals'))).toBe('new b4 b3 b2 a2 b1');
  });

  test('a page does not read what others keep private', async () => {
    const emulator = await createEmulator({
      ...{ listen: false, now: NOW },
      fixtures: {
        ...fixtures,
        vals: Array.from({ length: 5_000 }, (_, i) => val('bob', `v${i}`, i < 30 ? 'public' : 'private', at(i % 9))),
      },
    });
    onTestFinished(() => emulator.close());
    const { page } = Range.prototype;
    let read = 0;
    onTestFinished(() => void Object.assign(Range.prototype, { page }));
    Object.assign(Range.prototype, {
      page(this: Range<unknown>, offset: number, limit: number) {
        const entries = page.call(this, offset, limit);
        read += entries.length;
        return entries;
      },
    });

    const response = await emulator.fetch('/v1/vals?limit=20', { headers: { authorization: 'Bearer ada-token' } });

    expect(Object(await response.json()).data).toHaveLength(20);
    expect(read).toBe(30);
  });
});
