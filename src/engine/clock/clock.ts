import { type Static, Type } from 'typebox';
import { ClockError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import {
  DURATION_EXAMPLES,
  EARLIEST,
  type Instant,
  LATEST,
  parseDateOrInstant,
  toMilliseconds,
  toTimestamp,
} from '../lib/time.js';
import { showCallers } from '../platform/caller-stack.js';
import { Timestamp } from '../schema/common.js';
import { record } from '../schema/schema.js';
import type { StateStore } from '../state/state.js';
import { type Clock, readClock, resumeClock, setClock } from './clock.state.js';

const clockStatus = record('Clock', { now: Timestamp, frozen: Type.Boolean() });
/** The clock of a sandbox as the control API shows it. */
export interface ClockStatus extends Static<typeof clockStatus> {}
export const ClockStatus = Type.Unsafe<ClockStatus>(clockStatus);

/** A time: a Date, an RFC 3339 timestamp, or milliseconds since 1970. */
export type DateInput = Date | string | Instant;

const TIME = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z", a Date, or milliseconds since 1970';

/** Runs a change of a sandbox. */
export type Act = <T>(change: () => T) => T;

/** Runs a change that reads see once it is durable. */
export const runHeld: Act = (change) => change();

/** The clock of a sandbox: the source of every timestamp and relative time. A reset restores it. */
export class SandboxClock {
  static {
    showCallers(SandboxClock.prototype);
  }

  readonly #store: StateStore;
  readonly #systemTime: () => Instant;
  readonly #act: Act;

  constructor(store: StateStore, systemTime: () => Instant, act: Act = runHeld) {
    this.#store = store;
    this.#systemTime = systemTime;
    this.#act = act;
  }

  /** The current time. */
  get now(): Date {
    return new Date(readClock(this.#store.state.clock, this.#systemTime()));
  }

  read(): ClockStatus {
    return { now: toTimestamp(this.now.getTime()), frozen: 'frozenAt' in this.#store.state.clock };
  }

  /** Stops the clock. @param at default: the current time. @throws ClockError for an invalid time */
  freeze(at: DateInput = this.now): ClockStatus {
    return this.#change(() => ({ frozenAt: toInstant(at, 'freeze') }));
  }

  /** Sets the time. The clock stays frozen or running. @throws ClockError for an invalid time */
  set(time: DateInput): ClockStatus {
    return this.#change((clock, systemTime) => setClock(clock, systemTime, toInstant(time, 'set')));
  }

  /**
   * Moves the clock forward. It stays frozen or running.
   * @param by a duration such as `10m` or `1d12h`, or milliseconds, 0 or more
   * @throws ClockError for an invalid duration
   */
  advance(by: string | number): ClockStatus {
    const step = toMilliseconds(by);
    const expected = `a duration such as ${DURATION_EXAMPLES}, or milliseconds`;
    if (step === undefined || !(step >= 0)) throw invalidInput('advance', by, expected);
    return this.#change((clock, systemTime) =>
      setClock(clock, systemTime, readClock(clock, systemTime) + Math.round(step)),
    );
  }

  /** Lets the clock run from the time that it shows. */
  resume(): ClockStatus {
    return this.#change(resumeClock);
  }

  #change(change: (clock: Clock, systemTime: Instant) => Clock): ClockStatus {
    const systemTime = this.#systemTime();
    const clock = change(this.#store.state.clock, systemTime);
    const now = readClock(clock, systemTime);
    if (now < EARLIEST || now > LATEST) throw new ClockError('the clock shows the years 0000 to 9999 only');
    this.#act(() =>
      this.#store.update((draft) => {
        draft.clock = clock;
      }),
    );
    return this.read();
  }
}

/** @throws ClockError for an invalid time */
function toInstant(time: DateInput, verb: 'freeze' | 'set'): Instant {
  const instant = typeof time === 'string' ? parseDateOrInstant(time) : new Date(time).getTime();
  if (instant !== undefined && Number.isFinite(instant)) return instant;
  throw invalidInput(verb, time, TIME);
}

const invalidInput = (verb: string, found: unknown, expected: string) =>
  new ClockError(`${verb}: found ${formatValue(found)}; expected ${expected}`);
