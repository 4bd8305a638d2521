import { expect, test } from 'vitest';
import type { Emulator, Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid } from '../support/errors.js';
import { readPages } from '../support/pages.js';

const day = (i: number) => `2024-01-${String(i).padStart(2, '0')}T00:00:00.000Z`;

/** The name, the readme and the code of each val, older first. */
const VALS: [name: string, readme: string, code: string][] = [
  ['dice', '', 'roll'],
  ['diceware', '', 'passphrase'],
  ['rollDice', '', 'twice'],
  ['games', 'Needs **DICE** and cards.', 'shuffle'],
  ['sums', '', 'const DICE = 2;'],
  ['unrelated', 'Cards alone.', 'shuffle'],
  ['newDice', '', 'again'],
  ['diceBox', '', 'many'],
];

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [
    ...VALS.map(([name, readme, code], i) => ({ author: 'ada', name, readme, code, createdAt: day(i + 1) })),
    { author: 'bob', name: 'Dice', code: 'mine', createdAt: day(20) },
    { author: 'ada', name: 'diceHidden', code: 'dice', privacy: 'unlisted', createdAt: day(21) },
    { author: 'ada', name: 'diceSecret', code: 'dice', privacy: 'private', createdAt: day(22) },
  ],
};

async function search(emulator: Emulator, query: string, caller?: string): Promise<string[]> {
  const response = await as(emulator, caller).get('/v1/search/vals').query({ query });
  expect(response.status).toBe(200);
  return response.body.data.map(({ author, name }: { author: { username: string }; name: string }) =>
    author.username === 'ada' ? name : `${author.username}/${name}`,
  );
}

test('first come vals of that name, then by start, by part, by readme, by code; the newest first of each', async () => {
  expect(await search(await emulate(fixtures), 'dice')).toStrictEqual([
    'bob/Dice',
    'dice',
    'diceBox',
    'diceware',
    'newDice',
    'rollDice',
    'games',
    'sums',
  ]);
});

test.each([
  ['DICE', 8],
  ['  dice  ', 8],
  ['dice cards', 1],
  ['shuffle cards', 2],
  ['dice nowhere', 0],
  ['nowhere', 0],
  ['const DICE = 2;', 1],
  ['.*', 0],
])('"%s" finds %i: every word must occur, whatever its case', async (query, count) => {
  expect(await search(await emulate(fixtures), query)).toHaveLength(count);
});

test.each(['ada', 'bob', undefined])('%s finds public vals alone', async (caller) => {
  const found = await search(await emulate(fixtures), 'dice', caller);

  expect(found).not.toContain('diceHidden');
  expect(found).not.toContain('diceSecret');
});

test('what is found has the keys of a val in a list, and no more', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada', id: 'ada00000-0000-4000-8000-000000000001' }],
    vals: [{ author: 'ada', name: 'dice', id: '4e110000-0000-4000-8000-000000000001', code: '1', createdAt: day(1) }],
  });

  const response = await as(emulator).get('/v1/search/vals?query=dice');

  expect(response.body).toStrictEqual({
    data: [
      {
        name: 'dice',
        id: '4e110000-0000-4000-8000-000000000001',
        version: 0,
        code: '1',
        public: true,
        createdAt: day(1),
        privacy: 'public',
        type: 'script',
        url: 'https://val.town/v/ada/dice',
        links: {
          self: `${emulator.url}/v1/vals/4e110000-0000-4000-8000-000000000001`,
          versions: `${emulator.url}/v1/vals/4e110000-0000-4000-8000-000000000001/versions`,
          module: 'https://esm.town/v/ada/dice?v=0',
        },
        author: { id: 'ada00000-0000-4000-8000-000000000001', username: 'ada' },
      },
    ],
    links: { self: `${emulator.url}/v1/search/vals?query=dice&limit=20&offset=0` },
  });
});

test('its pages keep the query and hold everything once', async () => {
  const emulator = await emulate(fixtures);

  const pages = await readPages(emulator, 'ada', '/v1/search/vals?query=dice&limit=3');

  expect(pages.map(({ data }) => data.length)).toStrictEqual([3, 3, 2]);
  const whole = await as(emulator).get('/v1/search/vals?query=dice');
  expect(pages.flatMap(({ data }) => data)).toStrictEqual(whole.body.data);
});

test('it sees what has just been written', async () => {
  const emulator = await emulate(fixtures);

  const { body } = await as(emulator, 'ada').post('/v1/vals').send({ name: 'fresh', code: 'zebra', privacy: 'public' });
  expect(await search(emulator, 'zebra')).toStrictEqual(['fresh']);
  await as(emulator, 'ada').post(`/v1/vals/${body.id}/versions`).send({ code: 'lion' }).expect(201);
  expect(await search(emulator, 'zebra')).toStrictEqual([]);
  expect(await search(emulator, 'lion')).toStrictEqual(['fresh']);
  await as(emulator, 'ada').delete(`/v1/vals/${body.id}`).expect(204);
  expect(await search(emulator, 'lion')).toStrictEqual([]);
});

test.each([
  ['', "querystring must have required property 'query'"],
  ['?query=', 'querystring/query must NOT have fewer than 1 characters'],
  [`?query=${'x'.repeat(513)}`, 'querystring/query must NOT have more than 512 characters'],
  ['?query=a&query=b', 'querystring/query must be string'],
  ['?query=a&limit=0', 'querystring/limit must be >= 1'],
])('%s is a 400', async (parameters, message) => {
  const response = await as(await emulate(fixtures)).get(`/v1/search/vals${parameters}`);

  expect(response.status).toBe(400);
  expect(response.body).toStrictEqual(invalid(message));
});

test('a query may have 512 characters', async () => {
  const response = await as(await emulate(fixtures)).get(`/v1/search/vals?query=${'x'.repeat(512)}`);

  expect(response.status).toBe(200);
});
