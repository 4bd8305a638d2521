import { describeRequest } from '#engine/journal/assertions.js';
import type { EndCriteria, RequestExpectation } from '#engine/journal/expectations.js';
import type { RequestRecord } from '#engine/journal/request-record.js';
import { ExpectationError } from '#engine/lib/errors.js';
import { formatValue } from '#engine/lib/messages.js';
import { showCallers } from '#engine/platform/caller-stack.js';
import type { RouteReference } from '#vals/service/service.routes.js';
import type { RemoteSandbox } from '../client/index.js';
import { type AnySandbox, describeUnhandled } from './after-test.js';

/** Matchers that `expect(emulator)` adds. */
export interface EmulatorMatchers<R> {
  /** Asserts that the sandbox received a request to a route: at least one, or as many as expected. */
  toHaveReceived(route: RouteReference, expectation: RequestExpectation & EndCriteria): Promise<void>;
  toHaveReceived(route: RouteReference, expectation?: RequestExpectation): R;
  /** Asserts that the sandbox received no request to a route that does not exist. */
  toHaveNoUnhandledRequests(): R;
}

/** The result of a matcher on a sandbox: void in this process, a promise for a running emulator. */
// biome-ignore lint/suspicious/noConfusingVoidType: it is only the type of a return value
export type Asserted<S> = S extends RemoteSandbox ? Promise<void> : void;

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The `this` of a matcher. */
interface MatcherContext {
  readonly isNot?: boolean | undefined;
}

/** Declared, not inferred, so that the types of one runner never refer to another. */
export type Matchers = {
  [Name in keyof EmulatorMatchers<unknown>]: (
    this: MatcherContext,
    sandbox: AnySandbox,
    ...args: Parameters<EmulatorMatchers<unknown>[Name]>
  ) => Verdict | Promise<Verdict>;
};

/** Matchers for vitest, Jest and Playwright. On a remote sandbox they are asynchronous. */
export const matchers = showCallers<Matchers>({
  toHaveReceived(sandbox, route, expectation) {
    const pass = (): Verdict | Promise<Verdict> => {
      if (!this.isNot) return { pass: true, message: () => '' };
      const { times: _, ...filter } = expectation ?? {};
      const found = sandbox.requests({ ...filter, route });
      return Array.isArray(found) ? refuseFound(route, found) : found.then((late) => refuseFound(route, late));
    };
    const fail = (error: unknown): Verdict => {
      // Any other error is one of the test, also after `not`.
      if (!(error instanceof ExpectationError)) throw error;
      return { pass: false, message: () => error.message };
    };
    try {
      const found = sandbox.expectRequest(route, expectation ?? {});
      return found instanceof Promise ? found.then(pass, fail) : pass();
    } catch (error) {
      return fail(error);
    }
  },

  toHaveNoUnhandledRequests(sandbox) {
    const unhandled = sandbox.unhandled();
    return Array.isArray(unhandled) ? judgeUnhandled(unhandled) : unhandled.then(judgeUnhandled);
  },
});

/** Requests that a failure lists. */
const MAX_FOUND = 20;

function refuseFound(route: string, found: readonly RequestRecord[]): Verdict {
  const lines = found.slice(0, MAX_FOUND).map((each) => {
    const { body } = each.request;
    return describeRequest(each) + (body === null ? '' : `\n      body: ${formatValue(body)}`);
  });
  const more = found.length > MAX_FOUND ? [`  and ${found.length - MAX_FOUND} more`] : [];
  const head = `expected no request ${route} like that, but there ${found.length === 1 ? 'was' : 'were'} ${found.length}:`;
  return { pass: true, message: () => [head, ...lines, ...more].join('\n') };
}

function judgeUnhandled(requests: readonly RequestRecord[]): Verdict {
  const inverse = 'expected requests to routes that do not exist, but there were none';
  const pass = requests.length === 0;
  return { pass, message: () => (pass ? inverse : describeUnhandled(requests)) };
}
