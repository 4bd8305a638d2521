import type { ValidateResponse } from './api/response-validator.js';
import { Router } from './api/router.js';
import { ConnectedSandbox } from './connected-sandbox.js';
import type { Beginning } from './data-storage.js';
import { type EmulatorStorage, openStorage } from './emulator-storage.js';
import type { exportState } from './fixtures/export.js';
import type { ExportedFixtures, ExportOptions } from './fixtures/export-options.js';
import type { FixtureSource } from './fixtures/read.js';
import { JournalMemory } from './journal/journal-memory.js';
import { openSession } from './opened-session.js';
import { type EmulatorOptions, type ParsedOptions, parseOptions } from './options.js';
import { selectRoutes } from './routes/index.js';
import { findNotImplemented } from './routes/not-implemented.js';
import type { Sandbox, SandboxDeps } from './sandbox/sandbox.js';
import { type OpenOptions, Sandboxes, type SandboxRecord } from './sandbox/sandboxes.js';
import { type GeneratedSource, SeedLoader } from './sandbox/seed-loader.js';
import type { DataStatus } from './sandbox/storage.js';
import { createApp, type EmulatorApp } from './server/app.js';
import { type CreateFetch, makeFetchFactory } from './server/fetch.js';
import { createListener, type ListeningServer, listen } from './server/node.js';
import { Pipeline } from './server/pipeline.js';

/**
 * Starts an emulator of the vals API. Resolves once it responds at its `url`.
 * @throws OptionsError for an unknown option or a wrong value
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws DataError for a data folder or a session that cannot be used, a folder in use, and damaged data
 * @throws OptionsError with `code: 'EADDRINUSE'` when the port is in use; it says whether by a val-emulator
 */
export async function createEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const parsed = parseOptions(options);
  let storage: EmulatorStorage<ConnectedSandbox> | undefined;
  const loader = new SeedLoader(parsed, () => storage?.now?.() ?? systemTime());
  // Imported late: it loads Ajv, which nothing else needs at run time.
  const validators = parsed.validateResponses ? await import('./api/response-validator.js') : undefined;
  const source = options?.generate ? { generate: options.generate } : options?.fixtures;
  storage = await openStorage(parsed, loader, source, systemTime);
  try {
    const [first, ...others] = parsed.session === undefined ? (storage?.beginnings ?? []) : [openSession(parsed)];
    const beginning = first ?? { name: '', seed: await loader.open(source ?? parsed.fixtures) };
    const emulator = new Emulator(beginning, loader, parsed, storage, validators?.validateResponse);
    await emulator.resume(others);
    if (parsed.listen) await emulator.listen(parsed.host, parsed.port);
    return emulator;
  } catch (error) {
    await storage?.close();
    throw error;
  }
}

/** Looks up `Date` at each call, since fake timers replace it. */
const systemTime = () => Date.now();

/** Used with `listen: false`. Links need a base URL; nothing listens there. */
const NOT_LISTENING: ListeningServer = { url: 'http://localhost', startClosing: () => {}, close: async () => {} };

/** The public members of a sandbox, which an emulator has for its default sandbox. */
export type SandboxApi = Omit<
  ConnectedSandbox,
  | 'addRecord'
  | 'addRecords'
  | 'closed'
  | 'createdAt'
  | 'isKept'
  | 'lastUse'
  | 'observed'
  | 'journal'
  | 'touch'
  | 'owner'
  | 'regenerate'
  | 'seed'
  | 'show'
  | 'store'
  | 'update'
>;

/** A running emulator. Its sandbox members act on the default sandbox, that of requests which name none. */
export class Emulator implements SandboxApi {
  /** @internal */
  readonly defaultSandbox: ConnectedSandbox;
  /** @internal */
  readonly pipeline: Pipeline;
  /** @internal */
  readonly createFetch: CreateFetch;
  /** The emulator as an Express application, to mount in a host application, to add routes to, or for supertest. */
  readonly app: EmulatorApp;
  readonly name: SandboxApi['name'];
  readonly clock: SandboxApi['clock'];
  readonly add: SandboxApi['add'];
  readonly rateLimit: SandboxApi['rateLimit'];
  readonly fetch: SandboxApi['fetch'];
  readonly headers: SandboxApi['headers'];
  readonly #sandboxes: Sandboxes<ConnectedSandbox>;
  readonly #storage: EmulatorStorage<ConnectedSandbox> | undefined;
  readonly #deps: SandboxDeps;
  #server = NOT_LISTENING;

