import * as z from 'zod';
import { Range } from '../domain/collection.js';
import { named } from './components.js';
import { instantParameter, integerParameter, LIMITS } from './fields.js';
import { Json } from './json.js';
import type { Links } from './links.js';

/** Query parameters of every list. */
export const Paging = z.object({
  limit: integerParameter(z.int().min(1).max(LIMITS.page).default(LIMITS.defaultPage)).describe('Items on a page'),
  offset: integerParameter(z.int().min(0).default(0)).describe('Items to skip'),
});
type Paging = z.output<typeof Paging>;

/** Query parameters of lists that can be cut to a window of time. */
export const Window = z.object({
  since: instantParameter.optional().describe('Only what came after this time'),
  until: instantParameter.optional().describe('Only what came before or at this time'),
});

/** The window as bounds on an index by time: `since` exclusive, `until` inclusive. */
export const boundsOf = (window: z.output<typeof Window>) => ({ after: window.since, upTo: window.until });

const PageLinks = named(
  'PageLinks',
  z.strictObject({
    self: z.url(),
    next: z.url().optional().describe('Missing on the last page'),
    prev: z.url().optional().describe('Missing on the first page'),
  }),
);

export const pageOf = <T extends z.ZodType>(item: T) => z.strictObject({ data: z.array(item), links: PageLinks });

interface Page<V> {
  data: V[];
  links: z.output<typeof PageLinks>;
}

/** The page of `items` that was asked for, each item as `write` has it. */
export function page<T, V>(
  items: Range<T> | Iterable<T>,
  { limit, offset }: Paging,
  links: Links,
  write: (item: T) => Json<V>,
): Json<Page<V>> {
  // One more than a page: whether it exists decides on `next`, which clients follow until it is missing.
  const found = items instanceof Range ? items.page(offset, limit + 1) : take(items, offset, limit + 1);
  const hasNext = found.length > limit;
  if (hasNext) found.pop();
  const around: Page<V>['links'] = {
    self: links.page(offset, limit),
    ...(hasNext ? { next: links.page(offset + limit, limit) } : {}),
    ...(offset > 0 ? { prev: links.page(Math.max(0, offset - limit), limit) } : {}),
  };
  return pageJson(found.map(write), Json.of(around));
}

function pageJson<V>(items: readonly Json<V>[], links: Json<Page<V>['links']>): Json<Page<V>> {
  // Added, not joined: so the engine copies each part once, straight into what is sent.
  let data = '';
  let length = links.byteLength + Math.max(0, items.length - 1);
  for (const { text, byteLength } of items) {
    data += data === '' ? text : `,${text}`;
    length += byteLength;
  }
  return new Json(`{"data":[${data}],"links":${links.text}}`, length + '{"data":[],"links":}'.length);
}

function take<T>(items: Iterable<T>, offset: number, count: number): T[] {
  const taken: T[] = [];
  let place = 0;
  for (const item of items) {
    if (place++ >= offset) taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
