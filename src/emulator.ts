import type { RequestListener } from 'node:http';
import { Router } from './contract/router.js';
import { Sandbox } from './control/sandbox.js';
import { Sandboxes } from './control/sandboxes.js';
import type { Surroundings } from './control/surroundings.js';
import { once } from './domain/once.js';
import type { State } from './domain/state.js';
import type { FixtureSource } from './fixtures/read.js';
import { Seeder } from './fixtures/seeder.js';
import { Api } from './http/api.js';
import { createApp } from './http/express.js';
import { createFetch } from './http/fetch.js';
import { createHandler } from './http/handler.js';
import { createListener } from './http/listener.js';
import { type ListeningServer, listen } from './http/server.js';
import { checkOptions, type EmulatorOptions } from './options.js';
import { servedRoutes } from './routes/index.js';
import { unservedError } from './routes/unserved.js';

/** A running emulator. By itself it acts on the main sandbox, that of requests which name none. */
export interface Emulator extends Sandbox {
  /** The emulator as an Express application: to mount in another one, or for supertest. */
  readonly app: RequestListener;
  /**
   * The sandbox of this name, made on first use as a fork of the emulator's seed.
   * @param name 1 to 64 of `A-Za-z0-9._-`; by default a new one
   * @throws ApiError for a name that is not allowed, and when there are as many as `maxSandboxes` allows
   */
  sandbox(name?: string): Sandbox;
  /** @internal Fixtures that were saved: see {@link Sandboxes.reload}. */
  reload(fixtures: FixtureSource): void;
  /** Ends the server and every connection to it. Safe to call again. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the vals API. Resolves once it answers at its `url`.
 * @throws OptionsError for an unknown option or a wrong value
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws Error with `code: 'EADDRINUSE'` when the port is taken
 */
export async function createEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const checked = checkOptions(options);
  const { checkAnswers, onRequest } = checked;
  const machineTime = Date.now;
  const seeder = new Seeder(checked, machineTime);
  const served = servedRoutes(checked.specOnly);
  const api = new Api({
    router: new Router(served),
    unserved: checked.specOnly ? () => undefined : unservedError,
    checkAnswers,
    machineTime,
  });
  const surroundings: Surroundings = {
    origin: '',
    routes: served,
    machineTime,
    seeder,
    readAgain: (reading) => api.readAgain(reading),
    drop: (sandbox) => sandboxes.close(sandbox),
    fetchInto: (sandbox) =>
      createFetch(
        (request) => handle(request),
        () => sandbox.url,
        sandbox.name,
      ),
  };
  const first = checked.generate ? await seeder.generate(checked.generate) : seeder.load(checked.fixtures);
  const main: MainSandbox = new MainSandbox(first, surroundings, {
    makeApp: () => createApp(listener),
    open: (name) => sandboxes.open(name),
    reload: (fixtures) => sandboxes.reload(fixtures),
    close: () => server.close(),
  });
  const sandboxes = new Sandboxes(main, surroundings, checked.maxSandboxes);
  const handle = createHandler({
    sandboxes,
    api,
    control: {
      router: once(async () => new Router((await import('./control/routes/index.js')).controlRoutes)),
      allowedHosts: checked.allowedHosts,
      enabled: checked.control,
      checkAnswers,
      documentOf: async (name, server) => (await import('./openapi.js')).documentOf(name, server, checked.specOnly),
    },
    onRequest,
  });
  const listener = createListener(handle);
  const server = checked.listen ? await listen(listener, checked.host, checked.port) : NOT_LISTENING;
  surroundings.origin = server.url;
  return main;
}

/** What the main sandbox does for the emulator as a whole. */
interface Host {
  readonly makeApp: () => RequestListener;
  readonly open: (name: string | undefined) => Sandbox;
  readonly reload: (fixtures: FixtureSource) => void;
  readonly close: () => Promise<void>;
}

/** The sandbox of requests that name none, which stands for the emulator. */
class MainSandbox extends Sandbox implements Emulator {
  readonly #host: Host;
  #app: RequestListener | undefined;

  constructor(seed: State, surroundings: Surroundings, host: Host) {
    super('', seed, surroundings);
    this.#host = host;
  }

  get app(): RequestListener {
    this.#app ??= this.#host.makeApp();
    return this.#app;
  }

  sandbox(name?: string): Sandbox {
    return this.#host.open(name);
  }

  /** @internal */
  reload(fixtures: FixtureSource): void {
    this.#host.reload(fixtures);
  }

  override close(): Promise<void> {
    return this.#host.close();
  }
}

/** Stands in for a server that was not wanted. The address leads nowhere but is one that links can be made with. */
const NOT_LISTENING: ListeningServer = { url: 'http://localhost', close: async () => {} };
