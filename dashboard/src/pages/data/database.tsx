import { withQuery } from '../../lib/api.js';
import { formatNoun, formatNumber, formatValue } from '../../lib/format.js';
import { at, pathOf, place, setQuery } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { Database, TableRows } from '../../lib/types.js';
import { Code } from '../../ui/code.js';
import { Loading } from '../../ui/commit.js';
import { Badge, Button, Empty, ErrorMessage, Link } from '../../ui/elements.js';

/** Rows on a page. */
const PAGE = 100;
/** Characters of a text that are shown. */
const SHOWN_TEXT = 500;

type Table = Database['tables'][number];

/** The tables of a database, or the rows of the one that the address names. */
export function DatabaseView({ id }: { readonly id: string }) {
  const { data, error } = useResource<Database>(withQuery(pathOf('sqlite', id), { at: at.value }));
  const name = place.value.query.get('table');
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <Loading />;
  const table = data.tables.find((each) => each.name === name);
  if (table) return <TableView id={id} table={table} />;
  if (name !== null) {
    return (
      <Empty
        title={`There is no table ${JSON.stringify(name)}${at.value === undefined ? '' : ' at this point in time'}`}
      >
        <Link to={pathOf('data', 'sqlite', id)}>Show all tables</Link>
      </Empty>
    );
  }
  return data.tables.length === 0 ? <Empty title="No tables" /> : <TableList id={id} tables={data.tables} />;
}

const TableList = ({ id, tables }: { readonly id: string; readonly tables: readonly Table[] }) => (
  <div class="table-scroll nowrap">
    <table>
      <caption class="visually-hidden">Tables</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" class="number">
            Rows
          </th>
          <th scope="col">Columns</th>
        </tr>
      </thead>
      <tbody>
        {tables.map(({ name, type, columns, rows, error }) => (
          <tr key={name}>
            <td>
              <Link to={pathOf('data', 'sqlite', id)} query={{ table: name }}>
                {name}
              </Link>{' '}
              {type === 'view' && <Badge>view</Badge>}
            </td>
            <td class="number">{rows === null ? '–' : formatNumber(rows)}</td>
            <td class="wraps muted">
              {error === undefined ? (
                columns.map((column) => column.name).join(', ')
              ) : (
                <span class="failed-text">{error}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The rows of a table, a page at a time. */
function TableView({ id, table: { name, sql, rows: total } }: { readonly id: string; readonly table: Table }) {
  const offset = Number(place.value.query.get('offset') ?? 0);
  const query = { table: name, offset, limit: PAGE, at: at.value };
  const { data, error } = useResource<TableRows>(withQuery(`${pathOf('sqlite', id)}/rows`, query));
  const count = data?.rows.length ?? 0;
  // The number of rows of a view is not known.
  const isLast = total === null ? data !== undefined && count < PAGE : offset + PAGE >= total;
  const turn = (by: number) => setQuery({ offset: Math.max(0, offset + by) || undefined });
  return (
    <div class="stack">
      <div class="toolbar">
        <Link to={pathOf('data', 'sqlite', id)} class="back">
          All tables
        </Link>
        <h3 class="truncate">{name}</h3>
        <span class="total muted number" role="status">
          {count > 0 && `${formatNumber(offset + 1)}–${formatNumber(offset + count)}`}
          {count > 0 && total !== null && ` of ${formatNumber(total)}`}
        </span>
        <Button disabled={offset === 0} onClick={() => turn(-PAGE)}>
          Previous
        </Button>
        <Button disabled={isLast} onClick={() => turn(PAGE)}>
          Next
        </Button>
      </div>
      <details>
        <summary>SQL</summary>
        <Code text={sql} language="text" />
      </details>
      {error ? <ErrorMessage error={error} /> : data ? <Rows name={name} page={data} /> : <Loading />}
    </div>
  );
}

const Rows = ({ name, page: { columns, offset, rows } }: { readonly name: string; readonly page: TableRows }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
  <section class="table-scroll nowrap" tabIndex={0} aria-label={`Rows of ${name}`}>
    <table>
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={column.name} scope="col" class={classOf(rows[0]?.[i])}>
              {column.name} <code class="muted">{column.type}</code>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={offset + i}>
            {row.map((value, column) => (
              <td key={column} class={classOf(value)}>
                <div class="sql-value">
                  <Value value={value} />
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {rows.length === 0 && <Empty title="No rows" />}
  </section>
);

type SqlValue = TableRows['rows'][number][number];

const classOf = (value: SqlValue | undefined): string => (typeof value === 'number' ? 'number' : '');

function Value({ value }: { readonly value: SqlValue }) {
  if (value === null) return <span class="muted">NULL</span>;
  if (typeof value !== 'object') return <>{formatValue(value, SHOWN_TEXT)}</>;
  return (
    <span class="muted">
      {formatNumber(value.bytes)} {formatNoun(value.bytes, 'bytes')}
    </span>
  );
}
