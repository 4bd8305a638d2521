import type { InferredOptionTypes, Options } from 'yargs';
import * as z from 'zod';
import type { Command } from './command.js';
import { readWhole } from './flags.js';
import { colourOf, printLine, printTable } from './print.js';
import { REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report } from './remote.js';

const flags = {
  route: {
    type: 'string',
    requiresArg: true,
    describe: 'Only to this route: "POST /v1/vals", "GET /v1/vals/{val_id}"',
  },
  status: {
    type: 'string',
    requiresArg: true,
    coerce: readWhole('status', 'an HTTP status such as 404'),
    describe: 'Only those answered with this status',
  },
  user: { type: 'string', requiresArg: true, describe: 'Only those of this caller, by username' },
  limit: {
    type: 'string',
    requiresArg: true,
    coerce: readWhole('limit', 'a number of requests, at least 1', 1),
    describe: 'Only the last so many; all that are kept, which is 1,000, by default',
  },
} as const satisfies Record<string, Options>;
type Filter = InferredOptionTypes<typeof flags>;

const Requests = z.array(
  z.looseObject({
    id: z.string(),
    time: z.string(),
    duration: z.number(),
    method: z.string(),
    path: z.string(),
    user: z.string().nullable(),
    status: z.int(),
    fault: z.string().nullable(),
  }),
);

export const command: Command<RemoteFlags & Filter> = {
  builder: (parser) =>
    parser
      .options(remoteFlags)
      .options(flags)
      .example('$0 requests --limit 20', 'the last twenty, newest last')
      .example("$0 requests --route 'POST /v1/vals' --status 409 --json", 'for programs, bodies included')
      .epilogue(REMOTE_EPILOGUE),
  async handler({ route, status, user, limit, ...rest }) {
    const remote = await Remote.reach(rest);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ route, status, user, limit })) {
      if (value !== undefined) query.set(name, String(value));
    }
    const answer = await remote.request('GET', `/requests?${query}`, Requests);
    report(rest, answer, () => printRequests(answer.value));
  },
};

function printRequests(requests: z.output<typeof Requests>): void {
  if (requests.length === 0) {
    printLine('No requests.');
    return;
  }
  const hasFaults = requests.some(({ fault }) => fault !== null);
  const rows = requests.map(({ id, time, method, path, status, user, duration, fault }) => [
    id,
    time,
    method,
    path,
    colourOf(status)(String(status)),
    user ?? '-',
    duration.toFixed(1),
    ...(hasFaults ? [fault ?? '-'] : []),
  ]);
  printTable(['id', 'time', 'method', 'path', 'status', 'user', 'ms', ...(hasFaults ? ['fault'] : [])], rows, 'path');
}
