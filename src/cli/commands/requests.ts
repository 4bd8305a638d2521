import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { RequestRecord } from '../../journal/request-record.js';
import { formatCount } from '../../lib/text.js';
import { compile } from '../../lib/validator.js';
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
import { RefusedError } from '../errors.js';
import { colorStatus, colorsFor, formatTable, onSignals, printLine } from '../io.js';
import { type ControlClient, isEmpty, remoteCommand } from '../remote-command.js';

// Other versions may add properties to a response.
const Request = Type.Object({ ...RequestRecord.properties, request: Type.Unknown(), response: Type.Unknown() });
const isRequest = compile('cli request', Request, 'response');
const isJournal = compile('cli requests', Type.Array(Request), 'response');

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
  headers: jsonObjectFlag('headers', 'Only requests with these headers: {"x-trace":"1"}; null: absent'),
  query: jsonObjectFlag('query', 'Only requests with these query parameters: {"limit":2}'),
  params: jsonObjectFlag('params', 'Only requests with these path parameters: {"val_id":"..."}'),
  body: jsonValueFlag('body', 'Only requests with this in their JSON body: {"name":"report"}'),
} as const satisfies Flags;

const pickCriteria = (input: Input<typeof criteriaFlags>) => {
  const { method, path, status, user, headers, query, params, body } = input;
  return { texts: { method, path, status, user }, content: { headers, query, params, body } };
};

const isGiven = (value: unknown): boolean => value !== undefined;

export const requests = remoteCommand('requests [id]', 'Print the last requests to a running emulator, or one', {
  args: { id: { type: 'string', describe: 'Print this request with its bodies: r17' } },
  flags: {
    route: flag('Only this route: "POST /v1/vals", "GET /v1/vals/{val_id}"'),
    ...criteriaFlags,
    after: flag('Only requests after the one with this id: r17'),
    limit: {
      ...flag('Show the last N requests (default and maximum: 1,000)'),
      coerce: parseInteger('limit', 'a number of requests, at least 1', 1),
    },
    follow: { type: 'boolean', default: false, describe: 'Print new requests until Ctrl-C' },
    clear: { type: 'boolean', default: false, describe: 'Clear the journal' },
  },
  examples: {
    '$0 --limit 20': 'the last twenty, newest last',
    "$0 --route 'POST /v1/vals' --status 409 --json": 'as JSON, with bodies',
    '$0 r17': 'one request, with its headers and bodies',
    '$0 --follow': 'each new request, until Ctrl-C',
  },
  async run({ id, route, after, limit, follow, clear, json, ...input }, client, io) {
    const { texts, content } = pickCriteria(input);
    const filter = { route, ...texts, after, limit };
    const isFiltered = follow || [...Object.values(filter), ...Object.values(content)].some(isGiven);
    if (id !== undefined) {
      if (clear || isFiltered) fail('Use an id alone: it selects one request.');
      const value = await client.request('GET', `/requests/${encodeURIComponent(id)}`, isRequest);
      return { value, words: JSON.stringify(value, undefined, 2) };
    }
    if (clear) {
      if (isFiltered) fail('Use --clear alone: it clears the whole journal.');
      await client.request('DELETE', '/requests', isEmpty);
      return { words: `Cleared the journal of ${client.url}.` };
    }
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) if (isGiven(value)) search.set(name, String(value));
    for (const [name, value] of Object.entries(content)) if (isGiven(value)) search.set(name, JSON.stringify(value));
    if (follow) {
      if (limit !== undefined) fail('Use either --limit or --follow, not both.');
      await followRequests(client, search, io, (entry) => (json ? JSON.stringify(entry) : formatLine(io, entry)));
      return undefined;
    }
    const value = await client.request('GET', `/requests?${search}`, isJournal);
    return { value, words: formatEntries(io, value) };
  },
});

export const unhandled = remoteCommand('unhandled', 'Print the requests to routes that a running emulator lacks', {
  examples: { $0: 'newest last', '$0 --json | jq length': 'their number, in a script' },
  async run(_input, client, io) {
    const value = await client.request('GET', '/requests/unhandled', isJournal);
    return { value, words: formatEntries(io, value) };
  },
});

export const expect = remoteCommand('expect <route>', 'Assert that a running emulator received requests', {
  args: {
    route: {
      type: 'string',
      demandOption: true,
      describe: '"POST /v1/vals", "GET /v1/vals/{val_id}", also with real ids',
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
    "$0 'POST /v1/vals'": 'exit code 0 if there was one, else 1 and the near misses',
    "$0 'POST /v1/vals' --times 2 --user ada": 'exactly two, of this user',
    '$0 \'POST /v1/vals\' --body \'{"name":"report"}\'': 'with this in the body',
    "$0 'DELETE /v1/vals/{val_id}' --times 0": 'none',
  },
  async run({ route, times, ...input }, client) {
    const { texts, content } = pickCriteria(input);
    const expectation = { route, times, ...texts, ...content };
    await client.request('POST', '/requests/expect', isEmpty, expectation).catch(rethrowAsAssertion);
    const wanted = times === undefined ? 'At least one request' : formatCount(times, 'request');
    return { words: `${wanted} ${route}, as expected.` };
  },
});

/** Throws a failed assertion as such. Other responses with the same status list the wrong values. */
function rethrowAsAssertion(error: unknown): never {
  const isUnmet = error instanceof RefusedError && error.status === 422 && error.problems === undefined;
  if (isUnmet) fail(error.message, 'assertion');
  throw error;
}

type Entry = Static<typeof Request>;

/** Prints the requests after that of the parameter `after`, by default those that are still to come, until a signal. */
async function followRequests(
  client: ControlClient,
  search: URLSearchParams,
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
    let last = search.get('after') ?? (await client.request('GET', '/requests?limit=1', isJournal)).at(-1)?.id;
    while (!signal.aborted) {
      if (last !== undefined) search.set('after', last);
      const entries = await client.request('GET', `/requests?${search}`, isJournal);
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
    user: entry.user ?? '-',
    ms: formatDuration(entry.duration),
    ...(hasFaults ? { fault: entry.fault ?? '-' } : {}),
  }));
  return formatTable(io, rows, 'No requests.', 'path');
}
