import { expect, test } from 'vitest';
import { type Clock, readClock, resumeClock, setClock, systemClock } from '#engine/clock/clock.state.js';

const frozen: Clock = { frozenAt: 500 };
const ahead: Clock = { offset: 20 };

test('a clock shows the system time, the system time with an offset, or a frozen time', () => {
  expect([1_000, 2_000].map((systemTime) => readClock(systemClock, systemTime))).toStrictEqual([1_000, 2_000]);
  expect([1_000, 2_000].map((systemTime) => readClock(ahead, systemTime))).toStrictEqual([1_020, 2_020]);
  expect([1_000, 2_000].map((systemTime) => readClock(frozen, systemTime))).toStrictEqual([500, 500]);
});

test('a running clock that is set runs on from there', () => {
  const clock = setClock(ahead, 1_000, 300);

  expect(readClock(clock, 1_000)).toBe(300);
  expect(readClock(clock, 1_007)).toBe(307);
});

test('a frozen clock that is set stays frozen', () => {
  const clock = setClock(frozen, 1_000, 300);

  expect(readClock(clock, 1_000)).toBe(300);
  expect(readClock(clock, 1_007)).toBe(300);
});

test('a frozen clock that is resumed runs on from the time that it shows', () => {
  const clock = resumeClock(frozen, 1_000);

  expect(readClock(clock, 1_000)).toBe(500);
  expect(readClock(clock, 1_007)).toBe(507);
});

test('resuming a running clock changes nothing', () => {
  expect(resumeClock(ahead, 1_000)).toStrictEqual(ahead);
});

test('setting and resuming return another clock', () => {
  setClock(ahead, 1_000, 300);
  setClock(frozen, 1_000, 300);
  resumeClock(frozen, 1_000);

  expect([ahead, frozen]).toStrictEqual([{ offset: 20 }, { frozenAt: 500 }]);
});
