import { type Beginning, DataStorage } from './data-storage.js';
import type { FixtureSource } from './fixtures/read.js';
import type { Instant } from './lib/time.js';
import type { ParsedOptions } from './options.js';
import type { Sandbox } from './sandbox/sandbox.js';
import type { Sandboxes } from './sandbox/sandboxes.js';
import type { Seed } from './sandbox/seed.js';
import type { GeneratedSource, SeedLoader } from './sandbox/seed-loader.js';
import type { DataStatus, Storage } from './sandbox/storage.js';

/** Where an emulator keeps its sandboxes, and what it begins with. */
export interface EmulatorStorage<S extends Sandbox> extends Storage {
  /** What a data folder had when it was opened. */
  readonly status?: DataStatus | undefined;
  /** The sandboxes to begin with, the default one first. Empty if the storage begins anew. */
  readonly beginnings: readonly Beginning[];
  /** The time, if it is not that of this machine. */
  readonly now?: () => Instant;
  /** Called after the seed data changed to which a sandbox is reset. */
  reseed?(sandbox: S): void;
  /** Keeps the sandboxes from now on. @param create makes a sandbox that another process has begun */
  attach(sandboxes: Sandboxes<S>, create: (name: string, seed: Seed) => S): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the data folder or the shared store of an emulator. Undefined if it keeps nothing.
 * @param source seed data that were asked for, if any
 * @throws DataError for one that cannot be used
 */
export async function openStorage<S extends Sandbox>(
  options: ParsedOptions,
  loader: SeedLoader,
  source: FixtureSource | GeneratedSource | undefined,
  systemTime: () => Instant,
): Promise<EmulatorStorage<S> | undefined> {
  const { data, store: url, storePrefix: prefix, storeGrowth: growth, reads } = options;
  const { onDataError: onFailure, onWarning, auth, defaultPrivacy, rateLimit } = options;
  if (data !== undefined) return DataStorage.open(data, options, loader, source, systemTime);
  if (url === undefined) return undefined;
  // Imported late: without a shared store, no client of Redis is loaded.
  const { SharedStorage } = await import('./cluster/storage.js');
  const settings = { auth, defaultPrivacy, rateLimit };
  const hasLocalReads = reads === 'local';
  return SharedStorage.open<S>({ url, prefix, growth, hasLocalReads, settings, onFailure, onWarning });
}
