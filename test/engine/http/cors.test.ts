import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: 'one' }],
};

describe('HEAD', () => {
  test.each([
    ['/v1/me', 200],
    ['/v1/me/likes?limit=5', 200],
    [`/v1/vals/${HELLO}/versions`, 200],
    [`/v1/vals/${HELLO}/versions/9`, 404],
    ['/v1/me/likes?limit=0', 400],
  ])('%s has the status and headers of GET, and no body', async (path, status) => {
    const emulator = await emulate(fixtures);

    const head = await as(emulator, 'ada').head(path);

    const get = await as(emulator, 'ada').get(path);
    expect(head.status).toBe(status);
    expect(get.status).toBe(status);
    expect(head.headers).toStrictEqual(get.headers);
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(get.text));
    expect(head.text ?? '').toBe('');
  });

  test('returns 404 for a route without a GET', async () => {
    const response = await as(await emulate(fixtures), 'ada').head('/v1/email');

    expect(response.status).toBe(404);
  });
});

describe('a preflight from a page of another origin', () => {
  test.each(['/v1/me', '/v1/vals', `/v1/vals/${HELLO}/versions/0`, '/v1/vals/no-id'])(
    'OPTIONS %s allows every method, and the requested headers',
    async (path) => {
      const response = await as(await emulate(fixtures))
        .options(path)
        .set('Origin', 'https://app.example.com')
        .set('Access-Control-Request-Method', 'DELETE')
        .set('Access-Control-Request-Headers', 'authorization,content-type,x-stainless-lang');

      expect(response.status).toBe(204);
      expect(response.text).toBe('');
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
      });
    },
  );

  test('allows only requested headers', async () => {
    const response = await as(await emulate(fixtures))
      .options('/v1/me')
      .set('Origin', 'https://app.example.com')
      .set('Access-Control-Request-Method', 'GET');

    expect(response.status).toBe(204);
    expect(response.headers).not.toHaveProperty('access-control-allow-headers');
  });

  test('ignores an unknown token', async () => {
    const response = await as(await emulate(fixtures), 'mallory').options('/v1/me');

    expect(response.status).toBe(204);
  });
});

test.each([
  [400, 'ada', 'get', '/v1/vals/%zz', undefined],
  [404, 'ada', 'get', '/v1/nothing', undefined],
  [413, 'ada', 'post', '/v1/vals', { code: 'x'.repeat(1024 * 1024) }],
] as const)('a page of any origin may read a %i', async (status, user, method, path, body) => {
  const response = await as(await emulate(fixtures), user)
    [method](path)
    .set('Origin', 'https://app.example.com')
    .send(body);

  expect(response.status).toBe(status);
  expect(response.headers['access-control-allow-origin']).toBe('*');
});
