import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { hasRedis } from './test/support/redis.js';

const shared = { testTimeout: 30_000, hookTimeout: 30_000 };
/** What is generated is up to date. */
const GENERATED = 'test/docs/generated.test.ts';
/** Tests of what passes with the time of this machine. The nodes of a shared store have the time of the store. */
const TIMED = ['test/control/fresh-times.test.ts', 'test/control/idle.test.ts', 'test/control/slices.test.ts'];
/** Tests that start other programs, most of them for seconds. */
const SPAWNING = ['test/package/**/*.test.ts', 'test/testing/**/*.test.ts', 'test/loading.test.ts'];

export default defineConfig({
  test: {
    // One more than there are cores, since many tests wait: for timers, for other programs.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [GENERATED, ...SPAWNING],
          setupFiles: ['test/support/setup.ts'],
          // The modules are loaded once per worker: they have no state (test/layers.test.ts).
          isolate: false,
        },
      },
      {
        // The same as on one emulator, on two nodes that share a store.
        test: {
          ...shared,
          name: 'nodes',
          include: hasRedis ? ['test/control/*.test.ts'] : [],
          exclude: TIMED,
          globalSetup: ['test/support/shared-store.ts'],
          setupFiles: ['test/support/setup.ts'],
          isolate: false,
        },
      },
      { test: { ...shared, name: 'package', include: SPAWNING } },
      {
        test: {
          ...shared,
          name: 'docs',
          include: [GENERATED],
          // It makes types by TypeScript's own functions, which version 7 no longer has.
          alias: { typescript: '@typescript/typescript6' },
          server: { deps: { inline: ['openapi-typescript'] } },
        },
      },
    ],
  },
});
