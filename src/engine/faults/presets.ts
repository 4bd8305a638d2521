import type { FaultOptions } from './faults.js';

export const CHAOS_NAMES = ['slow-api', 'flaky', 'offline', 'rate-limited'] as const;
export type ChaosName = (typeof CHAOS_NAMES)[number];

/** The faults of each name, in the order of arming, and how long they last. */
export const CHAOS: Readonly<Record<ChaosName, { readonly for: string; readonly faults: readonly FaultOptions[] }>> = {
  'slow-api': { for: '5m', faults: [{ delay: ['500ms', '3s'] }] },
  flaky: {
    for: '5m',
    faults: [
      { rate: 0.05, reset: true },
      { rate: 0.1, status: 503, headers: { 'Retry-After': '1' } },
      { rate: 0.2, delay: ['200ms', '2s'] },
    ],
  },
  offline: { for: '30s', faults: [{ reset: true }] },
  'rate-limited': {
    for: '1m',
    faults: [
      {
        rate: 0.5,
        status: 429,
        headers: { 'Retry-After': '1' },
        body: { message: 'Rate limit exceeded, retry in 1 second', error: 'Too Many Requests', statusCode: 429 },
      },
    ],
  },
};
