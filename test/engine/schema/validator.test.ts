import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { ValidationMode } from '#engine/schema/ajv.js';
import { compile } from '#engine/schema/validator.js';

const Query = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, default: 20 }),
    error: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const validate = (mode: ValidationMode, value: unknown) => {
  const isQuery = compile(Query, mode);
  const isValid = isQuery(value);
  return {
    isValid,
    value,
    errors: (isQuery.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
  };
};

test.each(['wire', 'query', 'strict'] as const)('defaults are filled in: %s', (mode) => {
  expect(validate(mode, {})).toStrictEqual({ isValid: true, value: { limit: 20 }, errors: [] });
});

test.each(['wire', 'query'] as const)('values are coerced as the real service does: %s', (mode) => {
  expect(validate(mode, { limit: '5', error: 'true', name: 7 }).value).toStrictEqual({
    limit: 5,
    error: true,
    name: '7',
  });
  expect(validate(mode, { limit: '5.0' }).value).toStrictEqual({ limit: 5 });
  expect(validate(mode, { limit: ['5'] }).value).toStrictEqual({ limit: 5 });
  expect(validate(mode, { limit: '5.5' })).toMatchObject({ isValid: false, errors: ['/limit must be integer'] });
  expect(validate(mode, { error: 'yes' })).toMatchObject({ isValid: false, errors: ['/error must be boolean'] });
});

test('nothing is coerced: strict', () => {
  expect(validate('strict', { limit: '5', name: 7 })).toStrictEqual({
    isValid: false,
    value: { limit: '5', name: 7 },
    errors: ['/limit must be integer', '/name must be string'],
  });
});

test('unknown keys are removed: wire', () => {
  expect(validate('wire', { limit: 5, other: 1 })).toStrictEqual({ isValid: true, value: { limit: 5 }, errors: [] });
});

test.each(['query', 'strict'] as const)('unknown keys are errors: %s', (mode) => {
  expect(validate(mode, { limit: 5, other: 1 })).toStrictEqual({
    isValid: false,
    value: { limit: 5, other: 1 },
    errors: [' must NOT have additional properties'],
  });
});

test('the first error ends the check: wire', () => {
  expect(validate('wire', { limit: 0, error: 'yes' }).errors).toStrictEqual(['/limit must be >= 1']);
});

test.each(['query', 'strict'] as const)('all errors are reported: %s', (mode) => {
  expect(validate(mode, { limit: 0, error: 'yes' }).errors).toStrictEqual([
    '/limit must be >= 1',
    '/error must be boolean',
  ]);
});

test('errors are cleared by the next valid value', () => {
  const isQuery = compile(Query, 'strict');

  expect(isQuery({ limit: 0 })).toBe(false);
  expect(isQuery.errors).toHaveLength(1);
  expect(isQuery({ limit: 1 })).toBe(true);
  expect(isQuery.errors).toBeNull();
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%s is not a number', (value) => {
  expect(compile(Type.Number(), 'strict')(value)).toBe(false);
});

test.each([
  ['fixture-time', '-10m', '10m'],
  ['fixture-duration', '10m', '-10m'],
  ['date-time', '2024-06-11T12:00:00Z', '2024-06-11T12:00:00'],
  ['uuid', '4e110000-0000-4000-8000-000000000001', '4e110000'],
  ['uri', 'https://example.com/', 'example.com'],
])('the format %s accepts %j and rejects %j', (format, good, bad) => {
  const isFormat = compile(Type.String({ format }), 'strict');

  expect(isFormat(good)).toBe(true);
  expect(isFormat(bad)).toBe(false);
});
