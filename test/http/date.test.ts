import fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpDate } from '../../src/http/date.js';

test('dates are those of the platform, whatever was asked for before', () => {
  const time = fc.date({ noInvalidDate: true }).map((date) => date.getTime());
  const near = fc.tuple(time, fc.array(fc.integer({ min: -2_500, max: 2_500 })));
  fc.assert(
    fc.property(near, ([start, steps]) => {
      for (const step of steps) {
        const now = Math.max(-8.64e15, Math.min(8.64e15, start + step));
        expect(httpDate(now)).toBe(new Date(now).toUTCString());
      }
    }),
  );
});
