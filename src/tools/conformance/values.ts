import { isObject } from '#engine/lib/objects.js';

/** Lists the items of a page. Any other value has none. */
export const listItems = (page: unknown): readonly unknown[] =>
  isObject(page) && Array.isArray(page.data) ? page.data : [];

/** A name in braces without a value, since the account lacks the record. */
export class MissingValueError extends Error {
  /** As in `run.id`. */
  readonly path: string;

  constructor(path: string) {
    super(`there is no ${path}`);
    this.path = path;
  }
}

const PLACEHOLDER = /\{([a-zA-Z]\w*(?:\.\w+)*)\}/g;

/** Records of an account, and responses that the steps of a case have saved. */
export class Values {
  readonly #values: Map<string, unknown>;

  constructor(values: Iterable<readonly [name: string, value: unknown]>) {
    this.#values = new Map(values);
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  /**
   * Finds a value by its path: `val.id`, `all.data.0.id`. `upper.val.name` is the text in upper case, `long.49` a text of 49
   * letters, and `pad.48.val.name` the text with letters after it, 48 characters in all. `encoded.page.links.next` is the text for
   * a query, `compact.run.id` an id without hyphens, and `hyphens.line.traceId` one with them. `json.run.error` is a text for other
   * values, and `parameter.start.page.links.next` a parameter of a link. `count.page.data` is the length of a list, and `whole.page`
   * a page that no other page follows.
   * @throws MissingValueError if there is none
   */
  find(path: string): unknown {
    const [first = '', ...rest] = path.split('.');
    if (first === 'long') return 'a'.repeat(Number(rest[0]));
    if (first === 'pad') return String(this.find(rest.slice(1).join('.'))).padEnd(Number(rest[0]), 'a');
    if (first === 'encoded') return encodeURIComponent(String(this.find(rest.join('.'))));
    if (first === 'upper') return String(this.find(rest.join('.'))).toUpperCase();
    if (first === 'compact') return String(this.find(rest.join('.'))).replaceAll('-', '');
    if (first === 'hyphens')
      return String(this.find(rest.join('.'))).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    if (first === 'parameter') {
      const link = String(this.find(rest.slice(1).join('.')));
      return new URLSearchParams(link.replace(/^[^?]*/, '')).get(rest[0] ?? '');
    }
    if (first === 'count') {
      const list = this.find(rest.join('.'));
      return Array.isArray(list) ? list.length : undefined;
    }
    if (first === 'whole') {
      const page = this.find(rest.join('.'));
      if (isObject(page) && isObject(page.links) && page.links.next === undefined) return page;
      throw new MissingValueError(path);
    }
    if (first === 'json') {
      const value = this.find(rest.join('.'));
      return typeof value === 'string' ? value : JSON.stringify(value);
    }
    const found = rest.reduce<unknown>(getField, this.#values.get(first));
    if (found === undefined) throw new MissingValueError(path);
    return found;
  }

  /** Replaces names in braces in a text. @throws MissingValueError */
  fill(text: string): string {
    return text.replace(PLACEHOLDER, (_, path: string) => String(this.find(path) ?? this.#miss(path)));
  }

  /** Replaces names in braces in all texts of a JSON value. A text that is only one becomes its value. @throws MissingValueError */
  fillAll(value: unknown): unknown {
    if (typeof value === 'string') {
      const [whole, path] = /^\{([a-zA-Z]\w*(?:\.\w+)*)\}$/.exec(value) ?? [];
      return whole !== undefined && path !== undefined ? this.find(path) : this.fill(value);
    }
    if (Array.isArray(value)) return value.map((item) => this.fillAll(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, this.fillAll(field)]));
  }

  #miss(path: string): never {
    throw new MissingValueError(path);
  }
}

const getField = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) ? value[key] : undefined;
};
