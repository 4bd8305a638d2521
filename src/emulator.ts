import { atCaller } from '#engine/platform/caller-stack.js';
import type { SandboxOf } from '#engine/sandbox/sandbox.js';
import { vals } from '#vals/service/index.js';
import type { EmulatorOptions } from '#vals/service/options.js';
import type { Types } from '#vals/service/types.js';
import { createEngine, type EngineOf } from './create-engine.js';

/** A running emulator. It is also its default sandbox, for requests that name none. */
export interface Emulator extends EngineOf<Types> {}

/** An isolated copy of the emulator's data, ids, clock, faults, journal and history. */
export interface Sandbox extends SandboxOf<Types> {}

/**
 * Starts an emulator of the vals API. Resolves once it responds at its `url`.
 * @throws OptionsError for an unknown option or a wrong value
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws DataError for a data folder or a session that cannot be used, a folder in use, and damaged data
 * @throws OptionsError with `code: 'EADDRINUSE'` when the port is in use; it says whether by a val-emulator
 */
export const createEmulator = (options?: EmulatorOptions): Promise<Emulator> =>
  atCaller(createEmulator, () => createEngine(vals, options));
