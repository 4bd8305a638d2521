import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Compare, Tree } from '../../src/domain/tree.js';

/** Ordered by its key; the tag tells apart what takes the same place. */
interface Entry {
  readonly key: number;
  readonly tag: number;
}

const byKey: Compare<Entry> = (a, b) => a.key - b.key;
const entry = (key: number, tag = 0): Entry => ({ key, tag });
const upTo = (count: number) => Array.from({ length: count }, (_, key) => entry(key));

/** What a tree does, done to a plain array. */
const model = {
  insert: (entries: readonly Entry[], added: Entry) => model.delete(entries, added.key).concat(added).sort(byKey),
  delete: (entries: readonly Entry[], key: number) => entries.filter((other) => other.key !== key),
};

/** Keys few enough to meet again, and many enough for a tree three levels deep. */
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

test('a tree holds what an array would after the same writes, and so do all earlier ones', () => {
  fc.assert(
    fc.property(writes, (operations) => {
      let tree = Tree.from(byKey, []);
      let entries: readonly Entry[] = [];
      const kept: [Tree<Entry>, readonly Entry[]][] = [];
      for (const [tag, [operation, at]] of operations.entries()) {
        if (tag % 300 === 0) kept.push([tree, entries]);
        tree = operation === 'insert' ? tree.insert(entry(at, tag)) : tree.delete(entry(at));
        entries = operation === 'insert' ? model.insert(entries, entry(at, tag)) : model.delete(entries, at);
      }
      expectSame(tree, entries);
      for (const [earlier, then] of kept) expectSame(earlier, then);
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['ascending', (keys: Entry[]) => keys],
  ['descending', (keys: Entry[]) => keys.reverse()],
])('5,000 entries inserted in %s order stand in order, and can be deleted in any', (_name, arrange) => {
  const full = arrange(upTo(5_000)).reduce((tree, added) => tree.insert(added), Tree.from(byKey, []));
  expectSame(full, upTo(5_000));

  fc.assert(
    fc.property(fc.shuffledSubarray(upTo(5_000), { minLength: 5_000 }), (order) => {
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
      expectSame(full, upTo(5_000));
    }),
    { numRuns: 3 },
  );
});

test.each([0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 5_000])('a tree can be made of %i entries at once', (count) => {
  const tree = Tree.from(byKey, upTo(count));

  expectSame(tree, upTo(count));
  expectSame(tree.insert(entry(-1)), [entry(-1), ...upTo(count)]);
  expectSame(tree.insert(entry(count)), upTo(count + 1));
  expectSame(tree.delete(entry(0)), upTo(count).slice(1));
});

test('an entry takes the place of the one that compares equal', () => {
  const tree = Tree.from(byKey, upTo(2_000)).insert(entry(1_234, 7));

  expect(tree.size).toBe(2_000);
  expect(tree.find(entry(1_234))).toStrictEqual(entry(1_234, 7));
});

test('deleting what is not there gives the same tree', () => {
  const empty = Tree.from(byKey, []);
  const tree = Tree.from(byKey, upTo(2_000));

  expect(empty.delete(entry(1))).toBe(empty);
  for (const at of [-1, 0.5, 999.5, 2_000]) expect(tree.delete(entry(at))).toBe(tree);
});

test('rank, seek and find give what a scan would, also between and beyond the entries', () => {
  const even = fc.integer({ min: 0, max: 2_000 }).map((half) => half * 2);
  fc.assert(
    fc.property(
      fc.uniqueArray(even, many(2_000)),
      fc.array(fc.integer({ min: -1, max: 4_001 }), { minLength: 50 }),
      (keys, probes) => {
        const tree = keys.reduce((made, at) => made.insert(entry(at)), Tree.from(byKey, []));
        const entries = keys.sort((a, b) => a - b).map((at) => entry(at));
        for (const probe of probes) {
          const isBefore = (other: Entry) => other.key < probe;
          expect(tree.rank(isBefore)).toBe(entries.filter(isBefore).length);
          expect(tree.seek(isBefore)).toStrictEqual(entries.find((other) => !isBefore(other)));
          expect(tree.find(entry(probe))).toStrictEqual(entries.find((other) => other.key === probe));
        }
      },
    ),
    { numRuns: 20 },
  );
});

test('a slice is that of an array, for bounds within, outside and the wrong way round', () => {
  const tree = Tree.from(byKey, upTo(2_500));
  const bound = fc.integer({ min: 0, max: 2_600 });
  fc.assert(
    fc.property(bound, bound, (start, end) => {
      expect(tree.slice(start, end)).toStrictEqual(upTo(2_500).slice(start, end));
    }),
  );
});

test('what changed since an earlier tree is what one holds and the other does not', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000 }),
      fc.array(fc.tuple(fc.boolean(), key), many(400)),
      (count, changes) => {
        const earlier = Tree.from(byKey, upTo(count));
        let tree = earlier;
        for (const [inserts, at] of changes) tree = inserts ? tree.insert(entry(at, 1)) : tree.delete(entry(at));

        const [now, then] = [tree, earlier].map((each) => each.slice(0, each.size));
        const { added, removed } = tree.changesSince(earlier);

        expect(added.sort(byKey)).toStrictEqual(now?.filter((held) => !then?.includes(held)));
        expect(removed.sort(byKey)).toStrictEqual(then?.filter((held) => !now?.includes(held)));
      },
    ),
    { numRuns: 30 },
  );
});

test('a tree stays shallow while it grows at one end and while it empties in any order', () => {
  /** The most that any look-up takes. */
  const comparisons = (tree: Tree<Entry>) =>
    Math.max(
      ...upTo(5_000).map((probe) => {
        let count = 0;
        tree.seek((other) => {
          count++;
          return other.key < probe.key;
        });
        return count;
      }),
    );
  const ascending = upTo(5_000).reduce((tree, added) => tree.insert(added), Tree.from(byKey, []));
  expect(comparisons(ascending)).toBeLessThanOrEqual(16);

  fc.assert(
    fc.property(fc.shuffledSubarray(upTo(5_000), { minLength: 5_000 }), (order) => {
      const shuffled = order.reduce((tree, added) => tree.insert(added), Tree.from(byKey, []));
      expect(comparisons(shuffled)).toBeLessThanOrEqual(16);

      const two = order.slice(2).reduce((tree, removed) => tree.delete(removed), ascending);
      expect(comparisons(two)).toBeLessThanOrEqual(3);
      const [last] = order;
      if (last) expect(comparisons(two.delete(last))).toBe(1);
    }),
    { numRuns: 5 },
  );
});
