import { expect, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { formatDuration } from '#engine/lib/time.js';
import { formatAgo, getDay, getHour, makeCalendar } from '#vals/generator/calendar.js';
import { drawParams, interpolate, render } from '#vals/generator/text.js';
import type { ParamValue } from '#vals/generator/themes.js';
import { agoOf, DAY, HOUR } from './dataset.js';

const NONE = new Map<string, ParamValue>();
const setting = (stage: number, flags: string[] = []) => ({ stage, flags: new Set(flags) });

test('includes the lines whose margin matches', () => {
  const template = `
        |always
      1+|from one
      <2|before two
   1+ <2|at one
    dark|dark
   !dark|light
  `;
  expect(render(template, NONE, setting(0))).toBe('always\nbefore two\nlight');
  expect(render(template, NONE, setting(1, ['dark']))).toBe('always\nfrom one\nbefore two\nat one\ndark');
  expect(render(template, NONE, setting(2))).toBe('always\nfrom one\nlight');
});

test('ends a margin at the first bar, joins blank lines, and replaces ~ and #{', () => {
  const template = ['|', '|a || b', '|', '1+|c', '|', '|  ~#{x}~', '|'].join('\n');
  expect(render(template, NONE, setting(0))).toBe('a || b\n\n  `\u0024{x}`');
});

test('inserts values as text, as part of a name and of a URL', () => {
  const values = new Map<string, ParamValue>([
    ['thing', 'Crème brûlée'],
    ['city.zone', 'Europe/Rome'],
    ['count', 3],
    ['what', '%count% of %thing%'],
  ]);
  expect(interpolate('%thing% %Thing% %thing-%', values)).toBe('Crème brûlée CremeBrulee creme-brulee');
  expect(interpolate('%city.zone%, %count%, 50 % of it', values)).toBe('Europe/Rome, 3, 50 % of it');
  expect(interpolate('%what%', values)).toBe('3 of Crème brûlée');
  expect(() => interpolate('%nothing%', values)).toThrow('no value for %nothing%');
});

/** Draws a thousand times. */
function tries(text: string, ago = 0): ParamValue[] {
  const sources = { place: [{ name: 'Rome', lat: 41.9 }] };
  const rng = new Rng('tries');
  const values = new Map<string, ParamValue>();
  return Array.from({ length: 1_000 }, () => {
    drawParams({ x: text }, values, { rng, sources }, ago);
    return values.get('x') ?? '';
  });
}

test('draws', () => {
  expect(new Set(tries('oats|rye'))).toEqual(new Set(['oats', 'rye']));
  expect(new Set(tries('0|0.5|x'))).toEqual(new Set([0, 0.5, 'x']));
  expect(new Set(tries('3..5'))).toEqual(new Set([3, 4, 5]));
  expect(new Set(tries('10..20*5'))).toEqual(new Set([10, 15, 20]));
  expect(new Set(tries('-0.1..0.1'))).toEqual(new Set([-0.1, 0, -0, 0.1]));
  expect(new Set(tries('just this'))).toEqual(new Set(['just this']));
  expect(new Set(tries('@place'))).toEqual(new Set(['Rome']));
  expect(new Set(tries('^20..80', 0))).toEqual(new Set([80]));
  expect(new Set(tries('^20..80', 30 * DAY))).toEqual(new Set([50]));
  expect(() => tries('@nowhere')).toThrow('The parameter "x" names an unknown source: @nowhere');
});

test('temperatures peak in the afternoon and change smoothly', () => {
  const hours = Array.from({ length: 50 }, (_, hour) => Number(tries('~0..100', hour * HOUR)[0]));
  expect(hours[24]).toBeGreaterThan(Number(hours[36]) + 25);
  for (const [i, each] of hours.slice(1).entries()) expect(Math.abs(each - Number(hours[i]))).toBeLessThan(16);
});

test('formatted times parse to the same times', () => {
  for (const ago of [1, 999, 1_000, 61_001, HOUR, DAY, 3 * DAY + 4 * HOUR + 725_123, 400 * DAY + 10, 90 * DAY]) {
    expect(agoOf(formatAgo(ago))).toBe(ago);
  }
  expect(formatAgo(3 * DAY + 4 * HOUR + 725_123)).toBe('-3d4h12m5.123s');
  expect([formatDuration(340), formatDuration(2_000), formatDuration(65_500), formatDuration(2 * HOUR)]).toEqual([
    '340ms',
    '2s',
    '1m5.5s',
    '2h',
  ]);
});

test('now is a Wednesday at three in the afternoon', () => {
  expect([getHour(0), getHour(15 * HOUR), getHour(16 * HOUR), getHour(39.5 * HOUR)]).toEqual([15, 0, 23, 23.5]);
  expect([getDay(0), getDay(14.9 * HOUR), getDay(15.1 * HOUR), getDay(39.1 * HOUR)]).toEqual([0, 0, -1, -2]);
});

test('calendar times are within their bounds, and more frequent by day', () => {
  const timeAt = makeCalendar(30 * DAY);
  const rng = new Rng('calendar');
  const agos = Array.from({ length: 4_000 }, () => timeAt(rng.next(), 2 * DAY, 9 * DAY));
  expect(Math.min(...agos)).toBeGreaterThanOrEqual(2 * DAY);
  expect(Math.max(...agos)).toBeLessThanOrEqual(9 * DAY);
  expect(agos.filter((ago) => getHour(ago) >= 9 && getHour(ago) < 18).length).toBeGreaterThan(2_000);
  expect(timeAt(0, DAY, 2 * DAY)).toBe(DAY);
  expect(timeAt(1, DAY, 2 * DAY)).toBe(2 * DAY);
});
