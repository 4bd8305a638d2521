import type { ComponentChildren } from 'preact';
import { formatTime, formatValue } from '../../lib/format.js';
import { pathOf } from '../../lib/location.js';
import type { Row } from '../../lib/types.js';
import { Age, Link } from '../../ui/elements.js';
import { visible } from '../../ui/invisible.js';

export interface Column {
  readonly title: string;
  /** The field to sort by, if any. */
  readonly sort?: string;
  /** Pixels. Default: a share of what the others leave */
  readonly width?: number;
  /** Whether it is left out on a phone. */
  readonly isWide?: boolean;
  readonly render: (row: Row) => ComponentChildren;
}

export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

export const RecordLink = ({
  collection,
  id,
  children,
}: {
  readonly collection: string;
  readonly id: unknown;
  readonly children: ComponentChildren;
}) => (typeof id === 'string' ? <Link to={pathOf('data', collection, id)}>{children}</Link> : <span>{children}</span>);

export const ValLink = ({ row }: { readonly row: Row }) => (
  <RecordLink collection="vals" id={row.valId}>
    {textOf(row.val)}
  </RecordLink>
);

/** The author of a val or comment, or the user of a like. */
export const UserLink = ({ row, field }: { readonly row: Row; readonly field: string }) => (
  <RecordLink collection="users" id={row.userId}>
    {textOf(row[field])}
  </RecordLink>
);

export const Time = ({ value }: { readonly value: unknown }) =>
  typeof value === 'string' ? <Age time={value} /> : null;

export const Muted = ({ value }: { readonly value: unknown }) => (
  <span class="muted">{visible(formatValue(value, 200))}</span>
);

/** The link of a row to its record, whose click area is the row. @param about what its text does not say, for screen readers */
export const main =
  (collection: string, render: (row: Row) => ComponentChildren, about?: (row: Row) => string) => (row: Row) => {
    const shown = render(row);
    return (
      <Link to={pathOf('data', collection, row.id)} class="row-link">
        {typeof shown === 'string' ? visible(shown) : shown}
        {about && <span class="visually-hidden"> {about(row)}</span>}
      </Link>
    );
  };

export const created: Column = {
  title: 'Created',
  sort: 'createdAt',
  width: 110,
  render: (row) => <Time value={row.createdAt} />,
};

export const val: Column = { title: 'Val', sort: 'val', render: (row) => <ValLink row={row} /> };

/** A timestamp with its age, for the properties of a record. */
export const exactTime = (value: unknown): ComponentChildren =>
  typeof value === 'string' ? (
    <>
      {formatTime(value)}{' '}
      <span class="muted">
        (<Age time={value} />)
      </span>
    </>
  ) : (
    '–'
  );
