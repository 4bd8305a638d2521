import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EmulatorOptions, Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }] };
const TOKEN = 's3cret-token';
/** A name by which a browser on another machine reaches the emulator. */
const HOST = 'build-box:4010';
const BROWSER = { Host: HOST, Accept: 'text/html,*/*;q=0.8' };

const serve = (options: EmulatorOptions = { controlToken: TOKEN }) => emulate(fixtures, options);
type Served = Awaited<ReturnType<typeof serve>>;

const send = (emulator: Served, token: string) =>
  as(emulator).post('/_emulator/ui/sign-in').set(BROWSER).type('form').send({ token });

async function signIn(emulator: Served): Promise<string> {
  const { headers } = await send(emulator, TOKEN);
  return String(headers['set-cookie']).replace(/;.*/, '');
}

test.each(['/_emulator/ui/', '/_sandbox/one/_emulator/ui/'])(
  'a browser on another machine gets a form at %s',
  async (path) => {
    const emulator = await serve();

    const { status, text, headers } = await as(emulator).get(path).set(BROWSER);

    expect(status).toBe(403);
    expect(text).toContain('<form method="post" action="sign-in">');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  },
);

test('the root leads it there', async () => {
  const { status, headers } = await as(await serve())
    .get('/')
    .set(BROWSER);
  expect([status, headers.location]).toStrictEqual([302, `http://${HOST}/_emulator/ui/`]);
});

test('the right token opens the pages and the control API', async () => {
  const emulator = await serve();

  const { status, headers } = await send(emulator, TOKEN);

  expect([status, headers.location]).toStrictEqual([303, './']);
  expect(headers['set-cookie']).toStrictEqual([
    expect.stringMatching(
      /^val-emulator-session=\d+\.[\da-f]{32}\.[\da-f]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    ),
  ]);
  const cookie = String(headers['set-cookie']).replace(/;.*/, '');
  for (const path of ['/_emulator/ui/', '/_emulator/users', '/_sandbox/one/_emulator/clock']) {
    expect(
      (
        await as(emulator)
          .get(path)
          .set({ Host: HOST, Cookie: `theme=dark; ${cookie}` })
      ).status,
    ).toBe(200);
  }
  const origin = { Host: HOST, Cookie: cookie, Origin: `http://${HOST}`, 'Sec-Fetch-Site': 'same-origin' };
  expect((await as(emulator).post('/_emulator/reset').set(origin)).status).toBe(204);
});

test.each(['', 'S3cret-token', `${TOKEN} `])('the token %j opens nothing', async (token) => {
  const { status, headers } = await send(await serve(), token);
  expect([status, headers.location]).toStrictEqual([303, './']);
  expect(headers).not.toHaveProperty('set-cookie');
});

test.each<[string, Record<string, string>]>([
  ['a page of another port of the host', { Origin: 'http://build-box:3000', 'Sec-Fetch-Site': 'same-site' }],
  ['a page of another port that hides its origin', { 'Sec-Fetch-Site': 'same-site' }],
  ['a page of another site', { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }],
  ['a page without an origin', { Origin: 'null' }],
  ['another name of the machine', { Host: 'evil.test:4010', Origin: `http://${HOST}` }],
])('%s cannot use the cookie', async (_, headers) => {
  const emulator = await serve();
  const Cookie = await signIn(emulator);
  const response = await as(emulator)
    .post('/_emulator/reset')
    .set({ Host: HOST, Cookie, ...headers });
  expect(response.status).toBe(403);
});

test('the cookie of another token is refused', async () => {
  const cookie = await signIn(await serve({ controlToken: TOKEN }));
  const other = await serve({ controlToken: 'another-token' });
  expect((await as(other).get('/_emulator/users').set({ Host: HOST, Cookie: cookie })).status).toBe(403);
});

