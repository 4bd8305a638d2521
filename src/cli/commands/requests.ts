import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { flag, parseInteger } from '../flags.js';
import { colorStatus } from '../io.js';
import { remoteCommand } from '../remote-command.js';
import { formatTable } from '../table.js';

const Entry = Type.Object({
  id: Type.String(),
  time: Type.String(),
  duration: Type.Number(),
  method: Type.String(),
  path: Type.String(),
  user: Type.Union([Type.String(), Type.Null()]),
  status: Type.Number(),
  fault: Type.Union([Type.String(), Type.Null()]),
});
const isJournal = compile('cli requests', Type.Array(Entry), 'strict');

export const command = remoteCommand({
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
  examples: [
    ['$0 --limit 20', 'the last twenty, newest last'],
    ["$0 --route 'POST /v1/vals' --status 409 --json", 'as JSON, with bodies'],
  ],
  async run({ route, status, user, limit }, connect, io) {
    const client = await connect();
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ route, status, user, limit })) {
      if (value !== undefined) query.set(name, String(value));
    }
    const { value: entries, text } = await client.request('GET', `/requests?${query}`, isJournal);
    const hasFaults = entries.some(({ fault }) => fault !== null);
    const rows = entries.map(({ id, time, method, path, ...entry }) => ({
      ...{ id, time, method, path },
      status: colorStatus(io, entry.status),
      user: entry.user ?? '-',
      ms: entry.duration.toFixed(1),
      ...(hasFaults ? { fault: entry.fault ?? '-' } : {}),
    }));
    return { text, words: rows.length === 0 ? 'No requests.' : formatTable(io, rows, 'path') };
  },
});
