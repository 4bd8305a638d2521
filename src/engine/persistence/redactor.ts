import { defaultToken, getHandle } from '#vals/collections/users.js';
import { Redactor, UNKNOWN_TOKEN } from '../lib/redactor.js';

import type { StateChanges } from './changes.js';
import type { Line } from './lines.js';

type User = Parameters<typeof getHandle>[0] & { readonly token: string };

/** Replaces the tokens in the lines of a session: tokens of users by default ones, others by a placeholder. */
export class SessionRedactor extends Redactor {
  readonly #windows = new Map<string, string>();

  /** Replaces the token of a user from now on. */
  learnUser(user: User): void {
    this.add(user.token, defaultTokenOf(user));
  }

  /** Formats a line as JSON without tokens. Short ones are replaced in requests only. */
  format(line: Line): string {
    if (line.type === 'request') return this.formatRequest(line);
    return this.#format('changes' in line ? { ...line, changes: this.#redactRecords(line.changes) } : line, false);
  }

  /** Formats a request as JSON without tokens. */
  formatRequest(request: object): string {
    return this.#format(request, true);
  }

  #format(value: object, short: boolean): string {
    const replace = this.replacer(short);
    if (!replace) return JSON.stringify(value);
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? replace(part) : part));
  }

  #redactRecords({ users, rateLimits, ...others }: StateChanges): StateChanges {
    return {
      ...(users && {
        users: { ...users, put: (users.put ?? []).map((user) => ({ ...user, token: defaultTokenOf(user) })) },
      }),
      ...others,
      ...(rateLimits && {
        rateLimits: {
          put: (rateLimits.put ?? []).map((window) => ({ ...window, token: this.#redactWindow(window.token) })),
          delete: (rateLimits.delete ?? []).map(([token]) => [this.#redactWindow(String(token))]),
        },
      }),
    };
  }

  /** Each token has a separate window in the rate limit, also an unknown one. */
  #redactWindow(token: string): string {
    const known = this.find(token);
    if (token === '' || (known !== undefined && known !== UNKNOWN_TOKEN)) return known ?? token;
    const name = this.#windows.get(token) ?? `${UNKNOWN_TOKEN}-${this.#windows.size + 1}`;
    this.#windows.set(token, name);
    return name;
  }
}

const defaultTokenOf = (user: User): string => defaultToken(getHandle(user));
