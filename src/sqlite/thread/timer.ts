/** Taken before a test runner replaces it. */
const readTimer = performance.now.bind(performance);

/** Milliseconds that the processor has spent on this process. */
function readProcessor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A time that has begun. On a busy machine it lasts until the process had half of it from the processor. */
export class Timer {
  readonly #end: number;
  readonly #share: number;

  constructor(milliseconds: number) {
    this.#end = readTimer() + milliseconds;
    this.#share = readProcessor() + milliseconds / 2;
  }

  get isOver(): boolean {
    return readTimer() > this.#end && readProcessor() > this.#share;
  }

  /** Milliseconds of a timer that has what is left of this one. */
  get left(): number {
    return Math.max(0, this.#end - readTimer(), 2 * (this.#share - readProcessor()));
  }
}
