import { withQuery } from '../../lib/api.js';
import { commits } from '../../lib/live.js';
import { at, pathOf } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { HistoryEntry, TableRows } from '../../lib/types.js';
import { Loading } from '../../ui/commit.js';
import { FieldsDiff } from '../../ui/diff.js';
import { Button, ErrorMessage, Link, Panel } from '../../ui/elements.js';
import type { SqlRow } from './sql-values.js';

type Values = Readonly<Record<string, unknown>>;

/** Whether a recorded value, which may be cut, is the value of a row. */
function isSame(recorded: unknown, value: SqlRow[number] | undefined): boolean {
  if (typeof recorded !== 'object' || recorded === null) return recorded === value;
  if ('text' in recorded) return typeof value === 'string' && value.startsWith(String(recorded.text));
  const bytes = 'base64' in recorded ? atob(String(recorded.base64)).length : 'bytes' in recorded && recorded.bytes;
  return typeof value === 'object' && value !== null && value.bytes === bytes;
}

interface Change {
  readonly entry: HistoryEntry;
  readonly statement: string | null;
  readonly before: Values | null;
  readonly after: Values | null;
}

/** Follows a row back through the history: from what it is, to what it was before each change. */
function followRow(entries: readonly HistoryEntry[], table: string, now: Readonly<Record<string, SqlRow[number]>>) {
  const found: Change[] = [];
  let isRow = (recorded: Values): boolean =>
    Object.entries(recorded).every(([name, value]) => !(name in now) || isSame(value, now[name]));
  for (const entry of entries.toReversed()) {
    for (const { statement, changes } of (entry.changes[0]?.rows ?? []).toReversed()) {
      for (const { table: changed, before, after } of changes.toReversed()) {
        if (changed !== table || !after || !isRow(after)) continue;
        found.push({ entry, statement, before, after });
        if (!before) return found;
        const old = JSON.stringify(before);
        isRow = (recorded) => JSON.stringify(recorded) === old;
      }
    }
  }
  return found;
}

interface RowHistoryProps {
  readonly id: string;
  readonly table: string;
  readonly columns: TableRows['columns'];
  readonly row: SqlRow;
  readonly onClose: () => void;
}

/** The requests that changed a row, newest first, with the row before and after each. */
export function RowHistory({ id, table, columns, row, onClose }: RowHistoryProps) {
  const { data, error } = useResource<readonly HistoryEntry[]>(
    withQuery('/history', { record: pathOf('sqlite', id).slice(1) }),
  );
  const order = commits.value.map((commit) => commit.id);
  const end = at.value === undefined ? order.length : order.indexOf(at.value);
  const entries = data?.filter((entry) => order.indexOf(entry.id) <= end) ?? [];
  const now = Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null]));
  const changes = followRow(entries, table, now);
  return (
    <Panel
      title="Requests that changed this row"
      actions={<Button icon="close" kind="plain" label="Close" onClick={onClose} />}
    >
      <div class="panel-body stack">
        {error && error.status !== 404 && <ErrorMessage error={error} />}
        {!data && !error && <Loading />}
        {(data || error?.status === 404) && changes.length === 0 && (
          <p class="muted">
            None in the history: it comes from the seed data, or from a request whose rows the journal does not have.
            The journal keeps 100 rows of a request.
          </p>
        )}
        {changes.map(({ entry, statement, before, after }, index) => (
          <section key={index} class="change" aria-label={`Change by ${entry.id}`}>
            <header>
              <Link to={pathOf('requests', entry.id)} class="mono">
                {entry.id}
              </Link>
              {entry.user !== null && <span>by {entry.user}</span>}
              {statement !== null && <code>{statement}</code>}
            </header>
            <FieldsDiff before={before} after={after} />
          </section>
        ))}
      </div>
    </Panel>
  );
}
