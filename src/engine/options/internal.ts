import type { HttpRequest } from '../api/http-request.js';
import type { HttpResponse } from '../control/http-response.js';
import type { Disk } from '../persistence/disk.js';
import type { LockTimes } from '../persistence/lock.js';
import type { StoreClient, StoredSandbox } from '../persistence/storage.js';
import type { Timers } from '../platform/system-timers.js';

/** Options for the tests and the tools of this package. */
export interface InternalOptions {
  /** @internal Called with each request and its response. */
  readonly onExchange?: ((request: HttpRequest, response: HttpResponse) => void) | undefined;
  /** @internal Bytes by which the file of the data folder grows at least before it is rewritten. */
  readonly dataGrowth?: number;
  /** @internal How long the holder of the data folder may be silent. */
  readonly dataLock?: LockTimes;
  /** @internal The disk of the data folder. */
  readonly dataDisk?: Disk;
  /** @internal The time of the data folder and of the shared store. */
  readonly timers?: Timers;
  /** @internal Connects to the shared store. */
  readonly storeClient?: (url: string) => StoreClient;
  /** @internal Entries of the shared store after which a checkpoint replaces them. */
  readonly storeGrowth?: number;
  /** @internal Milliseconds in which a client has to read a part of its response. */
  readonly unreadTimeout?: number;
  /** @internal What to begin with, as with a session. */
  readonly stored?: StoredSandbox;
}
