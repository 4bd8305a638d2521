import type { Sandbox } from '../control/sandbox.js';
import { createEmulator, type Emulator } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';

/** One emulator for all tests of a process, started when the first one asks for it. */
export class SharedEmulator {
  readonly #options: EmulatorOptions;
  #started: Promise<Emulator> | undefined;
  #tests = 0;

  constructor(options: EmulatorOptions) {
    this.#options = options;
  }

  /** Runs `body` with a sandbox of its own, named after the test, and drops that when it is done. */
  async lend<T>(title: string, body: (sandbox: Sandbox) => T | Promise<T>): Promise<T> {
    this.#started ??= createEmulator(this.#options);
    const emulator = await this.#started;
    const sandbox = emulator.sandbox(sandboxName(title, ++this.#tests));
    try {
      return await body(sandbox);
    } finally {
      sandbox.close();
    }
  }

  async close(): Promise<void> {
    await (await this.#started)?.close();
  }
}

/** A name that tells the test and belongs to it alone: `lists-the-runs-17`. */
export function sandboxName(title: string, number: number | string): string {
  const words = title.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return `${words.slice(0, 64 - String(number).length - 1)}-${number}`.replace(/^-/, '');
}
