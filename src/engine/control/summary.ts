import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../api/schemas/common.js';
import { packageVersion } from '../lib/package.js';
import { record } from '../lib/schema.js';
import { inSteps, type Steps } from '../lib/steps.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import type { Storage } from '../persistence/storage.js';
import { AtQuery, getStateAt } from '../sandbox/history.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { countRecords } from '../seed/export.js';
import type { State } from '../state/state.js';
import { controlRoute } from './route.js';

const HOUR_MS = 3_600_000;
/** Hours for which runs are counted. */
const HOURS = 48;

const Counts = Type.Record(Type.String(), Type.Integer());

const summary = record('Summary', {
  version: Type.String({ description: 'Version of the emulator' }),
  sandbox: Type.String({ description: 'Name of the sandbox, empty for the default one' }),
  folder: Nullable(
    Type.String({ description: 'The data folder that keeps the sandbox; null if it is in memory only' }),
  ),
  failure: Nullable(Type.String({ description: 'Why nothing can be written to the data folder' })),
  at: Nullable(Type.String({ description: 'The commit whose state this is' })),
  now: Timestamp,
  frozen: Type.Boolean(),
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'Numbers of records by collection' }),
  valTypes: Counts,
  privacies: Counts,
  runsPerHour: Type.Array(record('RunsOfAnHour', { hour: Timestamp, runs: Type.Integer(), failed: Type.Integer() }), {
    description: 'The 48 hours that end with the newest run, oldest first; empty without runs',
  }),
  requests: Type.Integer({ description: 'Number of requests to the API since the start or the last reset' }),
  commits: Type.Integer({ description: 'Number of commits in the history' }),
  rateLimit: Nullable(
    record('RateLimitSetting', { limit: Type.Integer(), window: Type.Number({ description: 'Milliseconds' }) }),
  ),
});
export interface Summary extends Static<typeof summary> {}
const Summary = Type.Unsafe<Summary>(summary);

/**
 * Summarizes a sandbox, now or after a commit. O(n).
 * @throws NotFoundError when the history has no such commit
 */
function* summarize(sandbox: Sandbox, at: string | undefined, storage?: Storage): Steps<Summary> {
  const { state, time } = getStateAt(sandbox.store, at);
  const clock =
    time === undefined ? sandbox.clock.read() : { now: toTimestamp(time), frozen: 'frozenAt' in state.clock };
  const vals = [...state.vals];
  const { rateLimit } = state.settings;
  return {
    version: packageVersion(),
    sandbox: sandbox.name,
    folder: storage && sandbox.meta.kept ? storage.path : null,
    failure: storage?.failure?.message ?? null,
    at: at ?? null,
    ...clock,
    counts: { ...countRecords(state) },
    valTypes: count(vals.map(({ type }) => type)),
    privacies: count(vals.map(({ privacy }) => privacy)),
    runsPerHour: yield* countRuns(state),
    requests: sandbox.journal.count,
    commits: sandbox.store.history.length,
    rateLimit: rateLimit ? { ...rateLimit } : null,
  };
}

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

export const summaryRoutes = [
  controlRoute('GET', '/_emulator/summary', 'Summarize the sandbox in numbers, now or after a commit', {
    id: 'getSummary',
    tool: 'status',
    query: AtQuery,
    response: Summary,
    errors: [400, 403, 404],
    handle: ({ emulator, sandbox, query: { at } }) => summarize(sandbox, at, emulator.storage),
  }),
];
