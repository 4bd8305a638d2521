import { describe, expect, test } from 'vitest';
import { FaultError, type Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { notFound } from '../../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const RUN = '40400000-0000-4000-8000-000000000001';
const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
  runs: [{ val: 'ada/hello', id: RUN }],
};

describe('with specOnly', () => {
  test.each([
    ['get', `/v1/users/${ADA}`],
    ['get', `/v1/users/${ADA}/vals`],
    ['get', '/v1/alias/ada'],
    ['get', '/v1/alias/ada/hello'],
    ['put', `/v1/vals/${HELLO}`],
    ['get', '/v1/search/vals'],
    ['get', `/v1/runs/${RUN}`],
    ['post', '/v1/email'],
    ['get', '/v1/blob'],
    ['post', '/v1/blob/a'],
    ['post', '/v1/sqlite/execute'],
    ['post', '/v1/sqlite/batch'],
    ['post', `/v1/vals/${HELLO}/evaluations/${RUN}/cancel`],
  ] as const)('%s %s is an unknown route', async (method, path) => {
    const emulator = await emulate(fixtures, { specOnly: true });

    const response = await as(emulator, 'ada')[method](path);

    expect(response.status).toBe(404);
    expect(response.body).toStrictEqual(notFound(`Route ${method.toUpperCase()}:${path} not found`));
    expect(emulator.unhandled()).toHaveLength(1);
  });

  test.each(['/v1/me', '/v1/me/runs', '/v1/me/likes', '/v1/me/comments', '/v1/me/references'])(
    'GET %s stays',
    async (path) => {
      const emulator = await emulate(fixtures, { specOnly: true });

      await as(emulator, 'ada').get(path).expect(200);
    },
  );

  test.each(['', '/versions', '/versions/0', '/runs'])('GET /v1/vals/{val_id}%s stays', async (path) => {
    const emulator = await emulate(fixtures, { specOnly: true });

    await as(emulator, 'ada').get(`/v1/vals/${HELLO}${path}`).expect(200);
  });

  test('an unofficial route has no faults', async () => {
    const emulator = await emulate(fixtures, { specOnly: true });

    expect(() => emulator.fail('GET /v1/alias/{username}')).toThrow(FaultError);
  });
});
