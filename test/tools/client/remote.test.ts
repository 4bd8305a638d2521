import { createServer } from 'node:http';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { ControlError, connect, type RemoteSandbox } from '#tools/client/index.js';
import { ExpectationError, type Fixtures, type Sandbox } from '../../../src/index.js';
import { emulate, NOW } from '../../support/emulate.js';
import { findFreePort } from '../../support/ports.js';

const FIXTURES: Fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };
const ADA = { authorization: 'Bearer ada-token' };

/** Creates an emulator and connects to a sandbox of it. */
async function lend(name = 'one') {
  const emulator = await emulate(FIXTURES);
  const local = emulator.sandbox(name);
  return { emulator, local, remote: await connect(emulator.url).sandbox(name) };
}

/** Responds to every request with a status and a text. */
async function serve(status: number, text: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(text));
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

test('a remote sandbox has every member of a sandbox, as a promise', () => {
  type Internal = 'act' | 'asserted' | 'arm' | 'journal' | 'meta' | 'now' | 'regenerate' | 'replace' | 'resetTo';
  type Names = Exclude<keyof Sandbox, Internal | 'held' | 'show' | 'sources' | 'store' | 'touch' | 'update'>;
  type Results<S> = {
    [N in Exclude<Names, 'fetch' | 'clock' | 'add' | 'fork' | 'rateLimit'>]: N extends keyof S
      ? S[N] extends (...args: never) => infer R
        ? Awaited<R>
        : Awaited<S[N]>
      : 'missing';
  };

  expectTypeOf<keyof RemoteSandbox>().toEqualTypeOf<Names>();
  expectTypeOf<keyof RemoteSandbox['clock']>().toEqualTypeOf<keyof Sandbox['clock']>();
  expectTypeOf<keyof RemoteSandbox['add']>().toEqualTypeOf<keyof Sandbox['add']>();
  expectTypeOf<Omit<Results<Sandbox>, 'state'>>().toExtend<Omit<Results<RemoteSandbox>, 'state'>>();
  expectTypeOf<RemoteSandbox['clock']['advance']>().toEqualTypeOf<
    (by: string | number) => Promise<{ now: string; frozen: boolean }>
  >();
  const remote: RemoteSandbox = connect('http://127.0.0.1:4010');
  expectTypeOf<typeof fetch>(remote.fetch);
  const addUser = () => remote.add.user({ username: 'eve' });
  const addUsers = () => remote.add.user([{ username: 'eve' }]);
  expectTypeOf(addUser).returns.resolves.toHaveProperty('token');
  expectTypeOf(addUsers).returns.resolves.items.toHaveProperty('token');
});

test('the clock follows every kind of time', async () => {
  const { local, remote } = await lend();
  const { clock } = remote;

  expect(await clock.read()).toEqual({ now: NOW, frozen: true });
  expect(await clock.now).toEqual(local.clock.now);
  expect(await clock.set('2030-01-01T00:00:00Z')).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
  expect(await clock.set(Date.UTC(2031, 0, 1))).toEqual(local.clock.read());
  expect(await clock.freeze(new Date(Date.UTC(2032, 0, 1)))).toEqual(local.clock.read());
  expect(await clock.advance('10m')).toEqual({ now: '2032-01-01T00:10:00.000Z', frozen: true });
  expect(await clock.advance(1_000)).toEqual({ now: '2032-01-01T00:10:01.000Z', frozen: true });
  expect(await clock.resume()).toMatchObject({ frozen: false });
  expect(await clock.freeze()).toMatchObject({ frozen: true });
  expect(local.clock.now.getTime()).toBeGreaterThanOrEqual(Date.UTC(2032, 0, 1, 0, 10, 1));
  await expect(clock.set(new Date(Number.NaN))).rejects.toThrow(ControlError);
});

test('a failed expectation throws the error of a local emulator', async () => {
  const { local, remote } = await lend();
  await remote.fetch('/v1/me', { headers: ADA });

  expect((await remote.expectRequest('GET /v1/me', { times: 1, user: 'ada' }))?.id).toBe('r1');
  expect(await remote.expectRequest('GET /v1/me', { times: 0, user: 'ada', status: 404 })).toBeUndefined();
  const failure = await remote.expectRequest('GET /v1/me', { user: 'ada', times: 2 }).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(ExpectationError);
  expect(() => local.expectRequest('GET /v1/me', { user: 'ada', times: 2 })).toThrow(failure);
  // @ts-expect-error: a misspelt route
  const mistake = await remote.expectRequest('GET /v1/mee').catch((error: unknown) => error);
  expect(mistake).toBeInstanceOf(ControlError);
  expect(mistake).toMatchObject({
    status: 422,
    message: expect.stringContaining('there is no route "GET /v1/mee". Did you mean "GET /v1/me"?'),
    problems: [{ path: 'route', message: expect.stringContaining('GET /v1/mee') }],
  });
});

