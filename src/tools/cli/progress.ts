import type { CliIo } from './command.js';

/** Milliseconds before the first line, and between two: on a terminal, which shows one line, and elsewhere. */
const TERMINAL_MS = { first: 300, next: 100 };
const LOG_MS = { first: 5_000, next: 5_000 };

/**
 * Says on stderr how far a long command is, in one line of a terminal, or in a line every few seconds.
 */
export function createProgress({ stderr: guarded }: Pick<CliIo, 'stderr'>) {
  const stderr = guarded.unguarded ?? guarded;
  const { first, next } = stderr.isTTY ? TERMINAL_MS : LOG_MS;
  /** `done` is infinite once all is done. */
  let step = { label: '', start: 0, done: 0 };
  let shownAt: number | undefined;
  const clear = () => {
    if (stderr.isTTY && shownAt !== undefined) stderr.write('\r\u001b[K');
    shownAt = undefined;
  };
  const begin = (label: string): void => {
    clear();
    step = { label, start: performance.now(), done: 0 };
  };
  /** @param describe makes the rest of the line. @param elapsed milliseconds since the step began */
  const update = (label: string, describe: (elapsed: number) => string): void => {
    const now = performance.now();
    if (label !== step.label) begin(label);
    if (now < (shownAt === undefined ? step.start + first : shownAt + next)) return;
    clear();
    shownAt = now;
    const line = `val-emulator: ${label} ${describe(now - step.start)}`;
    stderr.write(stderr.isTTY ? line.slice(0, (stderr.columns ?? 80) - 1) : `${line}\n`);
  };
  return {
    update,
    /** @param label the current step: `generating`. @param unit of the numbers: `runs` */
    show(label: string, done: number, total: number, unit: string): void {
      // A running emulator does the same step again, such as for a request with fixtures.
      if (done < step.done) begin(label);
      update(label, (elapsed) => {
        const fraction = done / (total || 1);
        const seconds = Math.ceil((elapsed * (1 - fraction)) / fraction / 1_000);
        // The first steps say little about the others.
        const left = fraction < 0.02 ? '' : `, ${seconds} s left`;
        const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`;
        return `${count}, ${Math.floor(100 * fraction)} %${left}`;
      });
      step.done = done < total ? done : Number.POSITIVE_INFINITY;
    },
    stop: clear,
  };
}
