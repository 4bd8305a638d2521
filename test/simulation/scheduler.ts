import { setImmediate } from 'node:timers/promises';
import type { Instant } from '#engine/lib/time.js';
import type { Timer, Timers } from '#engine/platform/system-timers.js';
import type { Random } from '../cluster/draw.js';

/** The time of day at which a world begins. */
const START: Instant = Date.parse('2030-01-01T00:00:00Z');
/** Milliseconds by which a timer may be late. */
const LATENESS = 1;

interface Event {
  readonly at: number;
  /** The order of events of one moment. */
  readonly tie: number;
  readonly run: () => void;
  readonly process: Process | undefined;
  readonly what: string;
  isCancelled: boolean;
}

/** A simulated machine. The events of a stopped one wait, and the events of a killed one are dropped. */
export class Process {
  readonly name: string;
  readonly timers: Timers;
  isKilled = false;
  stoppedUntil = 0;
  /** Milliseconds by which its clock is wrong. */
  skew = 0;

  constructor(name: string, scheduler: Scheduler) {
    this.name = name;
    const { random } = scheduler;
    const setTimeout = (run: () => void, milliseconds: number) =>
      scheduler.after(milliseconds + random() * LATENESS, 'timer', run, this);
    this.timers = {
      now: () => Math.floor(START + scheduler.now + this.skew),
      uptime: () => scheduler.now,
      setTimeout,
      setInterval: (run, milliseconds) => {
        let timer = setTimeout(repeat, milliseconds);
        function repeat(): void {
          timer = setTimeout(repeat, milliseconds);
          run();
        }
        return { cancel: () => timer.cancel(), unref: () => {} };
      },
      setImmediate: (run) => scheduler.after(random() * LATENESS, 'turn', run, this),
    };
  }
}

/** The time of a world, in which one event happens after another: the same ones for the same random numbers. */
export class Scheduler {
  /** Milliseconds since the world began. */
  now = 0;
  /** A line an event, if they are wanted. */
  readonly lines: string[] | undefined;
  readonly random: Random;
  /** A number that depends on all events so far. */
  digest = 0;
  events = 0;
  /** Processes that load modules, which takes real time. */
  readonly starting = new Set<Process>();
  /** In reverse order. */
  readonly #queue: Event[] = [];
  #held = 1;
  /** Promises for which time waits. */
  #works = 0;

  constructor(random: Random, isTraced: boolean) {
    this.random = random;
    this.lines = isTraced ? [] : undefined;
  }

  /** Lets something happen after some milliseconds. @param process that does it. Undefined for the world itself */
  after(milliseconds: number, what: string, run: () => void, process?: Process): Timer {
    const event: Event = { at: this.now + milliseconds, tie: this.random(), run, process, what, isCancelled: false };
    this.#add(event);
    const cancel = () => {
      event.isCancelled = true;
    };
    return { cancel, unref: () => {} };
  }

  sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => this.after(milliseconds, 'timer', resolve));

  #add(event: Event): void {
    const isBefore = (other: Event) => event.at < other.at || (event.at === other.at && event.tie < other.tie);
    let [low, high] = [0, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#queue[middle];
      if (other && isBefore(other)) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, event);
  }

  /** Notes what happens now. */
  note(who: string, what: string): void {
    const line = `${this.now.toFixed(3).padStart(12)} ${who.padEnd(6)} ${what}`;
    for (let i = 0; i < line.length; i++) this.digest = (Math.imul(this.digest, 31) + line.charCodeAt(i)) | 0;
    this.lines?.push(line);
  }

  /** Waits for all that follows now: no time passes for a process that loads modules. */
  async #settle(): Promise<void> {
    do await setImmediate();
    while (this.#works > 0);
    for (const process of this.starting) {
      const isWaiting = () => this.#queue.some((event) => event.process === process && !event.isCancelled);
      while (this.starting.has(process) && !isWaiting()) await setImmediate();
    }
  }

  /** Lets no time pass until a promise has settled: it takes real time, such as a thread's. */
  hold = <T>(work: Promise<T>): Promise<T> => {
    this.#works++;
    return work.finally(() => {
      this.#works--;
    });
  };

  /** Runs events until a promise has settled. @throws Error when nothing is left that could settle it, and after too many events */
  async run<T>(wanted: Promise<T>, limit: number): Promise<T> {
    let isDone = false;
    const settled = wanted.finally(() => {
      isDone = true;
    });
    settled.catch(() => {});
    await this.#settle();
    while (!isDone) {
      const event = this.#queue.pop();
      if (!event) throw new Error('nothing can happen any more, but the world has not ended');
      const { process, what } = event;
      if (event.isCancelled || process?.isKilled) continue;
      if (process && process.stoppedUntil > event.at) {
        this.#add({ ...event, at: process.stoppedUntil, tie: ++this.#held });
        continue;
      }
      if (++this.events > limit) throw new Error(`the world has not ended after ${limit} events`);
      this.now = event.at;
      this.note(process?.name ?? '', what);
      event.run();
      await this.#settle();
    }
    return settled;
  }
}
