import { describe, expect, test } from 'vitest';
import type { Commit } from '#engine/store/commit.js';
import { findMoment, START } from '#engine/store/history.js';
import { initialContents, Store } from '#engine/store/store.js';

interface Counter {
  readonly count: number;
  readonly requests: number;
}

interface CounterDraft {
  count: number;
  requests: number;
}

const makeStore = (count = 0) =>
  new Store<Counter, CounterDraft>(initialContents({ count, requests: 0 }), (state) => ({ ...state }));
const info = (id: number) => ({ id: `r${id}`, operation: 'POST /v1/vals', at: id });
const idsOf = ({ history }: Store<Counter, CounterDraft>) => history.list().map(({ id }) => id);
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `r${from + i}`);
const add = (amount: number) => (draft: CounterDraft) => {
  draft.count += amount;
  return `added ${amount}`;
};
const fail = (draft: CounterDraft) => {
  add(100)(draft);
  throw new Error('halfway');
};

function getCommit(store: Store<Counter, CounterDraft>, index: number): Commit<Counter> {
  const commit = store.history.at(index);
  if (!commit) throw new Error(`no commit ${index}`);
  return commit;
}

describe('a transaction', () => {
  test('an update changes the state and returns the result of the change', () => {
    const store = makeStore(5);
    const before = store.state;

    expect(store.update(add(2))).toBe('added 2');
    expect(store.update(add(3), info(1))).toBe('added 3');

    expect(store.state.count).toBe(10);
    expect(before.count).toBe(5);
  });

  test('an update that throws changes nothing and has no commit', () => {
    const store = makeStore(5);
    const before = store.state;

    expect(() => store.update(fail, info(1))).toThrow('halfway');

    expect(store.state).toBe(before);
    expect(store.state.count).toBe(5);
    expect(store.history.list()).toStrictEqual([]);
  });

  test('nothing changes until a transaction is committed', () => {
    const store = makeStore(5);
    const before = store.state;
    const transaction = store.begin();
    transaction.draft.requests++;
    transaction.savepoint(add(2));

    expect(transaction.state).toStrictEqual({ count: 7, requests: 1 });
    expect(store.state).toBe(before);
    expect(store.state).toStrictEqual({ count: 5, requests: 0 });

    store.commit(transaction);
    expect(store.state).toStrictEqual({ count: 7, requests: 1 });
  });

  test('a savepoint that throws leaves the counts that the draft already has', () => {
    const store = makeStore(5);
    const transaction = store.begin();
    transaction.draft.requests++;

    expect(() => transaction.savepoint(fail)).toThrow('halfway');
    store.commit(transaction);

    expect(store.state).toStrictEqual({ count: 5, requests: 1 });
  });

  test('a savepoint that returns keeps its writes when a later one throws', () => {
    const transaction = makeStore(5).begin();

    expect(transaction.savepoint(add(2))).toBe('added 2');
    expect(() => transaction.savepoint(fail)).toThrow('halfway');
    transaction.draft.requests++;

    expect(transaction.state).toStrictEqual({ count: 7, requests: 1 });
  });

  test('a transaction without a write commits the same state', () => {
    const store = makeStore(5);
    const before = store.state;

    store.commit(store.begin());

    expect(store.state).toBe(before);
  });

  test('a transaction forks the state once, however often it is written to', () => {
    let forks = 0;
    const store = new Store<Counter, CounterDraft>(initialContents({ count: 0, requests: 0 }), (state) => {
      forks++;
      return { ...state };
    });
    const transaction = store.begin();
    expect(forks).toBe(0);

    transaction.draft.requests++;
    transaction.draft.requests++;

    expect(forks).toBe(1);
    expect(transaction.draft.requests).toBe(2);
  });

  test('a transaction is one commit, with the counts and the savepoint in it', () => {
    const store = makeStore(5);
    const before = store.state;
    const transaction = store.begin();
    transaction.draft.requests++;
    transaction.savepoint(add(2));

    store.commit(transaction, info(1));

    expect(store.history.list()).toStrictEqual([
      {
        id: 'r1',
        operation: 'POST /v1/vals',
        at: 1,
        before: { count: 5, requests: 0 },
        after: { count: 7, requests: 1 },
      },
    ]);
    expect(getCommit(store, 0).before).toBe(before);
    expect(getCommit(store, 0).after).toBe(store.state);
  });
});

