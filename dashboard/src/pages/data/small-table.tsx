import type { Row } from '../../lib/types.js';
import type { Column } from './columns.js';

export const classOf = ({ isWide = false }: Column): string => (isWide ? 'wide' : '');

/** The widths of the columns: the table has a fixed layout, so that rows do not change them as one scrolls. */
export const ColumnGroup = ({
  columns,
  hasChecks,
}: {
  readonly columns: readonly Column[];
  readonly hasChecks: boolean;
}) => (
  <colgroup>
    {hasChecks && <col class="check-column" />}
    {columns.map((column) => (
      <col
        key={column.title}
        class={classOf(column)}
        style={{ width: column.width === undefined ? 'auto' : `${column.width}px` }}
      />
    ))}
  </colgroup>
);

export const Cells = ({ columns, row }: { readonly columns: readonly Column[]; readonly row: Row }) => (
  <>
    {columns.map((column) => (
      <td key={column.title} class={classOf(column)}>
        <div class="truncate">{column.render(row)}</div>
      </td>
    ))}
  </>
);

/** Stands for the rows that are not in view. */
export const Space = ({ height }: { readonly height: number }) =>
  height > 0 ? (
    <tbody class="space" aria-hidden="true">
      <tr>
        <td style={{ height: `${height}px` }} />
      </tr>
    </tbody>
  ) : null;

/** A short table of related records. */
export const SmallTable = ({
  collection,
  columns,
  records,
  label,
}: {
  readonly collection: string;
  readonly columns: readonly Column[];
  readonly records: readonly Row[];
  readonly label: string;
}) => (
  <div class="table-scroll">
    <table class={`records ${collection}`}>
      <caption class="visually-hidden">{label}</caption>
      <ColumnGroup columns={columns} hasChecks={false} />
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((row) => (
          <tr key={row.id} class="record">
            <Cells columns={columns} row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
