import { formatValue } from '../lib/messages.js';
import { deepFreeze } from '../lib/objects.js';
import { finish, inSteps, type Steps } from '../lib/steps.js';
import { compareEntries, type Scalar, type SortKey } from './sort-keys.js';
import { Sorter } from './sorter.js';
import { Tree } from './tree.js';

export { asc, desc, type Scalar, type SortKey } from './sort-keys.js';

/** The sort order of an index and the entries that a record has in it. */
export interface IndexSpec<R, E> {
  /** Must tell every two entries apart. */
  readonly sortKeys: readonly SortKey<E>[];
  /** One entry per record, none to leave it out, or several to find it in several positions. */
  project(record: R): readonly E[];
  /** Projects all records. */
  projectAll(records: Sorter<R>): Steps<Sorter<E>>;
}

/** An index that contains every record once. */
export const index = <R>(...sortKeys: SortKey<R>[]): IndexSpec<R, R> => ({
  sortKeys,
  project: (record) => [record],
  // biome-ignore lint/correctness/useYield: nothing to project
  *projectAll(records) {
    return records;
  },
});

/** An index over the entries that `project` makes of each record. */
export const multiIndex = <R, E>(
  project: (record: R) => readonly E[],
  ...sortKeys: SortKey<NoInfer<E>>[]
): IndexSpec<R, E> => ({
  sortKeys,
  project,
  *projectAll(records) {
    const entries: E[] = [];
    yield* inSteps(records.entries, (record) => {
      for (const entry of project(record)) entries.push(entry);
    });
    return new Sorter(entries);
  },
});

/** Bounds on the sort key that follows the prefix of a range: `after` is exclusive, `until` inclusive. */
export interface Bounds {
  readonly after?: Scalar | undefined;
  readonly until?: Scalar | undefined;
}

const BATCH_SIZE = 128;

/** Consecutive entries of an index, read page by page. */
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

  /** Returns at most `limit` entries after `offset`. O(log n + limit). */
  page(offset: number, limit: number): E[] {
    const start = Math.min(this.#start + offset, this.#end);
    return this.#tree.slice(start, Math.min(start + limit, this.#end));
  }

  [Symbol.iterator](): Generator<E, void, undefined> {
    return this.forwards();
  }

  /** Iterates from the first entry on, without the first `skip`. */
  *forwards(skip = 0): Generator<E, void, undefined> {
    for (let offset = skip; offset < this.length; offset += BATCH_SIZE) yield* this.page(offset, BATCH_SIZE);
  }

  /** Iterates from the last entry back, without the last `skip`. */
  *backwards(skip = 0): Generator<E, void, undefined> {
    for (let end = this.length - skip; end > 0; end -= BATCH_SIZE) {
      const start = Math.max(0, end - BATCH_SIZE);
      yield* this.page(start, end - start).reverse();
    }
  }
}

/** An immutable sorted index over the entries of records. */
export class Index<R, E> {
  readonly #spec: IndexSpec<R, E>;
  #content: Tree<E> | Sorter<R>;
  /** The last key that was looked up, and its entry: most requests have the token of the one before. */
  #last: { readonly key: Scalar; readonly entry: E | undefined } | undefined;

  /**
   * Makes an index, built on first use. Of several entries at the same position, the last one counts. O(n).
   * @param content the records, which indexes of the same ones share
   */
  constructor(spec: IndexSpec<R, E>, content: Tree<E> | Sorter<R>) {
    this.#spec = spec;
    this.#content = content;
  }

