/** JSON text in the place of the value of type `T` that it stands for. */
export class Json<T> {
  readonly text: string;
  declare protected readonly standsFor: T;

  constructor(text: string) {
    this.text = text;
  }

  static of<T>(value: T): Json<T> {
    return new Json(JSON.stringify(value));
  }
}

/** The JSON of a value of type `T` but for a text that is wanted in some places and differs from time to time. */
export class JsonTemplate<T> {
  readonly #texts: readonly string[];

  private constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** @param places where the text goes in the JSON of `value` */
  static of<T>(value: T, places: RegExp): JsonTemplate<T> {
    return new JsonTemplate(JSON.stringify(value).split(places));
  }

  fill(text: string): Json<T> {
    return new Json(this.#texts.join(JSON.stringify(text).slice(1, -1)));
  }
}

/**
 * A writer that keeps what it wrote of each record, and gives it again while all that it was made from is the same.
 * Records never change in place, so identity tells that.
 * @param write writes a record and whatever else it is given, and depends on nothing beside
 */
export function kept<R extends object, I extends readonly unknown[], W>(
  write: (record: R, ...inputs: I) => W,
): (record: R, ...inputs: I) => W {
  const entries = new WeakMap<R, { readonly inputs: I; readonly written: W }>();
  return (record, ...inputs) => {
    const entry = entries.get(record);
    if (entry && inputs.every((input, i) => input === entry.inputs[i])) return entry.written;
    const written = write(record, ...inputs);
    entries.set(record, { inputs, written });
    return written;
  };
}
