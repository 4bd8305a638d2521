import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { badRequest, invalid, notFound, unauthorized } from '../support/errors.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const MIB = 1024 * 1024;

const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
};

test.each([
  ['get', '/v1/users'],
  ['get', '/v1/nope?a=b'],
  ['post', '/v1/me'],
  ['get', '/v0/me'],
  ['post', '/'],
] as const)('%s %s has no route', async (method, path) => {
  const response = await as(await emulate(fixtures), 'ada')[method](path);

  expect(response.body).toStrictEqual(notFound(`Route ${method.toUpperCase()}:${path} not found`));
  expect(response.status).toBe(404);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Number(response.headers['content-length'])).toBe(Buffer.byteLength(response.text));
});

test('a missing token is a 401, whatever the request has', async () => {
  const emulator = await emulate(fixtures);

  const wrongBody = await as(emulator).post('/v1/vals').type('json').send('{');
  const wrongId = await as(emulator).delete('/v1/vals/hello');

  expect([wrongBody.status, wrongId.status]).toEqual([401, 401]);
  expect(wrongBody.body).toStrictEqual(unauthorized);
  expect(wrongId.body).toStrictEqual(unauthorized);
});

describe('a body that is not JSON', () => {
  test.each([
    ['{', "Expected property name or '}' in JSON at position 1"],
    ['{"code":}', `Unexpected token '}', "{"code":}" is not valid JSON`],
    ["{'code':'1'}", "Expected property name or '}' in JSON at position 1"],
    ['{"code":"1"} x', 'Unexpected non-whitespace character after JSON at position 13'],
    ['code=1', `Unexpected token 'c', "code=1" is not valid JSON`],
  ])('%s', async (text, message) => {
    const response = await as(await emulate(fixtures), 'ada')
      .post('/v1/vals')
      .type('json')
      .send(text);

    expect(response.status).toBe(400);
    // The messages of V8, which newer versions extend.
    expect(response.body).toStrictEqual(badRequest(expect.stringContaining(message)));
  });

  test.each(['null', '1', '"code"', 'true'])('%s is JSON, but not an object', async (text) => {
    const response = await as(await emulate(fixtures), 'ada')
      .post('/v1/vals')
      .type('json')
      .send(text);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(invalid('body must be object'));
  });

  test.each([
    ['text/plain', 'export default 1;'],
    ['application/x-www-form-urlencoded', 'code=1'],
    ['application/javascript', '1'],
    ['application/vnd.api+json', '{"code":"1"}'],
  ])('%s is a 415', async (type, text) => {
    const response = await as(await emulate(fixtures), 'ada')
      .post('/v1/vals')
      .type(type)
      .send(text);

    expect(response.status).toBe(415);
    expect(response.body).toStrictEqual({
      message: `Unsupported Media Type: ${type}`,
      error: 'Unsupported Media Type',
      statusCode: 415,
      code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    });
  });

  test('a body without a content type is a 415', async () => {
    const { url } = await emulate(fixtures);
    const body = new TextEncoder().encode('{"code":"1"}');

    const response = await fetch(`${url}/v1/vals`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada-token' },
      body,
    });

    expect(response.status).toBe(415);
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8'])(
    '%s is JSON',
    async (type) => {
      const response = await as(await emulate(fixtures), 'ada')
        .post('/v1/vals')
        .set('Content-Type', type)
        .send('{"code":"é"}');

      expect(response.status).toBe(200);
      expect(response.body.code).toBe('é');
    },
  );
});

describe('the size of a body', () => {
  const bodyOf = (bytes: number) => '{"code":"1","pad":""}'.replace('""', `"${'x'.repeat(bytes - 21)}"`);

  test.each([
    ['post', '/v1/vals'],
    ['put', '/v1/vals'],
    ['post', `/v1/vals/${HELLO}/versions`],
    ['post', '/v1/vals?from=/_emulator/'],
  ] as const)('%s %s: more than 1 MiB is a 413', async (method, path) => {
    const text = bodyOf(MIB + 1);

    const response = await as(await emulate(fixtures), 'ada')
      [method](path)
      .type('json')
      .send(text);

    expect(response.status).toBe(413);
    expect(response.body).toStrictEqual({
      message: 'Request body is too large',
      error: 'Payload Too Large',
      statusCode: 413,
      code: 'FST_ERR_CTP_BODY_TOO_LARGE',
    });
  });

  test('a body of 1 MiB is read', async () => {
    const response = await as(await emulate(fixtures), 'ada')
      .post('/v1/vals')
      .type('json')
      .send(bodyOf(MIB));

    expect(response.status).toBe(200);
  });

  test('the connection stays open after a body that is too large', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada')
      .post('/v1/vals')
      .type('json')
      .send(bodyOf(3 * MIB));

    const response = await as(emulator, 'ada').get('/v1/me');

    expect(response.status).toBe(200);
  });

  test('applies where Fastify reads a body, which it does without a route too', async () => {
    const emulator = await emulate(fixtures);
    const body = bodyOf(MIB + 1);

    const noRoute = await as(emulator, 'ada').post('/v1/nothing').type('json').send(body);
    expect(noRoute.status).toBe(413);
    const noJson = await as(emulator, 'ada').post('/v1/nothing').type('text').send(body);
    expect(noJson.status).toBe(404);
    const noToken = await as(emulator).post('/v1/vals').type('json').send(body);
    expect(noToken.body).toStrictEqual(unauthorized);
  });
});

describe('a malformed path', () => {
  test.each([
    '/v1/vals/%',
    '/v1/vals/%zz',
    '/v1/alias/%zz?a=b',
    '/v1/vals/%C3',
    `/v1/vals/${HELLO}/versions/%E0%A4%A`,
    '/v1/nothing/%zz',
  ])('%s is a 400', async (path) => {
    const { url } = await emulate(fixtures);

    const response = await fetch(url + path);

    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual(
      badRequest(`'${path}' is not a valid url component`, 'FST_ERR_BAD_URL'),
    );
  });

  test.each(['/v1/vals/%2F', '/v1/vals/%00', '/v1/vals/%F0%9F%99%82', '/v1/vals/a%20b'])(
    '%s is encoded, but not an id',
    async (path) => {
      const response = await as(await emulate(fixtures)).get(path);

      expect(response.status).toBe(400);
      expect(response.body).toStrictEqual(invalid('params/val_id must match format "uuid"'));
    },
  );

  test.each(['/v1//me', '//v1/me', '/v1/me//', '/v1/me/constructor', '/__proto__', '/v1/ME'])(
    '%s has no route',
    async (path) => {
      const response = await as(await emulate(fixtures), 'ada').get(path);

      expect(response.status).toBe(404);
      expect(response.body).toStrictEqual(notFound(`Route GET:${path} not found`));
    },
  );
});
