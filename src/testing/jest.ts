import { afterAll, test as base, expect } from '@jest/globals';
import type { SandboxApi as Sandbox } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';
import { type EmulatorMatchers, matchers } from './matchers.js';
import { shareEmulator } from './server.js';

// Jest cannot require the main entry, which is an ES module.
export * from '../index.js';
export { expect };

declare module 'expect' {
  interface Matchers<R> extends EmulatorMatchers<R> {}
}

expect.extend(matchers);

/** The body of a test. Its `emulator` is a new sandbox. */
export type EmulatorTestBody = (fixtures: { emulator: Sandbox }) => void | Promise<void>;

/** @param timeout milliseconds */
type EmulatorTest = (name: string, body: EmulatorTestBody, timeout?: number) => void;

/**
 * Creates a `test` like Jest's, whose `emulator` is a new sandbox, named after the test and closed after it. Each test
 * file starts one server, on first use.
 */
export function emulatorTest(options: EmulatorOptions = {}): EmulatorTest & Record<'only' | 'skip', EmulatorTest> {
  const server = shareEmulator(options);
  afterAll(() => server.close());
  const variant =
    (run: typeof base.only): EmulatorTest =>
    (name, body, timeout) =>
      run(name, () => server.withSandbox(name, (emulator) => body({ emulator })), timeout);
  return Object.assign(variant(base), { only: variant(base.only), skip: variant(base.skip) });
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();
