import { type Static, Type } from 'typebox';
import { EARLIEST, type Instant, toTimestamp } from '#engine/lib/time.js';
import type { State } from '#vals/lib/state.collection.js';
import { limit, toInstant, tool } from '#vals/lib/tool.tools.js';
import { findFile } from '#vals/projects/files.rules.js';
import type { Run, User, Val } from '#vals/service/service.collection.js';
import type { TimelineSlice } from './telemetry.rules.js';
import { getTraceTime, listLogLines, listTracesOf, toTraceId } from './telemetry.rules.js';
import { statusOf, textOf } from './telemetry.schema.js';
import { readTimeline } from './timeline.schema.js';

/** Telemetry is kept for an hour. */
const WINDOW_MS = 3_600_000;
const USUAL_LIMIT = 20;

const Time = (description: string) => Type.Optional(Type.String({ description }));
const Window = Type.Object({
  fileId: Type.String({ description: 'Id of a file, as list_files returns it, or of a val of /v1' }),
  start: Time('Only after this time. Default: an hour before the end'),
  end: Time('Only until this time. Default: now'),
  limit: limit(100, USUAL_LIMIT),
});

/** What has telemetry. Only the vals of `/v1` have runs, and only their authors see those. */
interface Source {
  readonly name: string;
  readonly val: Val | undefined;
}

/** @throws ApiError 404 */
function getSource(state: State, id: string, caller: User): Source {
  const val = state.vals.get(id.toLowerCase());
  if (val?.authorId === caller.id) return { name: val.name, val };
  return { name: findFile(state, id, caller).file.path, val: undefined };
}

/** Reads the latest items of a window, newest first. @throws ApiError 400 for a wrong time */
function read<T>(
  { start, end, limit: most = USUAL_LIMIT }: Static<typeof Window>,
  now: Instant,
  list: (slice: TimelineSlice) => Iterable<T>,
  getTime: (item: T) => Instant,
) {
  const last = toInstant('end', end) ?? now;
  toInstant('start', start);
  const timeWindow = {
    start: start ?? toTimestamp(Math.max(EARLIEST, last - WINDOW_MS)),
    end: end ?? toTimestamp(now),
  };
  const query = { ...timeWindow, direction: 'desc' as const };
  const { items, next } = readTimeline(list, getTime, { ...query, limit: most });
  const truncated =
    next !== undefined && readTimeline(list, getTime, { ...query, end: next, limit: 1 }).items.length > 0;
  return { items, found: { timeWindow, count: items.length, truncated, ...(truncated && { next_end: next }) } };
}

const STATUSES = ['unset', 'ok', 'error'] as const;

function toTrace(run: Run, { name, type }: Val) {
  const { runStartAt, runEndAt } = run;
  const { code, message } = statusOf(run);
  return {
    ...{ traceId: toTraceId(run), name, startTime: toTimestamp(runStartAt) },
    ...(runEndAt !== null && { endTime: toTimestamp(runEndAt), durationMs: runEndAt - runStartAt }),
    status: STATUSES[code],
    ...(message !== '' && { error: message }),
    valType: type,
  };
}

export const telemetryTools = [
  tool('get_logs', 'Read the last logs of a file, newest first.', {
    input: Type.Object({
      ...Window.properties,
      traceIds: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Only logs of these traces' })),
    }),
    guessed: ['start', 'limit'],
    scope: 'telemetry:read',
    handle({ state, caller, args, now }) {
      const { fileId, traceIds } = args;
      const { val } = getSource(state, fileId, caller);
      const { items, found } = read(
        args,
        now,
        (slice) => (val ? listLogLines(state, caller, { traceIds, val }, slice) : []),
        ({ run }) => run.runStartAt,
      );
      const logs = items.map(({ run, value }) => ({
        ...{ timestamp: toTimestamp(run.runStartAt), level: 'log', body: textOf(value), traceId: toTraceId(run) },
      }));
      return { fileId, ...found, logs };
    },
  }),
  tool('get_traces', 'List the last traces of a file, newest first.', {
    input: Window,
    guessed: ['start', 'end', 'limit'],
    scope: 'telemetry:read',
    handle({ state, caller, args, now }) {
      const { fileId } = args;
      const { name, val } = getSource(state, fileId, caller);
      const { items, found } = read(
        args,
        now,
        (slice) => (val ? listTracesOf(state, val, slice) : []),
        (run) => getTraceTime(run, 'start_time'),
      );
      return { fileId, fileName: name, ...found, traces: val ? items.map((run) => toTrace(run, val)) : [] };
    },
  }),
];
