import type { Instant } from '../lib/time.js';

export interface CommitInfo {
  readonly id: string;
  /** The operation: `POST /v1/vals`. */
  readonly operation: string;
  readonly at: Instant;
}

export interface Commit<S> extends CommitInfo {
  readonly before: S;
  readonly after: S;
}
