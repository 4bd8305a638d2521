/** A change to a state that is committed as a whole or not at all. */
export class Transaction<S, D extends S> {
  readonly base: S;
  readonly #fork: (state: S) => D;
  #draft: D | undefined;

  constructor(base: S, fork: (state: S) => D) {
    this.base = base;
    this.#fork = fork;
  }

  get state(): S {
    return this.#draft ?? this.base;
  }

  /** The state to write to, forked from the base on first use. */
  get draft(): D {
    this.#draft ??= this.#fork(this.base);
    return this.#draft;
  }

  /** Runs a change on a copy of the draft, which becomes the draft if it differs. If the change throws, the copy is dropped. */
  savepoint<T>(change: (draft: D) => T): T {
    const before = this.state;
    const attempt = this.#fork(before);
    const result = change(attempt);
    for (const field in before) {
      if (attempt[field] === before[field]) continue;
      this.#draft = attempt;
      break;
    }
    return result;
  }
}
