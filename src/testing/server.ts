import { createEmulator, type Emulator, type SandboxApi as Sandbox } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';

/** One emulator for all tests of a process, started on first use. */
export class SharedEmulator {
  readonly #options: EmulatorOptions;
  #started: Promise<Emulator> | undefined;
  #tests = 0;

  constructor(options: EmulatorOptions) {
    this.#options = options;
  }

  /** Runs a test body with a new sandbox, named after the test, and closes it afterwards. */
  async withSandbox<T>(title: string, body: (sandbox: Sandbox) => T | Promise<T>): Promise<T> {
    this.#started ??= createEmulator(this.#options);
    const emulator = await this.#started;
    await using sandbox = emulator.sandbox(toSandboxName(title, ++this.#tests));
    return await body(sandbox);
  }

  async close(): Promise<void> {
    await (await this.#started)?.close();
  }
}

/** Returns a unique sandbox name for a test: `lists-the-runs-17`. */
export function toSandboxName(title: string, number: number): string {
  const words = title.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return `${words.slice(0, 64 - String(number).length - 1)}-${number}`.replace(/^-/, '');
}