  /** @internal Use {@link createEmulator}. */
  constructor(
    beginning: Beginning,
    loader: SeedLoader,
    options: ParsedOptions,
    storage?: EmulatorStorage<ConnectedSandbox>,
    validateResponse?: ValidateResponse,
  ) {
    const { specOnly, maxSandboxes, sandboxIdle } = options;
    const router = new Router(selectRoutes(specOnly));
    const deps: SandboxDeps = {
      loader,
      router,
      systemTime: storage?.now ?? systemTime,
      journalMemory: options.journal ? new JournalMemory() : undefined,
      onUse: ({ name }) => storage?.use?.(name),
    };
    this.#deps = deps;
    this.#storage = storage;
    this.defaultSandbox = new ConnectedSandbox(beginning, deps, this);
    this.#sandboxes = new Sandboxes(
      this.defaultSandbox,
      (name, seed = this.defaultSandbox.seed, contents) => new ConnectedSandbox({ name, seed, contents }, deps, this),
      { limit: maxSandboxes, idle: sandboxIdle, systemTime: deps.systemTime, storage },
    );
    this.pipeline = new Pipeline({
      ...options,
      ...deps,
      validateResponse,
      storage,
      // The address that the emulator listens on is one of its names.
      allowedHosts: [...options.allowedHosts, options.host.toLowerCase()],
      sandboxes: this.#sandboxes,
      findNotImplemented: specOnly ? () => undefined : findNotImplemented,
    });
    this.createFetch = makeFetchFactory(this.pipeline);
    this.app = createApp(this.pipeline, createListener(this.pipeline));
    const { name, clock, add, rateLimit, fetch, headers } = this.defaultSandbox;
    this.name = name;
    this.clock = clock;
    this.add = add;
    this.rateLimit = rateLimit;
    this.fetch = fetch;
    this.headers = headers;
  }

  /** @internal */
  async listen(host: string, port: number): Promise<void> {
    this.#server = await listen(this.app, host, port);
  }

  /** The base URL of the emulator. */
  get url(): string {
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
  sandbox(name?: string, options?: OpenOptions): ConnectedSandbox {
    return this.#sandboxes.open(name, options);
  }

  /** What the data folder had when it was opened. Undefined without one. */
  get data(): DataStatus | undefined {
    return this.#storage?.status;
  }

  /** Resolves once all changes so far are in the data folder. Without one, at once. @throws ApiError if they cannot be */
  async saved(): Promise<void> {
    await this.#storage?.saved();
  }

  /** @internal Goes on with the sandboxes that the data folder, or the shared store, has kept. */
  async resume(beginnings: readonly Beginning[]): Promise<void> {
    const resume = (beginning: Beginning) => new ConnectedSandbox(beginning, this.#deps, this);
    for (const beginning of beginnings) this.#sandboxes.show(beginning.name, resume(beginning));
    await this.#storage?.attach(this.#sandboxes, (name, seed) => resume({ name, seed }));
  }

  /** Returns the sandboxes other than the default one, each with its last use and the size of its journal. */
  sandboxes(): SandboxRecord[] {
    return this.#sandboxes.list(this.url);
  }

  /** Closes the sandboxes whose name begins with a prefix, and returns their number. @param prefix default: all */
  closeSandboxes(prefix?: string): number {
    return this.#sandboxes.closeAll(prefix);
  }

  /**
   * @internal Reseeds the default sandbox. Other sandboxes keep their data; those that began with the same seed reset to
   * the new one.
   * @throws FixtureError; nothing has changed then
   */
  async reload(fixtures: FixtureSource): Promise<void> {
    await this.change(() => this.#reload(fixtures));
  }

  /** @internal Whether other emulators change the same sandboxes. */
  get isShared(): boolean {
    return this.#storage?.run !== undefined;
  }

  /** @internal Runs a change until it is durable, several times if other emulators change the same sandboxes. */
  async change<T>(change: () => T): Promise<T> {
    const storage = this.#storage;
    if (storage?.run) return storage.run(change, 'control');
    const result = this.defaultSandbox.observed.store.hold(change);
    await this.saved();
    return result;
  }

  #reload(fixtures: FixtureSource): void {
    const { seed } = this.defaultSandbox;
    const followers = this.#sandboxes.all.filter((sandbox) => sandbox.seed === seed);
    this.defaultSandbox.reseed(fixtures);
    for (const follower of followers) {
      follower.seed = this.defaultSandbox.seed;
      this.#storage?.reseed?.(follower);
    }
  }

  /** @internal */
  closeSandbox(sandbox: Sandbox): void | Promise<void> {
    if (sandbox === this.defaultSandbox) return this.close();
    this.#sandboxes.close(sandbox);
  }

  /** @internal */
  forkSandbox(source: ConnectedSandbox, name?: string, at?: string, owner?: string): ConnectedSandbox {
    return this.#sandboxes.fork(source, name, at, owner);
  }

  /** @internal Reports from now on that the emulator is not ready. It still responds, once per connection. */
  startClosing(): void {
    this.pipeline.control.startClosing();
    this.#server.startClosing();
  }

  /**
   * Closes the server, all connections and the data folder. Idempotent: a second call without `grace` ends one with it.
   * @param options.grace milliseconds that active requests have to end, delayed responses included. Default: 0
   */
  async close({ grace = 0 }: { readonly grace?: number } = {}): Promise<void> {
    this.pipeline.control.close();
    await this.#server.close(grace);
    await this.#storage?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get users() {
    return this.defaultSandbox.users;
  }

  reseed(fixtures: FixtureSource): void;
  reseed(seed: GeneratedSource): Promise<void>;
  reseed(source: FixtureSource | GeneratedSource): void | Promise<void> {
    return this.defaultSandbox.reseed(source);
  }
  readonly reset: SandboxApi['reset'] = () => this.defaultSandbox.reset();
  exportState(): ReturnType<typeof exportState>;
  exportState(options: ExportOptions): ExportedFixtures;
  exportState(options?: ExportOptions): ReturnType<typeof exportState> | ExportedFixtures {
    return options === undefined ? this.defaultSandbox.exportState() : this.defaultSandbox.exportState(options);
  }
  readonly snapshot: SandboxApi['snapshot'] = (name, at) => this.defaultSandbox.snapshot(name, at);
  readonly fork: SandboxApi['fork'] = (name, at, options) => this.defaultSandbox.fork(name, at, options);
  readonly restore: SandboxApi['restore'] = (name) => this.defaultSandbox.restore(name);
  readonly dropSnapshot: SandboxApi['dropSnapshot'] = (name) => this.defaultSandbox.dropSnapshot(name);
  readonly snapshots: SandboxApi['snapshots'] = () => this.defaultSandbox.snapshots();
  readonly requests: SandboxApi['requests'] = (filter) => this.defaultSandbox.requests(filter);
  readonly unhandled: SandboxApi['unhandled'] = () => this.defaultSandbox.unhandled();
  readonly expectRequest: SandboxApi['expectRequest'] = (route, expectation) =>
    this.defaultSandbox.expectRequest(route, expectation);
  readonly session: SandboxApi['session'] = () => this.defaultSandbox.session();
  readonly clearRequests: SandboxApi['clearRequests'] = () => this.defaultSandbox.clearRequests();
  readonly history: SandboxApi['history'] = () => this.defaultSandbox.history();
  readonly rewind: SandboxApi['rewind'] = (to) => this.defaultSandbox.rewind(to);
  readonly fail: SandboxApi['fail'] = (route, options) => this.defaultSandbox.fail(route, options);
  readonly faults: SandboxApi['faults'] = () => this.defaultSandbox.faults();
  readonly disarm: SandboxApi['disarm'] = (id) => this.defaultSandbox.disarm(id);
}
