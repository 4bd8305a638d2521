import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish } from '#engine/lib/steps.js';
import { asc, desc, type Scalar, type SortKey } from '#engine/store/collection.js';
import { Sorter } from '#engine/store/sorter.js';

/** More than are sorted by comparisons. */
const SIZE = 1_500;

interface Entry {
  readonly value: Scalar;
  readonly group: string;
  readonly serial: number;
}

const value = asc((entry: Entry) => entry.value);
const group = asc((entry: Entry) => entry.group);
const serial = asc((entry: Entry) => entry.serial);

const compare = (a: Scalar, b: Scalar): number => (a === b ? 0 : a < b ? -1 : 1);

/** Sorts by comparisons. Of several at one position, the last one counts. */
function sortPlainly(entries: readonly Entry[], keys: readonly SortKey<Entry>[]): Entry[] {
  const order = (a: Entry, b: Entry): number => {
    const differing = keys.find(({ get }) => get(a) !== get(b));
    if (!differing) return 0;
    return compare(differing.get(a), differing.get(b)) * (differing.descending ? -1 : 1);
  };
  const sorted = entries.toSorted(order);
  return sorted.filter((entry, i) => sorted[i + 1] === undefined || order(entry, sorted[i + 1] ?? entry) !== 0);
}

const text = (unit: fc.Arbitrary<string>, maxLength: number) => fc.string({ unit, maxLength });
const KINDS: readonly (readonly [string, fc.Arbitrary<Scalar>])[] = [
  ['whole numbers in a row', fc.integer({ min: -500, max: 500 })],
  ['times', fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2030, 0) })],
  ['the largest whole numbers', fc.maxSafeInteger()],
  ['numbers beyond those', fc.integer({ min: 0, max: 2_000 }).map((n) => n * 2 ** 53)],
  ['fractions', fc.double({ noNaN: true, min: -10, max: 10 })],
  ['numbers of any size', fc.double({ noNaN: true })],
  ['truth values', fc.boolean()],
  ['texts', text(fc.constantFrom('a', 'b', 'A', '-', '\0', 'ÿ', 'Ā', 'é', '👋', '\ud800'), 4)],
  ['texts of some characters', text(fc.constantFrom('a', 'b'), 9)],
  ['long texts that begin alike', text(fc.constantFrom('a', 'b', 'c'), 3).map((end) => `run-${'0'.repeat(30)}${end}`)],
  ['ids', fc.uuid()],
  ['texts without a difference', fc.constant('ada')],
];

test.each(KINDS)('%s are in the order that comparisons give, either way', (_, kind) => {
  const entry = fc.record({ value: kind, group: fc.constantFrom('x', 'y'), serial: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(entry, { minLength: SIZE, maxLength: SIZE, size: 'max' }), (entries) => {
      const given = [...entries];
      const sorter = new Sorter(entries);
      // In an order in which later ones use what earlier ones have sorted.
      const all = [
        [value],
        [serial],
        [group, value],
        [desc(value.get)],
        [group, desc(value.get)],
        [value, group, serial],
      ];
      for (const keys of all) expect(finish(sorter.sort(keys))).toStrictEqual(sortPlainly(entries, keys));
      expect(entries).toStrictEqual(given);
    }),
    { numRuns: 3 },
  );
});

test('of many entries at one position, the last one counts', () => {
  const entries = Array.from({ length: 3_000 }, (_, n) => ({ value: n % 3, group: `${n}`, serial: 0 }));
  const sorted = finish(new Sorter(entries).sort([value, serial]));
  expect(sorted.map(({ group }) => group)).toEqual(['2997', '2998', '2999']);
});

test('entries in order are returned as they are, and the reverse of them sorted', () => {
  const entries = Array.from({ length: 2_000 }, (_, n) => ({ value: n, group: 'x', serial: n }));
  expect(finish(new Sorter(entries).sort([value]))).toBe(entries);
  expect(finish(new Sorter(entries.toReversed()).sort([value]))).toStrictEqual(entries);
});

test('a step sorts a part of many entries', () => {
  const entries = Array.from({ length: 100_000 }, (_, n) => ({ value: `${n}`, group: 'x', serial: 0 }));
  let read = 0;
  let most = 0;
  const counted = asc((entry: Entry) => {
    read++;
    return entry.value;
  });
  let steps = 0;
  for (const step of new Sorter(entries).sort([group, counted])) {
    expect(step).toBeUndefined();
    [most, read] = [Math.max(most, read), 0];
    steps++;
  }
  expect(most).toBeLessThanOrEqual(100);
  expect(steps).toBeGreaterThan(2_000);
});
