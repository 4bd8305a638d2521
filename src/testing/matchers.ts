import type { RequestExpectation } from '../control/expectations.js';
import type { SandboxApi as Sandbox } from '../emulator.js';
import { ExpectationError } from '../lib/errors.js';

/** What `expect(emulator)` has in addition. */
export interface EmulatorMatchers<R> {
  /** Asserts that the sandbox received a request to a route: at least one, or as many as expected. */
  toHaveReceived(route: string, expectation?: RequestExpectation): R;
  /** Asserts that the sandbox received no request to a route that does not exist. */
  toHaveNoUnhandledRequests(): R;
}

/** Declared, not inferred, so that the types of one runner never refer to another. */
export type Matchers = {
  [Name in keyof EmulatorMatchers<unknown>]: (
    sandbox: Sandbox,
    ...args: Parameters<EmulatorMatchers<unknown>[Name]>
  ) => { readonly pass: boolean; readonly message: () => string };
};

/** Matchers for vitest, Jest and Playwright. */
export const matchers: Matchers = {
  toHaveReceived(sandbox, route, expectation) {
    try {
      sandbox.expectRequest(route, expectation);
    } catch (error) {
      // Any other error is one of the test, also after `not`.
      if (!(error instanceof ExpectationError)) throw error;
      return { pass: false, message: () => error.message };
    }
    return { pass: true, message: () => `expected no request ${route} like that, but there was one` };
  },

  toHaveNoUnhandledRequests(sandbox) {
    const lines = sandbox.unhandled().map(({ method, path, status }) => `  ${method} ${path} ${status}`);
    const failure = `expected no requests to routes that do not exist, but there were ${lines.length}:`;
    const inverse = 'expected requests to routes that do not exist, but there were none';
    const pass = lines.length === 0;
    return { pass, message: () => (pass ? inverse : [failure, ...lines].join('\n')) };
  },
};
