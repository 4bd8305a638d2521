import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { type Emulator, NotFoundError } from '../../../src/index.js';
import { CALLBACK, exchange, lead, post, refresh, register, start, toAddress } from './support.js';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const DAY = 24 * 3_600_000;

/** Logs ada in, and returns the client and the tokens. */
async function logIn({ fetch }: Pick<Emulator, 'fetch'>, scope = 'user_r offline_access') {
  const client = await register(fetch);
  const back = await lead(fetch, toAddress(client, { scope }));
  const { body } = await exchange(fetch, client, back.searchParams.get('code') ?? '');
  return { client, access: String(body.access_token), refreshToken: String(body.refresh_token), body };
}

const me = async ({ fetch }: Pick<Emulator, 'fetch'>, token: string) =>
  (await fetch('/v1/me', { headers: { authorization: `Bearer ${token}` } })).status;

describe('by the clock of the sandbox', () => {
  test('an access token expires after a day, and the journal says when', async () => {
    const emulator = await start({ login: 'ada' });
    const { access } = await logIn(emulator);
    emulator.clock.advance(DAY - 1);
    expect(await me(emulator, access)).toBe(200);
    emulator.clock.advance(1);
    expect(await me(emulator, access)).toBe(401);
    expect(emulator.requests().at(-1)).toMatchObject({
      ...{ user: null, message: 'Unauthorized', reason: 'the token expired at 2026-01-02T00:00:00.000Z' },
    });
  });

  test('an expired token is no token of the first user in lenient mode', async () => {
    const emulator = await start({ login: 'ada', auth: 'lenient' });
    const { access } = await logIn(emulator);
    emulator.clock.advance('24h');
    expect(await me(emulator, access)).toBe(401);
    expect(await me(emulator, 'unknown')).toBe(200);
  });

  test('a refresh token expires after 90 days, counted from each use', async () => {
    const emulator = await start({ login: 'ada' });
    const { client, refreshToken } = await logIn(emulator);
    emulator.clock.advance('89d');
    const second = await refresh(emulator.fetch, client, refreshToken);
    expect(second.status).toBe(200);
    emulator.clock.advance('90d');
    const third = await refresh(emulator.fetch, client, second.body.refresh_token);
    expect(third).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(emulator.requests().at(-1)?.reason).toBe('the refresh token expired at 2026-06-29T00:00:00.000Z');
  });

  test('a code expires after a minute, and leaves with the next login', async () => {
    const emulator = await start({ login: 'ada' });
    const client = await register(emulator.fetch);
    const code = (await lead(emulator.fetch, toAddress(client))).searchParams.get('code') ?? '';
    emulator.clock.advance('1m');
    expect((await exchange(emulator.fetch, client, code)).status).toBe(400);
    expect(emulator.requests().at(-1)?.reason).toBe('the code expired at 2026-01-01T00:01:00.000Z');
    expect(emulator.state().grants).toHaveLength(1);
    await lead(emulator.fetch, toAddress(client));
    expect(emulator.state().grants).toMatchObject([{ expiresAt: '2026-01-01T00:02:00.000Z' }]);
  });

  test('a token of fixtures expires as well', async () => {
    const tokens = [{ user: 'ada', token: 'short', expiresAt: '+1h' }];
    const emulator = await start({ fixtures: { users: [{ username: 'ada' }], tokens } });
    expect(await me(emulator, 'short')).toBe(200);
    emulator.clock.advance('1h');
    expect(await me(emulator, 'short')).toBe(401);
    expect(emulator.state().tokens).toMatchObject([{ token: 'short', expiresAt: '2026-01-01T01:00:00.000Z' }]);
  });
});

