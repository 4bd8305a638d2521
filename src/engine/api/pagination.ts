import { type Static, type TSchema, Type } from 'typebox';
import { parseInstant } from '../lib/time.js';
import { record } from '../schema/schema.js';
import { type Bounds, Range } from '../store/collection.js';
import { LIMITS } from './limits.js';
import { SerializedJson, serialize } from './serialize.js';

export const Paging = {
  limit: Type.Integer({
    minimum: 1,
    maximum: LIMITS.page,
    default: LIMITS.defaultPage,
    description: 'Maximum number of items on the page',
  }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Number of items to skip' }),
};
export const PagingQuery = Type.Object(Paging);
type Paging = Static<typeof PagingQuery>;

export const Window = {
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Only items after this time' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Only items before or at this time' })),
};

/** Converts a time window to bounds on an index: `since` is exclusive, `until` inclusive. */
export const toBounds = ({ since, until }: { since?: string; until?: string }): Bounds => ({
  after: since === undefined ? undefined : parseInstant(since),
  until: until === undefined ? undefined : parseInstant(until),
});

export interface Links {
  /** Scheme, host and prefix as the client reached the emulator, without a trailing slash: `http://127.0.0.1:4010`. */
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams | undefined;
}

/** Returns a function that makes the URLs of pages of the requested list. All other query parameters stay. */
export function pageUrls({ base, path, query }: Links, limit: number): (offset: number) => string {
  const parameters = new URLSearchParams(query);
  parameters.set('limit', String(limit));
  return (offset) => {
    parameters.set('offset', String(offset));
    return `${base}${path.replace(/\/$/, '')}?${parameters}`;
  };
}

/** Returns the URL of a list with other parameters. An undefined one is omitted; all others stay. */
export function listUrl({ base, path, query }: Links, changes: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `${base}${path.replace(/\/$/, '')}?${parameters}`;
}

const PageLinks = record('PageLinks', {
  self: Type.String({ format: 'uri' }),
  next: Type.Optional(Type.String({ format: 'uri', description: 'Absent on the last page' })),
  prev: Type.Optional(Type.String({ format: 'uri', description: 'Absent on the first page' })),
});

/** A page of a list. @param title its name in the OpenAPI document */
export const Page = <T extends TSchema>(title: string, item: T) =>
  record(title, { data: Type.Array(item), links: PageLinks });

export function page<T, V>(
  items: Range<T> | Iterable<T>,
  { limit, offset: requested }: Paging,
  links: Links,
  render: (item: T) => V | SerializedJson<V>,
): SerializedJson<{ data: V[]; links: Static<typeof PageLinks> }> {
  // Beyond it numbers are not exact, and `Infinity` is not an offset of a link.
  const offset = Math.min(requested, Number.MAX_SAFE_INTEGER);
  // One item more than the page decides on `next`: clients follow it until it is absent.
  const found = items instanceof Range ? items.page(offset, limit + 1) : takePage(items, offset, limit + 1);
  const hasNext = found.length > limit;
  if (hasNext) found.pop();
  const urlAt = pageUrls(links, limit);
  const pageLinks = {
    self: urlAt(offset),
    next: hasNext ? urlAt(offset + limit) : undefined,
    prev: offset > 0 ? urlAt(Math.max(0, offset - limit)) : undefined,
  };
  return serializePage(found, pageLinks, render);
}

/** Serializes the items of a page, and its links. Undefined links are omitted. */
export function serializePage<T, V, L>(
  items: readonly T[],
  links: { readonly [K in keyof L]: L[K] | undefined },
  render: (item: T) => V | SerializedJson<V>,
): SerializedJson<{ data: V[]; links: L }> {
  // Concatenated, since join() would copy the text once more.
  let data = '';
  for (const item of items) data += (data === '' ? '' : ',') + serialize(render(item));
  return new SerializedJson(`{"data":[${data}],"links":${JSON.stringify(links)}}`);
}

function takePage<T>(items: Iterable<T>, offset: number, count: number): T[] {
  const taken: T[] = [];
  let index = 0;
  for (const item of items) {
    if (index++ >= offset) taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