  get #tree(): Tree<E> {
    return this.#content instanceof Tree ? this.#content : finish(this.#build(this.#content));
  }

  /** Does in steps what the first use does at once otherwise. */
  *prepare(): Steps<void> {
    if (this.#content instanceof Sorter) yield* this.#build(this.#content);
  }

  *#build(records: Sorter<R>): Steps<Tree<E>> {
    const { sortKeys, projectAll } = this.#spec;
    const entries = yield* projectAll(records);
    const compare = (a: E, b: E) => compareEntries(sortKeys, a, b);
    const tree = yield* Tree.from(compare, yield* entries.sort(sortKeys));
    this.#content = tree;
    return tree;
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Returns the first entry whose leading sort keys equal `prefix`. O(log n). */
  get(prefix: readonly Scalar[]): E | undefined {
    const [key] = prefix;
    if (key === undefined || prefix.length > 1) return this.#find(prefix);
    if (this.#last?.key !== key) this.#last = { key, entry: this.#find(prefix) };
    return this.#last.entry;
  }

  #find(prefix: readonly Scalar[]): E | undefined {
    const entry = this.#tree.lowerBound((other) => compareToPrefix(this.#spec.sortKeys, other, prefix) < 0);
    return entry !== undefined && compareToPrefix(this.#spec.sortKeys, entry, prefix) === 0 ? entry : undefined;
  }

  /** Returns the entry at the position of `entry`. O(log n). */
  find(entry: E): E | undefined {
    return this.#tree.find(entry);
  }

  /**
   * Returns the entries whose leading sort keys equal `prefix` and whose next one is within the bounds. O(log n).
   * In a descending order the later bound comes first. Of runs at 9, 7, 5 and 3 o'clock, `{ after: 3, until: 7 }` gives 7
   * and 5. It starts at the first run that is not later than 7. It ends before the first that is not later than 3.
   */
  range(prefix: readonly Scalar[] = [], { after, until }: Bounds = {}): Range<E> {
    const { sortKeys } = this.#spec;
    const tree = this.#tree;
    /** Counts the entries before the ones with a key, or through them. */
    const count = (key: readonly Scalar[], end: 'before' | 'through') => {
      const limit = end === 'before' ? 0 : 1;
      return tree.rank((entry) => compareToPrefix(sortKeys, entry, key) < limit);
    };
    const untilKey = until === undefined ? prefix : [...prefix, until];
    if (sortKeys[prefix.length]?.descending) {
      const end = after === undefined ? count(prefix, 'through') : count([...prefix, after], 'before');
      return new Range(tree, count(untilKey, 'before'), end);
    }
    const start = after === undefined ? count(prefix, 'before') : count([...prefix, after], 'through');
    return new Range(tree, start, count(untilKey, 'through'));
  }

  identify(entry: E): Scalar[] {
    return this.#spec.sortKeys.map((key) => key.get(entry));
  }

  /** Returns the changes since an `earlier` index, in order. Costs in proportion to the change. */
  diff(earlier: Index<R, E>): RecordChange<E>[] {
    const { added, removed } = this.#tree.diff(earlier.#tree);
    const compare = (a: E, b: E) => compareEntries(this.#spec.sortKeys, a, b);
    const changes: RecordChange<E>[] = [];
    let next = 0;
    for (const after of added) {
      let before = removed[next];
      for (; before !== undefined && compare(before, after) < 0; before = removed[++next]) {
        changes.push({ record: before, before });
      }
      const isReplaced = before !== undefined && compare(before, after) === 0;
      changes.push(isReplaced ? { record: after, before, after } : { record: after, after });
      if (isReplaced) next++;
    }
    for (const before of removed.slice(next)) changes.push({ record: before, before });
    return changes;
  }

  /** Returns an index in which `next` replaces `old`. Either may be missing. */
  replace(old: R | undefined, next: R | undefined): Index<R, E> {
    let tree = this.#tree;
    for (const entry of old === undefined ? [] : this.#spec.project(old)) tree = tree.delete(entry);
    for (const entry of next === undefined ? [] : this.#spec.project(next)) tree = tree.insert(entry);
    return tree === this.#tree ? this : new Index(this.#spec, tree);
  }

  /** Returns an index without the entries of records, and the entries that it had of them. Copies each node of the tree once. */
  without(records: readonly R[]): { readonly index: Index<R, E>; readonly removed: readonly E[] } {
    const { sortKeys, project } = this.#spec;
    const entries = records.flatMap((record) => project(record)).sort((a, b) => compareEntries(sortKeys, a, b));
    const removed: E[] = [];
    const tree = this.#tree.deleteAll(entries, removed);
    return { index: tree === this.#tree ? this : new Index(this.#spec, tree), removed };
  }
}

function compareToPrefix<E>(sortKeys: readonly SortKey<E>[], entry: E, prefix: readonly Scalar[]): number {
  for (let i = 0; i < prefix.length; i++) {
    const key = sortKeys[i];
    const wanted = prefix[i];
    if (key === undefined) break;
    // Of a program in JavaScript. Nothing equals it.
    if (wanted === undefined) return 1;
    const found = key.get(entry);
    if (found !== wanted) return found < wanted !== key.descending ? -1 : 1;
  }
  return 0;
}

/** A record before and after a change. Without `before` it was added, without `after` removed. */
export interface RecordChange<R> {
  /** The record after the change, or the removed one. */
  readonly record: R;
  readonly before?: R | undefined;
  readonly after?: R | undefined;
}

export type IndexSpecs<R> = { readonly [name: string]: IndexSpec<R, unknown> };
type Indexes<R, S extends IndexSpecs<R>> = {
  readonly [N in keyof S]: S[N] extends IndexSpec<R, infer E> ? Index<R, E> : never;
};

export interface CollectionSpec<R, S extends IndexSpecs<R>> {
  readonly identity: IndexSpec<R, R>;
  readonly indexes: S;
  /** Whether its records are frozen, since the types do not keep every program from changing one in place. Default: false */
  readonly isFrozen?: boolean;
  /** Checks the first record of an empty collection. @throws an error that takes it back */
  check?(record: R): void;
}

/** A collection without its indexes: what code for all collections uses. */
export interface RecordSet<R extends object = object> extends Iterable<R> {
  readonly size: number;
  get(...identity: readonly Scalar[]): R | undefined;
  put(record: R): RecordSet<R>;
  delete(record: R): RecordSet<R>;
  deleteAll(records: readonly R[]): RecordSet<R>;
  identify(record: R): readonly Scalar[];
  diff(earlier: RecordSet<R>): readonly RecordChange<R>[];
  prepare(): Steps<void>;
}

const toChange = <R>(before: R | undefined, after: R | undefined): RecordChange<R> | undefined => {
  if (after === undefined) return before === undefined ? undefined : { record: before, before };
  return before === undefined ? { record: after, after } : { record: after, before, after };
};

/** The types state the same, which a program in JavaScript does not check. */
function assertRecord(method: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) return;
  throw new TypeError(`${method} takes a record, as get and by.NAME return it; found ${formatValue(value)}.`);
}

/** Maximum number of records that a collection caches: about 5 MB. */
const MAX_FOUND = 100_000;

/** An immutable set of records with sorted indexes. `put` and `delete` return a collection that shares nearly all of it. */
export class Collection<R, S extends IndexSpecs<R> = Record<never, never>> {
  readonly #spec: CollectionSpec<R, S>;
  readonly #primary: Index<R, R>;
  /** The secondary indexes by name: `vals.by.author.range([ada.id])`. */
  readonly by: Indexes<R, S>;
  /** Cache of records by identities of one key: a page looks up the author and the val of each item. */
  readonly #found = new Map<Scalar, R>();
  /** What the collections that changes make of this one have in common. */
  readonly #mark = {};
  /** The change that made it, and the mark of the collection that it was made of. */
  readonly #made: { readonly of: object; readonly change: RecordChange<R> } | undefined;

  private constructor(
    spec: CollectionSpec<R, S>,
    primary: Index<R, R>,
    indexes: Iterable<[string, Index<R, unknown>]>,
    made?: { readonly of: object; readonly change: RecordChange<R> },
  ) {
    this.#spec = spec;
    this.#primary = primary;
    this.#made = made;
    // Object.fromEntries loses the names and entry types, which the spec has.
    this.by = Object.fromEntries(indexes) as Indexes<R, S>;
  }

  /** Builds a collection. Of several records with one identity, the last one counts. O(n) for each index. */
  static from<R, S extends IndexSpecs<R>>(spec: CollectionSpec<R, S>, records: readonly R[]): Collection<R, S> {
    return finish(Collection.fromInSteps(spec, records));
  }

  /** Does in steps what {@link from} does. */
  static *fromInSteps<R, S extends IndexSpecs<R>>(
    spec: CollectionSpec<R, S>,
    records: readonly R[],
  ): Steps<Collection<R, S>> {
    if (records[0] !== undefined) spec.check?.(records[0]);
    if (spec.isFrozen) yield* inSteps(records, deepFreeze);
    const all = new Sorter(records);
    const primary = new Index(spec.identity, all);
    yield* primary.prepare();
    const unique = primary.size === records.length ? all : new Sorter([...primary.range()]);
    return new Collection<R, S>(
      spec,
      primary,
      Object.entries(spec.indexes).map(([name, indexSpec]) => [name, new Index(indexSpec, unique)]),
    );
  }

  get size(): number {
    return this.#primary.size;
  }

  /** Builds the secondary indexes in steps, before their first use. */
  *prepare(): Steps<void> {
    for (const name in this.by) yield* this.by[name].prepare();
  }

  /** Returns the record with this identity, given sort key by sort key. O(log n). */
  get(...identity: readonly Scalar[]): R | undefined {
    const [key] = identity;
    if (key === undefined || identity.length > 1) return this.#primary.get(identity);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#primary.get(identity);
    if (this.#found.size === MAX_FOUND) this.#found.clear();
    if (found !== undefined) this.#found.set(key, found);
    return found;
  }

  /** Returns the records, in identity order, whose leading sort keys equal `prefix`. O(log n). */
  range(...prefix: readonly Scalar[]): Range<R> {
    return this.#primary.range(prefix);
  }

  /** Returns the records, in identity order, whose first sort key is within the bounds. O(log n). */
  within(bounds: Bounds): Range<R> {
    return this.#primary.range([], bounds);
  }

  /**
   * Returns a collection with this record, in place of one with the same identity. O(log n) for each index.
   * @throws TypeError for a value that is not an object
   */
  put(record: R): Collection<R, S> {
    assertRecord('put', record);
    if (this.size === 0) this.#spec.check?.(record);
    return this.#replace(this.#primary.find(record), this.#spec.isFrozen ? deepFreeze(record) : record);
  }

  /**
   * Returns a collection without the record of this identity. O(log n) for each index.
   * @throws TypeError for a value that is not an object, such as an id
   */
  delete(record: R): Collection<R, S> {
    assertRecord('delete', record);
    const old = this.#primary.find(record);
    return old === undefined ? this : this.#replace(old, undefined);
  }

  /** Returns a collection without the records of these identities. Many cost a fraction of what they cost one by one. */
  deleteAll(records: readonly R[]): Collection<R, S> {
    const { index: primary, removed } = this.#primary.without(records);
    const [old] = removed;
    if (old === undefined) return this;
    const indexes: [string, Index<R, unknown>][] = [];
    for (const name in this.by) indexes.push([name, this.by[name].without(removed).index]);
    return this.#become(primary, indexes, removed.length === 1 ? toChange(old, undefined) : undefined);
  }

  /** Either may be missing. */
  #replace(old: R | undefined, next: R | undefined): Collection<R, S> {
    const indexes: [string, Index<R, unknown>][] = [];
    for (const name in this.by) indexes.push([name, this.by[name].replace(old, next)]);
    return this.#become(this.#primary.replace(old, next), indexes, old === next ? undefined : toChange(old, next));
  }

  /** Returns the collection that a change made of this one. Without `change`, its difference is found in the trees. */
  #become(
    primary: Index<R, R>,
    indexes: Iterable<[string, Index<R, unknown>]>,
    change: RecordChange<R> | undefined,
  ): Collection<R, S> {
    return new Collection<R, S>(this.#spec, primary, indexes, change && { of: this.#mark, change });
  }

  /** Whether a value is a collection of the same definition. */
  isLike(other: unknown): boolean {
    return other instanceof Collection && other.#spec === this.#spec;
  }

  /** Returns the identity of a record, sort key by sort key. */
  identify(record: R): Scalar[] {
    return this.#primary.identify(record);
  }

  /** Returns the changes since an `earlier` collection, in identity order. Costs in proportion to the change. */
  diff(earlier: Collection<R, S>): RecordChange<R>[] {
    if (this.#made?.of === earlier.#mark) return [this.#made.change];
    return this.#primary.diff(earlier.#primary);
  }

  [Symbol.iterator](): Iterator<R> {
    return this.range()[Symbol.iterator]();
  }
}
