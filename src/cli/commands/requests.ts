import { setTimeout as sleep } from 'node:timers/promises';
import { ControlError, type ControlInput, type ControlOutput } from '../../client/control-client.js';
import { formatCount } from '../../lib/text.js';
import {
  type CliIo,
  type Flags,
  fail,
  failValue,
  flag,
  type Input,
  jsonObjectFlag,
  jsonValueFlag,
} from '../command.js';
import { colorStatus, colorsFor, formatTable, onSignals, printLine } from '../io.js';
import { type Remote, remoteCommand } from '../remote.js';

type Entry = ControlOutput<'listRequests'>[number];

/** Milliseconds between two requests for the newest entries. */
const FOLLOW_INTERVAL_MS = 200;

/** Creates a parser of whole numbers, by default of any size. */
const parseInteger =
  (flag: string, expected: string, min = Number.NEGATIVE_INFINITY) =>
  (text: string) =>
    /^-?\d+$/.test(text) && Number(text) >= min ? Number(text) : failValue(flag, text, expected);

/** The criteria of an entry, apart from its route. */
const criteriaFlags = {
  method: flag('Only requests with this method'),
  path: flag('Only requests to this path, with its query as sent'),
  status: {
    ...flag('Only responses with this status'),
    coerce: parseInteger('status', 'an HTTP status such as 404'),
  },
  user: flag('Only requests of this username'),
  trace: flag('Only requests with this trace id in the header traceparent'),
  headers: jsonObjectFlag('headers', 'Only requests with these headers: {"x-trace":"1"}; null: absent'),
  query: jsonObjectFlag('query', 'Only requests with these query parameters: {"limit":2}'),
  params: jsonObjectFlag('params', 'Only requests with these path parameters: {"val_id":"..."}'),
  body: jsonValueFlag('body', 'Only requests with this in their JSON body: {"name":"report"}'),
} as const satisfies Flags;

const pickCriteria = ({
  method,
  path,
  status,
  user,
  trace,
  headers,
  query,
  params,
  body,
}: Input<typeof criteriaFlags>) => ({
  texts: { method, path, status, user, trace },
  content: { headers, query, params, body },
});

const filterFlags = {
  route: flag('Only this route: POST /v1/vals, GET /v1/vals/{val_id}'),
  ...criteriaFlags,
  after: flag('Only requests after the one with this id: r17'),
  limit: {
    ...flag('Show the last N requests (default and maximum: 1,000)'),
    coerce: parseInteger('limit', 'a number of requests, at least 1', 1),
  },
} as const satisfies Flags;
const FILTERS = Object.keys(filterFlags);

export const requests = remoteCommand({
  args: {
    id: {
      type: 'string',
      describe: 'Print this request: r17',
      conflicts: [...FILTERS, 'unhandled', 'follow', 'clear'],
    },
  },
  flags: {
    ...filterFlags,
    unhandled: {
      type: 'boolean',
      describe: 'Only requests to routes that do not exist',
      conflicts: [...FILTERS, 'follow', 'clear'],
    },
    follow: { type: 'boolean', describe: 'Print new requests until Ctrl-C', conflicts: ['limit', 'clear'] },
    clear: { type: 'boolean', describe: 'Clear the journal', conflicts: FILTERS },
  },
  examples: {
    '$0 --limit 20': 'the last twenty, newest last',
    '$0 --route POST /v1/vals --status 409 --json': 'as JSON, with bodies',
    '$0 r17': 'one request, with its headers and bodies, delay and outcome',
    '$0 --follow': 'each new request, until Ctrl-C',
    '$0 --unhandled --json | jq length': 'the number of requests to routes that do not exist',
  },
  async run({ id, route, after, limit, unhandled, follow, clear, json, ...input }, { control, url, io }) {
    if (id !== undefined) {
      const value = await control.getRequest({ id });
      return { value, text: JSON.stringify(value, undefined, 2) };
    }
    if (clear) {
      await control.clearRequests();
      return { text: `Cleared the journal of ${url}.` };
    }
    if (unhandled) {
      const value = await control.listUnhandledRequests();
      return { value, text: formatEntries(io, value) };
    }
    const { texts, content } = pickCriteria(input);
    const given = Object.entries(content).filter(([, value]) => value !== undefined);
    const inJson = Object.fromEntries(given.map(([name, value]) => [name, JSON.stringify(value)]));
    const query = { route, ...texts, after, limit, ...inJson };
    if (follow) {
      await followRequests(control, query, io, (entry) => (json ? JSON.stringify(entry) : formatLine(io, entry)));
      return undefined;
    }
    const value = await control.listRequests(query);
    return { value, text: formatEntries(io, value) };
  },
});

