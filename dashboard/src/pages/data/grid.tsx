import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatNoun, formatNumber } from '../../lib/format.js';
import { isComposed } from '../../lib/keys.js';
import type { TableRows } from '../../lib/types.js';
import { visible } from '../../ui/invisible.js';
import { useVirtualRows } from '../../ui/virtual-list.js';
import { Space } from './small-table.js';
import { type SqlRow, type SqlValue, toText } from './sql-values.js';

/** Pixels. */
const ROW_HEIGHT = 30;
/** Characters of a text that a cell shows. */
const SHOWN_TEXT = 500;

interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Focus {
  readonly active: Cell | undefined;
  /** The row as it was when the editing of its active cell began. */
  readonly edited?: SqlRow | undefined;
}

interface GridProps {
  readonly label: string;
  readonly columns: TableRows['columns'];
  readonly total: number;
  /** Undefined while a row is read. */
  readonly get: (index: number) => SqlRow | undefined;
  readonly onRange?: (first: number, last: number) => void;
  /** Default: no cell can be edited */
  readonly isEditable?: (row: SqlRow) => boolean;
  /** Called with the new text of a cell, and its row as it was when the editing began. */
  readonly onEdit?: (row: SqlRow, column: number, text: string) => void;
  /** Called with the row that is chosen by a click or the arrow keys. */
  readonly onSelect?: (row: number) => void;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
};

const clamp = (value: number, end: number): number => Math.max(0, Math.min(value, end - 1));

