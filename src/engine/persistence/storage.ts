import type { Exchange } from '../journal/exchange.js';
import type { State } from '../state/state.js';
import type { Change, Contents } from '../store/store.js';
import type { SandboxOrigin, SeedInfo } from './lines.js';
import type { Nodes } from './nodes.js';

/** Seed data. Their state never changes. */
export interface SeedData {
  readonly info: SeedInfo;
  readonly state: State;
}

export interface StoredSandbox {
  /** Empty for the default sandbox. */
  readonly name: string;
  readonly seed: SeedData;
  readonly contents: Contents<State>;
  /** Undefined for the default sandbox, and for one that an older emulator has written. */
  readonly origin?: SandboxOrigin | undefined;
  readonly exchanges: readonly Exchange[];
  /** The last number of requests that is taken, also by a request that the journal no longer has. Default: by the contents. */
  readonly lastRequest?: number;
}

export type SandboxChange =
  | { readonly type: 'open'; readonly sandbox: StoredSandbox }
  /** Records, settings, faults, the clock, history and snapshots change. */
  | {
      readonly type: 'contents';
      readonly change: Change<State>;
      readonly before: Contents<State>;
      readonly seed: SeedData;
      /** False for a change that may wait for others, such as a counter. */
      readonly isUrgent: boolean;
    }
  /** A reset goes back to other seed data from now on. */
  | { readonly type: 'reseed'; readonly seed: SeedData }
  /** The journal has no requests any more. With `isReset`, the ids of requests and changes start again. */
  | { readonly type: 'clear'; readonly isReset: boolean }
  /** The sandbox is closed. The reason is empty for a close on purpose. */
  | { readonly type: 'close'; readonly reason: string };

/** A connection to the server of a shared store, as the package @redis/client makes it. */
export interface StoreClient {
  readonly isOpen: boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(command: string[]): Promise<unknown>;
  destroy(): void;
}

/**
 * Lists the sandboxes that a storage has.
 * @param countSurplus returns the number of the oldest commits that a history loses first, so that it is what the storage keeps
 */
export type ListSandboxes = (countSurplus?: (contents: Contents<State>) => number) => readonly StoredSandbox[];

/** Where sandboxes survive: a data folder, or a store that several emulators share. An in-memory emulator has none. */
export interface Storage {
  /** Path of the data folder, or address of the shared store. */
  readonly path: string;
  /** Whether it stores all sandboxes; otherwise the default one and those that are kept on request. */
  readonly keepsAll: boolean;
  /** Why nothing can be written any more. After a LockLostError, nothing is read either. */
  readonly failure: Error | undefined;
  /** Whether it accepts no change at the moment. */
  readonly isPaused?: boolean;
  /** Whether it has grown so much that {@link compact} is worth its time. */
  readonly isLarge?: boolean;
  /** The emulators that share it. Undefined for one that has a single user. */
  readonly nodes?: Nodes;
  /** Returns the sandboxes that it has, the default one first. Empty for one that is new, or begins again. */
  load(): Promise<readonly StoredSandbox[]>;
  /**
   * Stores a change.
   * @returns what resolves once the changes so far are durable; undefined if reads may see it at once
   */
  append(sandbox: string, change: SandboxChange): Promise<void> | undefined;
  /** Stores a request whose response is ready. */
  responded?(exchange: Exchange): void;
  /** Stores a request whose response has ended. */
  ended?(exchange: Exchange): void;
  /** Resolves once all changes so far are durable. Rejects if they cannot be. */
  saved(): Promise<void>;
  /** Replaces what it has by sandboxes in which all changes so far have been made. A new one begins with them. */
  compact(list: ListSandboxes): Promise<void>;
  close(): Promise<void>;
}
