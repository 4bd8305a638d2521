import type { Engine } from '#engine/api/route.js';
import { NotFoundError, OptionsError, RefusalError } from '#engine/lib/errors.js';
import { formatValue } from '#engine/lib/messages.js';
import type { Sandbox } from '#engine/sandbox/sandbox.js';
import { type State, toValsState } from '#vals/lib/state.collection.js';
import { findProject } from '#vals/projects/names.collection.js';
import { findUserByReference } from '#vals/users/users.collection.js';
import { type Selected, toDatabases } from './databases.rules.js';
import { SqlError } from './sql-error.js';
import type { SqlArguments } from './values.js';

export type { SqlArguments } from './values.js';

/** A row by the names of its columns. An integer beyond 2^53 is a string; the bytes of a blob are a list. */
export type Row = Record<string, null | string | number | number[]>;

/** Whose database a statement reads. */
export interface RowsOptions {
  /** User or project: `ada`, `ada/site`, or an id. Default: the first user */
  readonly owner?: string | undefined;
}

/** The method of a sandbox that reads its databases. */
export interface RowReader {
  /**
   * Runs a statement that reads on a SQLite database of the sandbox, and returns its rows. A database that nothing was written
   * to is empty. No request is recorded.
   * @param args parameter values: a list, or an object by name. Default: none
   * @throws ApiError for a wrong statement, and for a statement that writes
   * @throws NotFoundError for an unknown owner
   */
  rows(sql: string, args?: SqlArguments, options?: RowsOptions): Row[];
}

/** Finds the database of an owner, undefined for an empty one. @param reference default: the first user. @throws NotFoundError */
export function findDatabase(state: State, reference?: string) {
  const [first] = state.users.by.serial.range();
  const owner =
    reference === undefined ? first : (findUserByReference(state, reference) ?? findProject(state, reference));
  if (owner) return state.sqlite.get(owner.id);
  throw new NotFoundError(
    reference === undefined
      ? 'There is no user whose database a statement could read. Add a user, or name a project as owner.'
      : `There is no user and no project ${formatValue(reference)} that could have a database.`,
  );
}

/** Says which tables there are if one is missing: the journal, which explains it for requests, has no entry. */
export function explainSqlError(error: unknown): unknown {
  if (!(error instanceof SqlError && error.cause instanceof RefusalError)) return error;
  const { reason, suggestion } = error.cause;
  return new SqlError(error.sqlCode, `${error.reason}; ${reason}. ${suggestion}`.replace(/[^.?]$/, '$&.'));
}

export const toRows = ({ columns, rows }: Selected): Row[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));

/** @internal */
export const makeRowReader = (sandbox: Sandbox, engine: Engine | undefined): RowReader => ({
  rows(sql, args, { owner } = {}) {
    // A program without types may send anything.
    if (typeof sql !== 'string')
      throw new OptionsError([{ path: 'sql', message: `found ${formatValue(sql)}; expected a statement.` }]);
    const state = toValsState(sandbox.touch().store.state);
    const database = findDatabase(state, owner);
    try {
      return toRows(toDatabases(engine).readNow(state, database, sandbox.now, { sql, args }));
    } catch (error) {
      throw explainSqlError(error);
    }
  },
});
