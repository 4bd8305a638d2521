import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import { summarizeChange, summary } from '../changes/change.js';
import { listFaults } from '../faults/faults.js';
import type { Steps } from '../lib/steps.js';
import { record } from '../schema/schema.js';
import type { State } from '../state/state.js';

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
