import { once } from 'node:events';
import { basename, dirname, resolve } from 'node:path';
import { createEmulator, type Emulator } from '../../emulator.js';
import { countRecords, describeCounts } from '../../fixtures/export.js';
import { builtInFixtures, isFixtureFile } from '../../fixtures/read.js';
import { OptionsError } from '../../lib/errors.js';
import { formatCurl } from '../../lib/messages.js';
import { describeBusyPort } from '../../server/address.js';
import type { RequestLog } from '../../server/pipeline.js';
import { type CliIo, defineCommand, type Flags, fail } from '../command.js';
import { emulatorFlags, toEmulatorOptions } from '../emulator-flags.js';
import { colorStatus, colorsFor, onSignals, openProgressBar, printError, printLine, quoteName } from '../io.js';

const DEFAULT_PORT = 4010;
/** The last port that is tried if none is chosen. */
const LAST_PORT = 4019;

export const startFlags = {
  ...emulatorFlags,
  port: { ...emulatorFlags.port, defaultDescription: `${DEFAULT_PORT}, or the next free one` },
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
    // Undefined if every token is accepted.
    const findToken = (): string | undefined => (input.auth === 'strict' ? emulator.users[0]?.token : undefined);
    const logger = new RequestLogger(io, findToken);
    await using emulator = await createEmulator({
      ...toEmulatorOptions(input, io),
      listen: input.port !== undefined,
      onRequest: json || quiet ? undefined : logger.add,
      onProgress: ({ step, fraction }) => bar?.show(step, fraction, 1),
    }).finally(() => bar?.stop());
    if (input.port === undefined) await listenOnNextPort(emulator, input.host, io);
    const stopped = new Promise<void>((stop) => onSignals(io, ['SIGINT', 'SIGTERM'], () => stop()));
    // An error in saved fixtures changes nothing.
    const onSave = (path: string) => {
      try {
        emulator.reload(path);
        const counts = countRecords(emulator.defaultSandbox.store.state);
        logger.flush();
        if (!json) printLine(io, `Reloaded ${quoteName(path)}: ${describeCounts(counts)}.`);
      } catch (error) {
        printError(io, error);
        io.stderr.write('Keeping the previously loaded data.\n');
      }
      bar?.stop();
    };
    await using _watcher = watched ? await watchFixtures(watched, onSave, (error) => printError(io, error)) : undefined;
    const { url, users } = emulator;
    printLine(io, json ? JSON.stringify({ url, users, pid: process.pid }) : formatBanner(io, emulator));
    await stopped;
    logger.flush();
  },
});

/**
 * Listens on the default port, or on the next free one, and then says so on stderr.
 * @throws OptionsError if none of them is free
 */
async function listenOnNextPort(emulator: Emulator, host: string, { stderr }: CliIo): Promise<void> {
  for (let port = DEFAULT_PORT; ; port++) {
    try {
      await emulator.listen(host, port);
    } catch (error) {
      const isBusy = error instanceof OptionsError && 'code' in error && error.code === 'EADDRINUSE';
      if (!isBusy || port === LAST_PORT) throw error;
      continue;
    }
    if (port === DEFAULT_PORT) return;
    const reason = await describeBusyPort(host, DEFAULT_PORT);
    stderr.write(`val-emulator: Port ${reason} Listening on port ${port} instead; choose one by --port.\n`);
    return;
  }
}

/** @throws Error for fixtures that are no files of the user */
function getWatchedPath(fixtures = 'default', generate?: object): string {
  if (generate === undefined && !builtInFixtures().includes(fixtures)) return fixtures;
  const found = generate === undefined ? `built-in fixtures "${fixtures}"` : 'generated data';
  return fail(`--watch: cannot watch ${found}. Use --fixtures with a file or folder of yours.`);
}

/** Milliseconds without a change that complete a save: editors write in several steps. */
const SAVE_DELAY_MS = 100;

/**
 * Calls back after each save of a file, or of the fixture files in a folder, also after it was deleted and came back.
 * @returns once the watcher is ready, what stops it
 */
async function watchFixtures(
  path: string,
  onSave: (path: string) => void,
  onError: (error: unknown) => void,
): Promise<AsyncDisposable> {
  const { watch } = await import('chokidar');
  const target = resolve(path);
  // Only its parent folder shows when the target is replaced or comes back.
  const parent = dirname(target);
  const isPart = (part: string) =>
    part === parent || part === target || (dirname(part) === target && isFixtureFile(basename(part)));
  const watcher = watch(parent, { depth: 1, ignoreInitial: true, ignored: (part) => !isPart(part) });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(onSave, SAVE_DELAY_MS, path);
  });
  watcher.on('error', onError);
  await once(watcher, 'ready');
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

const MAX_LISTED_USERS = 20;

function formatBanner(io: CliIo, { url, users }: Emulator): string {
  const { bold, cyan } = colorsFor(io);
  const listed = users.slice(0, MAX_LISTED_USERS);
  const width = Math.max(...listed.map(({ username, id }) => (username ?? id).length));
  return [
    `val-emulator listens on ${bold(url)}`,
    '',
    users.length > 0 ? 'Users and their tokens:' : 'These fixtures have no users.',
    ...listed.map(({ username, id, token }) => `  ${(username ?? id).padEnd(width)}  ${cyan(token)}`),
    ...(users.length > listed.length ? [`  and ${users.length - listed.length} more`] : []),
    '',
    ...(users[0] ? ['Try it:', `  ${formatCurl(url, users[0].token)}`, ''] : []),
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

/** Milliseconds that lines about requests wait for others: a write for each would halve the rate. */
const FLUSH_INTERVAL_MS = 20;

/** Prints a line for each request, several at once. */
class RequestLogger {
  readonly #io: CliIo;
  /** Returns a token for the hint after a 401. */
  readonly #findToken: () => string | undefined;
  #requests: RequestLog[] = [];

  constructor(io: CliIo, findToken: () => string | undefined) {
    this.#io = io;
    this.#findToken = findToken;
  }

  readonly add = (request: RequestLog): void => {
    if (this.#requests.length === 0) setTimeout(() => this.flush(), FLUSH_INTERVAL_MS);
    this.#requests.push(request);
  };

  flush(): void {
    const { dim } = colorsFor(this.#io);
    const lines = this.#requests.map(({ method, target, status, duration }) => {
      const token = status === 401 ? this.#findToken() : undefined;
      const hint = token === undefined ? '' : ` - needs a known token; try ${token}, or --auth lenient`;
      return `${method.padEnd(6)} ${target} ${colorStatus(this.#io, status)} ${dim(`${duration.toFixed(1)} ms${hint}`)}`;
    });
    this.#requests = [];
    if (lines.length > 0) printLine(this.#io, lines.join('\n'));
  }
}