describe('as other records', () => {
  test('a login is rewound, reset, forked and exported', async () => {
    const emulator = await start({ login: 'ada' });
    const { client, access, refreshToken } = await logIn(emulator);
    const [fork] = emulator.forks(1);
    const other = await start({ fixtures: emulator.state() });
    emulator.rewind(1);
    expect(await me(emulator, access)).toBe(401);
    emulator.reset();
    expect(emulator.state().clients).toEqual([]);
    expect(fork && (await me(fork, access))).toBe(200);
    expect(await me(other, access)).toBe(200);
    expect((await refresh(other.fetch, client, refreshToken)).status).toBe(200);
  });

  test('a login goes with its user and with its client', async () => {
    const emulator = await start({ login: 'ada' });
    await logIn(emulator);
    const { client } = await logIn(emulator);
    const control = connect((await listening(emulator)).url);
    await fetch(`${control.url}/_emulator/records/clients/${client}`, { method: 'DELETE' });
    expect(emulator.state().grants).toHaveLength(1);
    const [{ id } = { id: '' }] = emulator.users;
    await fetch(`${control.url}/_emulator/records/users/${id}`, { method: 'DELETE' });
    const { grants, tokens } = emulator.state();
    expect([grants, tokens]).toEqual([[], []]);
  });

  test('a login survives a restart with a data folder', async () => {
    const data = mkdtempSync(join(tmpdir(), 'val-emulator-login-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    const first = await start({ login: 'ada', data });
    const client = await register(first.fetch);
    const code =
      (await lead(first.fetch, toAddress(client, { scope: 'openid user_r' }))).searchParams.get('code') ?? '';
    const keys = await (await first.fetch('/oauth/jwks')).json();
    await first.close();
    const second = await start({ login: 'ada', data });
    const { status, body } = await exchange(second.fetch, client, code);
    expect(status).toBe(200);
    expect(await me(second, body.access_token)).toBe(200);
    expect(await (await second.fetch('/oauth/jwks')).json()).toEqual(keys);
    expect((await exchange(second.fetch, client, code)).status).toBe(400);
  });

  test('a fault makes the token endpoint fail', async () => {
    const emulator = await start({ login: 'ada' });
    emulator.fail('POST /oauth/token', { status: 400, body: { error: 'slow_down' }, times: 1 });
    expect(await post(emulator.fetch, '/oauth/token', {})).toMatchObject({ status: 400, body: { error: 'slow_down' } });
  });

  test('no record of requests, no session and no row has a secret', async () => {
    const emulator = await start({ login: 'ada' });
    const { access, refreshToken } = await logIn(emulator);
    const back = await lead(
      emulator.fetch,
      toAddress(await register(emulator.fetch, { token_endpoint_auth_method: 'client_secret_post' })),
    );
    const code = back.searchParams.get('code') ?? '';
    const [{ client_secret: secret = '' } = {}] = emulator.state().clients.filter(({ client_secret }) => client_secret);
    const rows = await (await emulator.fetch('/_emulator/records/grants')).text();
    const texts = [JSON.stringify(emulator.requests()), emulator.session(), rows];
    for (const each of [access, refreshToken, code, secret]) {
      expect(each).toMatch(/^[\w-]{43}$/);
      for (const text of texts) expect(text).not.toContain(each);
    }
    expect(emulator.requests().filter(({ route }) => route === 'POST /oauth/token')).toMatchObject([
      {
        request: { body: expect.stringContaining('grant_type=authorization_code') },
        response: { body: { access_token: '(removed)', refresh_token: '(removed)', token_type: 'Bearer' } },
      },
    ]);
  });

  test('registrations and logins are bounded', async () => {
    const emulator = await start({ login: 'ada' });
    const used = await register(emulator.fetch);
    await lead(emulator.fetch, toAddress(used));
    const first = await register(emulator.fetch);
    for (let i = 0; i < 1_000; i++) await register(emulator.fetch);
    const ids = emulator.state().clients.map(({ client_id }) => client_id);
    expect(ids).toHaveLength(1_000);
    expect([ids.includes(used), ids.includes(first)]).toEqual([true, false]);
  });
});

describe('of a device', () => {
  const begin = async ({ fetch }: Pick<Emulator, 'fetch'>) =>
    await post(fetch, '/oauth/device/auth', {
      client_id: 'val_town_vt',
      scope: 'openid offline_access project_rw user_r',
    });
  const poll = async ({ fetch }: Pick<Emulator, 'fetch'>, code: string) =>
    await post(fetch, '/oauth/token', { client_id: 'val_town_vt', grant_type: DEVICE, device_code: code });

  test('the command-line tool waits until a user has decided', async () => {
    const emulator = await start();
    const { status, body } = await begin(emulator);
    expect([status, body]).toEqual([
      200,
      {
        device_code: expect.stringMatching(/^[\w-]{43}$/),
        user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
        verification_uri: 'http://localhost/oauth/device',
        verification_uri_complete: `http://localhost/oauth/device?user_code=${body.user_code}`,
        expires_in: 600,
      },
    ]);
    expect(await poll(emulator, body.device_code)).toMatchObject({
      status: 400,
      body: { error: 'authorization_pending' },
    });
    await emulator.approve(body.user_code.toLowerCase().replace('-', ' '), { user: 'ada' });
    const { status: done, body: tokens } = await poll(emulator, body.device_code);
    expect([done, tokens.scope]).toEqual([200, 'user_r project_rw']);
    expect(await me(emulator, tokens.access_token)).toBe(200);
    expect(await poll(emulator, body.device_code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await expect(emulator.approve(body.user_code, { user: 'ada' })).rejects.toThrow(
      'invalid_request: The code you entered is incorrect. Try again.',
    );
  });

  test('a refusal and the end of ten minutes end it', async () => {
    const emulator = await start();
    const refused = (await begin(emulator)).body;
    await emulator.approve(refused.user_code, { user: 'ada', deny: true });
    expect(await poll(emulator, refused.device_code)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    const late = (await begin(emulator)).body;
    emulator.clock.advance('10m');
    await expect(emulator.approve(late.user_code, { user: 'ada' })).rejects.toThrow('expired_token');
    expect(await poll(emulator, late.device_code)).toMatchObject({ status: 400, body: { error: 'expired_token' } });
  });

  test('its page asks for the code, and then who logs in', async () => {
    const emulator = await start();
    const { body } = await begin(emulator);
    expect(await (await emulator.fetch('/oauth/device')).text()).toContain('name="user_code"');
    const asked = await emulator.fetch(`/oauth/device?user_code=${body.user_code}`);
    expect(await asked.text()).toContain('<button name="user" value="ada">Log in as ada</button>');
    const wrong = await emulator.fetch('/oauth/device?user_code=BBBB-BBBB');
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining('The code you entered is incorrect'),
    ]);
    const sent = await post(emulator.fetch, '/oauth/device', {
      user_code: body.user_code,
      user: 'ada',
      scope: 'user_r',
    });
    expect([sent.status, sent.body]).toEqual([200, expect.stringContaining('The device is logged in as ada.')]);
    expect((await poll(emulator, body.device_code)).body.scope).toBe('user_r');
  });

  test('the option login decides at once', async () => {
    const emulator = await start({ login: 'ada' });
    const { body } = await begin(emulator);
    expect((await poll(emulator, body.device_code)).status).toBe(200);
  });
});

/** Finds a port of this machine that is free. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function listening(emulator: Emulator): Promise<Emulator> {
  await emulator.listen('127.0.0.1', 0);
  return emulator;
}

describe('by a program', () => {
  test('a login ends with the callback URL, in this process and in another', async () => {
    const emulator = await listening(await start());
    const client = await register(emulator.fetch);
    const address = emulator.url + toAddress(client, { scope: 'user_r sqlite_rw' });
    const control = connect(emulator.url);
    for (const each of [emulator, control]) {
      const back = new URL(await each.login(address, { user: 'ada', scopes: ['sqlite_rw'] }));
      expect(back.searchParams.get('iss')).toBe(`${emulator.url}/oauth`);
      const code = back.searchParams.get('code') ?? '';
      expect((await exchange(emulator.fetch, client, code)).body.scope).toBe('sqlite_rw');
      expect(await each.login(address, { user: 'ada', deny: true })).toContain('error=access_denied');
    }
    const { body } = await post(emulator.fetch, '/oauth/device/auth', { client_id: 'val_town_vt' });
    await control.approve(body.user_code, { user: 'ada' });
    expect(emulator.state().grants.at(-1)).toMatchObject({ client: 'val_town_vt', user: 'ada' });
    expect(emulator.history().at(-1)?.request).toBe('POST /_emulator/login');
  });

  test('wrong ones change nothing', async () => {
    const emulator = await start();
    const client = await register(emulator.fetch);
    const address = `http://localhost${toAddress(client, { scope: 'user_r' })}`;
    await expect(emulator.login(address, { user: 'adda' })).rejects.toThrow(
      new NotFoundError('There is no user "adda". Did you mean "ada"?'),
    );
    await expect(emulator.login(address, { user: 'ada', scopes: ['blob_rw'] })).rejects.toThrow(
      'The login does not ask for the scope "blob_rw". It asks for user_r.',
    );
    await expect(emulator.login('http://localhost/v1/me', { user: 'ada' })).rejects.toThrow(
      'is not the address of a login',
    );
    const unknown = 'http://localhost/oauth/auth?client_id=nope';
    await expect(emulator.login(unknown, { user: 'ada' })).rejects.toThrow('invalid_client: client is invalid');
    const plain = address.replace('S256', 'plain');
    expect(await emulator.login(plain, { user: 'ada' })).toContain(`${CALLBACK}?error=invalid_request`);
    expect(emulator.state().grants).toEqual([]);
  });
});

describe('as clients find it', () => {
  test.each(['', '/_sandbox/one'])('the metadata of %j name the issuer that they were derived from', async (prefix) => {
    const { url } = await listening(await start());
    const base = url + prefix;
    const read = async (path: string) => await (await fetch(url + path)).json();
    for (const path of [
      `${prefix}/.well-known/oauth-protected-resource`,
      `/.well-known/oauth-protected-resource${prefix}/v3/mcp`,
    ]) {
      expect(await read(path)).toEqual({
        resource: base,
        authorization_servers: [`${base}/oauth`],
        scopes_supported: [
          ...['user_r', 'project_rw', 'blob_rw', 'sqlite_rw', 'email_rw', 'telemetry_r', 'openid', 'profile', 'email'],
        ],
        bearer_methods_supported: ['header'],
      });
    }
    const paths = [
      `/.well-known/oauth-authorization-server${prefix}/oauth`,
      `/.well-known/openid-configuration${prefix}/oauth`,
      `${prefix}/oauth/.well-known/openid-configuration`,
    ];
    for (const path of paths) {
      expect(await read(path)).toMatchObject({
        issuer: `${base}/oauth`,
        authorization_endpoint: `${base}/oauth/auth`,
        token_endpoint: `${base}/oauth/token`,
        registration_endpoint: `${base}/oauth/reg`,
        device_authorization_endpoint: `${base}/oauth/device/auth`,
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
      });
    }
    expect((await fetch(`${url}/.well-known/oauth-authorization-server/v3/mcp`)).status).toBe(404);
  });

  test('the public URL is the base of the issuer, and that of the service has its login elsewhere', async () => {
    const own = await start({ publicUrl: 'https://vals.example/api' });
    const read = async ({ fetch }: Pick<Emulator, 'fetch'>, path: string) => await (await fetch(path)).json();
    expect(await read(own, '/.well-known/oauth-authorization-server/oauth')).toMatchObject({
      issuer: 'https://vals.example/api/oauth',
    });
    const real = await start({ publicUrl: 'https://api.val.town' });
    expect(await read(real, '/.well-known/oauth-protected-resource')).toMatchObject({
      resource: 'https://api.val.town',
      authorization_servers: ['https://www.val.town/oauth'],
    });
  });

  test('with the specification alone there is no login', async () => {
    const { fetch } = await start({ specOnly: true });
    expect((await fetch('/.well-known/oauth-protected-resource')).status).toBe(404);
    expect((await fetch('/oauth/token', { method: 'POST' })).status).toBe(404);
  });

  test('a token without a scope learns which one it needs', async () => {
    const emulator = await start({ login: 'ada' });
    const { access } = await logIn(emulator, 'user_r');
    const response = await emulator.fetch('/v2/me/vals', { headers: { authorization: `Bearer ${access}` } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="project_rw", resource_metadata="http://localhost/.well-known/oauth-protected-resource"',
    ]);
    emulator.clock.advance('24h');
    const late = await emulator.fetch('/v2/me/vals', { headers: { authorization: `Bearer ${access}` } });
    expect([late.status, late.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token", scope="user_r project_rw blob_rw sqlite_rw email_rw telemetry_r", resource_metadata="http://localhost/.well-known/oauth-protected-resource"',
    ]);
  });

  test('the key of the metadata verifies an id_token', async () => {
    const emulator = await start({ login: 'ada' });
    const client = await register(emulator.fetch);
    const back = await lead(emulator.fetch, toAddress(client, { scope: 'openid email', nonce: 'n1' }));
    const { body } = await exchange(emulator.fetch, client, back.searchParams.get('code') ?? '');
    const [header = '', claims = '', signature = ''] = body.id_token.split('.');
    const { keys } = Object(await (await emulator.fetch('/oauth/jwks')).json());
    const key = createPublicKey({ key: keys[0], format: 'jwk' });
    const isValid = verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
    expect(isValid).toBe(true);
    const [ada] = emulator.users;
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      ...{ iss: 'http://localhost/oauth', sub: ada?.id, aud: client, nonce: 'n1', email: 'ada@example.com' },
      ...{ iat: 1_767_225_600, exp: 1_767_229_200 },
    });
  });

  test('a second port serves the same, with its own issuer', async () => {
    const port = await findFreePort();
    const emulator = await start({ listen: true, port: 0, loginPort: port, login: 'ada' });
    const second = `http://127.0.0.1:${port}`;
    const issuers: string[] = [];
    for (const base of [emulator.url, second]) {
      const { issuer } = Object(await (await fetch(`${base}/oauth/.well-known/openid-configuration`)).json());
      issuers.push(issuer);
    }
    expect(issuers).toEqual([`${emulator.url}/oauth`, `${second}/oauth`]);
    const { access } = await logIn({ fetch: (path, init) => fetch(second + String(path), init) });
    expect(await me(emulator, access)).toBe(200);
    const headers = { authorization: `Bearer ${access}` };
    const { username } = Object(await (await fetch(`${second}/v1/me`, { headers })).json());
    expect(username).toBe('ada');
    await emulator.close();
    await expect(fetch(second)).rejects.toThrow('fetch failed');
  });
});
