import { describe, expect, test } from 'vitest';
import type { Commit } from '#engine/store/commit.js';
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
const add = (amount: number) => (draft: CounterDraft) => {
  draft.count += amount;
  return `added ${amount}`;
};
const fail = (draft: CounterDraft) => {
  add(100)(draft);
  throw new Error('halfway');
};

function getCommit(store: Store<Counter, CounterDraft>, index: number): Commit<Counter> {
  const commit = store.history[index];
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
    expect(store.history).toStrictEqual([]);
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

    expect(store.history).toStrictEqual([
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

    expect(store.history.map(({ id, before, after }) => [id, before.count, after.count])).toStrictEqual([['r2', 1, 2]]);
  });

  test('the history contains the last 100 commits', () => {
    const store = makeStore();
    for (let i = 0; i < 150; i++) store.update(add(1), info(i));

    expect(store.history.map(({ id }) => id)).toStrictEqual(Array.from({ length: 100 }, (_, i) => `r${i + 50}`));
  });

  test('a history read before a reset does not change', () => {
    const store = makeStore();
    const seed = store.state;
    store.update(add(1), info(1));
    const { history } = store;
    store.reset(seed);

    expect(history).toHaveLength(1);
    expect(store.history).toStrictEqual([]);
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
      expect(store.history).toStrictEqual([]);
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
    expect(two?.history).toStrictEqual([]);
  });
});

describe('a rewind', () => {
  test('a rewind goes back to just before a commit and drops that commit and later ones', () => {
    const store = makeStore();
    for (const i of [1, 2, 3]) store.update(add(i), info(i));
    const second = getCommit(store, 1);

    store.rewind(second);

    expect(store.state.count).toBe(1);
    expect(store.history.map(({ id }) => id)).toStrictEqual(['r1']);
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
      expect(store.history).toStrictEqual([]);
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
