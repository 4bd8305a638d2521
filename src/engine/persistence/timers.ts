import timers from 'node:timers';
import type { Instant } from '../lib/time.js';

export interface Timer {
  cancel(): void;
  /** Lets the process end before the timer does. */
  unref(): unknown;
}

/** The time of a machine. A test may replace it, to run many processes in one. */
export interface Timers {
  /** The time of the machine, which may be set. */
  now(): Instant;
  /** Milliseconds since any moment, never set back. */
  uptime(): number;
  setTimeout(run: () => void, milliseconds: number): Timer;
  setInterval(run: () => void, milliseconds: number): Timer;
  setImmediate(run: () => void): unknown;
}

/** Taken before a test runner replaces them: disks, networks and other processes have real time. */
const { setTimeout, setInterval, setImmediate, clearTimeout } = timers;
const { timeOrigin } = performance;
const uptime = performance.now.bind(performance);

// It cancels both kinds.
const toTimer = (timer: NodeJS.Timeout): Timer => ({ cancel: () => clearTimeout(timer), unref: () => timer.unref() });

export const systemTimers: Timers = {
  now: () => timeOrigin + uptime(),
  uptime,
  setTimeout: (run, milliseconds) => toTimer(setTimeout(run, milliseconds)),
  setInterval: (run, milliseconds) => toTimer(setInterval(run, milliseconds)),
  setImmediate,
};

export const sleep = (timers: Timers, milliseconds: number) =>
  new Promise<void>((resolve) => timers.setTimeout(resolve, milliseconds));