test('each cookie is another, and ends after twelve hours', async () => {
  const emulator = await serve();
  const [cookie, other] = [await signIn(emulator), await signIn(emulator)];
  const open = async (Cookie: string) =>
    (await as(emulator).get('/_emulator/users').set({ Host: HOST, Cookie })).status;
  // Another end makes the signature wrong.
  const longer = cookie.replace(/\d+/, (end) => String(Number(end) + 1));
  expect(cookie).not.toBe(other);
  expect([await open(cookie), await open(other), await open(longer)]).toEqual([200, 200, 403]);

  pass(12 * 3_600_000 + 1);
  expect([await open(cookie), await open(await signIn(emulator))]).toEqual([403, 200]);
});

/** Sets the clock of the system forward. */
function pass(milliseconds: number): void {
  const time = Date.now() + milliseconds;
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  onTestFinished(() => void vi.useRealTimers());
}

const NO_CONTROL = { Host: 'evil.test' };
const attempt = (emulator: Served, token: string, body = '') =>
  as(emulator)
    .post('/_emulator/reset')
    .set({ ...NO_CONTROL, 'X-Emulator-Control-Token': token, 'Content-Type': 'application/json' })
    .send(body);
const LIMITED = { statusCode: 429, message: 'Too many wrong control tokens (10 a minute). Try again in 60 seconds.' };

test('an address that sends ten wrong tokens gets a 429 for a minute, also with the right one', async () => {
  pass(0);
  const emulator = await serve();
  // Bodies, which are read after a first look at the token, do not count twice.
  for (let i = 0; i < 10; i++) expect((await attempt(emulator, `wrong-${i}`, '{}')).status).toBe(403);

  const refused = await attempt(emulator, TOKEN);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  expect(refused.body).toMatchObject(LIMITED);
  expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
  const form = await send(emulator, TOKEN);
  expect([form.status, form.headers['retry-after']]).toEqual([429, '60']);
  expect(form.headers).not.toHaveProperty('set-cookie');
  // What needs no token is not limited.
  const near = { 'X-Emulator-Control-Token': 'wrong' };
  expect((await as(emulator).post('/_emulator/reset').set(near)).status).toBe(204);
  for (const path of ['/_emulator/health', '/_emulator/ready'])
    expect(
      (
        await as(emulator)
          .get(path)
          .set({ ...NO_CONTROL, ...near })
      ).status,
    ).toBe(200);

  pass(60_000);
  expect((await attempt(emulator, TOKEN)).status).toBe(204);
});

test('forms that are sent at the same time do not pass the limit', async () => {
  const emulator = await serve();
  await send(emulator, 'wrong-token');
  const port = Number(new URL(emulator.url).port);
  const body = 'token=';
  const head = `POST /_emulator/ui/sign-in HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  const sockets = Array.from({ length: 30 }, (_, i) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const token = i < 29 ? `wrong-${i}` : TOKEN;
    socket.write(`${head}Content-Length: ${body.length + token.length}\r\n\r\n${body}`);
    return { socket, token };
  });
  await sleep(300);
  const responses: string[] = [];
  for (const { socket, token } of sockets) {
    socket.write(token);
    responses.push(String(await once(socket, 'data')));
  }

  expect(responses.join('')).not.toContain('set-cookie');
});

test('the right token resets the count, and the form counts as well', async () => {
  const emulator = await serve();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 5; i++) expect((await attempt(emulator, 'wrong-token')).status).toBe(403);
    for (let i = 0; i < 4; i++) expect((await send(emulator, 'wrong-token')).status).toBe(303);
    expect((await (round === 1 ? send(emulator, TOKEN) : attempt(emulator, TOKEN))).status).toBe(
      round === 1 ? 303 : 204,
    );
  }
});

test.each<[string, EmulatorOptions]>([
  ['a control token', {}],
  ['the control API', { control: false, controlToken: TOKEN }],
])('without %s there is no form and no cookie', async (_, options) => {
  const emulator = await serve(options);
  const { text } = await as(emulator).get('/_emulator/ui/').set(BROWSER);
  expect(text).not.toContain('<form');
  expect((await send(emulator, TOKEN)).headers).not.toHaveProperty('set-cookie');
});
