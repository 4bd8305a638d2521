import { expect, test } from 'vitest';
import { deterministicUuid, hashToUnitInterval } from '#engine/lib/ids.js';

test('an id is the same on every machine', () => {
  expect(deterministicUuid('a seed:0')).toBe('09c03ba8-58fd-51bf-ad2b-d3ce56cf27dd');
});

test('ids have the shape of version 5 UUIDs, with each variant digit', () => {
  const ids = Array.from({ length: 500 }, (_, i) => deterministicUuid(`${i}`));

  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id[19]))).toStrictEqual(new Set('89ab'));
  expect(new Set(ids).size).toBe(500);
});

test('a hash is the same on every machine', () => {
  expect(hashToUnitInterval('a seed:0')).toBe(hashToUnitInterval('a seed:0'));
  expect(hashToUnitInterval('')).toBe(0xda39a3ee5e6b / 2 ** 48);
});

test('hashes are evenly distributed from 0 to 1', () => {
  const numbers = Array.from({ length: 10_000 }, (_, i) => hashToUnitInterval(`${i}`));
  const tenths = Array.from({ length: 10 }, (_, i) => numbers.filter((number) => Math.floor(number * 10) === i).length);

  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  expect(Math.min(...tenths)).toBeGreaterThan(900);
  expect(Math.max(...tenths)).toBeLessThan(1_100);
});
