import type { Sandbox } from '#engine/sandbox/sandbox.js';
import { toValsState } from '#vals/lib/state.collection.js';
import type { ProgramDecision } from './decisions.rules.js';
import * as lateDecisions from './decisions.rules.js';

/** What a user decides on a login, without its page. */
export interface LoginOptions {
  /** Username or id of the user. */
  readonly user: string;
  /** The scopes that the user allows. Default: all that the client asks for */
  readonly scopes?: readonly string[] | undefined;
  /** Whether the user denies it. Default: false */
  readonly deny?: boolean | undefined;
}

/** The methods of a sandbox that log users in without a page. */
export interface Logins {
  /**
   * Ends a login without its page, and returns the callback URL that a browser would open: with a code, or with an error.
   * @param url to which the client leads its user: `http://…/oauth/auth?…`
   * @throws ApiError for an unknown client or a wrong redirect_uri, which a page shows, and for a scope that it does not ask for
   * @throws NotFoundError for an unknown user
   */
  login(url: string | URL, options: LoginOptions): Promise<string>;
  /**
   * Logs a user in on the device that shows a code.
   * @throws ApiError for a code that is wrong, used or expired. NotFoundError for an unknown user
   */
  approve(userCode: string, options: LoginOptions): Promise<void>;
}

/** The operation that the history names. */
const OPERATION = 'POST /_emulator/login';

/** Decides on a login. Returns where it leads; undefined for a device's login. */
export const decideOnLogin = (
  sandbox: Sandbox,
  target: { readonly url: string } | { readonly userCode: string },
  decision: ProgramDecision,
): string | undefined =>
  sandbox.update(OPERATION, (engineDraft) => {
    const draft = toValsState(engineDraft);
    if ('url' in target) return lateDecisions.decideByAddress(draft, target.url, decision, sandbox.now);
    return void lateDecisions.decideByUserCode(draft, target.userCode, decision, sandbox.now);
  });

/** @internal */
export const makeLogins = (sandbox: Sandbox): Logins => ({
  login: async (url, options) => sandbox.act(() => decideOnLogin(sandbox, { url: String(url) }, options)) ?? '',
  async approve(userCode, options) {
    sandbox.act(() => decideOnLogin(sandbox, { userCode }, options));
  },
});
