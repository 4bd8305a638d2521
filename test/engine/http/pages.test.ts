import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express, { type Response as ExpressResponse, type Request } from 'express';
import supertest from 'supertest';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { bySocket, emulate } from '../../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }] };
// npm test builds the pages.
const CSP =
  "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

describe('the pages', () => {
  test.each([
    ['/_emulator/ui/', 'text/html; charset=utf-8', '<div id="app">'],
    ['/_emulator/ui/index.html', 'text/html; charset=utf-8', '<div id="app">'],
    ['/_emulator/ui/app.js', 'text/javascript; charset=utf-8', 'SharedWorker'],
    ['/_emulator/ui/style.css?x=1', 'text/css; charset=utf-8', '.sidebar'],
    ['/_sandbox/one/_emulator/ui/', 'text/html; charset=utf-8', '<div id="app">'],
  ])('%s is a file of the package', async (path, type, content) => {
    const emulator = await emulate(fixtures);
    const host = express().use('/fake', emulator.app);

    for (const response of [await bySocket(emulator).get(path), await supertest(host).get(`/fake${path}`)]) {
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': type,
        'content-security-policy': CSP,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      });
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.text).toContain(content);
    }
    expect((await bySocket(emulator).get(path)).headers).not.toHaveProperty('x-powered-by');
    // A page is no request of the API, and makes no sandbox.
    expect(emulator.requests()).toEqual([]);
    expect(emulator.sandboxes()).toEqual([]);
  });

  test.each([
    ['/_emulator/ui', 'ui/'],
    ['/_emulator/ui?x=1', 'ui/?x=1'],
    ['/_sandbox/one/_emulator/ui', 'ui/'],
  ])('%s redirects to %s, a relative address', async (path, location) => {
    const emulator = await emulate(fixtures);
    const { status, headers } = await bySocket(emulator).get(path);
    expect([status, headers.location]).toStrictEqual([302, location]);
    const mounted = await supertest(express().use('/fake', emulator.app)).get(`/fake${path}`);
    expect([mounted.status, mounted.headers.location]).toStrictEqual([302, location]);
  });

  test('a request for a cached file returns 304', async () => {
    const emulator = await emulate(fixtures);
    const { etag } = (await bySocket(emulator).get('/_emulator/ui/app.js')).headers;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect((await bySocket(emulator).get('/_emulator/ui/app.js').set('If-None-Match', String(etag))).status).toBe(304);
    expect((await bySocket(emulator).get('/_emulator/ui/app.js').set('If-None-Match', '"0.0.1-5-1"')).status).toBe(200);
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.5', 'br'],
    ['gzip, br; q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['identity', undefined],
    ['br;q=0.0', undefined],
    ['brotli', undefined],
  ])('a file for a client that accepts %j is compressed by %s', async (accepted, encoding) => {
    const { url } = await emulate(fixtures);
    const request = get(`${url}/_emulator/ui/app.js`, { headers: { 'accept-encoding': accepted } });
    const [response]: IncomingMessage[] = await once(request, 'response');
    const { headers = {} } = response ?? {};
    const bytes = response ? await buffer(response) : Buffer.of();
    const decoded = DECODERS[encoding ?? '']?.(bytes) ?? bytes;

    expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(bytes.length) });
    expect(headers['content-encoding']).toBe(encoding);
    expect(decoded.toString()).toContain('SharedWorker');
    expect(bytes.length < decoded.length / 2).toBe(encoding !== undefined);
  });

  test.each([
    '/_emulator/ui/nowhere.js',
    '/_emulator/ui/app.js.br',
    '/_emulator/ui/../../package.json',
    '/_emulator/ui/%2e%2e/types/index.d.ts',
  ])('%s returns 404 as text', async (path) => {
    const emulator = await emulate(fixtures);
    const { status, text, headers } = await bySocket(emulator).get(path.replace('..', '%2e%2e'));
    expect([status, text]).toStrictEqual([404, expect.stringMatching(/^There is no page .* run npm run build, since/)]);
    expect(headers['content-security-policy']).toBe(CSP);
  });

  test('the in-process 404 names the address of the pages', async () => {
    const emulator = await emulate(fixtures, { listen: false });
    const response = await emulator.fetch('/_emulator/ui/');
    expect([response.status, await response.json()]).toMatchObject([
      404,
      {
        message:
          'Pages and json-server are served over HTTP only: by emulator.url, or by emulator.app in a host application.',
      },
    ]);
  });
});

