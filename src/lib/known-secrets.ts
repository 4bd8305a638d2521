import { escapePattern } from './text.js';

/** Shorter ones occur in other words and in code: they are replaced nowhere. */
const MIN_LENGTH = 4;
/** Shorter ones are replaced only as whole words. */
const MIN_LENGTH_EVERYWHERE = 8;

/** Replaces secrets that are known, also in the forms in which JSON and a URL have them. */
export class KnownSecrets {
  readonly #replacements = new Map<string, string>();
  #patterns: readonly (RegExp | undefined)[] | undefined;

  add(secret: string, replacement: string): void {
    this.#replacements.set(secret, replacement);
    // A body is JSON itself, and a path is percent-encoded.
    for (const form of [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      if (!this.#replacements.has(form)) this.#replacements.set(form, replacement);
    }
    this.#patterns = undefined;
  }

  get(secret: string): string | undefined {
    return this.#replacements.get(secret);
  }

  /** All that are long enough to be replaced, in all forms. */
  get all(): string[] {
    const replaced = [...this.#replacements].filter(([secret, other]) => secret !== other).map(([secret]) => secret);
    // Of secrets that begin alike, the longest one is found first.
    return replaced.filter(({ length }) => length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
  }

  /** Returns what replaces them in a text. Undefined if there are none. @param hasShort whether short ones are replaced too */
  replacer(hasShort: boolean): ((text: string) => string) | undefined {
    this.#patterns ??= this.#compile();
    const pattern = this.#patterns[hasShort ? 1 : 0];
    return pattern && ((text) => text.replace(pattern, (found) => this.#replacements.get(found) ?? found));
  }

  #compile(): readonly (RegExp | undefined)[] {
    const isLong = ({ length }: string) => length >= MIN_LENGTH_EVERYWHERE;
    const long = this.all.filter(isLong).map(escapePattern);
    const short = this.all.filter((secret) => !isLong(secret)).map(escapePattern);
    const words = short.length === 0 ? [] : [`(?<![\\w-])(?:${short.join('|')})(?![\\w-])`];
    return [long, [...long, ...words]].map((parts) =>
      parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'g'),
    );
  }
}
