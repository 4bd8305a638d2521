import { once } from 'node:events';
import module from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { createEmulator, type Emulator } from '../../emulator.js';
import { countRecords, describeCounts } from '../../fixtures/export.js';
import { builtInFixtures, isFixtureFile } from '../../fixtures/read.js';
import { hasCode, OptionsError } from '../../lib/errors.js';
import { formatCurl } from '../../lib/messages.js';
import { packageVersion } from '../../lib/package.js';
import type { StateStore } from '../../model/state.js';
import { ADVANCED } from '../../options/schema.js';
import { findDataFolder } from '../../options.js';
import { describeBusyPort } from '../../server/address.js';
import { DASHBOARD } from '../../server/paths.js';
import { type CliIo, defineCommand, type Flags, fail, flag, jsonFlag, parseTime, switchFlag } from '../command.js';
import { confirmReseed, describeData, yesFlag } from '../data.js';
import { dataFlags, emulatorFlags, toEmulatorOptions } from '../emulator-flags.js';
import { colorsFor, openProgressBar, openUrl, printError, printLine, quoteName } from '../io.js';
import { readKeys } from '../keys.js';
import { EventLogger, LOG_FORMATS, RequestLogger } from '../request-log.js';
import { Shutdown } from '../shutdown.js';

const DEFAULT_PORT = 4010;
/** The last port that is tried if none is chosen. */
const LAST_PORT = 4019;

export const startFlags = {
  ...emulatorFlags,
  ...dataFlags,
  port: { ...emulatorFlags.port, defaultDescription: `${DEFAULT_PORT}, or the next free one` },
  yes: yesFlag,
  watch: switchFlag('Reload the fixtures when they are saved'),
  save: switchFlag('Save changes to the fixtures: one file of yours, which is rewritten'),
  open: switchFlag('Open the dashboard in the browser'),
  json: jsonFlag('one line when ready'),
  log: { ...flag('Format of the line per request (default: text, off with --json)'), choices: LOG_FORMATS },
  quiet: { ...switchFlag('Do not log requests: --log off'), alias: 'q' },
  grace: { ...ADVANCED, ...flag('Time for active requests after a signal'), default: '5s', coerce: parseTime('grace') },
  drain: {
    ...ADVANCED,
    ...flag('Time after a signal in which it accepts requests, but is not ready'),
    default: '0',
    coerce: parseTime('drain'),
  },
  config: flag('Config file (default: the nearest val-emulator.config.json), or --no-config'),
} as const satisfies Flags;

