import type { InferredOptionTypes } from 'yargs';
import { createEmulator, type Emulator } from '../../emulator.js';
import { countRecords, describeCounts } from '../../fixtures/counts.js';
import { builtInFixtures } from '../../fixtures/read.js';
import type { RequestLog } from '../../server/pipeline.js';
import type { Command, Flags } from '../command.js';
import { emulatorFlags, toEmulatorOptions } from '../emulator-flags.js';
import { fail } from '../errors.js';
import { withEnvironment } from '../flags.js';
import { type CliIo, colorStatus, colorsFor, onSignals, printError, printLine, quoteName } from '../io.js';
import { openProgressBar } from '../progress-bar.js';

export const flags = {
  ...emulatorFlags,
  watch: { type: 'boolean', default: false, describe: 'Reload the fixtures when they are saved' },
  json: { type: 'boolean', default: false, describe: 'Print one line of JSON when ready, and nothing else' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'Do not log requests' },
} as const satisfies Flags;

type Input = InferredOptionTypes<typeof flags>;

export const command: Command = {
  flags: (env) => withEnvironment(flags, env),
  examples: [
    ['val-emulator start', 'start on port 4010 with the default fixtures'],
    ['val-emulator start --fixtures ./demo.json --port 0', 'load your own data, on any free port'],
    ['val-emulator start --fixtures ./demo.json --watch', 'reload the file when it is saved'],
  ],
  epilogue: 'Each option has an environment variable as well: VAL_EMULATOR_PORT=4011.',
  run: start,
};

/** Resolves after SIGINT or SIGTERM. */
async function start(input: Input, io: CliIo): Promise<undefined> {
  const { json, quiet } = input;
  const watched = input.watch ? getWatchedPath(input) : undefined;
  const log = new RequestPrinter(io);
  const mayBeLarge = input.fixtures !== undefined || input.generate !== undefined;
  const bar = mayBeLarge && !json && !quiet ? await openProgressBar(io) : undefined;
  const emulator = await createEmulator({
    ...toEmulatorOptions(input),
    onRequest: json || quiet ? undefined : (request) => log.add(request),
    onProgress: ({ step, fraction }) => bar?.show(step, fraction, 1),
  }).finally(() => bar?.stop());
  const stopped = new Promise<void>((stop) => onSignals(io, ['SIGINT', 'SIGTERM'], () => stop()));
  let unwatch = async () => {};
  try {
    if (watched !== undefined) {
      const { watchFixtures } = await import('../watch-fixtures.js');
      const onSave = () => {
        log.flush();
        reload(io, emulator, watched, json);
        bar?.stop();
      };
      unwatch = await watchFixtures(watched, onSave, (error) => printError(io, error));
    }
    const { url, users } = emulator;
    if (json) printLine(io, JSON.stringify({ url, users, pid: process.pid }));
    else printBanner(io, emulator);
    await stopped;
  } finally {
    await unwatch();
    await emulator.close();
    log.flush();
  }
}

/** @throws Error for fixtures that are no files of the user */
function getWatchedPath({ fixtures = 'default', generate }: Input): string {
  if (generate === undefined && !builtInFixtures().includes(fixtures)) return fixtures;
  const found = generate === undefined ? `built-in fixtures "${fixtures}"` : 'generated data';
  return fail(`--watch: cannot watch ${found}. Use --fixtures with a file or folder of yours.`);
}

/** Loads saved fixtures; an error in them changes nothing. */
function reload(io: CliIo, emulator: Emulator, fixtures: string, json: boolean): void {
  try {
    emulator.reload(fixtures);
    const counts = countRecords(emulator.defaultSandbox.store.state);
    if (!json) printLine(io, `Reloaded ${quoteName(fixtures)}: ${describeCounts(counts)}.`);
  } catch (error) {
    printError(io, error);
    io.stderr.write('Keeping the previously loaded data.\n');
  }
}

/** Maximum number of users in the banner. */
const MAX_LISTED_USERS = 20;

function printBanner(io: CliIo, { url, users }: Emulator): void {
  const { bold, cyan } = colorsFor(io);
  const listed = users.slice(0, MAX_LISTED_USERS);
  const width = Math.max(...listed.map(({ username, id }) => (username ?? id).length));
  const lines = [
    `val-emulator listens on ${bold(url)}`,
    '',
    users.length > 0 ? 'Users and their tokens:' : 'These fixtures have no users.',
    ...listed.map(({ username, id, token }) => `  ${(username ?? id).padEnd(width)}  ${cyan(token)}`),
    ...(users.length > listed.length ? [`  and ${users.length - listed.length} more`] : []),
    '',
    ...(users[0] ? ['Try it:', `  ${curlExample(url, users[0].token)}`, ''] : []),
    'Press Ctrl-C to stop.',
    '',
  ];
  printLine(io, lines.join('\n'));
}

const curlExample = (url: string, token: string): string =>
  `curl -H ${quoteForShell(`Authorization: Bearer ${token}`)} ${quoteForShell(`${url}/v1/me`)}`;

/** Quotes a word for a shell, some of which read the brackets of an IPv6 address as a pattern. */
const quoteForShell = (word: string) => (/^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Milliseconds between two writes: a write costs more than most requests do. */
const FLUSH_INTERVAL_MS = 20;

/** Prints a line per request. */
class RequestPrinter {
  readonly #io: CliIo;
  #requests: RequestLog[] = [];

  constructor(io: CliIo) {
    this.#io = io;
  }

  add(request: RequestLog): void {
    if (this.#requests.length === 0) setTimeout(() => this.flush(), FLUSH_INTERVAL_MS);
    this.#requests.push(request);
  }

  flush(): void {
    this.#io.stdout.write(this.#requests.map((request) => formatRequest(this.#io, request)).join(''));
    this.#requests = [];
  }
}

function formatRequest(io: CliIo, { method, target, status, duration }: RequestLog): string {
  const ms = colorsFor(io).dim(`${duration.toFixed(1)} ms`);
  return `${method.padEnd(6)} ${target} ${colorStatus(io, status)} ${ms}\n`;
}
