import { expect, test } from 'vitest';
import { as, emulate } from '../support/emulate.js';
import { unauthorized } from '../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';

test('a user reads the own profile, with tier and email', async () => {
  const emulator = await emulate({
    users: [
      {
        username: 'ada',
        id: ADA,
        email: 'ada@analytical.example',
        bio: 'Writes programs for engines.',
        profileImageUrl: 'https://img.example.com/ada.png',
        tier: 'pro',
      },
      { username: 'bob' },
    ],
  });

  const response = await as(emulator, 'ada').get('/v1/me');

  expect(response.status).toBe(200);
  expect(response.body).toStrictEqual({
    id: ADA,
    bio: 'Writes programs for engines.',
    username: 'ada',
    profileImageUrl: 'https://img.example.com/ada.png',
    url: 'https://val.town/u/ada',
    links: { self: `${emulator.url}/v1/users/${ADA}` },
    tier: 'pro',
    email: 'ada@analytical.example',
  });
});

test('what an account has not filled in is null', async () => {
  const token = 'a token of its own';
  const emulator = await emulate({
    users: [{ username: null, id: ADA, email: 'someone@example.com', tier: null, token }],
  });

  const response = await as(emulator).get('/v1/me').set('Authorization', `Bearer ${token}`);

  expect(response.body).toStrictEqual({
    id: ADA,
    bio: null,
    username: null,
    profileImageUrl: null,
    url: `https://val.town/u/${ADA}`,
    links: { self: `${emulator.url}/v1/users/${ADA}` },
    tier: null,
    email: 'someone@example.com',
  });
});

test('without a token there is no current user', async () => {
  const response = await as(await emulate({ users: [{ username: 'ada' }] })).get('/v1/me');

  expect(response.status).toBe(401);
  expect(response.body).toStrictEqual(unauthorized);
});
