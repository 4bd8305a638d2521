import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish } from '#engine/lib/steps.js';
import { type Compare, Tree } from '#engine/store/tree.js';

/** Sorted by key. The tag distinguishes entries at the same position. */
interface Entry {
  readonly key: number;
  readonly tag: number;
}

const byKey: Compare<Entry> = (a, b) => a.key - b.key;
const entry = (key: number, tag = 0): Entry => ({ key, tag });
const build = (entries: readonly Entry[]): Tree<Entry> => finish(Tree.from(byKey, entries));
const entriesTo = (count: number) => Array.from({ length: count }, (_, key) => entry(key));

/** Few enough keys to repeat, and enough for a tree of three levels. */
const key = fc.integer({ min: 0, max: 2_500 });
const many = (maxLength: number) => ({ maxLength, size: 'max' }) as const;
const writes = fc
  .tuple(
    fc.array(fc.tuple(fc.constant('insert'), key), many(1_500)),
    fc.array(fc.tuple(fc.constantFrom('insert', 'delete'), key), many(500)),
    fc.array(fc.tuple(fc.constant('delete'), key), many(1_000)),
  )
  .map((parts) => parts.flat());

function expectSame(tree: Tree<Entry>, expected: readonly Entry[]): void {
  expect(tree.size).toBe(expected.length);
  expect(tree.slice(0, tree.size)).toStrictEqual(expected);
  for (const position of [-1, 0, expected.length >> 1, expected.length - 1, expected.length]) {
    expect(tree.at(position)).toStrictEqual(expected[position]);
  }
}

