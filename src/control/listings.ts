import type { Steps } from '../lib/steps.js';
import type { State } from '../model/state.js';
import type { Sandbox } from '../sandbox/sandbox.js';

/** A record in fixture format, with its id and the ids of the records that it refers to. */
export interface Row {
  id: string;
  [field: string]: unknown;
}

/** Records in an order, of which a page is rendered at a time. */
export interface Listing {
  readonly total: number;
  /** Returns at most `limit` records after `offset`. */
  page(offset: number, limit: number): Row[];
  /** Returns the listing of another state, made of this one and what changed; undefined if it has to be made anew. */
  update?(state: State): Steps<Listing> | undefined;
}

/** Maximum number of listings that are cached for a sandbox. Each refers to the state that it was made of. */
const MAX_LISTINGS = 8;

interface Entry {
  readonly inputs: readonly unknown[];
  readonly listing: Listing;
}

/** Caches the listings of each sandbox that were used last, so that the next page is not sorted again. */
export class ListingCache {
  readonly #entries = new WeakMap<Sandbox, Map<string, Entry>>();

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
    const entries = this.#entries.get(sandbox) ?? new Map<string, Entry>();
    this.#entries.set(sandbox, entries);
    const known = entries.get(query);
    const isCurrent = known?.inputs.every((input, i) => input === inputs[i]);
    const entry = known && isCurrent ? known : { inputs, listing: yield* known?.listing.update?.(state) ?? make() };
    // The first key is that of the listing that was not used for the longest time.
    entries.delete(query);
    entries.set(query, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_LISTINGS && oldest !== undefined) entries.delete(oldest);
    return entry.listing;
  }
}
