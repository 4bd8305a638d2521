import type { RequestListener } from 'node:http';
import { readClock } from './domain/clock.js';
import type { State } from './domain/state.js';
import { World } from './domain/world.js';
import { loadFixtures } from './fixtures/load.js';
import type { FixtureSource } from './fixtures/read.js';
import { createApp } from './http/express.js';
import { createHandler } from './http/handler.js';
import { Router } from './http/router.js';
import { listen } from './http/server.js';
import { type CheckedOptions, checkOptions, type EmulatorOptions } from './options.js';
import { routes } from './routes/index.js';

/** Somebody in whose name requests can be sent. */
export interface EmulatorUser {
  /** Null for an account that has not chosen one. */
  readonly username: string | null;
  readonly id: string;
  /** For the header `Authorization: Bearer <token>`. */
  readonly token: string;
}

/** A running emulator. */
export interface Emulator extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The emulator as an Express application: to mount in another one, or for supertest. */
  readonly app: RequestListener;
  /** The users there are now, in the order of the fixtures. */
  readonly users: readonly EmulatorUser[];
  /** Back to the seed data: everything that requests have changed is as it was at the start. */
  reset(): void;
  /**
   * Loads other seed data and resets to it.
   * @throws FixtureError with everything that is wrong with the fixtures; nothing has changed then
   */
  reseed(fixtures: FixtureSource): void;
  /** Ends the server and every connection to it. Safe to call again. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the vals API. Resolves once it answers at its `url`.
 * @throws OptionsError for an unknown option or a wrong value
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws Error with `code: 'EADDRINUSE'` when the port is taken
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const checked = checkOptions(options);
  const world = new World(seedState(checked.fixtures, checked));
  const handle = createHandler({
    world,
    router: new Router(routes),
    checkAnswers: checked.checkAnswers,
    machineTime: Date.now,
    onRequest: checked.onRequest,
  });
  const app = createApp(handle);
  const server = await listen(app, checked.host, checked.port);
  return {
    url: server.url,
    app,
    get users() {
      return [...world.state.users.by.serial.range()].map(({ username, id, token }) => ({ username, id, token }));
    },
    reset: () => world.reset(),
    reseed: (fixtures) => world.reseed(seedState(fixtures, checked)),
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}

function seedState(fixtures: FixtureSource, { auth, defaultPrivacy, idSeed, now }: CheckedOptions): State {
  const clock = now === undefined ? { offset: 0 } : { frozenAt: now };
  const state = loadFixtures(fixtures, { auth, defaultPrivacy, idSeed }, readClock(clock, Date.now()));
  state.clock = clock;
  return state;
}
