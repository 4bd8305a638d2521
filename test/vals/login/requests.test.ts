import { describe, expect, test } from 'vitest';
import { CALLBACK, CHALLENGE, exchange, lead, post, register, start, toAddress, VERIFIER } from './support.js';

const ISSUER = 'http://localhost/oauth';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends the metadata of a client, and returns the status with the JSON of the response. */
async function registerWith(
  fetch: Awaited<ReturnType<typeof start>>['fetch'],
  body: string,
  type = 'application/json',
) {
  const response = await fetch('/oauth/reg', { method: 'POST', headers: { 'content-type': type }, body });
  return { status: response.status, body: await response.json() };
}

describe('registration', () => {
  test('a public client gets no secret', async () => {
    const { fetch } = await start();
    const metadata = {
      ...{ client_name: 'Probe', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], application_type: 'native' },
    };
    expect(await registerWith(fetch, JSON.stringify(metadata))).toEqual({
      status: 201,
      body: { client_id: expect.stringMatching(/^[\w-]{43}$/), client_id_issued_at: 1_767_225_600, ...metadata },
    });
  });

  test('another one gets a secret that does not expire', async () => {
    const { fetch } = await start();
    expect(await registerWith(fetch, JSON.stringify({ redirect_uris: ['https://app.example/cb'] }))).toMatchObject({
      status: 201,
      body: {
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
        ...{ client_secret_expires_at: 0, token_endpoint_auth_method: 'client_secret_basic' },
        ...{ application_type: 'web', grant_types: ['authorization_code'] },
      },
    });
  });

  test.each([
    ['{}', 'invalid_redirect_uri', 'redirect_uris is mandatory property'],
    ['{', 'invalid_request', 'failed to parse the request body'],
    ['[]', 'invalid_request', 'client registration request must be a JSON object'],
    ['{"redirect_uris":[]}', 'invalid_redirect_uri', 'redirect_uris must contain members'],
    ['{"redirect_uris":"x"}', 'invalid_redirect_uri', 'redirect_uris must be an array'],
    ['{"redirect_uris":[7]}', 'invalid_redirect_uri', 'redirect_uris must only contain strings'],
    ['{"redirect_uris":["/cb"]}', 'invalid_redirect_uri', 'redirect_uris must only contain valid uris'],
    [
      '{"redirect_uris":["https://*.example/cb"]}',
      'invalid_redirect_uri',
      'redirect_uris must only contain valid uris',
    ],
    ['{"redirect_uris":["https://a.example/#x"]}', 'invalid_redirect_uri', 'redirect_uris must not contain fragments'],
    ['{"redirect_uris":["javascript:alert(1)"]}', 'invalid_redirect_uri', 'redirect_uris must only contain web uris'],
    [
      '{"redirect_uris":["javascript:alert(1)"],"application_type":"native"}',
      'invalid_redirect_uri',
      'redirect_uris must not use the javascript URI scheme',
    ],
    [
      '{"redirect_uris":["http://evil.example/"],"application_type":"native"}',
      'invalid_redirect_uri',
      'redirect_uris for native clients using http as a protocol can only use loopback addresses as hostnames',
    ],
    [
      '{"redirect_uris":["https://a.example/"],"grant_types":["password"]}',
      'invalid_client_metadata',
      "grant_types can only contain 'authorization_code', 'refresh_token', 'client_credentials', or 'urn:ietf:params:oauth:grant-type:device_code'",
    ],
  ])('%s is %s', async (body, error, description) => {
    const emulator = await start();
    expect(await registerWith(emulator.fetch, body)).toEqual({
      status: 400,
      body: { error, error_description: description },
    });
    expect(emulator.state().clients).toEqual([]);
  });

  test('a body of another type is refused', async () => {
    const { fetch } = await start();
    expect(await registerWith(fetch, 'redirect_uris=x', FORM['content-type'])).toEqual({
      status: 400,
      body: {
        error: 'invalid_request',
        error_description: 'only application/json content-type bodies are supported on POST /reg',
      },
    });
  });
});

