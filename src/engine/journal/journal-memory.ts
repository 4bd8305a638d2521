const MEGABYTE = 1_048_576;
/** Bytes of paths, headers and bodies that a journal has: of the default sandbox, of a named one, and of all sandboxes. */
export const JOURNAL_BYTES = { default: 64 * MEGABYTE, named: MEGABYTE, all: 256 * MEGABYTE } as const;

interface Shrinkable {
  /** Drops a body. Returns false if no body is left. */
  shrink(): boolean;
}

/** Bounds what the journals of an emulator have in memory together. */
export class JournalMemory {
  readonly #limit: number;
  /** Those with exchanges, the one that was used longest ago first. */
  readonly #journals = new Set<Shrinkable>();
  #newest: Shrinkable | undefined;
  #size = 0;

  /** @param limit bytes */
  constructor(limit: number = JOURNAL_BYTES.all) {
    this.#limit = limit;
  }

  release(bytes: number): void {
    this.#size -= bytes;
  }

  /** Adds to the bytes of a journal, and makes room: the journal that was used longest ago loses its bodies first. */
  grow(journal: Shrinkable, bytes: number): void {
    this.#size += bytes;
    if (this.#newest !== journal) {
      this.#journals.delete(journal);
      this.#journals.add(journal);
      this.#newest = journal;
    }
    if (this.#size <= this.#limit) return;
    for (const oldest of this.#journals) {
      while (this.#size > this.#limit && oldest.shrink());
      if (this.#size <= this.#limit) return;
      this.#journals.delete(oldest);
    }
  }

  forget(journal: Shrinkable): void {
    this.#journals.delete(journal);
    if (this.#newest === journal) this.#newest = undefined;
  }
}
