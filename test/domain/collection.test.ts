import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asc,
  type Bounds,
  by,
  byEach,
  Collection,
  desc,
  type Range,
  type Scalar,
} from '../../src/domain/collection.js';

interface Note {
  readonly folder: string;
  readonly id: number;
  readonly time: number;
  readonly done: boolean;
  readonly tags: readonly string[];
}

const noteCollection = (notes: readonly Note[]) =>
  Collection.from(
    by<Note>(
      asc((note) => note.folder),
      asc((note) => note.id),
    ),
    {
      newest: by<Note>(
        asc((note) => note.folder),
        desc((note) => note.time),
        desc((note) => note.id),
      ),
      outcome: by<Note>(
        desc((note) => note.done),
        asc((note) => note.time),
        asc((note) => note.folder),
        desc((note) => note.id),
      ),
      tag: byEach(
        (note: Note) => note.tags.map((tag) => ({ tag, note })),
        asc(({ tag }) => tag),
        desc(({ note }) => note.time),
        asc(({ note }) => note.folder),
        asc(({ note }) => note.id),
      ),
    },
    notes,
  );

/** Orders numbers, strings and booleans by the first pair that differs. */
const inOrder = (...pairs: [Scalar, Scalar][]): number => {
  const [a, b] = pairs.find(([left, right]) => left !== right) ?? [0, 0];
  return a === b ? 0 : a < b ? -1 : 1;
};

/** The same indexes as plain arrays, sorted from scratch. */
const model = (notes: readonly Note[]) => {
  const unique = [...new Map(notes.map((note) => [`${note.folder}/${note.id}`, note])).values()];
  return {
    all: unique.toSorted((a, b) => inOrder([a.folder, b.folder], [a.id, b.id])),
    newest: unique.toSorted((a, b) => inOrder([a.folder, b.folder], [b.time, a.time], [b.id, a.id])),
    outcome: unique.toSorted((a, b) => inOrder([b.done, a.done], [a.time, b.time], [a.folder, b.folder], [b.id, a.id])),
    tag: unique
      .flatMap((note) => note.tags.map((tag) => ({ tag, note })))
      .sort((a, b) =>
        inOrder([a.tag, b.tag], [b.note.time, a.note.time], [a.note.folder, b.note.folder], [a.note.id, b.note.id]),
      ),
  };
};

const folder = fc.constantFrom('a', 'b', 'B', 'ab');
const time = fc.integer({ min: 0, max: 8 });
const tags = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'));
const noteOf = (ids: number): fc.Arbitrary<Note> =>
  fc.record({ folder, id: fc.integer({ min: 0, max: ids }), time, done: fc.boolean(), tags });
const many = (maxLength: number) => ({ maxLength, size: 'max' }) as const;
/** At the edge of what there is, within it, between two values, and none. */
const bound = fc.option(fc.oneof(time, fc.constantFrom(-1, 3.5, 9)), { nil: undefined });
const bounds: fc.Arbitrary<Bounds> = fc.record({ after: bound, upTo: bound });

const within = (value: Scalar, { after, upTo }: Bounds): boolean =>
  (after === undefined || value > after) && (upTo === undefined || value <= upTo);

function expectSame(notes: ReturnType<typeof noteCollection>, expected: readonly Note[]): void {
  const { all, newest, outcome, tag } = model(expected);
  expect(notes.size).toBe(all.length);
  expect([...notes]).toStrictEqual(all);
  expect([...notes.by.newest.range()]).toStrictEqual(newest);
  expect([...notes.by.outcome.range()]).toStrictEqual(outcome);
  expect([...notes.by.tag.range()]).toStrictEqual(tag);
  expect(notes.by.tag.size).toBe(tag.length);
}

/** Every way to read a range gives what an array would. */
function expectRange<E>(range: Range<E>, expected: readonly E[]): void {
  expect([...range]).toStrictEqual(expected);
  expect(range.length).toBe(expected.length);
  expect(range.first).toStrictEqual(expected[0]);
  for (const offset of [0, 1, expected.length >> 1, expected.length - 1, expected.length, expected.length + 5]) {
    const from = Math.max(0, offset);
    for (const limit of [0, 1, 7, expected.length, expected.length + 5]) {
      expect(range.page(from, limit)).toStrictEqual(expected.slice(from, from + limit));
    }
  }
}

test('records of one identity are one record, the last, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(noteOf(40), many(300)), (notes) => {
      const given = [...notes];
      expectSame(noteCollection(given), notes);
      expect(given).toStrictEqual(notes);
    }),
  );
});