test('a tree equals an array after the same writes, and all earlier trees stay valid', () => {
  fc.assert(
    fc.property(writes, (operations) => {
      let tree = build([]);
      const entries = new Map<number, Entry>();
      const listEntries = () => [...entries.values()].sort(byKey);
      const earlier: [Tree<Entry>, readonly Entry[]][] = [];
      for (const [tag, [operation, at]] of operations.entries()) {
        if (tag % 300 === 0) earlier.push([tree, listEntries()]);
        tree = operation === 'insert' ? tree.insert(entry(at, tag)) : tree.delete(entry(at));
        if (operation === 'insert') entries.set(at, entry(at, tag));
        else entries.delete(at);
      }
      expectSame(tree, listEntries());
      for (const [old, expected] of earlier) expectSame(old, expected);
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['ascending', (keys: Entry[]) => keys],
  ['descending', (keys: Entry[]) => keys.reverse()],
])('5,000 entries inserted in %s order are sorted, and can be deleted in any order', (_name, arrange) => {
  const full = arrange(entriesTo(5_000)).reduce((tree, added) => tree.insert(added), build([]));
  expectSame(full, entriesTo(5_000));

  fc.assert(
    fc.property(fc.shuffledSubarray(entriesTo(5_000), { minLength: 5_000 }), (order) => {
      const left = new Set(order.map((removed) => removed.key));
      let tree = full;
      for (const removed of order) {
        tree = tree.delete(removed);
        left.delete(removed.key);
        if (left.size % 499 === 0 || left.size < 40) {
          expectSame(
            tree,
            [...left].sort((a, b) => a - b).map((at) => entry(at)),
          );
        }
      }
      expectSame(full, entriesTo(5_000));
    }),
    { numRuns: 3 },
  );
});

test('a tree without many entries equals one without each of them, and stays shallow', () => {
  const cuts = fc.array(fc.tuple(fc.integer({ min: -2, max: 5_002 }), fc.integer({ min: 0, max: 900 })), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(cuts, fc.array(fc.integer({ min: -2, max: 5_002 }), many(300)), (ranges, single) => {
      const keys = new Set(single);
      for (const [start, length] of ranges) for (let at = start; at < start + length; at++) keys.add(at);
      const full = build(entriesTo(5_000));
      const removed: Entry[] = [];

      const tree = full.deleteAll(
        [...keys].sort((a, b) => a - b).map((at) => entry(at, 7)),
        removed,
      );

      expectSame(
        tree,
        entriesTo(5_000).filter(({ key: at }) => !keys.has(at)),
      );
      expect(removed).toStrictEqual(entriesTo(5_000).filter(({ key: at }) => keys.has(at)));
      expectSame(full, entriesTo(5_000));
      expectSame(tree.insert(entry(9_999)), [...tree.slice(0, tree.size), entry(9_999)]);
      if (removed.length === 0) expect(tree).toBe(full);
    }),
    { numRuns: 100 },
  );
  const few = build(entriesTo(30_000)).deleteAll(entriesTo(30_000).filter(({ key: at }) => at % 1_000 !== 0));
  let comparisons = 0;
  few.lowerBound(() => ++comparisons < 0);
  expect([few.size, comparisons]).toEqual([30, 5]);
});

test.each([0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 5_000])('a tree can be built from %i entries at once', (count) => {
  const tree = build(entriesTo(count));

  expectSame(tree, entriesTo(count));
  expectSame(tree.insert(entry(-1)), [entry(-1), ...entriesTo(count)]);
  expectSame(tree.insert(entry(count)), entriesTo(count + 1));
  expectSame(tree.delete(entry(0)), entriesTo(count).slice(1));
});

test('an entry replaces the entry at the same position', () => {
  const tree = build(entriesTo(2_000)).insert(entry(1_234, 7));

  expect(tree.size).toBe(2_000);
  expect(tree.find(entry(1_234))).toStrictEqual(entry(1_234, 7));
});

test('deleting a missing entry returns the same tree', () => {
  const empty = build([]);
  const tree = build(entriesTo(2_000));

  expect(empty.delete(entry(1))).toBe(empty);
  for (const at of [-1, 0.5, 999.5, 2_000]) expect(tree.delete(entry(at))).toBe(tree);
});

test('rank, lowerBound and find equal a scan, also between and beyond the entries', () => {
  const even = fc.integer({ min: 0, max: 2_000 }).map((half) => half * 2);
  fc.assert(
    fc.property(
      fc.uniqueArray(even, many(2_000)),
      fc.array(fc.integer({ min: -1, max: 4_001 }), { minLength: 50 }),
      (keys, probes) => {
        const tree = keys.reduce((made, at) => made.insert(entry(at)), build([]));
        const entries = keys.sort((a, b) => a - b).map((at) => entry(at));
        for (const probe of probes) {
          const isBefore = (other: Entry) => other.key < probe;
          expect(tree.rank(isBefore)).toBe(entries.filter(isBefore).length);
          expect(tree.lowerBound(isBefore)).toStrictEqual(entries.find((other) => !isBefore(other)));
          expect(tree.find(entry(probe))).toStrictEqual(entries.find((other) => other.key === probe));
        }
      },
    ),
    { numRuns: 20 },
  );
});

test('a slice equals the slice of an array, for bounds inside, outside and in reverse order', () => {
  const tree = build(entriesTo(2_500));
  const bound = fc.integer({ min: 0, max: 2_600 });
  fc.assert(
    fc.property(bound, bound, (start, end) => {
      expect(tree.slice(start, end)).toStrictEqual(entriesTo(2_500).slice(start, end));
    }),
  );
});

test('a diff lists the entries that only one of two trees contains', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000 }),
      fc.array(fc.tuple(fc.boolean(), key), many(400)),
      (count, changes) => {
        const earlier = build(entriesTo(count));
        let tree = earlier;
        for (const [inserts, at] of changes) tree = inserts ? tree.insert(entry(at, 1)) : tree.delete(entry(at));

        const [now, then] = [tree, earlier].map((each) => each.slice(0, each.size));
        const { added, removed } = tree.diff(earlier);

        expect(added.sort(byKey)).toStrictEqual(now?.filter((each) => !then?.includes(each)));
        expect(removed.sort(byKey)).toStrictEqual(then?.filter((each) => !now?.includes(each)));
      },
    ),
    { numRuns: 30 },
  );
});

test('a tree stays shallow when it grows at one end and when it shrinks in any order', () => {
  /** Most comparisons of any look-up. */
  const countComparisons = (tree: Tree<Entry>) =>
    Math.max(
      ...entriesTo(5_000).map((probe) => {
        let count = 0;
        tree.lowerBound((other) => {
          count++;
          return other.key < probe.key;
        });
        return count;
      }),
    );
  const ascending = entriesTo(5_000).reduce((tree, added) => tree.insert(added), build([]));
  expect(countComparisons(ascending)).toBeLessThanOrEqual(16);

  fc.assert(
    fc.property(fc.shuffledSubarray(entriesTo(5_000), { minLength: 5_000 }), (order) => {
      const shuffled = order.reduce((tree, added) => tree.insert(added), build([]));
      expect(countComparisons(shuffled)).toBeLessThanOrEqual(16);

      const two = order.slice(2).reduce((tree, removed) => tree.delete(removed), ascending);
      expect(countComparisons(two)).toBeLessThanOrEqual(3);
      const [last] = order;
      if (last) expect(countComparisons(two.delete(last))).toBe(1);
    }),
    { numRuns: 5 },
  );
});
