import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid } from '../support/errors.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const PATTERN = 'body/name must match pattern "^[a-zA-Z][a-zA-Z0-9_]*$"';
const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1' }],
};

/** The three requests that carry code, each with a body that is right as it stands. */
const WRITES = [
  { method: 'post', path: '/v1/vals', success: 200 },
  { method: 'put', path: '/v1/vals', success: 200 },
  { method: 'post', path: `/v1/vals/${HELLO}/versions`, success: 201 },
] as const;
const SETTING = [WRITES[0], WRITES[2]];
const right = { name: 'fine', code: '1' };

describe.each(WRITES)('$method $path', ({ method, path, success }) => {
  test.each([
    ['name of 1 character', { name: 'a' }],
    ['name of 48 characters', { name: 'a'.repeat(48) }],
    ['name of letters, digits and _', { name: 'Az_09' }],
    ['code of 1 character', { code: ' ' }],
    ['code of 256000 characters', { code: 'x'.repeat(256_000) }],
    ['code of 256000 emoji', { code: '🙂'.repeat(256_000) }],
  ])('accepts a %s', async (_, change) => {
    const response = await as(await emulate(fixtures), 'ada')
      [method](path)
      .send({ ...right, ...change });

    expect(response.status).toBe(success);
    expect(response.body).toMatchObject({ ...right, ...change });
  });

  test.each([
    ['empty code', { code: '' }, 'body/code must NOT have fewer than 1 characters'],
    ['code of 256001 characters', { code: 'x'.repeat(256_001) }, 'body/code must NOT have more than 256000 characters'],
    ['code of 256001 emoji', { code: '🙂'.repeat(256_001) }, 'body/code must NOT have more than 256000 characters'],
    ['no code', { code: undefined }, "body must have required property 'code'"],
    ['code that is an object', { code: {} }, 'body/code must be string'],
    ['code that is two strings', { code: ['1', '2'] }, 'body/code must be string'],
    // Ajv coerces null to an empty string.
    ['code that is null', { code: null }, 'body/code must NOT have fewer than 1 characters'],
    ['empty name', { name: '' }, 'body/name must NOT have fewer than 1 characters'],
    ['name of 49 characters', { name: 'a'.repeat(49) }, 'body/name must NOT have more than 48 characters'],
    ['name with a hyphen', { name: 'my-val' }, PATTERN],
    ['name with a space', { name: 'my val' }, PATTERN],
    ['name that begins with a digit', { name: '1val' }, PATTERN],
    ['name that begins with _', { name: '_val' }, PATTERN],
    ['name with an umlaut', { name: 'välue' }, PATTERN],
    ['name with a line break at its end', { name: 'val\n' }, PATTERN],
    ['name that is an object', { name: {} }, 'body/name must be string'],
  ])('refuses %s', async (_, change, message) => {
    const response = await as(await emulate(fixtures), 'ada')
      [method](path)
      .send({ ...right, ...change });

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(invalid(message));
  });
});

describe.each(SETTING)('$method $path', ({ method, path, success }) => {
  test.each([
    ['of 8192 characters', 'x'.repeat(8_192)],
    ['of 8192 emoji', '🙂'.repeat(8_192)],
  ])('accepts a readme %s', async (_, readme) => {
    const response = await as(await emulate(fixtures), 'ada')
      [method](path)
      .send({ ...right, readme });

    expect(response.status).toBe(success);
    expect(response.body.readme).toBe(readme);
  });

  test.each([
    [
      'a readme of 8193 characters',
      { readme: 'x'.repeat(8_193) },
      'body/readme must NOT have more than 8192 characters',
    ],
    ['a readme of 8193 emoji', { readme: '🙂'.repeat(8_193) }, 'body/readme must NOT have more than 8192 characters'],
    ['a readme that is an object', { readme: {} }, 'body/readme must be string'],
    ['an unknown privacy', { privacy: 'secret' }, 'body/privacy must be equal to one of the allowed values'],
    ['a privacy in capitals', { privacy: 'Public' }, 'body/privacy must be equal to one of the allowed values'],
    ['an unknown type', { type: 'cron' }, 'body/type must be equal to one of the allowed values'],
    ['the type interval', { type: 'interval' }, 'body/type must be equal to one of the allowed values'],
    ['the type express', { type: 'express' }, 'body/type must be equal to one of the allowed values'],
    ['the type rpc', { type: 'rpc' }, 'body/type must be equal to one of the allowed values'],
  ])('refuses %s', async (_, change, message) => {
    const response = await as(await emulate(fixtures), 'ada')
      [method](path)
      .send({ ...right, ...change });

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(invalid(message));
  });

  test('the name can be left out', async () => {
    const response = await as(await emulate(fixtures), 'ada')
      [method](path)
      .send({ code: '1' });

    expect(response.status).toBe(success);
  });
});

test('PUT needs a name', async () => {
  const response = await as(await emulate(fixtures), 'ada')
    .put('/v1/vals')
    .send({ code: '1' });

  expect(response.status).toBe(400);
  expect(response.body).toStrictEqual(invalid("body must have required property 'name'"));
});
