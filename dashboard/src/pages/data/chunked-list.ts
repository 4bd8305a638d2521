import { effect, signal } from '@preact/signals';
import { type ControlError, toControlError } from '../../lib/api.js';
import { connection, revisions } from '../../lib/live.js';

/** Records that one request reads. */
const CHUNK = 100;
/** Chunks of a list that are kept. */
const MAX_CHUNKS = 60;
/** Milliseconds between two reads of a list that changes all the time. */
const MIN_INTERVAL_MS = 1_000;

interface Chunk<T> {
  readonly rows: readonly T[];
  /** The revision of the state before the chunk was read. */
  readonly revision: number;
}

interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Rows that are read in chunks as they come into view. */
export class ChunkedList<T> {
  readonly total = signal<number | undefined>(undefined);
  readonly error = signal<ControlError | undefined>(undefined);
  /** Pixels to which the list was scrolled last. */
  scrollTop = 0;
  readonly #read: (offset: number, limit: number) => Promise<Page<T>>;
  readonly #chunks = signal<ReadonlyMap<number, Chunk<T>>>(new Map());
  #range: readonly [first: number, last: number] = [0, 0];
  #isReading = false;
  #lastRead = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: (offset: number, limit: number) => Promise<Page<T>>) {
    this.#read = read;
  }

  get(index: number): T | undefined {
    return this.#chunks.value.get(Math.floor(index / CHUNK))?.rows[index % CHUNK];
  }

  /** Reads what is missing or outdated in a range of rows. */
  show(first: number, last: number): void {
    this.#range = [first, last];
    void this.#load();
  }

  /** Reads the range again whenever the state changes, until the returned function is called. */
  follow(): () => void {
    const stop = effect(() => {
      if (revisions.state.value >= 0 && connection.value === 'open') void this.#load();
    });
    void this.#load();
    return () => {
      stop();
      clearTimeout(this.#timer);
    };
  }

  /** Finds the next chunk to read: one that is missing before one that is outdated. */
  #next(): number | undefined {
    const [first, last] = this.#range.map((index) => Math.floor(index / CHUNK));
    const chunks = this.#chunks.peek();
    const indexes = Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, i) => (first ?? 0) + i);
    const missing = indexes.find((index) => !chunks.has(index));
    return missing ?? indexes.find((index) => chunks.get(index)?.revision !== revisions.state.peek());
  }

  async #load(): Promise<void> {
    const index = this.#next();
    if (this.#isReading || index === undefined) return;
    const wait = this.#chunks.peek().has(index) ? this.#lastRead + MIN_INTERVAL_MS - performance.now() : 0;
    clearTimeout(this.#timer);
    if (wait > 0) {
      this.#timer = setTimeout(() => void this.#load(), wait);
      return;
    }
    this.#isReading = true;
    this.#lastRead = performance.now();
    const revision = revisions.state.peek();
    try {
      const { rows, total } = await this.#read(index * CHUNK, CHUNK);
      const others = [...this.#chunks.peek()].filter(([other]) => other !== index).slice(1 - MAX_CHUNKS);
      this.#chunks.value = new Map([...others, [index, { rows, revision }]]);
      this.total.value = total;
      this.error.value = undefined;
    } catch (error) {
      this.error.value = toControlError(error);
      return;
    } finally {
      this.#isReading = false;
    }
    await this.#load();
  }
}
