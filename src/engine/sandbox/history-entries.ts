import { type Static, Type } from 'typebox';
import { parseRows } from '../api/row-changes.js';
import { summarizeChange, summary, toWhole } from '../changes/change.js';
import { findChange } from '../changes/changed-record.js';
import { TextDiffer } from '../changes/text-changes.js';
import type { Exchange } from '../journal/exchange.js';
import { NotFoundError, OptionsError } from '../lib/errors.js';
import { formatValue, parseBack, suggestId } from '../lib/messages.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import type { Steps } from '../lib/steps.js';
import { formatCount } from '../lib/text.js';
import { toTimestamp } from '../lib/time.js';
import { Nullable, Timestamp } from '../schema/common.js';
import { lastOf, record, strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import type { State, StateStore } from '../state/state.js';
import type { Commit } from '../store/commit.js';
import { findMoment, HISTORY_LENGTH, type Moment, momentAfter, START } from '../store/history.js';
import { findReference, selectRows } from './record-references.js';

const historyEntry = record('HistoryEntry', {
  id: Type.String({ description: 'Id of the request' }),
  request: Type.String({ description: 'The operation, as in `GET /v1/me`' }),
  user: Nullable(Type.String({ description: 'Who sent the request, while the journal has it' })),
  time: Timestamp,
  ...summary,
});
/** A commit of the history. */
export interface HistoryEntry extends Static<typeof historyEntry> {}
export const HistoryEntry = Type.Unsafe<HistoryEntry>(historyEntry);

/** @param exchange of the commit, while the journal has it */
export function* toHistoryEntry(
  { id, operation, at, before, after }: Commit<State>,
  exchange: Exchange | undefined,
): Steps<HistoryEntry> {
  const user = exchange?.user ?? null;
  return { id, request: operation, user, time: toTimestamp(at), ...(yield* summarizeChange(before, after)) };
}

export const HistoryQuery = strictObject({
  record: Type.Optional(Type.String({ description: 'Only commits of this record: `users/<id>`, or its name' })),
  /** Default: 100, and of a record all. */
  limit: lastOf(`Last N of ${HISTORY_LENGTH}. Default: 100, or all of a record`),
});
export interface HistoryOptions extends Optional<Static<typeof HistoryQuery>> {}
const isHistoryQuery = compile(HistoryQuery, 'strict');

/** Commits between two yields of steps. */
const STEP = 50;
/** Commits that are listed if no number is asked for. */
const LISTED = 100;

/**
 * Lists the last commits.
 * @param find finds an exchange of the journal by the id of its commit
 * @throws OptionsError for a wrong option, NotFoundError when no state of the history has the record
 */
export function* listHistory(
  store: StateStore,
  options: HistoryOptions,
  find: (id: string) => Exchange | undefined,
): Steps<HistoryEntry[]> {
  const query = omitUndefined(options);
  if (!isHistoryQuery(query)) throw new OptionsError(describeErrors(isHistoryQuery.errors, ''));
  const { record: reference, limit } = query;
  if (reference !== undefined) return (yield* listRecordHistory(store, reference, find)).slice(-(limit ?? 0));
  const entries: HistoryEntry[] = [];
  for (const commit of store.history.list(limit ?? LISTED)) {
    if (entries.push(yield* toHistoryEntry(commit, find(commit.id))) % STEP === 0) yield;
  }
  return entries;
}

/**
 * Lists the commits that touched a record, each with the record before and after it. If the first one did not add the
 * record, a commit before them did.
 * @param reference `vals/<id>`, `ada/hello` for a val, or `ada` for a user; also of a record that is deleted by now
 */
function* listRecordHistory(
  store: StateStore,
  reference: string,
  find: (id: string) => Exchange | undefined,
): Steps<HistoryEntry[]> {
  const commits = store.history.list();
  const found = findReference([store.state, ...commits.toReversed().map(({ before }) => before)], reference);
  const differ = new TextDiffer();
  const entries: HistoryEntry[] = [];
  for (const commit of commits) {
    const change = findChange(found.definition, found.id, commit.before, commit.after);
    if (!change || change.isSame) continue;
    const exchange = find(commit.id);
    const rows = selectRows(found, commit.after, parseRows(exchange?.rows));
    entries.push({ ...(yield* toHistoryEntry(commit, exchange)), changes: [toWhole(change, differ, rows)] });
  }
  return entries;
}

/**
 * Returns a commit by its distance from the last one (1 for the last) or by its id, which may be `last`, `-1` or `-2`.
 * @throws NotFoundError when the history has no such commit
 */
export function getCommit({ history }: Pick<StateStore, 'history'>, to: number | string): Commit<State> {
  const back = typeof to === 'number' ? to : parseBack(to);
  const found = back === undefined ? history.find(String(to)) : history.at(history.length - back);
  if (found) return found;
  const reason = history.length === 0 ? 'nothing was written yet' : `the history has the last ${history.length}`;
  const problem =
    typeof to === 'number' ? `Cannot take back ${formatCount(to, 'commit')}` : `There is no commit ${formatValue(to)}`;
  const hint =
    typeof to === 'string'
      ? suggestId(
          to,
          history.list().map(({ id }) => id),
        )
      : '';
  throw new NotFoundError(`${problem}: ${reason}.${hint}`);
}

/** Selects a state of the history, in a query or a body. */
export const At = Type.Optional(
  Type.String({
    minLength: 1,
    expected: 'the id of a commit such as "r17", or "start"',
    description: 'The state after this commit, or at the `start`. Default: now',
  }),
);
export const AtQuery = strictObject({ at: At });

/**
 * Returns the state after a commit.
 * @param at id of the commit, or `last`, `-1`, `-2`; `start` for the state before the oldest commit. Default: the current state
 * @throws NotFoundError when the history has no such commit
 */
export function getStateAt(store: StateStore, at?: string): Moment<State> {
  return at === undefined || at === START ? findMoment(store, at) : momentAfter(store, getCommit(store, at));
}
