import { randomUUID } from 'node:crypto';
import type { ClusterStorage } from '#cluster/storage.js';
import type { Engine } from '#engine/api/route.js';
import { Router } from '#engine/api/router.js';
import { DefinitionError } from '#engine/definition/service-errors.js';
import { countRecords } from '#engine/fixtures/export.js';
import { runFixtureModule } from '#engine/fixtures/module.js';
import type { FixtureModule, FixtureSource } from '#engine/fixtures/source.js';
import { createApp, type EmulatorApp } from '#engine/http/app.js';
import * as lateFetch from '#engine/http/fetch.js';
import { createListener, type ListeningServer, listen } from '#engine/http/node.js';
import { type EngineOptions, type ParsedOptions, parseOptions } from '#engine/http/parse-options.js';
import { Pipeline, systemTime } from '#engine/http/pipeline.js';
import { runInSlices } from '#engine/http/slices.js';
import { Journal, JournalMemory } from '#engine/journal/journal.js';
import { formatValue } from '#engine/lib/messages.js';
import { onceFor } from '#engine/lib/once.js';
import { finish } from '#engine/lib/steps.js';
import type { DataFolder } from '#engine/persistence/data-folder.js';
import type { SeedInfo } from '#engine/persistence/lines.js';
import type { SeedData, StoredSandbox } from '#engine/persistence/storage.js';
import { atCaller, showCallers } from '#engine/platform/caller-stack.js';
import type { ForkScore, ForkScoreOptions, ForksOptions } from '#engine/sandbox/forks.js';
import * as lateForks from '#engine/sandbox/forks.js';
import type { Replacement } from '#engine/sandbox/replacement.js';
import * as lateReplacement from '#engine/sandbox/replacement.js';
import { Sandbox, type SandboxInit, type SandboxOf } from '#engine/sandbox/sandbox.js';
import type { SandboxRecord } from '#engine/sandbox/sandbox-record.js';
import { type OpenOptions, Sandboxes } from '#engine/sandbox/sandboxes.js';
import { Seed } from '#engine/sandbox/seed.js';
import { SeedLoader } from '#engine/sandbox/seed-loader.js';
import type { SandboxTypes } from '#engine/sandbox/types.js';
import { isService, type Service } from '#engine/service.js';
import { prepareIndexes, type State } from '#engine/state/state.js';

/** Emulators of a service share its router. */
const getRouter = onceFor((service: Service) => new Router(service.routes, service.tools, service.surfaces));

/**
 * Starts an emulator of a service. Resolves once it responds at its `url`.
 * @throws DefinitionError for a value that is not a service
 * @throws OptionsError for an unknown option or a wrong value
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws DataError for a data folder or a session that cannot be used, a folder in use, and damaged data
 * @throws OptionsError with `code: 'EADDRINUSE'` when the port is in use; it says whether by a val-emulator
 */
export const createEngine = <T extends SandboxTypes>(
  given: Service<T>,
  options: EngineOptions & { readonly generate?: object | undefined } = {},
): Promise<EngineOf<T>> => atCaller(createEngine, () => openEngine(given, options));

