import type { Emulator } from '../emulator.js';
import type { CliIo } from './command.js';
import { onSignals } from './io.js';

/** Milliseconds after which a terminal shows why the program still runs. */
const NOTICE_DELAY_MS = 300;

/** Ends an emulator: the first signal lets active requests end, the second one ends it at once. */
export class Shutdown {
  /** Resolves at the first signal, or call of `request`. */
  readonly requested: Promise<void>;
  readonly #emulator: Emulator;
  #resolve: (() => void) | undefined;

  constructor(io: CliIo, emulator: Emulator) {
    this.#emulator = emulator;
    this.requested = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    onSignals(io, ['SIGINT', 'SIGTERM'], this.request);
  }

  readonly request = (): void => {
    if (!this.#resolve) return void this.#emulator.close();
    this.#resolve();
    this.#resolve = undefined;
  };

  /** Closes the emulator. @param grace milliseconds that active requests have */
  async close({ stdout, stderr }: CliIo, grace: number): Promise<void> {
    const notice = 'Active requests may end first. Press Ctrl-C again to stop at once.\n';
    const timer = stdout.isTTY ? setTimeout(() => stderr.write(notice), NOTICE_DELAY_MS) : undefined;
    await this.#emulator.close({ grace });
    clearTimeout(timer);
  }
}
