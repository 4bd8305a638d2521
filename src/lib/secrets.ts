import { escapePattern } from './text.js';

/** Names of headers and query parameters whose values are secrets. */
export const SECRET_NAME = /auth|cookie|token|secret|key|session|passw|credential|signature/i;
/** Values that look like secrets, unlike `undefined` or `wrong-token`. */
export const LIKE_SECRET = /^(?=.*\d).{8,}$|^.{16,}$/s;

/** Shorter ones occur in other words and in code: they are replaced nowhere. */
const MIN_LENGTH = 4;
/** Shorter ones are replaced only where it is asked for, and only as whole words. */
const MIN_LENGTH_EVERYWHERE = 8;

/** Replaces secrets that are known, also in the forms in which JSON and a URL have them. */
export class KnownSecrets {
  readonly #replacements = new Map<string, string>();
  /** Compiled when they are used. Null if there is nothing to replace. */
  readonly #patterns = new Map<boolean, RegExp | null>();

  add(secret: string, replacement: string): void {
    this.#replacements.set(secret, replacement);
    // A body is JSON itself, and a path is percent-encoded.
    for (const form of [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      if (!this.#replacements.has(form)) this.#replacements.set(form, replacement);
    }
    this.#patterns.clear();
  }

  get(secret: string): string | undefined {
    return this.#replacements.get(secret);
  }

  /** Lists those of a length in all forms. Of secrets that begin alike, the longest one is first. */
  list(minLength = MIN_LENGTH): string[] {
    const replaced = [...this.#replacements].filter(
      ([secret, other]) => secret !== other && secret.length >= minLength,
    );
    return replaced.map(([secret]) => secret).sort((a, b) => b.length - a.length);
  }

  /** Returns what replaces them in a text. Undefined if there are none. @param hasShort whether short ones are replaced too */
  replacer(hasShort: boolean): ((text: string) => string) | undefined {
    let pattern = this.#patterns.get(hasShort);
    if (pattern === undefined) {
      const parts = this.list(hasShort ? MIN_LENGTH : MIN_LENGTH_EVERYWHERE).map((secret) =>
        secret.length < MIN_LENGTH_EVERYWHERE ? `(?<![\\w-])${escapePattern(secret)}(?![\\w-])` : escapePattern(secret),
      );
      pattern = parts.length === 0 ? null : new RegExp(parts.join('|'), 'g');
      this.#patterns.set(hasShort, pattern);
    }
    return pattern === null ? undefined : (text) => text.replace(pattern, (found) => this.get(found) ?? found);
  }
}
