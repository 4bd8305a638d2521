import { expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid } from '../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000002';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const TOOL = '70010000-0000-4000-8000-000000000002';
const [C1, C2, C3, C4] = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob', id: BOB }, { username: 'cleo' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1', version: 3 },
    { author: 'bob', name: 'tool', id: TOOL, code: '0', privacy: 'unlisted' },
  ],
  comments: [
    { id: C2, author: 'ada', val: 'bob/tool', comment: 'Neat!', createdAt: '2024-02-02T00:00:00Z' },
    { id: C1, author: 'bob', val: 'ada/hello', comment: 'How does *this* work?', createdAt: '2024-02-01T00:00:00Z' },
    { id: C3, author: 'ada', val: 'ada/hello', comment: 'Like this.', createdAt: '2024-02-03T00:00:00Z' },
    { id: C4, author: 'cleo', val: 'bob/tool', comment: 'Me too', createdAt: '2024-02-04T00:00:00Z' },
  ],
};

const ada = { id: ADA, username: 'ada' };
const bob = { id: BOB, username: 'bob' };
const hello = { name: 'hello', id: HELLO, version: 3, privacy: 'public', author: ada };
const tool = { name: 'tool', id: TOOL, version: 0, privacy: 'unlisted', author: bob };
const question = {
  comment: 'How does *this* work?',
  id: C1,
  createdAt: '2024-02-01T00:00:00.000Z',
  author: bob,
  val: hello,
};
const praise = { comment: 'Neat!', id: C2, createdAt: '2024-02-02T00:00:00.000Z', author: ada, val: tool };
const reply = { comment: 'Like this.', id: C3, createdAt: '2024-02-03T00:00:00.000Z', author: ada, val: hello };

test.each([
  ['given', [reply, praise]],
  ['received', [reply, question]],
  ['any', [reply, praise, question]],
])('relationship=%s, newest first; a comment on an own val is in each list, once', async (relationship, expected) => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator, 'ada').get(`/v1/me/comments?relationship=${relationship}`);

  expect(response.status).toBe(200);
  expect(response.body).toStrictEqual({
    data: expected,
    links: { self: `${emulator.url}/v1/me/comments?relationship=${relationship}&limit=20&offset=0` },
  });
});

test('without a relationship, comments of any are listed', async () => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator, 'ada').get('/v1/me/comments');

  expect(response.body).toStrictEqual({
    data: [reply, praise, question],
    links: { self: `${emulator.url}/v1/me/comments?limit=20&offset=0` },
  });
});

test.each(['all', 'Any', ''])('there is no relationship "%s"', async (relationship) => {
  const response = await as(await emulate(fixtures), 'ada').get(`/v1/me/comments?relationship=${relationship}`);

  expect(response.status).toBe(400);
  expect(response.body).toStrictEqual(invalid('querystring/relationship must be equal to one of the allowed values'));
});

test('a comment shows its val as it is now', async () => {
  const emulator = await emulate(fixtures);
  const body = { code: '2', name: 'goodbye', privacy: 'private' };
  await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send(body).expect(201);

  const response = await as(emulator, 'ada').get('/v1/me/comments?relationship=received&limit=1');

  expect(response.body.data).toStrictEqual([
    { ...reply, val: { ...hello, name: 'goodbye', version: 4, privacy: 'private' } },
  ]);
});

test('a comment on a val that its author made private is hidden from everybody else, its writer included', async () => {
  const emulator = await emulate(fixtures);
  const hide = { code: '1', privacy: 'private' };
  await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send(hide).expect(201);

  const response = await as(emulator, 'bob').get('/v1/me/comments?relationship=given');

  expect(response.body.data).toStrictEqual([]);
});

test('the comments on a deleted val are gone for all who wrote them', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);

  const mine = await as(emulator, 'ada').get('/v1/me/comments');
  expect(mine.body.data).toStrictEqual([praise]);
  const theirs = await as(emulator, 'bob').get('/v1/me/comments?relationship=given');
  expect(theirs.body.data).toStrictEqual([]);
});
