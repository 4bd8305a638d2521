import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChangeType, walkChanges } from '#engine/changes/changed-record.js';
import { fork } from '#engine/state/state.js';
import { getOwnerId } from '#vals/lib/data-owners.collection.js';
import type { State } from '#vals/lib/state.collection.js';
import { createVal } from '#vals/vals/vals.rules.js';
import { timeOnCpu } from '../../support/cpu.js';
import { sized } from '../../support/soak.js';
import { applyWrites, makeDraft, NOW, WRITE_KINDS } from '../state/states.js';

type ChangesByCollection = Record<string, Record<ChangeType, string[]>>;

/** Lists the ids of the records that two states do not share. */
function listChangedIds(before: State, after: State): ChangesByCollection {
  const all: ChangesByCollection = {};
  for (const { definition, changes } of walkChanges(before, after)) {
    const ids: Record<ChangeType, string[]> = { added: [], changed: [], removed: [] };
    for (const { type, id } of changes) ids[type].push(id);
    all[definition.name] = ids;
  }
  return all;
}

/** Lists all records of a state by collection and id. */
const listRecords = ({ users, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite }: State) => {
  const byId = <R extends { readonly id: string }>(records: Iterable<R>) =>
    new Map<string, unknown>([...records].map((record) => [record.id, record]));
  return {
    ...{ users: byId(users), vals: byId(vals), runs: byId(runs), comments: byId(comments), emails: byId(emails) },
    tokens: byId(tokens),
    versions: new Map<string, unknown>([...versions].map((each) => [`${each.valId}:${each.version}`, each])),
    blobs: new Map<string, unknown>([...blobs].map((each) => [`${getOwnerId(each)}:${each.key}`, each])),
    sqlite: new Map<string, unknown>([...sqlite].map((each) => [getOwnerId(each), each])),
    likes: new Map<string, unknown>([...likes].map((each) => [`${each.valId}:${each.userId}`, each])),
  };
};

/** Compares two states record by record. */
function compareAllRecords(before: State, after: State): ChangesByCollection {
  const earlier: Record<string, Map<string, unknown>> = listRecords(before);
  const changes = Object.entries(listRecords(after)).map(([name, now]) => {
    const then = earlier[name] ?? new Map<string, unknown>();
    const added = [...now.keys()].filter((id) => !then.has(id)).sort();
    const changed = [...now.keys()].filter((id) => then.has(id) && then.get(id) !== now.get(id)).sort();
    const removed = [...then.keys()].filter((id) => !now.has(id)).sort();
    return [name, { added, changed, removed }] as const;
  });
  return Object.fromEntries(
    changes.filter(([, { added, changed, removed }]) => added.length + changed.length + removed.length > 0),
  );
}

/** The order of the ids has no meaning. */
const sortIds = (changes: ChangesByCollection): ChangesByCollection =>
  Object.fromEntries(
    Object.entries(changes).map(([name, { added, changed, removed }]) => [
      name,
      { added: [...added].sort(), changed: [...changed].sort(), removed: [...removed].sort() },
    ]),
  );

const randomWrites = (maxLength: number) =>
  fc.array(fc.tuple(fc.nat(WRITE_KINDS - 1), fc.nat(1_000), fc.nat(1_000)), { maxLength });

test('a state and its draft have no differences', () => {
  const state = applyWrites(makeDraft(), [
    [0, 0, 0],
    [0, 1, 1],
  ]);

  expect(listChangedIds(state, fork(state))).toStrictEqual({});
});

test('lists the same differences as a comparison of all records', () => {
  const collections = new Set<string>();
  fc.assert(
    fc.property(randomWrites(60), randomWrites(20), (earlier, later) => {
      const before = applyWrites(makeDraft(), earlier);
      const after = applyWrites(fork(before), later);

      const changes = listChangedIds(before, after);

      expect(sortIds(changes)).toStrictEqual(compareAllRecords(before, after));
      for (const name of Object.keys(changes)) collections.add(name);
    }),
    { numRuns: sized(60, 300), seed: 17 },
  );
  expect([...collections].sort()).toStrictEqual(['comments', 'likes', 'runs', 'users', 'vals', 'versions']);
});

test('compares two states of one origin', () => {
  fc.assert(
    fc.property(randomWrites(40), randomWrites(15), randomWrites(15), (common, one, two) => {
      const origin = applyWrites(makeDraft(), common);
      const left = applyWrites(fork(origin), one);
      const right = applyWrites(fork(origin), two);

      expect(sortIds(listChangedIds(left, right))).toStrictEqual(compareAllRecords(left, right));
    }),
    { numRuns: sized(40, 200), seed: 18 },
  );
});

test('a comparison after one write takes the same time at any number of records', async () => {
  const before = makeDraft();
  const [author] = before.users;
  if (!author) throw new Error('no author');
  for (let i = 0; i < 20_000; i++) createVal(before, author, { name: `val${i}`, code: '1' }, NOW);
  const after = applyWrites(fork(before), [[0, 0, 0]]);

  const time = await timeOnCpu(() => {
    for (let i = 0; i < 100; i++) listChangedIds(before, after);
  });

  // Milliseconds; comparing every record would take a hundred times as long.
  expect(time).toBeLessThan(500);
});
