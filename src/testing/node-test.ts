import { after, test as base, type TestContext, type TestOptions } from 'node:test';
import type { SandboxApi as Sandbox } from '../emulator.js';
import type { EmulatorOptions } from '../options.js';
import { type EmulatorFixtures, type EmulatorHooks, shareEmulator } from './server.js';

export type { EmulatorFixtures, EmulatorHook, EmulatorHooks } from './server.js';
export type { EmulatorOptions, Sandbox };

/** The body of a test. Its `emulator` is a new sandbox. */
export type EmulatorTestBody = (fixtures: EmulatorFixtures, context: TestContext) => void | Promise<void>;

interface Define {
  (name: string, body: EmulatorTestBody): Promise<void>;
  (name: string, options: TestOptions, body: EmulatorTestBody): Promise<void>;
}

/**
 * Makes the body of a test of node:test itself: `test('…', withEmulator(async ({ emulator }, t) => …))`. Failures are
 * then reported at the line of your test.
 */
type WithEmulator = (body: EmulatorTestBody) => (context: TestContext) => Promise<void>;

export type EmulatorTest = Define &
  Readonly<Record<'only' | 'skip' | 'todo', Define>> & { readonly withEmulator: WithEmulator };

/**
 * Creates a `test` like that of node:test, whose `emulator` is a new sandbox, named after the test and closed after it.
 * The process starts one server, on first use. node:test reports the failures of this `test` at a line of this module,
 * and those of its `withEmulator` at your line.
 * @throws TypeError for hooks that do not exist
 */
export function emulatorTest(options: EmulatorOptions = {}, hooks: EmulatorHooks = {}): EmulatorTest {
  const server = shareEmulator(options, hooks);
  after(() => server.close());
  const withEmulator: WithEmulator = (body) => (context) =>
    server.withSandbox(context.name, (emulator) => body({ emulator }, context));
  const variant =
    (run: typeof base.only): Define =>
    async (name: string, second: TestOptions | EmulatorTestBody, third?: EmulatorTestBody) => {
      const body = typeof second === 'function' ? second : third;
      if (!body) throw new TypeError(`test "${name}" has no body`);
      await run(name, typeof second === 'function' ? {} : second, withEmulator(body));
    };
  const variants = { only: variant(base.only), skip: variant(base.skip), todo: variant(base.todo), withEmulator };
  return Object.assign(variant(base), variants);
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();

/** Makes the body of a test of node:test, with the default options. */
export const { withEmulator } = test;
