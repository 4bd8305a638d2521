import { describe, expect, test } from 'vitest';
import { generate } from '#vals/generator/index.js';
import { sized } from '../../support/soak.js';
import { agoOf, DAY, groupBy, MINUTE, SECOND } from './dataset.js';

const SIZES = [{ users: 10 }, { users: 50 }, { vals: 100, runs: 20_000, days: 60 }];
/** In days back from the load, a Wednesday at 15:00: from Saturday to Sunday at that time, and among Monday to Thursday. */
const WEEKENDS = [3, 10];
const WEEKDAYS = [0, 1, 6, 7, 8, 13];

describe.each(SIZES.slice(0, sized(1, SIZES.length)))('%o', (size) => {
  test.each([1, 2, 3, 42])('the days of the last two weeks are alike, and weekends quiet: seed %i', (seed) => {
    const days = Array.from({ length: 14 }, () => 0);
    for (const { runStartAt } of generate({ ...size, seed }).runs) {
      const day = Math.ceil(agoOf(runStartAt) / DAY) - 1;
      if (day < days.length) days[day] = (days[day] ?? 0) + 1;
    }
    const [, , , , , , low = 0, high = 0] = days.toSorted((a, b) => a - b);
    expect(Math.max(...days)).toBeLessThanOrEqual(1.5 * ((low + high) / 2));
    const average = (which: number[]) => which.reduce((sum, day) => sum + (days[day] ?? 0), 0) / which.length;
    expect(average(WEEKENDS)).toBeLessThan(0.8 * average(WEEKDAYS));
  });

  test('an interval has run at one pace since the first run or its creation', () => {
    const dataset = generate({ ...size, seed: 1 });
    const created = new Map(dataset.vals.map((val) => [`${val.author}/${val.name}`, agoOf(val.createdAt)]));
    const ticks = groupBy(
      [...dataset.runs].filter(({ source }) => source === 'interval'),
      ({ val }) => val,
    );
    let checked = 0;
    for (const [ref, ofVal] of ticks) {
      const agos = ofVal.map(({ runStartAt }) => agoOf(runStartAt));
      const [oldest = 0, second = 0] = agos;
      const youngest = agos.at(-1) ?? 0;
      if (agos.length < 3) continue;
      const period = oldest - second;
      for (const [index, ago] of agos.entries()) {
        const next = agos[index + 1];
        if (next !== undefined) expect(Math.abs(ago - next - period)).toBeLessThan(4 * SECOND);
      }
      expect(youngest).toBeLessThan(period + SECOND);
      const since = Math.min(created.get(ref) ?? 0, dataset.size.days * DAY);
      // The one that still runs started just now, so its log is moved by up to a period.
      expect(since - oldest).toBeLessThan(2 * period + 2 * MINUTE);
      checked++;
    }
    expect(checked).toBeGreaterThan(5);
  });
});
