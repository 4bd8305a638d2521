import { afterAll, test as base, expect } from '@jest/globals';
import type { EmulatorOptions } from '../options.js';
import { type EmulatorMatchers, matchers } from './matchers.js';
import { type EmulatorFixtures, type EmulatorHooks, shareEmulator } from './server.js';

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
export * from '../index.js';
export type { EmulatorFixtures, EmulatorHook, EmulatorHooks } from './server.js';

declare module 'expect' {
  interface Matchers<R> extends EmulatorMatchers<R> {}
}

expect.extend(matchers);

/** The body of a test. Its `emulator` is a new sandbox; the values of a row of `each` follow it. */
export type EmulatorTestBody<Row extends readonly unknown[] = []> = (
  fixtures: EmulatorFixtures,
  ...row: Row
) => void | Promise<void>;

/** @param timeout milliseconds */
type Define<Row extends readonly unknown[] = []> = (
  name: string,
  body: EmulatorTestBody<Row>,
  timeout?: number,
) => void;

/** Jest's `each`: rows of several values, single values, or a table as a tagged template. */
interface Each {
  <Row extends readonly [unknown, ...unknown[]]>(table: readonly Row[]): Define<[...Row]>;
  <Row extends readonly unknown[]>(table: readonly Row[]): Define<[...Row]>;
  <Value>(table: readonly Value[]): Define<[Value]>;
  <Row = Record<string, unknown>>(headings: TemplateStringsArray, ...values: unknown[]): Define<[Row]>;
}

type WithEach = Define & { readonly each: Each };
type WithFailing = WithEach & { readonly failing: WithEach };
type WithModes = WithFailing & { readonly only: WithFailing; readonly skip: WithFailing };

/** A `test` with the variants of Jest's own. */
export type EmulatorTest = WithModes & { readonly concurrent: WithModes; readonly todo: (name: string) => void };

/** A variant of Jest's `test`. */
type JestTest = typeof base.concurrent.only;

/**
 * Creates a `test` like Jest's, whose `emulator` is a new sandbox, named after the test and closed after it. Each test
 * file starts one server, on first use.
 * @throws TypeError for hooks that do not exist
 */
export function emulatorTest(options: EmulatorOptions = {}, hooks: EmulatorHooks = {}): EmulatorTest {
  const server = shareEmulator(options, hooks);
  // With each test, not once. In a hook, which may load this module, Jest does not let us define another hook. And at the
  // end of a `describe` it is not known whether another one follows.
  const closeAtEnd = () => afterAll(() => server.close());

  const withEach = (run: JestTest['failing']): WithEach => {
    const define: Define = (name, body, timeout) => {
      closeAtEnd();
      run(name, () => server.withSandbox(name, (emulator) => body({ emulator })), timeout);
    };

    function each<Row extends readonly [unknown, ...unknown[]]>(table: readonly Row[]): Define<[...Row]>;
    function each<Row extends readonly unknown[]>(table: readonly Row[]): Define<[...Row]>;
    function each<Value>(table: readonly Value[]): Define<[Value]>;
    function each<Row>(headings: TemplateStringsArray, ...values: unknown[]): Define<[Row]>;
    function each(table: readonly unknown[] | TemplateStringsArray, ...values: unknown[]): Define<unknown[]> {
      const runEach = 'raw' in table ? run.each(table, ...values) : run.each(table);
      return (name, body, timeout) => {
        closeAtEnd();
        const withRow = (...row: unknown[]) => server.withSandbox(name, (emulator) => body({ emulator }, ...row));
        runEach(name, withRow, timeout);
      };
    }
    return Object.assign(define, { each });
  };
  const withFailing = (run: JestTest): WithFailing => Object.assign(withEach(run), { failing: withEach(run.failing) });
  const withModes = (run: JestTest & Record<'only' | 'skip', JestTest>): WithModes =>
    Object.assign(withFailing(run), { only: withFailing(run.only), skip: withFailing(run.skip) });
  return Object.assign(withModes(base), { concurrent: withModes(base.concurrent), todo: base.todo });
}

/** {@link emulatorTest} with the default options. */
export const test = emulatorTest();

export const it = test;
