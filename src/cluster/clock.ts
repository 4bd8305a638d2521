import type { Instant } from '#engine/lib/time.js';

/** Milliseconds after which the offset of this machine's clock is measured again. */
const WINDOW_MS = 10_000;

/**
 * The time that all nodes of a shared store have: the clock of the store's machine, estimated in between. It is never behind
 * what a request on another node has seen, as far as this node knows.
 */
export class SharedClock {
  readonly #uptime: () => number;
  /** From the uptime of this process to the time of the store, measured in this window and in the one before. */
  #offset = Number.NEGATIVE_INFINITY;
  #lastOffset = Number.NEGATIVE_INFINITY;
  #windowEnd = 0;
  #latest = 0;

  /** @param uptime milliseconds since any moment, never set back */
  constructor(uptime: () => number) {
    this.#uptime = uptime;
  }

  /** The latest time that a request has seen. */
  get latest(): Instant {
    return this.#latest;
  }

  now(): Instant {
    const estimate = Math.max(this.#offset, this.#lastOffset) + this.#uptime();
    this.#latest = Math.max(this.#latest, Math.floor(estimate));
    return this.#latest;
  }

  /** @param logTime of the store's machine when it responded. @param latest that a request on any node has seen */
  update(logTime: Instant, latest: Instant): void {
    const uptime = this.#uptime();
    if (uptime >= this.#windowEnd) {
      this.#lastOffset = this.#offset;
      this.#offset = Number.NEGATIVE_INFINITY;
      this.#windowEnd = uptime + WINDOW_MS;
    }
    // The response was on its way: the true offset is not smaller.
    this.#offset = Math.max(this.#offset, logTime - uptime);
    this.#latest = Math.max(this.#latest, latest);
  }
}
