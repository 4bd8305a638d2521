import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { conflict, invalid, valNotFound } from '../support/errors.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const FAN = 'fa000000-0000-4000-8000-000000000002';
const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1', readme: '# Hello', privacy: 'unlisted', type: 'http' },
    { author: 'ada', name: 'Other', code: '1' },
    { author: 'bob', name: 'his', code: '1' },
    { author: 'bob', name: 'fan', id: FAN, code: "import 'https://esm.town/v/ada/hello';" },
  ],
};

const before = { name: 'hello', version: 0, code: '1', readme: '# Hello', privacy: 'unlisted', type: 'http' };

describe('PUT /v1/vals/{val_id}', () => {
  test.each([
    [{ name: 'welcome' }, { name: 'welcome', url: 'https://val.town/v/ada/welcome' }],
    [{ name: 'HELLO' }, { name: 'HELLO', links: { endpoint: 'https://ada-hello.web.val.run' } }],
    [{ name: 'hello' }, {}],
    [{ readme: 'New' }, { readme: 'New' }],
    [{ readme: '' }, { readme: '' }],
    [{ privacy: 'public' }, { privacy: 'public', public: true }],
    [{ privacy: 'private' }, { privacy: 'private', public: false }],
    [{ type: 'email' }, { type: 'email' }],
    [
      { name: 'all', readme: 'A', privacy: 'public', type: 'script' },
      { name: 'all', readme: 'A', privacy: 'public', type: 'script' },
    ],
    [{}, {}],
    [{ code: 'not this way', version: 7, token: 'x' }, {}],
  ])('%j: 204 without a body, and the rest stays', async (body, change) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send(body);

    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(response.headers).not.toHaveProperty('content-type');
    const val = await as(emulator, 'ada').get(`/v1/vals/${HELLO}`);
    expect(val.body).toMatchObject({ ...before, ...change });
    const versions = await as(emulator, 'ada').get(`/v1/vals/${HELLO}/versions`);
    expect(versions.body.data).toHaveLength(1);
  });

  test.each(['Other', 'other', 'OTHER'])(
    'the name %s is taken, whatever the case, and nothing changes',
    async (name) => {
      const emulator = await emulate(fixtures);

      const response = await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name, readme: 'New' });

      expect(response.status).toBe(409);
      expect(response.body).toStrictEqual(conflict('Conflict: a val named "Other" already exists'));
      const val = await as(emulator, 'ada').get(`/v1/vals/${HELLO}`);
      expect(val.body).toMatchObject(before);
    },
  );

  test("a name of somebody else's val is free", async () => {
    const emulator = await emulate(fixtures);

    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name: 'his' }).expect(204);
  });

  test('the old name is free for another val', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name: 'welcome' }).expect(204);

    const again = await as(emulator, 'ada').post('/v1/vals').send({ name: 'Hello', code: '2' });

    expect(again.status).toBe(200);
    expect(again.body.id).not.toBe(HELLO);
    const taken = await as(emulator, 'ada').post('/v1/vals').send({ name: 'Welcome', code: '2' });
    expect(taken.status).toBe(409);
    const byName = await as(emulator, 'ada').put('/v1/vals').send({ name: 'WELCOME', code: '2' });
    expect(byName.body).toMatchObject({ id: HELLO, name: 'welcome', version: 1 });
  });

  test('what imports the val by its old name refers to it no more, until it has the name again', async () => {
    const emulator = await emulate(fixtures);
    const counts = async () => {
      const { body } = await as(emulator, 'ada').get(`/v1/vals/${HELLO}`);
      const references = await as(emulator, 'ada').get('/v1/me/references');
      return [body.referenceCount, references.body.data.length];
    };

    expect(await counts()).toStrictEqual([1, 1]);
    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name: 'welcome' }).expect(204);
    expect(await counts()).toStrictEqual([0, 0]);
    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name: 'Hello' }).expect(204);
    expect(await counts()).toStrictEqual([1, 1]);
  });

  test.each([
    [{ name: '' }, 'body/name must NOT have fewer than 1 characters'],
    [{ name: 'a'.repeat(49) }, 'body/name must NOT have more than 48 characters'],
    [{ name: 'my-val' }, 'body/name must match pattern "^[a-zA-Z][a-zA-Z0-9_]*$"'],
    [{ readme: 'x'.repeat(8_193) }, 'body/readme must NOT have more than 8192 characters'],
    [{ privacy: 'secret' }, 'body/privacy must be equal to one of the allowed values'],
    [{ type: 'interval' }, 'body/type must be equal to one of the allowed values'],
    [[], 'body must be object'],
  ])('%j is a 400', async (body, message) => {
    const response = await as(await emulate(fixtures), 'ada')
      .put(`/v1/vals/${HELLO}`)
      .send(body);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(invalid(message));
  });

  test("somebody else's val is a 404, also a public one", async () => {
    const response = await as(await emulate(fixtures), 'ada')
      .put(`/v1/vals/${FAN}`)
      .send({ name: 'mine' });

    expect(response.status).toBe(404);
    expect(response.body).toStrictEqual(valNotFound);
  });
});
