import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { readPages } from '../../support/pages.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [
    {
      ...{ username: 'Ada', id: ADA, email: 'ada@analytical.example', tier: 'pro', token: 'ada-token' },
      ...{ bio: 'Writes programs for engines.', profileImageUrl: 'https://img.example.com/ada.png' },
    },
    { username: 'bob' },
  ],
  vals: [
    { author: 'Ada', name: 'Hello', id: HELLO, code: 'two', type: 'http', createdAt: '2024-01-02T00:00:00Z' },
    { author: 'Ada', name: 'hidden', code: '1', privacy: 'unlisted', createdAt: '2024-01-03T00:00:00.000Z' },
    { author: 'Ada', name: 'secret', code: '1', privacy: 'private', createdAt: '2024-01-04T00:00:00.000Z' },
    { author: 'Ada', name: 'latest', code: '1', createdAt: '2024-01-05T00:00:00.000Z' },
    { author: 'bob', name: 'hello', code: 'his', createdAt: '2024-01-06T00:00:00.000Z' },
  ],
  versions: [{ val: 'Ada/Hello', code: 'one' }],
};

describe('GET /v1/me', () => {
  test('returns the profile of the fixtures with tier and email', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').get('/v1/me');

    expect(response.body).toStrictEqual({
      id: ADA,
      bio: 'Writes programs for engines.',
      username: 'Ada',
      profileImageUrl: 'https://img.example.com/ada.png',
      url: 'https://val.town/u/Ada',
      links: { self: `${emulator.url}/v1/users/${ADA}` },
      tier: 'pro',
      email: 'ada@analytical.example',
    });
  });

  test('returns null for empty fields', async () => {
    const token = 'a token with spaces';
    const emulator = await emulate({
      users: [{ username: null, id: ADA, email: 'someone@example.com', tier: null, token }],
    });

    const response = await as(emulator).get('/v1/me').set('Authorization', `Bearer ${token}`);

    expect(response.body).toStrictEqual({
      ...{ id: ADA, bio: null, username: null, profileImageUrl: null, url: `https://val.town/u/${ADA}` },
      ...{ links: { self: `${emulator.url}/v1/users/${ADA}` }, tier: null, email: 'someone@example.com' },
    });
  });
});

describe('GET /v1/alias/{username}/{val_name}', () => {
  test.each(['%40Ada/hELLO', 'ada/Hello/'])('%s returns the val with that id', async (name) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(`/v1/alias/${name}`);

    expect(response.body).toMatchObject({ id: HELLO, name: 'Hello', version: 1, code: 'two' });
  });
});

describe('GET /v1/users/{user_id}/vals', () => {
  test('fills each page with vals that the caller may read, the newest first', async () => {
    const emulator = await emulate(fixtures);
    const namesOn = async (caller: string) => {
      const pages = await readPages(emulator, caller, `/v1/users/${ADA}/vals?limit=1`);
      return pages.map(({ data }) => data.map((item) => Object(item).name));
    };

    expect(await namesOn('bob')).toStrictEqual([['latest'], ['Hello']]);
    expect(await namesOn('ada')).toStrictEqual([['latest'], ['secret'], ['hidden'], ['Hello']]);
  });
});