describe('authorization', () => {
  test.each([
    ['/oauth/auth', 'invalid_request', "missing required parameter 'client_id'"],
    ['/oauth/auth?client_id=nope&response_type=code', 'invalid_client', 'client is invalid'],
    ['/oauth/auth?client_id=https://a.example/client.json', 'invalid_client', 'client is invalid'],
  ])('%s leads nowhere', async (address, error, description) => {
    const { fetch } = await start({ login: 'ada' });
    const response = await fetch(address, { redirect: 'manual' });
    expect([response.status, await response.json()]).toEqual([400, { error, error_description: description }]);
  });

  test('the reason of a client ID metadata document says that the emulator fetches nothing', async () => {
    const emulator = await start();
    await emulator.fetch('/oauth/auth?client_id=https://a.example/client.json');
    expect(emulator.requests()).toMatchObject([
      {
        route: 'GET /oauth/auth',
        message: 'client is invalid',
        reason:
          'https://a.example/client.json is the address of a client ID metadata document, and the emulator fetches nothing: register the client by POST /oauth/reg, or define it in fixtures',
      },
    ]);
  });

  test.each([
    'http://evil.example/',
    `${CALLBACK}/more`,
    'http://127.0.0.1.evil.example:5899/callback',
    'javascript:alert(1)',
  ])('a login does not lead to %s', async (redirect_uri) => {
    const { fetch } = await start({ login: 'ada' });
    const response = await fetch(toAddress(await register(fetch), { redirect_uri }), { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), await response.json()]).toEqual([
      400,
      null,
      {
        error: 'invalid_redirect_uri',
        error_description: "redirect_uri did not match any of the client's registered redirect_uris",
      },
    ]);
  });

  test('a loopback address has any port', async () => {
    const { fetch } = await start({ login: 'ada' });
    const back = await lead(fetch, toAddress(await register(fetch), { redirect_uri: 'http://127.0.0.1:9/callback' }));
    expect([back.origin, back.searchParams.has('code')]).toEqual(['http://127.0.0.1:9', true]);
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type', 'unsupported response_type requested'],
    [{ response_type: '' }, 'invalid_request', "missing required parameter 'response_type'"],
    [{ response_mode: 'form_post' }, 'unsupported_response_mode', 'unsupported response_mode requested'],
    [
      { code_challenge: '', code_challenge_method: '' },
      'invalid_request',
      'Authorization Server policy requires PKCE to be used for this request',
    ],
    [{ code_challenge_method: '' }, 'invalid_request', 'code_challenge_method must be provided'],
    [{ code_challenge_method: 'plain' }, 'invalid_request', 'not supported value of code_challenge_method'],
    [
      { code_challenge: 'a' },
      'invalid_request',
      'code_challenge must be a string with a minimum length of 43 characters',
    ],
    [{ resource: 'abc' }, 'invalid_target', 'resource indicator must be an absolute URI'],
    [{ resource: 'https://other.example' }, 'invalid_target', 'resource indicator is missing, or unknown'],
    [{ prompt: 'none' }, 'login_required', 'End-User authentication is required'],
    [{ prompt: 'dance' }, 'invalid_request', 'unsupported prompt value requested'],
    [{ scope: 'user_r "' }, 'invalid_scope', 'scope contains invalid characters'],
  ])('%j leads back with %s', async (parameters, error, description) => {
    const { fetch } = await start({ login: 'ada' });
    const back = await lead(fetch, toAddress(await register(fetch), parameters));
    expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      ...{ error, error_description: description, state: 's1', iss: ISSUER },
    });
  });

  test('a parameter twice is refused', async () => {
    const { fetch } = await start({ login: 'ada' });
    const back = await lead(fetch, `${toAddress(await register(fetch))}&state=s2`);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'invalid_request',
      error_description: "'state' parameter must not be provided twice",
      iss: ISSUER,
    });
  });
});

