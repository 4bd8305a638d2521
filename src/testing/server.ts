import { toSandboxName } from '../control/sandboxes.js';
import { createEmulator, type Emulator, type SandboxApi as Sandbox } from '../emulator.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { type EmulatorOptions, parseOptions } from '../options.js';

/** What a test and its hooks receive. */
export interface EmulatorFixtures {
  /** The sandbox of the test. */
  readonly emulator: Sandbox;
}

/** Runs before or after a test. */
export type EmulatorHook = (fixtures: EmulatorFixtures) => void | Promise<void>;

/** What runs around each test, with its sandbox. */
export interface EmulatorHooks {
  /** Runs before the test, for example to add records. */
  readonly beforeEach?: EmulatorHook;
  /** Runs after the test, also after a failed one. Its own error is reported only if the test passed. */
  readonly afterEach?: EmulatorHook;
}

/** One emulator for all tests of a process, started on first use. */
export type SharedEmulator = ReturnType<typeof shareEmulator>;

/** @throws TypeError for hooks that do not exist */
export function shareEmulator(options: EmulatorOptions, hooks: EmulatorHooks = {}) {
  checkHooks(hooks);
  let created: Promise<Emulator> | undefined;
  let listening: Promise<void> | undefined;
  let tests = 0;

  async function open(): Promise<Emulator> {
    created ??= createEmulator({ ...options, listen: false });
    const emulator = await created;
    const { listen, host, port } = parseOptions(options);
    if (listen) listening ??= emulator.listen(host, port);
    await listening;
    return emulator;
  }

  return {
    /** Runs a test body with a new sandbox, named after the test, and closes it afterwards. */
    async withSandbox<T>(title: string, body: (sandbox: Sandbox) => T | Promise<T>): Promise<T> {
      const emulator = (await open()).sandbox(toSandboxName(title, ++tests));
      const run = async () => {
        await hooks.beforeEach?.({ emulator });
        return await body(emulator);
      };
      const [outcome] = await Promise.allSettled([run()]);
      // Not by `using`: the global objects of Jest have no `Symbol.asyncDispose`.
      const [cleanup] = await Promise.allSettled([(async () => hooks.afterEach?.({ emulator }))()]);
      await emulator.close();
      if (outcome.status === 'rejected') throw outcome.reason;
      if (cleanup.status === 'rejected') throw cleanup.reason;
      return outcome.value;
    },

    /** Stops listening. The next test listens again, with the same seed data. */
    async close(): Promise<void> {
      listening = undefined;
      await (await created)?.close();
    },
  };
}

/** Provides the emulator of a worker to vitest or Playwright. */
export async function useSharedEmulator(options: EmulatorOptions, use: (server: SharedEmulator) => Promise<void>) {
  const server = shareEmulator(options);
  await use(server);
  await server.close();
}

const HOOKS = ['beforeEach', 'afterEach'];

function checkHooks(hooks: EmulatorHooks): void {
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
