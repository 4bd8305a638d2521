import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyPlain } from '#engine/lib/copy-plain.js';

test('a plain value is copied as JSON copies it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      fc.pre(!text.includes('-0') && !text.includes('__proto__'));
      expect(copyPlain(value)).toStrictEqual(JSON.parse(text));
      if (typeof value === 'object' && value !== null) expect(copyPlain(value)).not.toBe(value);
    }),
  );
});

test('the objects in a plain value are copied', () => {
  const [inner, list] = [{ a: 1 }, [1]];
  const copy = copyPlain({ inner, list });
  expect(copy).toStrictEqual({ inner: { a: 1 }, list: [1] });
  expect(Object(copy).inner).not.toBe(inner);
  expect(Object(copy).list).not.toBe(list);
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

test.each([
  ['undefined', undefined],
  ['an undefined field', { a: undefined }],
  ['a list with a gap', Array(2)],
  ['a function', { a: () => 1 }],
  ['a symbol', Symbol('a')],
  ['a large whole number', { a: 1n }],
  ['NaN', { a: Number.NaN }],
  ['an infinite number', [Number.POSITIVE_INFINITY]],
  ['minus zero', { a: -0 }],
  ['a date', { a: new Date(0) }],
  ['a map', new Map()],
  ['an object without a prototype', Object.create(null)],
  ['an object of a class', new (class A {})()],
  ['an object with a form of its own', { a: { toJSON: () => 1 } }],
  ['a list with a form of its own', Object.assign([1], { toJSON: () => 1 })],
  ['the key of a prototype', JSON.parse('{"__proto__":{"a":1}}')],
  ['three levels', nested(3)],
])('%s is no plain value of two levels', (_, value) => {
  expect(copyPlain(value, 2)).toBeUndefined();
});

test('a plain value has at most the levels that are allowed', () => {
  expect(copyPlain(nested(2), 2)).toStrictEqual([[1]]);
  expect(copyPlain(nested(500))).toStrictEqual(nested(500));
  expect(copyPlain(nested(501))).toBeUndefined();
});
