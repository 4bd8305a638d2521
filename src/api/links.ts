/** Builds the absolute URLs of a response. */
export class Links {
  /** Scheme, host and prefix as the client reached the emulator, without a trailing slash: `http://127.0.0.1:4010`. */
  readonly base: string;
  readonly #path: string;
  readonly #query: URLSearchParams;

  constructor(base: string, path: string, query: URLSearchParams) {
    this.base = base;
    this.#path = path.replace(/\/$/, '');
    this.#query = query;
  }

  /** Returns a URL below the base. */
  to(path: string): string {
    return `${this.base}${path}`;
  }

  /** Returns the URL of another page of the requested list. All other query parameters stay. */
  page(offset: number, limit: number): string {
    const query = new URLSearchParams(this.#query);
    query.set('limit', String(limit));
    query.set('offset', String(offset));
    return this.to(`${this.#path}?${query}`);
  }
}
