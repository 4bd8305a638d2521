import type { Edition } from '../domain/collection.js';
import type { State } from '../domain/state.js';

/** JSON text in the place of the value of type `T` that it stands for. */
export abstract class Json<T> {
  declare protected readonly standsFor: T;
  abstract readonly text: string;
  /** Length of the text in UTF-8. Kept, so that nobody need go through the text for it. */
  abstract readonly byteLength: number;

  static of<T>(value: T): Json<T> {
    return new WrittenJson(JSON.stringify(value));
  }
}

/** JSON that was written already. */
class WrittenJson<T> extends Json<T> {
  readonly text: string;
  readonly byteLength: number;

  constructor(text: string) {
    super();
    this.text = text;
    this.byteLength = Buffer.byteLength(text);
  }
}

/** The JSON of a value of type `T` but for a text that is wanted in some places and differs from time to time. */
export class JsonTemplate<T> {
  readonly #texts: readonly string[];
  #last: { readonly text: string; readonly filled: Json<T> } | undefined;

  private constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** @param places where the text goes in the JSON of `value` */
  static of<T>(value: T, places: RegExp): JsonTemplate<T> {
    return new JsonTemplate(JSON.stringify(value).split(places));
  }

  /** Asked for the same text again, it gives the same JSON again. */
  fill(text: string): Json<T> {
    if (this.#last?.text !== text) {
      this.#last = { text, filled: new WrittenJson(this.#texts.join(JSON.stringify(text).slice(1, -1))) };
    }
    return this.#last.filled;
  }
}

/** The collections of a state. */
type Collections = Pick<State, 'users' | 'vals' | 'likes'>;

interface Entry<I, W> {
  /** Of the collections that the inputs come from, when these were last looked up. */
  editions: readonly Edition[];
  readonly inputs: I;
  readonly written: W;
}

/**
 * A writer that keeps what it wrote of each record, and gives it again while all that it was made from is the same.
 * Records never change in place, so identity tells that; and as long as no other record has come or gone, nothing need be
 * looked up to know it.
 * @param from the collections that `inputsOf` reads, and no others
 * @param inputsOf whatever is shown of a record beside itself
 * @param write depends on the record and on its inputs alone
 */
export function kept<R extends object, const I extends readonly unknown[], W>(
  from: readonly (keyof Collections)[],
  inputsOf: (state: State, record: R) => I,
  write: (record: R, ...inputs: I) => W,
): (state: State, record: R) => W {
  const entries = new WeakMap<R, Entry<I, W>>();
  const isCurrent = ({ editions }: Entry<I, W>, state: State): boolean => {
    // A bare loop, since this is asked for each item of each page.
    let place = 0;
    for (const name of from) if (state[name].edition !== editions[place++]) return false;
    return true;
  };
  return (state, record) => {
    const entry = entries.get(record);
    if (entry && isCurrent(entry, state)) return entry.written;
    const inputs = inputsOf(state, record);
    const editions = from.map((name) => state[name].edition);
    if (entry && inputs.every((input, i) => input === entry.inputs[i])) {
      entry.editions = editions;
      return entry.written;
    }
    const written = write(record, ...inputs);
    entries.set(record, { editions, inputs, written });
    return written;
  };
}
