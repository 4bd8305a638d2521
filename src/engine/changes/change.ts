import { type Static, Type } from 'typebox';
import { RowChanges } from '../api/row-changes.js';
import type { Steps } from '../lib/steps.js';
import { Nullable } from '../schema/common.js';
import { mapOf, record } from '../schema/schema.js';
import type { State } from '../state/state.js';
import { CHANGE_TYPES, type ChangedRecord, walkChanges } from './changed-record.js';
import { formatChange } from './format.js';
import type { TextDiffer } from './text-changes.js';

/** Changed records that a commit lists in the history. */
const MAX_LISTED = 10;
/** Changes between two yields of steps. */
const STEP = 50;

const Side = Type.Optional(Nullable(mapOf(Type.Unknown())));

const change = record('Change', {
  collection: Type.String(),
  id: Type.String({ description: 'Id of the record' }),
  name: Type.String({ description: 'Name of the record' }),
  type: Type.Enum(CHANGE_TYPES),
  part: Type.Optional(Type.Boolean({ description: 'Whether it follows from the change of another record' })),
  fields: Type.Optional(
    Type.Array(Type.String(), { description: 'Fields of a changed record that differ; `content` for its bytes' }),
  ),
  file: Type.Optional(Type.String({ description: 'Path of a file of the record' })),
  table: Type.Optional(Type.String({ description: 'Table of a row of the record, which is a database' })),
  row: Type.Optional(Type.String({ description: 'Primary key of the row, or a substitute for it' })),
  before: Side,
  after: Side,
  lines: Type.Optional(
    mapOf(Type.String(), {
      description:
        'Unified differences of fields with several lines, and of files as `files/<path>`; about 1 MB in all, and no more',
    }),
  ),
  rows: Type.Optional(
    Type.Array(RowChanges, {
      description: 'Changed rows of a database that a commit has changed, while the journal has the request',
    }),
  ),
});
/** A record, a file or a row that differs between two states. A secret has no value. */
export interface Change extends Static<typeof change> {}
export const Change = Type.Unsafe<Change>(change);

/** A change as a difference has it, or a commit: null for a side on which it does not exist. */
export interface WholeChange extends Change {
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}
export const WholeChange = Type.Unsafe<WholeChange>(change);

const toListed = (change: ChangedRecord): Change => {
  const { collection, id, name, type } = change;
  return { collection, id, name, type, ...(type === 'changed' && { fields: change.fields }) };
};

/** Returns a change with both sides, also the fields that do not differ. @param rows of SQL that are its own */
export function toWhole(change: ChangedRecord, differ: TextDiffer, rows: readonly RowChanges[]): WholeChange {
  const sides = change.toRows();
  const lines = differ.compare(change, sides);
  const [before = null, after = null] = sides;
  return {
    ...toListed(change),
    ...(change.isPart && { part: true }),
    before,
    after,
    ...(lines && { lines }),
    ...(rows.length > 0 && { rows: [...rows] }),
  };
}

const Count = Type.Integer();
export const summary = {
  total: Type.Integer({ description: 'Total number of changed records' }),
  counts: mapOf(record('ChangeCounts', { added: Count, changed: Count, removed: Count }), {
    description: 'Numbers of added, changed and removed records by collection; collections without one are absent',
  }),
  changes: Type.Array(Change, {
    description: 'The first ten changed records that follow from no other one, without their sides',
  }),
};

/** What differs between two states, in numbers and first records. */
export interface ChangeSummary extends Static<ReturnType<typeof Type.Object<typeof summary>>> {}

/** Counts what differs between two states, and lists the first records. A record that was replaced by an equal record is no change. */
export function* summarizeChange(before: State, after: State): Steps<ChangeSummary> {
  const counts: ChangeSummary['counts'] = {};
  const listed: Change[] = [];
  let [read, total] = [0, 0];
  for (const { definition, changes } of walkChanges(before, after)) {
    const count = { added: 0, changed: 0, removed: 0 };
    for (const change of changes) {
      if (++read % STEP === 0) yield;
      if (change.isSame) continue;
      total++;
      count[change.type]++;
      counts[definition.name] = count;
      if (listed.length < MAX_LISTED && !change.isPart) listed.push(toListed(change));
    }
  }
  return { total, counts, changes: listed };
}

/** Names the changes that a summary lists: `+ ada/hello`, `ada/hello: code, privacy`. */
export function listChangedNames(before: State, after: State): string[] {
  const names: string[] = [];
  for (const { changes } of walkChanges(before, after)) {
    for (const change of changes) {
      if (!change.isPart && !change.isSame && names.push(formatChange(change)) === MAX_LISTED) return names;
    }
  }
  return names;
}
