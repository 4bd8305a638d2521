import type { InferredOptionTypes, Options } from 'yargs';
import { createEmulator, type Emulator } from '../emulator.js';
import type { Progress } from '../fixtures/progress.js';
import type { RequestLog } from '../http/handler.js';
import type { Command } from './command.js';
import { emulatorFlags, optionsFrom } from './emulator.js';
import { exit } from './exit.js';
import { withEnvironment } from './flags.js';
import { colourOf, colours } from './print.js';
import { ProgressBar } from './progress.js';

export const flags = {
  ...emulatorFlags,
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
  const { json, quiet } = flags;
  const printer = new RequestPrinter();
  const onRequest = json || quiet ? undefined : (request: RequestLog) => printer.add(request);
  const mayBeLarge = flags.fixtures !== undefined || flags.generate !== undefined;
  const bar = mayBeLarge && !json && !quiet ? await ProgressBar.open() : undefined;
  const onProgress = ({ step, share }: Progress) => bar?.show(step, share, 1);
  const emulator = await createEmulator({ ...optionsFrom(flags), onRequest, onProgress })
    .finally(() => bar?.stop())
    .catch(exit);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await emulator.close();
      printer.flush();
      process.exit(0);
    });
  }
  if (json) {
    const { url, users } = emulator;
    process.stdout.write(`${JSON.stringify({ url, users, pid: process.pid })}\n`);
  } else printWelcome(emulator);
}

/** Users that are named at the start; of generated ones there may be thousands. */
const MOST_SHOWN = 20;

function printWelcome({ url, users }: Emulator): void {
  const shown = users.slice(0, MOST_SHOWN);
  const width = Math.max(...shown.map(({ username, id }) => (username ?? id).length));
  const lines = [
    `val-emulator listens on ${colours.bold(url)}`,
    '',
    users.length > 0 ? 'Users and their tokens:' : 'There are no users in these fixtures.',
    ...shown.map(({ username, id, token }) => `  ${(username ?? id).padEnd(width)}  ${colours.cyan(token)}`),
    ...(users.length > shown.length ? [`  and ${users.length - shown.length} more`] : []),
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

/** How long a line about a request may wait for others, in milliseconds: a print costs more than most requests do. */
const PATIENCE = 20;

/** Prints a line per request. */
class RequestPrinter {
  #lines = '';

  add({ method, target, status, duration }: RequestLog): void {
    if (this.#lines === '') setTimeout(() => this.flush(), PATIENCE);
    const ms = `${duration.toFixed(1)} ms`;
    this.#lines += `${method.padEnd(6)} ${target} ${colourOf(status)(String(status))} ${colours.dim(ms)}\n`;
  }

  flush(): void {
    process.stdout.write(this.#lines);
    this.#lines = '';
  }
}
