import { Type } from 'typebox';
import type { Summary, SummaryPart } from '#engine/control/ui/summary.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { Timestamp } from '#engine/schema/common.js';
import { mapOf, record } from '#engine/schema/schema.js';
import { Tally } from '#engine/store/tally.js';
import { type State, toValsState } from '#vals/lib/state.collection.js';
import type { Run, Val } from './service.collection.js';

const HOUR_MS = 3_600_000;
/** Hours for which runs are counted. */
const HOURS = 48;

const Counts = mapOf(Type.Integer());

const toHour = ({ runStartAt }: Run): Instant => Math.floor(runStartAt / HOUR_MS) * HOUR_MS;

class ValsTally {
  readonly #types = new Tally<Val, string>(({ type }) => type);
  readonly #privacies = new Tally<Val, string>(({ privacy }) => privacy);
  readonly #runs = new Tally(toHour);
  readonly #failed = new Tally((run: Run) => (run.error === null ? null : toHour(run)));

  *read({ vals, runs }: State) {
    return {
      valTypes: sortCounts(yield* this.#types.count(vals)),
      privacies: sortCounts(yield* this.#privacies.count(vals)),
      runsPerHour: listHours(yield* this.#runs.count(runs), yield* this.#failed.count(runs)),
    };
  }
}

/** The most frequent name first. */
const sortCounts = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([name, a], [other, b]) => b - a || (name < other ? -1 : 1)));

function listHours(runs: ReadonlyMap<Instant, number>, failed: ReadonlyMap<Instant | null, number>) {
  if (runs.size === 0) return [];
  let newest = Number.NEGATIVE_INFINITY;
  for (const hour of runs.keys()) newest = Math.max(newest, hour);
  return Array.from({ length: HOURS }, (_, i) => {
    const hour = newest - (HOURS - 1 - i) * HOUR_MS;
    return { hour: toTimestamp(hour), runs: runs.get(hour) ?? 0, failed: failed.get(hour) ?? 0 };
  });
}

export const summary = {
  properties: {
    valTypes: Counts,
    privacies: Counts,
    runsPerHour: Type.Array(record('RunsOfAnHour', { hour: Timestamp, runs: Type.Integer(), failed: Type.Integer() }), {
      description: 'The 48 hours that end with the newest run, oldest first; empty without runs',
    }),
  },
  charts: ['runsPerHour'],
  begin() {
    const tally = new ValsTally();
    return (state) => tally.read(toValsState(state));
  },
} satisfies SummaryPart;

/** The response of `GET /_emulator/summary`. */
export type ValsSummary = Summary & (typeof summary extends SummaryPart<infer S> ? S : never);
