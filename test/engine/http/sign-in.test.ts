import { describe, expect, test } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { requestFrom } from '../../support/request-from.js';

const TOKEN = 'control-token-1';
const FAR = '203.0.113.9';
const HOST = 'build-box:4010';
const ORIGIN = `http://${HOST}`;
const PAGE = { host: HOST, 'x-emulator-page': '1' };
const POSTED = { ...PAGE, origin: ORIGIN, 'content-type': 'application/json' };

type Headers = Readonly<Record<string, string>>;

const start = (options?: EmulatorOptions) =>
  emulate({ users: [{ username: 'ada' }] }, { controlToken: TOKEN, allowedHosts: ['build-box'], ...options });

const signIn = (emulator: Emulator, token: string, headers: Headers = POSTED) =>
  requestFrom(emulator, FAR, '/_emulator/sign-in', headers, { method: 'POST', body: JSON.stringify({ token }) });

/** Signs in, and returns the cookie as a browser sends it. */
async function getCookie(emulator: Emulator): Promise<string> {
  const { headers } = await signIn(emulator, TOKEN);
  return headers['set-cookie']?.replace(/;.*/, '') ?? '';
}

const read = async (emulator: Emulator, headers: Headers) =>
  (await requestFrom(emulator, FAR, '/_emulator/users', headers)).status;
const reset = async (emulator: Emulator, headers: Headers) =>
  (await requestFrom(emulator, FAR, '/_emulator/reset', headers, { method: 'POST' })).status;
const messageOf = ({ body }: { readonly body?: unknown }) => JSON.parse(String(body)).message;

