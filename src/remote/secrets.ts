import { SECRET_NAME } from '../lib/secret-names.js';
import { escapePattern } from '../lib/text.js';

/** Names of parameters and JSON fields whose values are secret. Stricter than for headers, since programs use such names too. */
const NAME = String.raw`[\w-]{0,30}(?:token|secret|passw|credential|signature|authorization|cookie|(?:api|access|private)[-_]?key)[\w-]{0,30}`;
/** Parameters of a query or a form. `==` and `=>` are code. */
const SECRET_PARAMETER = new RegExp(
  String.raw`((?:^|[?&\s"'])(?:${NAME}|key|auth|session)=)(?![=>])[^&#\s"'\\]+`,
  'gi',
);
/** Fields of JSON: a text or a number. */
const SECRET_FIELD = new RegExp(String.raw`("${NAME}"\s*:\s*)(?:"(?:\\.|[^"\\])*"|-?\d[\d.e+-]*)`, 'gi');
/** The same within a text of JSON, where quotes have backslashes, and backslashes too. */
const INNER_FIELD = new RegExp(String.raw`(\\"${NAME}\\"\s*:\s*)(?:\\"(?:\\\\\\?.|[^"\\])*\\"|-?\d[\d.e+-]*)`, 'gi');
/**
 * Begins where no earlier character could begin it, so that a long text without an @ takes linear time. The domain of examples
 * has no mailboxes. Source: RFC 2606, section 3.
 */
const EMAIL = /(?<![\w.+-])[\w.+-]+@(?!example\.(?:com|net|org)(?![.-]?\w))[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi;
const CREDENTIALS = /\b(Bearer|Basic) +[\w+/=.~-]{4,}/gi;
/** A word that a message has cut. It starts where the word does, so that a long text takes linear time. */
const CUT = /(?<![^\s"'`])[^\s"'`]{8,}(?=\.\.\.)/g;

/** A shorter token occurs in other words. Only headers and parameters are without it. */
const MIN_LENGTH = 4;
/** Length of the beginning of a token by which a cut one is recognized. */
const MIN_CUT_LENGTH = 6;

const HIDDEN = '(removed)';

/** Removes tokens and email addresses from what is written to a report or a file. */
export class Secrets {
  readonly #tokens = new Set<string>();
  #pattern: RegExp | undefined;

  constructor(tokens: Iterable<string | undefined> = []) {
    for (const token of tokens) if (token !== undefined) this.add(token);
  }

  /** Adds a token, and the forms in which JSON and a URL have it. */
  add(token: string): void {
    if (token.length < MIN_LENGTH || this.#tokens.has(token)) return;
    for (const form of [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]) this.#tokens.add(form);
    this.#pattern = undefined;
  }

  /** Replaces the tokens in a text. */
  redactTokens(text: string): string {
    this.#pattern ??= new RegExp(
      [...this.#tokens]
        .sort((a, b) => b.length - a.length)
        .map(escapePattern)
        .join('|') || '(?!)',
      'g',
    );
    return text.replace(this.#pattern, HIDDEN).replace(CUT, (word) => this.#redactEnd(word));
  }

  /** Replaces the beginning of a token at the end of a word. */
  #redactEnd(word: string): string {
    for (const token of this.#tokens) {
      for (let length = Math.min(token.length, word.length); length >= MIN_CUT_LENGTH; length--) {
        if (word.endsWith(token.slice(0, length))) return word.slice(0, -length) + HIDDEN;
      }
    }
    return word;
  }

  /** Replaces tokens, credentials and email addresses in a text. */
  redact(text: string): string {
    return this.redactTokens(text)
      .replace(CREDENTIALS, `$1 ${HIDDEN}`)
      .replace(SECRET_PARAMETER, `$1${HIDDEN}`)
      .replace(EMAIL, 'user@example.com');
  }

  /** Replaces the same in a body, and the fields of JSON whose names say that they are secret. */
  redactBody(text: string): string {
    return this.redact(text).replace(SECRET_FIELD, `$1"${HIDDEN}"`).replace(INNER_FIELD, `$1\\"${HIDDEN}\\"`);
  }

  /** Replaces the value of a header if its name says that it is secret, else what is secret in it. */
  redactHeader(name: string, value: string): string {
    return SECRET_NAME.test(name) ? HIDDEN : this.redact(value);
  }
}
