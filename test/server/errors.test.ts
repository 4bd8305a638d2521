import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import {
  badRequest,
  conflict,
  invalid,
  notFound,
  unauthorized,
  valNotFound,
  versionNotFound,
} from '../support/errors.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const MISSING = 'deadbeef-0000-4000-8000-000000000000';
const MIB = 1024 * 1024;

const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1' },
    { author: 'ada', name: 'other', code: '2' },
  ],
};

type Row = [
  what: string,
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  body: object | undefined,
  answer: object,
];

/** Every kind of error that a caller with a token can meet, and the whole answer. */
const ROWS: Row[] = [
  ['a missing property', 'post', '/v1/vals', {}, invalid("body must have required property 'code'")],
  ['a missing name', 'put', '/v1/vals', { code: '1' }, invalid("body must have required property 'name'")],
  [
    'a missing property beside a wrong one',
    'put',
    '/v1/vals',
    { name: '!' },
    invalid("body must have required property 'code'"),
  ],
  ['an empty string', 'post', '/v1/vals', { code: '' }, invalid('body/code must NOT have fewer than 1 characters')],
  [
    'a string too long',
    'post',
    '/v1/vals',
    { name: 'a'.repeat(49), code: '1' },
    invalid('body/name must NOT have more than 48 characters'),
  ],
  [
    'a string against its pattern',
    'post',
    '/v1/vals',
    { name: 'my-val', code: '1' },
    invalid('body/name must match pattern "^[a-zA-Z][a-zA-Z0-9_]*$"'),
  ],
  ['a wrong type', 'post', '/v1/vals', { code: ['1', '2'] }, invalid('body/code must be string')],
  [
    'an unknown value',
    'post',
    '/v1/vals',
    { code: '1', privacy: 'secret' },
    invalid('body/privacy must be equal to one of the allowed values'),
  ],
  ['a body that is a list', 'post', '/v1/vals', [], invalid('body must be object')],
  ['a limit too low', 'get', '/v1/me/likes?limit=0', undefined, invalid('querystring/limit must be >= 1')],
  ['a limit too high', 'get', '/v1/me/likes?limit=101', undefined, invalid('querystring/limit must be <= 100')],
  ['a limit that is a word', 'get', '/v1/me/likes?limit=ten', undefined, invalid('querystring/limit must be integer')],
  ['an offset too low', 'get', '/v1/me/likes?offset=-1', undefined, invalid('querystring/offset must be >= 0')],
  ['a flag that is a word', 'get', '/v1/me/runs?error=maybe', undefined, invalid('querystring/error must be boolean')],
  [
    'a time that is a word',
    'get',
    '/v1/me/runs?since=yesterday',
    undefined,
    invalid('querystring/since must match format "date-time"'),
  ],
  [
    'an unknown relationship',
    'get',
    '/v1/me/comments?relationship=none',
    undefined,
    invalid('querystring/relationship must be equal to one of the allowed values'),
  ],
  ['an id that is none', 'get', '/v1/vals/hello', undefined, invalid('params/val_id must match format "uuid"')],
  ['an id cut short', 'delete', '/v1/vals/4e110000', undefined, invalid('params/val_id must match format "uuid"')],
  [
    'a version that is a word',
    'get',
    `/v1/vals/${HELLO}/versions/one`,
    undefined,
    invalid('params/version must be integer'),
  ],
  ['a version too low', 'get', `/v1/vals/${HELLO}/versions/-1`, undefined, invalid('params/version must be >= 0')],
  ['a missing val', 'get', `/v1/vals/${MISSING}`, undefined, valNotFound],
  ['a missing version', 'get', `/v1/vals/${HELLO}/versions/7`, undefined, versionNotFound],
  ['a missing route', 'get', '/v1/users', undefined, notFound('Route GET:/v1/users not found')],
  ['a missing route with a query', 'get', '/v1/nope?a=b', undefined, notFound('Route GET:/v1/nope?a=b not found')],
  ['a method that the path has not', 'post', '/v1/me', {}, notFound('Route POST:/v1/me not found')],
  ['another version of the API', 'get', '/v0/me', undefined, notFound('Route GET:/v0/me not found')],
  ['a write at the bare address', 'post', '/', {}, notFound('Route POST:/ not found')],
  [
    'a name that is taken',
    'post',
    '/v1/vals',
    { name: 'Hello', code: '1' },
    conflict('Conflict: a val named "Hello" already exists'),
  ],
  [
    'a name that another val has',
    'post',
    `/v1/vals/${HELLO}/versions`,
    { name: 'other', code: '1' },
    conflict('Conflict: a val named "other" already exists'),
  ],
];

test.each(ROWS)('%s: %s %s', async (_, method, path, body, answer) => {
  const response = await as(await emulate(fixtures), 'ada')
    [method](path)
    .send(body);

  expect(response.body).toStrictEqual(answer);
  expect(response.status).toBe(response.body.statusCode);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Number(response.headers['content-length'])).toBe(Buffer.byteLength(response.text));
});

test('a missing val, a missing version and a missing route have different messages', async () => {
  const emulator = await emulate(fixtures);
  const paths = [`/v1/vals/${MISSING}`, `/v1/vals/${HELLO}/versions/7`, `/v1/vals/${HELLO}/nothing`];

  const answers = await Promise.all(paths.map((path) => as(emulator, 'ada').get(path)));

  expect(answers.map(({ status }) => status)).toStrictEqual([404, 404, 404]);
  expect(new Set(answers.map(({ body }) => body.message)).size).toBe(3);
});

describe('401', () => {
  test.each(['/v1/me', `/v1/vals/${HELLO}/runs`])('%s without a token', async (path) => {
    const response = await as(await emulate(fixtures)).get(path);

    expect(response.status).toBe(401);
    expect(response.body).toStrictEqual(unauthorized);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['/v1/me', `/v1/vals/${HELLO}`, `/v1/vals/${HELLO}/versions`])('%s with an unknown token', async (path) => {
    const response = await as(await emulate(fixtures), 'mallory').get(path);

    expect(response.status).toBe(401);
    expect(response.body).toStrictEqual(unauthorized);
  });

  test('without a token nothing is said about the request', async () => {
    const emulator = await emulate(fixtures);

    const wrongBody = await as(emulator).post('/v1/vals').type('json').send('{');
    const wrongId = await as(emulator).delete('/v1/vals/hello');

    expect(wrongBody.body).toStrictEqual(unauthorized);
    expect(wrongId.body).toStrictEqual(unauthorized);
  });
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

  test.each(['null', '1', '"code"', 'true'])('%s is JSON, but no object', async (text) => {
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

  test('just 1 MiB is read', async () => {
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

  test('it matters only where a body is read, which Fastify does without a route too', async () => {
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

describe('rubbish in a path', () => {
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
    '%s is properly encoded, but no id',
    async (path) => {
      const response = await as(await emulate(fixtures)).get(path);

      expect(response.status).toBe(400);
      expect(response.body).toStrictEqual(invalid('params/val_id must match format "uuid"'));
    },
  );

  test.each(['/v1//me', '//v1/me', '/v1/me//', '/v1/me/constructor', '/__proto__', '/v1/ME'])(
    '%s is no route',
    async (path) => {
      const response = await as(await emulate(fixtures), 'ada').get(path);

      expect(response.status).toBe(404);
      expect(response.body).toStrictEqual(notFound(`Route GET:${path} not found`));
    },
  );
});
