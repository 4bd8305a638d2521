/** The last items of many, oldest first, in an array that neither grows nor moves once it is full. */
export class Ring<T> implements Iterable<T> {
  readonly #capacity: number;
  #items: T[] = [];
  /** Where the next item goes. */
  #place = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The item in whose place the next one will come; undefined as long as there is room. */
  get next(): T | undefined {
    return this.#items[this.#place];
  }

  push(item: T): void {
    this.#items[this.#place] = item;
    this.#place = (this.#place + 1) % this.#capacity;
  }

  /** Drops all but the oldest `count`. */
  cut(count: number): void {
    this.#items = [...this].slice(0, count);
    this.#place = this.#items.length % this.#capacity;
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    yield* this.#items.slice(this.#place);
    yield* this.#items.slice(0, this.#place);
  }
}