describe('the history', () => {
  test('a commit without info is not in the history', () => {
    const store = makeStore();
    store.update(add(1));
    store.update(add(1), info(2));
    store.update(add(1));

    expect(store.history.list().map(({ id, before, after }) => [id, before.count, after.count])).toStrictEqual([
      ['r2', 1, 2],
    ]);
  });

  test('the history contains the last 2,000 commits', () => {
    const store = makeStore();
    for (let i = 0; i < 2_130; i++) store.update(add(1), info(i));

    expect(idsOf(store)).toStrictEqual(ids(130, 2_130));
    expect(store.history).toHaveLength(2_000);
  });

  test.each([0, 1, 20, 49, 50, 51, 130, 2_000, 2_130])(
    'the history is a list, also without %i commits at an end',
    (count) => {
      const store = makeStore();
      for (let i = 0; i < 2_130; i++) store.update(add(1), info(i));

      store.forget(count);
      expect(idsOf(store)).toStrictEqual(ids(Math.min(130 + count, 2_130), 2_130));
      const { history } = store;
      const list = history.list();
      expect(list.map((_, i) => history.at(i))).toStrictEqual(list);
      expect(list.map(({ id }) => history.find(id))).toStrictEqual(list);
      expect([history.at(-1), history.at(history.length), history.find('r0')]).toStrictEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect([history.oldest, history.newest]).toStrictEqual([list[0], list.at(-1)]);
      expect(history.list(60)).toStrictEqual(list.slice(-60));
      expect(history.list(0)).toStrictEqual([]);
      expect(history.dropNewest(count).list()).toStrictEqual(list.slice(0, Math.max(0, list.length - count)));
      for (let i = 2_130; i < 2_190; i++) store.update(add(1), info(i));
      expect(idsOf(store)).toStrictEqual(ids(Math.max(190, Math.min(130 + count, 2_130)), 2_190));
    },
  );

  test('dropped commits change neither the state nor the number of commits', () => {
    const store = makeStore();
    for (const i of [1, 2, 3]) store.update(add(i), info(i));
    const { state, branch } = store;

    store.forget(2);

    expect([store.state, store.branch, store.commits, idsOf(store)]).toStrictEqual([state, branch, 3, ['r3']]);
    expect(findMoment(store, START).state.count).toBe(3);
    expect(findMoment(store, START).commits).toBe(2);
  });

  test.each([
    ['r1', { state: { count: 1, requests: 0 }, commit: 'r1', commits: 1, time: 1 }],
    ['r3', { state: { count: 6, requests: 0 }, commit: 'r3', commits: 3, time: 3 }],
    [START, { state: { count: 0, requests: 0 }, commit: null, commits: 0, time: 1 }],
    [undefined, { state: { count: 10, requests: 0 }, commit: 'r3', commits: 3 }],
    ['r4', undefined],
  ])('the state after %s', (at, moment) => {
    const store = makeStore();
    for (const i of [1, 2, 3]) store.update(add(i), info(i));
    store.update(add(4));

    expect(findMoment(store, at)).toStrictEqual(moment);
  });

  test('a history read before a reset does not change', () => {
    const store = makeStore();
    const seed = store.state;
    store.update(add(1), info(1));
    const { history } = store;
    store.reset(seed);

    expect(history).toHaveLength(1);
    expect(store.history.list()).toStrictEqual([]);
  });
});

describe('a reset', () => {
  test('a state that a reader holds does not change', () => {
    const store = makeStore(5);
    const { state } = store;
    const transaction = store.begin();
    transaction.draft.count = 91;
    store.commit(transaction, info(1));
    const committed = store.state;
    store.update(add(1), info(2));
    store.reset(state);

    expect(state).toStrictEqual({ count: 5, requests: 0 });
    expect(committed).toStrictEqual({ count: 91, requests: 0 });
  });

  test('a reset goes to the given state each time and clears the history', () => {
    const store = makeStore(5);
    const seed = store.state;
    for (const amount of [1, 2]) {
      store.update(add(amount), info(amount));
      store.reset(seed);

      expect(store.state).toBe(seed);
      expect(store.state.count).toBe(5);
      expect(store.history.list()).toStrictEqual([]);
    }
  });

  test('writing after a reset leaves the seed unchanged', () => {
    const store = makeStore(5);
    const seed = store.state;
    store.reset(seed);
    store.update(add(1));

    expect(seed.count).toBe(5);
  });

  test('two stores of one seed do not change each other', () => {
    const seed: Counter = { count: 5, requests: 0 };
    const [one, two] = [1, 2].map(
      () => new Store<Counter, CounterDraft>(initialContents(seed), (state) => ({ ...state })),
    );
    one?.update(add(1), info(1));

    expect(one?.state.count).toBe(6);
    expect(two?.state.count).toBe(5);
    expect(two?.history.list()).toStrictEqual([]);
  });
});

