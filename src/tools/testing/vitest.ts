import { test as base, expect, type TestAPI } from 'vitest';
import type { EmulatorOptions } from '#vals/service/options.js';
import type { Sandbox } from '../../emulator.js';
import type { RemoteSandbox } from '../client/index.js';
import type { AnySandbox } from './after-test.js';
import { type Asserted, type EmulatorMatchers, matchers } from './matchers.js';
import { type LocalOptions, type RemoteOptions, type SharedEmulator, shareEmulator } from './server.js';

export { expect } from 'vitest';
export type { RemoteSandbox } from '../client/index.js';
export type { LocalOptions, RemoteOptions } from './server.js';
export { snapshotSerializer } from './snapshot.js';
export type { EmulatorOptions, Sandbox };

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: has to repeat the declaration that it adds to
  interface Matchers<T = any> extends EmulatorMatchers<Asserted<T>> {}
}

expect.extend(matchers);

/** Finds or makes the server of a worker for some options. */
type GetServer = (options: LocalOptions | RemoteOptions) => SharedEmulator;

/** Provides the servers of a worker. Before version 4.1, vitest shares them between all tests, whatever their options. */
async function useServers(use: (getServer: GetServer) => Promise<void>): Promise<void> {
  const servers = new Map<LocalOptions | RemoteOptions, SharedEmulator>();
  await use((options) => {
    const server = servers.get(options) ?? shareEmulator(options);
    servers.set(options, server);
    return server;
  });
  await Promise.all([...servers.values()].map((server) => server.close()));
}

/** The message of vitest for a test whose time is over. */
const TIMED_OUT = /^Test timed out in \d/;

type EmulatorTest<S> = TestAPI<{ emulator: S; emulatorServers: GetServer }>;

/**
 * Creates a `test` whose `emulator` is a new sandbox, named after the test and closed after it. Each worker starts one
 * server, on first use. With a `url`, it uses sandboxes of the emulator that runs there.
 * @throws OptionsError for options of a new emulator in addition to a `url`
 */
export function emulatorTest(options: RemoteOptions): EmulatorTest<RemoteSandbox>;
export function emulatorTest(options?: LocalOptions): EmulatorTest<Sandbox>;
export function emulatorTest(options: LocalOptions | RemoteOptions = {}, ...others: readonly unknown[]): unknown {
  if (others.length > 0) {
    throw new TypeError(
      'emulatorTest: found a second argument; expected options alone. Hooks are functions of vitest.',
    );
  }
  return base.extend<{ emulator: AnySandbox; emulatorServers: GetServer }>({
    emulatorServers: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
      async ({}, use) => useServers(use),
      { scope: 'worker' },
    ],
    emulator: async ({ emulatorServers, task }, use) =>
      emulatorServers(options).withSandbox(task.name, use, {
        file: task.file.filepath,
        hasFailed: () => task.result?.state === 'fail',
        hasTimedOut: () => task.result?.errors?.some(({ message }) => TIMED_OUT.test(message)) === true,
        failsAsExpected: task.fails === true,
      }),
  });
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();
