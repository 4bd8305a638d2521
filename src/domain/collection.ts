import { once } from './once.js';
import { Tree } from './tree.js';

/** What an index can order by. */
export type Scalar = string | number | boolean;

/** One component of an order: what of an entry it compares, and which end comes first. */
export interface Component<E> {
  of(entry: E): Scalar;
  readonly descending: boolean;
}

export const asc = <E>(of: (entry: E) => Scalar): Component<E> => ({ of, descending: false });
export const desc = <E>(of: (entry: E) => Scalar): Component<E> => ({ of, descending: true });

/**
 * How records are ordered and found. `order` must tell every two entries apart. `entries` gives what stands in the index
 * for some records: for each of them one entry, none to leave it out, or several to find it in several places.
 */
export interface IndexSpec<R, E> {
  readonly order: readonly Component<E>[];
  entries(records: readonly R[]): readonly E[];
}

/** An index in which every record stands once, as itself. */
export const by = <R>(...order: Component<R>[]): IndexSpec<R, R> => ({ order, entries: (records) => records });

/** An index over what `entries` makes of each record. */
export const byEach = <R, E>(entries: (record: R) => readonly E[], ...order: Component<E>[]): IndexSpec<R, E> => ({
  order,
  entries(records) {
    const all: E[] = [];
    for (const record of records) all.push(...entries(record));
    return all;
  },
});

/** Bounds on the component that follows the key of a range: `after` is exclusive, `upTo` inclusive. */
export interface Bounds {
  readonly after?: Scalar | undefined;
  readonly upTo?: Scalar | undefined;
}

/** How many entries an iteration reads at once. */
const STRETCH = 128;

/** Neighbouring entries of an index, read page by page. */
export class Range<E> implements Iterable<E> {
  readonly #tree: Tree<E>;
  readonly #start: number;
  readonly #end: number;

  constructor(tree: Tree<E>, start: number, end: number) {
    this.#tree = tree;
    this.#start = start;
    this.#end = Math.max(start, end);
  }

  get length(): number {
    return this.#end - this.#start;
  }

  get first(): E | undefined {
    return this.length > 0 ? this.#tree.at(this.#start) : undefined;
  }

  /** At most `limit` entries after skipping `offset`. O(log n + limit). */
  page(offset: number, limit: number): E[] {
    const start = Math.min(this.#start + offset, this.#end);
    return this.#tree.slice(start, Math.min(start + limit, this.#end));
  }

  /** Those entries that satisfy `holds`, found as they are asked for. */
  *filter(holds: (entry: E) => boolean): Generator<E, void, undefined> {
    for (const entry of this) if (holds(entry)) yield entry;
  }

  /** All entries in order, read a stretch at a time. */
  *[Symbol.iterator](): Generator<E, void, undefined> {
    for (let offset = 0; offset < this.length; offset += STRETCH) yield* this.page(offset, STRETCH);
  }
}

/** An object of no meaning but to be itself. */
export type Edition = Readonly<Record<never, never>>;

/** Records, or what makes them when they are first asked for. */
export type Source<R> = readonly R[] | (() => readonly R[]);

/** An index filled with the entries of some records; immutable. */
export class Index<R, E> {
  readonly #spec: IndexSpec<R, E>;
  /** The tree, or what makes it. */
  #made: Tree<E> | (() => Tree<E>);
  #edition: Edition | undefined;

  private constructor(spec: IndexSpec<R, E>, made: Tree<E> | (() => Tree<E>)) {
    this.#spec = spec;
    this.#made = made;
  }

  /** Records are asked for and put in order when the index is first used, as many never are: a start does not wait. */
  static from<R, E>(spec: IndexSpec<R, E>, records: () => readonly R[]): Index<R, E> {
    return new Index(spec, () => {
      const { order } = spec;
      const entries = lastOfEach(order, sorted(order, spec.entries(records())));
      return Tree.from((a, b) => compareEntries(order, a, b), entries);
    });
  }

  get #tree(): Tree<E> {
    if (typeof this.#made === 'function') this.#made = this.#made();
    return this.#made;
  }

  /** How many entries there are. */
  get size(): number {
    return this.#tree.size;
  }

  /** Stands for the index as it is, without holding it in memory. */
  get edition(): Edition {
    this.#edition ??= {};
    return this.#edition;
  }

