import { expect, test } from 'vitest';
import type { FixtureSource } from '#engine/seed/source.js';
import { emulate } from '../../support/emulate.js';
import { load } from './loading.js';

const sample = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [
    { author: 'ada', name: 'hello', code: '1' },
    { author: 'grace', name: 'hello', code: '1' },
  ],
  runs: [{ val: 'ada/hello' }, { val: 'ada/hello' }, { val: 'grace/hello' }],
  comments: [
    { author: 'grace', val: 'ada/hello', comment: 'a' },
    { author: 'grace', val: 'ada/hello', comment: 'b' },
  ],
};

const inOrder = <R extends { readonly serial: number; readonly id: string }>(records: Iterable<R>): string[] =>
  [...records].sort((a, b) => a.serial - b.serial).map(({ id }) => id);

function idsIn(fixtures: FixtureSource, idSeed?: string) {
  const { users, vals, runs, comments } = load(fixtures, idSeed);
  return { users: inOrder(users), vals: inOrder(vals), runs: inOrder(runs), comments: inOrder(comments) };
}

test('ids are the same at every load, on every machine', () => {
  expect(idsIn(sample)).toEqual({
    users: ['be0f9326-7a56-5ddf-8ad9-27db3ddc9a4f', 'bb15fb80-603e-5fca-aa3d-7602d20afd0f'],
    vals: ['8e2b8bd0-0dc1-56b5-88d0-eb22535cf4b1', '1ed1b9af-2179-585a-9f00-ac563dfba311'],
    runs: [
      '161269a8-9100-5cae-a88b-51346f70d048',
      'ebadf8c7-9f01-5c57-a022-1c04504987ef',
      'e40ea9a3-28d2-558c-bf4e-7235d0e5f610',
    ],
    comments: ['c3006c04-4f28-59b2-a779-8f38e8549d49', 'cb6a07f8-4ead-5af4-81ab-5fbda320ac8e'],
  });
});

test('another seed gives other ids', () => {
  const ids = [sample, sample].flatMap((fixtures, i) => Object.values(idsIn(fixtures, `seed ${i}`)).flat());
  expect(new Set(ids).size).toBe(18);
});

test('the seed does not change given ids', () => {
  const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
  for (const seed of ['a', 'b']) {
    expect(idsIn({ users: [{ username: 'ada', id: id.toUpperCase() }] }, seed).users).toEqual([id]);
  }
});

test('the id of a record does not depend on other records', () => {
  const { users, vals, runs, comments } = idsIn(sample);
  const more = idsIn({
    users: [{ username: 'linus' }, ...sample.users.toReversed()],
    vals: [{ author: 'linus', name: 'first', code: '1' }, ...sample.vals.toReversed()],
    runs: [{ val: 'linus/first' }, ...sample.runs],
    comments: [{ author: 'ada', val: 'grace/hello', comment: 'c' }, ...sample.comments],
  });
  expect(more.users.slice(1)).toEqual(users.toReversed());
  expect(more.vals.slice(1)).toEqual(vals.toReversed());
  expect(more.runs.slice(1)).toEqual(runs);
  expect(more.comments.slice(1)).toEqual(comments);
});

test('the id of a record does not depend on its other fields', () => {
  const vals = sample.vals.map((val) => ({ ...val, code: '2', privacy: 'private' as const, createdAt: '-1d' }));
  const users = sample.users.map((user) => ({ ...user, bio: 'Hi', token: `${user.username} 2` }));
  const runs = sample.runs.map((run) => ({ ...run, runStartAt: '-1m' }));
  const comments = sample.comments.map((comment) => ({ ...comment, comment: 'x', createdAt: '-1m' }));
  expect(idsIn({ users, vals, runs, comments })).toEqual(idsIn(sample));
});

test('the id of a record does not depend on the form of its references', () => {
  const { users, vals } = idsIn(sample);
  const runs = [{ val: '@ADA/Hello' }, { val: vals[0] ?? '' }, { val: `${users[1]}/hello` }];
  const comments = [
    { author: 'bb15fb80-603e-5fca-aa3d-7602d20afd0f', val: `${users[0]}/hello`, comment: 'a' },
    { author: users[1] ?? '', val: '@ada/HELLO', comment: 'b' },
  ];
  expect(idsIn({ ...sample, runs, comments })).toEqual(idsIn(sample));
});

test('an added record has the given id, or one unlike the same record in fixtures', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const [other] = (await emulate({ users: [{ username: 'ada' }, { username: 'eve' }] })).users.slice(-1);

  const first = emulator.add.user({ username: 'eve' });
  emulator.reset();
  const again = emulator.add.user({ username: 'eve' });
  emulator.reset();

  expect(first.id).not.toBe(other?.id);
  expect(again.id).toBe(first.id);
  expect(emulator.add.user({ username: 'eve', id: other?.id }).id).toBe(other?.id);
});
