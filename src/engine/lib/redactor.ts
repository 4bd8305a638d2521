import { parseJsonIfValid } from './json.js';
import { isObject } from './objects.js';
import { parseTarget } from './target.js';
import { escapePattern } from './text.js';

/** Names of headers and query parameters whose values are secrets. */
export const SECRET_NAME = /auth|cookie|token|secret|key|session|passw|credential|signature/i;
/** Values that look like secrets, unlike `undefined` or `wrong-token`. */
const LIKE_SECRET = /^(?=.*\d).{8,}$|^.{16,}$/s;
/** Replaces credentials of unknown users. */
export const UNKNOWN_TOKEN = 'unknown-token';

/** Shorter secrets occur in other words and in code, and are never replaced. */
const MIN_LENGTH = 4;
/** Shorter secrets are replaced only on request, and only as whole words. */
const MIN_LENGTH_EVERYWHERE = 8;

/** Names of parameters and JSON fields whose values are secret. Stricter than for headers, since programs use such names too. */
const NAME = String.raw`[\w-]{0,30}(?:token|secret|passw|credential|signature|authorization|cookie|(?:api|access|private)[-_]?key)[\w-]{0,30}`;
const SECRET_KEY = new RegExp(`^"${NAME}"$`, 'i');
/** Parameters of a query or a form. */
const SECRET_PARAMETER = new RegExp(`((?:^|[?&])(?:${NAME}|key|auth|session)=)[^&#\\s"'\`]+`, 'gi');
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** A whole text that is a URL. One with a space, a quote or a bracket may be code. */
const URL_TEXT = /^https?:\/\/[^\s"'`<>{}$\\]+$/i;
const JSON_TEXT = /^\s*[[{]/;
/** A string of JSON. One without an end is matched too, so that many take linear time. */
const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)`;
/** A string or a number of JSON, with the key that it has. */
const VALUE = new RegExp(String.raw`(?:(${STRING})\s*:\s*)?(${STRING}|-?\d[\d.e+-]*)`, 'gis');
/**
 * Starts where no earlier character could start it, so that a long text without an @ takes linear time. The domain of examples
 * has no mailboxes. Source: RFC 2606, section 3.
 */
const EMAIL = /(?<![\w.+-])[\w.+-]+@(?!example\.(?:com|net|org)(?![.-]?\w))[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi;
const CREDENTIALS = /\b(Bearer|Basic) +[\w+/=.~-]{4,}/gi;
/** A word that a message has truncated. It starts where the word does, so that a long text takes linear time. */
const CUT = /(?<![^\s"'`])[^\s"'`]{8,}(?=\.\.\.)/g;

/** Minimum length of a truncated token. */
const MIN_CUT_LENGTH = 6;

/** In place of a secret. */
export const HIDDEN = '(removed)';
/** As a service writes it into links when a client has sent it. */
const HIDDEN_IN_LINK = '%28removed%29';

/** Replaces secrets and email addresses in reports and files. */
export class Redactor {
  /** Replacements of secrets, and of their forms in JSON and in a URL. */
  readonly #replacements = new Map<string, string>();
  /** Compiled when they are used. Null if there is nothing to replace. */
  readonly #patterns = new Map<boolean, RegExp | null>();
  readonly #addresses = new Map<string, string>();

  constructor(secrets: Iterable<string | undefined> = []) {
    for (const secret of secrets) if (secret !== undefined) this.add(secret);
  }

  add(secret: string, replacement = HIDDEN): void {
    this.#replacements.set(secret, replacement);
    // A body is JSON itself, and a path is percent-encoded, with U+FFFD for a lone surrogate.
    for (const form of [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]) {
      if (!this.#replacements.has(form)) this.#replacements.set(form, replacement);
    }
    this.#patterns.clear();
  }

  /** Adds the credentials of a request: values of headers and parameters with secret names. */
  learn(headers: Iterable<readonly [name: string, value: string]>, path: string, replacement = HIDDEN): void {
    for (const text of listCredentials(headers, path)) {
      if (LIKE_SECRET.test(text) && !this.#replacements.has(text)) this.add(text, replacement);
    }
  }

  find(secret: string): string | undefined {
    return this.#replacements.get(secret);
  }

  /** Lists the secrets of a minimum length in all forms, longer ones before their prefixes. */
  #list(minLength = MIN_LENGTH): string[] {
    const replaced = [...this.#replacements].filter(
      ([secret, other]) => secret !== other && secret.length >= minLength,
    );
    return replaced.map(([secret]) => secret).sort((a, b) => b.length - a.length);
  }

  /** Returns a function that replaces secrets. Undefined without secrets. @param short replaces short secrets, too */
  replacer(short: boolean): ((text: string) => string) | undefined {
    let pattern = this.#patterns.get(short);
    if (pattern === undefined) {
      const parts = this.#list(short ? MIN_LENGTH : MIN_LENGTH_EVERYWHERE).map((secret) =>
        secret.length < MIN_LENGTH_EVERYWHERE ? `(?<![\\w-])${escapePattern(secret)}(?![\\w-])` : escapePattern(secret),
      );
      pattern = parts.length === 0 ? null : new RegExp(parts.join('|'), 'g');
      this.#patterns.set(short, pattern);
    }
    return pattern === null ? undefined : (text) => text.replace(pattern, (found) => this.find(found) ?? found);
  }

  redactKnown(text: string): string {
    return replaceAddresses(this.replacer(true)?.(text) ?? text, this.#addresses);
  }

  /** Replaces the start of a token at the end of a word. */
  #redactEnd(word: string): string {
    for (const token of this.#list()) {
      for (let length = Math.min(token.length, word.length); length >= MIN_CUT_LENGTH; length--) {
        if (word.endsWith(token.slice(0, length))) return word.slice(0, -length) + HIDDEN;
      }
    }
    return word;
  }

  /** Redacts a line or a message: known secrets, text that looks like a secret, and email addresses. */
  redact(text: string): string {
    return redactQuery(this.redactKnown(text).replace(CUT, (word) => this.#redactEnd(word)))
      .replace(CREDENTIALS, `$1 ${HIDDEN}`)
      .replace(EMAIL, exampleAddress(null));
  }

  /**
   * Redacts a body: known secrets, values of JSON and of forms with secret names, and such parameters of URLs. Other text
   * stays the same to the byte, since it may be code.
   * @param type the media type. Default: none
   */
  redactBody(text: string, type = ''): string {
    collectAddress(parseJsonIfValid(text), this.#addresses, exampleAddress);
    const known = this.redactKnown(text);
    if (JSON_TEXT.test(known)) return redactJson(known);
    return FORM.test(type) ? redactQuery(known) : known;
  }

  /** Redacts the value of a header: all of it if the name is secret. */
  redactHeader(name: string, value: string): string {
    return SECRET_NAME.test(name) ? HIDDEN : this.redact(value);
  }
}

function* listCredentials(headers: Iterable<readonly [string, string]>, path: string): Generator<string> {
  for (const [name, value] of headers) {
    if (/^cookie$/i.test(name)) yield* value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1));
    else if (SECRET_NAME.test(name)) yield value.replace(/^(?:basic|bearer)\s+/i, '');
  }
  for (const [name, value] of parseTarget(path).query ?? []) if (SECRET_NAME.test(name)) yield value;
}

const redactQuery = (text: string): string => text.replace(SECRET_PARAMETER, `$1${HIDDEN}`);

const redactJson = (json: string): string =>
  json.replace(VALUE, (found, key: string | undefined, value: string) => {
    const text = parseJsonIfValid(value);
    const clean = SECRET_KEY.test(key ?? '') ? HIDDEN : typeof text === 'string' ? redactText(text, key) : text;
    return clean === text ? found : found.slice(0, found.length - value.length) + JSON.stringify(clean);
  });

/** Only a text that is a URL, JSON or an address as a whole: others may be code. */
function redactText(text: string, key = ''): string {
  if (URL_TEXT.test(text)) return redactQuery(text).replaceAll(HIDDEN, HIDDEN_IN_LINK);
  if (JSON_TEXT.test(text) && parseJsonIfValid(text) !== undefined) return redactJson(text);
  return /^"e-?mail"$/i.test(key) ? text.replace(EMAIL, exampleAddress(null)) : text;
}

export const exampleAddress = (username: unknown): string => `${username ?? 'user'}@example.com`;

/** Collects the email address of an account with its replacement. The service shows only the caller's own. */
export function collectAddress(
  document: unknown,
  addresses: Map<string, string>,
  replacementFor: (username: unknown) => string,
): void {
  if (!isObject(document) || typeof document.email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(document.email)) return;
  if (!addresses.has(document.email)) addresses.set(document.email, replacementFor(document.username));
}

export function replaceAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  let replaced = text;
  for (const [address, replacement] of addresses) {
    replaced = replaced.replaceAll(new RegExp(`(?<![\\w.+-])${escapePattern(address)}(?![\\w-])`, 'gi'), replacement);
  }
  return replaced;
}
