/** Addresses in answers, as the client that asks reaches the emulator. */
export class Links {
  /** Scheme, host and prefix, without a slash at the end: `http://127.0.0.1:4010`. */
  readonly base: string;
  readonly #path: string;
  readonly #search: URLSearchParams;

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
    const search = new URLSearchParams(this.#search);
    search.set('limit', String(limit));
    search.set('offset', String(offset));
    return this.to(`${this.#path}?${search}`);
  }
}
