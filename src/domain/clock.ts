/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** What time it is in a world: a moment that stands still, or the machine's clock moved by some milliseconds. */
export type Clock = { readonly frozenAt: Instant } | { readonly offset: number };

export const machineClock: Clock = { offset: 0 };

/** The time in the world when the machine's clock shows `machineTime`. */
export function readClock(clock: Clock, machineTime: Instant): Instant {
  return 'frozenAt' in clock ? clock.frozenAt : machineTime + clock.offset;
}

/** Shows `instant` now, and goes on running or standing still as before. */
export function setClock(clock: Clock, machineTime: Instant, instant: Instant): Clock {
  return 'frozenAt' in clock ? { frozenAt: instant } : { offset: instant - machineTime };
}

/** Runs on from the time that it shows. */
export function resumeClock(clock: Clock, machineTime: Instant): Clock {
  return { offset: readClock(clock, machineTime) - machineTime };
}

/** As the API writes times: RFC 3339, UTC, milliseconds. */
export const toTimestamp = (instant: Instant): string => new Date(instant).toISOString();
