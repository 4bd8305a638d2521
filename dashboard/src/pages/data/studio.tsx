import { useMemo, useState } from 'preact/hooks';
import { ControlError, toControlError } from '../../lib/api.js';
import { keepDraft, readDraft } from '../../lib/drafts.js';
import { formatNoun, formatNumber, formatValue } from '../../lib/format.js';
import { at, pathOf, place, setQuery } from '../../lib/location.js';
import { readStored, store } from '../../lib/storage.js';
import type { Database, Row } from '../../lib/types.js';
import { useUsers } from '../../lib/users.js';
import { RewindDialog } from '../../ui/commit.js';
import { Editor } from '../../ui/editor.js';
import { Button, ErrorMessage, Link } from '../../ui/elements.js';
import { Menu } from '../../ui/menu.js';
import { stateBefore } from '../../ui/travel.js';
import { Grid } from './grid.js';
import { findToken, isRefusedWrite, locateError, readRows, rowHasChanged, type Written, write } from './sql-values.js';

/** Statements that are kept for each database, until the tab is closed. */
const MAX_STATEMENTS = 50;
/** Total characters of the statements that are kept for a database. */
const MAX_CHARACTERS = 200_000;

const keyOf = (id: string): string => `statements ${id}`;

function listStatements(id: string): readonly string[] {
  const all: unknown = JSON.parse(readStored('sessionStorage', keyOf(id)) ?? '[]');
  return Array.isArray(all) ? all.filter((each) => typeof each === 'string') : [];
}

function keepStatement(id: string, statement: string): void {
  if (statement.length > MAX_CHARACTERS) return;
  const kept = [statement, ...listStatements(id).filter((each) => each !== statement)].slice(0, MAX_STATEMENTS);
  while (kept.join('').length > MAX_CHARACTERS) kept.pop();
  store('sessionStorage', keyOf(id), JSON.stringify(kept));
}

/** The outcome of a statement that failed or wrote. A statement that reads is in the address. */
export type Outcome = { readonly error: ControlError; readonly statement: string } | Done;

interface Done {
  readonly written: Written;
  readonly statement: string;
}

const PAST =
  'A statement that writes runs on the current state only. Go back to now, or fork the sandbox at this point in time.';

/** Runs statements of a database: one that reads on the state that the pages show, one that writes on the current one. */
export function useStatements(database: Row) {
  const users = useUsers();
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (statement: string, work: () => Promise<Done | undefined>) => {
    if (isBusy || statement.trim() === '') return;
    keepStatement(database.id, statement);
    setBusy(true);
    try {
      setOutcome(await work());
    } catch (reason) {
      setOutcome({ error: toControlError(reason), statement });
    } finally {
      setBusy(false);
    }
  };
  const execute = async (statement: string): Promise<Done> => {
    const token = await findToken(database, users.data ?? []);
    return { written: await write(token, statement), statement };
  };
  const run = (statement: string) =>
    attempt(statement, async () => {
      const error = await readRows(database.id, { sql: statement, at: at.value }, 0, 1).then(
        () => undefined,
        toControlError,
      );
      if (error && !isRefusedWrite(error)) throw error;
      if (error && at.value !== undefined) throw new ControlError(409, PAST);
      if (error) return await execute(statement);
      setQuery({ sql: statement, table: undefined });
      return undefined;
    });
  /** Runs a statement that changes a cell. */
  const change = (update: string) =>
    attempt(update, async () => {
      const done = await execute(update);
      if (done.written.rowsAffected === 0) throw rowHasChanged();
      return done;
    });
  return { outcome, isBusy, run, change, clear: () => setOutcome(undefined) };
}

interface StudioProps {
  readonly id: string;
  readonly tables: Database['tables'];
  readonly statements: ReturnType<typeof useStatements>;
}

const draftKey = (id: string): string => `statement ${id}`;

/** The text of the box that was typed below a statement of the address: to travel in time loses nothing. */
function findStatement(id: string, sql: string): string | undefined {
  const [address, text]: readonly unknown[] = JSON.parse(readDraft(draftKey(id)) ?? '[]');
  return address === sql && typeof text === 'string' ? text : undefined;
}

/** A box for a statement, and its outcome. */
export function Studio({ id, tables, statements: { outcome, isBusy, run, clear } }: StudioProps) {
  const sql = place.value.query.get('sql') ?? '';
  const [text, setText] = useState(() => findStatement(id, sql) ?? sql);
  const shape = JSON.stringify(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  const names = useMemo((): Record<string, string[]> => Object.fromEntries(JSON.parse(shape)), [shape]);
  const error = outcome && 'error' in outcome && outcome.statement === text ? outcome : undefined;
  const found = useMemo(() => error && locateError(text, error.error.message), [error]);
  const marks = useMemo(
    () =>
      found && error ? [{ line: text.slice(0, found.offset).split('\n').length, message: error.error.message }] : [],
    [found],
  );
  const submit = () => void run(text);
  const known = listStatements(id);
  return (
    <section class="studio" aria-label="SQL">
      <Editor
        label="SQL statement"
        language="sql"
        rows={5}
        value={text}
        names={names}
        marks={marks}
        selected={found}
        onInput={(next) => {
          setText(next);
          keepDraft(draftKey(id), JSON.stringify([sql, next]));
          if (error) clear();
        }}
        onSubmit={submit}
      />
      <div class="toolbar">
        <Button icon="send" kind="primary" disabled={isBusy || text.trim() === ''} onClick={submit}>
          Run
        </Button>
        <kbd>Ctrl Enter</kbd>
        {known.length > 0 && (
          <Menu label="History">
            {known.map((statement) => (
              <Button key={statement} onClick={() => setText(statement)}>
                <code class="truncate">{formatValue(statement, 80)}</code>
              </Button>
            ))}
          </Menu>
        )}
      </div>
      {outcome && <OutcomeView outcome={outcome} />}
    </section>
  );
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  const [rewind, setRewind] = useState<string | undefined>(undefined);
  if ('error' in outcome) return <ErrorMessage error={outcome.error} />;
  const { columns, rows, rowsAffected, request } = outcome.written;
  const before = request && stateBefore(request)?.at;
  return (
    <div class="stack">
      <p class="toolbar" role="status">
        {formatNumber(rowsAffected)} {formatNoun(rowsAffected, 'rows')} changed.
        {request && <Link to={pathOf('requests', request)}>Open the request {request}</Link>}
        {before !== undefined && (
          <Button icon="rewind" onClick={() => setRewind(before)}>
            Undo
          </Button>
        )}
      </p>
      {columns.length > 0 && (
        <Grid
          label="Returned rows"
          columns={columns.map((name) => ({ name, type: '' }))}
          total={rows.length}
          get={(index) => rows[index]?.map((value) => (isBytes(value) ? { bytes: value.length } : value))}
        />
      )}
      {rewind !== undefined && <RewindDialog at={rewind} onClose={() => setRewind(undefined)} />}
    </div>
  );
}

const isBytes = (value: Written['rows'][number][number]): value is readonly number[] => Array.isArray(value);