/** Rows of any number, of which those in view are in the document. Arrow keys choose a cell, and Enter edits it. */
export function Grid({ label, columns, total, get, onRange, isEditable, onEdit, onSelect }: GridProps) {
  const id = useId();
  const [{ active, edited }, setShown] = useState<Focus>({ active: undefined });
  // The next key may come before the page is drawn.
  const focus = useRef<Focus>({ active });
  /** What has been typed, also when the row is scrolled out of view. */
  const draft = useRef('');
  const { scroller, rows, height } = useVirtualRows<HTMLElement>({
    ...{ count: total, rowHeight: ROW_HEIGHT, headerHeight: ROW_HEIGHT, scrollTo: active?.row },
    ...(onRange && { onRange }),
  });
  const table = useRef<HTMLTableElement>(null);
  const show = (next: Focus) => {
    focus.current = next;
    setShown(next);
  };
  const choose = (cell: Cell) => {
    if (focus.current.edited) end(draft.current);
    if (cell.row !== focus.current.active?.row) onSelect?.(cell.row);
    show({ active: cell });
  };
  const edit = () => {
    const { active, edited } = focus.current;
    const row = active && get(active.row);
    if (!row || edited || !isEditable?.(row)) return;
    draft.current = toText(row[active.column] ?? null);
    show({ active, edited: row });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { active, edited } = focus.current;
    if (edited) return;
    const step = STEPS[event.key];
    const { row, column } = active ?? { row: -1, column: 0 };
    if (step) choose({ row: clamp(row + step[0], total), column: clamp(column + step[1], columns.length) });
    else if ((event.key === 'Enter' || event.key === 'F2') && active) edit();
    else return;
    event.preventDefault();
  };
  const end = (text?: string) => {
    const { active, edited } = focus.current;
    show({ active });
    table.current?.focus();
    if (text !== undefined && active && edited) onEdit?.(edited, active.column, text);
  };
  // Of the rows at the top: columns hold still while one scrolls.
  const hasRows = get(0) !== undefined;
  const widths = useMemo(() => columns.map((column, i) => widthOf(column, i, get)), [label, columns.length, hasRows]);
  const isNumeric = columns.map((_, i) => {
    const values = rows.flatMap(({ index }) => get(index)?.[i] ?? []);
    return values.length > 0 && values.every((value) => typeof value === 'number');
  });
  const classOf = (column: number, value: SqlValue | undefined): string =>
    typeof value === 'number' || (isNumeric[column] && value === null) ? 'number' : '';
  const idOf = ({ row, column }: Cell) => `${id}-${row}-${column}`;
  const isShown = active && rows.some(({ index }) => index === active.row);
  const cellAt = ({ target }: Event): Cell | undefined => {
    const cell = target instanceof Element ? target.closest('td') : null;
    const row = Number(cell?.closest('tr')?.getAttribute('aria-rowindex')) - 2;
    return cell && row >= 0 ? { row, column: cell.cellIndex } : undefined;
  };
  return (
    <section ref={scroller} class="sql-grid">
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table may be a grid (ARIA in HTML)
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={total + 1}
        aria-activedescendant={isShown && !edited ? idOf(active) : undefined}
        style={{ minWidth: `${widths.reduce((sum, width) => sum + width, 0)}px` }}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const cell = cellAt(event);
          if (cell && !(edited && idOf(cell) === (active && idOf(active)))) choose(cell);
        }}
        onDblClick={(event) => {
          if (cellAt(event)) edit();
        }}
      >
        {/* The last column takes what is left. */}
        <colgroup>
          {widths.map((width, i) => (
            <col key={i} style={i < widths.length - 1 ? { width: `${width}px` } : {}} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, type }, i) => (
              <th key={i} scope="col" class={isNumeric[i] ? 'number' : ''}>
                <div class="truncate">
                  {visible(name)} <code class="muted">{type}</code>
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <Space height={rows[0]?.start ?? 0} />
        <tbody>
          {rows.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2} aria-selected={active?.row === index}>
              {columns.map((_, column) => {
                const isActive = active?.row === index && active.column === column;
                const value = get(index)?.[column];
                return (
                  <td
                    key={column}
                    id={idOf({ row: index, column })}
                    class={`${classOf(column, value)} ${isActive ? 'active' : ''}`}
                  >
                    {isActive && edited ? (
                      <CellInput label={columns[column]?.name ?? ''} draft={draft} onEnd={end} />
                    ) : (
                      <div class="truncate">{value !== undefined && <Value value={value} />}</div>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
        <Space height={height - (rows.at(-1)?.end ?? 0)} />
      </table>
    </section>
  );
}

interface CellInputProps {
  readonly label: string;
  readonly draft: { current: string };
  /** Called with the text, or without one by Escape. */
  readonly onEnd: (text?: string) => void;
}

function CellInput({ label, draft, onEnd }: CellInputProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  // The next key is for it.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const onKeyDown = useCallback((event: KeyboardEvent) => {
    event.stopPropagation();
    const isEnd = event.key === 'Escape' || (event.key === 'Enter' && !event.shiftKey);
    if (!isEnd || isComposed(event)) return;
    event.preventDefault();
    onEnd(event.key === 'Enter' ? draft.current : undefined);
  }, []);
  return (
    <textarea
      ref={input}
      class="cell-input"
      aria-label={label}
      title="Enter: show the UPDATE. Escape: leave. NULL: no value"
      rows={1}
      spellcheck={false}
      defaultValue={draft.current}
      onInput={(event) => {
        draft.current = event.currentTarget.value;
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** Rows that decide the width of a column, and pixels of a character, of the padding, and of a column at least and at most. */
const MEASURED_ROWS = 50;
const CHARACTER = 7.3;
const PADDING = 24;
const MIN_WIDTH = 70;
const MAX_WIDTH = 420;

function widthOf({ name, type }: GridProps['columns'][number], column: number, get: GridProps['get']): number {
  const values = Array.from({ length: MEASURED_ROWS }, (_, row) => toText(get(row)?.[column] ?? null).length);
  const characters = Math.max(name.length + type.length + 1, ...values);
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.ceil(characters * CHARACTER) + PADDING));
}

function Value({ value }: { readonly value: SqlValue }) {
  if (value === null) return <span class="muted">NULL</span>;
  if (typeof value === 'number') return <>{value}</>;
  if (typeof value === 'string') {
    const shown = value.length > SHOWN_TEXT ? `${value.slice(0, SHOWN_TEXT)}…` : value;
    return <span title={shown}>{visible(shown)}</span>;
  }
  return (
    <span class="muted">
      {formatNumber(value.bytes)} {formatNoun(value.bytes, 'bytes')}
    </span>
  );
}
