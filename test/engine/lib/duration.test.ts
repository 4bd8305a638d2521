import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DURATION_EXAMPLES, parseDuration } from '#engine/lib/time.js';

test.each([
  ['0s', 0],
  ['1ms', 1],
  ['250ms', 250],
  ['1s', 1_000],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  ['1d12h', 129_600_000],
  ['1h30m15s500ms', 5_415_500],
  ['30m1h', 5_400_000],
  ['1.5h', 5_400_000],
  ['0.5ms', 1],
  ['0.4ms', 0],
  ['007s', 7_000],
])('%s is %i milliseconds', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each([
  '',
  ' ',
  '5',
  's',
  '-5m',
  '+5m',
  '5 m',
  ' 5m',
  '5m ',
  '5m\n',
  '1y',
  '5M',
  '1.h',
  '.5h',
  '1e3s',
  '5mm',
  '1d12',
  '1,5h',
  'P1D',
  '٣s',
])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test('the parts of a duration are added', () => {
  const part = fc
    .tuple(fc.nat({ max: 999 }), fc.constantFrom('ms', 's', 'm', 'h', 'd', 'w'))
    .map((pair) => pair.join(''));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const total = parts.reduce((sum, each) => sum + (parseDuration(each) ?? Number.NaN), 0);
      expect(parseDuration(parts.join(''))).toBe(total);
    }),
  );
});

test('the examples of messages can be parsed', () => {
  const examples = [...DURATION_EXAMPLES.matchAll(/"([^"]+)"/g)].map(([, text = '']) => parseDuration(text));

  expect(examples).toStrictEqual([90_000, 600_000, 172_800_000, 129_600_000]);
});
