import type { InferredOptionTypes, Options } from 'yargs';
import { createEmulator, type Emulator } from '../emulator.js';
import { countRecords, describeCounts } from '../fixtures/counts.js';
import type { Progress } from '../fixtures/progress.js';
import { shippedFixtures } from '../fixtures/read.js';
import type { RequestLog } from '../http/handler.js';
import type { Command } from './command.js';
import { emulatorFlags, optionsFrom } from './emulator.js';
import { complain, exit } from './exit.js';
import { placeOf, withEnvironment } from './flags.js';
import { colours, nameOf, printLine } from './print.js';
import { ProgressBar } from './progress.js';
import { RequestPrinter } from './request-printer.js';

export const flags = {
  ...emulatorFlags,
  watch: { type: 'boolean', default: false, describe: 'Load the fixtures again when they are saved' },
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
      .example('$0 start --fixtures ./demo.json --watch', 'the data follow the file')
      .epilogue('Each option can be set by environment variable as well: VAL_EMULATOR_PORT=4011.'),
  handler: start,
};

async function start(flags: Flags): Promise<void> {
  const { json, quiet } = flags;
  const watched = flags.watch ? watchedPath(flags) : undefined;
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
  if (watched !== undefined) {
    const { watchFixtures } = await import('./watch.js');
    await watchFixtures(watched, () => {
      printer.flush();
      reload(emulator, watched, json);
      bar?.stop();
    });
  }
  if (json) {
    const { url, users } = emulator;
    process.stdout.write(`${JSON.stringify({ url, users, pid: process.pid })}\n`);
  } else printWelcome(emulator);
}

/** The path of fixtures that can be saved; without any, the program ends. */
function watchedPath({ fixtures = 'default', generate }: Flags): string {
  if (generate === undefined && !shippedFixtures().includes(fixtures)) return fixtures;
  const found = generate === undefined ? `${fixtures}, which ships with val-emulator` : 'a generated world';
  return exit(`${placeOf('watch')}: found ${found}; expected a file or a folder of your own (--fixtures).`);
}

/** Takes over fixtures that were saved; with a mistake in them, everything stays as it is. */
function reload(emulator: Emulator, fixtures: string, json: boolean): void {
  try {
    emulator.reload(fixtures);
    if (!json) printLine(`Reloaded ${nameOf(fixtures)}: ${describeCounts(countRecords(emulator.world.state))}.`);
  } catch (error) {
    complain(error);
    process.stderr.write('The data are still those from before.\n');
  }
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
    ...(users[0] ? ['Try it:', `  ${tryLine(url, users[0].token)}`, ''] : []),
    'Press Ctrl-C to end it.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const tryLine = (url: string, token: string): string =>
  `curl -H ${quote(`Authorization: Bearer ${token}`)} ${quote(`${url}/v1/me`)}`;

/** A word as a shell takes it; the brackets of an IPv6 address are a pattern to some. */
const quote = (word: string) => (/^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
