import { expect, test } from 'vitest';
import { exchange, lead, refresh, register, start, toAddress } from './support.js';

test('100,000 registrations leave 1,000 clients, and those with a grant', async () => {
  const emulator = await start({ login: 'ada' });
  const { fetch } = emulator;
  const used = await register(fetch);
  await lead(fetch, toAddress(used));
  for (let i = 0; i < 100_000; i++) await register(fetch);
  const ids = emulator.state().clients.map(({ client_id: id }) => id);
  expect(ids).toHaveLength(1_000);
  expect(ids).toContain(used);
});

test('10,000 grants are kept: the one that was used longest ago makes room', async () => {
  const emulator = await start({ login: 'ada' });
  const { fetch } = emulator;
  const client = await register(fetch);
  const address = toAddress(client, { scope: 'user_r offline_access' });
  const logIn = async () => {
    const code = (await lead(fetch, address)).searchParams.get('code') ?? '';
    const { body } = await exchange(fetch, client, code);
    return { access: String(body.access_token), refreshToken: String(body.refresh_token) };
  };
  const first = await logIn();
  const second = await logIn();
  for (let i = 2; i < 10_000; i++) await lead(fetch, address);
  expect(emulator.state().grants).toHaveLength(10_000);
  // Its use makes the second one the oldest.
  const refreshed = await refresh(fetch, client, first.refreshToken);
  expect(refreshed.status).toBe(200);
  await lead(fetch, address);
  const me = async (token: string) => (await fetch('/v1/me', { headers: { authorization: `Bearer ${token}` } })).status;
  expect(emulator.state().grants).toHaveLength(10_000);
  expect([await me(first.access), await me(second.access)]).toEqual([200, 401]);
  expect((await refresh(fetch, client, second.refreshToken)).status).toBe(400);
  expect((await refresh(fetch, client, refreshed.body.refresh_token)).status).toBe(200);
});
