import { signal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { saveBlob, toControlError, withQuery } from '../../lib/api.js';
import { formatNoun, formatNumber } from '../../lib/format.js';
import { at, pathOf, place } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { Database, Row, TableRows } from '../../lib/types.js';
import { Code } from '../../ui/code.js';
import { Loading } from '../../ui/commit.js';
import { ActionButton, Badge, Button, Empty, ErrorMessage, Link } from '../../ui/elements.js';
import { toast } from '../../ui/toast.js';
import { ChunkedList } from './chunked-list.js';
import { Grid } from './grid.js';
import { RowHistory } from './row-history.js';
import { readAll, readRows, type Source, type SqlRow, toCsv, toJson, toText, toUpdate } from './sql-values.js';
import { Studio, useStatements } from './studio.js';

type Table = Database['tables'][number];
type Statements = ReturnType<typeof useStatements>;

/** A box for SQL, and below it the tables, the rows of a table, or the rows of a statement, as the address says. */
export function DatabaseView({ database }: { readonly database: Row }) {
  const { id } = database;
  const { data, error } = useResource<Database>(withQuery(pathOf('sqlite', id), { at: at.value }));
  const statements = useStatements(database);
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <Loading />;
  return (
    <div class="stack">
      <Studio id={id} tables={data.tables} statements={statements} />
      <Shown id={id} tables={data.tables} statements={statements} />
    </div>
  );
}

interface ShownProps {
  readonly id: string;
  readonly tables: readonly Table[];
  readonly statements: Statements;
}

function Shown({ id, tables, statements }: ShownProps) {
  const { query } = place.value;
  const [name, sql] = [query.get('table'), query.get('sql')];
  const table = tables.find((each) => each.name === name);
  if (sql !== null || table) {
    const source = { table: table?.name, sql: sql ?? undefined, at: at.value };
    return <RowsPanel key={JSON.stringify(source)} id={id} source={source} table={table} statements={statements} />;
  }
  if (name !== null) {
    return (
      <Empty
        title={`There is no table ${JSON.stringify(name)}${at.value === undefined ? '' : ' at this point in time'}`}
      >
        <Link to={pathOf('data', 'sqlite', id)}>Show all tables</Link>
      </Empty>
    );
  }
  return tables.length === 0 ? <Empty title="No tables" /> : <TableList id={id} tables={tables} />;
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

interface RowsPanelProps {
  readonly id: string;
  readonly source: Source;
  readonly table: Table | undefined;
  readonly statements: Statements;
}

/** The rows of a table or a statement, all of them, read as they come into view. */
function RowsPanel({ id, source, table, statements }: RowsPanelProps) {
  const { list, columns, isOpen, keys } = useMemo(() => {
    const keys = new WeakMap<SqlRow, string>();
    const isOpen = signal(false);
    const columns = signal<TableRows['columns']>([]);
    const list = new ChunkedList<SqlRow>(async (offset, limit) => {
      const isEditable = table?.type === 'table' && source.at === undefined;
      const page = await readRows(id, { ...source, keys: isEditable }, offset, limit);
      page.rows.forEach((row, i) => {
        const key = page.keys?.[i];
        if (typeof key === 'string') keys.set(row, key);
      });
      if (JSON.stringify(page.columns) !== JSON.stringify(columns.value)) columns.value = page.columns;
      isOpen.value = page.total === null && page.rows.length === limit;
      // A row that is read when it comes into view, and those behind it.
      return { rows: page.rows, total: page.total ?? offset + page.rows.length + (isOpen.value ? 1 : 0) };
    });
    return { list, columns, isOpen, keys };
  }, []);
  useEffect(() => list.follow(), [list]);
  const onRange = useCallback((first: number, last: number) => list.show(first, last), [list]);
  const [update, setUpdate] = useState<string | undefined>(undefined);
  const [selected, setSelected] = useState<number | undefined>(undefined);
  const [traced, setTraced] = useState<SqlRow | undefined>(undefined);
  const total = list.total.value;
  const error = list.error.value;
  const name = table?.name ?? 'result';
  const save = async (ending: 'csv' | 'json') => {
    const all = await readAll(id, source);
    const [text, type] = ending === 'csv' ? [toCsv(all), 'text/csv'] : [toJson(all), 'application/json'];
    saveBlob(new Blob([text], { type }), `${name}.${ending}`);
    if (all.isCut) toast(`The file has the first ${formatNumber(all.rows.length)} rows only.`, 'error');
  };
  const edit = (row: SqlRow, index: number, text: string) => {
    const [key, column, value = null] = [keys.get(row), columns.value[index], row[index]];
    if (!table || key === undefined || !column || text === toText(value)) return;
    toUpdate(id, table.name, { key, column, value }, text).then(setUpdate, (reason: unknown) =>
      toast(toControlError(reason).message, 'error'),
    );
  };
  return (
    <div class="stack">
      <div class="toolbar">
        <Link to={pathOf('data', 'sqlite', id)} class="back">
          All tables
        </Link>
        <h3 class="truncate">{table?.name ?? 'Result'}</h3>
        <span class="total muted number" role="status">
          {total !== undefined &&
            (isOpen.value
              ? `over ${formatNumber(total - 1)} rows`
              : `${formatNumber(total)} ${formatNoun(total, 'rows')}`)}
        </span>
        {table?.type === 'table' && (
          <Button
            icon="time"
            disabled={selected === undefined}
            onClick={() => setTraced(selected === undefined ? undefined : list.get(selected))}
          >
            Who changed the row
          </Button>
        )}
        <ActionButton icon="download" disabled={total === undefined} action={() => save('csv')}>
          CSV
        </ActionButton>
        <ActionButton icon="download" disabled={total === undefined} action={() => save('json')}>
          JSON
        </ActionButton>
      </div>
      {table && (
        <details>
          <summary>SQL</summary>
          <Code text={table.sql} language="text" />
        </details>
      )}
      {table?.type === 'table' && source.at !== undefined && (
        <p class="muted">Cells can be edited in the current state only: go back to now.</p>
      )}
      {update !== undefined && (
        <section class="note" aria-label="Statement that changes the cell">
          <code>{update}</code>
          <span class="actions">
            <Button onClick={() => setUpdate(undefined)}>Cancel</Button>
            <RunUpdate
              key={update}
              disabled={statements.isBusy}
              action={async () => {
                await statements.change(update);
                setUpdate(undefined);
              }}
            />
          </span>
        </section>
      )}
      {error ? (
        <ErrorMessage error={error} />
      ) : total === undefined ? (
        <Loading />
      ) : (
        <Grid
          label={`Rows of ${name}`}
          columns={columns.value}
          total={total}
          get={(index) => list.get(index)}
          onRange={onRange}
          isEditable={(row) => keys.has(row)}
          onEdit={edit}
          onSelect={setSelected}
        />
      )}
      {total === 0 && <Empty title="No rows" />}
      {traced && table && (
        <RowHistory
          id={id}
          table={table.name}
          columns={columns.value}
          row={traced}
          onClose={() => setTraced(undefined)}
        />
      )}
    </div>
  );
}

/** The button has the focus at once: Enter in the cell, then Enter. A cell that is edited meanwhile keeps it. */
function RunUpdate({ action, disabled }: { readonly action: () => Promise<void>; readonly disabled: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!(document.activeElement instanceof HTMLTextAreaElement)) element.current?.querySelector('button')?.focus();
  }, []);
  return (
    <span ref={element}>
      <ActionButton kind="primary" action={action} disabled={disabled}>
        Run the statement
      </ActionButton>
    </span>
  );
}