export const start = defineCommand({
  variables: startFlags,
  configurable: startFlags,
  examples: {
    'val-emulator start': 'start on port 4010 with the default fixtures',
    'val-emulator start --fixtures ./demo.json --port 0': 'load your own data, on any free port',
    'val-emulator start --fixtures ./demo.json --watch': 'reload the file when it is saved',
    'val-emulator start --fixtures ./demo.json --save': 'save changes to the file',
    'val-emulator start --data ./demo': 'keep the data in a folder',
    'val-emulator start --store redis://127.0.0.1:6379/0': 'share the data with other emulators',
    'val-emulator start --session bug.ndjson --at r17': 'open a recorded session, as it was after r17',
  },
  epilogue: 'Each option has an environment variable as well: VAL_EMULATOR_PORT=4011.',
  /** Resolves after SIGINT or SIGTERM, to 1 if changes could not be kept. */
  async run({ watch, save, yes, open, json, log, quiet, grace, drain, config, ...input }, io) {
    const options = toEmulatorOptions(input, io);
    const { fixtures, generate, session, store, reseed, port, host } = options;
    const data = findDataFolder(options);
    const kept = data !== undefined ? 'data' : session !== undefined ? 'session' : undefined;
    if (store !== undefined && save) fail('--store: cannot be used with --save.');
    if (kept && (watch || save)) fail(`--${kept}: cannot be used with --${watch ? 'watch' : 'save'}.`);
    await confirmReseed(io, { data, reseed, yes });
    const own = findOwnPath(fixtures, generate);
    const watched = watch ? (own ?? failOwnPath('--watch: cannot watch', fixtures, generate)) : undefined;
    const saved = save ? (own ?? failOwnPath('--save: cannot save', fixtures, generate)) : undefined;
    const saving = saved === undefined ? undefined : await import('../save.js');
    const savedFile = saved === undefined ? undefined : saving?.findSavedFile(saved);
    const mayBeLarge = fixtures !== undefined || generate !== undefined;
    const format = chooseLogFormat(log, json, quiet);
    const isText = !json && format !== 'json';
    const events = format === 'json' ? new EventLogger(io) : undefined;
    const bar = mayBeLarge && isText && !quiet ? await openProgressBar(io) : undefined;
    // Undefined if every token is accepted.
    const findToken = (): string | undefined => (options.auth === 'strict' ? emulator.users[0]?.token : undefined);
    const logger = format === 'off' ? undefined : new RequestLogger(io, format, findToken);
    const onError = events?.error ?? ((error: unknown) => printError(io, error, { json: !isText }));
    let shutdown: Shutdown | undefined;
    let hasFailed = false;
    await using emulator = await createEmulator({
      ...options,
      ...(events && { onError: events.internalError, onWarning: events.warn }),
      onDataError: (error) => {
        onError(error);
        hasFailed = true;
        // Without its store an emulator has nothing to show.
        if (store?.startsWith('redis')) shutdown?.request();
      },
      listen: port !== undefined,
      onRequest: logger?.add,
      onProgress: ({ step, fraction }) => bar?.show(step, fraction, 1),
    }).finally(() => bar?.stop());
    if (port === undefined) await listenOnNextPort(emulator, String(host), events?.warn ?? options.onWarning);
    shutdown = new Shutdown(io, emulator);
    // A server is often ended in a way that would keep nothing.
    Reflect.get(module, 'flushCompileCache')?.();
    const print = (line: string) => {
      logger?.flush();
      if (isText && !quiet) printLine(io, line);
    };
    const output = { print, printError: onError };
    const saver = savedFile && saving ? new saving.Saver(savedFile, emulator, output) : undefined;
    // An error in saved fixtures changes nothing.
    const onSave = async (path: string) => {
      try {
        if (await saver?.isCurrent()) return;
        await saver?.keepAside();
        await emulator.reload(path);
        saver?.reopen();
        const counts = countRecords(emulator.store.state);
        logger?.flush();
        events?.info('reload', { fixtures: path, ...counts });
        if (isText) printLine(io, `Reloaded ${quoteName(path)}: ${describeCounts(counts)}.`);
      } catch (error) {
        onError(error);
        if (isText) io.stderr.write('Keeping the previously loaded data.\n');
      }
      bar?.stop();
    };
    await using _watcher = watched ? await watchFixtures(watched, onSave, onError) : undefined;
    const { url, users } = emulator;
    const hasKeys = isText && io.isInteractive && io.stdout.isTTY === true;
    // Without a control API there is no dashboard.
    const dashboard = options.control ? `${url}${DASHBOARD}` : undefined;
    const openPage = () => {
      printLine(io, dashboard ?? url);
      openUrl(io, dashboard ?? url);
    };
    const banner = {
      session,
      dashboard,
      config,
      saved: savedFile,
      stop: hasKeys ? 'Press h to list the keys, Ctrl-C to stop.' : 'Press Ctrl-C to stop.',
    };
    const { pid } = process;
    if (isText) printLine(io, formatBanner(io, emulator, banner));
    // With --json alone or as well: this line has the tokens, which no line of a log has.
    if (json) printLine(io, JSON.stringify({ url, users, pid }));
    events?.info('start', { url, pid, version: packageVersion() });
    using _keys = hasKeys ? readKeys(io, emulator, openPage, shutdown.request) : undefined;
    if (open) openUrl(io, dashboard ?? url);
    await shutdown.requested;
    logger?.flush();
    events?.info('stopping');
    await shutdown.close(io, { drain, grace });
    logger?.flush();
    const isSaved = await saver?.finish();
    const isKept = saver !== undefined || data !== undefined || store !== undefined;
    const loss = isKept ? undefined : describeLoss(emulator.store, own !== undefined);
    if (loss !== undefined) (events?.warn ?? print)(loss);
    events?.info('stop');
    const code = isSaved === false || hasFailed ? 1 : 0;
    await shutdown.flush(io, code);
    return code;
  },
});

