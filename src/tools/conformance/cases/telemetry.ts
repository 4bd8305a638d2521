import {
  type Case,
  chosen,
  type JsonSchema,
  type Needs,
  operation,
  type RuleChecks,
  recorded,
  type Step,
} from '../case.js';
import { exactPage } from './project-steps.js';
import {
  having,
  logLine,
  page,
  pageContaining,
  pageOf,
  pageOfLength,
  pageWith,
  pageWithout,
  shows,
  trace,
} from './schemas.js';

/** What the cases of telemetry need of the account. */
export const telemetryNeeds: Needs = {
  both: { missing: 'the list has too few items' },
  line: { missing: 'no run of the account has logged anything' },
  failed: { missing: 'the account has no failed run' },
};

const TRACES = '/v1/telemetry/traces';
const LOGS = '/v1/telemetry/logs';
/** The trace of a run of the account. */
const TRACE_ID = '{compact.run.id}';
/** The latest line, and the run that logged it. */
const line: Step = { send: `GET ${LOGS}?limit=1`, save: 'line' };
const ran: Step = { send: 'GET /v1/runs/{hyphens.line.data.0.traceId}', save: 'ran' };
const OWN_LINES = `GET ${LOGS}?trace_ids={line.data.0.traceId}`;

const repeat = (name: string, value: string, count: number): string => Array(count).fill(`${name}=${value}`).join('&');

/** A list that has these attributes of a run. */
const withAttributes = (run: string, others: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const attributes = {
    'val.id': { stringValue: `{${run}.val.id}` },
    'val.version': { intValue: { type: 'string', pattern: `^{${run}.val.version}$` } },
    'run.parent_id': { stringValue: `{${run}.parentId}` },
  };
  const contains = Object.entries(attributes).map(([key, value]) => ({
    contains: having({ key, value: having(value) }),
  }));
  const named = ['val.type', 'run.source'].map((key) => ({ contains: having({ key }) }));
  return having({ ...others, attributes: { type: 'array', allOf: [...contains, ...named] } });
};