describe('a rewind', () => {
  test('a rewind goes back to just before a commit and drops that commit and later ones', () => {
    const store = makeStore();
    for (const i of [1, 2, 3]) store.update(add(i), info(i));
    const second = getCommit(store, 1);

    store.rewind(second);

    expect(store.state.count).toBe(1);
    expect(store.history.list().map(({ id }) => id)).toStrictEqual(['r1']);
  });

  test('a commit cannot be rewound twice, nor in another store', () => {
    const store = makeStore();
    for (const i of [1, 2]) store.update(add(i), info(i));
    const second = getCommit(store, 1);
    store.rewind(second);

    expect(() => store.rewind(second)).toThrow(new RangeError('not a commit of this store'));
    expect(() => makeStore().rewind(getCommit(store, 0))).toThrow('not a commit of this store');
    expect(store.state.count).toBe(1);
  });

  test('a rewind undoes the counts of the transaction too', () => {
    const store = makeStore();
    const transaction = store.begin();
    transaction.draft.requests++;
    transaction.savepoint(add(2));
    store.commit(transaction, info(1));

    store.rewind(getCommit(store, 0));

    expect(store.state).toStrictEqual({ count: 0, requests: 0 });
  });

  test('writes after a rewind leave the rewound commit unchanged', () => {
    const store = makeStore();
    for (const i of [1, 2]) store.update(add(i), info(i));
    const second = getCommit(store, 1);
    store.rewind(second);
    store.update(add(10), info(3));

    expect(store.state.count).toBe(11);
    expect([second.before.count, second.after.count]).toStrictEqual([1, 3]);
  });
});

describe('a snapshot', () => {
  test('a snapshot can be restored several times, also after a reset', () => {
    const store = makeStore();
    const seed = store.state;
    store.update(add(1), info(1));
    store.takeSnapshot('one', 7);
    const [one] = store.snapshots;
    if (!one) throw new Error('no snapshot');

    for (let i = 0; i < 2; i++) {
      store.update(add(5), info(2));
      store.reset(seed);
      store.update(add(9), info(3));
      store.restore(one);

      expect(store.state.count).toBe(1);
      expect(store.history.list()).toStrictEqual([]);
    }
    expect(store.snapshots).toStrictEqual([{ name: 'one', at: 7, state: { count: 1, requests: 0 }, commits: 1 }]);
  });

  test('a snapshot replaces one of the same name and becomes the newest', () => {
    const store = makeStore();
    store.takeSnapshot('one', 1);
    store.takeSnapshot('two', 2);
    store.update(add(1));
    store.takeSnapshot('one', 3);

    expect(store.snapshots.map(({ name, at, state }) => [name, at, state.count])).toStrictEqual([
      ['two', 2, 0],
      ['one', 3, 1],
    ]);
  });

  test('a dropped snapshot is removed, the others stay', () => {
    const store = makeStore();
    store.takeSnapshot('one', 1);
    store.takeSnapshot('two', 2);

    store.dropSnapshot('one');
    store.dropSnapshot('missing');

    expect(store.snapshots.map(({ name }) => name)).toStrictEqual(['two']);
  });

  test('writes after a snapshot and after restoring it do not change it', () => {
    const store = makeStore(5);
    store.takeSnapshot('one', 1);
    const [one] = store.snapshots;
    if (!one) throw new Error('no snapshot');
    store.update(add(1));
    store.restore(one);
    store.update(add(2));

    expect(one.state.count).toBe(5);
    expect(store.state.count).toBe(7);
  });
});
