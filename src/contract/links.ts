/** Addresses in answers, as the client that asks reaches the emulator. */
export class Links {
  /** Scheme, host and prefix, without a slash at the end: `http://127.0.0.1:4010`. */
  readonly base: string;
  readonly #path: string;
  readonly #search: URLSearchParams;
  /** The address of any part of a list, cut where the offset goes. */
  #parts: readonly string[] | undefined;

  constructor(base: string, path: string, search: URLSearchParams) {
    this.base = base;
    this.#path = path;
    this.#search = search;
  }

  /** An address below `base`. */
  to(path: string): string {
    return `${this.base}${path}`;
  }

  /** The address of the request itself, for another part of the list; all other parameters stay. */
  page(offset: number, limit: number): string {
    this.#parts ??= this.#partsFor(limit);
    return this.#parts.join(String(offset));
  }

  #partsFor(limit: number): readonly string[] {
    const search = new URLSearchParams(this.#search);
    search.set('limit', String(limit));
    search.set('offset', '0');
    const [before = '', after = ''] = search.toString().split(/(?<=(?:^|&)offset=)0/);
    return [this.to(`${this.#path}?${before}`), after];
  }
}