export const expect = remoteCommand({
  args: {
    route: {
      type: 'string',
      demandOption: true,
      describe: 'POST /v1/vals, GET /v1/vals/{val_id}, also with real ids',
    },
  },
  flags: {
    times: {
      ...flag('Exact number of these requests (default: at least one)'),
      coerce: parseInteger('times', 'a number of requests, at least 0', 0),
    },
    ...criteriaFlags,
  },
  examples: {
    '$0 POST /v1/vals': 'exit code 0 if there was one, else 1 and the near misses',
    '$0 POST /v1/vals --times 2 --user ada': 'exactly two, of this user',
    '$0 POST /v1/vals --body \'{"name":"report"}\'': 'with this in the body',
    '$0 DELETE /v1/vals/{val_id} --times 0': 'none',
  },
  async run({ route, times, ...input }, { control }) {
    const { texts, content } = pickCriteria(input);
    const expectation = { route, times, ...texts, ...content };
    await control.expectRequest(expectation).catch(rethrowAsAssertion);
    const wanted = times === undefined ? 'At least one request' : formatCount(times, 'request');
    return { text: `${wanted} ${route}, as expected.` };
  },
});

/** Throws a failed assertion as such. Other responses with the same status list the wrong values. */
function rethrowAsAssertion(error: unknown): never {
  const isUnmet = error instanceof ControlError && error.status === 422 && error.problems.length === 0;
  if (isUnmet) fail(error.message, 'assertion');
  throw error;
}

/** Prints the requests after that of `query.after`, by default those that are still to come, until a signal. */
async function followRequests(
  control: Remote['control'],
  query: ControlInput<'listRequests'>,
  io: CliIo,
  format: (entry: Entry) => string,
): Promise<void> {
  const interruption = new AbortController();
  const end = () => {
    // A second signal ends the process at once.
    off();
    interruption.abort();
  };
  const off = onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], end);
  // The reader of stdout, such as head, may close it.
  io.stdout.once('error', end);
  const { signal } = interruption;
  try {
    let last = query.after ?? (await control.listRequests({ limit: 1 })).at(-1)?.id;
    while (!signal.aborted) {
      const entries = await control.listRequests({ ...query, after: last });
      if (entries.length > 0) printLine(io, entries.map(format).join('\n'));
      last = entries.at(-1)?.id ?? last;
      await sleep(FOLLOW_INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    off();
    io.stdout.off('error', end);
  }
}

function formatLine(io: CliIo, { id, time, method, path, status, user, duration, fault }: Entry): string {
  const end = `${user ?? '-'}  ${formatDuration(duration)} ms${fault === null ? '' : `  fault ${fault}`}`;
  return `${id}  ${time}  ${method.padEnd(6)}  ${path}  ${colorStatus(colorsFor(io), status)}  ${end}`;
}

/** Formats milliseconds; a dash for a response that has not ended. */
const formatDuration = (duration: number | null): string => duration?.toFixed(1) ?? '-';

function formatEntries(io: CliIo, entries: readonly Entry[]): string {
  const hasFaults = entries.some(({ fault }) => fault !== null);
  const rows = entries.map(({ id, time, method, path, ...entry }) => ({
    ...{ id, time, method, path },
    status: colorStatus(colorsFor(io), entry.status),
    user: entry.user,
    ms: formatDuration(entry.duration),
    ...(hasFaults ? { fault: entry.fault } : {}),
  }));
  return formatTable(io, rows, 'No requests.', 'path');
}
