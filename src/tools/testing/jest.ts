import { afterAll, afterEach, test as base, expect } from '@jest/globals';
import type { Sandbox } from '../../emulator.js';
import type { RemoteSandbox } from '../client/index.js';
import type { AnySandbox, RunningTest } from './after-test.js';
import { type EmulatorMatchers, matchers } from './matchers.js';
import {
  type EmulatorFixtures,
  type EmulatorHooks,
  type LocalOptions,
  type RemoteOptions,
  shareEmulator,
} from './server.js';

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
export * from '../../index.js';
export type { RemoteSandbox } from '../client/index.js';
export type { EmulatorFixtures, EmulatorHook, EmulatorHooks, LocalOptions, RemoteOptions } from './server.js';
export { snapshotSerializer } from './snapshot.js';

declare module 'expect' {
  interface Matchers<R, T> extends EmulatorMatchers<T extends RemoteSandbox ? Promise<void> : R> {}
}

expect.extend(matchers);

/** The body of a test. Its `emulator` is a new sandbox; the values of a row of `each` follow it. */
export type EmulatorTestBody<Row extends readonly unknown[] = [], S = Sandbox> = (
  fixtures: EmulatorFixtures<S>,
  ...row: Row
) => void | Promise<void>;

/** @param timeout milliseconds */
type Define<S, Row extends readonly unknown[] = []> = (
  name: string,
  body: EmulatorTestBody<Row, S>,
  timeout?: number,
) => void;

/** Jest's `each`: rows of several values, single values, or a table as a tagged template. */
interface Each<S> {
  <Row extends readonly [unknown, ...unknown[]]>(table: readonly Row[]): Define<S, [...Row]>;
  <Row extends readonly unknown[]>(table: readonly Row[]): Define<S, [...Row]>;
  <Value>(table: readonly Value[]): Define<S, [Value]>;
  <Row = Record<string, unknown>>(headings: TemplateStringsArray, ...values: unknown[]): Define<S, [Row]>;
}

type WithEach<S> = Define<S> & { readonly each: Each<S> };
type WithFailing<S> = WithEach<S> & { readonly failing: WithEach<S> };
type WithModes<S> = WithFailing<S> & { readonly only: WithFailing<S>; readonly skip: WithFailing<S> };

/** A `test` with the variants of Jest's own. */
export type EmulatorTest<S = Sandbox> = WithModes<S> & {
  readonly concurrent: WithModes<S>;
  readonly todo: (name: string) => void;
};

/** A variant of Jest's `test`. */
type JestTest = typeof base.concurrent.only;

/**
 * Creates a `test` like Jest's, whose `emulator` is a new sandbox, named after the test and closed after it. Each test
 * file starts one server, on first use. With a `url`, it uses sandboxes of the emulator that runs there.
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
  // With each test, not once. In a hook, which may load this module, Jest does not let us define another hook. And at the
  // end of a `describe` it is not known whether another one follows.
  const defineHooks = () => {
    afterAll(() => server.close());
    afterEach(async () => {
      for (const run of ending.splice(0)) await run();
    });
  };
  /** What follows the test that runs. Jest does not wait for a body whose time is over. */
  const ending: (() => Promise<void>)[] = [];

  const withEach = (run: JestTest['failing'], mode: RunningTest = {}): WithEach<AnySandbox> => {
    const withSandbox = (name: string, body: (sandbox: AnySandbox) => void | Promise<void>) =>
      server.withSandbox(name, body, { file: expect.getState().testPath, ...mode });
    const define: Define<AnySandbox> = (name, body, timeout) => {
      defineHooks();
      run(name, () => withSandbox(name, (emulator) => body({ emulator })), timeout);
    };
    const each = (table: readonly unknown[] | TemplateStringsArray, ...values: unknown[]) => {
      const runEach = 'raw' in table ? run.each(table, ...values) : run.each(table);
      const defineRows: Define<AnySandbox, unknown[]> = (name, body, timeout) => {
        defineHooks();
        const withRow = (...row: unknown[]) => withSandbox(name, (emulator) => body({ emulator }, ...row));
        runEach(name, withRow, timeout);
      };
      return defineRows;
    };
    // Each declares the types of a row, which one function for all tables cannot infer.
    return Object.assign(define, { each: each as Each<AnySandbox> });
  };
  const withFailing = (run: JestTest, mode: RunningTest = {}): WithFailing<AnySandbox> =>
    Object.assign(withEach(run, mode), { failing: withEach(run.failing, { failsAsExpected: true }) });
  const withModes = (
    run: JestTest & Record<'only' | 'skip', JestTest>,
    mode: RunningTest = {},
  ): WithModes<AnySandbox> =>
    Object.assign(withFailing(run, mode), { only: withFailing(run.only, mode), skip: withFailing(run.skip, mode) });
  const alone: RunningTest = { onEnd: (run) => ending.push(run) };
  // Others run when the hook does.
  return Object.assign(withModes(base, alone), { concurrent: withModes(base.concurrent), todo: base.todo });
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();

export const it = test;
