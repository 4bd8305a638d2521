/** The JSON text of a value of type `T`. */
export class SerializedJson<T = unknown> {
  /** Exists in the type only. */
  declare readonly value?: T;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const serialize = (value: unknown): string =>
  value instanceof SerializedJson ? value.text : JSON.stringify(value);

/** Makes a response body of a record and further inputs. Part of the cache key, so it must be in module scope. */
export type View<R extends object, I extends readonly unknown[], T> = (record: R, ...inputs: I) => T;

export type SerializeRecord = <R extends object, I extends readonly unknown[], T>(
  view: View<R, I, T>,
  record: R,
  ...inputs: I
) => SerializedJson<T>;

interface Entry {
  readonly inputs: readonly unknown[];
  readonly text: string;
}

/** The JSON text of records, cached for each view as long as the inputs are the same objects. */
export class SerializationCache {
  readonly #views = new Map<unknown, WeakMap<object, Entry>>();

  readonly serialize: SerializeRecord = (view, record, ...inputs) => {
    let entries = this.#views.get(view);
    if (!entries) {
      entries = new WeakMap();
      this.#views.set(view, entries);
    }
    const cached = entries.get(record);
    if (cached?.inputs.every((input, i) => input === inputs[i])) return new SerializedJson(cached.text);
    const text = JSON.stringify(view(record, ...inputs));
    entries.set(record, { inputs, text });
    return new SerializedJson(text);
  };
}