test('fetch reaches the sandbox by a path, by its URL, and by any other address', async () => {
  const { emulator, local, remote } = await lend();
  const headers = ADA;
  const body = JSON.stringify({ name: 'made', code: '1' });

  const own = await remote.fetch('/v1/me/likes', { headers });
  expect(await own.json()).toMatchObject({ links: { self: expect.stringMatching(`^${remote.url}/v1/me/likes`) } });
  await remote.fetch(new URL(`${remote.url}/v1/me`), { headers });
  await remote.fetch(`${emulator.url}/v1/me`, { headers });
  const foreign = await remote.fetch('https://api.example.test/v1/me/likes', { headers });
  expect(await foreign.json()).toMatchObject({
    links: { self: expect.stringMatching('^https://api.example.test/v1/me/likes') },
  });
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const posted = await remote.fetch(new Request('https://api.example.test/v1/vals', init));

  expect(posted.status).toBe(200);
  expect(local.requests().map(({ method, status }) => `${method} ${status}`)).toEqual([
    'GET 200',
    'GET 200',
    'GET 200',
    'GET 200',
    'POST 200',
  ]);
  expect(local.requests({ body: { name: 'made' } })).toHaveLength(1);
  expect(emulator.requests()).toEqual([]);
});

test('sandboxes are found, made, listed and closed', async () => {
  const emulator = await emulate(FIXTURES);
  const remote = connect(`${emulator.url}/`);

  const named = await remote.sandbox('job7-a');
  const titled = await remote.sandbox({ title: 'job7: test_fail[500]' });
  const unnamed = await remote.sandbox();

  expect(named).toMatchObject({ name: 'job7-a', url: `${emulator.url}/_sandbox/job7-a` });
  expect(named.headers).toEqual({ 'X-Emulator-Sandbox': 'job7-a' });
  expect(titled.name).toMatch(/^job7-test_fail-500-\d+$/);
  expect(remote.headers).toEqual({});
  expect(await remote.sandboxes()).toEqual(emulator.sandboxes());
  expect(await remote.closeSandboxes('job7-')).toBe(2);
  expect(emulator.sandboxes().map(({ name }) => name)).toEqual([unnamed.name]);
  await unnamed.close();
  await unnamed.close();
  expect(emulator.sandboxes()).toEqual([]);
  await remote.close();
  expect((await fetch(`${emulator.url}/v1/me`, { headers: ADA })).status).toBe(200);
  await expect(remote.sandbox('a b')).rejects.toMatchObject({ name: 'ControlError', status: 400 });
});

test('a sandbox of a URL is used by its name, and no other one is created', async () => {
  const emulator = await emulate(FIXTURES);
  const remote = connect(`${emulator.url}/_sandbox/mine/`);

  expect(await remote.sandboxes()).toEqual([]);
  await remote.add.user({ username: 'eve' });

  expect(emulator.sandbox('mine').users).toHaveLength(2);
  expect(emulator.users).toHaveLength(1);
  await remote.close();
  expect(emulator.sandboxes()).toEqual([]);
});

test('a sandbox is closed at the end of its block', async () => {
  const emulator = await emulate(FIXTURES);
  {
    await using sandbox = await connect(emulator.url).sandbox('short');
    await sandbox.reset();
    expect(emulator.sandboxes()).toHaveLength(1);
  }
  expect(emulator.sandboxes()).toEqual([]);
});

test('a name that a URL cannot contain is refused', async () => {
  await expect(connect('http://127.0.0.1:4010').restore('..')).rejects.toThrow(
    'Invalid name "..": a URL cannot contain it.',
  );
});

test('matchers of a test runner are refused', async () => {
  const { local, remote } = await lend();
  const body = { name: expect.any(String) };
  const message = 'name: found an asymmetric matcher; expected JSON, since the emulator runs elsewhere.';

  await expect(remote.requests({ body })).rejects.toThrow(message);
  await expect(remote.expectRequest('GET /v1/me', { body })).rejects.toThrow(message);
  await expect(remote.fail('*', { match: { body } })).rejects.toThrow(message);
  await expect(remote.requests({ body: expect.anything() })).rejects.toThrow(/^found an asymmetric matcher/);
  expect(local.faults()).toEqual([]);
});

test('requests have the control token', async () => {
  const seen: unknown[] = [];
  const proxy = createServer(({ headers }, response) => {
    seen.push(headers['x-emulator-control-token']);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());

  await connect(`http://127.0.0.1:${port}`, { controlToken: 'secret' }).faults();
  await connect(`http://127.0.0.1:${port}`).faults();

  expect(seen).toEqual(['secret', undefined]);
});

test.each(['127.0.0.1:4010', '', 'ftp://127.0.0.1', 'http://ada:secret@127.0.0.1'])('the URL %j is refused', (url) => {
  expect(() => connect(url)).toThrow(
    new TypeError(`url: found ${JSON.stringify(url)}; expected a URL such as "http://127.0.0.1:4010".`),
  );
});

test('an address at which nothing listens causes a clear error', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}`;

  await expect(connect(url).reset()).rejects.toThrow(
    `No emulator at ${url}: connection refused. Start one (val-emulator start), or correct the URL.`,
  );
});

test.each([
  [200, '<title>My app</title>'],
  [404, '<title>Not found</title>'],
  [404, '{"error":"not found"}'],
  [500, ''],
])('a server other than a val-emulator causes a clear error: %i %j', async (status, text) => {
  const url = await serve(status, text);

  await expect(connect(url).users).rejects.toThrow(
    `${url} is not a val-emulator: GET /_emulator/users responded ${status}.`,
  );
});

test('an emulator without a control API causes a clear error', async () => {
  const { url } = await emulate(FIXTURES, { control: false });

  await expect(connect(url).reset()).rejects.toThrow(
    `No control API at ${url}. Start the emulator without --no-control, or correct the URL.`,
  );
});
