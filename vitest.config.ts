import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 30_000, hookTimeout: 30_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'socket', include: ['test/**/*.test.ts'] } },
      // The route tests once more, through the emulator's own fetch.
      {
        test: {
          ...shared,
          name: 'in-process',
          include: ['test/{routes,http}/**/*.test.ts'],
          env: { TRANSPORT: 'in-process' },
        },
      },
    ],
  },
});
