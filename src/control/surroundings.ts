import type { Route } from '../contract/route.js';
import type { Seeder } from '../fixtures/seeder.js';
import type { ReadAgain } from './journal.js';
import type { Sandbox } from './sandbox.js';

/** What a sandbox needs of the emulator that it belongs to. */
export interface Surroundings {
  /** Where the emulator is reached; empty until it listens. */
  origin: string;
  readonly routes: readonly Route[];
  readonly machineTime: () => number;
  readonly seeder: Seeder;
  readonly readAgain: ReadAgain;
  readonly drop: (sandbox: Sandbox) => void;
  /** A `fetch` that leads into a sandbox without a socket. */
  readonly fetchInto: (sandbox: Sandbox) => typeof fetch;
}
