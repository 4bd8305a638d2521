import type { VNode } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { pluralOf } from '../../lib/collections.js';
import { formatNumber } from '../../lib/format.js';
import { place, setQuery } from '../../lib/location.js';
import type { Row } from '../../lib/types.js';
import { Icon } from '../../ui/icons.js';
import { useVirtualRows } from '../../ui/virtual-list.js';
import type { Column } from './columns.js';
import type { getList } from './records.js';
import { isSelected, select } from './selection.js';
import { Cells, ColumnGroup, classOf, Space } from './small-table.js';
import { nameOf, viewOf } from './views.js';

const ROW_HEIGHT = 34;

type Order = 'asc' | 'desc';
const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

/** Sorts up, then down, then by creation again. */
function sortBy(field: string, order: Order | undefined): void {
  const next = order === undefined ? 'asc' : order === 'asc' ? 'desc' : undefined;
  setQuery({ sort: next && field, order: next });
}

function HeaderCell({ column }: { readonly column: Column }) {
  const { query } = place.value;
  const { sort, title } = column;
  const isSorted = sort !== undefined && query.get('sort') === sort;
  const order = isSorted ? (query.get('order') === 'desc' ? 'desc' : 'asc') : undefined;
  if (sort === undefined) {
    return (
      <th scope="col" class={classOf(column)}>
        {title}
      </th>
    );
  }
  return (
    <th scope="col" class={classOf(column)} aria-sort={order ? ARIA_SORT[order] : 'none'}>
      <button type="button" class={`sort ${order ?? ''}`} onClick={() => sortBy(sort, order)}>
        {title}
        <Icon name="down" />
      </button>
    </th>
  );
}

interface TableProps {
  readonly collection: string;
  readonly list: ReturnType<typeof getList>;
  readonly total: number;
}

/** All records that a list has, of which those in view are in the document and read. */
export function RecordTable({ collection, list, total }: TableProps) {
  const columns = viewOf(collection).columns;
  const onRange = useCallback((first: number, last: number) => list.show(first, last), [list]);
  const { scroller, rows, height } = useVirtualRows<HTMLElement>({
    ...{ count: total, rowHeight: ROW_HEIGHT, onRange, initialOffset: list.scrollTop },
  });
  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, list.scrollTop);
  }, [scroller, list]);
  // Preact skips an element that it had before.
  const rendered = useRef<ReadonlyMap<number, { readonly row: Row | undefined; readonly element: VNode }>>(new Map());
  rendered.current = new Map(
    rows.map(({ index }) => {
      const row = list.get(index);
      const known = rendered.current.get(index);
      const element = <RecordRow key={index} index={index} row={row} collection={collection} />;
      return [index, known && row && known.row === row ? known : { row, element }];
    }),
  );
  const above = rows[0]?.start ?? 0;
  const below = height - (rows.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      class="records-scroll"
      aria-label={`Table of ${pluralOf(collection)}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        list.scrollTop = currentTarget.scrollTop;
      }}
    >
      <table class={`records ${collection}`} aria-rowcount={total + 1}>
        <caption class="visually-hidden">
          {formatNumber(total)} {pluralOf(collection)}
        </caption>
        <ColumnGroup columns={columns} hasChecks />
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">
              <span class="visually-hidden">Selected</span>
            </th>
            {columns.map((column) => (
              <HeaderCell key={column.title} column={column} />
            ))}
          </tr>
        </thead>
        <Space height={above} />
        <tbody>{Array.from(rendered.current.values(), ({ element }) => element)}</tbody>
        <Space height={below} />
      </table>
    </section>
  );
}

interface RowProps {
  readonly index: number;
  readonly row: Row | undefined;
  readonly collection: string;
}

function RecordRow({ index, row, collection }: RowProps) {
  const columns = viewOf(collection).columns;
  if (!row) {
    return (
      <tr class="record" aria-rowindex={index + 2}>
        <td colSpan={columns.length + 1}>
          <span class="placeholder" />
        </td>
      </tr>
    );
  }
  return (
    <tr class="record" aria-rowindex={index + 2}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Select ${nameOf(collection, row)}`}
          checked={isSelected(collection, row.id)}
          onChange={({ currentTarget }) => select(collection, [row.id], currentTarget.checked)}
        />
      </td>
      <Cells columns={columns} row={row} />
    </tr>
  );
}
