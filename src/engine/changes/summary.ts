import { type Static, Type } from 'typebox';
import { mapOf, record } from '../lib/schema.js';
import type { Steps } from '../lib/steps.js';
import type { State } from '../state/state.js';
import { walkChanges } from './changed-record.js';
import { formatChange } from './format.js';

/** Names of changed records that are listed at most. */
const MAX_NAMES = 10;
/** Changes between two yields of steps. */
const STEP = 50;

const Count = Type.Integer();
export const summary = {
  counts: mapOf(record('ChangeCounts', { added: Count, changed: Count, removed: Count }), {
    description: 'Numbers of added, changed and removed records by collection; collections without one are absent',
  }),
  names: Type.Array(Type.String(), {
    description: 'Names of the changed records, ten at most: `+ ada`, `ada: bio, email`, `- ada`',
  }),
};

/** What differs between two states, in numbers and first names. */
export interface ChangeSummary extends Static<ReturnType<typeof Type.Object<typeof summary>>> {}

/** Counts and names what differs between two states. A record that was replaced by an equal record is no change. */
export function* summarizeChange(before: State, after: State): Steps<ChangeSummary> {
  const counts: ChangeSummary['counts'] = {};
  const names: string[] = [];
  let read = 0;
  for (const { definition, changes } of walkChanges(before, after)) {
    const count = { added: 0, changed: 0, removed: 0 };
    for (const change of changes) {
      if (++read % STEP === 0) yield;
      if (change.isSame) continue;
      count[change.type]++;
      if (names.length < MAX_NAMES && !change.isPart) names.push(formatChange(change));
    }
    if (count.added + count.changed + count.removed > 0) counts[definition.name] = count;
  }
  return { counts, names };
}

/** Names what a commit changed, the first ten records: `+ ada/hello`, `ada/hello: code, privacy`. */
export function listChangedNames(before: State, after: State): string[] {
  const names: string[] = [];
  for (const { changes } of walkChanges(before, after)) {
    for (const change of changes) {
      if (!change.isPart && !change.isSame && names.push(formatChange(change)) === MAX_NAMES) return names;
    }
  }
  return names;
}
