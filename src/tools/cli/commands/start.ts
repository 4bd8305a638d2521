import module from 'node:module';
import { dirname } from 'node:path';
import { countRecords, describeCounts } from '#engine/fixtures/export.js';
import { isModuleFile } from '#engine/fixtures/file-names.js';
import { runFixtureModule } from '#engine/fixtures/module.js';
import { describeBusyPort } from '#engine/http/address.js';
import { findDataFolder } from '#engine/http/parse-options.js';
import { DASHBOARD } from '#engine/http/paths.js';
import { hasCode, OptionsError } from '#engine/lib/errors.js';
import { formatCount } from '#engine/lib/text.js';
import { packageVersion } from '#engine/platform/package.js';
import type { Service } from '#engine/service.js';
import type { State } from '#engine/state/state.js';
import { formatBanner } from '../banner.js';
import { type CliIo, defineCommand, fail, type Input, switchFlag } from '../command.js';
import { confirmReseed } from '../data.js';
import { startFlags, toEmulatorOptions } from '../emulator-flags.js';
import { FixtureFile } from '../fixture-file.js';
import { formatReplacement, formatUndo, UNDO } from '../format-replacement.js';
import { intercept, interceptFlags, parseIntercept } from '../intercept.js';
import { openUrl, printError, printLine, quoteName } from '../io.js';
import { readKeys } from '../keys.js';
import { DEFAULT_PORT, LAST_PORT } from '../ports.js';
import { watchParents } from '../processes.js';
import { createProgress } from '../progress.js';
import { EventLogger, type LogFormat, RequestLogger } from '../request-log.js';
import { Shutdown } from '../shutdown.js';
import { type AnyEmulator, loadService, startService } from '../start-service.js';
import { surviveStrayErrors } from '../stray-errors.js';
import { FolderWatcher, watchFixtures } from '../watch.js';

export const start = defineCommand({
  variables: startFlags,
  configurable: startFlags,
  flags: {
    detach: switchFlag('Print one line of JSON when ready, and keep running in the background'),
    intercept: interceptFlags.intercept,
  },
  examples: {
    'val-emulator start': 'start on port 4010 with the default fixtures',
    'val-emulator start --detach': 'in a script; val-emulator stop ends it',
    'val-emulator start --fixtures ./demo.json --port 0': 'load your own data, on any free port',
    'val-emulator start --fixtures ./demo.json --watch': 'reload the file when it is saved',
    'val-emulator start --data ./demo': 'keep the data in a folder',
    'val-emulator start --store redis://127.0.0.1:6379/0': 'share the data with other emulators',
    'val-emulator start --session bug.ndjson --at r17': 'open a recorded session, as it was after r17',
  },
  epilogue:
    'It runs until Ctrl-C. In scripts use --detach, or val-emulator exec, which ends with its command.\nEach option has an environment variable as well: VAL_EMULATOR_PORT=4011.',
  /** Resolves after SIGINT or SIGTERM, to 1 if changes could not be kept. */
  async run(input, io) {
    if (input.detach) return await (await import('../detached.js')).startDetached(io);
    if (input.watch && input.service !== undefined) await (await import('../rerun-imports.js')).rerunImports();
    let ended = await serve(input, io, undefined);
    while (typeof ended !== 'number') ended = await serve(input, io, ended);
    return ended;
  },
});

/** A saved service that takes the place of the one that runs. */
interface Reload {
  readonly started: Awaited<ReturnType<typeof loadService>>;
  /** The port on which it listens. */
  readonly port: number;
}

type StartInput = Input<typeof startFlags> & Input<Pick<typeof interceptFlags, 'intercept'>>;