/**
 * Listens on the default port, or on the next free one, and then warns.
 * @throws OptionsError if none of them is free
 */
async function listenOnNextPort(emulator: Emulator, host: string, warn: (message: string) => void): Promise<void> {
  for (let port = DEFAULT_PORT; ; port++) {
    try {
      await emulator.listen(host, port);
    } catch (error) {
      const isBusy = error instanceof OptionsError && hasCode(error, 'EADDRINUSE');
      if (!isBusy || port === LAST_PORT) throw error;
      continue;
    }
    if (port === DEFAULT_PORT) return;
    const reason = await describeBusyPort(host, DEFAULT_PORT);
    warn(`Port ${reason} Listening on port ${port} instead; choose one by --port.`);
    return;
  }
}

/** @throws CliError for text within the output of `--json` */
function chooseLogFormat(log: (typeof LOG_FORMATS)[number] | undefined, json: boolean, quiet: boolean) {
  if (quiet) return 'off';
  if (json && log === 'text') fail('--log: found "text"; expected "json" or "off" with --json.');
  return log ?? (json ? 'off' : 'text');
}

/** Describes changes that end with the program, undefined for none. @param isOwn whether the fixtures are files of the user */
function describeLoss({ commits }: StateStore, isOwn: boolean): string | undefined {
  if (commits === 0) return undefined;
  const count = `${commits} ${commits === 1 ? 'change was' : 'changes were'}`;
  return `${count} not kept (${isOwn ? '--save keeps them' : 'val-emulator state --out demo.json keeps them'}).`;
}

/** Returns the path of fixtures that are files of the user, undefined for others. */
const findOwnPath = (fixtures = 'default', generate?: object): string | undefined =>
  generate === undefined && !builtInFixtures().includes(fixtures) ? fixtures : undefined;

function failOwnPath(problem: string, fixtures = 'default', generate?: object): never {
  const found = generate === undefined ? `built-in fixtures "${fixtures}"` : 'generated data';
  const advice = problem.startsWith('--save') ? ' val-emulator generate --out demo.json writes one.' : '';
  return fail(`${problem} ${found}. Use --fixtures with a file or folder of yours.${advice}`);
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

interface BannerTexts {
  /** Address of the dashboard, if there is one. */
  readonly dashboard: string | undefined;
  /** Path of the config file in use. */
  readonly config: string | undefined;
  /** Path of the session that was opened. */
  readonly session: string | undefined;
  /** Path of the fixtures that changes are saved to. */
  readonly saved: string | undefined;
  readonly stop: string;
}

function formatBanner(io: CliIo, emulator: Emulator, { session, dashboard, config, saved, stop }: BannerTexts): string {
  const { bold, cyan } = colorsFor(io);
  const { url, users } = emulator;
  const listed = users.slice(0, MAX_LISTED_USERS);
  const width = Math.max(...listed.map(({ username, id }) => (username ?? id).length));
  return [
    ...describeData(emulator, session),
    `val-emulator listens on ${bold(url)}`,
    ...(dashboard ? [`Dashboard: ${cyan(dashboard)}`] : []),
    ...(config ? [`Options from ${config}`] : []),
    ...(saved ? [`Changes are saved to ${quoteName(saved)}`] : []),
    '',
    users.length > 0 ? 'Users and their tokens:' : 'These fixtures have no users.',
    ...listed.map(({ username, id, token }) => `  ${(username ?? id).padEnd(width)}  ${cyan(token)}`),
    ...(users.length > listed.length ? [`  and ${users.length - listed.length} more`] : []),
    '',
    ...(users[0] ? ['Try it:', `  ${formatCurl(url, users[0].token)}`, ''] : []),
    stop,
    '',
  ].join('\n');
}
