import { type Instant, LATEST } from '../lib/time.js';

/** A clock that is frozen at an instant, or runs at an offset in milliseconds from the system time. */
export type Clock = { readonly frozenAt: Instant } | { readonly offset: number };

export const systemClock: Clock = { offset: 0 };

/** Reads a clock, which stops at the end of the year 9999. */
export const readClock = (clock: Clock, systemTime: Instant): Instant =>
  'frozenAt' in clock ? clock.frozenAt : Math.min(systemTime + clock.offset, LATEST);

/** Sets a clock to an instant. It stays frozen or running. */
export const setClock = (clock: Clock, systemTime: Instant, instant: Instant): Clock =>
  'frozenAt' in clock ? { frozenAt: instant } : { offset: instant - systemTime };

export const resumeClock = (clock: Clock, systemTime: Instant): Clock => ({
  offset: readClock(clock, systemTime) - systemTime,
});

/** Returns the time after a number of milliseconds. Undefined for one that no clock shows. */
export const findEnd = (now: Instant, milliseconds: number): Instant | undefined =>
  now + milliseconds <= LATEST ? now + milliseconds : undefined;
