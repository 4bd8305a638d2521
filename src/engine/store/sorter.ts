import type { Steps } from '../lib/steps.js';
import * as lateOrders from './orders.js';
import { compareEntries, type SortKey } from './sort-keys.js';

/** Entries from which on ranks are faster than comparisons. */
const MANY = 1_000;
/** Entries that a step compares. */
const STEP_SIZE = 5_000;

/** Sorts entries by keys. Several orders of the same entries take less together. */
export class Sorter<E> {
  readonly entries: readonly E[];
  #orders: lateOrders.Orders<E> | undefined;

  constructor(entries: readonly E[]) {
    this.entries = entries;
  }

  /** Returns the entries in order. Of several at one position, the last one counts. */
  *sort(keys: readonly SortKey<E>[]): Steps<readonly E[]> {
    const { entries } = this;
    if (yield* this.#isSorted(keys)) return entries;
    if (entries.length < MANY) {
      const sorted = entries.toSorted((a, b) => compareEntries(keys, a, b));
      return sorted.filter((entry, i) => {
        const next = sorted[i + 1];
        return next === undefined || compareEntries(keys, entry, next) !== 0;
      });
    }
    this.#orders ??= new lateOrders.Orders(entries);
    return yield* this.#orders.sort(keys);
  }

  /** Whether each entry comes after the one before it. */
  *#isSorted(keys: readonly SortKey<E>[]): Steps<boolean> {
    const { entries } = this;
    let last = entries[0];
    for (let i = 1; i < entries.length; i++) {
      const entry = entries[i];
      if (last !== undefined && entry !== undefined && compareEntries(keys, last, entry) >= 0) return false;
      last = entry;
      if (i % STEP_SIZE === 0) yield;
    }
    return true;
  }
}