describe('the pages are guarded as the control API is', () => {
  test.each<[string, Record<string, string>, object, number]>([
    ['another host', { Host: 'evil.test' }, {}, 403],
    ['another origin', { Origin: 'https://evil.test' }, {}, 403],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, {}, 403],
    ['no control API', {}, { control: false }, 404],
    ['an allowed host', { Host: 'emulator.test' }, { allowedHosts: ['emulator.test'] }, 200],
    [
      'the control token',
      { Host: 'evil.test', 'X-Emulator-Control-Token': 's3cret-token' },
      { controlToken: 's3cret-token' },
      200,
    ],
    ['the routes of the specification alone', {}, { specOnly: true }, 200],
  ])('%s', async (_, headers, options, expected) => {
    const emulator = await emulate(fixtures, options);
    for (const path of ['/_emulator/ui/', '/_sandbox/one/_emulator/ui/app.js']) {
      const { status, text } = await bySocket(emulator).get(path).set(headers);
      expect([path, status]).toStrictEqual([path, expected]);
      if (expected !== 200) expect(JSON.parse(text).statusCode).toBe(expected);
    }
  });
});

describe('routes of the user', () => {
  test('respond at the URL of the emulator and where it is mounted', async () => {
    const emulator = await emulate(fixtures);
    emulator.app.use('/hook', express.json(), (request, response) => {
      response.status(202).json({ got: request.body, path: request.path, query: request.query });
    });
    const expected = { got: { a: 1 }, path: '/in', query: { x: '1' } };

    const direct = await bySocket(emulator).post('/hook/in?x=1').send({ a: 1 });
    const mounted = await supertest(express().use('/fake', emulator.app)).post('/fake/hook/in?x=1').send({ a: 1 });

    expect([direct.status, direct.body]).toStrictEqual([202, expected]);
    expect([mounted.status, mounted.body]).toStrictEqual([202, expected]);
    expect(emulator.requests()).toEqual([]);
  });

  test('take handlers that are typed by Express', async () => {
    const emulator = await emulate(fixtures);
    const router = express.Router();
    router.get('/:name', (request: Request, response: ExpressResponse) => void response.send(request.params.name));
    const returned = emulator.app.use('/typed', router).use((request, _response, next) => {
      if (request.path !== '/any') return next();
      _response.send('any');
    });

    expect(returned).toBe(emulator.app);
    expect((await bySocket(emulator).get('/typed/one')).text).toBe('one');
    expect((await bySocket(emulator).get('/any')).text).toBe('any');
  });

  test('cannot take over the paths of the emulator', async () => {
    const emulator = await emulate(fixtures);
    emulator.app.use((_request, response) => response.send('mine'));
    emulator.app.use('/v1', (_request, response) => response.send('mine'));

    for (const path of [
      '/v1/me',
      '/v1',
      '/_emulator/health',
      '/_emulator/ui/',
      '/_emulator/x',
      '/',
      '/?a',
      '/_sandbox/a/x',
    ]) {
      expect((await bySocket(emulator, 'ada').get(path)).text).not.toBe('mine');
    }
    for (const path of ['/x', '/v10', '/_emulators', '/V1/me'])
      expect((await bySocket(emulator).get(path)).text).toBe('mine');
  });

  test('a request that they pass on returns the 404 of the API, and is in the journal', async () => {
    const emulator = await emulate(fixtures);
    emulator.app.use('/hook', express.json(), (_request, _response, next) => next());

    const { status, body } = await bySocket(emulator).post('/hook').send({ a: 1 });

    expect([status, body.message]).toStrictEqual([404, 'Route POST:/hook not found']);
    expect(emulator.unhandled()).toMatchObject([{ path: '/hook', request: { body: { a: 1 } } }]);
    expect((await bySocket(emulator).post('/other').send({ b: 2 })).status).toBe(404);
    expect(emulator.unhandled()).toMatchObject([{ path: '/hook' }, { path: '/other', request: { body: { b: 2 } } }]);
  });

  test('an error in them returns 500 and goes to onError, and one of the client has its status', async () => {
    const errors: unknown[] = [];
    const emulator = await emulate(fixtures, { onError: (error, request) => errors.push([String(error), request]) });
    emulator.app.use('/fails', () => {
      throw new Error('out of paper');
    });
    emulator.app.use('/json', express.json());

    const failed = await bySocket(emulator).get('/fails');
    const malformed = await bySocket(emulator).post('/json').type('json').send('{');

    expect([failed.status, failed.body.message]).toStrictEqual([500, 'Internal error: Error: out of paper']);
    expect(errors).toStrictEqual([['Error: out of paper', { method: 'GET', target: '/fails' }]]);
    expect(malformed.status).toBe(400);
    expect(malformed.body).toMatchObject({ statusCode: 400, error: 'Bad Request' });
  });
});

test('an application that mounts the emulator needs no Express', async () => {
  const emulator = await emulate(fixtures, { listen: false });
  const server = createServer(emulator.app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  expect((await supertest(server).get('/v1/me').set('Authorization', 'Bearer ada-token')).body.username).toBe('ada');
});
