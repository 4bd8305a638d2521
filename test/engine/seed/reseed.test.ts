import { expect, test } from 'vitest';
import { type Emulator, FixtureError } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { folderOf, untyped } from './loading.js';

const sample = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: '1', id: '00000000-0000-4000-8000-000000000001' }],
  runs: [{ val: 'ada/hello' }],
};

/** Reads everything that a client sees. */
async function dump(emulator: Emulator): Promise<unknown> {
  const paths = ['/v1/me', '/v1/me/runs', '/v1/me/likes', '/v1/me/comments', '/v1/me/references'];
  const val = `/v1/vals/${sample.vals[0]?.id}`;
  const responses = [...paths, val, `${val}/versions`, `${val}/runs`].flatMap((path) =>
    ['ada', 'grace'].map(async (name) => {
      const { status, text } = await as(emulator, name).get(path);
      return { name, path, status, text };
    }),
  );
  return { users: emulator.users, responses: await Promise.all(responses) };
}

test.each([
  [
    'an object',
    { users: [{ username: 'linus' }], vals: [{ author: 'linus', name: 'x', code: '1' }], runs: [{ val: 'linus/y' }] },
  ],
  ['an object with an error', { vals: 5 }],
  ['something else', null],
])('a reseed with an error in %s changes nothing', async (_, fixtures) => {
  const emulator = await emulate(sample);
  await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: '2' }).expect(200);
  const before = await dump(emulator);

  const bad = fixtures === null ? JSON.parse('null') : untyped(fixtures);
  expect(() => emulator.reseed(bad)).toThrow(FixtureError);

  expect(await dump(emulator)).toEqual(before);
});

test.each([
  ['a folder', { 'users.json': [{ username: 'linus' }], 'vals.json': '[{]' }, ''],
  ['a file', { 'db.json': { users: [{ username: 'linus' }, {}] } }, '/db.json'],
  ['a path', { 'db.json': {} }, '/nowhere'],
])('a reseed with an error in %s changes nothing', async (_, files, path) => {
  const emulator = await emulate(sample);
  const before = await dump(emulator);
  expect(() => emulator.reseed(folderOf(files) + path)).toThrow(FixtureError);
  expect(await dump(emulator)).toEqual(before);
});

test('after a failed reseed, a reset restores the old seed', async () => {
  const emulator = await emulate(sample);
  const before = await dump(emulator);
  await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: '2' }).expect(200);
  expect(() => emulator.reseed(untyped({ users: [{ username: 'linus' }, {}] }))).toThrow(FixtureError);
  emulator.reset();
  expect(await dump(emulator)).toEqual(before);
});

test('a start with an error listens nowhere', async () => {
  await expect(emulate(untyped({ users: 5 }))).rejects.toThrow(
    new FixtureError([{ path: 'users', message: 'found 5; expected an array of users.' }]),
  );
});