async function openEngine<T extends SandboxTypes>(
  given: Service<T>,
  options: EngineOptions & { readonly generate?: object | undefined },
): Promise<EngineOf<T>> {
  if (!isService(given)) {
    const message = `found ${formatValue(given)}; expected a service, as defineService of this package returns it.`;
    throw new DefinitionError('createEngine', [{ path: 'service', message }]);
  }
  const parsed = parseOptions(given, options);
  const { service, session, sessionAt, journal } = parsed;
  // Imported late: it loads Ajv, which nothing else needs at run time.
  const validators = parsed.validateResponses ? await import('#engine/http/response-validator.js') : undefined;
  const folder = await openFolder(parsed);
  const cluster = await openCluster(parsed);
  const storage = folder ?? cluster;
  const engine = service.openEngine?.();
  try {
    const now = cluster?.now ?? parsed.timers?.now ?? systemTime;
    const loader = new SeedLoader(parsed, now);
    const opened =
      session === undefined
        ? parsed.stored && [parsed.stored]
        : [(await import('#engine/session/open-session.js')).openSession(session, service.definitions, sessionAt)];
    const stored = toInits(opened ?? (await storage?.load()) ?? []);
    const module = parsed.fixturesModule === undefined ? undefined : await runFixtureModule(parsed.fixturesModule);
    const source = options.generate ? { generate: options.generate } : (module ?? options.fixtures);
    const [first = { name: '', seed: await loader.open(source ?? parsed.fixtures) }, ...others] = stored;
    for (const { seed, contents } of [first, ...others]) await prepare(contents?.state ?? seed.current);
    const router = getRouter(service);
    const memory = journal ? new JournalMemory() : undefined;
    const extendSandbox = (sandbox: Sandbox) => showCallers<T['members']>(service.extendSandbox(sandbox, engine));
    const sandboxes: Sandboxes<T> = new Sandboxes({
      extendSandbox,
      ...{ loader, router, storage, systemTime: now, limit: parsed.maxSandboxes, idle: parsed.sandboxIdle },
      createJournal: (...args) => cluster?.createJournal(memory, ...args) ?? new Journal(memory, ...args),
      createFetch: (sandbox, base) => lateFetch.createFetch(pipeline, sandbox, base),
      async makeTest(sandbox, test) {
        const { makeTest } = await import('#engine/make-test/index.js');
        return await makeTest(sandbox, sandbox.now, test, { service, start: (others) => startQuietly(given, others) });
      },
      url: () => made.url,
    });
    const pipeline = new Pipeline({
      ...parsed,
      ...{
        router,
        sandboxes,
        storage,
        engine,
        systemTime: now,
        validateResponse: validators?.validateResponse,
      },
      // The address that the emulator listens on is one of its names.
      allowedHosts: [...parsed.allowedHosts, parsed.host.toLowerCase()],
    });
    const isOpened = stored.length > 0;
    const hasOtherSeed =
      folder !== undefined &&
      isOpened &&
      (source !== undefined || loader.addsRecords) &&
      !loader.isFrom(first.seed.info, source ?? parsed.fixtures);
    const found = storage && { path: storage.path, isOpened, hasOtherSeed, torn: folder?.torn ?? 0 };
    const made = new Emulator<T>(first, { service, sandboxes, pipeline, engine, folder, cluster, found });
    const emulator = Object.assign(made, extendSandbox(made));
    await sandboxes.begin(emulator, isOpened ? others : undefined);
    await cluster?.join(sandboxes, pipeline);
    if (parsed.chaos) emulator.chaos(parsed.chaos);
    if (parsed.listen) await emulator.listen(parsed.host, parsed.port, parsed.secondPort);
    return emulator;
  } catch (error) {
    engine?.close();
    await storage?.close();
    throw error;
  }
}

/** Starts another emulator in this process. A request may fail as it did when it was recorded. */
const startQuietly = <T extends SandboxTypes>(service: Service<T>, options: object): Promise<EngineOf<T>> =>
  createEngine(service, { ...options, listen: false, onError: () => {}, onWarning: () => {} });

/** Records of a state above which a request would wait long for the first use of an index. */
const MANY_RECORDS = 20_000;

/** Builds the indexes of a large state before requests arrive. */
async function prepare(state: State): Promise<void> {
  const count = Object.values(countRecords(state)).reduce((sum, size) => sum + size, 0);
  if (count > MANY_RECORDS) await runInSlices(prepareIndexes(state));
}

/** Opens the data folder of an emulator. Undefined without one. */
async function openFolder(options: ParsedOptions): Promise<DataFolder | undefined> {
  const { data, dataSync: sync, dataGrowth: growth, dataLock: lockTimes, dataDisk: disk, timers } = options;
  const { service, keepJournal, reseed, onDataError: onFailure } = options;
  const { idSeed: _, rateLimit, ...others } = options.settings;
  if (data === undefined) return undefined;
  const settings = { ...others, ...(rateLimit && { rateLimit }) };
  // Imported late: without a data folder, no code that writes is loaded.
  const { DataFolder } = await import('#engine/persistence/data-folder.js');
  return DataFolder.open(data, {
    ...{ definitions: service.definitions, settings, sync, onFailure, growth, lockTimes, disk, timers },
    ...{ keepJournal, reseed, systemTime: timers?.now ?? systemTime },
  });
}

