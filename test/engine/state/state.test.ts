import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkChanges } from '#engine/changes/changed-record.js';
import { createStore, drawId, drawNumber, emptyState, fork } from '#engine/state/state.js';
import { initialContents } from '#engine/store/store.js';
import { type Draft, type State, toValsState } from '#vals/lib/state.collection.js';
import { definitions } from '#vals/service/service.collection.js';
import { createVal, updateVal } from '#vals/vals/vals.rules.js';
import { applyWrites, makeDraft, makeRun, NOW, settings, WRITE_KINDS } from './states.js';

function getAda({ users }: State) {
  const ada = users.by.username.get(['ada']);
  if (!ada) throw new Error('no ada');
  return ada;
}

const create = (draft: Draft, name: string) => createVal(draft, getAda(draft), { name, code: '1' }, NOW);
const listNames = ({ vals }: State) => [...vals.by.name.range()].map((val) => val.name);

test.each(Object.keys(emptyState(settings, definitions)))(
  'a draft copies %s, and a write to it does not change the state',
  (field) => {
    const state = emptyState(settings, definitions);
    Object.assign(state, { [field]: 'original' });
    const draft = fork(state);
    expect(Object.entries(draft)).toContainEqual([field, 'original']);

    Object.assign(draft, { [field]: 'changed' });
    expect(Object.entries(state)).toContainEqual([field, 'original']);
  },
);

test('writes to two drafts of one state change neither the other draft nor the state', () => {
  const origin = makeDraft();
  const shared = create(origin, 'shared');
  const [one, two] = [fork(origin), fork(origin)];

  create(one, 'inOne');
  updateVal(one, shared, { name: 'renamedInOne' });
  create(two, 'inTwo');
  two.vals = two.vals.delete(shared);

  expect(listNames(one)).toStrictEqual(['inOne', 'renamedInOne']);
  expect(listNames(two)).toStrictEqual(['inTwo']);
  expect(listNames(origin)).toStrictEqual(['shared']);
});

const randomWrites = fc.array(fc.tuple(fc.nat(WRITE_KINDS - 1), fc.nat(1_000), fc.nat(1_000)), { maxLength: 30 });

/** Copies the records and the scalars of a state. */
const dump = ({
  users,
  tokens,
  vals,
  versions,
  runs,
  likes,
  comments,
  emails,
  blobs,
  sqlite,
  pages,
  randomSequence,
  nextSerial,
}: State) => ({
  records: [users, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite, pages].map((collection) => [
    ...collection,
  ]),
  randomSequence,
  nextSerial,
});

test('no committed state changes after random writes, and a reset restores the seed', () => {
  fc.assert(
    fc.property(fc.array(randomWrites, { maxLength: 8 }), (scripts) => {
      const store = createStore(initialContents(makeDraft()));
      const seed = store.state;
      const states = [{ state: store.state, expected: dump(store.state) }];
      for (const writes of scripts) {
        store.update((draft) => applyWrites(draft, writes));
        states.push({ state: store.state, expected: dump(store.state) });
      }

      for (const { state, expected } of states) expect(dump(state)).toStrictEqual(expected);
      store.reset(seed);
      expect([...walkChanges(seed, store.state)]).toStrictEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('the same random writes to the same state have the same result', () => {
  fc.assert(
    fc.property(randomWrites, randomWrites, (earlier, writes) => {
      const origin = applyWrites(makeDraft(), earlier);

      const [one, two] = [1, 2].map(() => dump(applyWrites(fork(origin), writes)));

      expect(one).toStrictEqual(two);
    }),
    { numRuns: 60 },
  );
});

test('random writes that throw halfway change nothing', () => {
  fc.assert(
    fc.property(randomWrites, randomWrites, (earlier, writes) => {
      const store = createStore(initialContents(applyWrites(makeDraft(), earlier)));
      const expected = dump(store.state);
      const transaction = store.begin();
      const failing = (draft: Draft) => {
        applyWrites(draft, writes);
        throw new Error('halfway');
      };

      expect(() => transaction.savepoint(failing)).toThrow('halfway');
      store.commit(transaction);

      expect(dump(store.state)).toStrictEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('drafts of one state draw the same ids, numbers and serials', () => {
  const state = makeDraft();
  const draw = (draft: Draft) => [
    drawId(draft),
    drawNumber(draft),
    draft.nextSerial++,
    drawId(draft),
    drawNumber(draft),
  ];

  expect(draw(fork(state))).toStrictEqual(draw(fork(state)));
  expect(draw(makeDraft())).toStrictEqual(draw(makeDraft()));
});

test('another seed draws other ids and numbers', () => {
  const [one, two] = [makeDraft('one'), makeDraft('two')];
  const ids = new Set(Array.from({ length: 500 }, () => [drawId(one), drawId(two)]).flat());

  expect(ids.size).toBe(1_000);
  expect(drawNumber(one)).not.toBe(drawNumber(two));
});

test('the first id of a seed is the same on every machine', () => {
  expect(drawId(fork(emptyState(settings, definitions)))).toBe('09c03ba8-58fd-51bf-ad2b-d3ce56cf27dd');
});

test.each<[string, (draft: Draft, id: string) => Partial<Draft>]>([
  [
    'user',
    ({ users, ...draft }, id) => ({
      users: users.put({ ...getAda({ users, ...draft }), id, token: 'other', username: 'other' }),
    }),
  ],
  ['val', ({ vals }, id) => ({ vals: vals.put({ ...create(makeDraft('other'), 'hello'), id }) })],
  ['run', ({ runs }, id) => ({ runs: runs.put(makeRun(create(makeDraft('other'), 'hello'), id, 0)) })],
  [
    'comment',
    ({ comments }, id) => ({
      comments: comments.put({ id, authorId: '', valId: '', valAuthorId: '', comment: '', createdAt: NOW, serial: 0 }),
    }),
  ],
])('draws no id of an existing %s', (_kind, take) => {
  const [untouched, draft] = [makeDraft(), makeDraft()];
  const [first, second] = [drawId(untouched), drawId(untouched)];
  Object.assign(draft, take(draft, first));

  expect(drawId(draft)).toBe(second);
});

test('each draft continues the serials of its state', () => {
  const draft = makeDraft();

  expect([draft.nextSerial++, fork(draft).nextSerial++, draft.nextSerial++]).toStrictEqual([3, 4, 4]);
});

test('an empty state has no records and the clock of the system', () => {
  const { users, vals, versions, runs, likes, comments, rateLimits, faults, clock } = toValsState(
    emptyState(settings, definitions),
  );

  expect([users, vals, versions, runs, likes, comments, rateLimits].map(({ size }) => size)).toStrictEqual(
    Array(7).fill(0),
  );
  expect(faults).toStrictEqual([]);
  expect(clock).toStrictEqual({ offset: 0 });
});
