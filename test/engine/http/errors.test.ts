import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { unauthorized } from '../../support/errors.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const MIB = 1024 * 1024;

const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
};

test('a missing token returns 401, whatever the request has', async () => {
  const emulator = await emulate(fixtures);

  const wrongBody = await as(emulator).post('/v1/vals').type('json').send('{');
  const wrongId = await as(emulator).delete('/v1/vals/hello');

  expect([wrongBody.status, wrongId.status]).toEqual([401, 401]);
  expect(wrongBody.body).toStrictEqual(unauthorized);
  expect(wrongId.body).toStrictEqual(unauthorized);
});

describe('the size of a body', () => {
  const bodyOf = (bytes: number) => '{"code":"1","pad":""}'.replace('""', `"${'x'.repeat(bytes - 21)}"`);

  test.each([
    ['post', '/v1/vals'],
    ['put', '/v1/vals'],
    ['post', `/v1/vals/${HELLO}/versions`],
    ['post', '/v1/vals?from=/_emulator/'],
  ] as const)('%s %s returns 413 for more than 1 MiB', async (method, path) => {
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

  test('beyond the limit leaves the connection open', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada')
      .post('/v1/vals')
      .type('json')
      .send(bodyOf(3 * MIB));

    const response = await as(emulator, 'ada').get('/v1/me');

    expect(response.status).toBe(200);
  });

  test('is limited where Fastify reads a body, also without a route', async () => {
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
