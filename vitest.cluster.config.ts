import { defineConfig } from 'vitest/config';

/** Disturbs nodes that share a store: `npm run test:cluster`, or `CLUSTER_ROUNDS=5 npm run test:cluster` for fewer rounds. */
export default defineConfig({
  test: { include: ['test/cluster/*.cluster.ts'], testTimeout: 7_200_000, reporters: ['verbose'] },
});