  /** The first entry under `key`. O(log n). */
  get(key: readonly Scalar[]): E | undefined {
    const entry = this.#tree.seek((other) => compareToKey(this.#spec.order, other, key) < 0);
    return entry !== undefined && compareToKey(this.#spec.order, entry, key) === 0 ? entry : undefined;
  }

  /** The first component of an entry's order. */
  keyOf(entry: E): Scalar {
    const [component] = this.#spec.order;
    if (!component) throw new TypeError('an index that orders by nothing');
    return component.of(entry);
  }

  /** The entry in the same place as `entry`. O(log n). */
  find(entry: E): E | undefined {
    return this.#tree.find(entry);
  }

  /** The entries whose leading components equal `key` and whose next one lies within `bounds`. O(log n). */
  range(key: readonly Scalar[] = [], bounds: Bounds = {}): Range<E> {
    const { after, upTo } = bounds;
    const before = (wanted: readonly Scalar[]) =>
      this.#tree.rank((entry) => compareToKey(this.#spec.order, entry, wanted) < 0);
    const through = (wanted: readonly Scalar[]) =>
      this.#tree.rank((entry) => compareToKey(this.#spec.order, entry, wanted) <= 0);
    if (this.#spec.order[key.length]?.descending) {
      const start = upTo === undefined ? before(key) : before([...key, upTo]);
      return new Range(this.#tree, start, after === undefined ? through(key) : before([...key, after]));
    }
    const start = after === undefined ? before(key) : through([...key, after]);
    return new Range(this.#tree, start, through(upTo === undefined ? key : [...key, upTo]));
  }

  /** See {@link Tree.changesSince}. */
  changesSince(earlier: Index<R, E>): { readonly added: E[]; readonly removed: E[] } {
    return this.#tree.changesSince(earlier.#tree);
  }

  /** This index after `old` gave way to `next`; either may be missing. */
  replace(old: R | undefined, next: R | undefined): Index<R, E> {
    const { order } = this.#spec;
    const outgoing = old === undefined ? [] : this.#spec.entries([old]);
    const incoming = next === undefined ? [] : this.#spec.entries([next]);
    let tree = this.#tree;
    for (const entry of outgoing) {
      if (!incoming.some((other) => compareEntries(order, entry, other) === 0)) tree = tree.delete(entry);
    }
    for (const entry of incoming) tree = tree.insert(entry);
    return tree === this.#tree ? this : new Index(this.#spec, tree);
  }
}

/** Texts that begin alike in this many characters are sorted together, and few enough to be at hand. */
const GATHERED_BY = 3;

/**
 * Entries in order. Those that are in order already stay as they are. Others are gathered first by a component that is
 * text, such as an author, and sorted among themselves: that spares most of the comparisons, and most of the ways to and
 * fro in the memory.
 */
export function sorted<E>(order: readonly Component<E>[], entries: readonly E[]): readonly E[] {
  const [component, ...rest] = order;
  const [first] = entries;
  if (component === undefined || first === undefined || isInOrder(order, entries)) return entries;
  const sort = (group: readonly E[]) => group.toSorted((a, b) => compareEntries(order, a, b));
  if (typeof component.of(first) === 'number') return sort(entries);
  const groups = new Map<Scalar, E[]>();
  for (const entry of entries) {
    const value = component.of(entry);
    const key = rest.length === 0 && typeof value === 'string' ? value.slice(0, GATHERED_BY) : value;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const inOrder: E[] = [];
  for (const key of [...groups.keys()].sort((a, b) => (a < b !== component.descending ? -1 : 1))) {
    const group = groups.get(key) ?? [];
    for (const entry of rest.length === 0 ? sort(group) : sorted(rest, group)) inOrder.push(entry);
  }
  return inOrder;
}

/** Of sorted entries in the same place the last. */
function lastOfEach<E>(order: readonly Component<E>[], entries: readonly E[]): readonly E[] {
  if (isInOrder(order, entries)) return entries;
  return entries.filter((entry, place) => {
    const next = entries[place + 1];
    return next === undefined || compareEntries(order, entry, next) !== 0;
  });
}

/** Whether each entry comes before the next one, none in the same place. */
function isInOrder<E>(order: readonly Component<E>[], entries: readonly E[]): boolean {
  let before: E | undefined;
  for (const entry of entries) {
    if (before !== undefined && compareEntries(order, before, entry) >= 0) return false;
    before = entry;
  }
  return true;
}

/** The first difference between two entries in this order. */
function compareEntries<E>(order: readonly Component<E>[], a: E, b: E): number {
  for (const component of order) {
    const ofA = component.of(a);
    const ofB = component.of(b);
    if (ofA !== ofB) return ofA < ofB !== component.descending ? -1 : 1;
  }
  return 0;
}

/** The same against a key, which may have fewer components than the order. */
function compareToKey<E>(order: readonly Component<E>[], entry: E, key: readonly Scalar[]): number {
  for (let i = 0; i < key.length; i++) {
    const component = order[i];
    const wanted = key[i];
    if (component === undefined || wanted === undefined) break;
    const found = component.of(entry);
    if (found !== wanted) return found < wanted !== component.descending ? -1 : 1;
  }
  return 0;
}

/** Indexes over so many records are made at once: better a start that takes its time than the first request. */
const MANY = 10_000;

/** The further indexes of a collection by name. */
export type IndexSpecs<R> = { readonly [name: string]: IndexSpec<R, unknown> };
type Indexes<R, S extends IndexSpecs<R>> = {
  readonly [N in keyof S]: S[N] extends IndexSpec<R, infer E> ? Index<R, E> : never;
};

/**
 * An immutable set of records with ordered indexes. `put` and `delete` give a new collection that shares nearly all of
 * the old one, which is why a state can be forked by copying a handful of references.
 */
export class Collection<R, S extends IndexSpecs<R> = Record<never, never>> {
  /** In identity order every record stands once. */
  readonly #primary: Index<R, R>;
  /** The further indexes by name: `vals.by.author.range([ada.id])`. */
  readonly by: Indexes<R, S>;
  /** Stands for the records that it has, each as it is: with one more they are still the same. */
  readonly holdings: Edition;
  /**
   * Records that were looked up. What is found once is found always, as a collection never changes. The map is handed on to
   * the next collection, which is the one that is asked from then on, so that a write does not cost what was found.
   */
  #known: Map<Scalar, R> | undefined;

  private constructor(primary: Index<R, R>, further: Iterable<[string, Index<R, unknown>]>, holdings: Edition = {}) {
    this.#primary = primary;
    this.holdings = holdings;
    // Names and entry types are those of the specs, which Object.fromEntries cannot tell.
    this.by = Object.fromEntries(further) as Indexes<R, S>;
  }

  /**
   * Records of one identity are one record: the last. O(n log n) for each index.
   * @param near an order from which those of the indexes are not far, so that they are had from it at less cost
   */
  static from<R, S extends IndexSpecs<R>>(
    identity: IndexSpec<R, R>,
    further: S,
    records: Source<R>,
    near: readonly Component<R>[] = [],
  ): Collection<R, S> {
    const arranged = once(() => sorted(near, typeof records === 'function' ? records() : records));
    const primary = Index.from(identity, arranged);
    const unique = once(() => (primary.size === arranged().length ? arranged() : [...primary.range()]));
    const indexes = Object.entries(further).map(([name, spec]): [string, Index<R, unknown>] => [
      name,
      Index.from(spec, unique),
    ]);
    if (typeof records !== 'function' && records.length > MANY) {
      void primary.size;
      for (const [, index] of indexes) void index.size;
    }
    return new Collection<R, S>(primary, indexes);
  }

  get size(): number {
    return this.#primary.size;
  }

  /** Stands for the collection as it is, without holding it in memory. */
  get edition(): Edition {
    return this.#primary.edition;
  }

  /** The record with this identity, given component by component. O(log n), and O(1) for what was asked for before. */
  get(...identity: readonly Scalar[]): R | undefined {
    const [key, ...others] = identity;
    if (key === undefined || others.length > 0) return this.#primary.get(identity);
    const known = this.#known?.get(key);
    if (known !== undefined) return known;
    const found = this.#primary.get(identity);
    if (found !== undefined) {
      this.#known ??= new Map();
      this.#known.set(key, found);
    }
    return found;
  }

  /** Records in identity order whose leading components equal `key`. O(log n). */
  range(...key: readonly Scalar[]): Range<R> {
    return this.#primary.range(key);
  }

  /** With this record, in place of the one of the same identity. O(log n) for each index. */
  put(record: R): Collection<R, S> {
    return this.#replace(this.#primary.find(record), record);
  }

  /** Without the record of this identity. O(log n) for each index. */
  delete(record: R): Collection<R, S> {
    const old = this.#primary.find(record);
    return old === undefined ? this : this.#replace(old, undefined);
  }

  #replace(old: R | undefined, next: R | undefined): Collection<R, S> {
    const further: [string, Index<R, unknown>][] = [];
    for (const name in this.by) further.push([name, this.by[name].replace(old, next)]);
    const holdings = old === undefined ? this.holdings : {};
    const successor = new Collection<R, S>(this.#primary.replace(old, next), further, holdings);
    const known = this.#known;
    if (known) {
      if (old !== undefined) known.delete(this.#primary.keyOf(old));
      if (next !== undefined) known.set(this.#primary.keyOf(next), next);
      successor.#known = known;
      this.#known = undefined;
    }
    return successor;
  }

  /** The records that were put in or took the place of others since an `earlier` collection, and those that are gone. */
  changesSince(earlier: Collection<R, S>): { readonly added: R[]; readonly removed: R[] } {
    return this.#primary.changesSince(earlier.#primary);
  }

  /** Every record in identity order. */
  [Symbol.iterator](): Iterator<R> {
    return this.range()[Symbol.iterator]();
  }
}
