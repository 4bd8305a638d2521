import { test as base, expect } from 'vitest';
import type { SandboxApi as Sandbox } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';
import { type EmulatorMatchers, matchers } from './matchers.js';
import { type SharedEmulator, useSharedEmulator } from './server.js';

export { expect } from 'vitest';
export type { EmulatorOptions, Sandbox };

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: has to repeat the declaration that it adds to
  interface Matchers<T = any> extends EmulatorMatchers<T> {}
}

expect.extend(matchers);

/**
 * Creates a `test` whose `emulator` is a new sandbox, named after the test and closed after it. Each worker starts one
 * server, on first use.
 */
export const emulatorTest = (options: EmulatorOptions = {}) =>
  base.extend<{ emulator: Sandbox; emulatorServer: SharedEmulator }>({
    emulatorServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
      async ({}, use) => useSharedEmulator(options, use),
      { scope: 'worker' },
    ],
    emulator: async ({ emulatorServer, task }, use) => emulatorServer.withSandbox(task.name, use),
  });

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();
