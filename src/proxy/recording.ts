import type { Exchange } from './exchange.js';

/** Characters of all entries of a recording. */
const MAX_LENGTH = 100 * 1024 * 1024;

/** A recording of traffic. It is kept in memory, so that a secret of a later request is replaced in the earlier ones too. */
export abstract class Recording<Entry extends object> {
  /** Requests that the recording has no room for. */
  leftOut = 0;
  readonly #entries: Entry[] = [];
  #length = 0;

  abstract add(exchange: Exchange): void;
  /** Formats the file, without secrets. */
  abstract format(): Iterable<string>;

  /** Resolves when it has all about its requests. */
  async settle(): Promise<void> {}

  get count(): number {
    return this.#entries.length;
  }

  protected get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Returns whether there is room for an entry. */
  protected keep(entry: Entry): boolean {
    const { length } = JSON.stringify(entry);
    if (this.#length + length > MAX_LENGTH) {
      this.leftOut++;
      return false;
    }
    this.#length += length;
    this.#entries.push(entry);
    return true;
  }
}
