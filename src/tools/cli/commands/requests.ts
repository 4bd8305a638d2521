import { setTimeout as sleep } from 'node:timers/promises';
import { nameTarget } from '#engine/api/tool-route.js';
import { formatReasons } from '#engine/lib/reasons.js';
import type { ControlInput, ControlOutput } from '../../client/control-client.js';
import { type CliIo, type Flags, flag } from '../command.js';
import { criteriaFlags, nameOthers, parseInteger, pickContent, pickPlain, toRequestId } from '../criteria.js';
import { colorStatus, colorsFor, formatTable, onSignals, printLine } from '../io.js';
import { type Remote, remoteCommand } from '../remote.js';

type Entry = ControlOutput<'listRequests'>[number];

/** Milliseconds between two requests for the newest entries. */
const FOLLOW_INTERVAL_MS = 200;

const filterFlags = {
  route: flag('Only this route: POST /v1/vals, GET /v1/vals/{val_id}'),
  ...criteriaFlags,
  after: { ...flag('Only requests after the one with this id: r17'), coerce: toRequestId },
  limit: {
    ...flag('Show the last N requests (default and maximum: 1,000)'),
    coerce: parseInteger('limit', 'a number of requests, at least 1', 1),
  },
} as const satisfies Flags;
const FILTERS = Object.keys(filterFlags);

export const requests = remoteCommand({
  args: {
    ids: {
      type: 'string',
      array: true,
      describe: 'Print these requests: r17 or 17, last, -2',
      coerce: (ids: string[]) => ids.map(toRequestId),
      conflicts: [...FILTERS, 'unhandled', 'follow', 'clear', 'har'],
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
    har: {
      type: 'boolean',
      describe: 'Print the whole journal as HAR 1.2, without tokens',
      conflicts: [...FILTERS, 'unhandled', 'follow', 'clear'],
    },
  },
  examples: {
    '$0 --limit 20': 'the last twenty, newest last',
    '$0 --route POST /v1/vals --status 409 --json': 'as JSON, with bodies',
    '$0 --refused': 'what was refused, also calls of tools, whose status is 200',
    '$0 r17': 'one request, with its headers and bodies, delay and outcome',
    '$0 -2 last': 'the last two',
    '$0 --follow': 'each new request, until Ctrl-C',
    '$0 --unhandled --json | jq length': 'the number of requests to routes that do not exist',
    '$0 --har > requests.har': 'for the network panel of a browser',
  },
  async run({ ids = [], route, after, limit, unhandled, follow, clear, har, json, ...input }, { control, url, io }) {
    if (ids.length > 0) {
      const found = await Promise.all(ids.map((id) => control.getRequest({ id })));
      const text = found.map((each) => JSON.stringify(each, undefined, 2)).join('\n');
      return { value: ids.length === 1 ? found[0] : found, text };
    }
    if (clear) {
      await control.clearRequests();
      return { text: `Cleared the journal of ${url}.` };
    }
    if (har) {
      const value = await control.exportHar();
      return { value, text: JSON.stringify(value, undefined, 2) };
    }
    if (unhandled) {
      const value = await control.listUnhandledRequests();
      return { value, text: formatEntries(io, value) };
    }
    const content = Object.entries(pickContent(input)).filter(([, value]) => value !== undefined);
    const inJson = Object.fromEntries(content.map(([name, value]) => [name, JSON.stringify(value)]));
    const query = { route, ...pickPlain(input), after, limit, ...inJson };
    if (follow) {
      await followRequests(control, query, io, (entry) => (json ? JSON.stringify(entry) : formatLine(io, entry)));
      return undefined;
    }
    const value = await control.listRequests(query);
    const others = value.length === 0 ? await nameOthers({ control, url }) : '';
    return { value, text: formatEntries(io, value) + others };
  },
});

/** Prints the requests after `query.after`, by default the ones to come, until a signal. */
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

function formatLine(io: CliIo, entry: Entry): string {
  const { id, time, method, user, duration, outcome } = entry;
  const facts = [`${formatDuration(duration)} ms`, outcome !== 'sent' && outcome, formatReasons(entry)];
  const end = [user ?? '-', ...facts].filter(Boolean).join('  ');
  return `${id}  ${time}  ${method.padEnd(6)}  ${nameTarget(entry)}  ${colorStatus(colorsFor(io), entry)}  ${end}`;
}

/** Formats milliseconds; a dash for a response that has not ended. */
const formatDuration = (duration: number | null): string => duration?.toFixed(1) ?? '-';

function formatEntries(io: CliIo, entries: readonly Entry[]): string {
  const hasOutcomes = entries.some(({ outcome }) => outcome !== 'sent');
  const hasReasons = entries.some((entry) => formatReasons(entry) !== '');
  const rows = entries.map((entry) => {
    const { id, time, method, user, duration, outcome } = entry;
    return {
      ...{ id, time, method },
      status: colorStatus(colorsFor(io), entry),
      user,
      ms: formatDuration(duration),
      ...(hasOutcomes ? { outcome } : {}),
      path: nameTarget(entry),
      // The last one: it may have any length.
      ...(hasReasons ? { why: formatReasons(entry) } : {}),
    };
  });
  return formatTable(io, rows, 'No requests.', 'path', 'why');
}
