import { Type } from 'typebox';
import { Timestamp } from '#engine/api/schemas/common.js';
import type { SummaryPart } from '#engine/control/summary.js';
import { mapOf, record } from '#engine/lib/schema.js';
import { inSteps } from '#engine/lib/steps.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { type State, toValsState } from '../collections/state.js';

const HOUR_MS = 3_600_000;
/** Hours for which runs are counted. */
const HOURS = 48;

const Counts = mapOf(Type.Integer());

/** Counts equal names, the most frequent one first. */
function count(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

function* countRuns({ runs }: State) {
  const hours = new Map<Instant, { runs: number; failed: number }>();
  let newest = Number.NEGATIVE_INFINITY;
  yield* inSteps(runs, ({ runStartAt, error }) => {
    const hour = Math.floor(runStartAt / HOUR_MS) * HOUR_MS;
    newest = Math.max(newest, hour);
    const counted = hours.get(hour) ?? { runs: 0, failed: 0 };
    counted.runs++;
    if (error !== null) counted.failed++;
    hours.set(hour, counted);
  });
  if (hours.size === 0) return [];
  return Array.from({ length: HOURS }, (_, i) => {
    const hour = newest - (HOURS - 1 - i) * HOUR_MS;
    return { hour: toTimestamp(hour), ...(hours.get(hour) ?? { runs: 0, failed: 0 }) };
  });
}

/** What the summary of a sandbox has of vals and runs. */
export const summary = {
  properties: {
    valTypes: Counts,
    privacies: Counts,
    runsPerHour: Type.Array(record('RunsOfAnHour', { hour: Timestamp, runs: Type.Integer(), failed: Type.Integer() }), {
      description: 'The 48 hours that end with the newest run, oldest first; empty without runs',
    }),
  },
  *read(given) {
    const state = toValsState(given);
    const vals = [...state.vals];
    return {
      valTypes: count(vals.map(({ type }) => type)),
      privacies: count(vals.map(({ privacy }) => privacy)),
      runsPerHour: yield* countRuns(state),
    };
  },
} satisfies SummaryPart;
