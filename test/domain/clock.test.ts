import { expect, test } from 'vitest';
import { type Clock, machineClock, readClock, resumeClock, setClock, toTimestamp } from '../../src/domain/clock.js';

const frozen: Clock = { frozenAt: 500 };
const ahead: Clock = { offset: 20 };

test('a clock shows the time of the machine, that moved by an offset, or a moment that stands still', () => {
  expect([1_000, 2_000].map((machineTime) => readClock(machineClock, machineTime))).toStrictEqual([1_000, 2_000]);
  expect([1_000, 2_000].map((machineTime) => readClock(ahead, machineTime))).toStrictEqual([1_020, 2_020]);
  expect([1_000, 2_000].map((machineTime) => readClock(frozen, machineTime))).toStrictEqual([500, 500]);
});

test('a running clock that is set runs on from there', () => {
  const clock = setClock(ahead, 1_000, 300);

  expect(readClock(clock, 1_000)).toBe(300);
  expect(readClock(clock, 1_007)).toBe(307);
});

test('a clock that stands still and is set stands still there', () => {
  const clock = setClock(frozen, 1_000, 300);

  expect(readClock(clock, 1_000)).toBe(300);
  expect(readClock(clock, 1_007)).toBe(300);
});

test('a clock that stood still runs on from what it showed', () => {
  const clock = resumeClock(frozen, 1_000);

  expect(readClock(clock, 1_000)).toBe(500);
  expect(readClock(clock, 1_007)).toBe(507);
});

test('resuming a running clock changes nothing', () => {
  expect(resumeClock(ahead, 1_000)).toStrictEqual(ahead);
});

test('a clock is never changed, only replaced', () => {
  setClock(ahead, 1_000, 300);
  setClock(frozen, 1_000, 300);
  resumeClock(frozen, 1_000);

  expect([ahead, frozen]).toStrictEqual([{ offset: 20 }, { frozenAt: 500 }]);
});

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [1_718_143_512_585, '2024-06-11T22:05:12.585Z'],
  [-1, '1969-12-31T23:59:59.999Z'],
])('%i is written %s', (instant, timestamp) => {
  expect(toTimestamp(instant)).toBe(timestamp);
});
