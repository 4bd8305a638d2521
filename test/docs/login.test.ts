// The tests of docs/login.md: the last one compares them with that page.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createEmulator } from '../../src/index.js';

const verifier = 'a'.repeat(43);
const code_challenge = createHash('sha256').update(verifier).digest('base64url');
const redirect_uri = 'http://127.0.0.1:5899/callback';
const emulator = await createEmulator({
  fixtures: { users: [{ username: 'ada' }], clients: [{ client_id: 'agent', redirect_uris: [redirect_uri] }] },
});
afterAll(() => emulator.close());

const post = async (path: string, form: Record<string, string>) => {
  const response = await fetch(emulator.url + path, { method: 'POST', body: new URLSearchParams(form) });
  return JSON.parse(await response.text());
};
const address = (scope: string) =>
  `${emulator.url}/oauth/auth?${new URLSearchParams({ client_id: 'agent', response_type: 'code', redirect_uri, scope, code_challenge, code_challenge_method: 'S256' })}`;
const logIn = async (scope: string) => {
  const code = new URL(await emulator.login(address(scope), { user: 'ada' })).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: 'agent', code, redirect_uri, code_verifier: verifier };
  return await post('/oauth/token', form);
};
const call = (token: string) => fetch(`${emulator.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });

test('a client logs in', async () => {
  const { access_token, scope } = await logIn('user_r sqlite_rw');
  expect(scope).toBe('user_r sqlite_rw');
  expect((await call(access_token)).status).toBe(200);

  const back = await emulator.login(address('user_r sqlite_rw'), { user: 'ada', scopes: ['user_r'] });
  const code = new URL(back).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: 'agent', code, redirect_uri, code_verifier: verifier };
  expect((await post('/oauth/token', form)).scope).toBe('user_r');
});

test('a user denies the login', async () => {
  const back = await emulator.login(address('user_r'), { user: 'ada', deny: true });
  expect(new URL(back).searchParams.get('error')).toBe('access_denied');
});

test('a token expires, and is refreshed', async () => {
  const { access_token, refresh_token } = await logIn('user_r offline_access');
  emulator.clock.advance('24h');
  expect((await call(access_token)).status).toBe(401);

  const form = { grant_type: 'refresh_token', client_id: 'agent', refresh_token };
  const next = await post('/oauth/token', form);
  expect((await call(next.access_token)).status).toBe(200);
  expect((await post('/oauth/token', form)).error).toBe('invalid_grant');
  expect((await call(next.access_token)).status).toBe(401);
});

test('a device logs in', async () => {
  const client_id = 'val_town_vt';
  const { device_code, user_code } = await post('/oauth/device/auth', { client_id, scope: 'user_r' });
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id, device_code };
  expect((await post('/oauth/token', form)).error).toBe('authorization_pending');

  await emulator.approve(user_code, { user: 'ada' });
  expect((await call((await post('/oauth/token', form)).access_token)).status).toBe(200);
});

test('the login fails, and is taken back', async () => {
  emulator.fail('POST /oauth/token', { status: 503, times: 1 });
  expect((await logIn('user_r')).access_token).toBeUndefined();

  const { access_token } = await logIn('user_r');
  emulator.rewind(1);
  expect((await call(access_token)).status).toBe(401);
});

test('the page has these lines', () => {
  const own = readFileSync(import.meta.filename, 'utf8');
  const page = readFileSync('docs/login.md', 'utf8');
  const blocks = [...page.matchAll(/^```ts\n(?:import .*\n|\n)*([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines);
  expect(blocks).toHaveLength(6);
  for (const block of blocks) expect(own).toContain(block);
});
