import { setTimeout as sleep } from 'node:timers/promises';
import type { CliIo } from './command.js';
import { onSignals } from './io.js';
import type { AnyEmulator } from './start-service.js';

/** Milliseconds after which a terminal shows why the program still runs. */
const NOTICE_DELAY_MS = 300;

/**
 * Milliseconds in which a repeated signal is ignored: npm passes on a signal that the terminal has sent to all programs.
 */
const REPEAT_MS = 100;
/** Milliseconds that the emulator has to close after the second signal. */
const URGENT_MS = 1_000;

/** Ends an emulator: the first signal lets active requests end, the second one ends it at once. */
export class Shutdown implements Disposable {
  /** Resolves at the first signal, or call of `request`. */
  readonly requested: Promise<void>;
  readonly #io: CliIo;
  readonly #emulator: AnyEmulator;
  readonly #urgent = new AbortController();
  #resolve: (() => void) | undefined;
  #requestedAt = 0;
  readonly #off: () => void;
  /** When the process ends, whatever still waits. */
  #end = 0;

  constructor(io: CliIo, emulator: AnyEmulator) {
    this.#io = io;
    this.#emulator = emulator;
    this.requested = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#off = onSignals(io, ['SIGINT', 'SIGTERM'], this.request);
  }

  /** Leaves signals to others. */
  [Symbol.dispose](): void {
    this.#off();
  }

  readonly request = (): void => {
    if (this.#resolve) {
      this.#emulator.startClosing();
      this.#resolve();
      this.#resolve = undefined;
      this.#requestedAt = performance.now();
      return;
    }
    if (performance.now() - this.#requestedAt < REPEAT_MS) return;
    this.#urgent.abort();
    const timer = setTimeout(() => this.#io.exit(1), URGENT_MS);
    void this.#emulator.close().finally(() => clearTimeout(timer));
  };

  /**
   * Closes the emulator.
   * @param drain milliseconds in which it still accepts requests, until a load balancer has seen that it is not ready
   * @param grace milliseconds that active requests have after that
   */
  async close({ stdout, stderr }: CliIo, { drain, grace }: Record<'drain' | 'grace', number>): Promise<void> {
    const notice = 'Active requests may end first. Press Ctrl-C again to stop at once.\n';
    this.#end = this.#requestedAt + drain + grace;
    const timer = stdout.isTTY ? setTimeout(() => stderr.write(notice), NOTICE_DELAY_MS) : undefined;
    if (drain > 0) await sleep(drain, undefined, { signal: this.#urgent.signal }).catch(() => {});
    await this.#emulator.close({ grace });
    clearTimeout(timer);
  }

  /** Waits for the reader of the output, until the end of the grace period or a second signal, and ends the process then. */
  async flush({ stdout, stderr, exit }: CliIo, code: number): Promise<void> {
    const unread = [stdout, stderr].filter(({ writableLength }) => writableLength > 0);
    if (unread.length === 0) return;
    const read = unread.map((stream) => new Promise((resolve) => void stream.write('', resolve)));
    // The stream that is not read keeps the process alive.
    const options = { ref: false, signal: this.#urgent.signal };
    const end = sleep(Math.max(0, this.#end - performance.now()), true, options).catch(() => true);
    if ((await Promise.race([Promise.all(read), end])) === true) exit(code);
  }
}
