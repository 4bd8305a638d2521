import { systemTimers } from '#engine/platform/system-timers.js';

/** Milliseconds that the processor has spent on this process. */
function readProcessor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** How much longer a time lasts at most on a busy machine. */
const PATIENCE = 5;

/** A time that has begun. On a busy machine it lasts until the process had half of it from the processor, or five times as long. */
export class Timer {
  readonly #end: number;
  readonly #latest: number;
  readonly #share: number;

  constructor(milliseconds: number) {
    const start = systemTimers.uptime();
    this.#end = start + milliseconds;
    this.#latest = start + PATIENCE * milliseconds;
    this.#share = readProcessor() + milliseconds / 2;
  }

  get isOver(): boolean {
    const now = systemTimers.uptime();
    return now > this.#latest || (now > this.#end && readProcessor() > this.#share);
  }

  /** Remaining milliseconds, for a follow-up timer. */
  get left(): number {
    const now = systemTimers.uptime();
    const left = Math.max(0, this.#end - now, 2 * (this.#share - readProcessor()));
    return Math.max(0, Math.min(left, this.#latest - now));
  }
}
