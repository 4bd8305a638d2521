import { nameRequest } from '#engine/api/tool-route.js';
import { isControlPath } from '#engine/http/paths.js';
import { formatReasons, formatStatus } from '#engine/lib/reasons.js';
import { formatCount } from '#engine/lib/text.js';
import type { RequestLog } from '#engine/options/callbacks.js';
import type { AnyEmulator } from './start-service.js';

/** Users whose tokens are listed, and different refusals. */
const MAX_LISTED = 5;

/** Lists the names that there are, of which none is similar: `Users: ada, grace.` */
const LIST = /^(?:[A-Z]\w*: |There are no )/;

/**
 * Whether a request is wrong with any records, by its status or as a call of a tool. So is a 404 that suggests something else, such
 * as of a route that does not exist. A program may expect that a record is missing.
 */
const isWrong = ({ status, message, suggestion }: RequestLog): boolean =>
  [400, 403, 415, 501].includes(status) ||
  (status < 400 && message !== null) ||
  (status === 404 && suggestion !== null && !LIST.test(suggestion));

/** The requests of a program that the emulator has refused. */
export class Refusals {
  /** Requests with an unknown token. */
  #unknown = 0;
  /** Numbers of wrong requests, by the line that describes the first one. */
  readonly #wrong = new Map<string, { readonly line: string; count: number }>();
  #others = 0;
  #isReached = false;

  add(request: RequestLog): void {
    this.#isReached = true;
    const { status, hasToken, fault, target } = request;
    if (fault !== null || isControlPath(target)) return;
    if (status === 401 && hasToken) this.#unknown++;
    if (!isWrong(request)) return;
    const reasons = formatReasons(request);
    const shown = formatStatus(request);
    const key = `${shown} ${reasons}`;
    const same = this.#wrong.get(key);
    if (same) same.count++;
    else if (this.#wrong.size === MAX_LISTED) this.#others++;
    else this.#wrong.set(key, { line: `${shown} ${nameRequest({ ...request, path: target })}: ${reasons}`, count: 1 });
  }

  /** Describes them in lines. @param advice what to do if no request has arrived */
  describe(users: AnyEmulator['users'], advice: string): string[] {
    if (!this.#isReached) return [`No request reached the emulator. ${advice}`];
    const unknown = this.#unknown > 0 ? [describeUnknown(this.#unknown, users)] : [];
    const wrong = [...this.#wrong.values()];
    if (wrong.length === 0) return unknown;
    const total = wrong.reduce((sum, { count }) => sum + count, this.#others);
    const lines = wrong.map(({ line, count }) => `  ${line}${count > 1 ? ` (${count} times)` : ''}`);
    const others = this.#others > 0 ? [`  and ${this.#others} more (exec --log text prints every request)`] : [];
    return [...unknown, [`${formatCount(total, 'request')} refused:`, ...lines, ...others].join('\n')];
  }
}

/** Says which tokens there are, after requests with others. */
function describeUnknown(count: number, users: AnyEmulator['users']): string {
  const listed = users.slice(0, MAX_LISTED).map(({ username, token }) => `${token} (${username ?? 'no username'})`);
  const others = users.length > MAX_LISTED ? `, and ${users.length - MAX_LISTED} more` : '';
  const tokens = listed.length === 0 ? 'No user exists.' : `Tokens: ${listed.join(', ')}${others}.`;
  const advice =
    "VAL_TOWN_API_KEY has the first; --env 'NAME={token}' sets another variable, --auth lenient accepts any.";
  return `${formatCount(count, 'request')} with an unknown token got a 401. ${tokens} ${advice}`;
}
