import { defineConfig } from 'vitest/config';

/** The dashboard of the packed package in headless Chromium: `npm run test:dashboard`. */
export default defineConfig({
  test: {
    include: ['test/dashboard/**/*.browser.ts'],
    globalSetup: ['test/dashboard/install.ts'],
    // One browser at a time.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
