import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countParts, findSmallest, shrinkValue } from '#tools/shrink/smallest.js';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** A test that counts the lists that it gets. */
function counted<T>(fails: (kept: readonly T[]) => boolean) {
  const tried: (readonly T[])[] = [];
  return {
    tried,
    fails: async (kept: readonly T[]) => {
      tried.push(kept);
      return fails(kept);
    },
  };
}

describe('findSmallest', () => {
  test.each([
    [[], 1],
    [[0], 10],
    [[199], 10],
    [[17, 18, 180], 33],
    [[3, 60, 61, 130, 199], 50],
  ])('finds %j of 200 items in at most %i tries', async (needed, most) => {
    const { fails, tried } = counted<number>((kept) => needed.every((item) => kept.includes(item)));

    expect(await findSmallest(numbers(200), fails)).toEqual(needed);
    expect(tried.length).toBeLessThanOrEqual(most);
  });

  const subset = fc.uniqueArray(fc.nat(9), { maxLength: 4 });
  const has = (kept: readonly number[], items: readonly number[]) => items.every((item) => kept.includes(item));
  const property = (isSound: (found: readonly number[], fails: (kept: readonly number[]) => boolean) => void) =>
    fc.asyncProperty(
      fc.array(subset, { minLength: 1, maxLength: 3 }),
      fc.array(fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (causes, repairs, jobs) => {
        // Items may hide a failure, unless all are there.
        const fails = (kept: readonly number[]) =>
          kept.length === 10 || (causes.some((each) => has(kept, each)) && !repairs.some((each) => has(kept, each)));
        isSound(await findSmallest(numbers(10), async (kept) => fails(kept), jobs), fails);
      },
    );

  test('finds a list that fails, and does not without any one item, also where items hide the failure', async () => {
    await fc.assert(
      property((found, fails) => {
        expect(fails(found)).toBe(true);
        expect(found).toEqual(found.toSorted((a, b) => a - b));
        for (const i of found.keys()) expect(fails(found.toSpliced(i, 1))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('finds a minimum of all subsets, where items hide nothing and one cause is smallest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(subset, { minLength: 1, maxLength: 3 }), async (causes) => {
        const fails = (kept: readonly number[]) => causes.some((each) => has(kept, each));
        const all = numbers(1 << 10).map((bits) => numbers(10).filter((i) => bits & (1 << i)));
        const failing = all.filter(fails);
        const minimal = failing.filter((each) => each.every((_, i) => !fails(each.toSpliced(i, 1))));
        expect(minimal).toContainEqual(await findSmallest(numbers(10), async (kept) => fails(kept)));
      }),
      { numRuns: 30 },
    );
  });

  test('runs as many tries at the same time as there are jobs', async () => {
    let running = 0;
    let most = 0;
    const fails = async (kept: readonly number[]) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return kept.includes(150) && kept.includes(20);
    };

    expect(await findSmallest(numbers(200), fails, 3)).toEqual([20, 150]);
    expect(most).toBe(3);
  });
});

describe('shrinkValue', () => {
  test.each<[value: unknown, needed: string, expected: unknown]>([
    [{ name: 'a', code: '1', tags: ['x', 'y', { z: [1, 2] }] }, '2', { tags: [{ z: [2] }] }],
    [{ code: 'one\ntwo\nthree', name: 'a' }, 'two', { code: 'two' }],
    [[{ a: 1 }, { b: 2 }], 'b', [{ b: 2 }]],
    [{ a: { b: {} } }, 'a', { a: {} }],
    [{ a: 1 }, '', {}],
    ['text', 'text', 'text'],
  ])('makes %j the smallest with %j', async (value, needed, expected) => {
    const fails = async (smaller: unknown) => JSON.stringify(smaller).includes(needed);

    expect(await shrinkValue(value, fails)).toEqual(expected);
  });

  test('keeps nothing that the failure does without', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.string({ maxLength: 2 }), async (value, needed) => {
        const fails = (smaller: unknown) => (JSON.stringify(smaller) ?? '').includes(needed);
        fc.pre(fails(value));
        const found = await shrinkValue(value, async (smaller) => fails(smaller));
        expect(fails(found)).toBe(true);
        expect(countParts(found)).toBeLessThanOrEqual(countParts(value));
        if (typeof found !== 'object' || found === null || Array.isArray(found)) return;
        for (const key of Object.keys(found)) {
          expect(fails(Object.fromEntries(Object.entries(found).filter(([name]) => name !== key)))).toBe(false);
        }
      }),
    );
  });
});

test('counts keys, items and lines', () => {
  expect([countParts({ a: [1, 2], b: 'x\ny' }), countParts('x'), countParts(null)]).toEqual([6, 0, 0]);
});
