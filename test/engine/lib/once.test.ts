import { expect, test } from 'vitest';
import { onceFor } from '#engine/lib/once.js';

test('a value is made once for an object, also undefined', () => {
  const made: object[] = [];
  const make = onceFor((key: { readonly name: string }) => {
    made.push(key);
    return key.name === '' ? undefined : { name: key.name };
  });
  const [first, second, none] = [{ name: 'a' }, { name: 'a' }, { name: '' }];

  expect(make(first)).toBe(make(first));
  expect(make(second)).not.toBe(make(first));
  expect([make(none), make(none)]).toEqual([undefined, undefined]);
  expect(made).toEqual([first, second, none]);
});
