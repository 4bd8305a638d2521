import { describe, expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';
import { unauthorized } from '../../support/errors.js';

const fixtures = {
  users: [
    { username: 'ada', token: 'vtwn_ada' },
    { username: 'bob', token: 'two words and  a gap' },
  ],
};

const me = async (authorization: string, options = {}) =>
  as(await emulate(fixtures, options))
    .get('/v1/me')
    .set('Authorization', authorization);

test.each([
  ['Bearer vtwn_ada', 'ada'],
  ['bearer vtwn_ada', 'ada'],
  ['BEARER vtwn_ada', 'ada'],
  ['BeArEr vtwn_ada', 'ada'],
  ['Bearer two words and  a gap', 'bob'],
])('"%s" authenticates %s', async (authorization, username) => {
  const response = await me(authorization);

  expect(response.status).toBe(200);
  expect(response.body.username).toBe(username);
});

test.each([
  ['another token', 'Bearer vtwn_eve'],
  ['other letters', 'Bearer VTWN_ADA'],
  ['half of a token', 'Bearer two words'],
  ['more than the token', 'Bearer vtwn_ada vtwn_ada'],
  ['no token', 'Bearer'],
  ['another scheme', 'Basic vtwn_ada'],
  ['another scheme before the right one', 'Basic Bearer vtwn_ada'],
  ['no space after the scheme', 'Bearervtwn_ada'],
  ['no scheme', 'vtwn_ada'],
])('%s returns 401: "%s"', async (_, authorization) => {
  const response = await me(authorization);

  expect(response.status).toBe(401);
  expect(response.body).toStrictEqual(unauthorized);
});

describe("with auth 'lenient'", () => {
  test.each(['Bearer vtwn_eve', 'Bearer anything at all', 'bearer x'])(
    '"%s" authenticates the first user',
    async (authorization) => {
      const response = await me(authorization, { auth: 'lenient' });

      expect(response.status).toBe(200);
      expect(response.body.username).toBe('ada');
    },
  );

  test('a known token authenticates its user', async () => {
    const response = await me('Bearer two words and  a gap', { auth: 'lenient' });

    expect(response.body.username).toBe('bob');
  });

  test('a request without a token still has no caller', async () => {
    const response = await as(await emulate(fixtures, { auth: 'lenient' })).get('/v1/me');

    expect(response.status).toBe(401);
  });

  test('without users an unknown token returns 401', async () => {
    const response = await as(await emulate({}, { auth: 'lenient' }), 'ada').get('/v1/me');

    expect(response.status).toBe(401);
    expect(response.body).toStrictEqual(unauthorized);
  });
});
