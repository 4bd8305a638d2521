import { after, test as base, type TestContext, type TestOptions } from 'node:test';
import type { Sandbox } from '../control/sandbox.js';
import type { EmulatorOptions } from '../options.js';
import { SharedEmulator } from './server.js';

export type { EmulatorOptions, Sandbox };

/** The body of a test: its `emulator` is a sandbox of its own. */
export type EmulatorTestBody = (fixtures: { emulator: Sandbox }, context: TestContext) => void | Promise<void>;

interface EmulatorTest {
  (name: string, body: EmulatorTestBody): Promise<void>;
  (name: string, options: TestOptions, body: EmulatorTestBody): Promise<void>;
}

/**
 * A `test` like that of node:test, whose `emulator` is a sandbox of the test's own, named after it and dropped after it.
 * There is one server in the process, started when the first test asks for it and ended after the last one.
 */
export function emulatorTest(
  options: EmulatorOptions = {},
): EmulatorTest & Record<'only' | 'skip' | 'todo', EmulatorTest> {
  const server = new SharedEmulator(options);
  after(() => server.close());
  const variant =
    (run: typeof base.only): EmulatorTest =>
    async (name: string, second: TestOptions | EmulatorTestBody, third?: EmulatorTestBody) => {
      const body = typeof second === 'function' ? second : third;
      if (!body) throw new TypeError(`test "${name}" has no body`);
      await run(name, typeof second === 'function' ? {} : second, (context) =>
        server.lend(name, (emulator) => body({ emulator }, context)),
      );
    };
  return Object.assign(variant(base), {
    only: variant(base.only),
    skip: variant(base.skip),
    todo: variant(base.todo),
  });
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();
