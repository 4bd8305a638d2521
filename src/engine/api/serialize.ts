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
type View<R extends object, I extends readonly unknown[], T> = (record: R, ...inputs: I) => T;

/** The source of all inputs of views: the same objects give the same inputs. */
interface InputSource {
  readonly state: object;
  readonly links: { readonly base: string };
}

export type SerializeRecord = <R extends object, I extends readonly unknown[], T>(
  view: View<R, I, T>,
  record: R,
  source: InputSource,
  getInputs: () => readonly [...I],
) => SerializedJson<T>;

interface Entry {
  readonly inputs: readonly unknown[];
  readonly text: string;
  /** The source that had these inputs last. */
  source: number;
}

/** The JSON text of records, cached for each view as long as the inputs are the same objects. */
export class SerializationCache {
  readonly #views = new Map<unknown, WeakMap<object, Entry>>();
  /** The last source, and its number. While it stays the same, no input is looked up. */
  #state: object | undefined;
  #base = '';
  #source = 0;

  readonly serialize: SerializeRecord = (view, record, { state, links: { base } }, getInputs) => {
    if (state !== this.#state || base !== this.#base) {
      this.#state = state;
      this.#base = base;
      this.#source++;
    }
    let entries = this.#views.get(view);
    if (!entries) {
      entries = new WeakMap();
      this.#views.set(view, entries);
    }
    const cached = entries.get(record);
    if (cached?.source === this.#source) return new SerializedJson(cached.text);
    const inputs = getInputs();
    if (cached?.inputs.every((input, i) => input === inputs[i])) {
      cached.source = this.#source;
      return new SerializedJson(cached.text);
    }
    const text = JSON.stringify(view(record, ...inputs));
    entries.set(record, { inputs, text, source: this.#source });
    return new SerializedJson(text);
  };
}