describe('the page', () => {
  test('has a button for each user, and a box for each scope', async () => {
    const emulator = await start({ fixtures: { users: [{ username: 'ada' }, { username: 'grace' }] } });
    const client = await register(emulator.fetch, { client_name: '<b>Probe</b>' });
    const response = await emulator.fetch(toAddress(client, { scope: 'user_r', login_hint: 'grace' }));
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(html).toContain('<strong>&#60;b&#62;Probe&#60;/b&#62;</strong> (127.0.0.1:5899)');
    expect(html).toContain('<button name="user" value="ada">Log in as ada</button>');
    expect(html).toContain('<button name="user" value="grace" class="selected" autofocus>Log in as grace</button>');
    expect(html.match(/name="scope" value="(\w+)"/g)).toEqual(['name="scope" value="user_r"']);
    expect(html).not.toMatch(/<script|<b>/);
    expect(emulator.state().grants).toEqual([]);
  });

  test('gives the scopes that the user allows', async () => {
    const { fetch } = await start();
    const client = await register(fetch);
    const address = toAddress(client, { scope: 'user_r sqlite_rw' });
    const response = await fetch(address, {
      ...{ method: 'POST', redirect: 'manual', headers: { ...FORM, origin: 'http://localhost' } },
      body: 'user=ada&scope=sqlite_rw&scope=blob_rw',
    });
    expect(response.status).toBe(303);
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    expect((await exchange(fetch, client, code)).body.scope).toBe('sqlite_rw');
  });

  test('leads back with a refusal', async () => {
    const { fetch } = await start();
    const sent = await post(fetch, toAddress(await register(fetch)), { deny: '1' });
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      `${CALLBACK}?error=access_denied&error_description=End-User+aborted+interaction&state=s1&iss=http%3A%2F%2Flocalhost%2Foauth`,
    ]);
  });

  test.each(['https://evil.example', 'null'])('takes no form of the origin %s', async (origin) => {
    const emulator = await start();
    const address = toAddress(await register(emulator.fetch));
    expect(await post(emulator.fetch, address, { user: 'ada' }, { origin })).toMatchObject({
      status: 403,
      body: { error: 'access_denied' },
    });
    expect(emulator.state().grants).toEqual([]);
  });

  test('says what is wrong to a browser', async () => {
    const { fetch } = await start();
    const response = await fetch('/oauth/auth?client_id=<nope>', { headers: { accept: 'text/html' } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('invalid_client: client is invalid (there is no client &#60;nope&#62;');
  });
});