test('a collection holds what a list would after the same writes, in every index, and so do all earlier ones', () => {
  const write = fc.tuple(fc.constantFrom('put', 'put', 'delete'), noteOf(150));
  fc.assert(
    fc.property(fc.array(noteOf(150), many(300)), fc.array(write, many(600)), (seed, writes) => {
      let notes = noteCollection(seed);
      const list = new Map(seed.map((note) => [`${note.folder}/${note.id}`, note]));
      const kept: [typeof notes, Note[]][] = [];
      for (const [i, [operation, note]] of writes.entries()) {
        if (i % 100 === 0) kept.push([notes, [...list.values()]]);
        if (operation === 'put') list.set(`${note.folder}/${note.id}`, note);
        else list.delete(`${note.folder}/${note.id}`);
        notes = operation === 'put' ? notes.put(note) : notes.delete(note);
      }
      expectSame(notes, [...list.values()]);
      for (const [earlier, then] of kept) expectSame(earlier, then);
    }),
    { numRuns: 40 },
  );
});

test('a range holds the entries under its key and within its bounds, in ascending and descending components', () => {
  fc.assert(
    fc.property(
      fc.array(noteOf(100), many(400)),
      folder,
      fc.boolean(),
      fc.constantFrom('x', 'y', 'z', 'none'),
      bounds,
      (seed, wanted, done, tag, window) => {
        const notes = noteCollection(seed);
        const expected = model(seed);

        expectRange(
          notes.range(wanted),
          expected.all.filter((note) => note.folder === wanted),
        );
        expectRange(
          notes.by.newest.range([wanted], window),
          expected.newest.filter((note) => note.folder === wanted && within(note.time, window)),
        );
        expectRange(
          notes.by.outcome.range([done], window),
          expected.outcome.filter((note) => note.done === done && within(note.time, window)),
        );
        expectRange(
          notes.by.tag.range([tag], window),
          expected.tag.filter((entry) => entry.tag === tag && within(entry.note.time, window)),
        );
        expectRange(
          notes.by.newest.range([wanted, 4], window),
          expected.newest.filter((note) => note.folder === wanted && note.time === 4 && within(note.id, window)),
        );
      },
    ),
    { numRuns: 150 },
  );
});

test('bounds without a key hold for the first component', () => {
  const notes = Collection.from(
    by<number>(desc((value) => value)),
    { ascending: by<number>(asc((value) => value)), descending: by<number>(desc((value) => value)) },
    [3, 1, 4, 1, 5],
  );

  expect([...notes]).toStrictEqual([5, 4, 3, 1]);
  expect([...notes.by.ascending.range([], { after: 1, upTo: 4 })]).toStrictEqual([3, 4]);
  expect([...notes.by.descending.range([], { after: 1, upTo: 4 })]).toStrictEqual([4, 3]);
  expect([...notes.by.descending.range([], { after: 4, upTo: 1 })]).toStrictEqual([]);
});

test('a look-up gives the record of this identity, and of a partial key the first under it', () => {
  fc.assert(
    fc.property(fc.array(noteOf(30), many(200)), noteOf(30), (seed, probe) => {
      const notes = noteCollection(seed);
      const { all, newest, tag } = model(seed);

      expect(notes.get(probe.folder, probe.id)).toStrictEqual(
        all.find((note) => note.folder === probe.folder && note.id === probe.id),
      );
      expect(notes.get(probe.folder)).toStrictEqual(all.find((note) => note.folder === probe.folder));
      expect(notes.by.newest.get([probe.folder, probe.time])).toStrictEqual(
        newest.find((note) => note.folder === probe.folder && note.time === probe.time),
      );
      expect(notes.by.newest.find(probe)).toStrictEqual(
        newest.find((note) => note.folder === probe.folder && note.time === probe.time && note.id === probe.id),
      );
      expect(notes.by.tag.get(['y'])).toStrictEqual(tag.find((entry) => entry.tag === 'y'));
    }),
  );
});

test('filter gives what satisfies it, and looks no further than it is asked', () => {
  const notes = Collection.from(
    by<number>(asc((value) => value)),
    {},
    Array.from({ length: 1_000 }, (_, i) => i),
  );
  let looked = 0;
  const sevenths = notes.range().filter((value) => {
    looked++;
    return value % 7 === 3;
  });

  expect([sevenths.next().value, sevenths.next().value, sevenths.next().value]).toStrictEqual([3, 10, 17]);
  expect(looked).toBe(18);
  expect([...sevenths]).toHaveLength(140);
});

