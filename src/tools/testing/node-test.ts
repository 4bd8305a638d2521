import { after, test as base, type TestContext, type TestOptions } from 'node:test';
import type { EmulatorOptions } from '#vals/service/options.js';
import type { Sandbox } from '../../emulator.js';
import type { RemoteSandbox } from '../client/index.js';
import type { AnySandbox } from './after-test.js';
import {
  type EmulatorFixtures,
  type EmulatorHooks,
  type LocalOptions,
  type RemoteOptions,
  shareEmulator,
} from './server.js';

export type { RemoteSandbox } from '../client/index.js';
export type { EmulatorFixtures, EmulatorHook, EmulatorHooks, LocalOptions, RemoteOptions } from './server.js';
export type { EmulatorOptions, Sandbox };

/** The body of a test. Its `emulator` is a new sandbox. */
export type EmulatorTestBody<S = Sandbox> = (
  fixtures: EmulatorFixtures<S>,
  context: TestContext,
) => void | Promise<void>;

interface Define<S> {
  (name: string, body: EmulatorTestBody<S>): Promise<void>;
  (name: string, options: TestOptions, body: EmulatorTestBody<S>): Promise<void>;
}

/**
 * Makes the body of a test of node:test itself: `test('…', withEmulator(async ({ emulator }, t) => …))`. Failures are
 * then reported at the line of your test.
 */
type WithEmulator<S> = (body: EmulatorTestBody<S>) => (context: TestContext) => Promise<void>;

export type EmulatorTest<S = Sandbox> = Define<S> &
  Readonly<Record<'only' | 'skip' | 'todo', Define<S>>> & { readonly withEmulator: WithEmulator<S> };

/**
 * Creates a `test` like the one of node:test, whose `emulator` is a new sandbox, named after the test and closed after it.
 * The process starts one server, on first use. node:test reports the failures of this `test` at a line of this module,
 * and failures of its `withEmulator` at your line.
 * With a `url`, it uses sandboxes of the emulator that runs there.
 * @throws TypeError for unknown hooks
 * @throws OptionsError for options of a new emulator in addition to a `url`
 */
export function emulatorTest(options: RemoteOptions, hooks?: EmulatorHooks<RemoteSandbox>): EmulatorTest<RemoteSandbox>;
export function emulatorTest(options?: LocalOptions, hooks?: EmulatorHooks): EmulatorTest;
export function emulatorTest(
  options: LocalOptions | RemoteOptions = {},
  hooks: EmulatorHooks<AnySandbox> = {},
): EmulatorTest<AnySandbox> {
  const server = shareEmulator(options, hooks);
  after(() => server.close());
  const withEmulator: WithEmulator<AnySandbox> = (body) => (context) =>
    server.withSandbox(context.name, (emulator) => body({ emulator }, context), {
      file: process.argv[1],
      onEnd: (run) => context.after(run),
    });
  const variant =
    (run: typeof base.only): Define<AnySandbox> =>
    async (name: string, second: TestOptions | EmulatorTestBody<AnySandbox>, third?: EmulatorTestBody<AnySandbox>) => {
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
