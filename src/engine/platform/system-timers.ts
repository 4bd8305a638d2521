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

/** Detects the fake timers of vitest, Jest and sinon, which have a clock, and of node:test, which are bound private methods. */
export const isFake = (replaced: object): boolean =>
  'clock' in replaced || ('name' in replaced && String(replaced.name).startsWith('bound #'));

const { performance } = isFake(globalThis.performance) ? process.getBuiltinModule('node:perf_hooks') : globalThis;
// Of the prototype, since a test runner may have replaced the function of the object. In Bun only the object has it.
const { now = performance.now }: Partial<Pick<typeof performance, 'now'>> = Object.getPrototypeOf(performance);
const { timeOrigin } = performance;
const uptime: () => number = now.bind(performance);

/** Timers by the timeout of a socket without a connection, which no test runner replaces. An open port keeps the process alive. */
function makeSocketTimers(): Pick<Timers, 'setTimeout' | 'setInterval' | 'setImmediate'> {
  const { Socket } = process.getBuiltinModule('node:net');
  const { MessageChannel } = process.getBuiltinModule('node:worker_threads');
  const start = (run: () => void, milliseconds: number, isRepeated: boolean): Timer => {
    const socket = new Socket();
    const { port1: port } = new MessageChannel();
    port.ref();
    const cancel = () => {
      socket.destroy();
      port.close();
    };
    // A timeout of 0 is none.
    const arm = () => socket.setTimeout(Math.max(1, milliseconds));
    socket.on('timeout', () => {
      if (isRepeated) arm();
      else cancel();
      run();
    });
    arm();
    return { cancel, unref: () => port.unref() };
  };
  return {
    setTimeout: (run, milliseconds) => start(run, milliseconds, false),
    setInterval: (run, milliseconds) => start(run, milliseconds, true),
    setImmediate: (run) => start(run, 0, false),
  };
}

/** Node's timers as they are before a test runner replaces them. */
function makeTimers(): Pick<Timers, 'setTimeout' | 'setInterval' | 'setImmediate'> {
  const { setTimeout, setInterval, setImmediate, clearTimeout } = timers;
  if ([setTimeout, setInterval, setImmediate, clearTimeout].some(isFake)) return makeSocketTimers();
  // It cancels both kinds.
  const toTimer = (timer: NodeJS.Timeout): Timer => ({ cancel: () => clearTimeout(timer), unref: () => timer.unref() });
  return {
    setTimeout: (run, milliseconds) => toTimer(setTimeout(run, milliseconds)),
    setInterval: (run, milliseconds) => toTimer(setInterval(run, milliseconds)),
    setImmediate,
  };
}

/**
 * The time of this machine for sockets, disks, threads and other processes, which have real time under fake timers too, whenever this
 * module is loaded. No other module takes a function of time when it is loaded.
 */
export const systemTimers: Timers = { now: () => timeOrigin + uptime(), uptime, ...makeTimers() };

export const sleep = (timers: Timers, milliseconds: number) =>
  new Promise<void>((resolve) => timers.setTimeout(resolve, milliseconds));
