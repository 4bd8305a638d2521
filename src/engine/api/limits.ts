/** Limits of every API and of the emulator, listed in docs/limits.md. */
export const LIMITS = {
  // Items on a page: at most, and by default.
  page: 100,
  defaultPage: 20,
  // Bytes in a request body. Source: the default of Fastify, the framework of the real service.
  body: 1_048_576,
  // Bytes in a request body of the control API.
  controlBody: 16 * 1_048_576,
  // Bytes in the body of PUT /_emulator/seed and POST /_emulator/sandboxes, which can be a whole dataset: the longest string of Node.
  seedBody: 512 * 1_048_576 - 64,
  // Per sandbox.
  snapshots: 1_000,
  faults: 1_000,
  // Windows of the rate limit; the oldest is dropped.
  rateWindows: 100_000,
} as const;
