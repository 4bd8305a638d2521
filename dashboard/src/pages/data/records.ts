import { send, withQuery } from '../../lib/api.js';
import { criteriaOf } from '../../lib/collections.js';
import type { Query } from '../../lib/location.js';
import type { RecordPage, Row } from '../../lib/types.js';
import { ChunkedList } from './chunked-list.js';
import { viewOf } from './views.js';

/** Lists that are kept, so that a list that one comes back to is there at once. */
const MAX_LISTS = 6;
const lists = new Map<string, ChunkedList<Row>>();

/** Returns the list of a path, which is kept for a while. @param path below `/_emulator`, with a query */
export function getList(path: string): ChunkedList<Row> {
  const list =
    lists.get(path) ??
    new ChunkedList(async (offset, limit) => {
      const { records, total } = await send<RecordPage>('GET', withQuery(path, { offset, limit }));
      return { rows: records, total };
    });
  lists.delete(path);
  lists.set(path, list);
  const [oldest] = lists.keys();
  if (lists.size > MAX_LISTS && oldest !== undefined) lists.delete(oldest);
  return list;
}

/** Makes the path that reads what the address of a table selects, without the limits of a page. */
export function listPath(collection: string, query: URLSearchParams): string {
  const where: Record<string, unknown> = {};
  for (const name of criteriaOf(collection)) {
    const value = query.get(name);
    if (value !== null) where[name] = value;
  }
  for (const [name, conditions] of Object.entries(viewOf(collection).choices ?? {})) {
    Object.assign(where, conditions[query.get(name) ?? '']);
  }
  const params: Query = {
    at: query.get('at') ?? undefined,
    q: query.get('q') ?? undefined,
    where: Object.keys(where).length === 0 ? undefined : JSON.stringify(where),
    sort: query.get('sort') ?? undefined,
    order: query.get('order') ?? undefined,
  };
  return withQuery(`/records/${collection}`, params);
}
