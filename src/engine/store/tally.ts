import { inSteps, type Steps } from '../lib/steps.js';
import type { RecordSet } from './collection.js';

/** Counts the records of a collection by a key. A later state is counted by its difference from the last one. */
export class Tally<R extends object, K> {
  readonly #toKey: (record: R) => K;
  #records: RecordSet<R> | undefined;
  #counts: ReadonlyMap<K, number> = new Map();

  constructor(toKey: (record: R) => K) {
    this.#toKey = toKey;
  }

  /** Returns the numbers by key, all above 0. O(n) at first, then in proportion to the difference. */
  *count(records: RecordSet<R>): Steps<ReadonlyMap<K, number>> {
    const counts = new Map(this.#counts);
    const add = (record: R, number: number) => {
      const key = this.#toKey(record);
      const sum = (counts.get(key) ?? 0) + number;
      if (sum > 0) counts.set(key, sum);
      else counts.delete(key);
    };
    if (this.#records) {
      for (const { before, after } of records.diff(this.#records)) {
        if (before) add(before, -1);
        if (after) add(after, 1);
      }
    } else yield* inSteps(records, (record) => add(record, 1));
    this.#records = records;
    this.#counts = counts;
    return counts;
  }
}