/** Runs an emulator until a signal. Resolves to the exit code, or to the service that is to run next. */
async function serve(
  {
    intercept: names,
    service: path,
    watch,
    yes,
    open,
    json,
    log,
    logControl,
    quiet,
    grace,
    drain,
    config,
    ...input
  }: StartInput,
  io: CliIo,
  reload: Reload | undefined,
): Promise<number | Reload> {
  // npm passes on a signal, but its end ends no server: the next one would find the port in use.
  const isOfNpm = io.env.npm_command !== undefined || io.env.npm_lifecycle_event !== undefined;
  const parents = isOfNpm ? io.findParents() : [];
  const interceptOptions = parseIntercept({ intercept: names, sandbox: undefined, only: false, strict: false });
  const load = (query?: string) =>
    loadService(path, toEmulatorOptions(input, io), interceptOptions && 'intercept', query);
  const started = reload?.started ?? (await load());
  const { service, options } = started;
  const { fixturesModule, session, store, reseed, host } = options;
  const port = reload?.port ?? options.port;
  const data = findDataFolder(options);
  const kept = data !== undefined ? 'data' : session !== undefined ? 'session' : undefined;
  if (kept && watch) fail(`--${kept}: cannot be used with --watch.`);
  await confirmReseed(io, { data, reseed, yes });
  const own = findOwnPath(options, service);
  const watched = watch
    ? (fixturesModule ?? own ?? (path === undefined ? assertFolders(options) : undefined))
    : undefined;
  const format = chooseLogFormat(log, json, quiet);
  const isText = !json && format !== 'json';
  const events = format === 'json' ? new EventLogger(io) : undefined;
  const progress = isText && !quiet ? createProgress(io) : undefined;
  // Undefined if every token is accepted.
  const findToken = (): string | undefined => (options.auth === 'strict' ? emulator.users[0]?.token : undefined);
  const logger =
    format === 'off'
      ? undefined
      : new RequestLogger(io, format, findToken, { names: interceptOptions?.names, control: logControl });
  const onError = events?.error ?? ((error: unknown) => printError(io, error, { json: !isText }));
  const warn = events?.warn ?? options.onWarning;
  const hasKeys = isText && io.isInteractive && io.stdout.isTTY === true;
  // Records of a folder would become a second source of its project.
  const isFile = !kept && !store && options.projects === undefined;
  const openFile = () => (hasKeys && own && isFile ? FixtureFile.open(own, service) : undefined);
  let file = openFile();
  let shutdown: Shutdown | undefined;
  let hasFailed = false;
  await using emulator = await startService(started, {
    ...(events && { onError: events.internalError, onWarning: events.warn }),
    onDataError: (error) => {
      onError(error);
      hasFailed = true;
      // Without its store an emulator has nothing to show.
      if (store?.startsWith('redis')) shutdown?.request();
    },
    ...(reload && { port }),
    listen: port !== undefined,
    onRequest: logger?.add,
    onProgress: ({ step, done, total, unit }) => progress?.show(step, done, total, unit),
  }).finally(() => progress?.stop());
  const reportStray = events?.stray ?? ((text: string) => void io.stderr.write(`val-emulator: ${text}\n`));
  using _stray =
    path === undefined ? undefined : surviveStrayErrors(() => emulator.pipeline.lastHandled?.name, reportStray);
  if (port === undefined) await listenOnNextPort(emulator, String(host), warn);
  await using _interception = interceptOptions && (await intercept(emulator, interceptOptions, io));
  using ending = new Shutdown(io, emulator);
  shutdown = ending;
  using _parents = watchParents(parents, io.findParents, () => {
    const advice = 'To keep one in the background: val-emulator start --detach.';
    warn(`The program that started the emulator has ended, so the emulator ends. ${advice}`);
    shutdown?.request();
  });
  // A server is often ended in a way that would keep nothing.
  Reflect.get(module, 'flushCompileCache')?.();
  const print = (line: string) => {
    logger?.flush();
    if (isText && !quiet) printLine(io, line);
  };
  let { seed } = emulator.meta;
  /** Waits for the reply to a question on the terminal, whose line nothing else continues. */
  let readAnswer = async (): Promise<unknown> => undefined;
  // An error in saved fixtures changes nothing.
  const onSave = async (path: string) => {
    try {
      if (path === own && file?.isOwnWrite) return;
      const next = openFile();
      const replaced = await emulator.reload(
        fixturesModule === undefined ? (options.fixtures ?? 'default') : await runFixtureModule(fixturesModule),
        UNDO,
      );
      file = next;
      ({ seed } = emulator.meta);
      await folders.follow(seed.folders.map((each) => each.path));
      const counts = countRecords(emulator.store.state);
      await readAnswer();
      logger?.flush();
      events?.info('reload', { fixtures: path, ...counts });
      if (isText) {
        const lost = replaced.commits > 0 ? ` ${formatUndo(url)}\n${formatReplacement(replaced)}` : '';
        printLine(io, `Reloaded ${quoteName(path)}: ${describeCounts(counts, seed.current.definitions)}.${lost}`);
      }
    } catch (error) {
      await readAnswer();
      onError(error);
      if (isText) io.stderr.write('Keeping the previously loaded data.\n');
    }
    progress?.stop();
  };
  await using folders = new FolderWatcher(onSave, onError);
  if (watch) await folders.follow(seed.folders.map((each) => each.path));
  await using _watcher = watched ? await watchFixtures(watched, onSave, onError) : undefined;
  let next: Reload | undefined;
  // An emulator that nothing uses shows what a start would refuse.
  const onServiceSave = async () => {
    try {
      const saved = await load(`again=${Date.now()}`);
      const { store: _, ...memory } = saved.options;
      await (await startService({ ...saved, options: memory }, { listen: false })).close();
      next = { started: saved, port: Number(new URL(emulator.url).port) };
      await readAnswer();
      ending.request();
    } catch (error) {
      await readAnswer();
      onError(error);
      if (isText) io.stderr.write('Keeping the previously loaded service and its data.\n');
    }
  };
  await using modules = new FolderWatcher(onServiceSave, onError, isModuleFile);
  if (watch && path !== undefined) await modules.follow([dirname(path)]);
  const { url, users } = emulator;
  const { pid } = process;
  // Without a control API there is no dashboard.
  const dashboard = options.control ? `${url}${DASHBOARD}` : undefined;
  const isKept = data !== undefined || store !== undefined;
  let written: State | undefined;
  const countLost = () => (isKept || emulator.store.state === written ? 0 : emulator.store.commits);
  const stop = hasKeys
    ? 'Press h to list the keys, Ctrl-C to stop.'
    : 'Press Ctrl-C to stop; in scripts use --detach, or exec.';
  const hosts = interceptOptions?.names.join(', ');
  if (reload) {
    const counts = countRecords(emulator.store.state);
    events?.info('reload', { service: path, ...counts });
    print(`Reloaded ${quoteName(path ?? '')}: ${describeCounts(counts, service.definitions)}.`);
  } else if (isText) printLine(io, formatBanner(io, emulator, { service, session, dashboard, config, hosts, stop }));
  // With --json alone or as well: this line has the tokens, which no line of a log has.
  const ready = { url, users, pid };
  if (json && !reload) printLine(io, JSON.stringify(ready));
  if (!reload) io.send?.({ ...ready, instance: emulator.pipeline.process.instance });
  events?.info('start', { url, pid, version: packageVersion() });
  const openPage = () => {
    printLine(io, dashboard ?? url);
    openUrl(io, dashboard ?? url);
  };
  const onWritten = (state: State) => {
    written = state;
  };
  // Other seed data would replace the records of the file.
  const findFile = () => (emulator.meta.seed === seed ? file : undefined);
  const actions = { open: openPage, stop: shutdown.request, countLost, onWritten, findFile };
  using keys = hasKeys ? readKeys(io, emulator, actions) : undefined;
  readAnswer = async () => await keys?.answered;
  if (open && !reload) openUrl(io, dashboard ?? url);
  await shutdown.requested;
  logger?.flush();
  if (!next) events?.info('stopping');
  await shutdown.close(io, { drain: next ? 0 : drain, grace });
  logger?.flush();
  if (next) return next;
  const lost = countLost();
  if (lost > 0) (events?.warn ?? print)(`${formatCount(lost, 'change')} not kept (start --data FOLDER keeps them).`);
  events?.info('stop');
  const code = hasFailed ? 1 : 0;
  await shutdown.flush(io, code);
  return code;
}

