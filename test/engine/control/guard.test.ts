import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { controlRoutes } from '#vals/service/service.control.js';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';
import { notFound } from '../../support/errors.js';

const fixtures = { users: [{ username: 'ada' }] };

const forbidden = (header: string, found: string) => ({
  message: `The control API accepts loopback hosts and those in the option allowedHosts only; found ${header} ${JSON.stringify(found)}`,
  error: 'Forbidden',
  statusCode: 403,
});

/** The port of the emulator stands for PORT. */
const withPort = (emulator: Emulator, text: string) => text.replace('PORT', new URL(emulator.url).port);

describe('the header Host', () => {
  test.each([
    ['127.0.0.1:PORT', {}],
    ['127.0.0.1', {}],
    ['127.0.0.1:1', {}],
    ['127.1.2.3:PORT', {}],
    ['localhost:PORT', {}],
    ['LOCALHOST:PORT', {}],
    ['app.localhost:PORT', {}],
    ['[::1]:PORT', {}],
    ['emulator.test:PORT', { allowedHosts: ['emulator.test'] }],
    ['Emulator.Test', { allowedHosts: ['other.test', 'EMULATOR.test'] }],
    ['192.168.1.5:PORT', { allowedHosts: ['192.168.1.5'] }],
    ['vals.team.svc.cluster.local:PORT', { allowedHosts: ['.svc.cluster.local'] }],
    ['svc.cluster.local', { allowedHosts: ['.SVC.cluster.local'] }],
  ] satisfies [string, EmulatorOptions][])('%s is accepted with %j', async (host, options) => {
    const emulator = await emulate(fixtures, options);

    const response = await as(emulator).get('/_emulator/clock').set('Host', withPort(emulator, host));

    expect(response.status).toBe(200);
  });

  test.each([
    ['evil.test', {}],
    ['evil.test:PORT', {}],
    ['localhost.evil.test:PORT', {}],
    ['127.0.0.1.evil.test:PORT', {}],
    ['evillocalhost:PORT', {}],
    ['192.168.1.5:PORT', {}],
    ['0.0.0.0:PORT', {}],
    ['128.0.0.1:PORT', {}],
    ['[::2]:PORT', {}],
    ['emulator.test.evil.test', { allowedHosts: ['emulator.test'] }],
    ['evil.emulator.test', { allowedHosts: ['emulator.test'] }],
    ['evilemulator.test', { allowedHosts: ['.emulator.test'] }],
    ['emulator.test.evil.test', { allowedHosts: ['.emulator.test'] }],
    ['not a host', {}],
    ['', {}],
  ] satisfies [string, EmulatorOptions][])('%s returns 403 with %j', async (host, options) => {
    const emulator = await emulate(fixtures, options);
    const sent = withPort(emulator, host);

    const response = await as(emulator).post('/_emulator/records/users').set('Host', sent).send({ username: 'eve' });

    expect(response.status).toBe(403);
    expect(response.body).toStrictEqual(forbidden('Host', sent));
    expect(emulator.users).toHaveLength(1);
  });

  test('an allowed host does not allow every origin', async () => {
    const emulator = await emulate(fixtures, { allowedHosts: ['emulator.test'] });

    const response = await as(emulator)
      .get('/_emulator/users')
      .set('Host', 'emulator.test')
      .set('Origin', 'https://evil.test');

    expect(response.status).toBe(403);
    expect(response.body).toStrictEqual(forbidden('Origin', 'https://evil.test'));
  });

  test('headers of a proxy are ignored', async () => {
    const response = await as(await emulate(fixtures))
      .get('/_emulator/users')
      .set('Host', 'evil.test')
      .set('X-Forwarded-Host', 'localhost');

    expect(response.status).toBe(403);
  });
});