/** The rules of both lists. @param timeKey the key of the time of an item */
function windowRules(path: string, item: JsonSchema, timeKey: string): RuleChecks[] {
  const get = (query: string) => `GET ${path}?${query}`;
  const all: Step = { send: get('limit=100'), save: 'all' };
  const of = (save: string, send: string): Step => ({ send, save });
  const pages = (direction: string): Step[] => [of('page', get(`limit=1&direction=${direction}`))];
  const firstOf = (name: string) => ({ const: `{${name}}` });
  const first = (name: string) => shows(having({ data: { type: 'array', minItems: 1, items: [firstOf(name)] } }));
  return [
    recorded('window', {
      'order: The latest comes first': [get('limit=100'), { status: 200, latestFirst: timeKey }],
      'limit-1: limit=1 is the first item': [[all, get('limit=1')], { status: 200, listed: { of: 'all', limit: 1 } }],
      'limit-2: limit=2 is the first two': [[all, get('limit=2')], { status: 200, listed: { of: 'all', limit: 2 } }],
      'limit-0: limit=0 is a 400': [get('limit=0'), 400],
      'limit-101: limit=101 is a 400': [get('limit=101'), 400],
      'desc: direction=desc is the default': [
        [all, get('limit=100&direction=desc')],
        { status: 200, listed: { of: 'all' } },
      ],
      'asc: direction=asc begins elsewhere': [
        [all, get('limit=1&direction=asc')],
        shows({ allOf: [pageOf(item), having({ data: { type: 'array', not: { contains: firstOf('all.data.0') } } })] }),
        { needs: ['all.data.1'] },
      ],
      'direction-up: direction=up is a 400': [get('direction=up'), 400],
      'future: There is nothing after the year 9000': [get('start=9000-01-01T00:00:00Z'), exactPage()],
      'past: There is nothing before 1970': [get('end=1969-01-01T00:00:00Z'), exactPage()],
      'start-text: start=yesterday is a 400': [get('start=yesterday'), 400],
      'end-text: end=yesterday is a 400': [get('end=yesterday'), 400],
    }),
    recorded('files', {
      'file-text: file_id=1 is a 400': [get('file_id=1'), 400],
      'branch-text: branch_ids=1 is a 400': [get('branch_ids=1'), 400],
      'branches-20: 20 branches are accepted': [get(repeat('branch_ids', '{unknown}', 20)), 200],
      'branches-21: 21 branches are a 400': [get(repeat('branch_ids', '{unknown}', 21)), 400],
    }),
    recorded('next', {
      'next: The next page has the second item': [
        [all, ...pages('desc'), 'GET {page.links.next}'],
        { ...first('all.data.1'), links: { self: true } },
        { needs: ['all.data.1'] },
      ],
      'end: Descending, the next page is by end': [
        [...pages('desc'), 'GET {page.links.next}'],
        { status: 200, links: { self: true } },
        { needs: ['page.links.next'] },
      ],
      'next-start: A program may copy only start': [
        [
          of('both', get('limit=2&direction=asc')),
          ...pages('asc'),
          get('limit=1&direction=asc&start={parameter.start.page.links.next}'),
        ],
        first('both.data.1'),
        { needs: ['both.data.1'] },
      ],
      'has-next: The last page with items has a next one': [
        [all, get('limit=100')],
        { status: 200, links: { self: { limit: '100' }, next: true } },
        { needs: ['all.data.0'] },
      ],
      'no-next: An empty page has none': [
        get('limit=100&start=9000-01-01T00:00:00Z'),
        { status: 200, links: { next: null } },
      ],
    }),
    chosen('no-files', {
      'file: No run is of a file': [get('file_id={unknown}'), exactPage()],
      'branch: No run is of a branch': [get('branch_ids={unknown}'), exactPage()],
    }),
    chosen('bounds', {
      'no-prev: The next page has no link to the previous one': [
        [...pages('desc'), 'GET {page.links.next}'],
        { status: 200, links: { prev: null } },
      ],
    }),
    chosen('ties', {
      'ties: Ascending, the next pages have the following items': [
        [
          of('both', get('limit=3&direction=asc')),
          ...pages('asc'),
          of('second', 'GET {page.links.next}'),
          'GET {second.links.next}',
        ],
        first('both.data.2'),
        { needs: ['both.data.2'] },
      ],
    }),
  ];
}

