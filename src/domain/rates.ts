import type { Instant } from './clock.js';
import { asc, by, Collection } from './collection.js';
import { ApiError } from './errors.js';
import type { State } from './state.js';

/** How many requests a token may send in a stretch of time. */
export interface RateLimit {
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

/** What a token has used of its current window. */
interface Spent {
  /** Empty for requests without a token, which share a limit. */
  readonly token: string;
  readonly since: Instant;
  readonly requests: number;
}

export const spentCollection = (spent: readonly Spent[]) =>
  Collection.from(by<Spent>(asc(({ token }) => token)), {}, spent);
export type Rates = ReturnType<typeof spentCollection>;

/** Where a token stands after a request. */
export interface Quota extends RateLimit {
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetIn: number;
  readonly exceeded: boolean;
}

/** Counts a request; undefined where no limit is set. */
export function countRequest(state: State, token: string | undefined, now: Instant): Quota | undefined {
  const { rateLimit } = state.settings;
  if (!rateLimit) return undefined;
  const { limit, window } = rateLimit;
  const last = state.rates.get(token ?? '');
  const current = last && now < last.since + window && now >= last.since ? last : undefined;
  const since = current?.since ?? now;
  const requests = (current?.requests ?? 0) + 1;
  state.rates = state.rates.put({ token: token ?? '', since, requests });
  return {
    limit,
    window,
    remaining: Math.max(0, limit - requests),
    resetIn: since + window - now,
    exceeded: requests > limit,
  };
}

export const rateLimitExceeded = ({ resetIn }: Quota) =>
  new ApiError(429, `Rate limit exceeded, retry in ${inWords(resetIn)}`);

/** A length of time in its largest whole unit: `1 minute`. */
function inWords(milliseconds: number): string {
  for (const [unit, size] of UNITS) {
    const amount = Math.ceil(milliseconds / size);
    if (milliseconds >= size || unit === 'second') return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  }
  return `${milliseconds} ms`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;
