import { hash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * A seeded random number generator: the same seed gives the same numbers on every machine. All arithmetic is exact;
 * `Math.log` and `Math.pow`, which may differ between engines, are not used.
 */
export class Rng {
  readonly #seed: string;
  readonly #generator: RandomGenerator;

  constructor(seed: string | number) {
    this.#seed = String(seed);
    const digest = hash('sha1', this.#seed, 'buffer');
    this.#generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32BE(offset)));
  }

  /** Returns an independent generator: draws from one do not change the other. */
  fork(label: string | number): Rng {
    return new Rng(`${this.#seed}/${label}`);
  }

  next(): number {
    return uniformFloat64(this.#generator);
  }

  int(min: number, max: number): number {
    return uniformInt(this.#generator, min, max);
  }

  bool(probability = 0.5): boolean {
    return this.next() < probability;
  }

  /** One of the items. @throws RangeError if there is none */
  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError('Cannot pick from an empty list');
    return item;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled: T[] = [];
    for (const [index, item] of items.entries()) shuffled.splice(this.int(0, index), 0, item);
    return shuffled;
  }

  /**
   * A long-tailed number: half of all draws are close to `typical`, a few are many times as large.
   * @param spread the largest draw divided by `typical`
   */
  longTail(typical: number, spread = 40): number {
    return (typical * 0.5) / (this.next() + 0.5 / spread);
  }
}

/** Returns a function that picks from the items by weight; undefined if no item has a weight. */
export function makeWeightedSampler<T>(items: readonly T[], weigh: (item: T) => number): (rng: Rng) => T | undefined {
  let sum = 0;
  const sums = Float64Array.from(items, (item) => {
    sum += weigh(item);
    return sum;
  });
  return (rng) => items[upperBound(sums, rng.next() * sum)];
}

/** Index of the first of the ascending numbers that is greater than `value`; their count if there is none. */
export function upperBound(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
