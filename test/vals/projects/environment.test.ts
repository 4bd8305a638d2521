import { expect, test } from 'vitest';
import { NOW } from '../../support/emulate.js';
import { conflict, notFound } from '../../support/errors.js';
import { SHARED, SITE, serve } from './project-fixtures.js';

const VARIABLES = `/v2/vals/${SITE}/environment_variables`;

test('a variable is created, changed, listed without its value, and deleted', async () => {
  const { emulator, get, post, put, del } = await serve();

  const created = await post(VARIABLES, { key: 'API_KEY', value: 's3cret', description: 'Of x' });
  expect([created.status, created.body]).toStrictEqual([
    201,
    { key: 'API_KEY', description: 'Of x', updatedAt: NOW, createdAt: NOW },
  ]);
  await post(VARIABLES, { key: '_a', value: '' });
  emulator.clock.advance('1h');
  const changed = await put(`${VARIABLES}/API_KEY`, { value: 'n3w' });
  expect([changed.status, changed.body]).toStrictEqual([
    201,
    { key: 'API_KEY', description: 'Of x', updatedAt: '2024-06-11T23:05:12.585Z', createdAt: NOW },
  ]);
  expect((await put(`${VARIABLES}/API_KEY`, { value: 'n3w', description: '' })).body.description).toBe('');
  const { body, text } = await get(VARIABLES);
  expect(body.data).toStrictEqual([
    { key: 'API_KEY', description: '', updatedAt: '2024-06-11T23:05:12.585Z', createdAt: NOW },
    { key: '_a', description: null, updatedAt: NOW, createdAt: NOW },
  ]);
  expect(text).not.toContain('n3w');
  expect((await get(`${VARIABLES}?limit=1`)).body.links.next).toContain('offset=1');

  expect((await del(`${VARIABLES}/API_KEY`)).status).toBe(204);
  const missing = { status: 404, body: notFound('Environment variable or project not found') };
  expect(await del(`${VARIABLES}/API_KEY`)).toMatchObject(missing);
  expect(await put(`${VARIABLES}/API_KEY`, { value: '' })).toMatchObject(missing);
});

test('a key is unique in its project, and differs by case', async () => {
  const { post } = await serve();
  await post(VARIABLES, { key: 'A', value: '1' });

  expect(await post(VARIABLES, { key: 'A', value: '2' })).toMatchObject({
    status: 409,
    body: conflict('Key already exists'),
  });
  expect((await post(VARIABLES, { key: 'a', value: '2' })).status).toBe(201);
  expect((await post(`/v2/vals/${SHARED}/environment_variables`, { key: 'A', value: '' }, 'bob')).status).toBe(201);
});

test.each([
  [{ value: '' }, "body must have required property 'key'"],
  [{ key: 'A' }, "body must have required property 'value'"],
  [{ key: '1A', value: '' }, 'body/key must match pattern "^[A-Za-z_][A-Z0-9a-z_]*$"'],
  [{ key: 'A'.repeat(8_193), value: '' }, 'body/key must NOT have more than 8192 characters'],
  [{ key: 'A', value: 'x'.repeat(8_193) }, 'body/value must NOT have more than 8192 characters'],
  [{ key: 'A', value: '', description: 'x'.repeat(1_025) }, 'body/description must NOT have more than 1024 characters'],
])('%# is a 400', async (body, message) => {
  const { post } = await serve();
  const response = await post(VARIABLES, body);

  expect([response.status, response.body.message]).toStrictEqual([400, message]);
});

test('the longest key can be changed and deleted', async () => {
  const { post, put, del } = await serve();
  const key = 'K'.repeat(8_192);
  await post(VARIABLES, { key, value: 'x'.repeat(8_192) });

  expect((await put(`${VARIABLES}/${key}`, { value: '' })).status).toBe(201);
  expect((await del(`${VARIABLES}/${key}`)).status).toBe(204);
});
