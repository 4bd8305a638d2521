import type { InferredOptionTypes, Options } from 'yargs';
import * as z from 'zod';
import { FaultBody, FaultRecord } from '../control/faults.js';
import { parseJson } from '../fixtures/json.js';
import { explain, OptionsError, show } from '../fixtures/problems.js';
import type { Command } from './command.js';
import { describeFault } from './faults.js';
import { placeOf, readNumber } from './flags.js';
import { printLine, printTable } from './print.js';
import { Nothing, REMOTE_EPILOGUE, Remote, type RemoteFlags, remoteFlags, report, segment } from './remote.js';

/** How to fail: the flags have the names of the fault's fields. */
const faultFlags = {
  status: {
    type: 'string',
    requiresArg: true,
    coerce: readNumber,
    describe: 'Answer with this HTTP status (default: 500)',
  },
  times: { type: 'string', requiresArg: true, coerce: readNumber, describe: 'Strike so many requests (default: all)' },
  after: { type: 'string', requiresArg: true, coerce: readNumber, describe: 'Let so many requests through first' },
  delay: {
    type: 'string',
    requiresArg: true,
    coerce: readDelay,
    describe: 'Hold the answer back so many milliseconds: 100, or 100-300 for any between',
  },
  header: {
    type: 'string',
    array: true,
    requiresArg: true,
    coerce: readHeaders,
    describe: 'Add a header to the answer: "Retry-After: 3" (may be repeated)',
  },
  body: {
    type: 'string',
    requiresArg: true,
    coerce: readBody,
    describe: "JSON to answer with, not the API's own error",
  },
  rate: { type: 'string', requiresArg: true, coerce: readNumber, describe: 'Strike this share of the requests: 0.2' },
  seed: { type: 'string', requiresArg: true, describe: 'Another seed strikes others at the same rate' },
  reset: { type: 'boolean', describe: 'Break the connection off without an answer' },
  truncate: {
    type: 'string',
    requiresArg: true,
    coerce: readNumber,
    describe: 'Break the connection off after so many bytes of the body',
  },
  user: { type: 'string', requiresArg: true, describe: 'Only requests of this caller: a username or id' },
  method: { type: 'string', requiresArg: true, describe: 'Only requests with this method, whatever the route' },
} as const satisfies Record<string, Options>;

const otherFlags = {
  list: { type: 'boolean', default: false, describe: 'Print the armed faults and how often they struck' },
  clear: { type: 'string', describe: 'Disarm the fault of this id, or all of them' },
} as const satisfies Record<string, Options>;

type FaultFlags = InferredOptionTypes<typeof faultFlags>;
interface Flags extends RemoteFlags, FaultFlags, InferredOptionTypes<typeof otherFlags> {
  readonly route: string | undefined;
}

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .positional('route', {
        type: 'string',
        describe: 'As in "POST /v1/vals" or "GET /v1/vals/{val_id}"; "*" for any',
      })
      .options(remoteFlags)
      .options(faultFlags)
      .options(otherFlags)
      .check(checkCombination)
      .example("$0 fail 'POST /v1/vals' --status 503 --times 2 --after 1", 'exactly the second and third call fail')
      .example("$0 fail '*' --delay 100-300", 'everything is slow')
      .example('$0 fail --list', 'what is armed')
      .example('$0 fail --clear f1', 'disarm one; without an id, all')
      .epilogue(REMOTE_EPILOGUE),
  async handler(flags) {
    if (flags.list) await listFaults(flags);
    else if (flags.clear !== undefined) await clearFaults(flags, flags.clear);
    else await armFault(flags, flags.route);
  },
};

/** True, or what does not fit together. */
function checkCombination({ route, list, clear, ...rest }: Omit<Flags, keyof RemoteFlags>): true | string {
  if (list && clear !== undefined) return 'Only one of --list and --clear at a time.';
  const other = list ? '--list' : '--clear';
  if (!list && clear === undefined) {
    return (
      route !== undefined || 'Say which route is to fail ("POST /v1/vals", or "*" for any), or --list, or --clear.'
    );
  }
  const given: Readonly<Record<string, unknown>> = { ...rest };
  const extra = Object.keys(faultFlags).find((flag) => given[flag] !== undefined);
  if (route !== undefined) return `A route does not go with ${other}.`;
  return extra === undefined || `--${extra} does not go with ${other}.`;
}

async function armFault(flags: Flags, route: string | undefined): Promise<void> {
  const { status, times, after, delay, header, body, rate, seed, reset, truncate, user, method } = flags;
  const wanted = { status, times, after, delay, headers: header, body, rate, seed, truncate, user, method };
  const fault = { ...wanted, ...(route === '*' ? {} : { route }), ...(reset ? { reset } : {}) };
  const { error } = FaultBody.safeParse(fault, { reportInput: true });
  if (error) throw new OptionsError(explain(error, '', Object.keys(FaultBody.shape)));
  const remote = await Remote.reach(flags);
  const answer = await remote.request('POST', '/faults', FaultRecord, fault);
  const { id } = answer.value;
  report(flags, answer, () => printLine(`Armed ${id} at ${remote.url}: ${describeFault(answer.value)}.`));
}

async function listFaults(flags: Flags): Promise<void> {
  const remote = await Remote.reach(flags);
  const answer = await remote.request('GET', '/faults', z.array(FaultRecord));
  report(flags, answer, () => {
    const rows = answer.value.map((fault) => [
      fault.id,
      String(fault.hits),
      fault.remaining === null ? '-' : String(fault.remaining),
      describeFault(fault),
    ]);
    if (rows.length === 0) printLine('No fault is armed.');
    else printTable(['id', 'hits', 'remaining', 'fault'], rows);
  });
}

async function clearFaults(flags: Flags, id: string): Promise<void> {
  const path = id === '' ? '/faults' : `/faults/${segment(id)}`;
  const remote = await Remote.reach(flags);
  const answer = await remote.request('DELETE', path, Nothing);
  report(flags, answer, () => printLine(`Disarmed ${id === '' ? 'every fault' : id} at ${remote.url}.`));
}

/** Anything but a number or two is left for the schema to judge. */
function readDelay(text: string): unknown {
  const [, least, most] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return least === undefined ? readNumber(text) : [Number(least), Number(most)];
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    // A name as HTTP allows it (RFC 9110, token).
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new Error(
        `${placeOf('headers')}: found ${show(line)}; expected a name and a value, as in "Retry-After: 3".`,
      );
    }
    const isKnown = Object.keys(headers).some((known) => known.toLowerCase() === name.toLowerCase());
    if (isKnown) throw new Error(`${placeOf('headers')}: ${name} is there twice.`);
    headers[name] = value;
  }
  return headers;
}

function readBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${placeOf('body')}: not valid JSON: ${reason} A text needs double quotes of its own.`);
  }
}
