import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { generate, writeFixture } from '#vals/generator/index.js';
import { GOLDEN, OPTIONS } from './golden.js';

test('a seed gives the same bytes in every release', () => {
  const text = [...writeFixture(generate(OPTIONS))].join('');
  expect(createHash('sha256').update(text).digest('hex')).toBe(GOLDEN);
});
