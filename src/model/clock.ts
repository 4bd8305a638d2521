import type { Instant } from '../lib/time.js';

/** A clock that is frozen at an instant, or runs at an offset in milliseconds from the system time. */
export type Clock = { readonly frozenAt: Instant } | { readonly offset: number };

export const systemClock: Clock = { offset: 0 };

export const readClock = (clock: Clock, systemTime: Instant): Instant =>
  'frozenAt' in clock ? clock.frozenAt : systemTime + clock.offset;

/** Sets a clock to an instant. It stays frozen or running. */
export const setClock = (clock: Clock, systemTime: Instant, instant: Instant): Clock =>
  'frozenAt' in clock ? { frozenAt: instant } : { offset: instant - systemTime };

export const resumeClock = (clock: Clock, systemTime: Instant): Clock => ({
  offset: readClock(clock, systemTime) - systemTime,
});
