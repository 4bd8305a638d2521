/** What stands where a token was. */
const BLANK = '[token]';

/** Blanks tokens in what is shown to people. Takes time by the length of a text, however many tokens there are. */
export class Redactor {
  readonly #tokens = new Set<string>();
  /** Of the tokens, longest first: a token goes before one that it begins with. */
  readonly #lengths: readonly number[];
  /** Whether some token begins with these two characters: passes over nearly every place in a text. */
  readonly #starts = new Uint8Array(128 * 128);

  constructor(tokens: Iterable<string>) {
    for (const token of tokens) {
      if (token === '') continue;
      this.#add(token);
      // A body that was cut is no JSON any more, so its escapes are still there.
      this.#add(JSON.stringify(token).slice(1, -1));
    }
    this.#lengths = [...new Set([...this.#tokens].map(({ length }) => length))].sort((a, b) => b - a);
  }

  #add(token: string): void {
    this.#tokens.add(token);
    const start = pairAt(token, 0);
    if (token.length > 1) this.#starts[start] = 1;
    else this.#starts.fill(1, start - (start % 128), start - (start % 128) + 128);
  }

  /**
   * The text without tokens, whether they stand in it as they are or as an address writes them (`two%20words`).
   * @param end cuts it there, and a token that reaches beyond as a whole
   */
  text(text: string, end = text.length): string {
    const blanked = this.#blank(text, end);
    if (!/[%+]/.test(blanked)) return blanked;
    return blanked.replace(/\S+/g, (word) => {
      for (const plain of [unescapeAscii(word), unescapeAscii(word.replaceAll('+', ' '))]) {
        const found = this.#blank(plain);
        if (found !== plain) return found;
      }
      return word;
    });
  }

  /** The same for all texts in what JSON can write, keys too, and for numbers. */
  value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.value(item)]));
    }
    const text = this.text(String(value));
    return text === String(value) ? value : text;
  }

  #blank(text: string, end = text.length): string {
    let blanked = '';
    let from = 0;
    for (let at = 0; at < end; at++) {
      if (this.#starts[pairAt(text, at)] === 0) continue;
      const length = this.#lengths.find((length) => this.#tokens.has(text.slice(at, at + length)));
      if (length === undefined) continue;
      blanked += text.slice(from, at) + BLANK;
      from = at + length;
      at = from - 1;
    }
    return blanked + text.slice(from, Math.max(from, end));
  }
}

/** The two characters at a place as one number; what is not ASCII falls together with something that is. */
const pairAt = (text: string, at: number): number =>
  (text.charCodeAt(at) & 127) * 128 + (text.charCodeAt(at + 1) & 127);

const unescapeAscii = (text: string): string =>
  text.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
