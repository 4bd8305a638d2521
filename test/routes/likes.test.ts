import { expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000002';
const [V1, V2, V3, V4] = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: ADA },
    { username: 'bob', id: BOB },
  ],
  vals: [
    { author: 'bob', name: 'counter', id: V1, code: 'export const count = 1;', createdAt: '2024-01-02T03:04:05.678Z' },
    { author: 'bob', name: 'Site', id: V2, code: '1', type: 'http', createdAt: '2024-01-03T00:00:00Z' },
    { author: 'ada', name: 'mine', id: V3, code: '2', privacy: 'private', createdAt: '2024-01-04T00:00:00Z' },
    { author: 'bob', name: 'draft', id: V4, code: '3', privacy: 'unlisted', createdAt: '2024-01-05T00:00:00Z' },
  ],
  likes: [
    { user: 'ada', val: 'bob/Site', createdAt: '2024-03-02T00:00:00Z' },
    { user: 'ada', val: 'ada/mine', createdAt: '2024-03-03T00:00:00Z' },
    { user: 'ada', val: 'bob/counter', createdAt: '2024-03-01T00:00:00Z' },
    { user: 'bob', val: 'bob/draft', createdAt: '2024-03-04T00:00:00Z' },
  ],
};

test('lists the vals that the user likes, most recently liked first', async () => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator, 'ada').get('/v1/me/likes');

  const bob = { id: BOB, username: 'bob' };
  expect(response.status).toBe(200);
  expect(response.body).toStrictEqual({
    data: [
      {
        name: 'mine',
        id: V3,
        version: 0,
        code: '2',
        public: false,
        createdAt: '2024-01-04T00:00:00.000Z',
        privacy: 'private',
        type: 'script',
        url: 'https://val.town/v/ada/mine',
        links: {
          self: `${emulator.url}/v1/vals/${V3}`,
          versions: `${emulator.url}/v1/vals/${V3}/versions`,
          module: 'https://esm.town/v/ada/mine?v=0',
        },
        author: { id: ADA, username: 'ada' },
      },
      {
        name: 'Site',
        id: V2,
        version: 0,
        code: '1',
        public: true,
        createdAt: '2024-01-03T00:00:00.000Z',
        privacy: 'public',
        type: 'http',
        url: 'https://val.town/v/bob/Site',
        links: {
          self: `${emulator.url}/v1/vals/${V2}`,
          versions: `${emulator.url}/v1/vals/${V2}/versions`,
          module: 'https://esm.town/v/bob/Site?v=0',
          endpoint: 'https://bob-site.web.val.run',
        },
        author: bob,
      },
      {
        name: 'counter',
        id: V1,
        version: 0,
        code: 'export const count = 1;',
        public: true,
        createdAt: '2024-01-02T03:04:05.678Z',
        privacy: 'public',
        type: 'script',
        url: 'https://val.town/v/bob/counter',
        links: {
          self: `${emulator.url}/v1/vals/${V1}`,
          versions: `${emulator.url}/v1/vals/${V1}/versions`,
          module: 'https://esm.town/v/bob/counter?v=0',
        },
        author: bob,
      },
    ],
    links: { self: `${emulator.url}/v1/me/likes?limit=20&offset=0` },
  });
});

test('of vals liked at the same moment the lower id comes first', async () => {
  const createdAt = '2024-03-01T00:00:00Z';
  const likes = ['ada/mine', 'bob/counter', 'bob/Site'].map((val) => ({ user: 'ada', val, createdAt }));

  const response = await as(await emulate({ ...fixtures, likes }), 'ada').get('/v1/me/likes');

  expect(response.body.data).toMatchObject([{ id: V1 }, { id: V2 }, { id: V3 }]);
});

test('a liked val is shown as it is now', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'bob').put('/v1/vals').send({ name: 'counter', code: 'export const count = 2;' }).expect(200);

  const response = await as(emulator, 'ada').get('/v1/me/likes?limit=1&offset=2');

  expect(response.body.data).toMatchObject([
    {
      name: 'counter',
      version: 1,
      code: 'export const count = 2;',
      links: { module: 'https://esm.town/v/bob/counter?v=1' },
    },
  ]);
});

test('a liked val that its author makes private leaves the list, one made unlisted stays', async () => {
  const emulator = await emulate(fixtures);
  const hide = { code: '1', privacy: 'private' };
  await as(emulator, 'bob').post(`/v1/vals/${V1}/versions`).send(hide).expect(201);
  const unlist = { code: '1', privacy: 'unlisted' };
  await as(emulator, 'bob').post(`/v1/vals/${V2}/versions`).send(unlist).expect(201);

  const response = await as(emulator, 'ada').get('/v1/me/likes');

  expect(response.body.data).toMatchObject([{ id: V3 }, { id: V2, privacy: 'unlisted', public: false }]);
});

test('a deleted val is liked by nobody', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'bob').delete(`/v1/vals/${V2}`).expect(204);

  const response = await as(emulator, 'ada').get('/v1/me/likes');

  expect(response.body.data).toMatchObject([{ id: V3 }, { id: V1 }]);
});
