import type { CliIo } from './io.js';

/** Milliseconds before a bar appears: short work needs none. */
const SHOW_AFTER_MS = 300;

export interface ProgressBar {
  /** @param label the current step; a new label restarts the bar */
  show(label: string, done: number, total: number): void;
  stop(): void;
}

/**
 * Opens a progress bar on stderr with the remaining time; undefined if stderr is no terminal.
 * @param unit the unit of the count, such as `runs`; by default only the percentage is shown
 */
export async function openProgressBar({ stderr }: CliIo, unit?: string): Promise<ProgressBar | undefined> {
  if (!stderr.isTTY) return undefined;
  const { SingleBar } = await import('cli-progress');
  const count = unit === undefined ? '' : ` | {value} of {total} ${unit} | {rate} per second`;
  const bar = new SingleBar({
    format: `{label} [{bar}] {percentage} %${count} | {eta_formatted} left`,
    stream: stderr,
    barsize: 30,
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    clearOnComplete: true,
    formatValue: (value, _, type) => (/value|total/.test(type) ? value.toLocaleString('en') : String(value)),
    // The commands handle signals, and the terminal wraps lines.
    gracefulExit: false,
    linewrap: true,
  });
  let current: { readonly label: string; readonly start: number } | undefined;
  const stop = () => {
    current = undefined;
    bar.stop();
  };
  const show = (label: string, done: number, total: number) => {
    if (label !== current?.label) stop();
    current ??= { label, start: Date.now() };
    const elapsed = Date.now() - current.start;
    const state = { label, rate: Math.round((done / elapsed) * 1_000).toLocaleString('en') };
    if (bar.isActive) bar.update(done, state);
    else if (elapsed >= SHOW_AFTER_MS) bar.start(total, done, state);
  };
  return { show, stop };
}
