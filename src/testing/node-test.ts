import { after, test as base, type TestContext, type TestOptions } from 'node:test';
import type { SandboxApi as Sandbox } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';
import { shareEmulator } from './server.js';

export type { EmulatorOptions, Sandbox };

/** The body of a test. Its `emulator` is a new sandbox. */
export type EmulatorTestBody = (fixtures: { emulator: Sandbox }, context: TestContext) => void | Promise<void>;

interface EmulatorTest {
  (name: string, body: EmulatorTestBody): Promise<void>;
  (name: string, options: TestOptions, body: EmulatorTestBody): Promise<void>;
}

/**
 * Creates a `test` like that of node:test, whose `emulator` is a new sandbox, named after the test and closed after it.
 * The process starts one server, on first use.
 */
export function emulatorTest(
  options: EmulatorOptions = {},
): EmulatorTest & Record<'only' | 'skip' | 'todo', EmulatorTest> {
  const server = shareEmulator(options);
  after(() => server.close());
  const variant =
    (run: typeof base.only): EmulatorTest =>
    async (name: string, second: TestOptions | EmulatorTestBody, third?: EmulatorTestBody) => {
      const body = typeof second === 'function' ? second : third;
      if (!body) throw new TypeError(`test "${name}" has no body`);
      await run(name, typeof second === 'function' ? {} : second, (context) =>
        server.withSandbox(name, (emulator) => body({ emulator }, context)),
      );
    };
  const variants = { only: variant(base.only), skip: variant(base.skip), todo: variant(base.todo) };
  return Object.assign(variant(base), variants);
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();
