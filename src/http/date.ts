import type { Instant } from '../domain/clock.js';
import { memoizeLast } from '../domain/memoize-last.js';

/** Many requests come within the same second. */
const textOf = memoizeLast((second: number) => new Date(second * 1_000).toUTCString());

/** A time as headers tell it. */
export const httpDate = (now: Instant): string => textOf(Math.floor(now / 1_000));
