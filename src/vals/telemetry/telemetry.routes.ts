import { Page } from '#engine/api/pagination.js';
import { route } from '#vals/lib/route.schema.js';
import { getVal } from '#vals/vals/vals.rules.js';
import { getTraceTime, listLogLines, listTraces } from './telemetry.rules.js';
import { LogItem, LogQuery, logView, TraceItem, TraceQuery, traceJson } from './telemetry.schema.js';
import { pageOfTimeline } from './timeline.schema.js';

const FILTERS = 'files: file_id and up to 20 branch_ids select a file and branches.';
const NO_FILES =
  'no-files: Runs are of vals, which have neither files nor branches: a list by file_id or branch_ids is empty.';
const NEXT =
  'next: `links.next` moves start when ascending, and end when descending. A page with items has it, an empty one has not: the command-line tool of the service polls so.';
const WINDOW = 'bounds: start is exclusive, end inclusive. `prev` is absent.';
const TIES =
  'ties: In `links.next`, nanoseconds count the items of the last millisecond that were listed. A client that drops them misses the rest of that millisecond.';

/** Whether a request selects what no run has. */
const isOfFiles = ({ file_id, branch_ids = [] }: { file_id?: string; branch_ids?: readonly string[] }): boolean =>
  file_id !== undefined || branch_ids.length > 0;

export const telemetryRoutes = [
  route('GET', '/v1/telemetry/traces', 'List the runs of the current user as traces', {
    id: 'listTraces',
    description: 'Returns a trace for each run of the vals of the caller, in a window of time.',
    unofficial: true,
    auth: 'required',
    scope: 'telemetry:read',
    query: TraceQuery,
    response: Page('TracePage', TraceItem),
    errors: [400, 401, 403],
    rules: {
      record: [
        'shape: A trace has an id of 32 characters, a name, times in nanoseconds, attributes and a status. Its end is 0 while it is active.',
        'window: direction is desc, the default, or asc. start and end are a window of time.',
        'order-by: By order_by=end_time, traces are sorted by their end, and unfinished ones are omitted. The default is start_time.',
        FILTERS,
        NEXT,
      ],
      chosen: [
        'run: Each run of a val of the caller is a trace. Its id is the id of the run without hyphens, its name the name of the val.',
        'status: The status is 1 after a success, 2 with the message of an error, and 0 before the end.',
        'attributes: Attributes are `val.id`, `val.type`, `val.version`, `run.source` and `run.parent_id`.',
        NO_FILES,
        WINDOW,
        TIES,
      ],
    },
    handle(context) {
      const { state, caller, query, links } = context;
      const order = query.order_by;
      return pageOfTimeline(
        (slice) => (isOfFiles(query) ? [] : listTraces(state, caller, order, slice)),
        (run) => getTraceTime(run, order),
        query,
        links,
        (run) => traceJson(context, run),
      );
    },
  }),
  route('GET', '/v1/telemetry/logs', 'List what the runs of the current user logged', {
    id: 'listLogs',
    description: 'Returns what the runs of the vals of the caller logged, in a window of time.',
    unofficial: true,
    auth: 'required',
    scope: 'telemetry:read',
    query: LogQuery,
    response: Page('LogPage', LogItem),
    errors: [400, 401, 403],
    rules: {
      record: [
        'shape: A line has a time in nanoseconds, a body, the id of its trace, attributes, and stdout or stderr as its severity.',
        'trace-ids: trace_ids selects lines of up to 100 traces, by ids of 32 characters. A parameter with several values is repeated.',
        'window: direction is desc, the default, or asc. start and end are a window of time.',
        FILTERS,
        NEXT,
      ],
      chosen: [
        'value: Each value that a run logged is a line of stdout, at the start of the run: a text unchanged, another value as JSON.',
        'order: The lines of a run have its attributes, and their order. A trace of another user has no lines.',
        NO_FILES,
        WINDOW,
        TIES,
      ],
    },
    handle(context) {
      const { state, caller, query, links } = context;
      return pageOfTimeline(
        (slice) => (isOfFiles(query) ? [] : listLogLines(state, caller, { traceIds: query.trace_ids }, slice)),
        ({ run }) => run.runStartAt,
        query,
        links,
        (line) => logView(line, getVal(state, line.run)),
      );
    },
  }),
];
