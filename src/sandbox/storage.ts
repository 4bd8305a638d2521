import type { Metric } from '../lib/metrics.js';
import type { SeedInfo } from '../storage/lines.js';
import type { ClusterStatus } from './cluster.js';
import type { Sandbox } from './sandbox.js';

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
  /** Bytes of an incomplete write, which were left out. */
  readonly torn: number;
}

/**
 * What a request needs of a shared store. `control`: all sandboxes as they are now, not only those that it uses. `read`: it
 * changes nothing but counters.
 */
export type RunKind = 'read' | 'write' | 'control';

/** What an emulator stores its data in: a folder, or a store that it shares with others. */
export interface Storage {
  /** Path of the data folder, or address of the shared store. */
  readonly path: string;
  /** Why nothing can be written any more. After a LockLostError, nothing is read either. */
  readonly failure: Error | undefined;
  /** Whether sandboxes are created and closed by requests only. */
  readonly isIdle?: boolean;
  /** Resolves once all changes so far are durable. Rejects if they cannot be. */
  saved(): Promise<void>;
  /** Called before a sandbox is used, or looked for by its name. */
  use?(name: string): void;
  /** Called before a sandbox is added. */
  add(sandbox: Sandbox): void;
  keep(sandbox: Sandbox): void;
  /**
   * Runs a request until it is committed, on a store that other nodes change as well. Undefined for one that is not shared.
   * @param run called several times if other nodes change the same sandboxes
   * @throws ApiError 503 when the store cannot be reached
   */
  run?<T>(run: () => T | Promise<T>, kind: RunKind): Promise<T>;
  /** Reads what a shared store adds to the metrics. */
  metrics?(): Iterable<Metric>;
  /** Lists the nodes of a shared store. @throws LogUnavailableError when it cannot be reached */
  cluster?(): Promise<ClusterStatus>;
  /** Called before a sandbox is closed. @param reason empty for a close on purpose */
  drop(sandbox: Sandbox, reason: string): void;
}