describe('a page of another machine', () => {
  test('signs in with the token, and gets a cookie that is not the token', async () => {
    const emulator = await start();
    const { status, headers } = await signIn(emulator, TOKEN);

    expect(status).toBe(204);
    expect(headers['set-cookie']).toMatch(/^emulator-[\da-f-]{36}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(headers['set-cookie']).not.toContain(TOKEN);
    const cookie = await getCookie(emulator);
    expect(await read(emulator, { ...PAGE, cookie })).toBe(200);
    expect(await read(emulator, { ...PAGE, cookie: `a=1; ${cookie}; b=2` })).toBe(200);
    expect(await reset(emulator, { ...POSTED, cookie })).toBe(200);
    expect(await read(emulator, PAGE)).toBe(403);
    expect(await read(emulator, { ...PAGE, cookie: `${cookie}x` })).toBe(403);
  });

  test('sends the cookie to the mount of the emulator only, and over TLS only if it came so', async () => {
    const emulator = await start();
    const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/fake' };
    const { headers } = await signIn(emulator, TOKEN, { ...POSTED, ...proxied, origin: `https://${HOST}` });

    expect(headers['set-cookie']).toMatch(/=[\w-]{43}; Path=\/fake; HttpOnly; SameSite=Strict; Secure$/);
  });

  test('signs out', async () => {
    const emulator = await start();
    const cookie = await getCookie(emulator);
    const other = await getCookie(emulator);
    const signOut = { method: 'POST' };
    const { status, headers } = await requestFrom(emulator, FAR, '/_emulator/sign-out', { ...POSTED, cookie }, signOut);

    expect([status, headers['set-cookie']]).toEqual([
      204,
      expect.stringMatching(/^emulator-[\da-f-]{36}=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/),
    ]);
    expect(await read(emulator, { ...PAGE, cookie })).toBe(403);
    expect(await read(emulator, { ...PAGE, cookie: other })).toBe(200);
  });

  test('is signed out by a restart, and its cookie is that of one emulator', async () => {
    const [one, two] = [await start(), await start()];
    const cookie = await getCookie(one);

    expect(await read(two, { ...PAGE, cookie })).toBe(403);
    expect((await getCookie(two)).split('=')[0]).not.toBe(cookie.split('=')[0]);
  });
});

describe('a request that relies on the cookie', () => {
  test.each<[string, Headers, number]>([
    ['has the header of the page', { host: HOST }, 403],
    ['has it as it is', { ...PAGE, 'x-emulator-page': '2' }, 403],
    ['may read without an origin', PAGE, 200],
    ['may read from its own origin', { ...PAGE, origin: ORIGIN }, 200],
    ['may not read from another port of the host', { ...PAGE, origin: 'http://build-box:3000' }, 403],
    ['may not read from another scheme', { ...PAGE, origin: `https://${HOST}` }, 403],
    ['may not read from this machine', { ...PAGE, origin: 'http://localhost:4010' }, 403],
    ['may not read from nowhere', { ...PAGE, origin: 'null' }, 403],
    ['may read by the same origin', { ...PAGE, 'sec-fetch-site': 'same-origin' }, 200],
    ['may not read by another port', { ...PAGE, 'sec-fetch-site': 'same-site' }, 403],
    ['may not read by another site', { ...PAGE, 'sec-fetch-site': 'cross-site' }, 403],
    ['may not read by an address that was typed', { ...PAGE, 'sec-fetch-site': 'none' }, 403],
    ['names an allowed host', { ...PAGE, host: 'evil.test', origin: 'http://evil.test' }, 403],
    ['names an allowed host, also of this machine', { ...PAGE, host: '192.168.1.5:4010' }, 403],
  ])('%s', async (_, headers, status) => {
    const emulator = await start();
    const cookie = await getCookie(emulator);

    expect(await read(emulator, { ...headers, cookie })).toBe(status);
  });

  test.each<[string, Headers, number]>([
    ['with its own origin', POSTED, 200],
    ['with an origin', PAGE, 403],
    ['not from another port of the host', { ...POSTED, origin: 'http://build-box:3000' }, 403],
    ['not as a form of another port', { host: HOST, origin: 'http://build-box:3000' }, 403],
    ['not by another port', { ...POSTED, 'sec-fetch-site': 'same-site' }, 403],
  ])('writes %s', async (_, headers, status) => {
    const emulator = await start();
    emulator.add.user({ username: 'eve' });
    const cookie = await getCookie(emulator);

    expect(await reset(emulator, { ...headers, cookie })).toBe(status);
    expect(emulator.users).toHaveLength(status === 200 ? 1 : 2);
  });

  test('that is refused says what it lacks', async () => {
    const emulator = await start();
    const cookie = await getCookie(emulator);

    expect(messageOf(await requestFrom(emulator, FAR, '/_emulator/users', { host: HOST, cookie }))).toBe(
      'The control API accepts a sign-in from its own page only, with X-Emulator-Page: 1; found ""',
    );
  });

  test.each<[string, Headers, number]>([
    ['of the page', { host: HOST, 'sec-fetch-site': 'same-origin' }, 200],
    ['of the page, by a browser that says nothing of it', { host: HOST }, 200],
    ['of another port', { host: HOST, 'sec-fetch-site': 'same-site' }, 403],
    ['with another header', { host: HOST, 'x-emulator-page': '2' }, 403],
  ])('for the frame of an email lacks the header: %s', async (_, headers, status) => {
    const emulator = await start();
    const { id } = emulator.add.email({ user: 'ada', to: 'a@b.test', html: '<p>Hello</p>' });
    const cookie = await getCookie(emulator);
    const response = await requestFrom(emulator, FAR, `/_emulator/emails/${id}/html`, { ...headers, cookie });

    expect(response.status).toBe(status);
    if (status === 200) expect(response.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect((await requestFrom(emulator, FAR, `/_emulator/emails/${id}`, { ...headers, cookie })).status).toBe(403);
  });

  test('has no preflight that succeeds', async () => {
    const emulator = await start();
    const asked = { host: HOST, origin: 'http://build-box:3000', 'access-control-request-headers': 'x-emulator-page' };
    for (const path of ['reset', 'sign-in']) {
      const response = await requestFrom(emulator, FAR, `/_emulator/${path}`, asked, { method: 'OPTIONS' });
      expect([response.status, response.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
  });
});

describe('a sign-in', () => {
  test.each<[string, Headers]>([
    ['of another port of the host', { ...POSTED, origin: 'http://build-box:3000' }],
    ['without an origin', { ...PAGE, 'content-type': 'application/json' }],
    ['without the header of the page', { host: HOST, origin: ORIGIN, 'content-type': 'application/json' }],
    ['of a host that is not allowed', { ...POSTED, host: 'evil.test', origin: 'http://evil.test' }],
  ])('%s is refused, with the right token too', async (_, headers) => {
    const emulator = await start();
    const { status, headers: sent } = await signIn(emulator, TOKEN, headers);

    expect([status, sent['set-cookie']]).toEqual([403, undefined]);
  });

  test('with wrong tokens counts as a header with wrong tokens', async () => {
    const emulator = await start();
    const wrong = { host: HOST, 'x-emulator-control-token': 'wrong' };
    for (let count = 0; count < 5; count++) {
      expect(await read(emulator, wrong)).toBe(403);
      const refused = await signIn(emulator, 'wrong');
      expect([refused.status, messageOf(refused)]).toEqual([403, 'This is not the control token of the emulator.']);
    }

    expect((await signIn(emulator, TOKEN)).status).toBe(429);
    expect(await read(emulator, { host: HOST, 'x-emulator-control-token': TOKEN })).toBe(429);
  });

  test('has no token in the log', async () => {
    const logged: unknown[] = [];
    const emulator = await start({ onRequest: (request) => logged.push(request) });
    const { ended } = await signIn(emulator, TOKEN);
    ended?.('sent');

    expect(logged).toMatchObject([{ method: 'POST', target: '/_emulator/sign-in', status: 204 }]);
    expect(JSON.stringify(logged)).not.toContain(TOKEN);
  });

  test('needs the option controlToken', async () => {
    const emulator = await emulate({ users: [] });
    const near = { ...POSTED, host: 'localhost', origin: 'http://localhost' };
    const sent = { method: 'POST', body: '{"token":"a"}' };
    const response = await requestFrom(emulator, '127.0.0.1', '/_emulator/sign-in', near, sent);

    expect([response.status, messageOf(response)]).toEqual([
      404,
      'This emulator has no control token to sign in with. Start it with --control-token.',
    ]);
    expect((await requestFrom(emulator, FAR, '/_emulator/sign-in', POSTED, sent)).status).toBe(403);
  });
});

describe('the page', () => {
  const refusalOf = ({ pipeline }: Emulator, url: string, host = HOST) => {
    const sent = { scheme: 'http', host, ownHost: () => host, mount: '', refusal: undefined, start: 0 } as const;
    const header = (name: string) => (name === 'host' ? host : undefined);
    return pipeline.accept({ ...sent, method: 'GET', url, header, headers: [], remoteAddress: FAR }).refusal?.status;
  };

  test('is open with a control token, since it has no data', async () => {
    const emulator = await start();

    expect(refusalOf(emulator, '/_emulator/ui/')).toBe(undefined);
    expect(refusalOf(emulator, '/_sandbox/one/_emulator/ui/app.js')).toBe(undefined);
    expect(refusalOf(emulator, '/_emulator/ui/', 'evil.test')).toBe(403);
    expect(refusalOf(emulator, '/_emulator/mcp')).toBe(403);
    expect(refusalOf(emulator, '/_emulator/ui')).toBe(403);
    const closed = await start({ controlToken: undefined });
    expect(refusalOf(closed, '/_emulator/ui/')).toBe(403);
  });

  test('is where the base URL leads a browser', async () => {
    const accept = 'text/html';
    const { status, headers } = await requestFrom(await start(), FAR, '/', { host: HOST, accept });

    expect([status, headers.location]).toEqual([302, `${ORIGIN}/_emulator/ui/`]);
    const others = await requestFrom(await start(), FAR, '/', { host: HOST });
    expect(JSON.parse(String(others.body))).not.toHaveProperty('url');
  });
});
