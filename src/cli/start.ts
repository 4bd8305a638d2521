import type { InferredOptionTypes, Options } from 'yargs';
import { parseDuration } from '../domain/duration.js';
import { AUTH_MODES } from '../domain/state.js';
import { PRIVACIES } from '../domain/vals.js';
import { createEmulator, type Emulator } from '../emulator.js';
import { show } from '../fixtures/problems.js';
import { shippedFixtures } from '../fixtures/read.js';
import type { RequestLog } from '../http/handler.js';
import type { Command } from './command.js';
import { exit } from './exit.js';
import { placeOf, readWhole, withEnvironment } from './flags.js';
import { colourOf, colours } from './print.js';

const flags = {
  port: {
    alias: 'p',
    type: 'string',
    default: '4010',
    requiresArg: true,
    coerce: readWhole('port', 'a port from 0 to 65535'),
    describe: 'Port to listen on; 0 takes any free one',
  },
  host: { type: 'string', default: '127.0.0.1', requiresArg: true, describe: 'Address to listen on; 0.0.0.0 for all' },
  fixtures: {
    alias: 'f',
    type: 'string',
    default: 'default',
    requiresArg: true,
    describe: `Seed data: a folder, a JSON file, or one that ships (${shippedFixtures().join(', ')})`,
  },
  auth: {
    choices: AUTH_MODES,
    requiresArg: true,
    default: 'strict',
    describe: 'An unknown token is a 401 (strict) or the first user (lenient)',
  },
  'default-privacy': {
    choices: PRIVACIES,
    requiresArg: true,
    default: 'private',
    describe: 'Privacy of a val that is created without one',
  },
  now: { type: 'string', requiresArg: true, describe: 'Freeze the clock at an RFC 3339 timestamp' },
  'rate-limit': {
    type: 'string',
    requiresArg: true,
    coerce: readRateLimit,
    describe: 'Requests that a token may send within a time: 100/1m (default: any number)',
  },
  control: {
    type: 'boolean',
    default: true,
    describe: "The emulator's own API under /_emulator; --no-control removes it",
  },
  'allowed-host': {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'Host name beside the loopback ones that may reach that API (may be repeated)',
  },
  'max-sandboxes': {
    type: 'string',
    default: '10000',
    requiresArg: true,
    coerce: readWhole('maxSandboxes', 'a number of sandboxes'),
    describe: 'How many sandboxes there may be beside the main one',
  },
  'spec-only': { type: 'boolean', default: false, describe: 'Answer only the routes of the specification' },
  json: { type: 'boolean', default: false, describe: 'Print one line of JSON once it answers, and nothing else' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'Print no line per request' },
} as const satisfies Record<string, Options>;

type Flags = InferredOptionTypes<typeof flags>;

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .options(withEnvironment(flags))
      .example('$0 start', 'on port 4010 with the default fixtures')
      .example('$0 start --fixtures ./demo.json --port 0', 'your own data on any free port')
      .epilogue('Each option can be set by environment variable as well: VAL_EMULATOR_PORT=4011.'),
  handler: start,
};

async function start(flags: Flags): Promise<void> {
  const { port, host, fixtures, auth, now, control, json, quiet } = flags;
  const emulator = await createEmulator({
    port,
    host,
    fixtures,
    auth,
    now,
    control,
    defaultPrivacy: flags['default-privacy'],
    rateLimit: flags['rate-limit'],
    allowedHosts: flags['allowed-host'],
    maxSandboxes: flags['max-sandboxes'],
    specOnly: flags['spec-only'],
    onRequest: json || quiet ? undefined : printRequest,
  }).catch(exit);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => emulator.close().then(() => process.exit(0)));
  }
  if (json) {
    const { url, users } = emulator;
    process.stdout.write(`${JSON.stringify({ url, users, pid: process.pid })}\n`);
  } else printWelcome(emulator);
}

function readRateLimit(text: string): { limit: number; window: string } {
  const [, limit, window = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (limit !== undefined && parseDuration(window) !== undefined) return { limit: Number(limit), window };
  throw new Error(`${placeOf('rateLimit')}: found ${show(text)}; expected requests and a time, such as 100/1m.`);
}

function printWelcome({ url, users }: Emulator): void {
  const width = Math.max(...users.map(({ username, id }) => (username ?? id).length));
  const lines = [
    `val-emulator listens on ${colours.bold(url)}`,
    '',
    users.length > 0 ? 'Users and their tokens:' : 'There are no users in these fixtures.',
    ...users.map(({ username, id, token }) => `  ${(username ?? id).padEnd(width)}  ${colours.cyan(token)}`),
    '',
    'Try it:',
    `  ${tryLine(url, users[0]?.token)}`,
    '',
    'Press Ctrl-C to end it.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function tryLine(url: string, token: string | undefined): string {
  const header = token === undefined ? [] : ['-H', quote(`Authorization: Bearer ${token}`)];
  return ['curl', ...header, quote(`${url}/v1/me`)].join(' ');
}

/** A word as a shell takes it; the brackets of an IPv6 address are a pattern to some. */
const quote = (word: string) => (/^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function printRequest({ method, target, status, duration }: RequestLog): void {
  const ms = `${duration.toFixed(1)} ms`;
  process.stdout.write(`${method.padEnd(6)} ${target} ${colourOf(status)(String(status))} ${colours.dim(ms)}\n`);
}
