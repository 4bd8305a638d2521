import { LIMITS } from '../api/limits.js';
import { RefusalError } from '../lib/errors.js';
import { formatCount } from '../lib/text.js';
import { formatDuration, type Instant } from '../lib/time.js';
import type { Draft } from '../state/state.js';
import type { RateLimit } from './rate-limit.state.js';

export type RateLimitCount = ReturnType<typeof countRequest>;

/** Counts a request against the rate limit of its token. `resetIn` are milliseconds until the window ends. */
export function countRequest(draft: Draft, rateLimit: RateLimit, token = '', now: Instant) {
  const { limit, window } = rateLimit;
  const last = draft.rateLimits.get(token);
  const current = last && now < last.start + window && now >= last.start ? last : undefined;
  const start = current?.start ?? now;
  const requests = (current?.requests ?? 0) + 1;
  draft.rateLimits = draft.rateLimits.put({ token, start, requests });
  for (const expired of draft.rateLimits.by.start.range([], { until: now - window })) {
    draft.rateLimits = draft.rateLimits.delete(expired);
  }
  const oldest = draft.rateLimits.by.start.range().first;
  if (oldest && draft.rateLimits.size > LIMITS.rateWindows) draft.rateLimits = draft.rateLimits.delete(oldest);
  const resetIn = start + window - now;
  return { limit, window, remaining: Math.max(0, limit - requests), resetIn, exceeded: requests > limit };
}

/** @param user null without a known token */
export const rateLimitExceeded = ({ limit, window }: RateLimitCount, user: string | null) =>
  new RefusalError(
    429,
    `Rate limit exceeded, retry in ${formatWindow(window)}`,
    `the rate limit of ${user ?? 'requests without a known token'} is ${formatCount(limit, 'request')} in ${formatDuration(window)}`,
  );

/** Returns the headers of a rate limit. Source of the names: Fastify's rate-limit plugin. */
export function rateLimitHeaders({ limit, remaining, resetIn, exceeded }: RateLimitCount): Record<string, string> {
  const seconds = String(Math.ceil(resetIn / 1_000));
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': seconds,
    ...(exceeded ? { 'retry-after': seconds } : {}),
  };
}

const UNITS = Object.entries({ year: 31_557_600_000, day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 });

/** Formats milliseconds in their largest unit, as Fastify's rate-limit plugin does: `1 minute`. */
function formatWindow(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => milliseconds >= size) ?? [];
  return unit && size ? formatCount(Math.round(milliseconds / size), unit) : `${milliseconds} ms`;
}
