import { formatNoun, formatNumber } from '../lib/format.js';
import { pathOf } from '../lib/location.js';
import type { RowChanges } from '../lib/types.js';
import { FieldDiff } from './diff.js';
import { Link } from './elements.js';

/** Rows of databases before and after a request, by statement. */
export const RowsView = ({
  rows = [],
  id,
  at,
}: {
  readonly rows?: readonly RowChanges[] | undefined;
  /** Of their database. Default: tables are not links */
  readonly id?: string;
  /** The commit that changed them. */
  readonly at: string;
}) => (
  <>
    {rows.map(({ record, statement, changes, more }, index) => (
      <section
        key={index}
        class="change"
        aria-label={`Rows of ${record}${rows.length > 1 ? `, statement ${index + 1}` : ''}`}
      >
        <header>
          <span>rows of {record}</span> {statement === null ? 'other statements' : <code>{statement}</code>}
        </header>
        <dl class="fields-diff">
          {changes.map(({ table, before, after }, row) => (
            <div key={row}>
              <dt>
                <TableLink id={id} collection={record.replace(/\/.*/s, '')} table={table} at={at} />
              </dt>
              <dd>
                <FieldDiff before={before ?? undefined} after={after ?? undefined} />
              </dd>
            </div>
          ))}
        </dl>
        {more > 0 && (
          <p class="muted">
            {formatNumber(more)} {changes.length > 0 && 'more '}
            {formatNoun(more, 'rows')}
          </p>
        )}
      </section>
    ))}
  </>
);

const TableLink = ({
  id,
  collection,
  table,
  at,
}: {
  readonly id: string | undefined;
  readonly collection: string;
  readonly table: string;
  readonly at: string;
}) =>
  id === undefined ? (
    <span>{table}</span>
  ) : (
    <Link to={pathOf('data', collection, id)} query={{ table, at }}>
      {table}
    </Link>
  );