describe('the header Origin', () => {
  test.each([
    ['http://localhost:3000', {}],
    ['http://127.0.0.1:PORT', {}],
    ['https://app.localhost', {}],
    ['http://[::1]:8080', {}],
    ['https://emulator.test', { allowedHosts: ['emulator.test'] }],
  ] satisfies [string, EmulatorOptions][])(
    '%s is accepted and may read the response, with %j',
    async (text, options) => {
      const emulator = await emulate(fixtures, options);
      const origin = withPort(emulator, text);

      const response = await as(emulator).get('/_emulator/clock').set('Origin', origin);

      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    },
  );

  test.each([
    ['https://evil.test', {}],
    ['http://localhost.evil.test:PORT', {}],
    ['null', {}],
    ['file://', {}],
    ['chrome-extension://abc', {}],
    ['https://evil.test', { allowedHosts: ['emulator.test'] }],
  ] satisfies [string, EmulatorOptions][])('%s gets a 403 that it cannot read, with %j', async (text, options) => {
    const emulator = await emulate(fixtures, options);
    const origin = withPort(emulator, text);

    const response = await as(emulator).post('/_emulator/reset').set('Origin', origin);

    expect(response.status).toBe(403);
    expect(response.body).toStrictEqual(forbidden('Origin', origin));
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('no page may read the response to a request without an origin', async () => {
    const response = await as(await emulate(fixtures)).get('/_emulator/clock');

    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('a preflight has the same rules', async () => {
    const emulator = await emulate(fixtures);
    const ask = (origin: string) =>
      as(emulator)
        .options('/_emulator/clock')
        .set('Origin', origin)
        .set('Access-Control-Request-Method', 'PUT')
        .set('Access-Control-Request-Headers', 'content-type');

    const near = await ask('http://localhost:3000');
    const far = await ask('https://evil.test');

    expect(near.status).toBe(204);
    expect(near.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      'access-control-allow-headers': 'content-type',
    });
    expect(far.status).toBe(403);
    expect(far.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('the API accepts every page and host', async () => {
    const response = await as(await emulate(fixtures), 'ada')
      .get('/v1/me')
      .set('Host', 'emulator.test')
      .set('Origin', 'https://app.test');

    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe('*');
  });
});

test.each(['/_sandbox/one', ''])('every control route is guarded under %s/_emulator', async (prefix) => {
  const emulator = await emulate(fixtures);
  const operations = controlRoutes.map(({ method, path }): [string, string] => [method, path.replace(/\{\w+\}/g, 'x')]);
  const browser: [string, string][] = ['GET', 'POST'].map((method) => [method, '/_emulator/db/vals']);

  for (const [method, path] of [...operations, ...browser, ['GET', '/_emulator/nowhere'] as const]) {
    if (/health|ready/.test(path)) continue;
    for (const headers of [{ host: 'evil.test' }, { origin: 'https://evil.test' }]) {
      const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
        const request = httpRequest(`${emulator.url}${prefix}${path}`, { method, headers, agent: false });
        request.on('response', (response) => {
          response.resume();
          resolve({ status: response.statusCode });
        });
        request.on('error', reject);
        request.end();
      });
      expect([method, path, headers, status]).toStrictEqual([method, path, headers, 403]);
    }
  }
});

describe('health', () => {
  test.each([
    ['plainly', {}, {}],
    ['to any host', { Host: 'evil.test' }, {}],
    ['to any origin', { Origin: 'https://evil.test' }, {}],
    ['without a control plane', {}, { control: false }],
    ['without a control plane, to any host', { Host: 'evil.test' }, { control: false }],
    ['in a sandbox', { 'X-Emulator-Sandbox': 'one' }, {}],
  ] satisfies [string, Record<string, string>, EmulatorOptions][])('responds %s', async (_, headers, options) => {
    const emulator = await emulate(fixtures, options);

    const response = await as(emulator).get('/_emulator/health').set(headers);

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      instance: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  test.skipIf(isShared)('has the same instance each time, another for each emulator', async () => {
    const read = async (emulator: Emulator) => (await as(emulator).get('/_emulator/health')).body.instance;
    const [one, two] = [await emulate(fixtures), await emulate(fixtures)];

    expect(await read(one)).toBe(await read(one));
    expect(await read(one)).not.toBe(await read(two));
  });

  test('is available under a prefix, and to HEAD', async () => {
    const emulator = await emulate(fixtures);

    expect((await as(emulator).get('/_sandbox/one/_emulator/health')).status).toBe(200);
    expect((await as(emulator).head('/_emulator/health')).status).toBe(200);
  });
});

describe('control: false', () => {
  test.each([
    ['get', '/_emulator/state'],
    ['get', '/_emulator/users'],
    ['post', '/_emulator/reset'],
    ['put', '/_emulator/clock'],
    ['get', '/_emulator/db/vals'],
    ['post', '/_emulator/health'],
    ['get', '/_sandbox/one/_emulator/state'],
  ] as const)('%s %s has no route', async (method, path) => {
    const emulator = await emulate(fixtures, { control: false });

    const response = await as(emulator)[method](path);

    expect(response.status).toBe(404);
    expect(response.body).toStrictEqual(
      notFound(`Route ${method.toUpperCase()}:${path.replace(/^\/_sandbox\/one/, '')} not found`),
    );
  });

  // Without the control API, nothing changes a shared sandbox.
  test.skipIf(isShared)('keeps the API, the sandboxes and the methods', async () => {
    const emulator = await emulate(fixtures, { control: false });

    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
    expect((await as(emulator, 'ada').get('/_sandbox/one/v1/me')).status).toBe(200);
    await emulator.add.user({ username: 'eve' });
    expect((await as(emulator, 'eve').get('/v1/me')).status).toBe(200);
    await emulator.reset();
    expect(emulator.users).toHaveLength(1);
  });
});

test.each([
  ['GET', '/_emulator/nowhere', undefined],
  ['POST', '/_emulator/', undefined],
  ['POST', '/_emulator/state', 'GET /_emulator/state'],
  ['PUT', '/_emulator/snapshots', 'GET /_emulator/snapshots'],
  ['POST', '/_emulator/expect', 'POST /_emulator/requests/expect'],
  ['POST', '/_emulator/make_test', 'POST /_emulator/requests/test'],
  ['GET', '/_emulator/explain/r1', 'GET /_emulator/requests/{id}/explanation'],
  ['POST', '/_emulator/seed', 'PUT /_emulator/seed'],
  ['GET', '/_emulator/request', 'GET /_emulator/requests/{id}'],
  ['GET', '/_emulator/snapshot', 'GET /_emulator/snapshots'],
])('%s %s returns 404 and names the route that is meant: %s', async (method, path, route) => {
  const emulator = await emulate(fixtures, { listen: false });

  const response = await emulator.fetch(path, { method });

  expect(response.status).toBe(404);
  const suggestion = route === undefined ? '' : `. Did you mean "${route}"?`;
  expect(await response.json()).toStrictEqual(notFound(`Route ${method}:${path} not found${suggestion}`));
});

test('only responses of users, the state and the journal have tokens', async () => {
  const users = [
    { username: 'ada', token: 'S3CRET-plain' },
    { username: 'bob', token: 'S3CRET with  spaces' },
    { username: 'cleo', token: 'S3CRET"quote\\back/slash?&=#%41+' },
    { username: 'dan', token: '5354321' },
  ];
  const emulator = await emulate({ users });
  const send = (path: string, method: string, token: string, body?: string) =>
    emulator.fetch(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  await emulator.add.user({ username: 'eve', token: 'S3CRET-late' });
  await emulator.fail('GET /v1/me', { status: 503, user: 'ada', times: 1 });
  await emulator.snapshot('one');
  for (const { token } of [...emulator.users, { token: 'S3CRET-foreign' }]) {
    await send('/v1/me', 'GET', token);
    await send(`/v1/me?${new URLSearchParams({ token })}`, 'GET', token);
    await send(`/nowhere/${encodeURIComponent(token)}?${encodeURIComponent(token)}`, 'GET', 'S3CRET-plain');
    await send('/v1/vals', 'POST', token, JSON.stringify({ code: '1', token, [token]: [token] }));
    await send('/v1/vals', 'POST', 'S3CRET-plain', JSON.stringify({ code: '', note: `x${token}x` }));
    await send('/v1/vals', 'POST', 'S3CRET-plain', `{"code":"1", "half": ${JSON.stringify(token)}`);
    await send('/v1/vals', 'PUT', token, JSON.stringify({ name: 'big', code: 'x'.repeat(70_000), token }));
    await send('/v1/vals', 'PUT', token, JSON.stringify({ token, name: 'big', code: 'x'.repeat(70_000) }));
  }
  expect(emulator.requests()).toHaveLength(48);

  const [ada] = emulator.users;
  const [first] = emulator.history();
  const { id: email } = await emulator.add.email({ user: 'ada', subject: 'S' });
  const blob = await emulator.add.blob({ user: 'ada', key: 'k', text: 'S' });
  await emulator.add.sqlite({ user: 'ada', sql: 'CREATE TABLE t (a)' });
  await emulator.add.project({ owner: 'ada', name: 'site' });
  const branch = await emulator.add.branch({ project: 'ada/site', name: 'draft' });
  const samples: Readonly<Record<string, string>> = {
    '/_emulator/blobs/{id}': `/_emulator/blobs/${ada?.id}:${blob.key}`,
    '/_emulator/sqlite/{id}': `/_emulator/sqlite/${ada?.id}`,
    '/_emulator/sqlite/{id}/rows': `/_emulator/sqlite/${ada?.id}/rows?table=t`,
    '/_emulator/emails/{id}': `/_emulator/emails/${email}`,
    '/_emulator/records/{collection}': '/_emulator/records/users?q=S3CRET',
    '/_emulator/records/{collection}/{id}': `/_emulator/records/users/${ada?.id}`,
    '/_emulator/records/{collection}/{id}/files': `/_emulator/records/branches/${branch.id}/files`,
    '/_emulator/history/{id}': `/_emulator/history/${first?.id}`,
    '/_emulator/names': `/_emulator/names?ids=${ada?.id}`,
    '/_emulator/find': '/_emulator/find?q=S3CRET',
    '/_emulator/requests/{id}': '/_emulator/requests/r1',
    '/_emulator/requests/{id}/explanation': '/_emulator/requests/r1/explanation',
  };
  const paths = controlRoutes
    .filter(({ method, mediaType }) => method === 'GET' && mediaType === undefined)
    // They need a shared store, or an interception.
    .filter(({ path }) => !/\/(?:cluster|interception)$/.test(path))
    .map(({ path }) => samples[path] ?? path);
  for (const name of ['vals', 'versions', 'users', 'users?at=start']) paths.push(`/_emulator/records/${name}`);
  const collections = ['', '/users', '/vals', '/versions', '/runs', '/likes', '/comments', '/users?q=S3CRET'];
  const telling: string[] = [];
  for (const path of [...paths, ...collections.map((name) => `/_emulator/db${name}`)]) {
    expect(path).not.toContain('{');
    const response = await fetch(emulator.url + path);
    expect([path, response.status]).toStrictEqual([path, 200]);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(1);
    // The tokens as they are, as JSON and as addresses write them; all but one share these letters.
    if (/S3CRET|5354321/.test(text.replace(/q=S3CRET/g, ''))) telling.push(path);
  }

  expect(paths.length).toBeGreaterThan(8);
  expect(telling).toStrictEqual([
    '/_emulator/state',
    '/_emulator/users',
    '/_emulator/requests',
    '/_emulator/requests/summary',
    '/_emulator/requests.har',
    '/_emulator/requests/unhandled',
    '/_emulator/requests/r1',
    '/_emulator/requests/r1/explanation',
  ]);
});

test.each(['cross-site', 'same-site'])('a request of a page of another site returns 403: %s', async (site) => {
  const emulator = await emulate(fixtures);

  const response = await as(emulator).get('/_emulator/users').set('Sec-Fetch-Site', site);

  expect(response.status).toBe(403);
  expect(response.body.message).toBe(
    `The control API does not accept requests from pages of other sites; found Sec-Fetch-Site "${site}"`,
  );
});
