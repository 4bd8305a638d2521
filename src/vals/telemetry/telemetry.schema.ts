import { Type } from 'typebox';
import type { JsonValue } from '#engine/definition/parts.js';
import type { Instant } from '#engine/lib/time.js';
import { Choice, uuid } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import type { Context } from '#vals/lib/route.schema.js';
import type { Run, Val } from '#vals/service/service.collection.js';
import { getVal } from '#vals/vals/vals.rules.js';
import { type LogLine, TRACE_ORDERS, toTraceId } from './telemetry.rules.js';
import { TimelinePaging } from './timeline.schema.js';

// Shapes of OpenTelemetry, in JSON.

const filters = {
  file_id: Type.Optional(uuid('Only of this file. Runs are of vals, which have no files')),
  branch_ids: Type.Optional(
    Type.Array(uuid('Id of a branch'), {
      maxItems: API_LIMITS.telemetryBranches,
      description: 'Only of these branches. Runs are of vals, which have no branches',
    }),
  ),
};

export const TraceQuery = Type.Object({
  ...TimelinePaging,
  ...filters,
  order_by: Choice(TRACE_ORDERS, {
    title: 'TraceOrder',
    default: 'start_time',
    description: 'The time of the order and the window. By end_time, unfinished traces are omitted',
  }),
});

export const LogQuery = Type.Object({
  ...TimelinePaging,
  ...filters,
  trace_ids: Type.Optional(
    Type.Array(Type.String({ minLength: API_LIMITS.traceId, maxLength: API_LIMITS.traceId }), {
      maxItems: API_LIMITS.telemetryTraces,
      description: 'Only of these traces',
    }),
  ),
});

const Text = record('TelemetryText', { stringValue: Type.String() });
const Nanoseconds = (description: string) => Type.String({ pattern: '^-?\\d+$', description });
const attributes = Type.Array(
  record('TelemetryAttribute', {
    key: Type.String(),
    value: record('TelemetryValue', {
      stringValue: Type.Optional(Type.String()),
      intValue: Type.Optional(Type.String({ description: 'An integer' })),
    }),
  }),
);
const TraceId = Type.String({ minLength: API_LIMITS.traceId, maxLength: API_LIMITS.traceId });

export const TraceItem = record('Trace', {
  traceId: TraceId,
  name: Type.String({ description: 'Name of the val' }),
  startTimeUnixNano: Nanoseconds('Nanoseconds since 1970'),
  endTimeUnixNano: Nanoseconds('Nanoseconds since 1970; 0 while the run is active'),
  attributes,
  status: record('TraceStatus', {
    message: Type.String({ description: 'Of an error' }),
    code: Type.Integer({
      minimum: 0,
      maximum: 2,
      description: '0 while the run is active, 1 for a success, 2 for an error',
    }),
  }),
});

export const LogItem = record('Log', {
  traceId: TraceId,
  timeUnixNano: Nanoseconds('Nanoseconds since 1970'),
  body: Text,
  severityText: Choice(['stdout', 'stderr'], { title: 'LogStream' }),
  attributes,
});

type ViewContext = Pick<Context, 'json' | 'links' | 'state'>;

const toNanoseconds = (time: Instant): string => String(BigInt(time) * 1_000_000n);

const attributesOf = (run: Run, val: Val) => [
  { key: 'val.id', value: { stringValue: val.id } },
  { key: 'val.type', value: { stringValue: val.type } },
  { key: 'val.version', value: { intValue: String(run.version) } },
  { key: 'run.source', value: { stringValue: run.source } },
  { key: 'run.parent_id', value: { stringValue: run.parentId } },
];

export function statusOf({ error, runEndAt }: Run): { readonly message: string; readonly code: 0 | 1 | 2 } {
  if (error === null) return { message: '', code: runEndAt === null ? 0 : 1 };
  if (typeof error === 'string') return { message: error, code: 2 };
  return { message: typeof error.message === 'string' ? error.message : JSON.stringify(error), code: 2 };
}

const traceView = (run: Run, val: Val) => ({
  traceId: toTraceId(run),
  name: val.name,
  startTimeUnixNano: toNanoseconds(run.runStartAt),
  endTimeUnixNano: run.runEndAt === null ? '0' : toNanoseconds(run.runEndAt),
  attributes: attributesOf(run, val),
  status: statusOf(run),
});

export const traceJson = (context: ViewContext, run: Run) =>
  context.json(traceView, run, context, () => [getVal(context.state, run)]);

/** Writes a value that a run logged as a line. */
export const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const logView = ({ run, value }: LogLine, val: Val) => ({
  traceId: toTraceId(run),
  timeUnixNano: toNanoseconds(run.runStartAt),
  body: { stringValue: textOf(value) },
  severityText: 'stdout' as const,
  attributes: attributesOf(run, val),
});
