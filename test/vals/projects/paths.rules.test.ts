import { expect, test } from 'vitest';
import { basename, checkPath, dirname, isBelow, join } from '#vals/projects/paths.rules.js';
import { errorOf } from './project-draft.js';

test.each([
  '',
  'a',
  'main.ts',
  'a/b/c.ts',
  '.env',
  '...',
  '$[]()-_.',
  'x'.repeat(48),
  `${`${'x'.repeat(48)}/`.repeat(20)}y`,
])('the path "%s" is fine', (path) => {
  expect(errorOf(() => checkPath(path, 'path'))).toBe('no error');
});

test.each([
  ['/a', 'path: found "/a", which has an empty part; expected a path such as "src/main.ts".'],
  ['a/', 'path: found "a/", which has an empty part; expected a path such as "src/main.ts".'],
  ['a//b', 'path: found "a//b", which has an empty part; expected a path such as "src/main.ts".'],
  ['../a', 'path: found the part ".."; expected the name of a directory.'],
  ['a/../b', 'path: found the part ".."; expected the name of a directory.'],
  ['a/./b', 'path: found the part "."; expected the name of a directory.'],
  ['a/b\u0000c', /^path: found the part "b\\u0000c"; expected /],
  ['a\nb', /^path: found the part "a\\nb"; expected /],
  ['a\ud800', /^path: found the part "a\\ud800"; expected /],
  [`a/${'x'.repeat(49)}`, /^path: found the part "x{49}"; expected /],
  [`${'x/'.repeat(512)}y`, 'path: a path of 1025 characters; expected at most 1024.'],
])('the path %j is refused', (path, message) => {
  expect(errorOf(() => checkPath(path, 'path'))).toStrictEqual([
    400,
    typeof message === 'string' ? message : expect.stringMatching(message),
  ]);
});

test('a path is below the root and its directories only', () => {
  expect(['a/b', 'ab', 'a'].map((path) => isBelow(path, 'a'))).toStrictEqual([true, false, false]);
  expect(isBelow('a', '')).toBe(true);
  expect(['a/b/c.ts', 'c.ts'].map(dirname)).toStrictEqual(['a/b', '']);
  expect(['a/b/c.ts', 'c.ts'].map(basename)).toStrictEqual(['c.ts', 'c.ts']);
  expect([join('', 'a'), join('a', 'b')]).toStrictEqual(['a', 'a/b']);
});
