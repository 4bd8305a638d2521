import { defineConfig } from 'vitest/config';

/** Random runs, type checks and runs of all conformance cases, which take long: `npm run test:soak`, or `SOAK=250 npm run test:soak` for fewer runs. */
export default defineConfig({
  test: {
    include: ['test/**/*.soak.ts', 'test/model-based/model.test.ts'],
    env: { SOAK: process.env.SOAK ?? '1500' },
    maxWorkers: '100%',
    testTimeout: 3_600_000,
  },
});
