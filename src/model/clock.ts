import type { Instant } from '../lib/time.js';

/** A clock that is frozen at an instant, or runs at an offset in milliseconds from the system time. */
export type Clock = { readonly frozenAt: Instant } | { readonly offset: number };

/** The clock of the system. */
export const systemClock: Clock = { offset: 0 };

/** Returns the time of a clock at a system time. */
export const readClock = (clock: Clock, systemTime: Instant): Instant =>
  'frozenAt' in clock ? clock.frozenAt : systemTime + clock.offset;

/** Sets a clock to an instant. It stays frozen or running. */
export const setClock = (clock: Clock, systemTime: Instant, instant: Instant): Clock =>
  'frozenAt' in clock ? { frozenAt: instant } : { offset: instant - systemTime };

/** Lets a clock run from the time that it shows. */
export const resumeClock = (clock: Clock, systemTime: Instant): Clock => ({
  offset: readClock(clock, systemTime) - systemTime,
});