describe('tokens', () => {
  test.each([
    [{}, 400, 'invalid_request', 'no client authentication mechanism provided'],
    [{ grant_type: 'authorization_code' }, 400, 'invalid_request', 'no client authentication mechanism provided'],
    [{ client_id: 'nope', grant_type: 'authorization_code' }, 401, 'invalid_client', 'client authentication failed'],
    [{ client_id: 'val_town_vt' }, 400, 'invalid_request', "missing required parameter 'grant_type'"],
    [
      { client_id: 'val_town_vt', grant_type: 'password' },
      400,
      'unsupported_grant_type',
      'unsupported grant_type requested',
    ],
    [
      { client_id: 'val_town_vt', grant_type: 'client_credentials' },
      400,
      'invalid_request',
      'requested grant type is not allowed for this client',
    ],
    [{ client_id: 'val_town_vt', client_secret: 'x' }, 401, 'invalid_client', 'client authentication failed'],
    [
      { client_id: 'val_town_vt', grant_type: 'refresh_token' },
      400,
      'invalid_request',
      "missing required parameter 'refresh_token'",
    ],
    [
      { client_id: 'val_town_vt', grant_type: 'refresh_token', refresh_token: 'x' },
      400,
      'invalid_grant',
      'grant request is invalid',
    ],
  ])('the form %j is a %d', async (form, status, error, description) => {
    const { fetch } = await start();
    expect(await post(fetch, '/oauth/token', form)).toMatchObject({
      status,
      body: { error, error_description: description },
    });
  });

  test('a form of another type, or one that is too large, is refused', async () => {
    const { fetch } = await start();
    expect(await post(fetch, '/oauth/token', {}, { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        error_description: 'only application/x-www-form-urlencoded content-type bodies are supported on POST /token',
      },
    });
    expect(await post(fetch, '/oauth/token', { code: 'x'.repeat(1_000_000) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'failed to parse the request body' },
    });
  });

  test('a client with a secret proves itself by a header or by a form, and has no other secret', async () => {
    const client = { client_id: 'agent', client_secret: 's3cret+', redirect_uris: [CALLBACK] };
    const { fetch } = await start({ fixtures: { users: [{ username: 'ada' }], clients: [client] } });
    const form = { grant_type: 'client_credentials', scope: 'user_r offline_access' };
    const basic = (secret: string) => ({ authorization: `Basic ${btoa(`agent:${encodeURIComponent(secret)}`)}` });
    const response = { access_token: expect.any(String), expires_in: 86_400, scope: 'user_r', token_type: 'Bearer' };
    expect(await post(fetch, '/oauth/token', form, basic('s3cret+'))).toMatchObject({ status: 200, body: response });
    const { status, body } = await post(fetch, '/oauth/token', {
      ...form,
      client_id: 'agent',
      client_secret: 's3cret+',
    });
    expect([status, body]).toEqual([200, response]);
    const me = await fetch('/v1/me', { headers: { authorization: `Bearer ${body.access_token}` } });
    expect(await me.json()).toMatchObject({ username: 'ada' });
    const wrong = await post(fetch, '/oauth/token', form, basic('other'));
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      `Basic realm="${ISSUER}", error="invalid_client", error_description="client authentication failed"`,
    ]);
    expect((await post(fetch, '/oauth/token', { ...form, client_id: 'agent' })).status).toBe(401);
  });

  const reasonOf = async (parameters: object) => {
    const emulator = await start({ login: 'ada' });
    const client = await register(emulator.fetch);
    const back = await lead(emulator.fetch, toAddress(client));
    const code = back.searchParams.get('code') ?? '';
    const { status, body } = await exchange(emulator.fetch, client, code, parameters);
    expect([status, body.error, body.error_description]).toEqual([400, 'invalid_grant', 'grant request is invalid']);
    expect(emulator.state().tokens.filter(({ grant }) => grant !== undefined)).toEqual([]);
    return { emulator, client, code, reason: emulator.requests().at(-1)?.reason };
  };

  test('a wrong verifier is named in the journal alone, and leaves the code', async () => {
    const { emulator, client, code, reason } = await reasonOf({ code_verifier: 'a'.repeat(43) });
    expect(reason).toBe('the code_verifier is not the one of the code_challenge that the login was begun with');
    expect((await exchange(emulator.fetch, client, code)).status).toBe(200);
  });

  test('another redirect_uri is named in the journal alone', async () => {
    const { reason } = await reasonOf({ redirect_uri: 'http://127.0.0.1:1/callback' });
    expect(reason).toBe(`the redirect_uri is another one than at the login, which led to ${CALLBACK}`);
  });

  test('a code of another client is named in the journal alone', async () => {
    const emulator = await start({ login: 'ada' });
    const client = await register(emulator.fetch);
    const code = (await lead(emulator.fetch, toAddress(client))).searchParams.get('code') ?? '';
    const other = await register(emulator.fetch);
    expect(await exchange(emulator.fetch, other, code)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(emulator.requests().at(-1)?.reason).toBe(`the code is of the client ${client}`);
    expect((await exchange(emulator.fetch, client, code)).status).toBe(200);
  });

  test('a code that is used twice at once gives tokens once, and then revokes them', async () => {
    const emulator = await start({ login: 'ada' });
    const client = await register(emulator.fetch);
    const code = (await lead(emulator.fetch, toAddress(client))).searchParams.get('code') ?? '';
    const sent = await Promise.all([exchange(emulator.fetch, client, code), exchange(emulator.fetch, client, code)]);
    expect(sent.map(({ status }) => status)).toEqual([200, 400]);
    expect(emulator.requests().at(-1)?.reason).toBe(
      'the code was used before, which has revoked all tokens of its login',
    );
    const { access_token: token } = sent[0]?.body ?? {};
    expect((await emulator.fetch('/v1/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    expect(emulator.state().grants).toEqual([]);
  });
});

test('the example of RFC 7636 has its challenge', () => {
  expect(CHALLENGE).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  expect(VERIFIER).toHaveLength(43);
});
