import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { badRequest, invalid } from '../support/errors.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: 'one' }],
  versions: [{ val: 'ada/hello', code: 'zero' }],
};

describe('an empty body with content type JSON', () => {
  test.each(['/v1/me', '/v1/me/likes', `/v1/vals/${HELLO}`])('does not matter to GET %s', async (path) => {
    const response = await as(await emulate(fixtures), 'ada')
      .get(path)
      .type('json');

    expect(response.status).toBe(200);
  });

  test.each([`/v1/vals/${HELLO}/versions/0`, `/v1/vals/${HELLO}`])('does not matter to DELETE %s', async (path) => {
    const response = await as(await emulate(fixtures), 'ada')
      .delete(path)
      .type('json')
      .set('Accept', '*/*');

    expect(response.status).toBe(204);
  });

  test.each([
    ['post', '/v1/vals'],
    ['put', '/v1/vals'],
    ['post', `/v1/vals/${HELLO}/versions`],
  ] as const)('is a 400 for %s %s', async (method, path) => {
    const response = await as(await emulate(fixtures), 'ada')
      [method](path)
      .type('json');

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(
      badRequest("Body cannot be empty when content-type is set to 'application/json'", 'FST_ERR_CTP_EMPTY_JSON_BODY'),
    );
  });
});

test('a request without body and content type is a 400', async () => {
  const response = await as(await emulate(fixtures), 'ada').post('/v1/vals');

  expect(response.status).toBe(400);
  expect(response.body).toStrictEqual(invalid('body must be object'));
});

test('a body that no route asked for must be JSON, and is ignored', async () => {
  const emulator = await emulate(fixtures);

  const deleted = await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).type('json').send('{ rubbish');

  expect(deleted.status).toBe(400);
  expect((await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).type('text').send('x')).status).toBe(415);
  expect((await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).send({ code: 1 })).status).toBe(204);
});

test.each(['/v1/me/', '/v1/me/runs/', '/v1/me/likes/', `/v1/vals/${HELLO}/`, `/v1/vals/${HELLO}/versions/1/`])(
  'a slash at the end of %s makes no difference',
  async (path) => {
    const emulator = await emulate(fixtures);

    const slashed = await as(emulator, 'ada').get(path);

    expect(slashed.status).toBe(200);
    const plain = await as(emulator, 'ada').get(path.slice(0, -1));
    expect(slashed.text).toBe(plain.text);
  },
);

test('ignores a slash before the query, and of a route that writes', async () => {
  const emulator = await emulate(fixtures);

  const list = await as(emulator, 'ada').get('/v1/me/likes/?limit=5');
  expect(list.body.links.self).toBe(`${emulator.url}/v1/me/likes?limit=5&offset=0`);
  const created = await as(emulator, 'ada').post('/v1/vals/').send({ code: '1' });
  expect(created.status).toBe(200);
});

test.each([
  ['post', '/v1/vals', 200],
  ['put', '/v1/vals', 200],
  ['post', `/v1/vals/${HELLO}/versions`, 201],
] as const)('%s %s ignores fields that it does not know', async (method, path, status) => {
  const emulator = await emulate(fixtures);
  const body = { name: 'fresh', code: '1', token: 'x', visibility: 'public', id: 'mine', version: 9, links: null };

  const response = await as(emulator, 'ada')
    [method](path)
    .send({ ...body, __proto__: null, constructor: 1 });

  expect(response.status).toBe(status);
  expect(response.body).toMatchObject({ name: 'fresh', code: '1' });
  for (const name of ['token', 'visibility']) expect(response.body).not.toHaveProperty(name);
  expect([0, 2]).toContain(response.body.version);
});

test('visibility is not privacy', async () => {
  const response = await as(await emulate(fixtures), 'ada')
    .post('/v1/vals')
    .send({ code: '1', visibility: 'public' });

  expect(response.body.privacy).toBe('private');
});

test.each([
  ['{"code":"1","__proto__":{"privacy":"public"}}', 'Object contains forbidden prototype property'],
  ['{"code":"1","a":[{"\\u005f_proto__":1}]}', 'Object contains forbidden prototype property'],
  ['{"code":"1","constructor":{"prototype":{}}}', 'Object contains forbidden prototype property'],
  ['{"code":"1","constructor":null}', 'Cannot convert undefined or null to object'],
])('%s is a 400 as in Fastify, since it could change a prototype', async (text, message) => {
  const response = await as(await emulate(fixtures), 'ada')
    .post('/v1/vals')
    .type('json')
    .send(text);

  expect(response.status).toBe(400);
  expect(response.body).toStrictEqual(badRequest(message));
});

