import { defaultToken } from '../fixtures/defaults.js';
import { KnownSecrets, LIKE_SECRET } from '../lib/secrets.js';
import { getHandle } from '../model/users.js';
import type { StateChanges } from '../persistence/changes.js';
import type { Line } from '../persistence/lines.js';

/** In place of credentials that are those of no user. */
export const UNKNOWN_TOKEN = 'unknown-token';

type User = Parameters<typeof getHandle>[0] & { readonly token: string };

/** Replaces the tokens in the lines of a session: those of users by the default ones, others by a placeholder. */
export class Redactor {
  readonly #tokens = new KnownSecrets();
  readonly #windows = new Map<string, string>();

  /** Finds the tokens of users in a line. */
  learn(line: Line): void {
    if (!('changes' in line)) return;
    for (const user of line.changes.users?.put ?? []) this.#tokens.add(user.token, defaultTokenOf(user));
  }

  /** Learns credentials that a request has sent. @param user the name of the user that it was accepted as */
  learnCredentials(text: string, user: string | null): void {
    if (LIKE_SECRET.test(text) && this.#tokens.get(text) === undefined) {
      this.#tokens.add(text, user === null ? UNKNOWN_TOKEN : defaultToken(user));
    }
  }

  /** Formats a line as JSON without tokens. Short ones are replaced in requests only. */
  format(line: Line): string {
    const clean = 'changes' in line ? { ...line, changes: this.#redactRecords(line.changes) } : line;
    const replace = this.#tokens.replacer(line.type === 'request');
    if (!replace) return JSON.stringify(clean);
    return JSON.stringify(clean, (_, value: unknown) => (typeof value === 'string' ? replace(value) : value));
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
    const known = this.#tokens.get(token);
    if (token === '' || (known !== undefined && known !== UNKNOWN_TOKEN)) return known ?? token;
    const name = this.#windows.get(token) ?? `${UNKNOWN_TOKEN}-${this.#windows.size + 1}`;
    this.#windows.set(token, name);
    return name;
  }
}

const defaultTokenOf = (user: User): string => defaultToken(getHandle(user));