/** Opens the store that an emulator shares with others. Undefined without one. */
async function openCluster(options: ParsedOptions): Promise<ClusterStorage | undefined> {
  const { store: url, storePrefix: prefix, storeGrowth: growth, storeClient: createClient, timers, reads } = options;
  const { service, onDataError: onFailure, onWarning } = options;
  const { idSeed: _, ...settings } = options.settings;
  if (url === undefined) return undefined;
  // Imported late: without a shared store, no client of Redis is loaded.
  const { ClusterStorage } = await import('#cluster/storage.js');
  const { definitions } = service;
  const localReads = reads === 'local';
  const internal = { growth, createClient, timers };
  return ClusterStorage.open({ ...internal, url, prefix, definitions, localReads, settings, onFailure, onWarning });
}

/** Sandboxes that began with the same seed share it. */
function toInits(stored: readonly StoredSandbox[]): SandboxInit[] {
  const seeds = new Map<SeedData, Seed>();
  for (const { seed } of stored) seeds.set(seed, seeds.get(seed) ?? Seed.withFixedTimes(seed));
  return stored.map(({ seed, ...others }) => ({ ...others, seed: seeds.get(seed) ?? Seed.withFixedTimes(seed) }));
}

/** Used with `listen: false`. Links need a base URL; nothing listens there. */
const NOT_LISTENING: ListeningServer = {
  url: 'http://localhost',
  startClosing: () => {},
  close: async () => {},
  unref: () => {},
};

/** Makes one server of two, with the address of the first. */
const joinServers = (first: ListeningServer, second: ListeningServer): ListeningServer => ({
  url: first.url,
  startClosing() {
    first.startClosing();
    second.startClosing();
  },
  async close(grace) {
    await Promise.all([first.close(grace), second.close(grace)]);
  },
  unref() {
    first.unref();
    second.unref();
  },
});

/** What a data folder, or a shared store, had when it was opened. */
export interface DataStatus {
  /** Path of the folder, or address of the store. */
  readonly path: string;
  /** Whether it had data; otherwise it begins with the seed data. */
  readonly isOpened: boolean;
  /** The seed data to which a reset goes back. */
  readonly seed: SeedInfo;
  /** Whether fixtures or options of the generator were given that differ from the stored seed data. */
  readonly hasOtherSeed: boolean;
  /** Bytes of an incomplete write, which were skipped. */
  readonly torn: number;
}

interface EmulatorParts<T extends SandboxTypes> {
  readonly sandboxes: Sandboxes<T>;
  readonly pipeline: Pipeline;
  readonly service: Service;
  readonly engine: Engine | undefined;
  readonly folder: DataFolder | undefined;
  readonly cluster: ClusterStorage | undefined;
  readonly found: Omit<DataStatus, 'seed'> | undefined;
}

/** A running emulator with the methods that its service adds. */
export type EngineOf<T extends SandboxTypes> = Emulator<T> & T['members'];

/** A running emulator. It is also its default sandbox, for requests that name none. */
class Emulator<T extends SandboxTypes = SandboxTypes> extends Sandbox<T> {
  static {
    showCallers(Emulator.prototype);
  }

  /** @internal */
  readonly pipeline: Pipeline;
  /** The emulator as an Express application, to mount in a host application, to add routes to, or for supertest. */
  readonly app: EmulatorApp;
  readonly #parts: EmulatorParts<T>;
  #server = NOT_LISTENING;

  /** @internal Use {@link createEmulator}. */
  constructor(init: SandboxInit, parts: EmulatorParts<T>) {
    super(init, parts.sandboxes.host);
    this.#parts = parts;
    this.pipeline = parts.pipeline;
    this.app = createApp(
      this.pipeline,
      [
        ...parts.service.routes,
        ...(parts.service.surfaces ?? []),
        ...(parts.service.tools ? [parts.service.tools] : []),
      ],
      createListener(this.pipeline),
      async (request, response, client) => {
        const { respondToMcp } = await import('#engine/mcp/control-http.js');
        await respondToMcp(request, response, { ...client, service: parts.service, fetch: this.fetch });
      },
    );
    // For test runners: `afterEach(emulator.reset)`.
    this.reset = this.reset.bind(this);
    this.clearRequests = this.clearRequests.bind(this);
  }

  /** @internal */
  async listen(host: string, port: number, secondPort?: number): Promise<void> {
    const first = await listen(this.app, host, port);
    this.#server = first;
    if (secondPort === undefined) return;
    const second = await listen(this.app, host, secondPort).catch(async (error) => {
      await first.close(0);
      throw error;
    });
    this.#server = joinServers(first, second);
  }

  /** The base URL of the emulator. */
  override get url(): string {
    return this.#server.url;
  }

