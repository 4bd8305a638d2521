import { expect, test } from 'vitest';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

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

async function search(emulator: Emulator, query: string): Promise<string[]> {
  const response = await as(emulator).get('/v1/search/vals').query({ query });
  expect(response.status).toBe(200);
  return response.body.data.map(({ author, name }: { author: { username: string }; name: string }) =>
    author.username === 'ada' ? name : `${author.username}/${name}`,
  );
}

test('ranks equal names, beginnings, parts, readmes and code, the newest first of each', async () => {
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
  ['  dice  ', 8],
  ['dice cards', 1],
  ['shuffle cards', 2],
  [' ', 9],
  ['\t \n', 9],
  ['const DICE = 2;', 1],
  ['.*', 0],
])('"%s" finds %i vals', async (query, count) => {
  expect(await search(await emulate(fixtures), query)).toHaveLength(count);
});
