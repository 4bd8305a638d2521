import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish, mapInSteps, sortInSteps } from '#engine/lib/steps.js';
import { sized } from '../../support/soak.js';

test('a sort in steps gives what toSorted gives, for equal items too', () => {
  const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat()), { maxLength: 3_000, size: 'max' });
  fc.assert(
    fc.property(items, (list) => {
      const compare = ([a]: [number, number], [b]: [number, number]) => a - b;
      expect(finish(sortInSteps(list, compare))).toEqual(list.toSorted(compare));
    }),
    { numRuns: sized(10, 50) },
  );
});

test('a step has few items of a long list', () => {
  let mapped = 0;
  const steps = mapInSteps(Array(1_000).fill(1), (item: number) => {
    mapped++;
    return item + 1;
  });

  expect(steps.next()).toEqual({ done: false, value: undefined });
  expect(mapped).toBe(50);
  expect(finish(steps)).toEqual(Array(1_000).fill(2));
});