  /**
   * Finds a sandbox, or creates it with the emulator's seed.
   * @param name 1–64 of `A–Z a–z 0–9 . _ -`; default: a new one
   * @param options.keep whether the data folder keeps it from now on. Default: false
   * @param options.owner who a new sandbox is for, such as a CI job: 1 to 100 characters. Default: none
   * @throws ApiError for an invalid name, and when the limit `maxSandboxes` is reached
   * @throws OptionsError for `keep` without a data folder, and for an invalid owner
   */
  sandbox(name?: string, options?: OpenOptions): SandboxOf<T> {
    return this.#parts.sandboxes.open(name, options);
  }

  /** What the data folder had when it was opened. Undefined without one. */
  get data(): DataStatus | undefined {
    const { found } = this.#parts;
    return found && { ...found, seed: this.meta.seed.info };
  }

  /** Resolves once all changes so far are in the data folder. Without one, at once. @throws ApiError if they cannot be */
  async saved(): Promise<void> {
    const { folder, cluster } = this.#parts;
    await (cluster ? cluster.run(() => {}) : folder?.synced());
  }

  /** Returns the sandboxes other than the default one, each with its last use and the size of its journal. */
  sandboxes(): SandboxRecord[] {
    return this.#parts.sandboxes.list(this.url);
  }

  /**
   * Opens sandboxes from a state, each with the snapshot `fork` of it; none if not all have room.
   * @throws OptionsError for wrong options, ApiError at the limit `maxSandboxes`, and what `diff` throws for `from`
   */
  forks(count: number, options: ForksOptions = {}): SandboxOf<T>[] {
    return finish(lateForks.openForks(this.#parts.sandboxes, this, { ...options, count }, true, randomUUID));
  }

  /**
   * Scores sandboxes of {@link forks} against an expected difference from their snapshot `fork`, and closes them.
   * @throws NotFoundError for one that was closed, otherwise as `score` does; none is closed then. One that has expired scores 0
   */
  scoreForks(forks: readonly { readonly name: string }[], options: ForkScoreOptions = {}): ForkScore[] {
    const names = lateForks.listSandboxNames(forks);
    return finish(lateForks.scoreForks(this.#parts.sandboxes, names, options, true));
  }

  /** Closes the sandboxes whose name begins with a prefix, and returns their number. @param prefix default: all */
  closeSandboxes(prefix?: string): number {
    return this.#parts.sandboxes.closeAll(prefix);
  }

  /**
   * @internal Reseeds the default sandbox. Other sandboxes keep their data; those that began with the same seed reset to
   * the new one.
   * @param undo name of the snapshot of a state to which something was written. Default: none is taken
   * @throws FixtureError; nothing has changed then
   */
  async reload(fixtures: FixtureSource | FixtureModule, undo?: string): Promise<Replacement> {
    const replaced = await this.change(() => this.#parts.sandboxes.reload(fixtures, undo));
    return finish(lateReplacement.summarizeReplacement(replaced));
  }

  /** @internal Whether other emulators change the same sandboxes. */
  get isShared(): boolean {
    return this.#parts.cluster !== undefined;
  }

  /** @internal Runs a change until it is durable, several times if other emulators change the same sandboxes. */
  async change<T>(change: () => T): Promise<T> {
    const { folder, cluster } = this.#parts;
    if (cluster) return cluster.run(change);
    const result = change();
    await folder?.saved();
    return result;
  }

  /** @internal Reports from now on that the emulator is not ready. It still responds, once per connection. */
  startClosing(): void {
    this.pipeline.startClosing();
    this.#server.startClosing();
  }

  /**
   * Keeps the process alive no longer: it ends when nothing else is left to do, and the emulator with it. Returns the emulator.
   * Changes that a data folder syncs later may be lost then; `saved()` resolves once they are in it.
   */
  unref(): this {
    this.#server.unref();
    return this;
  }

  /**
   * Closes the server, all connections and the data folder. Idempotent: a second call without `grace` ends one with it.
   * @param options.grace milliseconds that active requests have to end, delayed responses included. Default: 0
   */
  override async close({ grace = 0 }: { readonly grace?: number } = {}): Promise<void> {
    const { engine, folder, cluster } = this.#parts;
    this.pipeline.close();
    await this.#server.close(grace);
    engine?.close();
    await folder?.close();
    await cluster?.close();
  }
}
