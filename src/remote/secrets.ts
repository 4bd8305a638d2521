import { escapePattern } from '../lib/text.js';

/** Headers whose values are secret whatever they are. */
const SECRET_HEADER = /^(?:proxy-)?authorization$|cookie|token|secret|api-?key|password|session/i;
/** Parameters of a query or a form whose values are secret. */
const SECRET_PARAMETER = /([?&](?:access_)?(?:token|api_?key|key|secret|password|auth)=)[^&#\s"]*/gi;
/**
 * Begins where no earlier character could begin it, so that a long text without an @ takes linear time. The domain of examples
 * has no mailboxes. Source: RFC 2606, section 3.
 */
const EMAIL = /(?<![\w.+-])[\w.+-]+@(?!example\.(?:com|net|org)(?![.-]?\w))[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi;
/** The text of a JSON field whose value is secret whatever it is; within a text of JSON, quotes have backslashes. */
const SECRET_FIELD = /(\\?"[\w-]*(?:token|secret|api_?key|password)\\?"\s*:\s*\\?")[^"\\]+/gi;
const CREDENTIALS = /\b(Bearer|Basic) +[\w+/=.~-]{4,}/gi;

/** A shorter token occurs in other words. Only headers and parameters are without it. */
const MIN_LENGTH = 4;

const HIDDEN = '(removed)';

/** Removes tokens and email addresses from what is written to a report or a file. */
export class Secrets {
  readonly #tokens = new Set<string>();
  #pattern: RegExp | undefined;

  constructor(tokens: Iterable<string | undefined> = []) {
    for (const token of tokens) if (token !== undefined) this.add(token);
  }

  /** Adds a token, and the forms in which JSON, a URL and basic authentication have it. */
  add(token: string): void {
    if (token.length < MIN_LENGTH || this.#tokens.has(token)) return;
    const base64 = Buffer.from(token).toString('base64').replace(/=+$/, '');
    for (const form of [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token), base64]) {
      this.#tokens.add(form);
    }
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
    return text.replace(this.#pattern, HIDDEN);
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
    return this.redact(text).replace(SECRET_FIELD, `$1${HIDDEN}`);
  }

  /** Replaces the value of a header if its name says that it is secret, else what is secret in it. */
  redactHeader(name: string, value: string): string {
    return SECRET_HEADER.test(name) ? HIDDEN : this.redact(value);
  }
}
