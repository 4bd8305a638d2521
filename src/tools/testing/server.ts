import { parseOptions } from '#engine/http/parse-options.js';
import { OptionsError } from '#engine/lib/errors.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import { toSandboxName } from '#engine/sandbox/names.js';
import { vals } from '#vals/service/index.js';
import type { EmulatorOptions } from '#vals/service/options.js';
import { createEmulator, type Emulator, type Sandbox } from '../../emulator.js';
import { type ConnectOptions, connect } from '../client/index.js';
import { type AnySandbox, type HelperOptions, makeAfterTest, type RunningTest } from './after-test.js';

/** Options of the emulator that a helper starts, and of the helper. */
export interface LocalOptions extends EmulatorOptions, HelperOptions {}

/** Options for tests against a running emulator. */
export interface RemoteOptions extends ConnectOptions, HelperOptions {
  /**
   * Base URL of a running emulator. Undefined or empty, as a variable that is not set: the helper starts one with the
   * default options and connects to it.
   */
  readonly url: string | undefined;
}

/** The argument of a test and its hooks. */
export interface EmulatorFixtures<S = Sandbox> {
  /** The sandbox of the test. */
  readonly emulator: S;
}

/** Runs before or after a test. */
export type EmulatorHook<S = Sandbox> = (fixtures: EmulatorFixtures<S>) => void | Promise<void>;

/** Hooks around each test, with its sandbox. */
export interface EmulatorHooks<S = Sandbox> {
  /** Runs before the test, for example to add records. */
  beforeEach?(fixtures: EmulatorFixtures<S>): void | Promise<void>;
  /** Runs after the test, also after a failed one. Its own error is reported only if the test passed. */
  afterEach?(fixtures: EmulatorFixtures<S>): void | Promise<void>;
}

/** One emulator for all tests of a process, started on first use. */
export type SharedEmulator = ReturnType<typeof shareEmulator>;

/**
 * @throws TypeError for unknown hooks
 * @throws OptionsError for options of a new emulator in addition to a URL
 */
export function shareEmulator(
  { onUnhandledRequest, failedSessions, ...options }: LocalOptions | RemoteOptions,
  hooks: EmulatorHooks<AnySandbox> = {},
) {
  checkHooks(hooks);
  const afterTest = makeAfterTest({ onUnhandledRequest, failedSessions });
  const remote = 'url' in options ? checkRemote(options) : undefined;
  const local = 'url' in options ? {} : options;
  let created: Promise<Emulator> | undefined;
  let listening: Promise<void> | undefined;
  let tests = 0;

  async function open(): Promise<Emulator> {
    created ??= createEmulator({ ...local, listen: false });
    const emulator = await created;
    const { listen, host, port } = parseOptions(vals, local);
    if (listen) listening ??= emulator.listen(host, port);
    await listening;
    return emulator;
  }

  async function lend(title: string): Promise<AnySandbox> {
    if (!remote) return (await open()).sandbox(toSandboxName(title, ++tests));
    return connect(remote.url || (await open()).url, remote).sandbox({ title });
  }

  return {
    /**
     * Runs a test body with a new sandbox, named after the test, and closes it afterwards. Then checks for requests to
     * routes that do not exist, or saves the session of a failed test.
     */
    async withSandbox<T>(
      title: string,
      body: (sandbox: AnySandbox) => T | Promise<T>,
      test: RunningTest = {},
    ): Promise<T> {
      const emulator = await lend(title);
      let isReported = test.failsAsExpected === true;
      let hasEnded = false;
      test.onEnd?.(async () => {
        if (hasEnded || isReported) return;
        isReported = true;
        await afterTest.reportFailure(emulator, test, true);
      });
      const run = async () => {
        await hooks.beforeEach?.({ emulator });
        return await body(emulator);
      };
      const [outcome] = await Promise.allSettled([run()]);
      hasEnded = true;
      // Not by `using`: the global objects of Jest have no `Symbol.asyncDispose`.
      const [cleanup] = await Promise.allSettled([(async () => hooks.afterEach?.({ emulator }))()]);
      const hasFailed = outcome.status === 'rejected' || test.hasFailed?.() === true;
      const [check] = await Promise.allSettled([hasFailed ? undefined : afterTest.checkUnhandled(emulator)]);
      const isFailure = hasFailed || cleanup.status === 'rejected' || check.status === 'rejected';
      if (isFailure && !isReported) await afterTest.reportFailure(emulator, test);
      const [closing] = await Promise.allSettled([emulator.close()]);
      if (outcome.status === 'rejected') throw outcome.reason;
      if (cleanup.status === 'rejected') throw cleanup.reason;
      if (check.status === 'rejected') throw check.reason;
      if (closing.status === 'rejected') throw closing.reason;
      return outcome.value;
    },

    /** Stops listening. The next test listens again, with the same seed data. */
    async close(): Promise<void> {
      listening = undefined;
      await (await created)?.close();
    },
  };
}

/** @throws OptionsError for options of a new emulator */
function checkRemote(options: RemoteOptions): RemoteOptions {
  const others = Object.keys(options).filter((name) => name !== 'url' && name !== 'controlToken');
  const message = 'expected url, controlToken and options of the helper, since a running emulator has its own options.';
  if (others.length > 0) throw new OptionsError(others.map((path) => ({ path, message })));
  return options;
}

/** Provides the emulator of a worker to vitest or Playwright. */
export async function useSharedEmulator(
  options: LocalOptions | RemoteOptions,
  use: (server: SharedEmulator) => Promise<void>,
) {
  const server = shareEmulator(options);
  await use(server);
  await server.close();
}

const HOOKS = ['beforeEach', 'afterEach'];

function checkHooks(hooks: EmulatorHooks<AnySandbox>): void {
  for (const [name, hook] of Object.entries(hooks)) {
    if (!HOOKS.includes(name)) {
      throw new TypeError(
        `hooks: found ${formatValue(name)}; expected ${HOOKS.join(' or ')}.${didYouMean(name, HOOKS)}`,
      );
    }
    if (hook !== undefined && typeof hook !== 'function') {
      throw new TypeError(`hooks.${name}: found ${formatValue(hook)}; expected a function.`);
    }
  }
}
