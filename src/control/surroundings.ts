import type { Route } from '../contract/route.js';
import type { State } from '../domain/state.js';
import type { GenerateOptions } from '../fixtures/generate-options.js';
import type { FixtureSource } from '../fixtures/read.js';
import type { Sandbox } from './sandbox.js';

/** What a sandbox needs of the emulator that it belongs to. */
export interface Surroundings {
  /** Where the emulator is reached; empty until it listens. */
  origin: string;
  readonly routes: readonly Route[];
  readonly machineTime: () => number;
  /** Makes the state that fixtures describe. Throws a FixtureError. */
  readonly seed: (fixtures: FixtureSource) => State;
  /** Makes the state of a generated world. */
  readonly generateSeed: (options: GenerateOptions) => Promise<State>;
  readonly drop: (sandbox: Sandbox) => void;
  /** A `fetch` that leads into a sandbox without a socket. */
  readonly fetchInto: (sandbox: Sandbox) => typeof fetch;
}
