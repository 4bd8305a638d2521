import { expect, test } from 'vitest';
import { makeWeightedSampler, Rng, upperBound } from '#engine/lib/rng.js';

const draw = (rng: Rng, count = 5) => Array.from({ length: count }, () => rng.int(0, 999));

test('a seed gives the same numbers, and another seed gives others', () => {
  expect(draw(new Rng('a seed'))).toStrictEqual(draw(new Rng('a seed')));
  expect(draw(new Rng(42))).toStrictEqual(draw(new Rng('42')));
  expect(draw(new Rng('a seed'))).not.toStrictEqual(draw(new Rng('another seed')));
});

test('draws from a fork do not change the other generator', () => {
  const rng = new Rng('a seed');
  draw(rng.fork('runs'), 100);

  expect(draw(rng)).toStrictEqual(draw(new Rng('a seed')));
  expect(draw(rng.fork('runs'))).toStrictEqual(draw(new Rng('a seed').fork('runs')));
  expect(draw(rng.fork('runs'))).not.toStrictEqual(draw(rng.fork('vals')));
});

test('numbers are within their bounds, both inclusive for integers', () => {
  const rng = new Rng('bounds');
  const integers = Array.from({ length: 1_000 }, () => rng.int(3, 6));
  const fractions = Array.from({ length: 1_000 }, () => rng.next());

  expect(new Set(integers)).toStrictEqual(new Set([3, 4, 5, 6]));
  expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...fractions)).toBeLessThan(1);
});

test('a probability is the fraction of true draws', () => {
  const rng = new Rng('probability');
  const count = (probability: number) =>
    Array.from({ length: 2_000 }, () => rng.bool(probability)).filter(Boolean).length;

  expect(count(0)).toBe(0);
  expect(count(1)).toBe(2_000);
  expect(count(0.25)).toBeGreaterThan(420);
  expect(count(0.25)).toBeLessThan(580);
});

test('pick draws each item, and throws for an empty list', () => {
  const rng = new Rng('pick');

  expect(new Set(Array.from({ length: 100 }, () => rng.pick(['a', 'b', 'c'])))).toStrictEqual(new Set(['a', 'b', 'c']));
  expect(() => rng.pick([])).toThrow(new RangeError('Cannot pick from an empty list'));
});

test('shuffle returns a copy with the same items in another order', () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  const shuffled = new Rng('shuffle').shuffle(items);

  expect(shuffled).not.toStrictEqual(items);
  expect(shuffled.toSorted((a, b) => a - b)).toStrictEqual(items);
  expect(items[0]).toBe(0);
});

test('long-tailed numbers are mostly close to the typical one, and never above the spread', () => {
  const rng = new Rng('tail');
  const numbers = Array.from({ length: 2_000 }, () => rng.longTail(10, 40)).sort((a, b) => a - b);

  expect(numbers[1_000]).toBeGreaterThan(8);
  expect(numbers[1_000]).toBeLessThan(12);
  expect(numbers.at(-1)).toBeGreaterThan(100);
  expect(numbers.at(-1)).toBeLessThanOrEqual(400);
});

test('a sampler draws items by weight', () => {
  const rng = new Rng('weights');
  const sampler = makeWeightedSampler(
    ['never', 'rare', 'often'],
    (item) => ({ never: 0, rare: 1, often: 9 })[item] ?? 0,
  );
  const drawn = Array.from({ length: 2_000 }, () => sampler(rng));
  const count = (item: string) => drawn.filter((each) => each === item).length;

  expect(count('never')).toBe(0);
  expect(count('rare')).toBeGreaterThan(130);
  expect(count('rare')).toBeLessThan(270);
  expect(count('rare') + count('often')).toBe(2_000);
});

test('a sampler without a weight draws nothing', () => {
  expect(makeWeightedSampler([], () => 1)(new Rng(1))).toBeUndefined();
  expect(makeWeightedSampler(['a'], () => 0)(new Rng(1))).toBeUndefined();
});

test.each([
  [0, 0],
  [1, 1],
  [1.5, 1],
  [2, 3],
  [9, 4],
])('the first number greater than %d is at %i', (value, expected) => {
  expect(upperBound(Float64Array.of(1, 2, 2, 5), value)).toBe(expected);
});
