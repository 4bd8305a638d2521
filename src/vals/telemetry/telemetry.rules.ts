import type { JsonValue } from '#engine/definition/parts.js';
import type { Instant } from '#engine/lib/time.js';
import type { Range } from '#engine/store/collection.js';
import type { State } from '#vals/lib/state.collection.js';
import type { Run, User, Val } from '#vals/service/service.collection.js';

export type Direction = 'asc' | 'desc';

/** A part of a timeline: the items within bounds, in an order, without the first ones. */
export interface TimelineSlice {
  readonly bounds: { readonly after: Instant | undefined; readonly until: Instant | undefined };
  readonly direction: Direction;
  readonly skip: number;
}

// A run is a trace, and each value that it logged is a line of a log.

/** A trace has the id of its run without hyphens. */
export const toTraceId = ({ id }: Run): string => id.replaceAll('-', '');

const toRunId = (traceId: string): string => traceId.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

export const TRACE_ORDERS = ['start_time', 'end_time'] as const;
type TraceOrder = (typeof TRACE_ORDERS)[number];

/** Of a run by the time of an order, in which it has a time. */
export const getTraceTime = (run: Run, order: TraceOrder): number =>
  order === 'end_time' ? (run.runEndAt ?? run.runStartAt) : run.runStartAt;

/** Iterates over runs that are sorted with the latest first. */
const iterate = (runs: Range<Run>, { direction, skip }: Pick<TimelineSlice, 'direction' | 'skip'>): Iterable<Run> =>
  direction === 'desc' ? runs.forwards(skip) : runs.backwards(skip);

/** Lists the runs of all vals of an author by their start, or the finished ones by their end. */
export function listTraces({ runs }: State, author: User, order: TraceOrder, slice: TimelineSlice): Iterable<Run> {
  const index = order === 'end_time' ? runs.by.end : runs.by.author;
  return iterate(index.range([author.id], slice.bounds), slice);
}

/** Lists the runs of a val by their start. */
export const listTracesOf = ({ runs }: State, { id }: Val, slice: TimelineSlice): Iterable<Run> =>
  iterate(runs.by.val.range([id], slice.bounds), slice);

export interface LogLine {
  readonly run: Run;
  readonly value: JsonValue;
}

/** Selects runs of an author. Both conditions must hold. */
interface LogFilter {
  readonly traceIds?: readonly string[] | undefined;
  readonly val?: Val | undefined;
}

/** Lists what the runs of an author logged, by the start of the run. Lines of a run are in their order. */
export function* listLogLines(
  state: State,
  author: User,
  filter: LogFilter,
  { bounds, direction, skip }: TimelineSlice,
): Generator<LogLine> {
  const runs = findRuns(state, author, filter, { bounds, direction, skip: 0 });
  let skipped = skip;
  for (const run of runs) {
    const { logs } = run;
    for (let i = skipped; i < logs.length; i++) {
      const value = logs[direction === 'asc' ? i : logs.length - 1 - i];
      if (value !== undefined) yield { run, value };
    }
    skipped = Math.max(0, skipped - logs.length);
  }
}

/** Finds the runs that have logged something, and perhaps others. */
function findRuns(state: State, author: User, { traceIds, val }: LogFilter, slice: TimelineSlice): Iterable<Run> {
  const { runs } = state;
  const { bounds, direction } = slice;
  if (traceIds === undefined)
    return val ? listTracesOf(state, val, slice) : iterate(runs.by.logged.range([author.id], bounds), slice);
  const { after = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = bounds;
  const found = [...new Set(traceIds.map(toRunId))].flatMap((id) => runs.get(id) ?? []);
  const sign = direction === 'asc' ? 1 : -1;
  return found
    .filter(({ valId }) => val === undefined || valId === val.id)
    .filter(({ authorId, runStartAt }) => authorId === author.id && runStartAt > after && runStartAt <= until)
    .sort((a, b) => sign * (a.runStartAt - b.runStartAt || a.serial - b.serial));
}
