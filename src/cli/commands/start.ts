import { createEmulator, type Emulator } from '../../emulator.js';
import { countRecords, describeCounts } from '../../fixtures/export.js';
import { builtInFixtures } from '../../fixtures/read.js';
import type { RequestLog } from '../../server/pipeline.js';
import { defineCommand } from '../command.js';
import { emulatorFlags, toEmulatorOptions } from '../emulator-flags.js';
import { fail } from '../errors.js';
import type { Flags } from '../flags.js';
import { type CliIo, colorStatus, colorsFor, onSignals, printError, printLine, quoteName } from '../io.js';
import { openProgressBar } from '../progress-bar.js';
import { watchFixtures } from '../watch-fixtures.js';

export const startFlags = {
  ...emulatorFlags,
  watch: { type: 'boolean', default: false, describe: 'Reload the fixtures when they are saved' },
  json: { type: 'boolean', default: false, describe: 'Print one line of JSON when ready, and nothing else' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'Do not log requests' },
} as const satisfies Flags;

export const start = defineCommand('start', 'Start an emulator (default command)', {
  variables: startFlags,
  examples: {
    'val-emulator start': 'start on port 4010 with the default fixtures',
    'val-emulator start --fixtures ./demo.json --port 0': 'load your own data, on any free port',
    'val-emulator start --fixtures ./demo.json --watch': 'reload the file when it is saved',
  },
  epilogue: 'Each option has an environment variable as well: VAL_EMULATOR_PORT=4011.',
  /** Resolves after SIGINT or SIGTERM. */
  async run({ watch, json, quiet, ...input }, io) {
    const { fixtures, generate } = input;
    const watched = watch ? getWatchedPath(fixtures, generate) : undefined;
    const mayBeLarge = fixtures !== undefined || generate !== undefined;
    const bar = mayBeLarge && !json && !quiet ? await openProgressBar(io) : undefined;
    await using emulator = await createEmulator({
      ...toEmulatorOptions(input),
      onRequest: json || quiet ? undefined : (request) => printRequest(io, request),
      onProgress: ({ step, fraction }) => bar?.show(step, fraction, 1),
    }).finally(() => bar?.stop());
    const stopped = new Promise<void>((stop) => onSignals(io, ['SIGINT', 'SIGTERM'], () => stop()));
    const onSave = (path: string) => {
      reload(io, emulator, path, json);
      bar?.stop();
    };
    await using _watcher = watched ? await watchFixtures(watched, onSave, (error) => printError(io, error)) : undefined;
    const { url, users } = emulator;
    if (json) printLine(io, JSON.stringify({ url, users, pid: process.pid }));
    else printBanner(io, emulator);
    await stopped;
  },
});

/** @throws Error for fixtures that are no files of the user */
function getWatchedPath(fixtures = 'default', generate?: object): string {
  if (generate === undefined && !builtInFixtures().includes(fixtures)) return fixtures;
  const found = generate === undefined ? `built-in fixtures "${fixtures}"` : 'generated data';
  return fail(`--watch: cannot watch ${found}. Use --fixtures with a file or folder of yours.`);
}

/** Loads saved fixtures; an error in them changes nothing. */
function reload(io: CliIo, emulator: Emulator, fixtures: string, json: boolean): void {
  try {
    emulator.reload(fixtures);
    const counts = countRecords(emulator.store.state);
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

function printRequest(io: CliIo, { method, target, status, duration }: RequestLog): void {
  const ms = colorsFor(io).dim(`${duration.toFixed(1)} ms`);
  printLine(io, `${method.padEnd(6)} ${target} ${colorStatus(io, status)} ${ms}`);
}
