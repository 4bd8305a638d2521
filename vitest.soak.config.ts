import { defineConfig } from 'vitest/config';

/** Tests that npm test runs in a smaller size. */
const SIZED = [
  'test/api/serialize.test.ts',
  'test/control/isolation.test.ts',
  'test/control/slices.test.ts',
  'test/fixtures/export.test.ts',
  'test/model-based/model.test.ts',
  'test/storage/round-trip.test.ts',
  'test/fidelity/pull/pull.test.ts',
  'test/server/fastify.test.ts',
  'test/transports.test.ts',
];

/** Random runs, type checks and runs of all conformance cases, which take long: `npm run test:soak`, or `SOAK=250 npm run test:soak` for fewer runs. */
export default defineConfig({
  test: {
    include: ['test/**/*.soak.ts', ...SIZED],
    env: { SOAK: process.env.SOAK ?? '1500' },
    maxWorkers: '100%',
    testTimeout: 3_600_000,
  },
});
