import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { generate, writeFixture } from '#vals/generator/index.js';
import { GOLDEN, GOLDEN_PROJECTS, OPTIONS, PROJECTS } from './golden.js';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

test('a seed gives the same bytes in every release', () => {
  expect(hash([...writeFixture(generate(OPTIONS))].join(''))).toBe(GOLDEN);
});

test('a seed gives the same projects in every release, and the other records are as without them', () => {
  const { projects, commits, size, ...others } = generate({ ...OPTIONS, projects: PROJECTS });
  expect(hash([...writeFixture(others)].join(''))).toBe(GOLDEN);
  expect(hash(JSON.stringify([projects, commits]))).toBe(GOLDEN_PROJECTS);
  expect(size).toEqual({ ...OPTIONS, projects: PROJECTS, days: 30 });
});
