import type { Sandbox } from '#engine/sandbox/sandbox.js';
import { toValsState } from '#vals/lib/state.collection.js';
import * as lateOutbox from './outbox.sandbox.js';
import type { EmailExpectation, EmailFilter, EmailRecord } from './outbox-schemas.sandbox.js';

/** The methods of a sandbox that only the vals service has. */
export interface Outbox {
  /**
   * Returns the emails that programs have sent by `POST /v1/email`, oldest first.
   * @throws OptionsError for an unknown key or a wrong value
   */
  emails(filter?: EmailFilter): EmailRecord[];
  /**
   * Asserts that an email was sent, and returns the last one that matches. Undefined for `times: 0`.
   * @throws ExpectationError with the near misses and their differences
   * @throws OptionsError for an unknown key or a wrong value
   */
  expectEmail(expectation?: EmailExpectation & { readonly times?: undefined }): EmailRecord;
  expectEmail(expectation: EmailExpectation): EmailRecord | undefined;
}

/** @internal */
export function makeOutbox(sandbox: Pick<Sandbox, 'touch'>): Outbox {
  const readState = () => toValsState(sandbox.touch().store.state);
  function expectLast(expectation?: EmailExpectation & { readonly times?: undefined }): EmailRecord;
  function expectLast(expectation: EmailExpectation): EmailRecord | undefined;
  function expectLast(expectation: EmailExpectation = {}): EmailRecord | undefined {
    return lateOutbox.expectEmail(readState(), expectation);
  }
  return {
    expectEmail: expectLast,
    emails(filter = {}) {
      const state = readState();
      return lateOutbox.listEmails(state, filter).map((email) => lateOutbox.toEmailRecord(state, email));
    },
  };
}
