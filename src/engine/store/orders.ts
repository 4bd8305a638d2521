import { inSteps, type Steps } from '../lib/steps.js';
import { eachPosition, listPositions, type Ranks, rankValues, sortByRanks } from './ranks.js';
import type { Scalar, SortKey } from './sort-keys.js';

/**
 * Orders of many entries, each sorted key by key from the last one, in linear time. The ranks of the values of a key are used again for
 * each order, and the order by the last keys for keys that end with the same ones.
 */
export class Orders<E> {
  readonly #entries: readonly E[];
  readonly #ranks = new Map<SortKey<E>['get'], Ranks>();
  readonly #orders: { readonly keys: readonly SortKey<E>[]; readonly order: Uint32Array }[] = [];

  constructor(entries: readonly E[]) {
    this.#entries = entries;
  }

  /** Returns the entries in order. Of several at one position, the last one counts. */
  *sort(keys: readonly SortKey<E>[]): Steps<readonly E[]> {
    const order = yield* this.#getOrder(keys);
    const columns = keys.map(({ get }) => this.#ranks.get(get)?.ranks);
    const sorted: E[] = [];
    yield* eachPosition(order.length, (i) => {
      const [position = 0, next] = [order[i], order[i + 1]];
      const entry = this.#entries[position];
      const isLast = next === undefined || columns.some((ranks) => ranks?.[position] !== ranks?.[next]);
      if (isLast && entry !== undefined) sorted.push(entry);
    });
    return sorted;
  }

  /** Returns the positions of the entries in order. */
  *#getOrder(keys: readonly SortKey<E>[]): Steps<Uint32Array> {
    const known = this.#orders.find(
      (each) =>
        each.keys.length === keys.length &&
        each.keys.every(({ get, descending }, i) => get === keys[i]?.get && descending === keys[i].descending),
    );
    if (known) return known.order;
    const [key, ...lastKeys] = keys;
    if (!key) return yield* listPositions(this.#entries.length);
    const order = yield* this.#getOrder(lastKeys);
    const sorted = yield* sortByRanks(yield* this.#getRanks(key.get), order, key.descending);
    this.#orders.push({ keys, order: sorted });
    return sorted;
  }

  *#getRanks(get: SortKey<E>['get']): Steps<Ranks> {
    const known = this.#ranks.get(get);
    if (known) return known;
    const values: Scalar[] = [];
    yield* inSteps(this.#entries, (entry) => void values.push(get(entry)));
    const ranks = yield* rankValues(values);
    this.#ranks.set(get, ranks);
    return ranks;
  }
}
