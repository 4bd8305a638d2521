/** Parts of a discrete-event simulation. */

/** What happens, in the order of its time. */
export class Events {
  now = 0;
  /** The next one is last. */
  readonly #all: { readonly at: number; readonly run: () => void }[] = [];

  after(delay: number, run: () => void): void {
    const at = this.now + delay;
    let [low, high] = [0, this.#all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.#all.splice(low, 0, { at, run });
  }

  runUntil(end: number): void {
    while ((this.#all.at(-1)?.at ?? end) < end) {
      const event = this.#all.pop();
      this.now = event?.at ?? end;
      event?.run();
    }
  }
}

export interface Queue {
  /** The time that its servers have worked. */
  busy: number;
  /** @param begin called when its turn comes; returns how long it takes. @param done called when it is over */
  run(begin: () => number, done: () => void): void;
}

/** Makes servers with one queue. @param cores of which each of them needs one while it works */
export function makeQueue(events: Events, servers = 1, cores?: Queue): Queue {
  const jobs: (() => void)[] = [];
  let free = servers;
  const queue: Queue = {
    busy: 0,
    run(begin, done) {
      const count = () => {
        const duration = begin();
        queue.busy += duration;
        return duration;
      };
      const finish = () => {
        free++;
        done();
        next();
      };
      jobs.push(() => (cores ? cores.run(count, finish) : events.after(count(), finish)));
      next();
    },
  };
  const next = () => {
    if (free === 0 || jobs.length === 0) return;
    free--;
    jobs.shift()?.();
  };
  return queue;
}
