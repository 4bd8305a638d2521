import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { valNotFound } from '../support/errors.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'Hello', id: HELLO, code: 'two', readme: '# Hello' },
    { author: 'ada', name: 'hidden', code: '1', privacy: 'unlisted' },
    { author: 'ada', name: 'secret', code: '1', privacy: 'private' },
    { author: 'bob', name: 'hello', code: 'his' },
  ],
  versions: [{ val: 'ada/Hello', code: 'one' }],
};

describe('GET /v1/alias/{username}/{val_name}', () => {
  test.each([
    '/v1/alias/ada/Hello',
    '/v1/alias/ada/hello',
    '/v1/alias/ADA/HELLO',
    '/v1/alias/@ada/Hello',
    '/v1/alias/%40Ada/hELLO',
    '/v1/alias/ada/Hello/',
  ])('%s answers as the val does by its id', async (path) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(path);

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: HELLO, name: 'Hello', version: 1, code: 'two', readme: '# Hello' });
    const byId = await as(emulator).get(`/v1/vals/${HELLO}`);
    expect(response.text).toBe(byId.text);
  });

  test.each([
    ['hidden', undefined, 200],
    ['hidden', 'bob', 200],
    ['secret', undefined, 404],
    ['secret', 'bob', 404],
    ['secret', 'ada', 200],
  ])('%s for %s: %i', async (name, caller, status) => {
    const response = await as(await emulate(fixtures), caller).get(`/v1/alias/ada/${name}`);

    expect(response.status).toBe(status);
    if (status === 404) expect(response.body).toStrictEqual(valNotFound);
  });

  test.each(['/v1/alias/ada/nothing', '/v1/alias/nobody/hello', '/v1/alias/ada/@hello', '/v1/alias/@@ada/hello'])(
    '%s is a 404',
    async (path) => {
      const response = await as(await emulate(fixtures)).get(path);

      expect(response.status).toBe(404);
      expect(response.body).toStrictEqual(valNotFound);
    },
  );

  test('a val goes by its name until it has another, or is deleted', async () => {
    const emulator = await emulate(fixtures);
    const find = async (name: string) => (await as(emulator).get(`/v1/alias/ada/${name}`)).status;

    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name: 'welcome' }).expect(204);
    expect([await find('hello'), await find('welcome')]).toStrictEqual([404, 200]);
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);
    expect([await find('hello'), await find('welcome')]).toStrictEqual([404, 404]);
  });
});
