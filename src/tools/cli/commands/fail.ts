import { CHAOS_NAMES } from '#engine/faults/presets.js';
import { parseMilliseconds } from '#engine/lib/time.js';
import type { ControlOutput } from '../../client/control-client.js';
import type { Flags } from '../command.js';
import { failValue, flag, jsonObjectFlag, jsonValueFlag, numberFlag, parseNumber, fail as reject } from '../command.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote.js';
import { rethrowAsOptions } from '../rethrow.js';

const MISSING_ROUTE = 'Missing route. Name one (POST /v1/vals, "*" for any), or use --chaos, --list or --clear.';
const RESET = 'Reset the connection without a response';

const faultFlags = {
  status: numberFlag('Respond with this HTTP status (default: 500)'),
  times: numberFlag('Number of requests to fail (default: all)'),
  after: numberFlag('Number of requests to pass through first (default: 0)'),
  delay: { ...flag('Delay the response: 100ms, 2s, or 100ms-2s at random'), coerce: parseDelay },
  header: { ...flag('Add a response header: "Retry-After: 3" (repeatable)'), array: true, coerce: parseHeaders },
  body: jsonValueFlag('body', 'Respond with this JSON (default: an error of the API)'),
  rate: { ...flag('Fraction of the requests to fail: 0.2 or 20% (default: 1)'), coerce: parseRate },
  seed: flag('Seed of the random choice by --rate and --delay (default: 0)'),
  reset: { type: 'boolean', coerce: (isSet: boolean) => isSet || undefined, describe: RESET },
  truncate: numberFlag('Break the connection after this many bytes of the body'),
  user: flag('Only requests of this user: a username or id'),
  method: flag('Only requests with this method'),
  for: flag('End the fault after this time by the clock: 30s (default: no end)'),
  match: jsonObjectFlag('match', 'Only requests with this body, headers, query or params: {"body":{"code":"1"}}'),
} as const satisfies Flags;

/** The flags that {@link CHAOS_NAMES} can be armed with. */
const CHAOS_FLAGS: readonly string[] = ['seed', 'for'];

/** The flags that arm a fault exclude those that list and disarm. */
const EXCLUSIVE = ['route', ...Object.keys(faultFlags)];

export const fail = remoteCommand({
  args: { route: { type: 'string', describe: 'POST /v1/vals, GET /v1/vals/{val_id}, or "*" for any' } },
  flags: {
    ...faultFlags,
    chaos: {
      type: 'string',
      choices: CHAOS_NAMES,
      describe: 'Arm several faults that end after a time',
      conflicts: EXCLUSIVE.filter((name) => !CHAOS_FLAGS.includes(name)),
    },
    list: {
      type: 'boolean',
      describe: 'List the armed faults with their number of hits',
      conflicts: [...EXCLUSIVE, 'chaos', 'clear'],
    },
    clear: {
      type: 'string',
      describe: 'Disarm the fault with this id (default: all faults)',
      conflicts: [...EXCLUSIVE, 'chaos'],
    },
  },
  examples: {
    '$0 POST /v1/vals --status 503 --times 2 --after 1': 'fail the second and third call',
    "$0 '*' --delay 100ms-2s": 'slow down all requests',
    '$0 POST /v1/vals --match \'{"body":{"name":"report"}}\'': 'fail one val',
    '$0 --chaos flaky --for 1m': 'let some requests fail for a minute',
    '$0 --list': 'list the armed faults',
    '$0 --clear f1': 'disarm one fault; without an id, all',
  },
  epilogue: 'A request with the header X-Emulator-Fault: 503 gets that fault alone (docs/control.md).',
  async run({ route, chaos, list, clear, ...input }, { control, url, io }) {
    if (list) {
      const value = await control.listFaults();
      const rows = value.map((fault) => {
        const { id, hits, remaining } = fault;
        return { id, hits, remaining, fault: formatFault(fault) };
      });
      return { value, text: formatTable(io, rows, 'No armed faults.') };
    }
    if (clear !== undefined) {
      await (clear === '' ? control.disarmAllFaults() : control.disarmFault({ id: clear }));
      return { text: `Disarmed ${clear || 'all faults'} at ${url}.` };
    }
    if (chaos !== undefined) {
      const value = await control.armChaos({ name: chaos, seed: input.seed, for: input.for });
      return { value, text: value.map((fault) => `Armed ${fault.id} at ${url}: ${formatFault(fault)}.`).join('\n') };
    }
    if (route === undefined) reject(MISSING_ROUTE);
    const fields: Readonly<Record<string, unknown>> = input;
    const given = Object.keys(faultFlags).filter((name) => fields[name] !== undefined);
    const entries = given.map((name) => [name === 'header' ? 'headers' : name, fields[name]]);
    const value = await control
      .armFault({ route, ...Object.fromEntries(entries) })
      .catch((error: unknown) => rethrowAsOptions(error, ['status', 'headers', 'delay', 'for']));
    return { value, text: `Armed ${value.id} at ${url}: ${formatFault(value)}.` };
  },
});

/** Parses `2s`, or `100ms-2s` for a random delay; a number is milliseconds. Other text is left for the schema to reject. */
function parseDelay(text: string): unknown {
  const delays = text.split('-').map(parseMilliseconds);
  if (delays.length > 2 || delays.includes(undefined))
    failValue('delay', text, 'a duration such as 100ms or 2s, or a range such as 100ms-2s');
  return delays.length === 1 ? delays[0] : delays;
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
function formatFault(fault: ControlOutput<'armFault'>): string {
  const { route, method, user, match, times, after, rate, seed, status, headers, body, delay, reset, truncate, until } =
    fault;
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
    until !== null && `until ${until}`,
    after > 0 && `after ${after} ${after === 1 ? 'request' : 'requests'}`,
  ];
  const by = user === null ? '' : ` by ${user}`;
  const sending = match === null ? '' : ` with ${JSON.stringify(match)}`;
  return `${requests}${by}${sending} ${parts.filter(Boolean).join(', ')}`;
}

/** Parses a fraction, or a percentage. */
function parseRate(text: string): number | string {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  return percent === undefined ? parseNumber(text) : Number(percent) / 100;
}
