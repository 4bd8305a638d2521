import * as z from 'zod';
import { type Clock, type Instant, readClock, resumeClock, setClock, toTimestamp } from '../domain/clock.js';
import { DURATION_EXAMPLES, parseDuration } from '../domain/duration.js';
import type { World } from '../domain/world.js';
import { show } from '../fixtures/problems.js';

/** The clock of a sandbox as it is told to people. */
export interface ClockReading {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  readonly frozen: boolean;
}

/** A moment: a Date, an RFC 3339 timestamp, or milliseconds since 1970. */
export type Moment = Date | string | Instant;

/** A moment or a duration that is none. */
export class ClockError extends RangeError {
  override name = 'ClockError';
}

/** The clock of a sandbox. Every timestamp that is written and every relative time follows it; a reset restores it. */
export class SandboxClock {
  readonly #world: World;
  readonly #machineTime: () => Instant;

  constructor(world: World, machineTime: () => Instant) {
    this.#world = world;
    this.#machineTime = machineTime;
  }

  /** What time it is. */
  get now(): Date {
    return new Date(readClock(this.#world.state.clock, this.#machineTime()));
  }

  read(): ClockReading {
    return { now: toTimestamp(this.now.getTime()), frozen: 'frozenAt' in this.#world.state.clock };
  }

  /** Stands still, at `moment` or where it is. @throws ClockError for no moment */
  freeze(moment: Moment = this.now): ClockReading {
    return this.#change(() => ({ frozenAt: instantOf(moment, 'freeze') }));
  }

  /** Shows `moment` and goes on as before, running or standing still. @throws ClockError for no moment */
  set(moment: Moment): ClockReading {
    return this.#change((clock, machineTime) => setClock(clock, machineTime, instantOf(moment, 'set')));
  }

  /**
   * Moves forward, running or standing still.
   * @param by a duration such as `10m` or `1d12h`, or milliseconds, 0 or more
   * @throws ClockError for no duration
   */
  advance(by: string | number): ClockReading {
    const step = typeof by === 'string' ? parseDuration(by) : by;
    if (step === undefined || !(step >= 0)) {
      throw new ClockError(
        `advance: found ${show(by)}; expected a duration such as ${DURATION_EXAMPLES}, or milliseconds`,
      );
    }
    return this.#change((clock, machineTime) =>
      setClock(clock, machineTime, readClock(clock, machineTime) + Math.round(step)),
    );
  }

  /** Runs on from the time that it shows. */
  resume(): ClockReading {
    return this.#change(resumeClock);
  }

  #change(change: (clock: Clock, machineTime: Instant) => Clock): ClockReading {
    const machineTime = this.#machineTime();
    const clock = change(this.#world.state.clock, machineTime);
    if (!isTellable(readClock(clock, machineTime))) throw new ClockError('the clock shows the years 0000 to 9999 only');
    this.#world.adjust((state) => {
      state.clock = clock;
    });
    return this.read();
  }
}

/** Timestamps have years of four digits. */
const isTellable = (instant: Instant) =>
  instant >= Date.parse('0000-01-01T00:00:00Z') && instant <= Date.parse('9999-12-31T23:59:59.999Z');

/** @throws ClockError for anything that is no point in time */
function instantOf(moment: Moment, verb: 'freeze' | 'set'): Instant {
  const known = typeof moment !== 'string' || z.iso.datetime({ offset: true }).safeParse(moment.toUpperCase()).success;
  const instant = known ? new Date(moment).getTime() : Number.NaN;
  if (Number.isFinite(instant)) return instant;
  throw new ClockError(
    `${verb}: found ${show(moment)}; expected an RFC 3339 timestamp such as "2024-06-11T22:05:12Z", a Date, or milliseconds since 1970`,
  );
}