/**
 * Listens on the default port, or on the next free one, and then warns.
 * @throws OptionsError if none of them is free
 */
async function listenOnNextPort(emulator: AnyEmulator, host: string, warn: (message: string) => void): Promise<void> {
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
    const hint = `Other commands reach it by VAL_EMULATOR_URL=${emulator.url}, or --url.`;
    warn(`Port ${reason} Listening on port ${port} instead; choose one by --port. ${hint}`);
    return;
  }
}

/** @throws CliError for text within the output of `--json` */
function chooseLogFormat(log: LogFormat | undefined, json: boolean, quiet: boolean) {
  if (quiet) return 'off';
  if (json && log === 'text') fail('--log: found "text"; expected "json" or "off" with --json.');
  return log ?? (json ? 'off' : 'text');
}

type Source = Pick<ReturnType<typeof toEmulatorOptions>, 'fixtures' | 'fixturesModule' | 'generate' | 'projects'>;

/** Returns the path of fixtures that are files of the user, undefined for others. */
const findOwnPath = (
  { fixtures = 'default', fixturesModule, generate }: Source,
  { definitions: { datasets } }: Service,
): string | undefined =>
  fixturesModule === undefined && generate === undefined && !datasets.names.includes(fixtures) ? fixtures : undefined;

/** @throws CliError without a folder of `--project` that is read again with built-in fixtures */
function assertFolders({ fixtures = 'default', fixturesModule, generate, projects }: Source): undefined {
  if (projects !== undefined && generate === undefined) return undefined;
  const builtIn = generate === undefined ? `built-in fixtures "${fixtures}"` : 'generated data';
  const found = fixturesModule === undefined ? builtIn : `the module ${quoteName(fixturesModule)}`;
  return fail(`--watch: cannot watch ${found}. Use --fixtures with a file or folder of yours, or --project.`);
}
