import { type Steps, sortInSteps } from '../lib/steps.js';
import type { Scalar } from './sort-keys.js';

/** Numbers in the order of some values, by position. Equal values have the same rank. */
export interface Ranks {
  readonly ranks: Uint32Array;
  /** One more than the highest rank. */
  readonly limit: number;
}

/** Positions of a step. */
const SLICE_SIZE = 20_000;
/** Greatest distance of whole numbers that are used as ranks, in proportion to their count. */
const MAX_SPREAD = 4;
/** Values of a digit, when numbers are sorted digit by digit. */
const RADIX = 65_536;
/** Characters of a string that make one number of at most 53 bits, and their highest code. */
const PREFIX_LENGTH = 6;
const MAX_CODE = 255;

/** Acts on the positions below a size, in slices. */
export function* eachPosition(size: number, act: (position: number) => void): Steps<void> {
  for (let start = 0; start < size; start += SLICE_SIZE) {
    const end = Math.min(start + SLICE_SIZE, size);
    for (let position = start; position < end; position++) act(position);
    yield;
  }
}

/** Makes a number of each position. */
function* fill<A extends Float64Array | Uint32Array>(numbers: A, make: (position: number) => number): Steps<A> {
  yield* eachPosition(numbers.length, (i) => {
    numbers[i] = make(i);
  });
  return numbers;
}

export const listPositions = (size: number): Steps<Uint32Array> => fill(new Uint32Array(size), (i) => i);

/** Sorts positions by the ranks of their values. Positions of equal values keep their order. Linear. */
export function* sortByRanks({ ranks, limit }: Ranks, order: Uint32Array, descending = false): Steps<Uint32Array> {
  const getGroup = (position: number): number => {
    const rank = ranks[position] ?? 0;
    return descending ? limit - 1 - rank : rank;
  };
  const counts = new Uint32Array(limit);
  yield* eachPosition(order.length, (position) => {
    const group = getGroup(position);
    counts[group] = (counts[group] ?? 0) + 1;
  });
  let total = 0;
  /** The index in the result of the next position of each group. */
  const next = yield* fill(new Uint32Array(limit), (group) => {
    const first = total;
    total += counts[group] ?? 0;
    return first;
  });
  const sorted = new Uint32Array(order.length);
  yield* eachPosition(order.length, (i) => {
    const position = order[i] ?? 0;
    const group = getGroup(position);
    const index = next[group] ?? 0;
    next[group] = index + 1;
    sorted[index] = position;
  });
  return sorted;
}

/** Ranks values as `<` compares them. Linear for whole numbers, truth values, and texts that differ early. */
export function* rankValues(values: readonly Scalar[]): Steps<Ranks> {
  const size = values.length;
  if (isEach(values, 'string')) return yield* rankTexts(values);
  if (isEach(values, 'number') || isEach(values, 'boolean')) {
    const ranks = yield* rankWhole(yield* fill(new Float64Array(size), (i) => Number(values[i])));
    if (ranks) return ranks;
  }
  return yield* toRanks(yield* sortByValue(values, yield* listPositions(size)), values);
}

interface Types {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}

const isEach = <T extends keyof Types>(values: readonly Scalar[], type: T): values is readonly Types[T][] =>
  values.every((value) => typeof value === type);

/** Sorts positions by comparing their values. */
function* sortByValue(values: readonly Scalar[], positions: Uint32Array): Steps<Uint32Array> {
  const compare = (a: number, b: number): number => {
    const [ofA = 0, ofB = 0] = [values[a], values[b]];
    return ofA === ofB ? 0 : ofA < ofB ? -1 : 1;
  };
  return Uint32Array.from(yield* sortInSteps(positions, compare));
}

/** @param order the positions in the order of their values */
function* toRanks(order: Uint32Array, values: readonly Scalar[] | Float64Array): Steps<Ranks> {
  const ranks = new Uint32Array(order.length);
  let rank = 0;
  yield* eachPosition(order.length, (i) => {
    const position = order[i] ?? 0;
    if (i > 0 && values[order[i - 1] ?? 0] !== values[position]) rank++;
    ranks[position] = rank;
  });
  return { ranks, limit: rank + 1 };
}

/** Ranks whole numbers. Undefined if there are others among them. */
function* rankWhole(values: Float64Array): Steps<Ranks | undefined> {
  const size = values.length;
  let [min, max, areWhole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  yield* eachPosition(size, (i) => {
    const value = values[i] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
    areWhole &&= Number.isSafeInteger(value);
  });
  const spread = max - min;
  if (!areWhole || !Number.isSafeInteger(spread)) return undefined;
  const readOffset = (i: number): number => (values[i] ?? 0) - min;
  if (spread <= MAX_SPREAD * size) return { ranks: yield* fill(new Uint32Array(size), readOffset), limit: spread + 1 };
  let order = yield* listPositions(size);
  for (let unit = 1; unit <= spread; unit *= RADIX) {
    const digits = yield* fill(new Uint32Array(size), (i) => Math.floor(readOffset(i) / unit) % RADIX);
    order = yield* sortByRanks({ ranks: digits, limit: RADIX }, order);
  }
  return yield* toRanks(order, values);
}

/** Ranks texts: first by some characters as a number, then by comparing those that have the same ones. */
function* rankTexts(texts: readonly string[]): Steps<Ranks> {
  const skipped = yield* countShared(texts);
  const prefixes = yield* fill(new Float64Array(texts.length), (i) => readPrefix(texts[i] ?? '', skipped));
  const groups = yield* rankWhole(prefixes);
  if (!groups) throw new TypeError('a prefix is no whole number');
  const order = yield* sortByRanks(groups, yield* listPositions(texts.length));
  const groupAt = (index: number) => groups.ranks[order[index] ?? 0];
  let done = 0;
  for (let start = 0; start < order.length; ) {
    const [group, first] = [groupAt(start), texts[order[start] ?? 0]];
    let [end, areSame] = [start, true];
    for (; end < order.length && groupAt(end) === group; end++) areSame &&= texts[order[end] ?? 0] === first;
    if (!areSame) order.set(yield* sortByValue(texts, order.subarray(start, end)), start);
    if (end - done > SLICE_SIZE) {
      done = end;
      yield;
    }
    start = end;
  }
  return yield* toRanks(order, texts);
}

/** Counts the characters that all texts begin with. */
function* countShared(texts: readonly string[]): Steps<number> {
  let [shared = ''] = texts;
  yield* eachPosition(texts.length, (i) => {
    while (!texts[i]?.startsWith(shared)) shared = shared.slice(0, -1);
  });
  return shared.length;
}

/** Reads characters as a number. It is less only for a string that sorts before: characters after a higher code do not count. */
function readPrefix(text: string, start: number): number {
  let prefix = 0;
  let isHigh = false;
  for (let i = start; i < start + PREFIX_LENGTH; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    isHigh ||= code > MAX_CODE;
    prefix = prefix * (MAX_CODE + 1) + (isHigh ? MAX_CODE : code);
  }
  return prefix;
}
