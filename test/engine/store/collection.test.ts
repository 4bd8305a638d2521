import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '#engine/lib/steps.js';
import {
  asc,
  type Bounds,
  Collection,
  desc,
  index,
  multiIndex,
  type Range,
  type Scalar,
} from '#engine/store/collection.js';

interface Note {
  readonly folder: string;
  readonly id: number;
  readonly time: number;
  readonly done: boolean;
  readonly tags: readonly string[];
}

const noteCollection = (notes: readonly Note[]) =>
  Collection.from(
    {
      identity: index<Note>(
        asc((record) => record.folder),
        asc((record) => record.id),
      ),
      indexes: {
        newest: index<Note>(
          asc((record) => record.folder),
          desc((record) => record.time),
          desc((record) => record.id),
        ),
        outcome: index<Note>(
          desc((record) => record.done),
          asc((record) => record.time),
          asc((record) => record.folder),
          desc((record) => record.id),
        ),
        tag: multiIndex(
          (note: Note) => note.tags.map((tag) => ({ tag, note })),
          asc((record) => record.tag),
          desc(({ note }) => note.time),
          asc(({ note }) => note.folder),
          asc(({ note }) => note.id),
        ),
      },
    },
    notes,
  );

/** Compares by the first pair that differs. */
const comparePairs = (...pairs: [Scalar, Scalar][]): number => {
  const [a, b] = pairs.find(([left, right]) => left !== right) ?? [0, 0];
  return a === b ? 0 : a < b ? -1 : 1;
};

/** The same indexes as plain arrays, sorted from scratch. */
const model = (notes: readonly Note[]) => {
  const unique = [...new Map(notes.map((note) => [`${note.folder}/${note.id}`, note])).values()];
  return {
    all: unique.toSorted((a, b) => comparePairs([a.folder, b.folder], [a.id, b.id])),
    newest: unique.toSorted((a, b) => comparePairs([a.folder, b.folder], [b.time, a.time], [b.id, a.id])),
    outcome: unique.toSorted((a, b) =>
      comparePairs([b.done, a.done], [a.time, b.time], [a.folder, b.folder], [b.id, a.id]),
    ),
    tag: unique
      .flatMap((note) => note.tags.map((tag) => ({ tag, note })))
      .sort((a, b) =>
        comparePairs(
          [a.tag, b.tag],
          [b.note.time, a.note.time],
          [a.note.folder, b.note.folder],
          [a.note.id, b.note.id],
        ),
      ),
  };
};

const folder = fc.constantFrom('a', 'b', 'B', 'ab');
const time = fc.integer({ min: 0, max: 8 });
const tags = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'));
const arbitraryNote = (ids: number): fc.Arbitrary<Note> =>
  fc.record({ folder, id: fc.integer({ min: 0, max: ids }), time, done: fc.boolean(), tags });
const many = (maxLength: number) => ({ maxLength, size: 'max' }) as const;
/** At the edge of the values, among them, between two of them, and none. */
const bound = fc.option(fc.oneof(time, fc.constantFrom(-1, 3.5, 9)), { nil: undefined });
const bounds: fc.Arbitrary<Bounds> = fc.record({ after: bound, until: bound });

const within = (value: Scalar, { after, until }: Bounds): boolean =>
  (after === undefined || value > after) && (until === undefined || value <= until);

function expectSame(notes: ReturnType<typeof noteCollection>, expected: readonly Note[]): void {
  const { all, newest, outcome, tag } = model(expected);
  expect(notes.size).toBe(all.length);
  expect([...notes]).toStrictEqual(all);
  expect([...notes.by.newest.range()]).toStrictEqual(newest);
  expect([...notes.by.outcome.range()]).toStrictEqual(outcome);
  expect([...notes.by.tag.range()]).toStrictEqual(tag);
  expect(notes.by.tag.size).toBe(tag.length);
}

/** Reads a range in every way and compares it with an array. */
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

