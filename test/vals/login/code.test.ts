import { expect, test } from 'vitest';
import { exchange, lead, refresh, register, start, toAddress } from './support.js';

test('a client registers, logs in, and calls the API', async () => {
  const { fetch } = await start({ login: 'ada' });
  const client = await register(fetch);
  const back = await lead(fetch, toAddress(client, { scope: 'user_r offline_access nope' }));
  expect(back.href).toMatch(
    /^http:\/\/127\.0\.0\.1:5899\/callback\?code=[\w-]{43}&state=s1&iss=http%3A%2F%2Flocalhost%2Foauth$/,
  );
  const { status, headers, body } = await exchange(fetch, client, back.searchParams.get('code') ?? '');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_in: 86_400,
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'user_r',
    token_type: 'Bearer',
  });
  const me = await fetch('/v1/me', { headers: { authorization: `Bearer ${body.access_token}` } });
  expect(await me.json()).toMatchObject({ username: 'ada' });
  const next = await refresh(fetch, client, body.refresh_token);
  expect(next.status).toBe(200);
  const again = await refresh(fetch, client, body.refresh_token);
  expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const revoked = await refresh(fetch, client, next.body.refresh_token);
  expect(revoked).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});
