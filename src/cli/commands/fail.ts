import { type Static, Type } from 'typebox';
import { OptionsError } from '../../lib/errors.js';
import { compile } from '../../lib/validator.js';
import { FaultRecord, validateFault } from '../../sandbox/faults.js';
import type { Flags } from '../command.js';
import { failValue, flag, jsonObjectFlag, jsonValueFlag, numberFlag, parseNumber, fail as reject } from '../command.js';
import { formatTable } from '../io.js';
import { encodePathSegment, isEmpty, remoteCommand } from '../remote-command.js';

/** A fault of the control API; other versions may add properties. */
const ArmedFault = Type.Object(FaultRecord.properties);
const isArmedFaults = compile('cli faults', Type.Array(ArmedFault), 'response');
const isArmedFault = (value: unknown): value is Static<typeof ArmedFault> => isArmedFaults([value]);

const MISSING_ROUTE = 'Missing route. Name one ("POST /v1/vals", "*" for any), or use --list or --clear.';
const RESET = 'Reset the connection without a response';

const faultFlags = {
  status: numberFlag('Respond with this HTTP status (default: 500)'),
  times: numberFlag('Number of requests to fail (default: all)'),
  after: numberFlag('Number of requests to pass through first (default: 0)'),
  delay: { ...flag('Delay the response by milliseconds: 100, or 100-300 at random'), coerce: parseDelay },
  header: { ...flag('Add a response header: "Retry-After: 3" (repeatable)'), array: true, coerce: parseHeaders },
  body: jsonValueFlag('body', 'Respond with this JSON (default: an error of the API)'),
  rate: numberFlag('Fraction of the requests to fail: 0.2 (default: 1)'),
  seed: flag('Seed of the random choice by --rate and --delay (default: 0)'),
  reset: { type: 'boolean', coerce: (isSet: boolean) => isSet || undefined, describe: RESET },
  truncate: numberFlag('Break the connection after this many bytes of the body'),
  user: flag('Only requests of this user: a username or id'),
  method: flag('Only requests with this method'),
  match: jsonObjectFlag('match', 'Only requests that send this: {"body":{"name":"report"}}, or headers, query, params'),
} as const satisfies Flags;

export const fail = remoteCommand('fail [route]', 'Inject faults into a running emulator', {
  args: { route: { type: 'string', describe: '"POST /v1/vals", "GET /v1/vals/{val_id}", or "*" for any' } },
  flags: {
    ...faultFlags,
    list: { type: 'boolean', default: false, describe: 'List the armed faults with their number of hits' },
    clear: { type: 'string', describe: 'Disarm the fault with this id (default: all faults)' },
  },
  examples: {
    "$0 'POST /v1/vals' --status 503 --times 2 --after 1": 'fail the second and third call',
    "$0 '*' --delay 100-300": 'slow down all requests',
    '$0 \'POST /v1/vals\' --match \'{"body":{"name":"report"}}\'': 'fail one val',
    '$0 --list': 'list the armed faults',
    '$0 --clear f1': 'disarm one fault; without an id, all',
  },
  async run({ route, list, clear, ...input }, client, io) {
    const fields: Readonly<Record<string, unknown>> = input;
    const given = Object.keys(faultFlags).filter((name) => fields[name] !== undefined);
    if (list || clear !== undefined) {
      const others = [route && 'a route', given[0] && `--${given[0]}`, list && clear !== undefined && '--list'];
      const other = others.find(Boolean);
      if (other) reject(`Use either ${other} or ${clear === undefined ? '--list' : '--clear'}, not both.`);
    }
    if (list) {
      const value = await client.request('GET', '/faults', isArmedFaults);
      const rows = value.map((fault) => ({
        ...{ id: fault.id, hits: String(fault.hits), remaining: String(fault.remaining ?? '-') },
        fault: formatFault(fault),
      }));
      return { value, words: formatTable(io, rows, 'No armed faults.') };
    }
    if (clear !== undefined) {
      await client.request('DELETE', clear === '' ? '/faults' : `/faults/${encodePathSegment(clear)}`, isEmpty);
      return { words: `Disarmed ${clear || 'all faults'} at ${client.url}.` };
    }
    if (route === undefined) reject(MISSING_ROUTE);
    const entries = given.map((name) => [name === 'header' ? 'headers' : name, fields[name]]);
    const fault = { route, ...Object.fromEntries(entries) };
    const problems = validateFault(fault);
    if (problems.length > 0) throw new OptionsError(problems);
    const value = await client.request('POST', '/faults', isArmedFault, fault);
    return { value, words: `Armed ${value.id} at ${client.url}: ${formatFault(value)}.` };
  },
});

/** Parses `100` or `100-300`; other text is left for the schema to reject. */
function parseDelay(text: string): unknown {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return min === undefined ? parseNumber(text) : [Number(min), Number(max)];
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, readonly [name: string, text: string]>();
  for (const line of lines) {
    // A name as HTTP allows it (RFC 9110, token).
    const [, name = '', text = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === '') failValue('header', line, 'a name and a value, as in "Retry-After: 3"');
    if (headers.has(name.toLowerCase())) reject(`--header: duplicate name ${name}. Give each header once.`);
    headers.set(name.toLowerCase(), [name, text]);
  }
  return Object.fromEntries(headers.values());
}

/** Formats a fault: `POST /v1/vals responds 503, 2 times, after 1 request`. */
function formatFault(fault: Static<typeof ArmedFault>): string {
  const { route, method, user, match, times, after, rate, seed, status, headers, body, delay, reset, truncate } = fault;
  const requests = route ?? (method === null ? 'any request' : `any ${method}`);
  const wait = typeof delay === 'number' ? `${delay} ms` : delay && `${delay[0]} to ${delay[1]} ms`;
  const parts = [
    reset && 'resets the connection',
    status !== null && !reset && `responds ${status}`,
    truncate !== null && `closes after ${truncate} bytes`,
    wait !== null && `waits ${wait}`,
    headers !== null && `adds ${Object.keys(headers).join(' and ')}`,
    body !== null && 'sends its own body',
    rate !== 1 && `for ${Number((rate * 100).toFixed(4))} % of the requests (seed ${seed})`,
    times !== null && (times === 1 ? 'once' : `${times} times`),
    after > 0 && `after ${after} ${after === 1 ? 'request' : 'requests'}`,
  ];
  const by = user === null ? '' : ` by ${user}`;
  const sending = match === null ? '' : ` with ${JSON.stringify(match)}`;
  return `${requests}${by}${sending} ${parts.filter(Boolean).join(', ')}`;
}
