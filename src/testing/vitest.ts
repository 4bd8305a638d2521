import { test as base, expect } from 'vitest';
import type { RequestExpectation } from '../control/expectations.js';
import type { Sandbox } from '../control/sandbox.js';
import type { EmulatorOptions } from '../options.js';
import { matchers } from './matchers.js';
import { SharedEmulator } from './server.js';

export { expect } from 'vitest';
export type { EmulatorOptions, Sandbox };

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: has to repeat the declaration that it adds to
  interface Matchers<T = any> extends EmulatorMatchers<T> {}
}

interface EmulatorMatchers<R> {
  /** The sandbox was sent a request to this route: at least once, or as the expectation says. */
  toHaveReceived(route: string, expectation?: RequestExpectation): R;
  /** The sandbox was sent no request to a route that does not exist. */
  toHaveNoUnhandledRequests(): R;
}

expect.extend(matchers);

/**
 * A `test` whose `emulator` is a sandbox of the test's own, named after it and dropped after it. There is one server in
 * each worker, started when the first test asks for it.
 */
export const emulatorTest = (options: EmulatorOptions = {}) =>
  base.extend<{ emulator: Sandbox; emulatorServer: SharedEmulator }>({
    emulatorServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
      async ({}, use) => {
        const server = new SharedEmulator(options);
        await use(server);
        await server.close();
      },
      { scope: 'worker' },
    ],
    emulator: async ({ emulatorServer, task }, use) => emulatorServer.lend(task.name, use),
  });

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();