test.each(['{"code":"1","constructor":{"name":"a"}}', '{"code":"__proto__","prototype":1}'])(
  '%s has nothing to do with a prototype',
  async (text) => {
    const response = await as(await emulate(fixtures), 'ada')
      .post('/v1/vals')
      .type('json')
      .send(text);

    expect(response.status).toBe(200);
  },
);

test('a list of one text is the text, also where only some texts are allowed', async () => {
  const emulator = await emulate(fixtures);
  const body = { code: ['1'], privacy: ['public'], type: ['email'] };

  const created = await as(emulator, 'ada').post('/v1/vals').send(body);

  expect(created.body).toMatchObject({ code: '1', privacy: 'public', type: 'email' });
  const listed = await as(emulator, 'ada').get('/v1/me/comments?relationship=given&relationship=any');
  expect(listed.body).toStrictEqual(invalid('querystring/relationship must be string'));
});

test.each([
  ['application/json; charset=latin1', 200],
  ['application/jsonp', 200],
  ['application/json;', 415],
  ['application/vnd.api+json', 415],
])('a body of type %s is a %i, as in Fastify', async (type, status) => {
  const response = await (await emulate(fixtures)).fetch('/v1/vals', {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': type },
    body: '{"code":"1"}',
  });

  expect(response.status).toBe(status);
});

test('a DELETE reports its body before its id', async () => {
  const response = await as(await emulate(fixtures), 'ada')
    .delete('/v1/vals/no-id')
    .type('json')
    .send('{"__proto__":1}');

  expect(response.body).toStrictEqual(badRequest('Object contains forbidden prototype property'));
});

test('the version %20 is version 0, since Ajv takes a space for the number 0', async () => {
  const emulator = await emulate(fixtures);
  const versions = `/v1/vals/${HELLO}/versions`;
  expect((await as(emulator, 'ada').get(`${versions}/0`)).status).toBe(200);

  const response = await as(emulator, 'ada').delete(`${versions}/%20`);

  expect(response.status).toBe(204);
  expect((await as(emulator, 'ada').get(`${versions}/0`)).status).toBe(404);
});

test('a query begins at the first semicolon or question mark, and keeps malformed encoding', async () => {
  const emulator = await emulate(fixtures);

  const first = await as(emulator, 'ada').get('/v1/me/likes;limit=5');
  const second = await as(emulator, 'ada').get('/v1/me/likes?a=%zz&b=%ff&limit=5');

  expect(first.body.links.self).toBe(`${emulator.url}/v1/me/likes?limit=5&offset=0`);
  expect(second.body.links.self).toBe(`${emulator.url}/v1/me/likes?a=%25zz&b=%25ff&limit=5&offset=0`);
});

test('unknown query parameters do not matter', async () => {
  const emulator = await emulate(fixtures);

  for (const path of ['/v1/me?x=1', '/v1/me/likes?x=1&limits=0', `/v1/vals/${HELLO}?limit=0&__proto__=1`]) {
    const response = await as(emulator, 'ada').get(path);
    expect(response.status).toBe(200);
  }
});

test.each(['*/*', 'application/json', 'text/html', 'image/png'])('Accept: %s gets JSON', async (accept) => {
  const response = await as(await emulate(fixtures), 'ada')
    .get('/v1/me')
    .set('Accept', accept);

  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('a body can be printed prettily', async () => {
  const text = JSON.stringify({ name: 'pretty', code: 'é\n🙂' }, null, 2);

  const response = await as(await emulate(fixtures), 'ada')
    .post('/v1/vals')
    .type('json')
    .send(`\n${text}\n`);

  expect(response.body).toMatchObject({ name: 'pretty', code: 'é\n🙂' });
});

test('a DELETE whose body does not arrive whole deletes nothing', async () => {
  const emulator = await emulate(fixtures);
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
  const head = `DELETE /v1/vals/${HELLO} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada-token\r\n`;
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n1 7\r\n{}\r\n0\r\n\r\n`);

  const [response] = await once(socket, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 400 /);
  await once(socket, 'close');
  await expect.poll(() => emulator.requests()).toHaveLength(1);
  expect(emulator.requests()).toMatchObject([{ method: 'DELETE', status: 400 }]);
  expect((await as(emulator, 'ada').get(`/v1/vals/${HELLO}`)).status).toBe(200);
});
