import { expect, test } from 'vitest';
import { CALLBACK, exchange, lead, post, refresh, register, start, toAddress } from './support.js';

const CHALLENGE_OF_ANOTHER = 'a'.repeat(43);

test('an address of a login that is wrong leads back with the error', async () => {
  const { fetch } = await start({ login: 'ada' });
  const client = await register(fetch);
  const errors = async (parameters: Readonly<Record<string, string>>, more = '') => {
    const { searchParams } = await lead(fetch, toAddress(client, parameters) + more);
    return [searchParams.get('error'), searchParams.get('error_description'), searchParams.get('state')];
  };
  expect(await errors({ request: 'x' })).toEqual(['request_not_supported', null, 's1']);
  expect(await errors({ max_age: 'x' })).toEqual(['invalid_request', 'invalid max_age parameter value', 's1']);
  expect(await errors({ scope: 'a  b' })).toEqual(['invalid_scope', 'scope contains invalid characters', 's1']);
  expect(await errors({}, '&state=s2')).toEqual([
    'invalid_request',
    "'state' parameter must not be provided twice",
    null,
  ]);
  // The only address of the client stands in for one that is there twice.
  expect(await errors({}, '&redirect_uri=http://evil.example/')).toEqual([
    'invalid_request',
    "'redirect_uri' parameter must not be provided twice",
    's1',
  ]);
});

test('a wrong redirect_uri comes before any other error, and nothing leads there', async () => {
  const { fetch } = await start({ login: 'ada' });
  const client = await register(fetch);
  const response = await fetch(toAddress(client, { redirect_uri: 'http://evil.example/', response_type: 'token' }));
  expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  expect(await response.json()).toEqual({
    error: 'invalid_redirect_uri',
    error_description: "redirect_uri did not match any of the client's registered redirect_uris",
  });
});

test('a client that has no grant by codes logs nobody in', async () => {
  const { fetch } = await start({ login: 'ada' });
  const client = await register(fetch, { grant_types: ['client_credentials'], response_types: [] });
  const { searchParams } = await lead(fetch, toAddress(client));
  expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
    'invalid_request',
    'requested response_type is not allowed for this client',
  ]);
});

test('parameters that are there twice are refused in the order in which they are read', async () => {
  const { fetch } = await start();
  const client = await register(fetch);
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch('/oauth/token', { method: 'POST', headers, body });
    return Object(await response.json()).error_description;
  };
  const code = `client_id=${client}&grant_type=authorization_code`;
  expect(await send('client_id=a&client_id=&grant_type=x&grant_type=y')).toBe(
    "'client_id' parameter must not be provided twice",
  );
  expect(await send(`${code}&grant_type=x&code=1&code=2`)).toBe("'grant_type' parameter must not be provided twice");
  expect(await send(`${code}&redirect_uri=a&redirect_uri=b&code=1&code=2`)).toBe(
    "'code' and 'redirect_uri' parameters must not be provided twice",
  );
  // Tokens of other grants are ignored.
  expect(await send(`${code}&refresh_token=a&refresh_token=b`)).toBe("missing required parameter 'code'");
});

test('a wrong resource is refused after a wrong code, and takes back nothing', async () => {
  const { fetch } = await start({ login: 'ada' });
  const client = await register(fetch);
  const other = { resource: 'https://a.example/' };
  expect(await exchange(fetch, client, 'x', other)).toMatchObject({
    body: { error: 'invalid_grant', error_description: 'grant request is invalid' },
  });
  const back = await lead(fetch, toAddress(client, { scope: 'user_r offline_access' }));
  const code = back.searchParams.get('code') ?? '';
  const wrongTarget = { error: 'invalid_target', error_description: 'resource indicator is missing, or unknown' };
  expect(await exchange(fetch, client, code, other)).toMatchObject({ status: 400, body: wrongTarget });
  const { body } = await exchange(fetch, client, code);
  expect(await refresh(fetch, client, body.refresh_token, other)).toMatchObject({ status: 400, body: wrongTarget });
  expect(await refresh(fetch, client, body.refresh_token)).toMatchObject({ status: 200 });
});

