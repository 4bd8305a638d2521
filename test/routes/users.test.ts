import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid, notFound } from '../support/errors.js';
import { readPages } from '../support/pages.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const NOBODY = 'deadbeef-0000-4000-8000-000000000000';
const HELLO = '4e110000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [
    {
      username: 'Ada',
      id: ADA,
      email: 'ada@analytical.example',
      bio: 'Writes programs for engines.',
      profileImageUrl: 'https://img.example.com/ada.png',
      tier: 'pro',
      token: 'ada-token',
    },
    { username: 'bob' },
  ],
  vals: [
    {
      author: 'Ada',
      name: 'hello',
      id: HELLO,
      code: 'export const hello = 1;',
      type: 'http',
      createdAt: '2024-01-02T03:04:05.678Z',
    },
    { author: 'Ada', name: 'hidden', code: '1', privacy: 'unlisted', createdAt: '2024-01-03T00:00:00.000Z' },
    { author: 'Ada', name: 'secret', code: '1', privacy: 'private', createdAt: '2024-01-04T00:00:00.000Z' },
    { author: 'Ada', name: 'latest', code: '1', createdAt: '2024-01-05T00:00:00.000Z' },
    { author: 'bob', name: 'his', code: '1', createdAt: '2024-01-06T00:00:00.000Z' },
  ],
};

describe.each([
  ['GET /v1/users/{user_id}', `/v1/users/${ADA}`],
  ['GET /v1/users/{user_id}, in capitals', `/v1/users/${ADA.toUpperCase()}`],
  ['GET /v1/alias/{username}', '/v1/alias/Ada'],
  ['GET /v1/alias/{username}, in other letters', '/v1/alias/aDA'],
  ['GET /v1/alias/{username}, with an @', '/v1/alias/@ada'],
  ['GET /v1/alias/{username}, with an encoded @', '/v1/alias/%40ada'],
])('%s', (_, path) => {
  test.each([
    ['anybody', undefined],
    ['another user', 'bob'],
    ['the user', 'ada'],
  ])('shows %s the public profile', async (__, caller) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, caller).get(path);

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({
      id: ADA,
      bio: 'Writes programs for engines.',
      username: 'Ada',
      profileImageUrl: 'https://img.example.com/ada.png',
      url: 'https://val.town/u/Ada',
      links: { self: `${emulator.url}/v1/users/${ADA}` },
    });
  });
});

test('the link to a profile leads to it', async () => {
  const emulator = await emulate(fixtures);
  const me = await as(emulator, 'ada').get('/v1/me');

  const response = await as(emulator).get(new URL(me.body.links.self).pathname);

  const { tier, email, ...profile } = me.body;
  expect(response.body).toStrictEqual(profile);
});

test.each([`/v1/users/${NOBODY}`, `/v1/users/${NOBODY}/vals`, '/v1/alias/nobody', '/v1/alias/@', '/v1/alias/@@ada'])(
  '%s is a 404',
  async (path) => {
    const response = await as(await emulate(fixtures)).get(path);

    expect(response.status).toBe(404);
    expect(response.body).toStrictEqual(notFound('The user was not found'));
  },
);

test.each(['/v1/users/ada', '/v1/users/ada/vals'])('%s is a 400: a user goes by id there', async (path) => {
  const response = await as(await emulate(fixtures)).get(path);

  expect(response.status).toBe(400);
  expect(response.body).toStrictEqual(invalid('params/user_id must match format "uuid"'));
});

describe('GET /v1/users/{user_id}/vals', () => {
  test.each([
    ['anybody sees the public ones', undefined, ['latest', 'hello']],
    ['another user sees the public ones', 'bob', ['latest', 'hello']],
    ['the user sees all', 'ada', ['latest', 'secret', 'hidden', 'hello']],
  ])('newest first; %s', async (_, caller, names) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, caller).get(`/v1/users/${ADA}/vals`);

    expect(response.status).toBe(200);
    expect(response.body.data.map(({ name }: { name: string }) => name)).toStrictEqual(names);
    expect(response.body.links).toStrictEqual({ self: `${emulator.url}/v1/users/${ADA}/vals?limit=20&offset=0` });
  });

  test('an item has the keys of a val in a list, and no more', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(`/v1/users/${ADA}/vals?offset=1`);

    expect(response.body.data).toStrictEqual([
      {
        name: 'hello',
        id: HELLO,
        version: 0,
        code: 'export const hello = 1;',
        public: true,
        createdAt: '2024-01-02T03:04:05.678Z',
        privacy: 'public',
        type: 'http',
        url: 'https://val.town/v/Ada/hello',
        links: {
          self: `${emulator.url}/v1/vals/${HELLO}`,
          versions: `${emulator.url}/v1/vals/${HELLO}/versions`,
          module: 'https://esm.town/v/Ada/hello?v=0',
          endpoint: 'https://ada-hello.web.val.run',
        },
        author: { id: ADA, username: 'Ada' },
      },
    ]);
  });

  test('pages leave out what is not for the caller, and none is short for it', async () => {
    const emulator = await emulate(fixtures);
    const namesOn = async (caller: string) => {
      const pages = await readPages(emulator, caller, `/v1/users/${ADA}/vals?limit=1`);
      return pages.map(({ data }) => data.map((item) => Object(item).name));
    };

    expect(await namesOn('bob')).toStrictEqual([['latest'], ['hello']]);
    expect(await namesOn('ada')).toStrictEqual([['latest'], ['secret'], ['hidden'], ['hello']]);
  });

  test('a val that becomes public or private comes and goes', async () => {
    const emulator = await emulate(fixtures);
    const names = async () => {
      const { body } = await as(emulator).get(`/v1/users/${ADA}/vals`);
      return body.data.map(({ name }: { name: string }) => name);
    };

    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ privacy: 'private' }).expect(204);
    expect(await names()).toStrictEqual(['latest']);
    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ privacy: 'public' }).expect(204);
    expect(await names()).toStrictEqual(['latest', 'hello']);
  });
});
