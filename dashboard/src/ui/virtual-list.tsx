import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps {
  /** For screen readers. */
  readonly label: string;
  readonly count: number;
  /** Height of a row in pixels. */
  readonly rowHeight: number;
  readonly renderRow: (index: number) => ComponentChildren;
  /** A row that stays at the top, as high as the others. */
  readonly header?: ComponentChildren;
  /** Receives the rows that are in view. */
  readonly onRange?: (first: number, last: number) => void;
  /** Index of a row to scroll into view when it changes. */
  readonly scrollTo?: number | undefined;
}

type VirtualRowsProps = Pick<VirtualListProps, 'count' | 'rowHeight' | 'onRange' | 'scrollTo'> & {
  /** Pixels to which it is scrolled at first. */
  readonly initialOffset?: number;
  /** Pixels at the top that a header covers. */
  readonly headerHeight?: number;
};

/** Rows are added and removed in blocks, so that most frames of scrolling change nothing in the document. */
const BLOCK = 10;

const blockOf = (index: number): number => Math.floor(index / BLOCK);

/** Lists the rows of the blocks in view, and of one block above and below. */
function extractBlocks({ startIndex, endIndex, count }: Range): number[] {
  const first = Math.max(0, (blockOf(startIndex) - 1) * BLOCK);
  const end = Math.min(count, (blockOf(endIndex) + 2) * BLOCK);
  return Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
}

/** Computes which rows of a scrolling element are in view, or near. */
export function useVirtualRows<E extends Element>(props: VirtualRowsProps) {
  const { count, rowHeight, onRange, scrollTo, initialOffset = 0, headerHeight = 0 } = props;
  const scroller = useRef<E>(null);
  const [, update] = useState(0);
  const shownBlocks = useRef('');
  const options = {
    count,
    estimateSize: () => rowHeight,
    rangeExtractor: extractBlocks,
    initialOffset,
    // A row that is scrolled to the bottom is lower by the header.
    scrollPaddingEnd: headerHeight,
    getScrollElement: () => scroller.current,
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    onChange: ({ range }: Virtualizer<E, Element>) => {
      // A hidden list has no range, and shows its rows again with the first one.
      const blocks = range ? `${blockOf(range.startIndex)}–${blockOf(range.endIndex)}` : '';
      if (blocks === shownBlocks.current) return;
      shownBlocks.current = blocks;
      update((n) => n + 1);
    },
  };
  const ref = useRef<Virtualizer<E, Element> | undefined>(undefined);
  ref.current ??= new Virtualizer<E, Element>(options);
  const virtualizer = ref.current;
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useEffect(() => {
    if (scrollTo !== undefined && scrollTo >= 0) virtualizer.scrollToIndex(scrollTo, { align: 'auto' });
  }, [virtualizer, scrollTo]);

  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => onRange?.(first, last), [onRange, first, last]);
  return { scroller, rows, height: virtualizer.getTotalSize() };
}

/** A list of any length, of which only the rows in view are in the document. */
export function VirtualList({ label, renderRow, header, ...props }: VirtualListProps) {
  const { scroller, rows, height } = useVirtualRows<HTMLElement>({
    ...props,
    headerHeight: header === undefined ? 0 : props.rowHeight,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
    <section class="virtual-list" ref={scroller} tabIndex={0} aria-label={label}>
      {header}
      <div class="virtual-rows" style={{ height: `${height}px` }}>
        {rows.map(({ index, start }) => (
          <div key={index} class="virtual-row" style={{ transform: `translateY(${start}px)` }}>
            {renderRow(index)}
          </div>
        ))}
      </div>
    </section>
  );
}
