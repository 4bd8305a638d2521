import { afterAll, test as base, expect } from '@jest/globals';
import type { RequestExpectation } from '../control/expectations.js';
import type { Sandbox } from '../control/sandbox.js';
import type { EmulatorOptions } from '../options.js';
import { matchers } from './matchers.js';
import { SharedEmulator } from './server.js';

// Jest cannot require the main entry, which is an ES module.
export * from '../index.js';
export { expect };

declare module 'expect' {
  interface Matchers<R> {
    /** The sandbox was sent a request to this route: at least once, or as the expectation says. */
    toHaveReceived(route: string, expectation?: RequestExpectation): R;
    /** The sandbox was sent no request to a route that does not exist. */
    toHaveNoUnhandledRequests(): R;
  }
}

expect.extend(matchers);

/** The body of a test: its `emulator` is a sandbox of its own. */
export type EmulatorTestBody = (fixtures: { emulator: Sandbox }) => void | Promise<void>;

/** @param timeout milliseconds */
type EmulatorTest = (name: string, body: EmulatorTestBody, timeout?: number) => void;

/**
 * A `test` like Jest's, whose `emulator` is a sandbox of the test's own, named after it and dropped after it. There is
 * one server in each test file, started when the first test asks for it and ended after the last one.
 */
export function emulatorTest(options: EmulatorOptions = {}): EmulatorTest & Record<'only' | 'skip', EmulatorTest> {
  const server = new SharedEmulator(options);
  afterAll(() => server.close());
  const variant =
    (run: typeof base.only): EmulatorTest =>
    (name, body, timeout) =>
      run(name, () => server.lend(name, (emulator) => body({ emulator })), timeout);
  return Object.assign(variant(base), { only: variant(base.only), skip: variant(base.skip) });
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();
