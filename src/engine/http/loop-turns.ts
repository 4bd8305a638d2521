import { ApiError } from '../lib/errors.js';
import { systemTimers } from '../lib/system-timers.js';

/** Milliseconds of a request after which other events have their turn. */
const LONG_MS = 50;

/** Ends a turn of the event loop after a request that took long: signals and other clients come before the next one. */
export class LoopTurns {
  #rest: Promise<void> | undefined;

  /**
   * Runs a request at once, or after those that wait, in a later turn.
   * @param isGone whether its client has disconnected meanwhile
   * @throws ApiError for a client that is gone
   */
  run<T>(respond: () => T | Promise<T>, isGone: () => boolean): T | Promise<T> {
    if (!this.#rest) return this.#measure(respond);
    return this.#rest.then(() => {
      if (isGone()) throw new ApiError(503, 'The client has disconnected');
      return this.run(respond, isGone);
    });
  }

  #measure<T>(respond: () => T): T {
    const start = systemTimers.uptime();
    try {
      return respond();
    } finally {
      if (systemTimers.uptime() - start >= LONG_MS) this.#startRest();
    }
  }

  #startRest(): void {
    this.#rest = new Promise((resolve) => {
      systemTimers.setImmediate(() => {
        this.#rest = undefined;
        resolve();
      });
    });
  }
}
