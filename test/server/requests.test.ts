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
      badRequest("Body cannot be empty when content-type is set to 'application/json'"),
    );
  });
});

test('no body and no content type is no object', async () => {
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

test('a slash at the end, before the query and of a writing route', async () => {
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

test('a field named __proto__ is one like any other that is unknown', async () => {
  const text = '{"code":"1","__proto__":{"privacy":"public"}}';

  const response = await as(await emulate(fixtures), 'ada')
    .post('/v1/vals')
    .type('json')
    .send(text);

  expect(response.status).toBe(200);
  expect(response.body.privacy).toBe('private');
});

test('unknown query parameters do not matter', async () => {
  const emulator = await emulate(fixtures);

  for (const path of ['/v1/me?x=1', '/v1/me/likes?x=1&limits=0', `/v1/vals/${HELLO}?limit=0&__proto__=1`]) {
    const response = await as(emulator, 'ada').get(path);
    expect(response.status).toBe(200);
  }
});

test.each(['*/*', 'application/json', 'text/html', 'image/png'])('Accept: %s is answered with JSON', async (accept) => {
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
