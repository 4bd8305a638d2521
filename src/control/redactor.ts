import { defaultToken } from '../fixtures/defaults.js';
import { LIKE_SECRET } from '../lib/secret-names.js';
import { escapePattern } from '../lib/text.js';
import { getHandle } from '../model/users.js';
import type { StateChanges } from '../persistence/changes.js';
import type { Line } from '../persistence/lines.js';

/** Shorter texts are left where they are not a token for certain: they occur in other words and in code. */
const MIN_LENGTH = 4;
/** Shorter tokens are replaced in requests only, and only as whole words. */
const MIN_LENGTH_EVERYWHERE = 8;
/** In place of credentials that are those of no user. */
export const UNKNOWN_TOKEN = 'unknown-token';

type User = Parameters<typeof getHandle>[0] & { readonly token: string };

/** Replaces the tokens in the lines of a session: those of users by the default ones, others by a placeholder. */
export class Redactor {
  readonly #tokens = new Map<string, string>();
  readonly #windows = new Map<string, string>();
  #everywhere: RegExp | undefined;
  #inRequests: RegExp | undefined;
  #isCompiled = false;

  /** Finds the tokens of users in a line. */
  learn(line: Line): void {
    if (!('changes' in line)) return;
    for (const user of line.changes.users?.put ?? []) this.#add(user.token, defaultTokenOf(user));
  }

  /** Learns credentials that a request has sent. @param user the name of the user that it was accepted as */
  learnCredentials(text: string, user: string | null): void {
    if (LIKE_SECRET.test(text) && !this.#tokens.has(text)) {
      this.#add(text, user === null ? UNKNOWN_TOKEN : defaultToken(user));
    }
  }

  #add(token: string, replacement: string): void {
    this.#tokens.set(token, replacement);
    this.#isCompiled = false;
  }

  /** Formats a line as JSON without tokens. */
  format(line: Line): string {
    if (!this.#isCompiled) this.#compile();
    const pattern = line.type === 'request' ? this.#inRequests : this.#everywhere;
    const clean = 'changes' in line ? { ...line, changes: this.#redactRecords(line.changes) } : line;
    if (!pattern) return JSON.stringify(clean);
    return JSON.stringify(clean, (_, value: unknown) =>
      typeof value === 'string' ? value.replace(pattern, (found) => this.#tokens.get(found) ?? found) : value,
    );
  }

  #compile(): void {
    // A body is JSON itself, and a path is percent-encoded.
    for (const [token, replacement] of [...this.#tokens]) {
      for (const form of [JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]) {
        if (!this.#tokens.has(form)) this.#tokens.set(form, replacement);
      }
    }
    const replaced = [...this.#tokens].filter(([token, other]) => token !== other).map(([token]) => token);
    // Of tokens that begin alike, the longest one is found first.
    const all = replaced.sort((a, b) => b.length - a.length);
    const long = all.filter(({ length }) => length >= MIN_LENGTH_EVERYWHERE).map(escapePattern);
    const short = all.filter(({ length }) => length >= MIN_LENGTH && length < MIN_LENGTH_EVERYWHERE).map(escapePattern);
    const words = short.length === 0 ? [] : [`(?<![\\w-])(?:${short.join('|')})(?![\\w-])`];
    this.#everywhere = toPattern(long);
    this.#inRequests = toPattern([...long, ...words]);
    this.#isCompiled = true;
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
const toPattern = (parts: readonly string[]): RegExp | undefined =>
  parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'g');
