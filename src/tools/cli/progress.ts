import type { CliIo } from './command.js';

/** Milliseconds before the first line, and between two: on a terminal, which shows one line, and elsewhere. */
const TERMINAL_MS = { first: 300, next: 100 };
const LOG_MS = { first: 5_000, next: 5_000 };

/**
 * Says on stderr how far a long command is, in one line of a terminal, or in a line every few seconds.
 */
export function createProgress({ stderr: guarded }: CliIo) {
  const stderr = guarded.unguarded ?? guarded;
  const { first, next } = stderr.isTTY ? TERMINAL_MS : LOG_MS;
  let step = { label: '', start: 0 };
  let shownAt: number | undefined;
  const clear = () => {
    if (stderr.isTTY && shownAt !== undefined) stderr.write('\r\u001b[K');
    shownAt = undefined;
  };
  return {
    /** @param label the current step: `generating`. @param unit of the numbers: `runs` */
    show(label: string, done: number, total: number, unit: string): void {
      const now = performance.now();
      if (label !== step.label) {
        clear();
        step = { label, start: now };
      }
      if (now < (shownAt === undefined ? step.start + first : shownAt + next)) return;
      clear();
      shownAt = now;
      const fraction = done / (total || 1);
      const seconds = Math.ceil(((now - step.start) * (1 - fraction)) / fraction / 1_000);
      // The first steps say little about the others.
      const left = fraction < 0.02 ? '' : `, ${seconds} s left`;
      const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`;
      const line = `val-emulator: ${label} ${count}, ${Math.floor(100 * fraction)} %${left}`;
      stderr.write(stderr.isTTY ? line.slice(0, (stderr.columns ?? 80) - 1) : `${line}\n`);
    },
    stop: clear,
  };
}