test('a record that is replaced moves in every index, and leaves those in which it has no entry any more', () => {
  const before: Note = { folder: 'a', id: 1, time: 5, done: false, tags: ['x', 'y'] };
  const other: Note = { folder: 'a', id: 2, time: 6, done: true, tags: ['x'] };
  const after: Note = { ...before, time: 7, done: true, tags: ['y', 'z'] };

  const notes = noteCollection([before, other]).put(after);

  expect([...notes.by.newest.range(['a'])]).toStrictEqual([after, other]);
  expect([...notes.by.outcome.range([false])]).toStrictEqual([]);
  expect([...notes.by.tag.range(['x'])]).toStrictEqual([{ tag: 'x', note: other }]);
  expect([...notes.by.tag.range(['y'])]).toStrictEqual([{ tag: 'y', note: after }]);
  expect([...notes.by.tag.range(['z'])]).toStrictEqual([{ tag: 'z', note: after }]);
});

test('an entry that stays in its place stands for the new record', () => {
  const before: Note = { folder: 'a', id: 1, time: 5, done: false, tags: ['x'] };
  const after: Note = { ...before, done: true };

  const notes = noteCollection([before]).put(after);

  expect(notes.by.newest.range(['a']).first).toBe(after);
  expect(notes.by.tag.get(['x'])?.note).toBe(after);
});

test('deleting goes by identity, whatever else the record says, and of one that is missing changes nothing', () => {
  const held: Note = { folder: 'a', id: 1, time: 5, done: false, tags: ['x'] };
  const notes = noteCollection([held]);

  expectSame(notes.delete({ ...held, time: 1, done: true, tags: ['z'] }), []);
  expect(notes.delete({ ...held, id: 2 })).toBe(notes);
  expectSame(notes, [held]);
});

test('a range goes on reading the collection it was taken from', () => {
  const numbers = Collection.from(
    by<number>(asc((value) => value)),
    {},
    Array.from({ length: 300 }, (_, i) => i),
  );
  let left = numbers;
  for (const value of numbers.range()) left = left.delete(value);

  expect(left.size).toBe(0);
  expect(numbers.size).toBe(300);
});

test('what changed since an earlier collection are the records put in and those gone', () => {
  const note = (id: number, at = 0): Note => ({ folder: 'a', id, time: at, done: false, tags: [] });
  const earlier = noteCollection(Array.from({ length: 500 }, (_, id) => note(id)));

  const later = earlier.put(note(3, 1)).delete(note(5)).put(note(900));

  expect(later.changesSince(earlier)).toStrictEqual({
    added: [note(3, 1), note(900)],
    removed: [note(3), note(5)],
  });
  expect(later.changesSince(later)).toStrictEqual({ added: [], removed: [] });
});

test('its edition is another one after every write, what it holds only when that has changed, an index only when it has', () => {
  const tagged: Note = { folder: 'a', id: 1, time: 5, done: false, tags: ['x'] };
  const bare: Note = { ...tagged, id: 2, tags: [] };
  const notes = noteCollection([tagged]);
  const more = notes.put(bare);
  const changed = more.put({ ...bare, done: true });
  const fewer = changed.delete(bare);

  expect(new Set([notes, more, changed, fewer].map(({ edition }) => edition)).size).toBe(4);
  expect(more.holdings).toBe(notes.holdings);
  expect(new Set([more, changed, fewer].map(({ holdings }) => holdings)).size).toBe(3);
  expect(fewer.by.tag.edition).toBe(notes.by.tag.edition);
  expect(more.by.newest.edition).not.toBe(notes.by.newest.edition);
  expect(fewer.put({ ...bare, tags: ['y'] }).by.tag.edition).not.toBe(fewer.by.tag.edition);
});

test('what was looked up in a collection is right in it and in those after it, whatever was written in between', () => {
  interface Entry {
    readonly key: string;
    readonly value: number;
  }
  const keys = ['a', 'b', 'c', 'd'];
  const step = fc.record({
    key: fc.constantFrom(...keys),
    value: fc.integer({ min: 0, max: 9 }),
    write: fc.constantFrom('put', 'delete', 'none'),
    // Which of the collections so far is written to: the past can be gone back to.
    from: fc.nat({ max: 20 }),
    lookedUp: fc.subarray(keys),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const versions = [
        { entries: Collection.from(by<Entry>(asc((entry) => entry.key)), {}, []), expected: new Map<string, Entry>() },
      ];
      for (const { key, value, write, from, lookedUp } of steps) {
        const base = versions[from % versions.length];
        if (!base) continue;
        const entry = { key, value };
        const expected = new Map(base.expected);
        if (write === 'put') expected.set(key, entry);
        if (write === 'delete') expected.delete(key);
        const { entries } = base;
        for (const other of lookedUp) entries.get(other);
        const next = write === 'none' ? entries : write === 'put' ? entries.put(entry) : entries.delete(entry);
        versions.push({ entries: next, expected });
        for (const version of versions) {
          for (const other of lookedUp) expect(version.entries.get(other)).toBe(version.expected.get(other));
        }
      }
      for (const { entries, expected } of versions) {
        for (const key of keys) expect(entries.get(key)).toBe(expected.get(key));
      }
    }),
  );
});
