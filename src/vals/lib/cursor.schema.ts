import { Type } from 'typebox';
import { type Links, listUrl, Paging, serializePage } from '#engine/api/pagination.js';
import type { SerializedJson } from '#engine/api/serialize.js';
import { type Instant, parseInstant, toTimestamp } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';

/** The parameters of a list that is paged by time, newest first. */
export const CursorPaging = {
  limit: Paging.limit,
  cursor: Type.Optional(
    Type.String({ description: 'Only items of this time or before: a date-time, or a whole `links.next`' }),
  ),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Number of items of the time of the cursor to skip' }),
};

interface CursorQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly offset: number;
}

/** Where a page begins. */
interface Position {
  readonly until: Instant | undefined;
  readonly offset: number;
}

/** Reads the cursor of a request: some clients send the whole link to the next page. @throws ApiError 400 */
function readCursor({ cursor, offset }: CursorQuery): Position {
  if (cursor === undefined) return { until: undefined, offset };
  const link = URL.canParse(cursor) ? new URL(cursor).searchParams : undefined;
  const until = parseInstant(link?.get('cursor') ?? cursor);
  const skipped = link ? Number(link.get('offset') ?? 0) : offset;
  if (until === undefined || !Number.isSafeInteger(skipped) || skipped < 0)
    throw badRequest('querystring/cursor must match format "date-time", or be a whole links.next');
  return { until, offset: skipped };
}

/** Serializes a page of a list, newest first. @param list lists the items of a time and before, or all */
export function pageByTime<T, V>(
  list: (until: Instant | undefined) => Iterable<T>,
  getTime: (item: T) => Instant,
  query: CursorQuery,
  links: Links,
  render: (item: T) => V | SerializedJson<V>,
): SerializedJson<{ data: V[]; links: { self: string; next?: string } }> {
  const { limit } = query;
  const { until, offset } = readCursor(query);
  const found: T[] = [];
  let skipped = 0;
  for (const item of list(until)) {
    if (skipped++ < offset) continue;
    found.push(item);
    if (found.length > limit) break;
  }
  const [following] = found.splice(limit);
  const urlAt = (changes: Readonly<Record<string, string | undefined>>) =>
    listUrl(links, { limit: String(limit), ...changes });
  const makeNext = (item: T) => {
    const time = getTime(item);
    const shown = found.filter((each) => getTime(each) === time).length + (time === until ? offset : 0);
    return urlAt({ cursor: toTimestamp(time), offset: shown === 0 ? undefined : String(shown) });
  };
  const pageLinks = { self: urlAt({}), next: following === undefined ? undefined : makeNext(following) };
  return serializePage(found, pageLinks, render);
}
