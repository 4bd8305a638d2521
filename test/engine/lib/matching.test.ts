import { expect, test } from 'vitest';
import { findDifferences } from '#engine/lib/matching.js';

test('a regular expression matches a text', () => {
  expect([...findDifferences({ name: /^rep/ }, { name: 'report' })]).toEqual([]);
  expect([...findDifferences({ name: /^rep/ }, { name: 'raport' })]).toHaveLength(1);
  expect([...findDifferences({ name: /1/ }, { name: 1 })]).toHaveLength(1);
});
