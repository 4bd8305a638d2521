import type { SingleBar } from 'cli-progress';

/** What takes less than this many milliseconds needs no bar. */
const PATIENCE = 300;
const SECOND = 1_000;

/** A bar on stderr that tells how far something is, and how long it will take. */
export class ProgressBar {
  readonly #bar: SingleBar;
  #label = '';
  #start = 0;

  private constructor(bar: SingleBar) {
    this.#bar = bar;
  }

  /**
   * Undefined where nobody looks: stderr is no terminal.
   * @param unit what is counted, such as `runs`; by default only the share is shown
   */
  static async open(unit?: string): Promise<ProgressBar | undefined> {
    if (!process.stderr.isTTY) return undefined;
    const { SingleBar } = await import('cli-progress');
    const count = unit === undefined ? '' : ` | {value} of {total} ${unit} | {rate} a second`;
    const bar = new SingleBar({
      format: `{label} [{bar}] {percentage} %${count} | {eta_formatted} left`,
      stream: process.stderr,
      barsize: 30,
      barCompleteChar: '=',
      barIncompleteChar: ' ',
      formatValue: (value, _, type) => (/value|total/.test(type) ? value.toLocaleString('en') : String(value)),
      clearOnComplete: true,
      // Signals are heeded elsewhere, and lines break as the terminal wants them to.
      gracefulExit: false,
      linewrap: true,
    });
    return new ProgressBar(bar);
  }

  /** @param label what is done; another one begins anew */
  show(label: string, done: number, total: number): void {
    if (label !== this.#label) {
      this.stop();
      this.#label = label;
      this.#start = Date.now();
    }
    const elapsed = Date.now() - this.#start;
    if (elapsed < PATIENCE) return;
    const state = { label, rate: Math.round((done / elapsed) * SECOND).toLocaleString('en') };
    if (this.#bar.isActive) this.#bar.update(done, state);
    else this.#bar.start(total, done, state);
  }

  stop(): void {
    this.#label = '';
    if (this.#bar.isActive) this.#bar.stop();
  }
}
