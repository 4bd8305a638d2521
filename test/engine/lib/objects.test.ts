import { expect, test } from 'vitest';
import { isObject, omitUndefined } from '#engine/lib/objects.js';

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [1, false],
])('isObject(%j) is %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

test('undefined fields are omitted, all other values stay', () => {
  expect(omitUndefined({ a: undefined, b: null, c: 0, d: '' })).toStrictEqual({ b: null, c: 0, d: '' });
});

test.each([undefined, null, 'text', 7])('omitUndefined(%j) is the same value', (value) => {
  expect(omitUndefined(value)).toBe(value);
});

test('a list stays the same object', () => {
  const list = [undefined, 1];

  expect(omitUndefined(list)).toBe(list);
});