test('the only redirect_uri of a client need not be repeated for its code, unless the login led elsewhere', async () => {
  const { fetch } = await start({ login: 'ada' });
  const client = await register(fetch);
  const redeem = async (redirectUri: string) => {
    const back = await lead(fetch, toAddress(client, { redirect_uri: redirectUri }));
    return await exchange(fetch, client, back.searchParams.get('code') ?? '', { redirect_uri: '' });
  };
  expect(await redeem(CALLBACK)).toMatchObject({ status: 200 });
  expect(await redeem('http://127.0.0.1:9/callback')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('the metadata of a client are checked', async () => {
  const { fetch } = await start();
  const errors = async (metadata: object) => {
    const response = await fetch('/oauth/reg', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://a.example/cb'], ...metadata }),
    });
    const { error, error_description: description } = Object(await response.json());
    return [response.status, error, description];
  };
  expect(await errors({ client_uri: 'nonsense' })).toEqual([
    400,
    'invalid_client_metadata',
    'client_uri must be a web uri',
  ]);
  expect(await errors({ scope: 'user_r nope' })).toEqual([
    400,
    'invalid_client_metadata',
    'scope must only contain Authorization Server supported scope values',
  ]);
  expect(await errors({ grant_types: null })).toEqual([400, 'invalid_client_metadata', 'grant_types must be an array']);
  expect(await errors({ redirect_uris: ['https://*.example/cb'] })).toEqual([
    400,
    'invalid_redirect_uri',
    'redirect_uris must only contain valid uris',
  ]);
});

test('a client gets no token by the code, the refresh token or the verifier of another one', async () => {
  const emulator = await start({ login: 'ada' });
  const { fetch } = emulator;
  const [client, other] = [await register(fetch), await register(fetch)];
  const log = async () => (await lead(fetch, toAddress(client, { scope: 'user_r offline_access' }))).searchParams;
  const code = (await log()).get('code') ?? '';
  expect(await exchange(fetch, other, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const wrong = { code_verifier: CHALLENGE_OF_ANOTHER };
  expect(await exchange(fetch, client, code, wrong)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const { body } = await exchange(fetch, client, code);
  expect(await refresh(fetch, other, body.refresh_token)).toMatchObject({ status: 400 });
  const wider = await refresh(fetch, client, body.refresh_token, { scope: 'user_r blob_rw' });
  expect(wider.body).toEqual({
    error: 'invalid_scope',
    error_description: 'refresh token missing requested scope',
  });
  const form = { client_id: 'val_town_vt', scope: 'a"b' };
  expect(await post(fetch, '/oauth/device/auth', form)).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  });
  expect(emulator.state({ tokens: true }).tokens).toHaveLength(1);
});

test('a page of another origin logs nobody in', async () => {
  const emulator = await start();
  const client = await register(emulator.fetch);
  const headers = { origin: 'http://evil.example' };
  const response = await post(emulator.fetch, toAddress(client), { user: 'ada', scope: 'user_r' }, headers);
  expect(response).toMatchObject({ status: 403, body: { error: 'access_denied' } });
  expect(emulator.state().grants ?? []).toEqual([]);
});

test('a form of a megabyte is refused', async () => {
  const emulator = await start();
  const client = await register(emulator.fetch);
  const response = await exchange(emulator.fetch, client, 'x'.repeat(1_000_000));
  expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('a page that forges the addresses of a proxy logs nobody in', async () => {
  const { fetch } = await start();
  const address = toAddress(await register(fetch));
  const forged = {
    ...{ origin: 'https://evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
    'sec-fetch-site': 'cross-site',
  };
  expect(await post(fetch, address, { user: 'ada' }, forged)).toMatchObject({
    status: 403,
    body: { error: 'access_denied', error_description: 'the form is of another origin' },
  });
});

test('a refusal that is sent twice stays one, and a typed name wins over the first button', async () => {
  const { fetch } = await start();
  const address = toAddress(await register(fetch));
  const decide = async (form: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(address, { method: 'POST', redirect: 'manual', headers, body: form });
    return new URL(response.headers.get('location') ?? '').searchParams;
  };
  expect((await decide('deny=1&deny=1&user=ada')).get('error')).toBe('access_denied');
  const code = (await decide('user=ada&other=grace&scope=user_r')).get('code') ?? '';
  const { body } = await exchange(fetch, new URLSearchParams(address.split('?')[1]).get('client_id') ?? '', code);
  const me = await fetch('/v1/me', { headers: { authorization: `Bearer ${body.access_token}` } });
  expect(await me.json()).toMatchObject({ username: 'grace' });
});

test.each([
  ['a port that no machine has', 'http://127.0.0.1:99999/callback'],
  ['no address', 'callback'],
])('%s is refused, although it resembles the one of the client', async (_, redirect_uri) => {
  const { fetch } = await start();
  const response = await fetch(toAddress(await register(fetch), { redirect_uri }));
  expect([response.status, Object(await response.json()).error]).toEqual([400, 'invalid_redirect_uri']);
});

test('an address beyond ASCII is encoded where a login leads', async () => {
  const { fetch } = await start();
  const uri = 'https://例え.test/cb';
  const id = await register(fetch, { redirect_uris: [uri], application_type: 'web' });
  const led = await post(fetch, toAddress(id, { redirect_uri: uri }), { deny: '1' });
  expect([led.status, led.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/%E4%BE%8B%E3%81%88\.test\/cb\?error=access_denied&/),
  ]);
});

test('after a reset, the login of another user has other secrets', async () => {
  const emulator = await start();
  const logIn = async (user: string) => {
    const id = await register(emulator.fetch);
    const led = new URL(await emulator.login(`http://localhost${toAddress(id)}`, { user }));
    const { body } = await exchange(emulator.fetch, id, led.searchParams.get('code') ?? '');
    return body.access_token;
  };
  const first = await logIn('ada');
  emulator.reset();
  expect(await logIn('grace')).not.toBe(first);
  expect((await emulator.fetch('/v1/me', { headers: { authorization: `Bearer ${first}` } })).status).toBe(401);
});
