import { controlRoute } from '../control/route.js';
import { RateLimitSchema, RateLimitStatus } from './rate-limit.js';

export const rateLimitRoutes = [
  controlRoute('GET', '/_emulator/rate-limit', 'Read the rate limit, with the requests that are counted', {
    id: 'getRateLimit',
    response: RateLimitStatus,
    handle: ({ sandbox }) => sandbox.rateLimit.read(),
  }),
  controlRoute('PUT', '/_emulator/rate-limit', 'Set the rate limit, or switch it off', {
    id: 'setRateLimit',
    body: RateLimitSchema,
    response: RateLimitStatus,
    errors: [400, 403, 422],
    example: { body: { limit: 100, window: '1m' } },
    handle: ({ sandbox, body }) => sandbox.held.rateLimit.set(body),
  }),
];
