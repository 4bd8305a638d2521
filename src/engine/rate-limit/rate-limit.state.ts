import type { Instant } from '../lib/time.js';
import { asc, Collection, index } from '../store/collection.js';

/** Requests that a token may send within a window of time. */
export interface RateLimit {
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

export interface RateLimitWindow {
  /** Empty for requests without a token, which share a limit. */
  readonly token: string;
  readonly start: Instant;
  readonly requests: number;
}

const rateLimitSpec = {
  identity: index<RateLimitWindow>(asc((record) => record.token)),
  indexes: {
    start: index<RateLimitWindow>(
      asc((record) => record.start),
      asc((record) => record.token),
    ),
  },
};
export type RateLimitWindows = Collection<RateLimitWindow, (typeof rateLimitSpec)['indexes']>;

export const rateLimitWindows = (records: readonly RateLimitWindow[] = []): RateLimitWindows =>
  Collection.from(rateLimitSpec, records);
