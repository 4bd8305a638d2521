import { ExpectationError, type RequestExpectation } from '../control/expectations.js';
import type { Sandbox } from '../control/sandbox.js';

/** What vitest, Jest and Playwright want of a matcher. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Said, not inferred, so that the types of one runner's helper never lead to another's. */
export type Matchers = {
  toHaveReceived(sandbox: Sandbox, route: string, expectation?: RequestExpectation): Verdict;
  toHaveNoUnhandledRequests(sandbox: Sandbox): Verdict;
};

/** Matchers for vitest, Jest and Playwright. */
export const matchers: Matchers = {
  toHaveReceived(sandbox: Sandbox, route: string, expectation: RequestExpectation = {}): Verdict {
    try {
      sandbox.expectRequest(route, expectation);
    } catch (error) {
      // Anything else is a mistake in the test, whether or not it says `not`.
      if (!(error instanceof ExpectationError)) throw error;
      return { pass: false, message: () => error.message };
    }
    return { pass: true, message: () => `expected no request ${route} like that, but there was one` };
  },

  toHaveNoUnhandledRequests(sandbox: Sandbox): Verdict {
    const lines = sandbox.unhandled().map(({ method, path, status }) => `  ${method} ${path} ${status}`);
    return {
      pass: lines.length === 0,
      message: () =>
        lines.length === 0
          ? 'expected requests to routes that do not exist, but there were none'
          : `expected no requests to routes that do not exist, but there were ${lines.length}:\n${lines.join('\n')}`,
    };
  },
};