export const telemetryCases: readonly Case[] = [
  ...operation('listTraces', 'GET /v1/telemetry/traces', [
    recorded('shape', {
      'items: Each item has exactly the documented keys': [
        [{ send: `GET ${TRACES}?limit=100`, save: 'all' }, `GET ${TRACES}?limit=100`],
        shows({ allOf: [page, pageOf(trace), pageOfLength(100, 1)] }),
        { needs: ['all.data.0'] },
      ],
    }),
    recorded('order-by', {
      'ended: By end_time, no trace is active': [
        `GET ${TRACES}?limit=100&order_by=end_time`,
        {
          ...shows(pageOf(having({ endTimeUnixNano: { not: { const: '0' } } }))),
          latestFirst: 'endTimeUnixNano',
        },
      ],
      'started: start_time is the default': [
        [{ send: `GET ${TRACES}?limit=100`, save: 'all' }, `GET ${TRACES}?limit=100&order_by=start_time`],
        { status: 200, listed: { of: 'all' } },
      ],
      'order-text: order_by=name is a 400': [`GET ${TRACES}?order_by=name`, 400],
    }),
    chosen('run', {
      'run: A run is a trace': [
        `GET ${TRACES}?limit=100`,
        shows(pageWith({ traceId: TRACE_ID, name: '{run.val.name}' })),
      ],
      'second: The second account does not see it': [
        { send: `GET ${TRACES}?limit=100`, as: 'second' },
        shows(pageWithout({ traceId: TRACE_ID })),
      ],
    }),
    chosen('status', {
      'status: Only errors have a message': [
        `GET ${TRACES}?limit=100`,
        shows(
          pageOf({
            anyOf: [
              having({ status: having({ code: 1, message: '' }), endTimeUnixNano: { not: { const: '0' } } }),
              having({ status: having({ code: 0, message: '' }), endTimeUnixNano: '0' }),
              having({ status: having({ code: 2 }) }),
            ],
          }),
        ),
      ],
      'failed: A failed run has the code 2': [
        [{ send: 'GET /v1/me/runs?limit=1&error=true', save: 'failed' }, `GET ${TRACES}?limit=100`],
        shows(pageWith({ traceId: '{compact.failed.data.0.id}', status: having({ code: 2 }) })),
        { needs: ['failed.data.0'] },
      ],
    }),
    chosen('attributes', {
      'attributes: A trace has the attributes of its run': [
        `GET ${TRACES}?limit=100`,
        shows(pageContaining(withAttributes('run', { traceId: { const: TRACE_ID } }))),
      ],
    }),
    ...windowRules(TRACES, trace, 'startTimeUnixNano'),
  ]),
  ...operation('listLogs', 'GET /v1/telemetry/logs', [
    recorded('shape', {
      'items: Each item has exactly the documented keys': [
        [{ send: `GET ${LOGS}?limit=100`, save: 'all' }, `GET ${LOGS}?limit=100`],
        shows({ allOf: [page, pageOf(logLine), pageOfLength(100, 1)] }),
        { needs: ['all.data.0'] },
      ],
    }),
    recorded('trace-ids', {
      'trace: All lines are of the trace': [
        [line, `${OWN_LINES}&limit=100`],
        shows({ allOf: [pageOf(having({ traceId: '{line.data.0.traceId}' })), pageOfLength(100, 1)] }),
      ],
      'unknown: A second trace without lines changes nothing': [
        [line, { send: OWN_LINES, save: 'all' }, `${OWN_LINES}&trace_ids={compact.unknown}`],
        { status: 200, listed: { of: 'all' } },
      ],
      'no-lines: An unknown trace has no lines': [`GET ${LOGS}?trace_ids={compact.unknown}`, exactPage()],
      'id-31: An id of 31 characters is a 400': [`GET ${LOGS}?trace_ids={long.31}`, 400],
      'id-33: An id of 33 characters is a 400': [`GET ${LOGS}?trace_ids={long.33}`, 400],
      'traces-100: 100 traces are accepted': [`GET ${LOGS}?${repeat('trace_ids', '{compact.unknown}', 100)}`, 200],
      'traces-101: 101 traces are a 400': [`GET ${LOGS}?${repeat('trace_ids', '{compact.unknown}', 101)}`, 400],
    }),
    chosen('value', {
      'text: The first line is the first value of the run': [
        [line, ran, `${OWN_LINES}&limit=1&direction=asc`],
        shows(pageOf(having({ severityText: 'stdout', body: { const: { stringValue: '{json.ran.logs.0}' } } }))),
      ],
      'time: Its time is the start of its trace': [
        [line, `GET ${TRACES}?limit=100`],
        shows(pageWith({ traceId: '{line.data.0.traceId}', startTimeUnixNano: '{line.data.0.timeUnixNano}' })),
      ],
    }),
    chosen('order', {
      'attributes: A line has the attributes of its run': [
        [line, ran, OWN_LINES],
        shows(pageOf(withAttributes('ran', {}))),
      ],
      'second: The second account does not see them': [[line, { send: OWN_LINES, as: 'second' }], exactPage()],
      'second-all: Nor in its own list': [
        [line, { send: `GET ${LOGS}?limit=100`, as: 'second' }],
        shows(pageWithout({ traceId: '{line.data.0.traceId}' })),
      ],
    }),
    ...windowRules(LOGS, logLine, 'timeUnixNano'),
  ]),
];
