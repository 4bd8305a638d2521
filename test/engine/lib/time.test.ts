import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTooFar, isTooLong, parseInstant, parseTime, TIME_EXAMPLES, toTimestamp } from '#engine/lib/time.js';

const NOON = Date.UTC(2024, 5, 11, 12, 0, 0);

test.each([
  ['2024-06-11T12:00:00Z', NOON],
  ['2024-06-11T12:00:00z', NOON],
  ['2024-06-11t12:00:00Z', NOON],
  ['2024-06-11 12:00:00Z', NOON],
  ['2024-06-11T12:00:00.0Z', NOON],
  ['2024-06-11T12:00:00.5Z', NOON + 500],
  ['2024-06-11T12:00:00.585Z', NOON + 585],
  ['2024-06-11T12:00:00.585999Z', NOON + 585],
  ['2024-06-11T12:00:00.123456789Z', NOON + 123],
  ['2024-06-11T14:00:00+02:00', NOON],
  ['2024-06-11T14:00:00+0200', NOON],
  ['2024-06-11T14:00:00+02', NOON],
  ['2024-06-11T06:30:00-05:30', NOON],
  ['2024-06-12T11:59:00+23:59', NOON],
  ['2024-06-11T12:00:00-00:00', NOON],
  ['2024-06-11T12:00:00+00:00', NOON],
])('%s is an instant', (text, expected) => {
  expect(parseInstant(text)).toBe(expected);
});

test.each([
  ['1970-01-01T00:00:00Z', 0],
  ['1969-12-31T23:59:59.999Z', -1],
  ['0000-01-01T00:00:00Z', -62_167_219_200_000],
  ['0099-12-31T00:00:00Z', -59_011_545_600_000],
  ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
])('parses %s at the edge of the calendar', (text, expected) => {
  expect(parseInstant(text)).toBe(expected);
});

test.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2000-02-29', true],
  ['1900-02-29', false],
  ['2024-02-30', false],
  ['2024-04-31', false],
  ['2024-12-31', true],
  ['2024-12-32', false],
  ['2024-13-01', false],
  ['2024-00-01', false],
  ['2024-01-00', false],
])('%s exists: %s', (date, exists) => {
  expect(parseInstant(`${date}T00:00:00Z`) !== undefined).toBe(exists);
});

test.each([
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.500Z'],
  ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31T18:59:60-05:00', '2017-01-01T00:00:00.000Z'],
])('the leap second %s is the start of the next minute', (text, expected) => {
  expect(toTimestamp(parseInstant(text) ?? Number.NaN)).toBe(expected);
});

test.each([
  '',
  '2024-06-11',
  '2024-06-11T12:00:00',
  '2024-06-11T12:00Z',
  '2024-06-11T24:00:00Z',
  '2024-06-11T12:60:00Z',
  '2024-06-11T12:00:61Z',
  '2024-06-11T12:00:00,5Z',
  '2024-06-11T12:00:00.Z',
  '2024-06-11T12:00:00+24:00',
  '2024-06-11T12:00:00+02:60',
  '2024-06-11T12:00:00+2:00',
  '2024-06-11T12:00:00 Z',
  ' 2024-06-11T12:00:00Z',
  '2024-06-11T12:00:00Z ',
  '2024-06-11T12:00:00Z\n',
  '2024-6-11T12:00:00Z',
  '24-06-11T12:00:00Z',
  '+002024-06-11T12:00:00Z',
  '20240611T120000Z',
  '2024-06-11_12:00:00Z',
  '2024-W24-2T12:00:00Z',
  'Tue, 11 Jun 2024 12:00:00 GMT',
  '1718107200000',
  '٢٠٢٤-06-11T12:00:00Z',
  '-10m',
  'now',
])('%j is not a timestamp', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test('a formatted instant is parsed to the same instant', () => {
  const instant = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') });
  fc.assert(
    fc.property(instant, (value) => {
      expect(parseInstant(toTimestamp(value))).toBe(value);
    }),
  );
});

test('the same instant in another zone is the same instant', () => {
  const instant = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(instant, fc.integer({ min: -23, max: 23 }), fc.nat({ max: 59 }), (value, hours, minutes) => {
      const digits = (number: number) => String(number).padStart(2, '0');
      const sign = hours < 0 ? '-' : '+';
      const offset = (hours < 0 ? -1 : 1) * (Math.abs(hours) * 60 + minutes) * 60_000;
      const local = toTimestamp(value + offset).replace('Z', '');

      expect(parseInstant(`${local}${sign}${digits(Math.abs(hours))}:${digits(minutes)}`)).toBe(value);
    }),
  );
});

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [1_718_143_512_585, '2024-06-11T22:05:12.585Z'],
  [-1, '1969-12-31T23:59:59.999Z'],
])('%i is formatted as %s', (instant, timestamp) => {
  expect(toTimestamp(instant)).toBe(timestamp);
});

test.each([
  ['2024-06-11T12:00:00Z', { instant: NOON }],
  ['2024-06-11t14:00:00+02:00', { instant: NOON }],
  ['-10m', { offset: -600_000 }],
  ['+10m', { offset: 600_000 }],
  ['-1d12h', { offset: -129_600_000 }],
  ['+0s', { offset: 0 }],
])('%s is a time', (text, expected) => {
  expect(parseTime(text)).toStrictEqual(expected);
});

test.each([
  '',
  '-',
  '+',
  '10m',
  '--10m',
  '-10',
  '- 10m',
  '-2024-06-11T12:00:00Z',
  '2024-06-11',
  // Ajv's format accepts the space, the JSON Schema of fixtures does not.
  '2024-06-11 12:00:00Z',
])('%j is not a time', (text) => {
  expect(parseTime(text)).toBeUndefined();
});

test('the examples of messages can be parsed', () => {
  const examples = [...TIME_EXAMPLES.matchAll(/"([^"]+)"/g)].map(([, text = '']) => parseTime(text));

  expect(examples).toStrictEqual([
    { instant: Date.parse('2024-06-11T22:05:12Z') },
    { offset: -600_000 },
    { offset: -172_800_000 },
  ]);
});

test('a hundred years are the longest duration', () => {
  expect(isTooLong(36_525 * 86_400_000)).toBe(false);
  expect(isTooLong(36_525 * 86_400_000 + 1)).toBe(true);
  expect(isTooFar({ offset: -36_525 * 86_400_000 })).toBe(false);
  expect(isTooFar({ offset: -36_525 * 86_400_000 - 1 })).toBe(true);
  expect(isTooFar({ offset: 36_525 * 86_400_000 + 1 })).toBe(true);
  expect(isTooFar({ instant: Date.parse('9999-12-31T00:00:00Z') })).toBe(false);
});

test('a timestamp with a changed character is the same time as in another form, or no time in both', () => {
  const time = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.UTC(2100, 0) });
  const character = fc.constantFrom('0', '1', '2', '3', '5', '6', '9', '-', ':', '.', 'T', 'Z', '/', ';', ' ');
  fc.assert(
    fc.property(time, fc.nat(22), character, (instant, index, replaced) => {
      const text = toTimestamp(instant);
      const changed = text.slice(0, index) + replaced + text.slice(index + 1);
      expect(parseInstant(changed)).toBe(parseInstant(changed.replace(/Z$/, '+00:00')));
    }),
    { numRuns: 2_000 },
  );
});
