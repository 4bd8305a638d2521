import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { StoredSet } from '../definition/define.js';
import { mapOf, record } from '../lib/schema.js';
import type { Steps } from '../lib/steps.js';
import { StateNames } from '../seed/names.js';
import { diffSets } from '../state/diff.js';
import type { State } from '../state/state.js';
import type { RecordChange } from '../store/collection.js';
import { listFaults } from './faults.js';
import { MAX_NAMES, nameChange } from './record-history.js';

/** Changes between two yields of steps. */
const STEP = 50;

const Count = Type.Integer();
const summary = {
  counts: mapOf(record('ChangeCounts', { added: Count, changed: Count, removed: Count }), {
    description: 'Numbers of added, changed and removed records by collection; collections without one are absent',
  }),
  names: Type.Array(Type.String(), {
    description: 'Names of the changed records, ten at most: `+ ada`, `ada: bio, email`, `- ada`',
  }),
};

/** What differs between two states, in numbers and first names. */
export interface ChangeSummary extends Static<ReturnType<typeof Type.Object<typeof summary>>> {}

/** Parts of a state other than its records. The windows of the rate limit are not shown, since they have tokens. */
const OTHERS = [
  ['faults', (state: State): unknown => listFaults(state)],
  ['rateLimit', (state: State): unknown => state.settings.rateLimit ?? null],
  ['clock', (state: State): unknown => state.clock],
] as const;

/** Lists the other parts that differ, each before and after. */
export const listOthers = (before: State, after: State) =>
  OTHERS.map(([name, read]) => ({ name, before: read(before), after: read(after) })).filter(
    (other) => !isDeepStrictEqual(other.before, other.after),
  );
export const Other = Type.Enum(['faults', 'rateLimit', 'clock']);

const replacement = record('Replacement', {
  commits: Type.Integer({ description: 'Number of commits that were taken back' }),
  ...summary,
  others: Type.Array(Other, { description: 'What else is not as before' }),
});
/** What a reset, a rewind, a restored snapshot or other seed data changed. */
export interface Replacement extends Static<typeof replacement> {}
export const Replacement = Type.Unsafe<Replacement>(replacement);

/** The states before and after a replacement, which a summary compares. */
export interface Replaced {
  readonly before: State;
  readonly after: State;
  /** Number of commits that were taken back. */
  readonly commits: number;
}

/** Summarizes a replacement of the state. Costs in proportion to the change. */
export function* summarizeReplacement({ before, after, commits }: Replaced): Steps<Replacement> {
  const others = listOthers(before, after).map(({ name }) => name);
  return { commits, ...(yield* summarizeChange(before, after)), others };
}

/** Counts and names what differs between two states. A record that was replaced by an equal record is no change. */
export function* summarizeChange(before: State, after: State): Steps<ChangeSummary> {
  const counts: ChangeSummary['counts'] = {};
  const names: string[] = [];
  const states = [new StateNames(before), new StateNames(after)] as const;
  let read = 0;
  for (const { set, changes } of diffSets(before, after, after.definitions.all)) {
    const count = { added: 0, changed: 0, removed: 0 };
    for (const change of changes) {
      if (++read % STEP === 0) yield;
      if (isSame(set, change)) continue;
      count[!change.before ? 'added' : change.after ? 'changed' : 'removed']++;
      const name = names.length < MAX_NAMES ? nameChange(set, change, states) : undefined;
      if (name !== undefined) names.push(name);
    }
    if (count.added + count.changed + count.removed > 0) counts[set.name] = count;
  }
  return { counts, names };
}

/** Whether both records of a change are stored as the same. */
function isSame({ stored }: StoredSet, { before, after }: RecordChange<object>): boolean {
  if (!before || !after) return false;
  return stored ? isDeepStrictEqual(stored.encode(before), stored.encode(after)) : isDeepStrictEqual(before, after);
}