describe('writes and ranges', () => {
  test('of several records with one identity the last one is kept, in any order of the input', () => {
    fc.assert(
      fc.property(fc.array(arbitraryNote(40), many(300)), (notes) => {
        const given = [...notes];
        expectSame(noteCollection(given), notes);
        expect(given).toStrictEqual(notes);
      }),
    );
  });

  test('of many records, the last one of an identity is kept as well', () => {
    fc.assert(
      fc.property(fc.array(arbitraryNote(2_000), { minLength: 4_000, maxLength: 4_000, size: 'max' }), (notes) => {
        expectSame(noteCollection(notes), notes);
        const prepared = noteCollection(notes);
        finish(prepared.prepare());
        expectSame(prepared, notes);
      }),
      { numRuns: 2 },
    );
  });

  test('a collection equals a list after the same writes, in every index, and all earlier collections stay valid', () => {
    const operation = fc.constantFrom(
      ...Array<'put'>(20).fill('put'),
      ...Array<'delete'>(10).fill('delete'),
      'deleteAll',
    );
    const write = fc.tuple(operation, arbitraryNote(150));
    fc.assert(
      fc.property(fc.array(arbitraryNote(150), many(300)), fc.array(write, many(600)), (seed, writes) => {
        let notes = noteCollection(seed);
        const list = new Map(seed.map((note) => [`${note.folder}/${note.id}`, note]));
        const earlier: [typeof notes, Note[]][] = [];
        for (const [i, [operation, note]] of writes.entries()) {
          if (i % 100 === 0) earlier.push([notes, [...list.values()]]);
          const some = operation === 'deleteAll' ? writes.slice(i, i + 40).map(([, each]) => each) : [note];
          const before = notes;
          for (const each of some) {
            if (operation === 'put') list.set(`${each.folder}/${each.id}`, each);
            else list.delete(`${each.folder}/${each.id}`);
          }
          if (operation === 'deleteAll') notes = notes.deleteAll(some);
          else notes = operation === 'put' ? notes.put(note) : notes.delete(note);
          if (operation !== 'deleteAll') continue;
          const gone = [...before].filter((each) => !notes.get(each.folder, each.id));
          expect(notes.diff(before)).toStrictEqual(gone.map((each) => ({ record: each, before: each })));
        }
        expectSame(notes, [...list.values()]);
        for (const [old, expected] of earlier) expectSame(old, expected);
      }),
      { numRuns: 30 },
    );
  });

  test('a range contains the entries with its prefix and within its bounds, for ascending and descending keys', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryNote(100), many(400)),
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
      { numRuns: 60 },
    );
  });

  test('bounds without a prefix apply to the first sort key', () => {
    const notes = Collection.from(
      {
        identity: index<number>(desc((value) => value)),
        indexes: {
          ascending: index<number>(asc((value) => value)),
          descending: index<number>(desc((value) => value)),
        },
      },
      [3, 1, 4, 1, 5],
    );

    expect([...notes]).toStrictEqual([5, 4, 3, 1]);
    expect([...notes.by.ascending.range([], { after: 1, until: 4 })]).toStrictEqual([3, 4]);
    expect([...notes.by.descending.range([], { after: 1, until: 4 })]).toStrictEqual([4, 3]);
    expect([...notes.by.descending.range([], { after: 4, until: 1 })]).toStrictEqual([]);
  });
});

describe('a record by its identity', () => {
  test('get returns the record of an identity, and for a partial key its first record', () => {
    fc.assert(
      fc.property(fc.array(arbitraryNote(30), many(200)), arbitraryNote(30), (seed, probe) => {
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

  test('a replaced record moves in every index, and has no old entries', () => {
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

  test('an entry at the same position belongs to the new record', () => {
    const before: Note = { folder: 'a', id: 1, time: 5, done: false, tags: ['x'] };
    const after: Note = { ...before, done: true };

    const notes = noteCollection([before]).put(after);

    expect(notes.by.newest.range(['a']).first).toBe(after);
    expect(notes.by.tag.get(['x'])?.note).toBe(after);
  });

  test('deleting uses the identity alone, and ignores a missing record', () => {
    const stored: Note = { folder: 'a', id: 1, time: 5, done: false, tags: ['x'] };
    const notes = noteCollection([stored]);

    expectSame(notes.delete({ ...stored, time: 1, done: true, tags: ['z'] }), []);
    expect(notes.delete({ ...stored, id: 2 })).toBe(notes);
    expectSame(notes, [stored]);
  });
});

describe('a collection and an earlier one', () => {
  test('a range continues to read the earlier collection', () => {
    const numbers = Collection.from(
      { identity: index<{ value: number }>(asc(({ value }) => value)), indexes: {} },
      Array.from({ length: 300 }, (_, value) => ({ value })),
    );
    let left = numbers;
    for (const number of numbers.range()) left = left.delete(number);

    expect(left.size).toBe(0);
    expect(numbers.size).toBe(300);
  });

  test('a diff lists the records added, replaced and removed since an earlier collection, in order', () => {
    const note = (id: number, at = 0): Note => ({ folder: 'a', id, time: at, done: false, tags: [] });
    const earlier = noteCollection(Array.from({ length: 500 }, (_, id) => note(id)));

    const later = earlier.put(note(3, 1)).delete(note(5)).put(note(900));

    expect(later.diff(earlier)).toStrictEqual([
      { record: note(3, 1), before: note(3), after: note(3, 1) },
      { record: note(5), before: note(5) },
      { record: note(900), after: note(900) },
    ]);
    expect(earlier.diff(later).map(({ record }) => record.id)).toStrictEqual([3, 5, 900]);
    expect(later.diff(later)).toStrictEqual([]);
  });

  test('two collections written from the same one do not change each other', () => {
    const [first, second, third]: Note[] = [1, 2, 3].map((id) => ({
      folder: 'a',
      id,
      time: id,
      done: false,
      tags: ['x'],
    }));
    if (!first || !second || !third) throw new Error('no notes');
    const base = noteCollection([first]);

    const left = base.put(second).delete(first);
    const right = base.put({ ...first, time: 9, tags: ['y'] }).put(third);

    expectSame(base, [first]);
    expectSame(left, [second]);
    expectSame(right, [{ ...first, time: 9, tags: ['y'] }, third]);
  });

  test('an index in which nothing changes stays the same object', () => {
    const untagged: Note = { folder: 'a', id: 1, time: 5, done: false, tags: [] };
    const notes = noteCollection([{ ...untagged, id: 2, tags: ['x'] }]);

    expect(notes.put(untagged).by.tag).toBe(notes.by.tag);
    expect(notes.put(untagged).by.newest).not.toBe(notes.by.newest);
  });
});
