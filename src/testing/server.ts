import { createEmulator, type Emulator, type SandboxApi as Sandbox } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';

/** One emulator for all tests of a process, started on first use. */
export type SharedEmulator = ReturnType<typeof shareEmulator>;

export function shareEmulator(options: EmulatorOptions) {
  let started: Promise<Emulator> | undefined;
  let tests = 0;
  return {
    /** Runs a test body with a new sandbox, named after the test, and closes it afterwards. */
    async withSandbox<T>(title: string, body: (sandbox: Sandbox) => T | Promise<T>): Promise<T> {
      started ??= createEmulator(options);
      await using sandbox = (await started).sandbox(toSandboxName(title, ++tests));
      return await body(sandbox);
    },
    close: async () => (await started)?.close(),
  };
}

/** Provides the emulator of a worker to vitest or Playwright. */
export async function useSharedEmulator(options: EmulatorOptions, use: (server: SharedEmulator) => Promise<void>) {
  const server = shareEmulator(options);
  await use(server);
  await server.close();
}

/** Returns a unique sandbox name for a test: `lists-the-runs-17`. */
export function toSandboxName(title: string, number: number): string {
  const words = title.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return `${words.slice(0, 64 - String(number).length - 1)}-${number}`.replace(/^-/, '');
}
