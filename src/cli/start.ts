import { createColors } from 'picocolors';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { AUTH_MODES } from '../domain/state.js';
import { PRIVACIES } from '../domain/vals.js';
import { createEmulator, type Emulator } from '../emulator.js';
import { shippedFixtures } from '../fixtures/read.js';
import type { RequestLog } from '../http/handler.js';
import { fail } from './fail.js';
import { readPort, withEnvironment } from './flags.js';

const flags = {
  port: {
    alias: 'p',
    type: 'string',
    default: '4010',
    requiresArg: true,
    coerce: readPort,
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
  json: { type: 'boolean', default: false, describe: 'Print one line of JSON once it answers, and nothing else' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'Print no line per request' },
} as const satisfies Record<string, Options>;

type Flags = InferredOptionTypes<typeof flags>;

export const startCommand: CommandModule<object, Flags> = {
  command: ['start', '$0'],
  describe: 'Start the emulator',
  builder: (parser) =>
    parser
      .options(withEnvironment(flags))
      .example('$0 start', 'on port 4010 with the default fixtures')
      .example('$0 start --fixtures ./demo.json --port 0', 'your own data on any free port')
      .epilogue('Each option can be set by environment variable as well: VAL_EMULATOR_PORT=4011.'),
  handler: start,
};

async function start({ json, quiet, 'default-privacy': defaultPrivacy, ...options }: Flags): Promise<void> {
  const log = json || quiet ? undefined : printRequest;
  const { port, host, fixtures, auth, now } = options;
  const emulator = await createEmulator({ port, host, fixtures, auth, defaultPrivacy, now, onRequest: log }).catch(
    fail,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => emulator.close().then(() => process.exit(0)));
  }
  // Whoever read the output may have left, as `head` does; the server goes on without.
  process.stdout.on('error', () => {});
  if (json) {
    const { url, users } = emulator;
    process.stdout.write(`${JSON.stringify({ url, users, pid: process.pid })}\n`);
  } else printWelcome(emulator);
}

const colours = createColors(process.stdout.isTTY === true && !process.env.NO_COLOR);

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
  const paint = status >= 500 ? colours.red : status >= 400 ? colours.yellow : colours.green;
  const ms = `${duration.toFixed(1)} ms`;
  process.stdout.write(`${method.padEnd(6)} ${target} ${paint(String(status))} ${colours.dim(ms)}\n`);
}
