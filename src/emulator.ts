import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { ResponseValidator } from './api/response-validator.js';
import { Router } from './api/router.js';
import { Sandbox, type SandboxDeps } from './control/sandbox.js';
import { Sandboxes, sandboxUrl } from './control/sandboxes.js';
import { SeedLoader } from './control/seed-loader.js';
import type { FixtureSource } from './fixtures/read.js';
import type { State } from './model/state.js';
import { type EmulatorOptions, type ParsedOptions, parseOptions } from './options.js';
import { selectRoutes } from './routes/index.js';
import { findNotImplemented } from './routes/not-implemented.js';
import { createFetch, type Fetch } from './server/fetch.js';
import { createListener, type ListeningServer, listen } from './server/node.js';
import { Pipeline } from './server/pipeline.js';

/**
 * Starts an emulator of the vals API. Resolves once it responds at its `url`.
 * @throws OptionsError for an unknown option or a wrong value
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws Error with `code: 'EADDRINUSE'` when the port is in use
 */
export async function createEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const parsed = parseOptions(options);
  const loader = new SeedLoader(parsed, Date.now);
  const seed = parsed.generate ? await loader.generate(parsed.generate) : loader.load(parsed.fixtures);
  const validators = parsed.validateResponses ? await import('./api/response-validator.js') : undefined;
  const emulator = new Emulator(seed, loader, parsed, validators && new validators.ResponseValidator());
  if (parsed.listen) await emulator.listen(parsed.host, parsed.port);
  return emulator;
}

/** Used with `listen: false`. Links need a base URL; nothing listens there. */
const NOT_LISTENING: ListeningServer = { url: 'http://localhost', close: async () => {} };

/** A sandbox that responds to requests. */
export abstract class ConnectedSandbox extends Sandbox {
  #fetch: Fetch | undefined;
  /** @internal */
  abstract readonly pipeline: Pipeline;
  /** The base URL of this sandbox. */
  abstract get url(): string;
  /** Closes the sandbox and drops its data. Idempotent. */
  abstract close(): void | Promise<void>;

  /** Headers that select this sandbox on requests to the emulator's own base URL. */
  get headers(): Readonly<Record<string, string>> {
    return this.name === '' ? {} : { 'X-Emulator-Sandbox': this.name };
  }

  /** A drop-in `fetch` that reaches this sandbox without a socket. Accepts a path alone: `/v1/me`. */
  get fetch(): typeof fetch {
    this.#fetch ??= createFetch(this.pipeline, this, () => this.url);
    return this.#fetch;
  }

  /** For `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The public members of a sandbox. */
export type SandboxApi = Omit<
  ConnectedSandbox,
  'addRecord' | 'arm' | 'isClosed' | 'journal' | 'pipeline' | 'store' | 'update'
>;

/** A sandbox in addition to the default one. */
class NamedSandbox extends ConnectedSandbox {
  override readonly pipeline: Pipeline;
  readonly #emulator: Emulator;

  constructor(name: string, emulator: Emulator, deps: SandboxDeps) {
    super(name, emulator.store.seed, deps);
    this.#emulator = emulator;
    this.pipeline = emulator.pipeline;
  }

  override get url(): string {
    return sandboxUrl(this.#emulator.url, this.name);
  }

  override close(): void {
    this.#emulator.sandboxes.close(this);
  }
}

/** A running emulator. It is also its default sandbox, that of requests which name none. */
export class Emulator extends ConnectedSandbox {
  /** @internal */
  override readonly pipeline: Pipeline;
  /** @internal */
  readonly sandboxes: Sandboxes<ConnectedSandbox>;
  readonly #listener: RequestListener;
  #server = NOT_LISTENING;
  #app: RequestListener | undefined;

  /** @internal Use {@link createEmulator}. */
  constructor(seed: State, loader: SeedLoader, options: ParsedOptions, responseValidator?: ResponseValidator) {
    const { specOnly, maxSandboxes } = options;
    const deps = { loader, router: new Router(selectRoutes(specOnly)), systemTime: Date.now };
    super('', seed, deps);
    this.sandboxes = new Sandboxes<ConnectedSandbox>(this, (name) => new NamedSandbox(name, this, deps), maxSandboxes);
    this.pipeline = new Pipeline({
      ...options,
      ...deps,
      responseValidator,
      // The address that the emulator listens on is one of its names.
      allowedHosts: [...options.allowedHosts, options.host.toLowerCase()],
      sandboxes: this.sandboxes,
      findNotImplemented: specOnly ? () => undefined : findNotImplemented,
    });
    this.#listener = createListener(this.pipeline);
  }

  /** @internal */
  async listen(host: string, port: number): Promise<void> {
    this.#server = await listen(this.#listener, host, port);
  }

  /** The base URL of the emulator. */
  override get url(): string {
    return this.#server.url;
  }

  /** The emulator as an Express application, to mount in a host application or for supertest. */
  get app(): RequestListener {
    this.#app ??= createApp(this.#listener);
    return this.#app;
  }

  /**
   * Finds a sandbox, or creates it with the emulator's seed.
   * @param name 1–64 of `A–Z a–z 0–9 . _ -`; default: a new one
   * @throws ApiError for an invalid name, and when the limit `maxSandboxes` is reached
   */
  sandbox(name?: string): ConnectedSandbox {
    return this.sandboxes.open(name);
  }

  /**
   * @internal Reseeds the default sandbox. Other sandboxes keep their data; those that began with the same seed reset to
   * the new one.
   * @throws FixtureError; nothing has changed then
   */
  reload(fixtures: FixtureSource): void {
    const followers = this.sandboxes.all.filter(({ store }) => store.seed === this.store.seed);
    this.reseed(fixtures);
    for (const { store } of followers) store.seed = this.store.seed;
  }

  /** Closes the server and all connections. Idempotent. */
  override close(): Promise<void> {
    return this.#server.close();
  }
}

function createApp(listener: RequestListener): RequestListener {
  // Imported late: few programs mount the emulator, and Express takes longer to load than all of it.
  const express: typeof import('express') = createRequire(import.meta.url)('express');
  return express().disable('x-powered-by').disable('etag').use(listener);
}
