import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../lib/objects.js';
import { inSteps, mapInSteps, type Steps, sortInSteps } from '../lib/steps.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { State } from '../state/state.js';
import type { Range } from '../store/collection.js';

export interface RecordQuery {
  /** Text in any value of a row, ignoring case. */
  readonly q?: string | undefined;
  /** Values of fields; `{ "not": value }` for any other value. */
  readonly where?: Readonly<Record<string, unknown>> | undefined;
  /** A field. Default: by the time of creation, or of the start of a run. */
  readonly sort?: string | undefined;
  /** Default: `asc` with a field, `desc` without one: the newest first. */
  readonly order?: 'asc' | 'desc' | undefined;
}

/** The records to list, and how they are rendered and ordered. */
export interface RecordSource<R> {
  /** In any order. */
  readonly records: Iterable<R>;
  toRow(record: R): Row;
  /** Orders records by their time. */
  compare(a: R, b: R): number;
}

/** Whether a query depends on the time of the records alone. */
export const isPlain = ({ q = '', where = {}, sort }: RecordQuery): boolean =>
  q === '' && sort === undefined && Object.keys(where).length === 0;

/** Reads pages of a range, from its end unless it is read forward. */
export const pageRange =
  <R>(range: Pick<Range<R>, 'length' | 'page'>, isForward: boolean) =>
  (offset: number, limit: number): R[] => {
    if (isForward) return range.page(offset, limit);
    const end = Math.max(0, range.length - offset);
    const start = Math.max(0, end - limit);
    return range.page(start, end - start).reverse();
  };

interface Entry<R> {
  readonly record: R;
  readonly key: SortKey;
}

export class RecordListing<R> implements Listing {
  readonly #source: RecordSource<R>;
  readonly #query: RecordQuery;
  #entries: readonly Entry<R>[] = [];

  private constructor(source: RecordSource<R>, query: RecordQuery) {
    this.#source = source;
    this.#query = query;
  }

  /** @param rest entries in addition to the records of the source */
  static *make<R>(
    source: RecordSource<R>,
    query: RecordQuery,
    rest: readonly Entry<R>[] = [],
  ): Steps<RecordListing<R>> {
    const listing = new RecordListing(source, query);
    listing.#entries = yield* listing.#sort([...rest, ...(yield* listing.#select(source.records))]);
    return listing;
  }

  get total(): number {
    return this.#entries.length;
  }

  page(offset: number, limit: number): Row[] {
    return this.#entries.slice(offset, offset + limit).map(({ record }) => this.#source.toRow(record));
  }

  /** Whether only the rows of a page are rendered. */
  get isPlain(): boolean {
    return isPlain(this.#query);
  }

  /** Returns the listing after a change. Renders the added records only, unless the query is plain. */
  change(added: RecordSource<R>, removed: readonly R[]): Steps<RecordListing<R>> {
    const gone = new Set(removed);
    const rest = this.#entries.filter(({ record }) => !gone.has(record));
    return RecordListing.make(added, this.#query, rest);
  }

  *#select(records: Iterable<R>): Steps<Entry<R>[]> {
    if (this.isPlain) return yield* mapInSteps(records, (record) => ({ record, key: 0 }));
    const { q = '', where = {}, sort } = this.#query;
    const conditions = Object.entries(where);
    const text = q.toLowerCase();
    const entries: Entry<R>[] = [];
    yield* inSteps(records, (record) => {
      const row = this.#source.toRow(record);
      const isFound =
        conditions.every(([field, value]) => fulfills(row[field], value)) && (text === '' || includesText(row, text));
      if (isFound) entries.push({ record, key: sort === undefined ? 0 : toSortKey(row[sort]) });
    });
    return entries;
  }

  /** Sorts by the field. Of records with the same value, the newest is first in either order. */
  #sort(entries: readonly Entry<R>[]): Steps<Entry<R>[]> {
    const { sort, order = sort === undefined ? 'desc' : 'asc' } = this.#query;
    const { compare } = this.#source;
    const sign = order === 'asc' ? 1 : -1;
    const ageSign = order === 'asc' && sort === undefined ? 1 : -1;
    return sortInSteps(entries, (a, b) => sign * compareKeys(a.key, b.key) || ageSign * compare(a.record, b.record));
  }
}

/** Whether a value is the one of a condition, or is not, for `{ "not": … }`. */
const fulfills = (found: unknown, condition: unknown): boolean =>
  isObject(condition) && 'not' in condition && Object.keys(condition).length === 1
    ? !isDeepStrictEqual(found, condition.not)
    : isDeepStrictEqual(found, condition);

/** Whether a value, or a value within it, contains a text in lower case. */
const includesText = (value: unknown, text: string): boolean =>
  typeof value === 'object'
    ? value !== null && Object.values(value).some((field) => includesText(field, text))
    : String(value).toLowerCase().includes(text);

type SortKey = number | string;

/** Texts are compared without case, and other values as JSON. Null comes before texts. */
function toSortKey(value: unknown): SortKey {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase();
}

/** Numbers come before texts. */
function compareKeys(a: SortKey, b: SortKey): number {
  if (a === b) return 0;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : 1;
}

/** A record in fixture format, with its id and the ids of the records that it refers to. */
export interface Row {
  id: string;
  [field: string]: unknown;
}

/** Records in an order, of which a page is rendered at a time. */
export interface Listing {
  readonly total: number;
  page(offset: number, limit: number): Row[];
  /** Returns the listing of another state, made from this one and the changes. Undefined if it cannot be. */
  update?(state: State): Steps<Listing> | undefined;
}

/** Maximum number of listings that are cached for a sandbox. Each refers to the state that it was made of. */
const MAX_LISTINGS = 8;

interface CachedListing {
  readonly inputs: readonly unknown[];
  readonly listing: Listing;
}

/** Caches the listings of each sandbox that were used last, so that the next page is not sorted again. */
export class ListingCache {
  readonly #entries = new WeakMap<Sandbox, Map<string, CachedListing>>();

  /**
   * Returns the listing of a query, made again when one of its inputs is another object.
   * @param inputs the parts of the state that the listing depends on
   */
  *get(
    sandbox: Sandbox,
    query: string,
    state: State,
    inputs: readonly unknown[],
    make: () => Steps<Listing>,
  ): Steps<Listing> {
    const entries = this.#entries.get(sandbox) ?? new Map<string, CachedListing>();
    this.#entries.set(sandbox, entries);
    const known = entries.get(query);
    const isCurrent = known?.inputs.every((input, i) => input === inputs[i]);
    const entry = known && isCurrent ? known : { inputs, listing: yield* known?.listing.update?.(state) ?? make() };
    // The first key belongs to the least recently used listing.
    entries.delete(query);
    entries.set(query, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_LISTINGS && oldest !== undefined) entries.delete(oldest);
    return entry.listing;
  }
}
