import { Type } from 'typebox';
import { RequestRecord } from '../../control/journal.js';
import { compile } from '../../lib/validator.js';
import { failValue, flag } from '../command.js';
import { colorStatus, formatTable } from '../io.js';
import { remoteCommand } from '../remote-command.js';

// Other versions may add properties to a response.
const Request = Type.Object({ ...RequestRecord.properties, request: Type.Unknown(), response: Type.Unknown() });
const isJournal = compile('cli requests', Type.Array(Request), 'response');

/** Creates a parser of whole numbers, by default of any size. */
const parseInteger =
  (flag: string, expected: string, min = Number.NEGATIVE_INFINITY) =>
  (text: string) =>
    /^-?\d+$/.test(text) && Number(text) >= min ? Number(text) : failValue(flag, text, expected);

export const requests = remoteCommand('requests', 'Print the last requests to a running emulator', {
  flags: {
    route: flag('Only this route: "POST /v1/vals", "GET /v1/vals/{val_id}"'),
    status: {
      ...flag('Only responses with this status'),
      coerce: parseInteger('status', 'an HTTP status such as 404'),
    },
    user: flag('Only requests of this username'),
    limit: {
      ...flag('Show the last N requests (default and maximum: 1,000)'),
      coerce: parseInteger('limit', 'a number of requests, at least 1', 1),
    },
  },
  examples: {
    '$0 --limit 20': 'the last twenty, newest last',
    "$0 --route 'POST /v1/vals' --status 409 --json": 'as JSON, with bodies',
  },
  async run({ route, status, user, limit }, client, io) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ route, status, user, limit })) {
      if (value !== undefined) query.set(name, String(value));
    }
    const entries = await client.request('GET', `/requests?${query}`, isJournal);
    const hasFaults = entries.some(({ fault }) => fault !== null);
    const rows = entries.map(({ id, time, method, path, ...entry }) => ({
      ...{ id, time, method, path },
      status: colorStatus(io, entry.status),
      user: entry.user ?? '-',
      ms: entry.duration.toFixed(1),
      ...(hasFaults ? { fault: entry.fault ?? '-' } : {}),
    }));
    return { value: entries, words: formatTable(io, rows, 'No requests.', 'path') };
  },
});
